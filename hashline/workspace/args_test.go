package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
)

func TestMembersRefusesWhatDecodersMend(t *testing.T) {
	for name, input := range map[string]string{
		"empty":          "",
		"no object":      `["path"]`,
		"null":           `null`,
		"cut off":        `{"path": "a"`,
		"no value":       `{"path"}`,
		"trailing":       `{"path": "a"} {}`,
		"twice":          `{"path": "a", "path": "b"}`,
		"twice, escaped": `{"path": "a", "p\u0061th": "b"}`,
		"bad UTF-8":      "{\"path\": \"a\xff\"}",
		"bare word":      `{"path": a}`,
	} {
		_, err := members([]byte(input))
		require.ErrorIs(t, err, hashline.BadArgument, name)
	}
	all, err := members([]byte(" {\"path\": \"a\", \"n\": {\"deep\": [1]}}\n"))
	require.NoError(t, err)
	require.Len(t, all, 2)
}

func TestDecodeArguments(t *testing.T) {
	tool := Tool{Params: []Param{
		{Name: "path", Type: "string", Required: true, synonyms: []string{"file_path"}},
		{Name: "limit", Type: "integer"},
		{Name: "case_sensitive", Type: "boolean"},
		{Name: "mode", Type: "string", Enum: []string{"a", "b"}},
	}}
	decode := func(input string) (args, error) {
		all, err := members([]byte(input))
		require.NoError(t, err, input)
		return tool.decode(all)
	}
	for input, want := range map[string]args{
		`{"path": "a"}`: {"path": "a"},
		`{"path": "a", "limit": 3, "case_sensitive": false, "mode": "b"}`:    {"path": "a", "limit": 3, "case_sensitive": false, "mode": "b"},
		`{"path": "a", "limit": "3", "case_sensitive": "true"}`:              {"path": "a", "limit": 3, "case_sensitive": true},
		`{"path": "a", "limit": 3.0}`:                                        {"path": "a", "limit": 3},
		`{"path": "a", "limit": 1e2}`:                                        {"path": "a", "limit": 100},
		`{"path": "a", "limit": null}`:                                       {"path": "a"},
		`{"path": "a", "wait_for_previous": true, "x": 1, "description": 1}`: {"path": "a"},
		`{"path": "\ud83d\ude00 \\ud83d \\\\"}`:                              {"path": `😀 \ud83d \\`},
	} {
		got, err := decode(input)
		require.NoError(t, err, input)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", input, diff)
		}
	}
	for input, hint := range map[string]string{
		`{}`:                                "path",
		`{"path": null}`:                    "path",
		`{"path": 3}`:                       "",
		`{"path": "a", "limit": "x"}`:       "",
		`{"path": "a", "limit": 1.5}`:       "",
		`{"path": "a", "limit": true}`:      "",
		`{"path": "a", "limit": [1]}`:       "",
		`{"path": "a", "mode": "c"}`:        "",
		`{"path": "a", "mode": 1}`:          "",
		`{"path": "\ud83d"}`:                "",
		`{"path": "\ude00"}`:                "",
		`{"path": "\ud83d\\ude00"}`:         "",
		`{"path": "\ud83dx\ude00"}`:         "",
		`{"path": "\ud83d\n"}`:              "",
		`{"file_path": "a"}`:                "called path",
		`{"filePath": "a"}`:                 "called path",
		`{"Path": "a"}`:                     "called path",
		`{"pth": "a"}`:                      "called path",
		`{"path": "a", "Limit": 1}`:         "called limit",
		`{"path": "a", "limits": 1}`:        "called limit",
		`{"path": "a", "limt": 1}`:          "called limit",
		`{"path": "a", "caseSensitive":1}`:  "called case_sensitive",
		`{"path": "a", "case-sensitive":1}`: "called case_sensitive",
	} {
		_, err := decode(input)
		require.ErrorIs(t, err, hashline.BadArgument, input)
		if hint != "" {
			require.Contains(t, err.Error(), hint, input)
		}
	}
}

