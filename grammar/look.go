package grammar

import "strings"

// look is what a line that the grammar refused looks like.
type look int

const (
	lookOther    look = iota
	lookHeader        // begins with "["
	lookOp            // begins with PUT or CUT
	lookPlus          // begins with "+"
	lookIndented      // begins with blanks and "+"
	lookMinus         // begins with "-"
	lookView          // "N:text" or "N | text", or the footer of a view
	lookRemove        // REM
	lookMove          // MV
	lookFence         // begins or ends a fence
	lookForeign       // belongs to another format
	lookGlued         // PUT or CUT and a number without a blank between
	lookCommand       // an operation of another name, or a keyword misspelt
	lookElision       // "..." alone
	lookDressed       // an operation that something stands around
)

// spot is where a line stands.
type spot int

const (
	noBody   spot = iota
	firstRow      // where a PUT waits for its first row
	laterRow      // right after a row
)

// lookAt tells what a line looks like. Where a row may stand, "[" and "{" may
// also begin one whose "+" is missing, and right below a PUT they mostly do;
// started is true after the first header.
func lookAt(l line, where spot, started bool) look {
	inBody := where != noBody
	s := l.text
	i := l.start()
	t := s[i:]
	switch {
	case t == "":
		return lookOther
	case s[0] == '+':
		return lookPlus
	case opWord(s, i) != "":
		return lookOp
	case keyword(s, i, "REM") && (!inBody || t[:3] == "REM"):
		return lookRemove
	case keyword(s, i, "MV") && (!inBody || t[:2] == "MV"):
		return lookMove
	case foreign(t, started) != "":
		return lookForeign
	case footer(t):
		return lookView
	case t[0] == '[' && !inBody:
		return lookHeader
	}
	if _, _, ok := dressedOp(t); ok {
		return lookDressed
	}
	header, ok := guessHeader(t)
	switch {
	case ok && header.sure:
		return lookHeader
	case t[0] == '+':
		return lookIndented
	case s[0] == '-':
		return lookMinus
	case viewRow(t) != "":
		return lookView
	case t == "…" || t == "...":
		return lookElision
	case len(t) > 3 && isDigit(t[3]) && (strings.EqualFold(t[:3], "PUT") || strings.EqualFold(t[:3], "CUT")):
		return lookGlued
	case command(t):
		return lookCommand
	}
	if _, n := fence(t); n > 0 {
		return lookFence
	}
	if ok && !header.weak && where != firstRow {
		return lookHeader
	}
	return lookOther
}

// footer reports whether a line is the footer of a view (spec 4) or of a search
// (spec 8).
func footer(t string) bool {
	for _, prefix := range [...]string{"[rows ", "[cut rows: ", "[structural edit: "} {
		if strings.HasPrefix(t, prefix) && !strings.Contains(t, "#") {
			return true
		}
	}
	if rest, ok := strings.CutPrefix(t, "... +"); ok {
		return strings.HasPrefix(rest[digits(rest, 0):], " more in this file")
	}
	return t[0] == '[' && (strings.Contains(t, " rows; read_file ") ||
		len(t) > 1 && isDigit(t[1]) && strings.Contains(t, " matches in ") && strings.Contains(t, " files"))
}

// viewRow gives the text of a numbered row of a view (spec 4) or of a search
// (spec 8) as a body has it, "+" included, or "".
func viewRow(t string) string {
	i := digits(t, 0)
	if i == 0 || i == len(t) {
		return ""
	}
	if t[i] == ':' {
		return "+" + t[i+1:]
	}
	j := skip(t, i)
	if j == len(t) || t[j] != '|' && (t[j] != '-' || j == i) || j+1 < len(t) && t[j+1] != ' ' {
		return ""
	}
	return "+" + strings.TrimPrefix(t[j+1:], " ")
}

// foreign names the format that a line belongs to, or gives "".
func foreign(t string, started bool) string {
	for _, f := range [...]struct{ prefix, name string }{
		{"@@", "a unified diff"}, {"--- ", "a unified diff"}, {"diff --git ", "a unified diff"},
		{"*** Begin", "an apply_patch document"}, {"*** End", "an apply_patch document"},
		{"*** Update File", "an apply_patch document"}, {"*** Add File", "an apply_patch document"},
		{"*** Delete File", "an apply_patch document"}, {"*** Move to", "an apply_patch document"},
		{"<<<<<<< ", "a search-and-replace block"}, {">>>>>>> ", "a search-and-replace block"},
	} {
		if strings.HasPrefix(t, f.prefix) {
			return f.name
		}
	}
	if !started && (t[0] == '{' || strings.HasPrefix(t, "[{") || strings.HasPrefix(t, `["`)) {
		return "JSON"
	}
	return ""
}

// command reports whether a line begins with a word that other dialects use for
// an operation, or with a keyword that is misspelt, and then names a place.
func command(t string) bool {
	i := 0
	for i < len(t) && 'a' <= t[i]|0x20 && t[i]|0x20 <= 'z' {
		i++
	}
	if i == 0 || i > 10 {
		return false
	}
	word, rest := strings.ToUpper(t[:i]), strings.TrimLeft(t[i:], " \t.")
	switch word {
	case "PUTS", "CUTS", "INS", "INSERT", "DEL", "DELETE", "REPLACE", "ADD", "APPEND", "SWAP", "EDIT", "SET", "REMOVE", "COPY", "MOVE":
		return rest != "" && (isDigit(rest[0]) || strings.IndexByte("<>$@", rest[0]) >= 0)
	}
	return false
}
