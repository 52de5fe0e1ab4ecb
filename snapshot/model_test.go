package snapshot_test

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// The model: what the contract says, in strings and line by line, with no
// regard for speed. It shares no code with the package.

// modelLine is a line of the model.
type modelLine struct{ text, end string }

func modelLines(text string) []modelLine {
	text = strings.TrimPrefix(text, "\uFEFF")
	parts := strings.Split(text, "\n")
	var lines []modelLine
	for i, p := range parts {
		switch {
		case i == len(parts)-1 && p == "":
		case i == len(parts)-1:
			lines = append(lines, modelLine{p, ""})
		case strings.HasSuffix(p, "\r"):
			lines = append(lines, modelLine{p[:len(p)-1], "\r\n"})
		default:
			lines = append(lines, modelLine{p, "\n"})
		}
	}
	return lines
}

// modelStrip gives what a tag covers.
func modelStrip(text string) string {
	parts := strings.Split(text, "\n")
	for i, p := range parts {
		parts[i] = strings.TrimRight(p, " \t\r")
	}
	return strings.Join(parts, "\n")
}

func modelClip(line string) string {
	if len(line) <= 2000 || utf8.RuneCountInString(line) <= 2000 {
		return line
	}
	runes := []rune(line)
	return fmt.Sprintf("%s…[+%d chars]", string(runes[:2000]), len(runes)-2000)
}

// modelRow gives a row as a view shows it.
func modelRow(lines []modelLine, n int) string {
	return fmt.Sprintf("%d:%s", n, modelClip(lines[n-1].text))
}

// modelList writes ascending numbers as "1, 7-9".
func modelList(numbers []int, between string) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		if i == j {
			parts = append(parts, fmt.Sprint(numbers[i]))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", numbers[i], numbers[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, between)
}

// modelView renders a header, rows in ascending order, footer 6 and a footer.
func modelView(header string, lines []modelLine, rows []int, footer string) string {
	out := []string{header}
	var clipped []int
	for i, n := range rows {
		if i > 0 && rows[i-1] != n-1 {
			out = append(out, "…")
		}
		out = append(out, modelRow(lines, n))
		if modelClip(lines[n-1].text) != lines[n-1].text {
			clipped = append(clipped, n)
		}
	}
	var foot []string
	if len(clipped) > 0 {
		foot = append(foot, "[cut rows: "+modelList(clipped, ", ")+"; their text is longer than shown]")
	}
	if footer != "" {
		foot = append(foot, footer)
	}
	if len(foot) > 0 {
		out = append(append(out, ""), foot...)
	}
	return strings.Join(out, "\n")
}

// modelChoice picks the rows of a bounded view.
func modelChoice(total int, focus map[int]bool, context int) []int {
	shown := make([]bool, total+2)
	for n := 1; n <= total; n++ {
		for d := -context; d <= context; d++ {
			shown[n] = shown[n] || focus[n+d] && n+d >= 1 && n+d <= total
		}
	}
	var hunks [][]int
	all := 0
	for n := 1; n <= total; n++ {
		if !shown[n] {
			continue
		}
		if !shown[n-1] {
			hunks = append(hunks, nil)
		}
		hunks[len(hunks)-1] = append(hunks[len(hunks)-1], n)
		all++
	}
	keep := map[int]bool{}
	unfilled := 0
	for i, h := range hunks {
		share := max(1, 40/len(hunks))
		places := share
		switch {
		case all <= 40:
			places = len(h)
		case i >= 40:
			places = 0
		case i == len(hunks)-1:
			places = 40 - share*(len(hunks)-1) + unfilled
		}
		var order []int
		for _, wantFocus := range []bool{true, false} {
			for _, n := range h {
				if focus[n] == wantFocus {
					order = append(order, n)
				}
			}
		}
		unfilled += max(0, places-len(order))
		for _, n := range order[:min(places, len(order))] {
			keep[n] = true
		}
	}
	var rows []int
	for n := 1; n <= total; n++ {
		if keep[n] {
			rows = append(rows, n)
		}
	}
	return rows
}

// modelChain picks the rows of a chain snapshot.
func modelChain(total int) []int {
	var rows []int
	for n := 1; n <= total; n++ {
		if n <= 28 || n > total-8 {
			rows = append(rows, n)
		}
	}
	return rows
}

// numbers gives the lines of spans.
func numbers(spans []hashline.Span) []int {
	var all []int
	for _, s := range spans {
		for n := s.First; n <= s.Last; n++ {
			all = append(all, n)
		}
	}
	return all
}

// take makes a snapshot of a text that needs no check.
func take(text string) snapshot.Snapshot {
	return snapshot.Take("src/a.txt", snapshot.XXH64, snapshot.New([]byte(text)))
}

func wholeOr(total int, rows []int, footer string) string {
	if len(rows) == total {
		return ""
	}
	return footer
}
