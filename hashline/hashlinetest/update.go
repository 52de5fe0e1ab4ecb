package hashlinetest

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/hashline-go/hashline/hashline"
)

// Outcome is what one step of a case gave.
type Outcome struct {
	Content string
	Code    hashline.Code
	// Faults are the lines of the member "faults".
	Faults string
	Values Values
}

// UpdateSteps writes the outcomes that differ from what the case expects into
// the case's file. Inputs stay as they are.
func (c *Case) UpdateSteps(tb testing.TB, outcomes []Outcome) {
	tb.Helper()
	for i, o := range outcomes {
		s := c.Steps[i]
		if s.Code != o.Code {
			c.set("code"+s.suffix, string(o.Code)+"\n")
		}
		if s.Faults != nil && *s.Faults != o.Faults {
			c.set("faults"+s.suffix, o.Faults)
		}
		switch {
		case s.CheckAnswer(o.Content, o.Values.Value) == "":
		case s.WantLines != nil:
			text := faultLine.ReplaceAllString(o.unfill(o.Content, strings.Join(s.WantLines, "\n")), "$1...")
			c.set("want-lines"+s.suffix, text+"\n")
		default:
			old := ""
			if s.Want != nil {
				old = *s.Want
			}
			c.set("want"+s.suffix, o.unfill(o.Content, old)+"\n")
		}
	}
	last := outcomes[len(outcomes)-1].Values
	if c.CheckFiles(last.Old, last.After) != "" {
		c.archive.Files = slices.DeleteFunc(c.archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "out/") })
		for name, e := range last.After {
			if old, ok := last.Old[name]; e.Mode.IsRegular() && (!ok || old.Data != e.Data) {
				c.set("out/"+name, e.Data)
			}
		}
	}
	c.save(tb)
}

// faultLine finds the line of a fault or a warning up to the message.
var faultLine = regexp.MustCompile(`(?m)^((?:\S.*: |line \d+, column \d+: )?(?:[a-z]+_)*[a-z]+: ).*$`)

var header = regexp.MustCompile(`(?m)^\[(.+)#([0-9A-F]{4})\]$`)

// unfill puts placeholders in the place of the tags in headers, unless the old
// text shows that the case spells its tags out.
func (o Outcome) unfill(content, old string) string {
	if header.MatchString(old) {
		return content
	}
	return header.ReplaceAllStringFunc(content, func(h string) string {
		m := header.FindStringSubmatch(h)
		for _, kind := range []string{"TAG", "NEW"} {
			if o.Values.Value(kind, m[1]) == m[2] {
				return "[" + m[1] + "#{" + kind + ":" + m[1] + "}]"
			}
		}
		return h
	})
}

// UpdateParse writes what parsing gave into the case's file, for each member
// that the case has and that says something else.
func (c *Case) UpdateParse(tb testing.TB, got ParseCase) {
	tb.Helper()
	sections := func(name string, old, now []VectorSection) {
		if old, now := printSections(old), printSections(now); old != now {
			c.set(name, now)
		}
	}
	for _, f := range slices.Clone(c.archive.Files) {
		switch m, _ := parseMember(f); m.name {
		case "parse":
			sections(m.name, c.Parse.Sections, got.Sections)
		case "lenient":
			sections(m.name, c.Parse.Lenient, got.Lenient)
		case "diagnostics":
			c.set(m.name, got.Diagnostics)
		case "print":
			c.set(m.name, got.Print)
		}
	}
	c.save(tb)
}

// set replaces a member or adds it. A code or faults without text go.
func (c *Case) set(name, data string) {
	i := slices.IndexFunc(c.archive.Files, func(f txtar.File) bool {
		m, err := parseMember(f)
		return err == nil && m.name == name
	})
	goes := strings.TrimSpace(data) == "" && (strings.HasPrefix(name, "code") || strings.HasPrefix(name, "faults"))
	switch {
	case i < 0 && !goes:
		c.archive.Files = append(c.archive.Files, encode(name, "", []byte(data)))
	case i >= 0 && goes:
		c.archive.Files = slices.Delete(c.archive.Files, i, i+1)
	case i >= 0:
		if m, _ := parseMember(c.archive.Files[i]); string(m.data) != data {
			c.archive.Files[i] = encode(name, m.encoding, []byte(data))
		}
	}
}

func (c *Case) save(tb testing.TB) {
	tb.Helper()
	text := txtar.Format(c.archive)
	old, err := os.ReadFile(c.file)
	if err == nil && !bytes.Equal(text, old) {
		tb.Logf("%s: rewritten", c.Name)
		err = os.WriteFile(c.file, text, 0o666)
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// printSections writes sections as the cases hold them: one operation a line,
// without the members that its kind does not have.
func printSections(sections []VectorSection) string {
	list := make([]string, len(sections))
	for i, s := range sections {
		ops := make([]string, len(s.Ops))
		for k, o := range s.Ops {
			ops[k] = "\n  " + printOp(o)
		}
		list[i] = `{"path": ` + quote(s.Path) + `, "tag": ` + quote(s.Tag) + `, "ops": [` + strings.Join(ops, ",") + "]}"
	}
	return "[" + strings.Join(list, ",\n ") + "]\n"
}

func printOp(o VectorOp) string {
	text := `{"op": ` + quote(o.Op)
	if o.Op == "replace" || o.Op == "delete" {
		text += `, "start": ` + quote(o.Start) + `, "end": ` + quote(o.End)
	} else {
		text += `, "line": ` + quote(o.Line)
	}
	if o.Op != "delete" {
		rows := make([]string, len(o.Body))
		for i, row := range o.Body {
			rows[i] = quote(row)
		}
		text += `, "body": [` + strings.Join(rows, ", ") + "]"
	}
	return text + "}"
}

func quote(v any) string {
	text, err := encodeJSON(v)
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	return string(text)
}
