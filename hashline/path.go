package hashline

import (
	"path"
	"strings"
	"unicode/utf8"
)

// CleanPath gives the form of a path that is opened, shown and compared: it is
// cleaned lexically, once, with "/" between names (spec 6). A path that cannot
// stand in a header, because it is empty or not UTF-8, holds a line break or a
// NUL, or begins or ends with a blank, is refused with a [BadPath] diagnostic. Whether the
// path stays below a root is not decided here.
func CleanPath(p string) (string, error) {
	bad := func(msg, hint string) (string, error) {
		return "", &Diagnostic{Code: BadPath, Path: p, Msg: msg, Hint: hint}
	}
	switch {
	case p == "":
		return bad("the path is empty", "name a file, relative to the root, such as src/main.go")
	case strings.ContainsAny(p, "\n\r"):
		return bad("the path holds a line break, which cannot stand in a header", "rename the file with another tool first")
	case !utf8.ValidString(p):
		return bad("the path is not UTF-8, which a header cannot carry", "rename the file with another tool first")
	case strings.ContainsRune(p, 0):
		return bad("the path holds a NUL", "write the path without it")
	}
	c := path.Clean(p)
	if isBlank(c[0]) || isBlank(c[len(c)-1]) {
		return bad("the path begins or ends with a blank, which a header does not keep", "rename the file with another tool first")
	}
	return c, nil
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// DuplicatePaths reports every section whose cleaned path an earlier section
// has already (spec 6, step 2), as [DuplicatePath] diagnostics. Sections whose
// path is bad are passed over. Names that only the file system knows to be one
// file are the caller's to find.
func DuplicatePaths(d *Document) Diagnostics {
	var found Diagnostics
	first := make(map[string]int, len(d.Sections))
	for i, s := range d.Sections {
		c, err := CleanPath(s.Path)
		if err != nil {
			continue
		}
		j, seen := first[c]
		if !seen {
			first[c] = i
			continue
		}
		found = append(found, Duplicate(c, s.Pos, c, d.Sections[j].Pos))
	}
	return found
}

// Duplicate makes the [DuplicatePath] diagnostic for a section at pos whose
// file an earlier section, at firstPos, names as first.
func Duplicate(p string, pos Position, first string, firstPos Position) *Diagnostic {
	msg := "the document has two sections for this file"
	if first != p {
		msg += ", the other as " + first
	}
	if firstPos.IsValid() {
		msg += ", the first at " + firstPos.String()
	}
	return &Diagnostic{
		Code: DuplicatePath, Path: p, Pos: pos, Related: firstPos, Msg: msg,
		Hint: "write one section a file, with all its operations under one header; all numbers name the original lines",
	}
}
