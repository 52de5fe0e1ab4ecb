package workspace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hashline-go/hashline/hashline"
)

// args are the decoded arguments of a call: strings, ints and bools by name.
type args map[string]any

func (a args) str(name string) string { s, _ := a[name].(string); return s }

func (a args) num(name string) *int {
	if n, ok := a[name].(int); ok {
		return &n
	}
	return nil
}

// flag gives a boolean, or def where it is not given.
func (a args) flag(name string, def bool) bool {
	if b, ok := a[name].(bool); ok {
		return b
	}
	return def
}

func badArgument(format string, v ...any) *hashline.Diagnostic {
	return &hashline.Diagnostic{Code: hashline.BadArgument, Msg: fmt.Sprintf(format, v...)}
}

// decode checks the members of a call against the tool's parameters. An
// unknown member is passed over, since clients add their own, unless it looks
// like a misspelt parameter (spec 8).
func (t Tool) decode(all map[string]json.RawMessage) (args, error) {
	a := args{}
	var faults hashline.Diagnostics
	known := map[string]bool{}
	// A misspelt argument is not missing as well.
	misspelt := map[string]bool{}
	for _, p := range t.Params {
		known[p.Name] = true
	}
	if d := t.foreignEdit(all); d != nil {
		return a, d
	}
	if unknown := unknownNames(all, known); len(unknown) > 0 {
		faults = t.spelling().faults(unknown, all, misspelt)
	}
	for _, p := range t.Params {
		raw, given := all[p.Name]
		if !given || string(raw) == "null" {
			if p.Required && !misspelt[p.Name] {
				d := badArgument("the argument %s is missing", p.Name)
				d.Hint = p.Name + ": " + p.Doc
				faults = append(faults, d)
			}
			continue
		}
		v, err := p.value(raw)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		a[p.Name] = v
	}
	return a, faults.Err()
}

// unknownNames gives the first of a call's arguments that the tool does not know.
func unknownNames(all map[string]json.RawMessage, known map[string]bool) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !known[name] && len(names) < maxUnknown {
			names = append(names, name)
		}
	}
	return names
}

// value decodes one argument. Whole numbers and booleans may come as strings,
// as some models send them: there is only one way to read them.
func (p Param) value(raw json.RawMessage) (any, *hashline.Diagnostic) {
	var v any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return nil, badArgument("the argument %s is not valid JSON: %v", p.Name, err)
	}
	text, isText := v.(string)
	if isText && halfSurrogate(raw) {
		return nil, badArgument(`the argument %s holds half of a surrogate pair (\uD800 to \uDFFF), which is no character`, p.Name)
	}
	wrong := badArgument("the argument %s is not of type %s: %s", p.Name, p.Type, cut(string(raw), 80))
	wrong.Hint = p.Doc
	switch p.Type {
	case "string":
		if n, ok := v.(json.Number); ok {
			// A client that writes a number loses its zeros, and may write 1e10 as
			// another number.
			if p.tag && wholeTag().MatchString(n.String()) {
				return n.String(), nil
			}
			wrong.Hint = "put it in quotes, as a string: " + p.Doc
		}
		if !isText {
			return nil, wrong
		}
		if p.Enum != nil && text != "" && !slices.Contains(p.Enum, text) {
			d := badArgument("the argument %s is none of %s: %s", p.Name, strings.Join(p.Enum, ", "), cut(text, 80))
			return nil, d
		}
		return text, nil
	case "boolean":
		if b, ok := v.(bool); ok {
			return b, nil
		}
		if isText && (text == "true" || text == "false") {
			return text == "true", nil
		}
		return nil, wrong
	}
	if number, ok := v.(json.Number); ok {
		text = number.String()
	} else if !isText {
		return nil, wrong
	}
	n, ok := whole(text)
	if !ok {
		return nil, wrong
	}
	return n, nil
}

// wholeTag is a tag that a number writes just as it is.
var wholeTag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[1-9][0-9]{3}$`) })

// whole reads a whole number; one too large for an int is the largest.
func whole(text string) (int, bool) {
	if n, err := strconv.Atoi(text); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil && !math.IsInf(f, 0), f != math.Trunc(f):
		return 0, false
	case f > math.MaxInt32:
		return math.MaxInt, true
	case f < math.MinInt32:
		return math.MinInt, true
	}
	return int(f), true
}

// counted gives a number for a message. Of one too large for an int no more is
// known, see whole.
func counted(n int) string {
	switch n {
	case math.MaxInt:
		return "larger than can be counted"
	case math.MinInt:
		return "smaller than can be counted"
	}
	return strconv.Itoa(n)
}
