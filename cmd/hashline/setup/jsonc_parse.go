package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// maxDepth is how deep the parts of a configuration may lie in one another. The
// parser has no limit of its own.
const maxDepth = 1000

// jsonc is a configuration in JSON, with comments and trailing commas or
// without.
type jsonc struct {
	data []byte
	root hujson.Value
}

func parseJSONC(data []byte) (*jsonc, error) {
	if err := text(data); err != nil {
		return nil, err
	}
	if deep(data) {
		return nil, &Place{Msg: fmt.Sprintf("its parts lie more than %d deep in one another", maxDepth)}
	}
	parsed := data
	if !bytes.HasSuffix(data, []byte("\n")) {
		// The parser wants an end of line after the last comment.
		parsed = append(bytes.Clone(data), '\n')
	}
	root, err := hujson.Parse(parsed)
	if err != nil {
		return nil, jsonPlace(err)
	}
	if root.Value.Kind() != '{' {
		return nil, &Place{Line: 1, Column: 1, Msg: "the file holds no object"}
	}
	return &jsonc{data, root}, nil
}

// text refuses what is not UTF-8.
func text(data []byte) error {
	if len(data) > MaxFile {
		return &Place{Msg: fmt.Sprintf("the file is larger than %d MiB", MaxFile>>20)}
	}
	if utf8.Valid(data) {
		return nil
	}
	n := 0
	for n < len(data) {
		r, size := utf8.DecodeRune(data[n:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	return placeAt(data, n, "this is not UTF-8")
}

// deep reports brackets that lie too deep in one another, strings left out.
func deep(data []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\':
			i++
		case !quoted && (c == '{' || c == '['):
			if depth++; depth > maxDepth {
				return true
			}
		case !quoted && (c == '}' || c == ']'):
			depth--
		case c == '\n':
			// No string goes over lines: it was a quote in a comment.
			quoted = false
		}
	}
	return false
}

var hujsonPlace = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^hujson: line (\d+), column (\d+): `) })

// jsonPlace takes the place out of the parser's message.
func jsonPlace(err error) error {
	msg := err.Error()
	m := hujsonPlace().FindStringSubmatch(msg)
	if m == nil {
		return &Place{Msg: msg}
	}
	line, _ := strconv.Atoi(m[1])
	column, _ := strconv.Atoi(m[2])
	return &Place{Line: line, Column: column, Msg: shortened(msg[len(m[0]):])}
}

// shortened cuts a message that may quote the file.
func shortened(msg string) string {
	const most = 200
	if len(msg) > most {
		return string(bytes.ToValidUTF8([]byte(msg[:most]), nil)) + "…"
	}
	return msg
}

func placeAt(data []byte, offset int, msg string) *Place {
	before := data[:min(offset, len(data))]
	return &Place{Line: 1 + bytes.Count(before, []byte("\n")), Column: len(before) - bytes.LastIndexByte(before, '\n'), Msg: msg}
}

// tree decodes the whole.
func (j *jsonc) tree() (map[string]any, error) {
	v := j.root.Clone()
	v.Standardize()
	var tree map[string]any
	if err := json.Unmarshal(v.Pack(), &tree); err != nil {
		return nil, &Place{Msg: shortened(err.Error())}
	}
	return tree, nil
}

// errAbsent is the error for a member that is not there.
var errAbsent = errors.New("there is no such member")

// spot is a member of an object, or where one would stand.
type spot struct {
	object     *hujson.Object
	start, end int // of the object, braces included
	index      int // of the member, -1 where there is none
	// inline says that the object above has its members on one line.
	inline bool
}

// at finds the place of a path, whose last part need not be there.
func (j *jsonc) at(path []string) (spot, error) {
	value := j.root
	above := false
	for depth := 0; ; depth++ {
		o, ok := value.Value.(*hujson.Object)
		if !ok {
			return spot{}, placeAt(j.data, value.StartOffset, fmt.Sprintf("%q is no object", path[depth-1]))
		}
		s := spot{object: o, start: value.StartOffset, end: value.EndOffset, index: -1, inline: above}
		for i := range o.Members {
			name := o.Members[i].Name
			if name.Value.(hujson.Literal).String() != path[depth] {
				continue
			}
			if s.index >= 0 {
				return spot{}, placeAt(j.data, name.StartOffset, fmt.Sprintf("%q stands there twice, first in line %d; delete one of the two by hand",
					path[depth], placeAt(j.data, o.Members[s.index].Name.StartOffset, "").Line))
			}
			s.index = i
		}
		switch {
		case depth == len(path)-1:
			return s, nil
		case s.index < 0:
			return spot{}, errAbsent
		}
		above = j.onOneLine(s)
		value = o.Members[s.index].Value
	}
}

// onOneLine reports that the members of an object do not stand on lines of
// their own. One without members is as the object above it is.
func (j *jsonc) onOneLine(s spot) bool {
	o := s.object
	if len(o.Members) == 0 {
		return s.inline && !bytes.Contains(j.data[s.start:s.end], []byte("\n"))
	}
	return !bytes.Contains(o.Members[0].Name.BeforeExtra, []byte("\n")) && !bytes.Contains(o.AfterExtra, []byte("\n"))
}
