package apply

import (
	"strings"
	"unicode"
)

// saysLeftOut reports whether a row only says that code was left out: a comment
// of any language, or bare text with an ellipsis, whose words all belong to such
// a remark, as in "// ... existing code ...", "# rest of file unchanged" and
// "<!-- ... -->".
//
// "..." alone is none: it is code in Python and ends a document in YAML. "…"
// alone is one: it is the row that a view shows where it leaves rows out. And
// "//..." without a blank is a pattern of build tools.
func saysLeftOut(row string) bool {
	if len(row) > maxDoubt {
		return false
	}
	text, comment := uncomment(strings.TrimSpace(row))
	if !comment && !strings.Contains(text, "...") && !strings.Contains(text, "…") {
		return false
	}
	words, dots := remark(text)
	switch {
	case words == nil:
		return false
	case len(words) == 0:
		return text == "…" || comment && dots && unicode.IsSpace(rune(text[0])) && isDots(strings.TrimSpace(text))
	}
	return (comment || dots) && leftOut(words, dots)
}

// uncomment takes the marks of a comment away. The text keeps the blank after
// the mark.
func uncomment(s string) (text string, comment bool) {
	if inner, ok := strings.CutPrefix(s, "{/*"); ok {
		if inner, ok = strings.CutSuffix(inner, "*/}"); ok {
			return inner, true
		}
	}
	for _, pair := range [...][2]string{{"/*", "*/"}, {"<!--", "-->"}, {"(*", "*)"}, {"{-", "-}"}} {
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

// remark gives the words of a text in lower case, and whether it begins or ends
// with an ellipsis. The words are nil where one of them belongs to no remark
// about things left out; then it is the text of something else.
func remark(text string) (words []string, dots bool) {
	text = strings.TrimSpace(text)
	inner := strings.Trim(text, "()[] ")
	dots = isDots(inner[:min(3, len(inner))]) || isDots(inner[max(0, len(inner)-3):])
	words = []string{}
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }) {
		w = strings.ToLower(w)
		if _, known := vocabulary(w); !known {
			return nil, dots
		}
		words = append(words, w)
	}
	if len(words) > 0 && strings.ContainsAny(text, "=+{}<>\"`$&|@\\0123456789") {
		return nil, dots
	}
	return words, dots
}

// isDots reports whether a text is an ellipsis and nothing else.
func isDots(s string) bool { return s == "…" || len(s) >= 3 && strings.Trim(s, ".") == "" }

// The words of a remark about things left out.
const (
	filler  = iota // "the", "code"
	partial        // says so beside dots: "existing", "rest"
	plain          // says so in a comment without dots too: "unchanged"
)

func vocabulary(word string) (weight int, known bool) {
	switch word {
	case "unchanged", "omitted", "elided", "unmodified", "snipped", "snip", "brevity":
		return plain, true
	case "existing", "rest", "remaining", "remains", "remain", "remainder", "same", "previous", "original",
		"other", "more", "skipped", "truncated", "unaltered", "keep", "kept", "stays", "stay":
		return partial, true
	case "the", "of", "as", "is", "are", "and", "for", "to", "in", "all", "no", "here", "this", "that", "it", "everything", "else",
		"before", "above", "below", "code", "file", "files", "content", "contents", "text", "lines", "line",
		"function", "functions", "method", "methods", "class", "classes", "component", "module", "body",
		"implementation", "implementations", "logic", "imports", "import", "section", "sections", "part", "parts",
		"tests", "test", "cases", "fields", "properties", "props", "definitions", "declarations", "config", "configuration",
		"continues", "continue", "from", "with", "your", "our", "unless", "exactly", "stuff", "changes", "change":
		return filler, true
	}
	return filler, false
}

// leftOut weighs the words of a remark, all of which are in the vocabulary.
func leftOut(words []string, dots bool) bool {
	said := " " + strings.Join(words, " ") + " "
	for _, w := range words {
		if weight, _ := vocabulary(w); weight == plain || weight == partial && dots {
			return true
		}
	}
	for _, phrase := range [...]string{
		" existing code ", " rest of the code ", " rest of code ", " rest of the file ", " rest of file ",
		" remains the same ", " remain the same ", " stays the same ", " stay the same ",
		" same as before ", " same as above ", " remaining code ", " remaining lines ",
	} {
		if strings.Contains(said, phrase) {
			return true
		}
	}
	return false
}
