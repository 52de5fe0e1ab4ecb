package hashlinetest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/txtar"
)

// member is a member of a case's archive, its encoding undone.
type member struct {
	name     string
	encoding string
	data     []byte
}

// parseMember reads a member. Its name may end in ":json" or ":base64", which
// say how the data is written; other data is what stands there.
func parseMember(f txtar.File) (member, error) {
	m := member{name: f.Name, data: f.Data}
	if i := strings.LastIndexByte(f.Name, ':'); i >= 0 {
		m.name, m.encoding = f.Name[:i], f.Name[i+1:]
	}
	var err error
	switch m.encoding {
	case "":
	case "json":
		m.data, err = fromJSON(f.Data)
	case "base64":
		m.data, err = base64.StdEncoding.DecodeString(string(bytes.ReplaceAll(f.Data, []byte("\n"), nil)))
	default:
		err = fmt.Errorf("unknown encoding")
	}
	return m, err
}

// fromJSON joins the strings of the lines; a line [n, "text"] stands for the
// text n times.
func fromJSON(lines []byte) ([]byte, error) {
	var b bytes.Buffer
	for line := range bytes.Lines(lines) {
		if !bytes.HasPrefix(line, []byte("[")) {
			var s string
			if err := json.Unmarshal(line, &s); err != nil {
				return nil, err
			}
			b.WriteString(s)
			continue
		}
		var n int
		var s string
		if err := json.Unmarshal(line, &[]any{&n, &s}); err != nil {
			return nil, err
		}
		b.WriteString(strings.Repeat(s, n))
	}
	return b.Bytes(), nil
}

// encode gives the member of this name and data, in the given encoding or,
// where that cannot hold it, in one that can.
func encode(name, encoding string, data []byte) txtar.File {
	switch {
	case !utf8.Valid(data):
		encoding = "base64"
	case encoding == "" && !plain(data):
		encoding = "json"
	}
	switch encoding {
	case "json":
		return txtar.File{Name: name + ":json", Data: toJSON(data)}
	case "base64":
		return txtar.File{Name: name + ":base64", Data: []byte(base64.StdEncoding.EncodeToString(data) + "\n")}
	}
	return txtar.File{Name: name, Data: data}
}

// toJSON writes one string a line of data, with escapes for what would not be
// visible.
func toJSON(data []byte) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines(data) {
		b.WriteByte('"')
		for _, r := range string(line) {
			switch {
			case r == '"' || r == '\\':
				b.WriteString(`\` + string(r))
			case r == '\n':
				b.WriteString(`\n`)
			case r == '\t':
				b.WriteString(`\t`)
			case r == '\r':
				b.WriteString(`\r`)
			case unicode.IsPrint(r) || r > 0xFFFF:
				b.WriteRune(r)
			default:
				fmt.Fprintf(&b, `\u%04x`, r)
			}
		}
		b.WriteString("\"\n")
	}
	return b.Bytes()
}

// plain reports whether data can be a member as it is.
func plain(data []byte) bool {
	return checkVisible(data) == nil &&
		(len(data) == 0 || data[len(data)-1] == '\n') &&
		len(txtar.Parse(data).Files) == 0
}

// checkVisible finds what a reader of a case file could not see: trailing
// blanks and characters that print as nothing, tabs inside a line excepted.
func checkVisible(text []byte) error {
	n := 0
	for line := range bytes.Lines(text) {
		n++
		line = bytes.TrimSuffix(line, []byte("\n"))
		if len(bytes.TrimRight(line, " \t")) < len(line) {
			return fmt.Errorf("line %d ends in a blank", n)
		}
		for _, r := range string(line) {
			if r == utf8.RuneError || r != '\t' && !unicode.IsPrint(r) {
				return fmt.Errorf("line %d holds the invisible character %U", n, r)
			}
		}
	}
	return nil
}
