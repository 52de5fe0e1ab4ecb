package setup

import (
	"bytes"
	"errors"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"
)

// errForm is the error for an entry that is there, but not as a table under a
// header of its own.
var errForm = errors.New("it does not stand under a header of its own, so that it is not changed key by key")

// set gives the table of a server its keys; those in gone go. whole makes it
// anew instead of changing it key by key.
func (f *tomlFile) set(path []string, entry object, gone []string, whole bool) ([]byte, error) {
	if f.find(path) == nil {
		return f.insert(path, entry), nil
	}
	if whole {
		data := f.unset(path)
		f, err := parseTOML(data)
		if err != nil {
			return nil, err
		}
		return f.insert(path, entry), nil
	}
	header := slices.IndexFunc(f.lines, func(l tomlLine) bool {
		return l.kind == unstable.Table && slices.Equal(l.path, path)
	})
	if header < 0 {
		return nil, errForm
	}
	return f.merge(header, path, entry, gone)
}

// merge changes the keys under a header.
func (f *tomlFile) merge(header int, path []string, entry object, gone []string) ([]byte, error) {
	tree, err := f.tree()
	if err != nil {
		return nil, err
	}
	old := tree
	for _, key := range path {
		old, _ = old[key].(map[string]any)
	}
	// From the end on, so that what was found stays where it is.
	data, last, eol := f.data, header, eolOf(f.data)
	for last+1 < len(f.lines) && f.lines[last+1].kind == unstable.KeyValue {
		last++
	}
	added := ""
	for _, m := range entry {
		if _, there := old[m.key]; !there {
			added += tomlKey(m.key) + " = " + tomlValue(m.value) + eol
		}
	}
	data = f.after(data, last, added, eol)
	for i := last; i > header; i-- {
		l := f.lines[i]
		key := l.path[len(path)]
		n := slices.IndexFunc(entry, func(m member) bool { return m.key == key })
		switch {
		case n < 0 && slices.Contains(gone, key):
			data = splice(data, l.start, l.end, "")
		case n < 0 || equal(old[key], plain(entry[n].value)):
		case len(l.path) > len(path)+1:
			return nil, errForm
		default:
			data = splice(data, l.valueStart, l.valueEnd, tomlValue(entry[n].value))
		}
	}
	return data, nil
}

// after puts lines behind a line.
func (f *tomlFile) after(data []byte, line int, added, eol string) []byte {
	at := f.lines[line].end
	if added != "" && at == len(f.data) && !bytes.HasSuffix(f.data, []byte("\n")) {
		added = eol + added[:len(added)-len(eol)]
	}
	return splice(data, at, at, added)
}

// find lists the lines that say something about a table.
func (f *tomlFile) find(path []string) []int {
	var found []int
	for i, l := range f.lines {
		if under(l.path, path) || f.inlineKey(l, path) >= 0 {
			found = append(found, i)
		}
	}
	return found
}

// under reports that a path is another one or lies below it.
func under(path, above []string) bool {
	return len(path) >= len(above) && slices.Equal(path[:len(above)], above)
}

// inlineKey finds the first key of a line's inline table that says something
// about a table; -1 where none does.
func (f *tomlFile) inlineKey(l tomlLine, path []string) int {
	return slices.IndexFunc(l.keys, func(k inlineKey) bool {
		return under(slices.Concat(l.path, k.path), path)
	})
}

// insert puts a new table at the end of the file, or into the inline table of
// all servers, which can have no member elsewhere.
func (f *tomlFile) insert(path []string, entry object) []byte {
	for _, l := range f.lines {
		if l.kind == unstable.KeyValue && slices.Equal(l.path, path[:1]) && f.data[l.valueEnd-1] == '}' {
			text := tomlKey(path[1]) + " = " + tomlValue(entry)
			if len(l.keys) == 0 {
				return splice(f.data, l.valueStart, l.valueEnd, "{ "+text+" }")
			}
			at := l.keys[len(l.keys)-1].end
			return splice(f.data, at, at, ", "+text)
		}
	}
	eol := eolOf(f.data)
	table := tomlTable(path, entry, eol)
	switch {
	case len(f.data) == 0:
	case bytes.HasSuffix(f.data, []byte("\n")):
		table = eol + table
	default:
		// A file whose last line has no end keeps it so.
		table = eol + eol + table[:len(table)-len(eol)]
	}
	return splice(f.data, len(f.data), len(f.data), table)
}

// unset takes a table away, with its lines and the comments between them, and
// one of the blank lines before it.
func (f *tomlFile) unset(path []string) []byte {
	data := f.data
	found := f.find(path)
	for len(found) > 0 {
		to := len(found) - 1
		from := to
		for from > 0 && found[from-1] == found[from]-1 {
			from--
		}
		data = f.cut(data, path, f.lines[found[from]:found[to]+1])
		found = found[:from]
	}
	return data
}

func (f *tomlFile) cut(data []byte, path []string, run []tomlLine) []byte {
	for i := len(run) - 1; i >= 0; i-- {
		if l := run[i]; !under(l.path, path) {
			data = f.cutInline(data, l, path)
			data = f.cutLines(data, run[i+1:])
			run = run[:i]
		}
	}
	return f.cutLines(data, run)
}

func (f *tomlFile) cutLines(data []byte, run []tomlLine) []byte {
	if len(run) == 0 {
		return data
	}
	start, end := run[0].start, run[len(run)-1].end
	if end == len(f.data) && !bytes.HasSuffix(f.data, []byte("\n")) {
		start -= eolBefore(data[:start])
	}
	if run[0].kind != unstable.KeyValue {
		before := eolBefore(data[:start])
		if rest := data[:start-before]; before > 0 && (eolBefore(rest) > 0 || end == len(f.data) && start-before > 0 && !bytes.HasSuffix(f.data, []byte("\n"))) {
			start -= before
		}
	}
	return splice(data, start, end, "")
}

// eolBefore is the length of the end of line at the end of data.
func eolBefore(data []byte) int {
	switch {
	case bytes.HasSuffix(data, []byte("\r\n")):
		return 2
	case bytes.HasSuffix(data, []byte("\n")):
		return 1
	}
	return 0
}

func (f *tomlFile) cutInline(data []byte, l tomlLine, path []string) []byte {
	for i := len(l.keys) - 1; i >= 0; i-- {
		if !under(slices.Concat(l.path, l.keys[i].path), path) {
			continue
		}
		start, end := l.keys[i].start, l.keys[i].end
		switch {
		case i > 0:
			start = l.keys[i-1].end
		case len(l.keys) > 1:
			end = l.keys[1].start
		}
		data = splice(data, start, end, "")
	}
	return data
}