// A hint names the argument that was meant, also where its value is the contrary or
// of another kind.
func TestHintsForMisspeltArguments(t *testing.T) {
	for _, c := range []struct{ tool, input, hint string }{
		{"grep", `{"pattern": "a", "case_insensitive": true}`, "write case_sensitive: false"},
		{"grep", `{"pattern": "a", "ignore_case": "true"}`, "write case_sensitive: false"},
		{"grep", `{"pattern": "a", "-i": true}`, "write case_sensitive: false"},
		{"grep", `{"pattern": "a", "ignoreCase": false}`, "write case_sensitive: true"},
		{"grep", `{"pattern": "a", "match_case": true}`, "called case_sensitive"},
		{"read_file", `{"path": "a", "lines": "1-3"}`, "called ranges"},
		{"read_file", `{"path": "a", "lines": [1, 3]}`, "called ranges"},
		{"read_file", `{"path": "a", "line": "1:3"}`, "called ranges"},
		{"read_file", `{"path": "a", "lines": 3}`, "called limit"},
		{"read_file", `{"path": "a", "lines": "3"}`, "called limit"},
		{"grep", `{"pattern": "a", "regex": true}`, "write literal: false"},
		{"grep", `{"pattern": "a", "regex": "false"}`, "write literal: true"},
		{"grep", `{"regex": "a"}`, "called pattern"},
		{"grep", `{"pattern": "a", "query": "a"}`, "since pattern, which it seems to mean, is given too; the arguments of grep are pattern, path, glob, "},
		{"grep", `{"pattern": "a", "include": "*.go"}`, "called glob"},
		{"write", `{"path": "a", "content": "", "expect": 123}`, "in quotes"},
		{"write", `{"path": "a", "content": "", "expect": 1e10}`, "in quotes"},
		{"write", `{"path": "a", "content": "", "expect": 12345}`, "in quotes"},
		{"write", `{"path": "a", "content": 5}`, "in quotes"},
	} {
		all, err := members([]byte(c.input))
		require.NoError(t, err)
		_, err = toolNamed(t, c.tool).decode(all)
		require.ErrorIs(t, err, hashline.BadArgument, c.input)
		require.Contains(t, err.Error(), c.hint, c.input)
	}
	all, err := members([]byte(`{"path": "a", "content": "", "expect": 1234}`))
	require.NoError(t, err)
	a, err := toolNamed(t, "write").decode(all)
	require.NoError(t, err)
	require.Equal(t, "1234", a.str("expect"))
}

// No hint names an argument that is given already: it says which there are.
func TestHintsForArgumentsGivenTwice(t *testing.T) {
	for _, tool := range Tools() {
		all, names := map[string]json.RawMessage{}, []string{}
		for _, p := range tool.Params {
			all[p.Name] = map[string]json.RawMessage{"string": []byte(`"x"`), "integer": []byte("1"), "boolean": []byte("true")}[p.Type]
			if p.Enum != nil {
				all[p.Name] = []byte(strconv.Quote(p.Enum[0]))
			}
			names = append(names, p.Name)
		}
		_, err := tool.decode(all)
		require.NoError(t, err)
		for _, p := range tool.Params {
			for _, name := range slices.Concat(p.synonyms, p.opposites, []string{strings.ToUpper(p.Name)}) {
				for _, value := range []string{`"x"`, "1", "true"} {
					all[name] = []byte(value)
					_, err := tool.decode(all)
					delete(all, name)
					require.ErrorIs(t, err, hashline.BadArgument, "%s %s", tool.Name, name)
					require.Contains(t, err.Error(), "leave it out")
					require.Contains(t, err.Error(), "the arguments of "+tool.Name+" are "+strings.Join(names, ", "))
					require.NotContains(t, err.Error(), "is called")
				}
			}
		}
	}
}

