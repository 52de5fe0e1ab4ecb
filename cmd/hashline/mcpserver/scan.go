package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// What a message has at most. The SDK makes values of what it is told, which take
// a hundred times the memory of their text; what is long for a reason is a string.
const (
	maxParts = 20_000
	maxDepth = 100
)

// tooMuch says what a JSON text has too much of, "" where that is nothing. It takes
// no memory.
func tooMuch(text []byte) string {
	parts, depth := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = stringEnd(text, i) - 1
		case '{', '[':
			parts++
			if depth++; depth > maxDepth {
				return fmt.Sprintf("the message is nested more than %d deep", maxDepth)
			}
		case '}', ']':
			depth--
		case ',', ':':
			parts++
		}
		if parts > maxParts {
			return fmt.Sprintf("the message consists of more than %d names and values; what is long belongs into one string", maxParts)
		}
	}
	return ""
}

// span is a part of a text, nothing where end is 0.
type span struct{ start, end int }

func (s span) of(text []byte) []byte { return text[s.start:s.end] }

// head has the members of a message that matter here, as they are written.
type head struct{ version, id, method, params, result, err span }

// headOf finds the members of a message that is valid JSON. Of two of a name the
// last counts, and names are in small letters, as the SDK has it.
func headOf(text []byte) (h head) {
	members(text, func(name string, value span) {
		switch name {
		case "jsonrpc":
			h.version = value
		case "id":
			h.id = value
		case "method":
			h.method = value
		case "params":
			h.params = value
		case "result":
			h.result = value
		case "error":
			h.err = value
		}
	})
	return h
}

// members gives the members of an object that is valid JSON, none of anything
// else. Names that are long are left out.
func members(text []byte, each func(name string, value span)) {
	i := blanks(text, 0)
	if i == len(text) || text[i] != '{' {
		return
	}
	for {
		i = blanks(text, i+1)
		if text[i] != '"' {
			return
		}
		quoted := text[i:stringEnd(text, i)]
		i = blanks(text, i+len(quoted))
		i = blanks(text, i+1)
		value := span{i, valueEnd(text, i)}
		if len(quoted) <= 100 {
			name := ""
			if json.Unmarshal(quoted, &name) == nil {
				each(name, value)
			}
		}
		i = blanks(text, value.end)
		if text[i] != ',' {
			return
		}
	}
}

// blanks gives where what is no blank begins from i on.
func blanks(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n') {
		i++
	}
	return i
}

// stringEnd gives the end of the string that begins at i.
func stringEnd(text []byte, i int) int {
	for i++; ; {
		n := bytes.IndexByte(text[i:], '"')
		if n < 0 {
			return len(text)
		}
		end, escapes := i+n, 0
		for j := end - 1; j >= i && text[j] == '\\'; j-- {
			escapes++
		}
		i = end + 1
		if escapes%2 == 0 {
			return i
		}
	}
}

// valueEnd gives the end of the value that begins at i.
func valueEnd(text []byte, i int) int {
	for depth := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = stringEnd(text, i) - 1
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(text)
}
