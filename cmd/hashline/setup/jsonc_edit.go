package setup

import (
	"bytes"
	"errors"

	"github.com/tailscale/hujson"
)

// set gives a member its value. What is an object already keeps its members,
// but for those that the value has and those in gone.
func (j *jsonc) set(path []string, value any, gone []string) ([]byte, error) {
	s, err := j.at(path)
	if errors.Is(err, errAbsent) {
		last := len(path) - 1
		return j.set(path[:last], object{{path[last], value}}, nil)
	}
	if err != nil {
		return nil, err
	}
	if s.index < 0 {
		return j.insert(s, path[len(path)-1], value), nil
	}
	old := s.object.Members[s.index].Value
	o, isObject := value.(object)
	if _, both := old.Value.(*hujson.Object); !both || !isObject {
		return j.replace(s, value), nil
	}
	return j.merge(path, o, gone)
}

// merge sets the members of an object, one after another.
func (j *jsonc) merge(path []string, o object, gone []string) ([]byte, error) {
	steps := make([]func(*jsonc) ([]byte, error), 0, len(o)+len(gone))
	for _, key := range gone {
		steps = append(steps, func(j *jsonc) ([]byte, error) { return j.unset(below(path, key)) })
	}
	for _, f := range o {
		steps = append(steps, func(j *jsonc) ([]byte, error) {
			same, err := j.has(below(path, f.key), f.value)
			if same || err != nil {
				return j.data, err
			}
			return j.set(below(path, f.key), f.value, nil)
		})
	}
	for _, step := range steps {
		data, err := step(j)
		if err != nil {
			return nil, err
		}
		if bytes.Equal(data, j.data) {
			continue
		}
		if j, err = parseJSONC(data); err != nil {
			return nil, err
		}
	}
	return j.data, nil
}

func below(path []string, key string) []string {
	return append(append([]string{}, path...), key)
}

// has reports whether a member has a value.
func (j *jsonc) has(path []string, value any) (bool, error) {
	s, err := j.at(path)
	if err != nil || s.index < 0 {
		return false, err
	}
	alone := hujson.Value{Value: &hujson.Object{Members: []hujson.ObjectMember{s.object.Members[s.index]}}}
	tree, err := (&jsonc{root: alone}).tree()
	return err == nil && equal(tree[path[len(path)-1]], plain(value)), err
}

// replace gives a member that is there another value.
func (j *jsonc) replace(s spot, value any) []byte {
	old := s.object.Members[s.index].Value
	l := j.layout(s)
	return splice(j.data, old.StartOffset, old.EndOffset, l.json(value))
}

// insert puts a new member after the last one of an object.
func (j *jsonc) insert(s spot, key string, value any) []byte {
	l := j.layout(s)
	text := quote(key) + ": " + l.json(value)
	before := l.eol + l.indent
	if l.inline {
		before = " "
	}
	o, closing := s.object, s.end-1
	if len(o.Members) == 0 {
		at := trimmed(j.data, s.start+1, closing)
		if l.inline {
			return splice(j.data, at, closing, text)
		}
		if at == s.start+1 {
			return splice(j.data, at, closing, before+text+l.eol+j.lineIndent(s.start))
		}
		return splice(j.data, at, at, before+text)
	}
	last := o.Members[len(o.Members)-1].Value
	if last.AfterExtra != nil {
		// There is a comma after the last one, so that there is one after ours.
		at := trimmed(j.data, last.EndOffset+len(last.AfterExtra)+1, closing)
		return splice(j.data, at, at, before+text+",")
	}
	data := splice(j.data, last.EndOffset, last.EndOffset, ",")
	at := trimmed(data, last.EndOffset+1, closing+1)
	return splice(data, at, at, before+text)
}

// layout says how the members of an object are laid out.
func (j *jsonc) layout(s spot) layout {
	l := layout{eol: eolOf(j.data), unit: j.unit(), inline: j.onOneLine(s)}
	l.indent = j.lineIndent(s.start) + l.unit
	for i := len(s.object.Members) - 1; i >= 0; i-- {
		name := s.object.Members[i].Name
		if bytes.Contains(name.BeforeExtra, []byte("\n")) {
			l.indent = j.lineIndent(name.StartOffset)
			break
		}
	}
	return l
}

// unit is by how much the members of the outermost object are indented.
func (j *jsonc) unit() string {
	o := j.root.Value.(*hujson.Object)
	for i := range o.Members {
		if name := o.Members[i].Name; bytes.Contains(name.BeforeExtra, []byte("\n")) {
			outer, inner := j.lineIndent(j.root.StartOffset), j.lineIndent(name.StartOffset)
			if len(inner) > len(outer) && inner[:len(outer)] == outer {
				return inner[len(outer):]
			}
			break
		}
	}
	return "  "
}

// lineIndent is the white space at the start of the line of an offset.
func (j *jsonc) lineIndent(offset int) string {
	start := bytes.LastIndexByte(j.data[:offset], '\n') + 1
	end := start
	for end < offset && (j.data[end] == ' ' || j.data[end] == '\t') {
		end++
	}
	return string(j.data[start:end])
}

// trimmed is the end of what is not white space between two offsets.
func trimmed(data []byte, from, to int) int {
	return from + len(bytes.TrimRight(data[from:to], " \t\r\n"))
}

// splice gives data with a part replaced.
func splice(data []byte, from, to int, text string) []byte {
	out := make([]byte, 0, len(data)-(to-from)+len(text))
	return append(append(append(out, data[:from]...), text...), data[to:]...)
}

// eolOf is how the first line ends.
func eolOf(data []byte) string {
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
