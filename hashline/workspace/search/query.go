// Package search is the engine of the tool grep (spec 8): it walks a workspace
// or one file of it, matches a regular expression line by line, and renders
// what it found as text that an agent can edit from.
//
// It opens files only through the root it is given, follows no links, and
// skips what git would ignore. Neither a pattern nor a tree from an enemy makes
// it take more than bounded time and memory.
package search

import (
	"fmt"
	"io/fs"
	"path"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace/glob"
)

// Mode says what is shown of the files that match.
type Mode string

// The modes (spec 8).
const (
	// Content shows matching lines under their files' headers.
	Content Mode = "content"
	// FilesWithMatches shows paths only.
	FilesWithMatches Mode = "files_with_matches"
	// Count shows paths, each with its number of matching lines.
	Count Mode = "count"
)

// Defaults and ceilings of the limits in a [Query].
const (
	DefaultResults = 200
	MaxResults     = 1000
	DefaultPerFile = 10
	MaxPerFile     = 100
	MaxContext     = 20
	// maxPattern is the length of a pattern in bytes.
	maxPattern = 4096
)

// Query says what to look for. A file matches a glob, and a line a pattern.
type Query struct {
	// Pattern is a Go regular expression, or text where Literal is set. It is
	// matched against each line without its terminator. Required.
	Pattern string
	// Path is the file or folder to search, relative to the root and cleaned;
	// "" and "." are the whole root. What it names is searched though hidden,
	// ignored or no match for the glob; below a folder that is named, the rules
	// apply again. Optional.
	Path string
	// Glob limits the search to the files that match it: by their name where
	// it has no "/", else by their path relative to the root. It knows *, ?,
	// **, [a-z], [!a-z], {a,b} and \; one that begins with "!" takes the files
	// that do not match. Optional.
	Glob string
	// Literal takes the pattern as plain text.
	Literal bool
	// IgnoreCase takes "a" and "A" for the same.
	IgnoreCase bool
	// IncludeHidden searches files and folders whose names begin with a dot,
	// though never one named .git.
	IncludeHidden bool
	// Context is the number of lines shown around each match, at most
	// [MaxContext].
	Context int
	// MaxResults is how many matching lines, or in other modes files, are
	// shown; 0 is [DefaultResults]. All are counted.
	MaxResults int
	// MaxPerFile is how many matching lines of one file are shown; 0 is
	// [DefaultPerFile].
	MaxPerFile int
	// Mode is what to show; "" is [Content].
	Mode Mode
}

// Check reports whether the query can be run: [hashline.BadArgument] for what
// is missing or out of bounds, [hashline.BadPattern] for a pattern or glob that
// does not compile, [hashline.OutsideRoot] for a path that leads out.
func (q Query) Check() error {
	_, err := q.compile()
	return err
}

// A plan is a checked query with its defaults filled in.
type plan struct {
	Query
	pattern *pattern
	// glob is nil where all files are searched.
	glob *glob.Glob
}

func (q Query) compile() (*plan, error) {
	bad := func(name string, value, low, high int) error {
		if low <= value && value <= high {
			return nil
		}
		return &hashline.Diagnostic{
			Code: hashline.BadArgument, Msg: fmt.Sprintf("%s is %d", name, value),
			Hint: fmt.Sprintf("write a number from %d to %d", low, high),
		}
	}
	q.Path = path.Clean(q.Path)
	if q.Mode == "" {
		q.Mode = Content
	}
	if q.MaxResults == 0 {
		q.MaxResults = DefaultResults
	}
	if q.MaxPerFile == 0 {
		q.MaxPerFile = DefaultPerFile
	}
	for _, err := range []error{
		bad("max_results", q.MaxResults, 1, MaxResults),
		bad("max_per_file", q.MaxPerFile, 1, MaxPerFile),
		bad("context", q.Context, 0, MaxContext),
	} {
		if err != nil {
			return nil, err
		}
	}
	switch q.Mode {
	case Content, FilesWithMatches, Count:
	default:
		return nil, &hashline.Diagnostic{
			Code: hashline.BadArgument, Msg: fmt.Sprintf("output_mode %.80q is not known", q.Mode),
			Hint: "write content, files_with_matches or count",
		}
	}
	if !fs.ValidPath(q.Path) {
		return nil, &hashline.Diagnostic{
			Code: hashline.OutsideRoot, Path: q.Path, Msg: "the path leads out of the workspace root",
			Hint: "write a path below the root, relative to it",
		}
	}
	p := &plan{Query: q}
	var err error
	if p.pattern, err = compilePattern(q.Pattern, q.Literal, q.IgnoreCase); err != nil {
		return nil, err
	}
	if q.Glob != "" {
		if p.glob, err = glob.Compile(q.Glob); err != nil {
			return nil, err
		}
	}
	return p, nil
}
