package setup

import (
	"bytes"
	"errors"
	"math"
	"slices"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlFile is a configuration in TOML: its lines, as far as they say something.
type tomlFile struct {
	data  []byte
	lines []tomlLine
}

// tomlLine is a header, or a key with its value; it may go over several lines.
type tomlLine struct {
	kind unstable.Kind
	// path is the full path of the table or key.
	path []string
	// start and end are where it begins and where the line after it does.
	start, end int
	// value is where the value stands; keys are those of an inline table.
	valueStart, valueEnd int
	keys                 []inlineKey
}

// inlineKey is a key with its value in an inline table.
type inlineKey struct {
	path       []string
	start, end int
}

func parseTOML(data []byte) (*tomlFile, error) {
	if err := text(data); err != nil {
		return nil, err
	}
	f := &tomlFile{data: data}
	var p unstable.Parser
	p.Reset(data)
	var table []string
	for p.NextExpression() {
		table = f.add(p.Expression(), table)
	}
	if err := p.Error(); err != nil {
		return nil, tomlPlace(data, &p, err)
	}
	for i := range f.lines {
		f.end(&f.lines[i])
	}
	return f, nil
}

// add notes an expression and gives the table that the next one stands in.
func (f *tomlFile) add(n *unstable.Node, table []string) []string {
	path, first, after := keyOf(n)
	l := tomlLine{kind: n.Kind, start: first, valueEnd: after}
	if n.Kind == unstable.KeyValue {
		l.path = append(slices.Clone(table), path...)
		l.valueEnd = int(n.Raw.Offset + n.Raw.Length)
		l.valueStart = f.valueStart(after)
		if v := n.Value(); v.Kind == unstable.InlineTable {
			l.keys = inlineKeys(v)
		}
	} else {
		l.path, table = path, path
	}
	l.start = bytes.LastIndexByte(f.data[:l.start], '\n') + 1
	f.lines = append(f.lines, l)
	return table
}

// keyOf gives the parts of a key, and where the first begins and the last ends.
func keyOf(n *unstable.Node) (path []string, start, end int) {
	start = -1
	for it := n.Key(); it.Next(); {
		k := it.Node()
		path = append(path, string(k.Data))
		if start < 0 {
			start = int(k.Raw.Offset)
		}
		end = int(k.Raw.Offset + k.Raw.Length)
	}
	return path, start, end
}

func inlineKeys(table *unstable.Node) []inlineKey {
	var keys []inlineKey
	for it := table.Children(); it.Next(); {
		n := it.Node()
		if n.Kind != unstable.KeyValue {
			continue
		}
		path, start, _ := keyOf(n)
		keys = append(keys, inlineKey{path, start, int(n.Raw.Offset + n.Raw.Length)})
	}
	return keys
}

// valueStart is where the value begins after a key that ends at an offset.
func (f *tomlFile) valueStart(offset int) int {
	rest := f.data[offset:]
	return offset + len(rest) - len(bytes.TrimLeft(rest, " \t="))
}

// end finds where the line after an expression begins: only a comment may stand
// between.
func (f *tomlFile) end(l *tomlLine) {
	l.end = len(f.data)
	if i := bytes.IndexByte(f.data[l.valueEnd:], '\n'); i >= 0 {
		l.end = l.valueEnd + i + 1
	}
}

func tomlPlace(data []byte, p *unstable.Parser, err error) error {
	var perr *unstable.ParserError
	if !errors.As(err, &perr) {
		return &Place{Msg: shortened(err.Error())}
	}
	at := len(data)
	if len(perr.Highlight) > 0 {
		at = int(p.Range(perr.Highlight).Offset)
	}
	return placeAt(data, at, shortened(perr.Message))
}

// tree decodes the whole, which is where a table or key that stands there twice
// is found.
func (f *tomlFile) tree() (map[string]any, error) {
	tree := map[string]any{}
	err := toml.Unmarshal(f.data, &tree)
	var derr *toml.DecodeError
	if errors.As(err, &derr) {
		line, column := derr.Position()
		return nil, &Place{Line: line, Column: column, Msg: shortened(derr.Error())}
	}
	if err != nil {
		return nil, &Place{Msg: shortened(err.Error())}
	}
	return floats(tree).(map[string]any), nil
}

// floats makes the numbers of a decoded table comparable with those of [plain].
func floats(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = floats(v[k])
		}
	case []any:
		for i := range v {
			v[i] = floats(v[i])
		}
	case int64:
		if int64(float64(v)) == v {
			return float64(v)
		}
	case float64:
		if math.IsNaN(v) {
			return "not a number" // which is not equal even to itself
		}
	}
	return v
}
