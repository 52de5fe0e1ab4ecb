package workspace

import (
	"fmt"
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// Result is what a call that succeeded answers.
type Result struct {
	// Content is the text for the agent. It ends without a line end and fits
	// the session's output limit.
	Content string
	// Files tells what changed, in document order; empty for calls that change
	// nothing.
	Files []FileChange
	// Sections tells of each section of an edit's document, in its order; nil
	// for other calls.
	Sections []Section
	// Warnings are also in Content.
	Warnings hashline.Diagnostics

	shown []shown
}

// shown are rows of a file that an answer shows.
type shown struct {
	file
	rows []hashline.Span
}

// Refusal is the error of a call that was refused. Nothing was changed, unless
// a fault with the code [hashline.IO] says otherwise.
type Refusal struct {
	// Content is the text for the agent: what is wrong and what to retry from.
	// It ends without a line end and fits the session's output limit.
	Content string
	// Faults holds every fault that was found, in document order, never none.
	Faults hashline.Diagnostics

	shown []shown
}

// Error gives the faults, a line each.
func (r *Refusal) Error() string { return r.Faults.Error() }

// Unwrap gives the faults to errors.Is and errors.As.
func (r *Refusal) Unwrap() []error { return r.Faults.Unwrap() }

// Code is the code of the first fault, [hashline.Syntax] for any fault of
// syntax (spec 6).
func (r *Refusal) Code() hashline.Code {
	if c := r.Faults[0].Code; !c.IsSyntax() {
		return c
	}
	return hashline.Syntax
}

// refuse makes the refusal of a call that has no snapshot to show.
func (s *Session) refuse(head string, err error) *Refusal {
	return s.render(&refusal{head: head, faults: faultsOf(err)})
}

// refuse makes the refusal of what a person asks for.
func (w *Workspace) refuse(head string, err error) *Refusal {
	return w.render(&refusal{head: head, faults: faultsOf(err)}, OutputLimit)
}

// refusal is a [Refusal] in the making.
type refusal struct {
	head   string
	faults hashline.Diagnostics
	valid  []string
	// views render the live snapshots, each within the bytes it is given.
	views []func(budget int) (string, shown)
	// opened are files whose texts the views need.
	opened []file
	// unjudged tells that the views are of sections that could not be held against
	// what the agent was shown.
	unjudged bool
	// last stands at the end; it has at most half of the limit.
	last string
}

// render writes a refusal within the session's output limit, and remembers what
// it shows.
func (s *Session) render(r *refusal) *Refusal {
	defer func() {
		for _, f := range r.opened {
			f.close()
		}
	}()
	refusal := s.core.render(r, s.refusalLimit())
	if r.unjudged {
		s.glimpse(refusal.shown)
	} else {
		s.see(refusal.shown)
	}
	return refusal
}

func (s *Session) refusalLimit() int {
	if s.refusals > 0 {
		return min(s.limit, s.refusals)
	}
	return s.limit
}

func (w *core) render(r *refusal, limit int) *Refusal {
	w.nameClose(r.faults)
	return r.render(limit)
}

// render lays the refusal out within a limit of bytes (spec 7). The lines of
// faults and names get at most half of it, the snapshots share the rest.
func (r *refusal) render(limit int) *Refusal {
	var b strings.Builder
	b.WriteString(r.head)
	lines := faultLines(r.faults)
	limit -= len(r.last)
	half := limit / 2
	if len(r.views) == 0 {
		half = limit
	}
	bounded(&b, "\n", lines, "\n", half, "faults")
	if len(r.valid) > 0 {
		bounded(&b, "\nvalid: ", r.valid, ", ", half+half/4, "")
	}
	const title = "\n\nLive snapshot to retry from:\n"
	var texts []string
	var seen []shown
	room := limit - b.Len() - len(title)
	views := r.views[:min(len(r.views), max(1, room/leastView))]
	more := len(r.views) - len(views)
	if more > 0 {
		room -= roomForMore
	}
	for _, render := range views {
		share := max(1, room/len(views)-2)
		if text, rows := render(share); text != "" {
			texts, seen = append(texts, text), append(seen, rows)
		}
	}
	if len(texts) > 0 {
		seen = seen[:boundedOf(&b, title, texts, more, "\n\n", limit, "snapshots; read_file shows those files")]
	}
	b.WriteString(r.last)
	return &Refusal{Content: b.String(), Faults: r.faults, shown: seen}
}

// leastView is how many bytes a live snapshot has at least where there are several:
// fewer rows are of no use.
const leastView = 256

// roomForMore is for the words on what was left out.
const roomForMore = 72

// bounded writes parts, joined, as long as the whole stays within limit bytes,
// and then says how many more there are. The first part is always written, cut
// at the limit if need be. It gives how many parts stand there whole.
func bounded(b *strings.Builder, head string, parts []string, joint string, limit int, what string) int {
	return boundedOf(b, head, parts, 0, joint, limit, what)
}

// boundedOf is bounded for the first parts of several; more is how many others
// there are.
func boundedOf(b *strings.Builder, head string, parts []string, more int, joint string, limit int, what string) int {
	room := 40 + max(0, len(what)-12)
	tell := func(n int) {
		if n += more; n > 0 {
			fmt.Fprintf(b, "%s… +%d more", joint, n)
			if what != "" {
				b.WriteString(" " + what)
			}
		}
	}
	b.WriteString(head)
	for i, part := range parts {
		last := i == len(parts)-1 && more == 0
		if end := b.Len() + len(joint) + len(part); end+room > limit && (!last || end > limit) {
			rest := len(parts) - i
			if i == 0 {
				b.WriteString(cut(part, max(limit-b.Len()-room, 0)))
				rest--
			}
			tell(rest)
			return i
		}
		if i > 0 {
			b.WriteString(joint)
		}
		b.WriteString(part)
	}
	tell(0)
	return len(parts)
}

// cut shortens a text to at most n bytes without taking a rune apart, and marks
// that it did.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n = max(n-len("…"), 0)
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}

// warningLines appends the warnings to an answer (spec 7).
func warningLines(b *strings.Builder, warnings hashline.Diagnostics, limit int) {
	if len(warnings) == 0 {
		return
	}
	lines := make([]string, len(warnings))
	for i, d := range warnings {
		lines[i] = "warning: " + d.Error()
	}
	bounded(b, "\n\n", lines, "\n", limit, "warnings")
}
