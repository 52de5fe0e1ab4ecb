package hashlinetest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// settings are the settings of a session that a case may give, with their
// values.
var settings = map[string][]string{
	"require_seen": {"off", "warn", "enforce"},
	"require_read": {"off", "warn", "enforce"},
	"on_stale":     {"refuse", "rebase"},
	"repeat_read":  {"full", "stub"},
}

// session reads the directive "session": "on", or settings NAME=VALUE that are
// not at their defaults.
func (c *Case) session(text string) error {
	c.Session = map[string]string{}
	if text == "on" {
		return nil
	}
	for _, word := range strings.Fields(text) {
		name, value, _ := strings.Cut(word, "=")
		if !slices.Contains(settings[name], value) {
			return fmt.Errorf("no setting %q", word)
		}
		c.Session[name] = value
	}
	if len(c.Session) == 0 {
		return fmt.Errorf("an empty session")
	}
	return nil
}

var othersMember = regexp.MustCompile(`^others(\.\d+)/(.+)$`)

// others reads a member "others.N/PATH", a file as others leave it before call
// N.
func (c *Case) others(m member) (ok bool, err error) {
	name := othersMember.FindStringSubmatch(m.name)
	if name == nil {
		return false, nil
	}
	s, err := c.stepOf(name[1])
	if err != nil {
		return true, err
	}
	if s.Tool != "" {
		return true, fmt.Errorf("stands behind its call")
	}
	s.Others = append(s.Others, File{name[2], m.data})
	return true, nil
}

// Intrude changes the files that others change before this step, and reports
// whether there are any.
func (s Step) Intrude(tb testing.TB, p Place) bool {
	tb.Helper()
	for _, f := range s.Others {
		WriteFile(tb, p.Root, f)
	}
	return len(s.Others) > 0
}
