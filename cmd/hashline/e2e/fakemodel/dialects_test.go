package fakemodel_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// dialect is how a client speaks one of the interfaces.
type dialect struct {
	name, path, stream string
	// prefix is what the client puts before the names of the server's tools.
	prefix string
	// tools, and how results are told, with %s for the list and the text.
	tools, results, result string
	// said and streamed give what the model said: calls, or a text.
	said, streamed func(t *testing.T, answer string) string
}

func (d dialect) streamPath() string {
	if d.stream != "" {
		return d.stream
	}
	return d.path
}

func (d dialect) request(stream bool, results []string) string {
	var list []string
	for _, r := range results {
		text, err := json.Marshal(r)
		if err != nil {
			panic(err) // a string
		}
		list = append(list, fmt.Sprintf(d.result, text))
	}
	return fmt.Sprintf(`{"model":"m","stream":%t,"tools":%s,`+d.results+`}`, stream, d.tools, strings.Join(list, ","))
}

var dialects = []dialect{
	{
		name: "responses", path: "/v1/responses", prefix: "mcp__srv ",
		tools:   `[{"name":"shell"},{"type":"namespace","name":"mcp__srv","tools":[{"name":"read_file"},{"name":"edit"}]}]`,
		results: `"input":[%s]`, result: `{"type":"function_call_output","output":%s}`,
		said: saidResponses,
		streamed: func(t *testing.T, answer string) string {
			all := data(answer)
			var last struct{ Response json.RawMessage }
			decode(t, all[len(all)-1], &last)
			return saidResponses(t, string(last.Response))
		},
	},
	{
		name: "chat", path: "/v1/chat/completions", prefix: "srv_",
		tools:   `[{"function":{"name":"shell"}},{"function":{"name":"srv_read_file"}},{"function":{"name":"srv_edit"}}]`,
		results: `"messages":[%s]`, result: `{"role":"tool","content":%s}`,
		said: saidChat,
		streamed: func(t *testing.T, answer string) string {
			all := data(answer)
			require.Len(t, all, 3)
			require.Equal(t, "[DONE]", all[2])
			return saidChat(t, strings.Replace(all[0], `"delta"`, `"message"`, 1))
		},
	},
	{
		name: "messages", path: "/v1/messages", prefix: "mcp__srv__",
		tools:   `[{"name":"shell"},{"name":"mcp__srv__read_file"},{"name":"mcp__srv__edit"}]`,
		results: `"messages":[{"content":[%s]}]`, result: `{"type":"tool_result","content":%s}`,
		said: func(t *testing.T, answer string) string {
			var a struct{ Content []block }
			decode(t, answer, &a)
			return saidBlocks(a.Content)
		},
		streamed: streamedMessages,
	},
	{
		name: "gemini", path: "/v1beta/models/m:generateContent", stream: "/v1beta/models/m:streamGenerateContent", prefix: "mcp_srv_",
		tools:   `[{"functionDeclarations":[{"name":"shell"},{"name":"mcp_srv_read_file"},{"name":"mcp_srv_edit"}]}]`,
		results: `"contents":[{"parts":[%s]}]`, result: `{"functionResponse":{"response":{"output":%s}}}`,
		said: saidGemini,
		streamed: func(t *testing.T, answer string) string {
			return saidGemini(t, data(answer)[0])
		},
	},
}

// data gives the events of a stream.
func data(stream string) []string {
	var all []string
	for line := range strings.Lines(stream) {
		if text, ok := strings.CutPrefix(line, "data: "); ok {
			all = append(all, strings.TrimSuffix(text, "\n"))
		}
	}
	return all
}

// plain writes arguments as a test can compare them.
func plain(args json.RawMessage) string {
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(args))
}

func saidResponses(t *testing.T, answer string) string {
	var a struct {
		Output []struct {
			Namespace, Name, Arguments string
			Content                    []struct{ Text string }
		}
	}
	decode(t, answer, &a)
	var all []string
	for _, o := range a.Output {
		if len(o.Content) > 0 {
			return o.Content[0].Text
		}
		all = append(all, strings.TrimSpace(o.Namespace+" "+o.Name+" "+plain(json.RawMessage(o.Arguments))))
	}
	return strings.Join(all, "; ")
}

func saidChat(t *testing.T, answer string) string {
	var a struct {
		Choices []struct {
			Message struct {
				Content string
				Calls   []struct {
					Function struct{ Name, Arguments string }
				} `json:"tool_calls"`
			}
		}
	}
	decode(t, answer, &a)
	var all []string
	for _, c := range a.Choices[0].Message.Calls {
		all = append(all, c.Function.Name+" "+plain(json.RawMessage(c.Function.Arguments)))
	}
	return a.Choices[0].Message.Content + strings.Join(all, "; ")
}

type block struct {
	Text, Name string
	Input      json.RawMessage
}

func saidBlocks(blocks []block) string {
	var all []string
	for _, b := range blocks {
		if b.Name == "" {
			return b.Text
		}
		all = append(all, b.Name+" "+plain(b.Input))
	}
	return strings.Join(all, "; ")
}

func streamedMessages(t *testing.T, answer string) string {
	var blocks []block
	for _, text := range data(answer) {
		var e struct {
			Type  string
			Block block `json:"content_block"`
			Delta struct {
				Text string
				JSON string `json:"partial_json"`
			}
		}
		decode(t, text, &e)
		switch e.Type {
		case "content_block_start":
			blocks = append(blocks, e.Block)
		case "content_block_delta":
			last := &blocks[len(blocks)-1]
			last.Text, last.Input = last.Text+e.Delta.Text, json.RawMessage(e.Delta.JSON)
		}
	}
	return saidBlocks(blocks)
}

func saidGemini(t *testing.T, answer string) string {
	var a struct {
		Candidates []struct {
			Content struct {
				Parts []struct {
					Text         string
					FunctionCall *struct {
						Name string
						Args json.RawMessage
					}
				}
			}
		}
	}
	decode(t, answer, &a)
	var all []string
	for _, p := range a.Candidates[0].Content.Parts {
		if p.FunctionCall == nil {
			return p.Text
		}
		all = append(all, p.FunctionCall.Name+" "+plain(p.FunctionCall.Args))
	}
	return strings.Join(all, "; ")
}
