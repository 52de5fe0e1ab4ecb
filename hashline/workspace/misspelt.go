package workspace

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/hashline-go/hashline/hashline"
)

const (
	// maxMisspelt is how many misspelt arguments one refusal names.
	maxMisspelt = 10
	// maxUnknown is how many unknown arguments are looked at. Clients add some of
	// their own; nobody means thousands.
	maxUnknown = 100
	// maxMisspeltName is the length in bytes of the longest name that is taken
	// for a misspelt one.
	maxMisspeltName = 40
)

// spelling knows the names that the arguments of a tool are called by mistake.
type spelling struct {
	tool Tool
	// bare has the parameters by their names and synonyms, see bareName, flags only
	// those that are true or false.
	bare, flags map[string]meaning
}

// meaning is the parameter that a name stands for; opposite says that its value
// means the contrary.
type meaning struct {
	Param
	opposite bool
}

func (t Tool) spelling() spelling {
	s := spelling{t, map[string]meaning{}, map[string]meaning{}}
	note := func(name string, m meaning) {
		bare := bareName(name)
		if _, taken := s.bare[bare]; !taken {
			s.bare[bare] = m
		}
		if m.Type == "boolean" {
			s.flags[bare] = m
		}
	}
	for _, p := range t.Params {
		note(p.Name, meaning{p, false})
	}
	for _, p := range t.Params {
		for _, name := range p.synonyms {
			note(name, meaning{p, false})
		}
		for _, name := range p.opposites {
			note(name, meaning{p, true})
		}
	}
	return s
}

// faults gives what is to be said of the unknown arguments of a call, and notes
// which parameters they are misspelt for.
func (s spelling) faults(unknown []string, all map[string]json.RawMessage, misspelt map[string]bool) (found hashline.Diagnostics) {
	rows, clear := s.askedRows(unknown, all)
	if d := rows.fault(s.tool, clear); d != nil {
		found = append(found, d)
		unknown = slices.DeleteFunc(unknown, func(name string) bool { return slices.Contains(rows.names, name) })
	}
	for _, name := range unknown {
		if len(found) == maxMisspelt {
			break
		}
		if d, right := s.fault(name, all); d != nil {
			found = append(found, d)
			misspelt[right] = true
		}
	}
	return found
}

// fault gives what is to be said of an argument, one of all, that looks like a
// misspelt parameter, and that parameter; nil where it is like none.
func (s spelling) fault(name string, all map[string]json.RawMessage) (*hashline.Diagnostic, string) {
	raw := all[name]
	m, ok := s.meant(name)
	if !ok {
		return nil, ""
	}
	if text := strings.Trim(string(raw), `" `); text == "true" || text == "false" {
		if flag, ok := s.flags[bareName(name)]; ok {
			m = flag
		}
	}
	if m.Type == "integer" && rangeLike().Match(raw) {
		for _, p := range s.tool.Params {
			if p.Name == "ranges" {
				m.Param = p
			}
		}
	}
	d := badArgument("there is no argument %s", cut(name, 80))
	if taken := s.taken(m.Name, all); taken != "" {
		names := make([]string, len(s.tool.Params))
		for i, p := range s.tool.Params {
			names[i] = p.Name
		}
		d.Hint = "leave it out, since " + taken + ", which it seems to mean, is given too; the arguments of " + s.tool.Name + " are " + strings.Join(names, ", ")
		return d, taken
	}
	d.Hint = "the argument is called " + m.Name + ": " + m.Doc
	if m.opposite {
		value := "false"
		if text := strings.Trim(string(raw), `" `); text == "false" {
			value = "true"
		}
		d.Hint = "write " + m.Name + ": " + value + ", which means the opposite of " + cut(name, 80) + ": " + m.Doc
	}
	return d, m.Name
}

// taken gives the argument of a call that says already what a parameter would say,
// "" where there is none: itself, or the one that it cannot go with.
func (s spelling) taken(param string, all map[string]json.RawMessage) string {
	names := []string{param}
	if s.tool.Name == "read_file" {
		switch param {
		case "offset", "limit":
			names = append(names, "ranges")
		case "ranges":
			names = append(names, "offset", "limit")
		}
	}
	for _, name := range names {
		if given, ok := all[name]; ok && string(given) != "null" {
			return name
		}
	}
	return ""
}

// rangeLike finds a value that names a first and a last row.
var rangeLike = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:"\s*\d+\s*[-:,–]\s*\d+|\[\s*"?\d+"?\s*,\s*"?\d+)`)
})

// meant gives the parameter that an unknown name seems to stand for.
func (s spelling) meant(name string) (meaning, bool) {
	if len(name) > maxMisspeltName {
		return meaning{}, false
	}
	bare := bareName(name)
	m, found := s.bare[bare]
	if found && bareName(m.Name) == bare {
		return m, true
	}
	for _, p := range s.tool.Params {
		if len(p.Name) > 3 && distance(p.Name, name, 1) <= 1 {
			return meaning{p, false}, true
		}
	}
	return m, found
}

// bareName is a name without what people spell differently.
func bareName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' {
			return -1
		}
		return r
	}, strings.ToLower(name))
}
