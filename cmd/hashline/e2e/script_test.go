//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashline-go/hashline/cmd/hashline/e2e/fakemodel"
)

// done is the last that the model says.
const done = "All of the script was played."

// scenario is a script for all clients.
type scenario struct {
	name string
	// files are there at the start, and want says what becomes of them.
	files, want map[string]string
	turns       func(*player) []fakemodel.Turn
	// check looks at the texts that the model was told. Optional.
	check func(t *testing.T, told []string)
}

// player makes turns. What the scripts see are the server's own words.
type player struct {
	bench
	work string
}

// arguments makes arguments out of what the model was told so far.
type arguments func(told []string) map[string]any

// text takes off what the client put around an answer.
func (b bench) text(r fakemodel.Result) (string, error) {
	if b.plain == nil {
		return r.Text, nil
	}
	return b.plain(r)
}

// call makes a call of a tool of the server.
func (p *player) call(tool string, args arguments) fakemodel.Call {
	fill := func(seen []fakemodel.Result) map[string]any {
		var told []string
		for _, r := range seen[min(p.skipped(), len(seen)):] {
			text, err := p.text(r)
			if err != nil {
				text = r.Text // the test will say so
			}
			told = append(told, text)
		}
		return args(told)
	}
	if p.bridge == nil {
		return fakemodel.Call{Tool: tool, Args: fill}
	}
	through, _ := p.bridge(tool, nil)
	return fakemodel.Call{Tool: through, BuiltIn: true, Args: func(seen []fakemodel.Result) map[string]any {
		_, args := p.bridge(tool, fill(seen))
		return args
	}}
}

// turn is a call alone.
func (p *player) turn(tool string, args arguments) fakemodel.Turn {
	return fakemodel.Turn{Calls: []fakemodel.Call{p.call(tool, args)}}
}

func (p *player) read(path string) fakemodel.Turn {
	return p.turn("read_file", func([]string) map[string]any { return map[string]any{"path": path} })
}

func (p *player) edit(input func(told []string) string) fakemodel.Turn {
	return p.turn("edit", document(input))
}

func (p *player) done() fakemodel.Turn { return fakemodel.Turn{Text: done} }

// outside is what somebody else does to a file before a turn.
func (p *player) outside(turn fakemodel.Turn, path string, change func(string) string) fakemodel.Turn {
	turn.Before = func() error {
		name := filepath.Join(p.work, path)
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(name, []byte(change(string(data))), 0o644)
	}
	return turn
}

func document(input func(told []string) string) arguments {
	return func(told []string) map[string]any { return map[string]any{"input": input(told)} }
}

// under makes a document of one section, under the header that the last answer
// shows.
func under(operations string) func([]string) string {
	return func(told []string) string { return header(told[len(told)-1]) + "\n" + operations }
}

var headerLine = regexp.MustCompile(`(?m)^\[[^\n]*#[0-9A-F]{4}\]$`)

// header gives the first header of an answer.
func header(text string) string { return headerLine.FindString(text) }

// corrected takes the corrected document out of the last answer, a refusal.
func corrected(told []string) string {
	_, doc, _ := strings.Cut(told[len(told)-1], "\nCorrected document:\n")
	return doc
}
