package fakemodel_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/cmd/hashline/e2e/fakemodel"
)

// script reads, asks for two edits at once whose arguments come from what it was
// told, and is done.
func script(begun *int) []fakemodel.Turn {
	last := func(seen []fakemodel.Result) map[string]any {
		return map[string]any{"input": seen[len(seen)-1].Text}
	}
	return []fakemodel.Turn{
		{Before: func() error { *begun++; return nil }, Calls: []fakemodel.Call{{
			Tool: "read_file", Args: func([]fakemodel.Result) map[string]any { return map[string]any{"path": "a"} },
		}}},
		{Calls: []fakemodel.Call{{Tool: "edit", Args: last}, {Tool: "shell", BuiltIn: true, Args: last}}},
		{Text: "done"},
	}
}

func TestModelPlaysItsScript(t *testing.T) {
	for _, d := range dialects {
		t.Run(d.name, func(t *testing.T) {
			begun := 0
			model := fakemodel.New("srv", script(&begun)...)
			var got []string
			for _, results := range [][]string{nil, nil, {"one <&> \"é\""}, {"one <&> \"é\"", "two", "three"}} {
				whole := d.said(t, post(t, model, d.path, d.request(false, results)))
				got = append(got, whole)
				if diff := cmp.Diff(whole, d.streamed(t, post(t, model, d.streamPath(), d.request(true, results)))); diff != "" {
					t.Errorf("as a stream (-whole +stream):\n%s", diff)
				}
			}
			edit, shell := `edit {"input":"one <&> \"é\""}`, `shell {"input":"one <&> \"é\""}`
			want := []string{
				d.prefix + `read_file {"path":"a"}`, d.prefix + `read_file {"path":"a"}`,
				d.prefix + edit + "; " + shell, "done",
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			require.Equal(t, 1, begun, "a request that comes again begins nothing anew")
			require.Empty(t, model.Faults())
			var texts []string
			for _, r := range model.Seen() {
				texts = append(texts, r.Text)
			}
			require.Equal(t, []string{"one <&> \"é\"", "two", "three"}, texts)
		})
	}
}

// TestModelReadsResults: the forms in which clients tell results.
func TestModelReadsResults(t *testing.T) {
	for _, c := range []struct {
		path, body string
		want       []fakemodel.Result
	}{
		{"/v1/responses", `{"tools":[{"name":"x"}],"input":[
			{"type":"function_call_output","output":"a\nb"},{"type":"message","output":"no"},
			{"type":"function_call_output","output":[{"type":"input_text","text":"c"},{"type":"input_text","text":"d"}]},
			{"type":"custom_tool_call_output","output":{"image":1}}]}`,
			[]fakemodel.Result{{Text: "a\nb"}, {Text: "c\nd"}, {Text: `{"image":1}`}}},
		{"/v1/chat/completions", `{"tools":[{"function":{"name":"x"}}],"messages":[{"role":"user","content":"no"},
			{"role":"tool","content":"a"},{"role":"tool","content":[{"type":"text","text":"b"}]}]}`,
			[]fakemodel.Result{{Text: "a"}, {Text: "b"}}},
		{"/v1/messages", `{"tools":[{"name":"x"}],"messages":[{"role":"user","content":"no"},{"role":"user","content":[
			{"type":"tool_result","content":"a","is_error":true},{"type":"text","text":"no"},
			{"type":"tool_result","content":[{"type":"text","text":"b"},{"type":"image"}]}]}]}`,
			[]fakemodel.Result{{Text: "a", Error: true}, {Text: `[{"type":"text","text":"b"},{"type":"image"}]`}}},
		{"/v1beta/models/m:generateContent", `{"tools":[{"functionDeclarations":[{"name":"x"}]}],"contents":[{"parts":[{"text":"no"},
			{"functionResponse":{"response":{"output":"a"}}},{"functionResponse":{"response":{"error":"b"}}},
			{"functionResponse":{"response":{"output":"c","more":1}}}]}]}`,
			[]fakemodel.Result{{Text: "a"}, {Text: "b", Error: true}, {Text: `{"output":"c","more":1}`}}},
	} {
		model := fakemodel.New("")
		post(t, model, c.path, c.body)
		if diff := cmp.Diff(c.want, model.Seen()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.path, diff)
		}
	}
}

func TestModelNotesFaults(t *testing.T) {
	chat := dialects[1]
	for name, c := range map[string]struct {
		turns   []fakemodel.Turn
		results [][]string
		want    string
	}{
		"another result":    {[]fakemodel.Turn{{Calls: make([]fakemodel.Call, 1)}, {Text: "done"}}, [][]string{{"a"}, {"b"}}, `was "a" and became "b"`},
		"too many results":  {[]fakemodel.Turn{{Text: "done"}}, [][]string{{"a"}}, "there is no turn for 1 results"},
		"no such tool":      {[]fakemodel.Turn{{Calls: []fakemodel.Call{{Tool: "fly"}}}}, [][]string{nil}, `no tool that ends in "fly"`},
		"of another server": {[]fakemodel.Turn{{Calls: []fakemodel.Call{{Tool: "shell"}}}}, [][]string{nil}, `no tool that ends in "shell"`},
		"nothing to begin":  {[]fakemodel.Turn{{Before: func() error { return errors.New("no file") }}}, [][]string{nil}, "turn 0: no file"},
	} {
		t.Run(name, func(t *testing.T) {
			model := fakemodel.New("srv", c.turns...)
			for _, results := range c.results {
				post(t, model, chat.path, chat.request(false, results))
			}
			require.Len(t, model.Faults(), 1)
			require.Contains(t, model.Faults()[0], c.want)
		})
	}
}

func TestModelPassesOverRequestsWithoutTools(t *testing.T) {
	model := fakemodel.New("srv", fakemodel.Turn{Text: "done"})
	post(t, model, "/v1/chat/completions", `{"messages":[{"role":"user","content":"a title, please"}]}`)
	require.Empty(t, model.Said())
	require.Empty(t, model.Requests())
}

func post(t *testing.T, model *fakemodel.Model, path, body string) string {
	t.Helper()
	w := httptest.NewRecorder()
	model.ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	return w.Body.String()
}

func decode(t *testing.T, text string, v any) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), v), text)
}
