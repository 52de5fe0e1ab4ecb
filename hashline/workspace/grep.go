package workspace

import (
	"context"

	"github.com/hashline-go/hashline/hashline/workspace/search"
)

const grepRejected = "grep rejected"

// Grep searches the text files below the root, line by line (spec 8).
func (s *Session) Grep(ctx context.Context, q search.Query) (*Result, error) {
	name := q.Path
	if name == "" {
		name = "."
	}
	// The path is checked here, as that of any tool.
	q.Path = "."
	if err := q.Check(); err != nil {
		return nil, s.refuse(grepRejected, err)
	}
	// A folder may be denied and yet hold files that are not.
	pl, err := s.resolveBut(name, s.policy.hides)
	switch folder := err == nil && pl.exists && pl.info.IsDir(); {
	case err != nil:
	case !folder && (s.policy.denies(pl.path) || s.policy.denies(pl.real)):
		err = s.refusedPath(pl.path, pl.real)
	case !pl.exists:
		err = notFound(pl.path)
	}
	if err != nil {
		return nil, s.refuse(grepRejected, err)
	}
	q.Path = pl.real
	allowed := s.policy.searcher()
	var met sums
	tag := s.scheme.Tag
	if s.ledger != nil {
		tag = met.noting(tag)
	}
	found, err := search.Run(ctx, s.root, s.git, q, tag, func(path string, isDir bool) bool {
		return !s.inState(path) && allowed(path, isDir)
	})
	if err != nil {
		return nil, s.refuse(grepRejected, err)
	}
	content, rows := found.Render(s.limit)
	s.seeFound(rows, &met)
	return &Result{Content: content}, nil
}

func grepTool() Tool {
	return Tool{
		Name: "grep", Description: describe("grep"), head: grepRejected, MaxInput: fewArguments,
		example: `{"pattern": "func main"}`,
		Params: []Param{
			{Name: "pattern", Type: "string", Required: true, Doc: "Regular expression in Go syntax, or the text itself with literal.", synonyms: []string{"regex", "query", "search", "regexp", "q"}},
			{Name: "path", Type: "string", Doc: "File or folder to search, relative to the workspace root. Default: the whole workspace.", synonyms: []string{"file_path", "file", "dir", "directory", "folder", "include_path"}},
			{Name: "glob", Type: "string", Doc: "Only files whose path matches, such as *.go or src/**/*.ts. Without a / it matches at any depth.", synonyms: []string{"include", "file_pattern", "file_glob", "includes"}},
			{Name: "literal", Type: "boolean", Doc: "The pattern is plain text. Default false.", synonyms: []string{"fixed_strings", "fixed", "literal_search"}, opposites: []string{"regex", "regexp", "is_regex", "use_regex"}},
			{Name: "case_sensitive", Type: "boolean", Doc: "Upper and lower case differ. Default true.", synonyms: []string{"case", "match_case"}, opposites: []string{"ignore_case", "case_insensitive", "insensitive", "-i", "i"}},
			{Name: "include_hidden", Type: "boolean", Doc: "Search files and folders whose names begin with a dot too. Default false.", synonyms: []string{"hidden", "search_hidden"}},
			{Name: "context", Type: "integer", Doc: "Rows to show before and after each match. Default 0, at most 20.", synonyms: []string{"context_lines", "lines_of_context", "-C", "-A", "-B"}},
			{Name: "max_results", Type: "integer", Doc: "Matching rows to show at most. Default 200, at most 1,000.", synonyms: []string{"limit", "head_limit", "max_matches", "max_count"}},
			{Name: "max_per_file", Type: "integer", Doc: "Matching rows to show of one file. Default 10, at most 100.", synonyms: []string{"max_matches_per_file", "per_file"}},
			{Name: "output_mode", Type: "string", Doc: "content shows rows, files_with_matches only paths, count paths with their number of matching rows. Default content.", Enum: []string{"content", "files_with_matches", "count"}, synonyms: []string{"mode", "output"}},
		},
		call: func(ctx context.Context, s *Session, a args) (*Result, error) {
			q := search.Query{
				Pattern: a.str("pattern"), Path: a.str("path"), Glob: a.str("glob"),
				Literal: a.flag("literal", false), IgnoreCase: !a.flag("case_sensitive", true),
				IncludeHidden: a.flag("include_hidden", false), Mode: search.Mode(a.str("output_mode")),
			}
			if n := a.num("context"); n != nil {
				q.Context = *n
			}
			for _, limit := range []struct {
				name string
				of   *int
			}{{"max_results", &q.MaxResults}, {"max_per_file", &q.MaxPerFile}} {
				if n := a.num(limit.name); n != nil {
					if *limit.of = *n; *n == 0 { // in a Query it stands for the default
						return nil, s.refuse(grepRejected, badArgument("%s is 0; write a number from 1", limit.name))
					}
				}
			}
			return s.Grep(ctx, q)
		},
	}
}
