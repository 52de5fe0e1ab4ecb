package search

import "github.com/hashline-go/hashline/hashline"

// Result is what a search found. It holds at most [MaxResults] rows of matches
// and their context, and is the caller's.
type Result struct {
	// Mode is the query's, never "".
	Mode Mode
	// Files are those to show, in the byte order of their paths.
	Files []File
	// Matches and Matched count all matching lines and the files that have any,
	// shown or not.
	Matches, Matched int
	// Skipped counts what was not searched.
	Skipped Skipped
	// Stopped says why the search did not go through to its end, "" when it
	// did. The counts then are those of what was searched.
	Stopped string

	context int
}

// File is one file with matches.
type File struct {
	// Path is relative to the root.
	Path string
	// Tag is that of the text that was searched; only in mode Content.
	Tag hashline.Tag
	// Matches counts all of the file's matching lines.
	Matches int
	// Rows are those to show, in line order; only in mode Content.
	Rows []Row
}

// Row is one line to show.
type Row struct {
	// Line counts from 1.
	Line int
	// Match tells a matching line from one of context.
	Match bool
	// Text is the line without its terminator, at most 200 characters of it
	// with "…" where it was cut.
	Text string
}

// Skipped counts files, and folders as one each, that were not searched. Links
// and what is no regular file are not counted, nor is what the caller does not
// allow.
type Skipped struct {
	// Binary files have a NUL and do not say that they are UTF-16.
	Binary int
	// TooLarge files have more than 5 MiB.
	TooLarge int
	// NotUTF8 are files that are text in neither UTF-8 nor UTF-16 with a
	// byte-order mark.
	NotUTF8 int
	// BadName: the path cannot stand in a header, since it holds a line break,
	// begins or ends with a blank, or is not UTF-8.
	BadName int
	// Unreadable: the system did not let us.
	Unreadable int
	// TooDeep are folders nested more than 200 deep.
	TooDeep int
	// Hidden and Ignored entries are shown only when nothing was found.
	Hidden, Ignored int
}

func (s *Skipped) add(t Skipped) {
	s.Binary += t.Binary
	s.TooLarge += t.TooLarge
	s.NotUTF8 += t.NotUTF8
	s.BadName += t.BadName
	s.Unreadable += t.Unreadable
	s.TooDeep += t.TooDeep
	s.Hidden += t.Hidden
	s.Ignored += t.Ignored
}

// trim keeps the first n matches among rows, with their context.
func trim(rows []Row, n, context int) []Row {
	last := 0
	for i, row := range rows {
		switch {
		case row.Match && n == 0, n == 0 && row.Line > last+context:
			return rows[:i]
		case row.Match:
			n--
			last = row.Line
		}
	}
	return rows
}
