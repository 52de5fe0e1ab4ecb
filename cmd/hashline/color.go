package main

import (
	"os"
	"strings"

	"github.com/fatih/color"
)

// colored decides whether diffs have colours. The word of the flag goes before
// all else; auto means on a terminal that is not called dumb, unless NO_COLOR
// has a value.
func colored(flag string, terminal bool, noColor, term string) bool {
	switch flag {
	case "always":
		return true
	case "never":
		return false
	}
	return terminal && noColor == "" && term != "dumb"
}

// paints decides it for this run.
func (a *app) paints() bool {
	return colored(a.color.value, a.out.terminal, os.Getenv("NO_COLOR"), os.Getenv("TERM"))
}

// diff shows the diff of one file. With colours it is for a person, wherever it
// goes, so control characters are made visible then too.
func (a *app) diff(diff string) {
	paint := a.paints()
	if (paint || a.out.terminal) && onlyCRLF(diff) {
		// Where every line ends in CR LF the CR tells nothing.
		diff = strings.ReplaceAll(diff, "\r\n", "\n")
	}
	if !paint {
		a.out.text(diff)
		return
	}
	a.out.raw(painted(visible(diff)))
}

// painted gives a diff of one file its colours.
func painted(diff string) string {
	head := newColor(color.Bold)
	hunk := newColor(color.FgCyan)
	added := newColor(color.FgGreen)
	removed := newColor(color.FgRed)
	var b strings.Builder
	n := 0
	for line := range strings.Lines(diff) {
		text, end := strings.CutSuffix(line, "\n")
		style := (*color.Color)(nil)
		switch n++; {
		case n <= 2:
			style = head
		case strings.HasPrefix(text, "@@"):
			style = hunk
		case strings.HasPrefix(text, "+"):
			style = added
		case strings.HasPrefix(text, "-"):
			style = removed
		}
		if style != nil {
			text = style.Sprint(text)
		}
		b.WriteString(text)
		if end {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// newColor gives a colour that does not look at the package's global switch.
func newColor(attribute color.Attribute) *color.Color {
	c := color.New(attribute)
	c.EnableColor()
	return c
}

// onlyCRLF reports whether every line of both versions that a diff shows ends in
// CR LF. The first two lines name the files.
func onlyCRLF(diff string) bool {
	n, some := 0, false
	for line := range strings.Lines(diff) {
		if n++; n <= 2 {
			continue
		}
		switch line[0] {
		case ' ', '+', '-':
			if !strings.HasSuffix(line, "\r\n") {
				return false
			}
			some = true
		}
	}
	return some
}
