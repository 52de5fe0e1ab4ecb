package grammar

import (
	"fmt"
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// separator is what stands between two line numbers.
type separator int

const (
	sepNone  separator = iota
	sepRange           // it makes a span
	sepList            // it makes a list, or perhaps a span
	sepPlus            // it adds a line or a number of lines
	sepColon           // it makes a span, or ends the place of a PUT
)

func sepOf(s string) separator {
	switch strings.ToLower(strings.Trim(s, " \t")) {
	case ".=", "..", "-", "...", "..=", "...=", "…", "–", "—", "--", "->", "-->", "=>", "–>", "→", "~", "=", "==", ".", "::", ":=", ".-", "-=", "=.", ".:",
		"to", "through", "thru", "until", "till", "up to", "- to -":
		return sepRange
	case "", ",", ";", "&", "&&", "and", ", and", "|", "/", "or", ",,", "\\":
		return sepList
	case "+", ",+":
		return sepPlus
	case ":":
		return sepColon
	}
	return sepNone
}

// maxLoose is how many line numbers are read that stand in one operation.
const maxLoose = 64

// loose explains several line numbers in one operation that are no span as the
// format has it, such as "3,5", "3 to 5", "3:5" or "1, 2 and 4". It reads on from
// index i, where the first number and the blanks behind it end, and gives nil
// for anything else.
func (f *opLine) loose(i int) *hashline.Diagnostic {
	at := i
	numbers := []int{f.first}
	var seps []separator
	for {
		j := i
		for j < len(f.s) && j < i+12 && !isDigit(f.s[j]) {
			j++
		}
		if j == len(f.s) || !isDigit(f.s[j]) {
			break
		}
		sep := sepOf(f.s[i:j])
		end := digits(f.s, j)
		n := lineNumber(f.s[j:end])
		if sep == sepNone || n == 0 || len(numbers) == maxLoose {
			return nil
		}
		numbers, seps, i = append(numbers, n), append(seps, sep), end
	}
	rest := strings.Trim(f.s[i:], " \t,;.")
	text := strings.TrimLeft(rest, ": \t")
	if len(seps) == 0 || len(seps) == 1 && f.last > 0 || text != "" && (!f.put || rest[0] != ':' && rest[0] != '+') {
		return nil
	}
	what := "not a span: "
	if len(numbers) > 2 {
		what = "several places in one operation: "
	}
	hint := f.looseHint(numbers, seps, strings.HasPrefix(rest, ":"))
	if text != "" {
		if seps[0] == sepColon {
			hint += fmt.Sprintf(", or %s and the row below it: +%s", f.form(f.first, f.first), excerpt(trim(f.s[strings.IndexByte(f.s, ':')+1:])))
		}
		hint += "; the row of a span stands below it: +" + excerpt(strings.TrimPrefix(text, "+"))
	}
	return f.bad(at, what+quote(f.s), hint)
}

func (f *opLine) looseHint(numbers []int, seps []separator, colon bool) string {
	n, m := numbers[0], numbers[len(numbers)-1]
	if f.mark != "" {
		return f.insertHint(n, m)
	}
	if len(seps) > 1 {
		return f.listHint(numbers, seps)
	}
	span := fmt.Sprintf("write %s for lines %d to %d", f.form(n, m), n, m)
	switch {
	case seps[0] == sepPlus:
		last := min(n+m-1, hashline.MaxLine)
		hint := fmt.Sprintf("write %s for %s from line %d, or %s for line %d and %d more", f.form(n, last), plural(m, "line"), n, f.form(n, min(n+m, hashline.MaxLine)), n, m)
		if f.put {
			return hint + fmt.Sprintf("; PUT >%d: inserts after line %d", n, n)
		}
		return hint
	case seps[0] == sepColon && f.put && !colon:
		row := fmt.Sprintf("%s and the row below it: +%d", f.form(n, n), m)
		if m < n {
			return "write " + row + ", or a span as N.=M"
		}
		return span + ", or " + row
	case m < n && seps[0] != sepList:
		return reversedHint(n, m)
	case m < n:
		return reversedHint(n, m) + "; for the two lines " + f.list([]hashline.Span{{First: n, Last: n}, {First: m, Last: m}})
	case seps[0] == sepList && (f.put || m > n+1):
		return span + ", or for these lines alone " + f.list([]hashline.Span{{First: n, Last: n}, {First: m, Last: m}})
	}
	return span
}

// listHint is for more than two numbers.
func (f *opLine) listHint(numbers []int, seps []separator) string {
	spans := []hashline.Span{{First: numbers[0], Last: numbers[0]}}
	chain, run := true, true // all one span; numbers that follow one another
	for i, sep := range seps {
		n := numbers[i+1]
		last := &spans[len(spans)-1]
		if sep == sepRange || sep == sepColon {
			last.Last = n
		} else {
			spans = append(spans, hashline.Span{First: n, Last: n})
			chain = false
		}
		if n <= numbers[i] {
			return "write each place in an operation of its own, a span as N.=M with the smaller number first"
		}
		run = run && n == numbers[i]+1
	}
	whole := f.form(numbers[0], numbers[len(numbers)-1])
	if chain {
		spans = spans[:0]
		for _, n := range numbers {
			spans = append(spans, hashline.Span{First: n, Last: n})
		}
	}
	if chain || run {
		return fmt.Sprintf("write %s for lines %d to %d, or for these lines alone %s", whole, numbers[0], numbers[len(numbers)-1], f.list(spans))
	}
	return "write " + f.list(spans)
}

// list names an operation for each of several spans.
func (f *opLine) list(spans []hashline.Span) string {
	const most = 8
	forms := make([]string, 0, most)
	for _, s := range spans[:min(len(spans), most)] {
		forms = append(forms, f.form(s.First, s.Last))
	}
	last := " and " + forms[len(forms)-1]
	if len(spans) > most {
		last = ", " + forms[len(forms)-1] + " and so on"
	}
	text := strings.Join(forms[:len(forms)-1], ", ") + last
	if f.put {
		return text + ", each on a line of its own with its rows below it"
	}
	return text + ", each on a line of its own"
}

// insertHint is for an insert that has a span.
func (f *opLine) insertHint(n, m int) string {
	where := "before"
	if f.mark == ">" {
		where = "after"
	}
	return fmt.Sprintf("write PUT %s%d: or PUT %s%d: to insert %s line %d or %d, or PUT %d.=%d: to replace the lines",
		f.mark, n, f.mark, m, where, n, m, min(n, m), max(n, m))
}
