package workspace

import (
	"bytes"
	"slices"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// Event tells a host that a file was changed on disk, so that an editor or a
// language server can follow.
type Event struct {
	// Tool is the tool that did it.
	Tool string
	// Path is relative to the root.
	Path string
	// OldTag is nil for a file that was created, NewTag for one that was
	// removed.
	OldTag, NewTag *hashline.Tag
	// Spans are the stretches of lines that were written, in order.
	Spans []Changed
}

// Changed is a stretch of lines that took the place of another: Old are lines of
// the text before, New of the text after. A stretch of no lines ends before it
// begins: First is where it stands.
type Changed = ledger.Change

// changedLines compares two texts: what lies between their first and their last
// difference.
func changedLines(before, after []byte) []Changed {
	if bytes.Equal(before, after) {
		return nil
	}
	head, tail := commonLines(before, after)
	first := bytes.Count(before[:head], []byte{'\n'}) + 1
	span := func(text []byte) hashline.Span {
		middle := text[head : len(text)-tail]
		n := bytes.Count(middle, []byte{'\n'})
		if len(middle) > 0 && middle[len(middle)-1] != '\n' {
			n++
		}
		return hashline.Span{First: first, Last: first + n - 1}
	}
	return []Changed{{Old: span(before), New: span(after)}}
}

// changedByOps gives the stretches that operations write in a text of some
// lines.
func changedByOps(ops []hashline.Op, lines int) []Changed {
	type piece struct {
		old  hashline.Span
		rows int
	}
	pieces := make([]piece, len(ops))
	for i, o := range ops {
		old := o.Span
		switch o.Kind {
		case hashline.InsertBefore:
			old.Last = old.First - 1
		case hashline.InsertAfter:
			old = hashline.Span{First: old.First + 1, Last: old.First}
		case hashline.Append:
			old = hashline.Span{First: lines + 1, Last: lines}
		}
		pieces[i] = piece{old, len(o.Body)}
	}
	slices.SortStableFunc(pieces, func(a, b piece) int {
		if a.old.First != b.old.First {
			return a.old.First - b.old.First
		}
		// Rows come before the line that they are inserted in front of.
		return a.old.Last - b.old.Last
	})
	var all []Changed
	moved := 0
	for _, p := range pieces {
		first := p.old.First + moved
		moved += p.rows - p.old.Len()
		now := hashline.Span{First: first, Last: first + p.rows - 1}
		if n := len(all); n > 0 && all[n-1].Old.Last+1 == p.old.First {
			all[n-1].Old.Last, all[n-1].New.Last = p.old.Last, now.Last
			continue
		}
		all = append(all, Changed{Old: p.old, New: now})
	}
	return all
}
