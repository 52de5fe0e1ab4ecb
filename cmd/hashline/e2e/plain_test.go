//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/hashline-go/hashline/cmd/hashline/e2e/fakemodel"
)

// What clients put around the text of an answer. What is taken off here is
// exactly that, so that a test sees all else.

var codexHead = regexp.MustCompile(`^Wall time: [0-9.]+ seconds\nOutput:\n`)

func plainCodex(r fakemodel.Result) (string, error) {
	head := codexHead.FindString(r.Text)
	if head == "" {
		return "", fmt.Errorf("no time stands before %.200q", r.Text)
	}
	return r.Text[len(head):], nil
}

// claudeTail is advice of the client itself.
var claudeTail = regexp.MustCompile(`(?:\n+<system-reminder>\n[^<]*(?:<total_tokens>[^<]*</total_tokens>\n)?</system-reminder>\n?)+$`)

func plainClaude(r fakemodel.Result) (string, error) {
	return strings.TrimSuffix(r.Text, claudeTail.FindString(r.Text)), nil
}

const geminiBegin, geminiEnd = "<untrusted_context>\n", "\n</untrusted_context>"

// plainGemini reads the two forms of Gemini CLI.
func plainGemini(r fakemodel.Result) (string, error) {
	if r.Error {
		return plainCall(r.Text)
	}
	text, ok1 := strings.CutPrefix(r.Text, geminiBegin)
	text, ok2 := strings.CutSuffix(text, geminiEnd)
	if !ok1 || !ok2 {
		return "", fmt.Errorf("no context stands around %.200q", r.Text)
	}
	return text, nil
}

// plainQwen reads refusals, which look as those of Gemini CLI.
func plainQwen(r fakemodel.Result) (string, error) {
	if callHead.MatchString(r.Text) {
		return plainCall(r.Text)
	}
	return r.Text, nil
}

var callHead = regexp.MustCompile(`^MCP tool '[a-z_]+' reported tool error for function call: `)

// plainCall reads a refusal that comes as JSON, after the arguments of the call.
func plainCall(text string) (string, error) {
	head := callHead.FindString(text)
	in := strings.NewReader(text[len(head):])
	dec := json.NewDecoder(in)
	var args struct{}
	if err := dec.Decode(&args); head == "" || err != nil {
		return "", fmt.Errorf("no call stands at the start of %.200q: %w", text, err)
	}
	rest, err := io.ReadAll(io.MultiReader(dec.Buffered(), in))
	if err != nil {
		return "", err
	}
	list, ok := strings.CutPrefix(string(rest), " with response: ")
	var parts []struct {
		FunctionResponse struct {
			Response struct{ Content []struct{ Text string } }
		}
	}
	if err := json.Unmarshal([]byte(list), &parts); !ok || err != nil || len(parts) != 1 || len(parts[0].FunctionResponse.Response.Content) != 1 {
		return "", fmt.Errorf("no answer stands at the end of %.200q: %w", text, err)
	}
	return parts[0].FunctionResponse.Response.Content[0].Text, nil
}

// plainCopilot reads refusals, which say whose they are.
func plainCopilot(r fakemodel.Result) (string, error) {
	return strings.TrimPrefix(r.Text, "MCP server 'hashline': "), nil
}

// TestPlainMendsNothing: what was cut, or has more around it than is known, does
// not pass for what the server sent.
func TestPlainMendsNothing(t *testing.T) {
	const sent = "edit rejected\n[a#0000]\n1:\"<x>\""
	call := `MCP tool 'edit' reported tool error for function call: {"name":"edit","args":{"input":"with response: ["}} with response: `
	answer := `[{"functionResponse":{"response":{"_meta":{},"content":[{"type":"text","text":"edit rejected\n[a#0000]\n1:\"<x>\""}]}}}]`
	reminder := "\n\n<system-reminder>\n<total_tokens>99 tokens left</total_tokens>\n</system-reminder>"
	for name, c := range map[string]struct {
		plain func(fakemodel.Result) (string, error)
		told  fakemodel.Result
		whole bool
	}{
		"codex":                {plainCodex, fakemodel.Result{Text: "Wall time: 0.0031 seconds\nOutput:\n" + sent}, true},
		"codex, no time":       {plainCodex, fakemodel.Result{Text: sent}, false},
		"claude":               {plainClaude, fakemodel.Result{Text: sent + reminder}, true},
		"claude, nothing more": {plainClaude, fakemodel.Result{Text: sent}, true},
		"claude, more after":   {plainClaude, fakemodel.Result{Text: sent + reminder + "x"}, false},
		"gemini":               {plainGemini, fakemodel.Result{Text: geminiBegin + sent + geminiEnd}, true},
		"gemini, no end":       {plainGemini, fakemodel.Result{Text: geminiBegin + sent}, false},
		"gemini, refusal":      {plainGemini, fakemodel.Result{Text: call + answer, Error: true}, true},
		"gemini, cut refusal":  {plainGemini, fakemodel.Result{Text: call + answer[:90] + "..." + answer[100:], Error: true}, false},
		"gemini, cut call":     {plainGemini, fakemodel.Result{Text: call[:80] + "..." + call[90:] + answer, Error: true}, false},
		"qwen":                 {plainQwen, fakemodel.Result{Text: sent}, true},
		"qwen, refusal":        {plainQwen, fakemodel.Result{Text: call + answer}, true},
		"copilot, refusal":     {plainCopilot, fakemodel.Result{Text: "MCP server 'hashline': " + sent}, true},
	} {
		text, err := c.plain(c.told)
		if whole := err == nil && text == sent; whole != c.whole {
			t.Errorf("%s: got %q, %v", name, text, err)
		}
	}
}
