//go:build unix

package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// The wire is a copy of this test program in the place of hashline. It starts the
// real one beside it, passes on all lines both ways, and writes them down, so that
// a test knows what the server sent when it sees what a client made of that.
const (
	wireName = "hashline"
	realName = "hashline-real"
	wireLog  = "wire.jsonl"
)

// record is a line of the log.
type record struct {
	PID  int    `json:"pid"`
	From string `json:"from"`
	Line string `json:"line"`
}

const fromClient, fromServer = "client", "server"

func TestMain(m *testing.M) {
	if self, err := os.Executable(); err == nil && filepath.Base(self) == wireName {
		os.Exit(runWire(filepath.Dir(self)))
	}
	os.Exit(m.Run())
}

func runWire(dir string) int {
	log, err := os.OpenFile(filepath.Join(dir, wireLog), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	cmd := exec.Command(filepath.Join(dir, realName), os.Args[1:]...)
	cmd.Stderr = os.Stderr
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err1 != nil || err2 != nil || cmd.Start() != nil {
		fmt.Fprintln(os.Stderr, "the real hashline does not start")
		return 1
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	go func() {
		for s := range signals {
			_ = cmd.Process.Signal(s)
		}
	}()
	var mu sync.Mutex
	pass := func(from string, r io.Reader, w io.Writer) {
		lines := bufio.NewReader(r)
		for {
			line, err := lines.ReadBytes('\n')
			if len(line) > 0 {
				text, _ := json.Marshal(record{os.Getpid(), from, string(line)})
				mu.Lock()
				_, _ = log.Write(append(text, '\n'))
				mu.Unlock()
				if _, err := w.Write(line); err != nil {
					return
				}
			}
			if err != nil {
				return
			}
		}
	}
	go func() {
		pass(fromClient, os.Stdin, in)
		in.Close()
	}()
	pass(fromServer, out, os.Stdout)
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode()
}

// conversation is what the wire tells.
type conversation struct {
	// client is what the client called itself, and protocol the version of the
	// protocol that it speaks.
	client, protocol string
	// descriptions are those of the tools.
	descriptions map[string]string
	answers      []sent
}

// sent is what the server answered to the call of a tool.
type sent struct {
	tool  string
	text  string
	error bool
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name            string                     `json:"name"`
		ProtocolVersion string                     `json:"protocolVersion"`
		ClientInfo      implementation             `json:"clientInfo"`
		Meta            map[string]json.RawMessage `json:"_meta"`
	} `json:"params"`
	Result struct {
		ProtocolVersion string `json:"protocolVersion"`
		Tools           []struct{ Name, Description string }
		Content         []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		IsError    bool            `json:"isError"`
		Structured json.RawMessage `json:"structuredContent"`
	} `json:"result"`
	Error json.RawMessage `json:"error"`
}

type implementation struct{ Name, Version string }

// readWire reads what the wire wrote down.
func readWire(t *testing.T, dir string) conversation {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, wireLog))
	require.NoError(t, err, "the client did not start the server")
	c := conversation{descriptions: map[string]string{}}
	calls := map[string]string{}
	for line := range bytes.Lines(data) {
		var r record
		var m message
		require.NoError(t, json.Unmarshal(line, &r))
		require.NoError(t, json.Unmarshal([]byte(r.Line), &m), r.Line)
		id := fmt.Sprint(r.PID, " ", string(m.ID))
		if r.From == fromClient {
			c.note(m)
			if m.Method == "tools/call" {
				calls[id] = m.Params.Name
			}
			continue
		}
		if m.Result.ProtocolVersion != "" {
			c.protocol = m.Result.ProtocolVersion
		}
		for _, tool := range m.Result.Tools {
			c.descriptions[tool.Name] = tool.Description
		}
		tool, called := calls[id]
		if !called || m.Method != "" {
			continue
		}
		require.Empty(t, m.Error, "the server answered a call with an error of the protocol")
		if len(m.Result.Content) == 0 {
			continue // it asks the client for its folders first
		}
		require.Len(t, m.Result.Content, 1, "an answer is one text")
		require.Empty(t, m.Result.Structured, "some clients show the model this alone")
		c.answers = append(c.answers, sent{tool, m.Result.Content[0].Text, m.Result.IsError})
	}
	return c
}

// note learns who the client is, from the first request in the older versions of
// the protocol and from any request in the newer ones.
func (c *conversation) note(m message) {
	info := m.Params.ClientInfo
	if raw, ok := m.Params.Meta["io.modelcontextprotocol/clientInfo"]; ok {
		_ = json.Unmarshal(raw, &info)
	}
	if info.Name != "" {
		c.client = info.Name + " " + info.Version
	}
	if raw, ok := m.Params.Meta["io.modelcontextprotocol/protocolVersion"]; ok {
		_ = json.Unmarshal(raw, &c.protocol)
	}
}
