package setup

import (
	"encoding/json"
	"reflect"
	"strings"
)

// object is a table of a configuration, its members in the order in which they
// are written. Values are string, bool, int, []string or object.
type object []member

type member struct {
	key   string
	value any
}

// plain gives the value as a decoder of a file would: tables are maps, lists
// are []any, and numbers are float64.
func plain(v any) any {
	switch v := v.(type) {
	case object:
		m := make(map[string]any, len(v))
		for _, f := range v {
			m[f.key] = plain(f.value)
		}
		return m
	case []string:
		list := make([]any, len(v))
		for i, s := range v {
			list[i] = s
		}
		return list
	case int:
		return float64(v)
	}
	return v
}

func equal(a, b any) bool { return reflect.DeepEqual(a, b) }

// clone copies the tables of a decoded value; what lies in lists is shared.
func clone(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	c := make(map[string]any, len(m))
	for k, v := range m {
		c[k] = clone(v)
	}
	return c
}

// quote gives a text in double quotes, as JSON and TOML both read it.
func quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // strings always encode
	}
	// TOML wants this one escaped, and JSON allows it.
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\x7f", `\u007f`)
}

// layout says how a value is laid out over lines.
type layout struct {
	// indent stands before the members, below the indentation of the table
	// itself. inline puts everything on one line instead.
	indent, unit, eol string
	inline            bool
}

// json prints a value.
func (l layout) json(v any) string {
	switch v := v.(type) {
	case object:
		return l.jsonObject(v)
	case []string:
		quoted := make([]string, len(v))
		for i, s := range v {
			quoted[i] = quote(s)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	case string:
		return quote(v)
	}
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // only bool and int are left
	}
	return string(data)
}

func (l layout) jsonObject(o object) string {
	if len(o) == 0 {
		return "{}"
	}
	inner := l
	inner.indent += l.unit
	before, between, after := l.eol+inner.indent, ","+l.eol+inner.indent, l.eol+l.indent
	if l.inline {
		before, between, after = "", ", ", ""
	}
	members := make([]string, len(o))
	for i, f := range o {
		members[i] = quote(f.key) + ": " + inner.json(f.value)
	}
	return "{" + before + strings.Join(members, between) + after + "}"
}

// tomlValue prints a value on one line.
func tomlValue(v any) string {
	o, ok := v.(object)
	if !ok {
		return layout{}.json(v)
	}
	members := make([]string, len(o))
	for i, f := range o {
		members[i] = tomlKey(f.key) + " = " + tomlValue(f.value)
	}
	return "{ " + strings.Join(members, ", ") + " }"
}

// tomlKey prints a part of a key, in quotes where it needs them.
func tomlKey(key string) string {
	for _, r := range key {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' {
			return quote(key)
		}
	}
	if key == "" {
		return `""`
	}
	return key
}

// tomlTable prints a table under its header.
func tomlTable(path []string, o object, eol string) string {
	keys := make([]string, len(path))
	for i, key := range path {
		keys[i] = tomlKey(key)
	}
	var b strings.Builder
	b.WriteString("[" + strings.Join(keys, ".") + "]" + eol)
	for _, f := range o {
		b.WriteString(tomlKey(f.key) + " = " + tomlValue(f.value) + eol)
	}
	return b.String()
}
