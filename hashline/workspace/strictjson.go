package workspace

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"unicode/utf8"
)

// members reads one JSON object into its members. Errors have no hint. What Go's decoder would
// mend in silence is refused: invalid UTF-8, half a surrogate pair, a member
// given twice.
func members(input []byte) (map[string]json.RawMessage, error) {
	if !utf8.Valid(input) {
		return nil, badArgument("the arguments are not valid UTF-8")
	}
	input = bytes.TrimPrefix(input, []byte("\uFEFF"))
	dec := json.NewDecoder(bytes.NewReader(input))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return nil, badJSON("the arguments are not a JSON object", dec)
	}
	all := map[string]json.RawMessage{}
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return nil, badJSON("the arguments are not valid JSON: "+jsonFault(err), dec)
		}
		name, _ := tok.(string)
		if _, twice := all[name]; twice {
			return nil, badArgument("the argument %q is given twice", cut(name, 80))
		}
		var v json.RawMessage
		if err := dec.Decode(&v); err != nil {
			return nil, badJSON("the arguments are not valid JSON: "+jsonFault(err), dec)
		}
		all[name] = v
	}
	if _, err := dec.Token(); err != nil {
		return nil, badJSON("the arguments are not valid JSON: "+jsonFault(err), dec)
	}
	if rest := bytes.TrimSpace(input[dec.InputOffset():]); len(rest) > 0 {
		return nil, badJSON("there is text after the JSON object of arguments", dec)
	}
	return all, nil
}

func badJSON(msg string, dec *json.Decoder) error {
	return badArgument("%s, at byte %d", msg, dec.InputOffset())
}

func jsonFault(err error) string {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "they end too early"
	}
	return err.Error()
}

// halfSurrogate reports whether a JSON string holds an escaped surrogate
// without its partner.
func halfSurrogate(raw []byte) bool {
	high := false // the text so far ends in a high surrogate
	for i := 0; i < len(raw); {
		if raw[i] != '\\' || i+1 >= len(raw) {
			if high {
				return true
			}
			i++
			continue
		}
		if raw[i+1] != 'u' || i+6 > len(raw) {
			if high {
				return true
			}
			i += 2
			continue
		}
		n, _ := strconv.ParseUint(string(raw[i+2:i+6]), 16, 16)
		low := 0xDC00 <= n && n <= 0xDFFF
		if high != low {
			return true
		}
		high = 0xD800 <= n && n <= 0xDBFF
		i += 6
	}
	return false
}