// Arguments that are no object are answered with some of the tool's own.
func TestHintsForWhatIsNoObject(t *testing.T) {
	w := open(t, map[string]string{"a.txt": "a\n"})
	for _, tool := range Tools() {
		all, err := members([]byte(tool.example))
		require.NoError(t, err, tool.Name)
		_, err = tool.decode(all)
		require.NoError(t, err, tool.Name)
		require.Empty(t, slices.DeleteFunc(slices.Collect(maps.Keys(all)), func(name string) bool {
			return slices.ContainsFunc(tool.Params, func(p Param) bool { return p.Name == name })
		}))
		for _, input := range []string{`"[a.txt#1234]\nCUT 1"`, `["a.txt"]`, `7`, `null`, `true`, `{"path": `, `{} x`, `x`, ``} {
			got := w.Call(t.Context(), tool.Name, []byte(input))
			require.True(t, got.Invalid, input)
			require.True(t, strings.HasSuffix(got.Content, "; send one JSON object, such as "+tool.example), got.Content)
		}
	}
	all, err := members([]byte(toolNamed(t, "edit").example))
	require.NoError(t, err)
	a, err := toolNamed(t, "edit").decode(all)
	require.NoError(t, err)
	_, err = grammar.Parse(a.str("input"))
	require.NoError(t, err)
}

func toolNamed(t *testing.T, name string) Tool {
	t.Helper()
	for _, tool := range Tools() {
		if tool.Name == name {
			return tool
		}
	}
	t.Fatal(name)
	return Tool{}
}

// Many unknown arguments cost no more than reading them.
func TestManyUnknownArguments(t *testing.T) {
	all := map[string]json.RawMessage{"path": json.RawMessage(`"a"`)}
	for i := range 200_000 {
		all[fmt.Sprint("x_unknown_", i)] = json.RawMessage("1")
	}
	allocated := testing.AllocsPerRun(1, func() {
		_, err := toolNamed(t, "read_file").decode(all)
		require.NoError(t, err)
	})
	require.Less(t, allocated, 5_000.0)
}

func TestWholeNumbersNeverWrap(t *testing.T) {
	for text, want := range map[string]int{
		"99999999999999999999": int(^uint(0) >> 1), "1e300": int(^uint(0) >> 1), "1e999": int(^uint(0) >> 1),
		"-99999999999999999999": -int(^uint(0)>>1) - 1, "-0": 0,
	} {
		n, ok := whole(text)
		require.True(t, ok, text)
		require.Equal(t, want, n, text)
	}
	_, ok := whole("0x10")
	require.False(t, ok)
}

// TestToolsTeach checks what clients rely on: descriptions that stand alone and
// stay short, and schemas of plain types that are open to more.
func TestToolsTeach(t *testing.T) {
	for _, tool := range Tools() {
		require.NotEmpty(t, tool.Description, tool.Name)
		require.Less(t, len(tool.Description), 4000, tool.Name)
		var schema struct {
			Type       string
			Properties map[string]map[string]any
			Required   []string
			Additional *bool `json:"additionalProperties"`
		}
		require.NoError(t, json.Unmarshal(tool.Schema(), &schema), tool.Name)
		require.Equal(t, "object", schema.Type)
		require.Nil(t, schema.Additional, "clients add arguments of their own")
		require.Len(t, schema.Properties, len(tool.Params))
		for _, p := range tool.Params {
			require.Contains(t, []string{"string", "integer", "boolean"}, schema.Properties[p.Name]["type"], p.Name)
			require.NotEmpty(t, schema.Properties[p.Name]["description"], p.Name)
			for _, q := range tool.Params {
				for _, s := range q.synonyms {
					require.NotEqual(t, p.Name, s, "%s: a parameter is called like the synonym of another", tool.Name)
				}
			}
		}
	}
}

func TestCallRefusesWhatIsNoCall(t *testing.T) {
	w := open(t, map[string]string{"a.txt": "a\n"})
	for _, c := range []struct {
		tool, input string
		invalid     bool
	}{
		{"read", `{"path": "a.txt"}`, true},
		{"", `{}`, true},
		{"read_file", `{"path": "a.txt"`, true},
		{"read_file", `"a.txt"`, true},
		{"read_file", `{}`, false},
		{"read_file", `{"path": "a.txt", "offset": 0}`, false},
		{"read_file", `{"path": "a.txt", "offset": 2}`, false},
	} {
		resp := w.Call(context.Background(), c.tool, []byte(c.input))
		require.False(t, resp.OK, c)
		require.Equal(t, hashline.BadArgument, resp.Code, c)
		require.Equal(t, c.invalid, resp.Invalid, c)
		require.NotEmpty(t, resp.Faults, c)
		require.True(t, strings.Contains(resp.Content, "rejected"), resp.Content)
	}
}
