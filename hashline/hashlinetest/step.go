package hashlinetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/hashline-go/hashline/hashline"
)

// Step is one call of a tool and what it must answer. Placeholders are not
// filled in yet: see [Fill].
type Step struct {
	Tool string
	// Args are the call's arguments as JSON; nil where Doc is set.
	Args json.RawMessage
	// Doc is the document of an edit.
	Doc *string
	// Want is the whole answer without its final newline, WantLines a list of
	// patterns for its lines: see [MatchLines]. At most one of them is set.
	Want      *string
	WantLines []string
	// Code is that of a refusal, "" for a success.
	Code hashline.Code
	// Faults holds a line "path code line:column" for each fault, "-" where
	// there is none of these, and its reason behind, if it has one; nil where it
	// is not said.
	Faults *string
	// Others are files as others leave them right before the call.
	Others []File

	suffix string
}

// step reads a member that belongs to a step: call, doc, want, want-lines, code
// or faults, with ".N" behind it where there are several steps.
func (c *Case) step(m member) error {
	name, _, _ := strings.Cut(m.name, ".")
	s, err := c.stepOf(strings.TrimPrefix(m.name, name))
	if err != nil {
		return err
	}
	text := string(m.data)
	switch name {
	case "call":
		var call struct {
			Tool string          `json:"tool"`
			Args json.RawMessage `json:"args"`
		}
		if err := json.Unmarshal(m.data, &call); err != nil {
			return err
		}
		s.Tool, s.Args = call.Tool, call.Args
	case "doc":
		s.Tool, s.Doc = "edit", &text
	case "want":
		text = strings.TrimSuffix(text, "\n")
		s.Want = &text
	case "want-lines":
		s.WantLines = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	case "code":
		s.Code = hashline.Code(strings.TrimSuffix(text, "\n"))
	case "faults":
		s.Faults = &text
	default:
		return fmt.Errorf("unknown member")
	}
	return nil
}

// stepOf gives the last step, or a new one, by the ending of its members' names.
func (c *Case) stepOf(suffix string) (*Step, error) {
	if n := strings.TrimPrefix(suffix, "."); suffix != "" && n != fmt.Sprint(max(1, len(c.Steps))) && n != fmt.Sprint(len(c.Steps)+1) {
		return nil, fmt.Errorf("out of order")
	}
	if len(c.Steps) == 0 || c.Steps[len(c.Steps)-1].suffix != suffix {
		c.Steps = append(c.Steps, Step{suffix: suffix})
	}
	return &c.Steps[len(c.Steps)-1], nil
}

// ArgsJSON gives the arguments of the call, with the placeholders filled in.
func (s Step) ArgsJSON(value func(kind, path string) string) (json.RawMessage, error) {
	if s.Doc != nil {
		return encodeJSON(map[string]any{"input": Fill(*s.Doc, value)})
	}
	return FillJSON(s.Args, func(text string) string { return Fill(text, value) })
}

// FillJSON puts each string of a JSON value through fill, after decoding it.
func FillJSON(value json.RawMessage, fill func(text string) string) (json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return encodeJSON(fillStrings(v, fill))
}

func encodeJSON(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

func fillStrings(v any, fill func(text string) string) any {
	switch v := v.(type) {
	case string:
		return fill(v)
	case []any:
		for i := range v {
			v[i] = fillStrings(v[i], fill)
		}
	case map[string]any:
		for k := range v {
			v[k] = fillStrings(v[k], fill)
		}
	}
	return v
}

var placeholder = regexp.MustCompile(`\{(?:(TAG|OLD|NEW|WRONG):([^}\n]*)|(ROOT|OUTSIDE))\}`)

// Fill puts values in the place of the placeholders {TAG:path}, {OLD:path},
// {NEW:path}, {WRONG:path}, {ROOT} and {OUTSIDE}; the last two have no path.
func Fill(text string, value func(kind, path string) string) string {
	return placeholder.ReplaceAllStringFunc(text, func(p string) string {
		m := placeholder.FindStringSubmatch(p)
		return value(m[1]+m[3], m[2])
	})
}

// CheckAnswer compares the content of an answer with what the step expects and
// describes the difference; "" means that there is none.
func (s Step) CheckAnswer(content string, value func(kind, path string) string) string {
	switch {
	case s.Want != nil:
		return cmp.Diff(Fill(*s.Want, value), content)
	case s.WantLines != nil:
		return MatchLines(Fill(strings.Join(s.WantLines, "\n"), value), content)
	}
	return ""
}

// MatchLines compares text, line by line, with patterns. In a pattern "..."
// stands for any characters, and a line that is "..." alone for any number of
// lines. It describes the difference; "" means that there is none.
func MatchLines(patterns, text string) string {
	if matchLines(strings.Split(patterns, "\n"), strings.Split(text, "\n")) {
		return ""
	}
	return fmt.Sprintf("the lines\n%s\ndo not match\n%s", indent(text), indent(patterns))
}

func matchLines(patterns, lines []string) bool {
	if len(patterns) == 0 {
		return len(lines) == 0
	}
	if patterns[0] == "..." {
		for skip := range len(lines) + 1 {
			if matchLines(patterns[1:], lines[skip:]) {
				return true
			}
		}
		return false
	}
	return len(lines) > 0 && matchLine(patterns[0], lines[0]) && matchLines(patterns[1:], lines[1:])
}

func matchLine(pattern, line string) bool {
	parts := strings.Split(pattern, "...")
	for i, p := range parts {
		parts[i] = regexp.QuoteMeta(p)
	}
	return regexp.MustCompile(`^(?s:` + strings.Join(parts, ".*") + `)$`).MatchString(line)
}

func indent(text string) string { return "\t" + strings.ReplaceAll(text, "\n", "\n\t") }
