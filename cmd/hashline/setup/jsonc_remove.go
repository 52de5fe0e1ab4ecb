package setup

import (
	"bytes"
	"errors"

	"github.com/tailscale/hujson"
)

// unset takes a member away, comments around it stay.
func (j *jsonc) unset(path []string) ([]byte, error) {
	s, err := j.at(path)
	switch {
	case errors.Is(err, errAbsent), err == nil && s.index < 0:
		return j.data, nil
	case err != nil:
		return nil, err
	}
	members := s.object.Members
	name, value := members[s.index].Name, members[s.index].Value
	from := name.StartOffset - len(name.BeforeExtra)
	from = trimmed(j.data, from, name.StartOffset)
	to := value.EndOffset
	last := s.index == len(members)-1
	comma := value.EndOffset + len(value.AfterExtra)
	if !last || value.AfterExtra != nil {
		to = comma + 1
	}
	if !startsLine(j.data[to:]) && endsInLineComment(name.BeforeExtra) {
		// What follows must not become part of the comment before.
		from = name.StartOffset
	}
	data := splice(j.data, from, to, "")
	switch {
	case len(members) == 1:
		return collapsed(data, s.start), nil
	case last && value.AfterExtra == nil:
		// The comma before it goes too.
		before := members[s.index-1].Value
		at := before.EndOffset + len(before.AfterExtra)
		return splice(data, at, at+1, ""), nil
	}
	return data, nil
}

// endsInLineComment reports that a comment to the end of its line is the last of
// white space and comments.
func endsInLineComment(extra []byte) bool {
	last := false
	for len(extra) > 0 {
		end, line := 1, false
		switch {
		case bytes.HasPrefix(extra, []byte("//")):
			end, line = 1+bytes.IndexByte(extra, '\n'), true
		case bytes.HasPrefix(extra, []byte("/*")):
			end = 4 + bytes.Index(extra[2:], []byte("*/"))
		}
		if extra[0] == '/' {
			last = line
		}
		extra = extra[end:]
	}
	return last
}

// startsLine reports that only white space comes before the end of the line.
func startsLine(rest []byte) bool {
	rest = bytes.TrimLeft(rest, " \t\r")
	return len(rest) == 0 || rest[0] == '\n'
}

// collapsed makes of an object, which begins at an offset and may hold nothing
// but white space, an empty one.
func collapsed(data []byte, start int) []byte {
	end := start + 1 + len(data[start+1:]) - len(bytes.TrimLeft(data[start+1:], " \t\r\n"))
	if end < len(data) && data[end] == '}' {
		return splice(data, start+1, end, "")
	}
	return data
}

// bare reports an object at a path that has neither members nor comments; for
// the path nil, the whole.
func (j *jsonc) bare(path []string) bool {
	value := j.root
	if len(path) > 0 {
		s, err := j.at(path)
		if err != nil || s.index < 0 {
			return false
		}
		value = s.object.Members[s.index].Value
	} else if len(bytes.TrimSpace(j.data)) != len(bytes.TrimSpace(j.data[value.StartOffset:value.EndOffset])) {
		return false
	}
	o, ok := value.Value.(*hujson.Object)
	return ok && len(o.Members) == 0 && len(bytes.TrimSpace(o.AfterExtra)) == 0
}
