package hashlinetest

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Case is one conformance case below testdata/conformance; testdata/README.md
// says what its members mean. A case either parses a document (Parse is set) or
// calls tools on files (Steps is not empty).
type Case struct {
	// Name is the area and the name of the case, such as
	// "text/empty-file-has-no-lines".
	Name string
	// About says in a sentence or two what the case shows.
	About string
	// Spec names the sections of the contract that the case is for.
	Spec string
	// Scheme is the tag scheme of the workspace: "xxh64" or "rho".
	Scheme string
	// Session holds the settings of the session that all steps run in, where
	// they are not at their defaults; nil where each call stands alone.
	Session map[string]string
	// Files are there before the first call, and Outside in an unrelated
	// folder.
	Files, Outside []File
	// Setup are further steps of preparation, in order.
	Setup []Setup
	Steps []Step
	// After are the files that the calls made or changed. All others must be
	// as they were, to the byte and the time stamp.
	After []File
	Parse *ParseCase

	file    string
	archive *txtar.Archive
}

// File is a file of a case; its path has "/" between names.
type File struct {
	Path string
	Data []byte
}

// ParseCase is what a case expects of a document's text alone. Which members
// are set depends on the case.
type ParseCase struct {
	Doc string
	// Sections are the parsed document, nil where it is refused or not said.
	Sections []VectorSection
	// Lenient is what the reading for streams keeps.
	Lenient []VectorSection
	// Diagnostics holds lines "line:column code"; "" where the document is
	// good.
	Diagnostics string
	// Print is the canonical form, "" where it is not said.
	Print string
}

// Cases loads the conformance cases of the given areas, all of them where none
// is given, in the order of their names. It fails the test when there is none
// or when one is malformed.
func Cases(tb testing.TB, areas ...string) []Case {
	tb.Helper()
	root := filepath.Join(TestdataDir(tb), "conformance")
	var all []Case
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) != ".txtar" {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.ToSlash(rel), ".txtar")
		area, _, _ := strings.Cut(name, "/")
		if len(areas) > 0 && !slices.Contains(areas, area) {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		c, err := parseCase(text)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		c.Name, c.file = name, file
		all = append(all, *c)
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	if len(all) == 0 {
		tb.Fatalf("no conformance cases in the areas %q below %s", areas, root)
	}
	return all
}

// parseCase reads the text of a case file.
func parseCase(text []byte) (*Case, error) {
	if err := checkVisible(text); err != nil {
		return nil, err
	}
	c := &Case{Scheme: "xxh64", archive: txtar.Parse(text)}
	if err := c.comment(string(c.archive.Comment)); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, f := range c.archive.Files {
		m, err := parseMember(f)
		if err == nil {
			err = c.add(m)
		}
		if err == nil && seen[m.name] {
			err = fmt.Errorf("twice")
		}
		if err != nil {
			return nil, fmt.Errorf("member %q: %w", f.Name, err)
		}
		seen[m.name] = true
	}
	return c, c.check()
}

// comment reads the rationale and the directive lines below it.
func (c *Case) comment(text string) error {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch key, value, _ := strings.Cut(line, ": "); key {
		case "spec":
			c.Spec = value
		case "tags":
			c.Scheme = value
		case "session":
			if err := c.session(value); err != nil {
				return err
			}
		default:
			if c.Spec != "" {
				return fmt.Errorf("%q follows the directives", line)
			}
			c.About = strings.TrimPrefix(c.About+"\n"+line, "\n")
		}
	}
	switch {
	case !strings.HasSuffix(c.About, "."):
		return fmt.Errorf("no rationale that ends in a full stop")
	case c.Spec == "":
		return fmt.Errorf("no line \"spec: ...\"")
	case c.Scheme != "xxh64" && c.Scheme != "rho":
		return fmt.Errorf("no tag scheme %q", c.Scheme)
	}
	return nil
}

func (c *Case) add(m member) error {
	if p, ok := strings.CutPrefix(m.name, "in/"); ok {
		c.Files = append(c.Files, File{p, m.data})
		return nil
	}
	if p, ok := strings.CutPrefix(m.name, "out/"); ok {
		c.After = append(c.After, File{p, m.data})
		return nil
	}
	if p, ok := strings.CutPrefix(m.name, "outside/"); ok {
		c.Outside = append(c.Outside, File{p, m.data})
		return nil
	}
	if ok, err := c.others(m); ok {
		return err
	}
	switch m.name {
	case "setup":
		return c.setup(string(m.data))
	case "parse", "lenient", "diagnostics", "print":
		return c.parsing(m)
	}
	return c.step(m)
}

func (c *Case) parsing(m member) error {
	if c.Parse == nil {
		c.Parse = &ParseCase{}
	}
	switch m.name {
	case "parse":
		return json.Unmarshal(m.data, &c.Parse.Sections)
	case "lenient":
		return json.Unmarshal(m.data, &c.Parse.Lenient)
	case "diagnostics":
		c.Parse.Diagnostics = string(m.data)
	case "print":
		c.Parse.Print = string(m.data)
	}
	return nil
}

// check finds what no single member can show to be wrong.
func (c *Case) check() error {
	if c.Parse != nil {
		if len(c.Steps) != 1 || c.Steps[0].Doc == nil || len(c.Files)+len(c.After) > 0 {
			return fmt.Errorf("a case that parses has one member doc and no files")
		}
		c.Parse.Doc, c.Steps = *c.Steps[0].Doc, nil
		return nil
	}
	if len(c.Steps) == 0 {
		return fmt.Errorf("no call")
	}
	for _, f := range c.After {
		if slices.ContainsFunc(c.Files, func(in File) bool { return in.Path == f.Path && string(in.Data) == string(f.Data) }) {
			return fmt.Errorf("out/%s is what it was: leave it out", f.Path)
		}
	}
	for _, s := range c.Steps {
		switch {
		case s.Tool == "":
			return fmt.Errorf("an outcome %q without a call", s.suffix)
		case s.Want != nil && s.WantLines != nil:
			return fmt.Errorf("step %q has want and want-lines", s.suffix)
		case s.Want == nil && s.WantLines == nil && s.Code == "":
			return fmt.Errorf("step %q says nothing of the answer", s.suffix)
		}
	}
	return nil
}
