package apply

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// saysLeftOut reports whether a row only says that code was left out: a comment
// of any language, or bare text behind an ellipsis, whose words all belong to
// such a remark, as in "// ... existing code ...", "# rest of file unchanged"
// and "<!-- ... -->".
//
// "..." alone is none: it is code in Python and ends a document in YAML. "…"
// alone is one: it is the row that a view shows where it leaves rows out. A
// comment of dots alone needs one blank around them: "//..." is a pattern of
// build tools, and more blanks stand in examples inside of comments.
func saysLeftOut(row string) bool {
	row = strings.TrimSpace(row)
	if row == "" || len(row) > maxDoubt {
		return false
	}
	switch row[0] {
	case '/', '#', '-', ';', '%', '<', '(', '{', '[', '.', "…"[0]:
	default: // as nearly every row: neither a comment nor an ellipsis
		return false
	}
	text, comment := uncomment(row)
	if text == "…" {
		return true
	}
	front, back := dots(text)
	if !comment && !front {
		return false
	}
	if comment && (text == " ..." || text == " ... " || text == " …" || text == " … ") {
		return true
	}
	return !sentenceEnd(text) && remark(text, front || back)
}

// uncomment takes the marks of a comment away. The text keeps its blanks.
func uncomment(s string) (text string, comment bool) {
	for _, pair := range [...][2]string{{"{/*", "*/}"}, {"/*", "*/"}, {"<!--", "-->"}, {"(*", "*)"}, {"{-", "-}"}} {
		if inner, ok := strings.CutPrefix(s, pair[0]); ok {
			if inner, ok = strings.CutSuffix(inner, pair[1]); ok {
				return inner, true
			}
			return s, false
		}
	}
	for _, mark := range [...]string{"//", "#", "--", ";", "%"} {
		if rest, ok := strings.CutPrefix(s, mark); ok {
			return strings.TrimLeft(rest, mark), true
		}
	}
	return s, false
}

// dots reports whether a text begins with an ellipsis and goes on with more than
// one word joined to it ("...rest" is code in JavaScript), and whether it ends
// with one.
func dots(text string) (front, back bool) {
	text = strings.Trim(text, "()[] ")
	for _, d := range [...]string{"...", "…"} {
		rest, ok := strings.CutPrefix(text, d)
		front = front || ok && strings.Contains(rest, " ")
		back = back || strings.HasSuffix(text, d)
	}
	return front, back
}

// sentenceEnd reports whether a text looks like the last line of a longer
// sentence.
func sentenceEnd(text string) bool {
	text = strings.TrimSpace(text)
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLower(first) && strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "...") ||
		strings.Count(text, ")") != strings.Count(text, "(")
}

// weight is how much a word says that something was left out.
type weight int

const (
	filler  weight = iota + 1 // nothing: "the", "code"
	partial                   // so beside dots: "existing", "rest"
	plain                     // so even without: "unchanged"
)

// phrases say so in a comment without dots.
var phrases = [...]string{
	"existing code", "rest of the code", "rest of code", "rest of the file", "rest of file", "remaining code",
	"remaining lines", "remains the same", "remain the same", "stays the same", "stay the same",
}

// remark reports whether a text consists of words of the table and one of them
// has enough weight.
func remark(text string, dots bool) bool {
	if strings.ContainsAny(text, "=+{}<>\"`$&|@\\_,;0123456789") {
		return false
	}
	heaviest := weight(0)
	var said []string
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }) {
		w = strings.ToLower(w)
		found := weigh(w)
		if found == 0 {
			return false
		}
		heaviest = max(heaviest, found)
		said = append(said, w)
	}
	if heaviest == plain || heaviest == partial && dots {
		return true
	}
	for _, p := range phrases {
		if strings.Contains(" "+strings.Join(said, " ")+" ", " "+p+" ") {
			return true
		}
	}
	return false
}

func weigh(word string) weight {
	switch word {
	case "unchanged", "omitted", "elided", "unmodified", "snipped", "snip", "brevity":
		return plain
	case "existing", "rest", "remaining", "remains", "remain", "remainder", "same", "previous", "original", "other",
		"skipped", "truncated", "unaltered", "keep", "kept", "stays", "stay":
		return partial
	case "the", "of", "as", "is", "are", "and", "for", "to", "in", "all", "no", "more", "here", "this", "that", "it", "everything",
		"else", "before", "above", "below", "from", "with", "your", "our", "exactly", "continues", "continue", "changes",
		"change", "code", "file", "files", "content", "contents", "text", "lines", "line", "function", "functions",
		"method", "methods", "class", "classes", "component", "module", "body", "implementation", "implementations",
		"logic", "imports", "import", "section", "sections", "part", "parts", "tests", "test", "cases", "fields",
		"properties", "props", "definitions", "declarations", "config", "configuration":
		return filler
	}
	return 0
}
