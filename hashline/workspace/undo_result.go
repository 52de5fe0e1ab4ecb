package workspace

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// undoResult lays out what an undo did: a line on the edits, and for each file
// a line and what it is now.
func (s *Session) undoResult(records []commit.Record, list []pending, warnings hashline.Diagnostics) *Result {
	res := &Result{Warnings: warnings}
	room := s.answerLimit()
	if len(warnings) > 0 {
		room -= room / 4
	}
	head := s.undid(records) + "; undo again takes this back\n\n"
	texts := make([]string, len(list))
	share := max(1, (room-len(head))/len(list)-2)
	for i, p := range list {
		res.Files = append(res.Files, p.change)
		var seen shown
		texts[i], seen = s.undoneText(p, share)
		res.shown = append(res.shown, seen)
	}
	var b strings.Builder
	res.shown = res.shown[:bounded(&b, head, texts, "\n\n", room, "files; read them for their tags")]
	warningLines(&b, warnings, s.answerLimit())
	res.Content = b.String()
	return res
}

// undid says which edits were taken back, and whose they were.
func (s *Session) undid(records []commit.Record) string {
	if len(records) > 1 {
		others, by := 0, ""
		for _, r := range records {
			if whose := s.whose(r); whose != "" {
				others, by = others+1, whose
			}
		}
		switch {
		case others == 1:
			return "undid " + countOf(len(records), "edit") + ", 1 of them made" + by
		case others > 1:
			return fmt.Sprintf("undid %s, %d of them made by others", countOf(len(records), "edit"), others)
		}
		return "undid " + countOf(len(records), "edit")
	}
	r := records[0]
	made := s.whose(r)
	if made != "" {
		made = " made" + made
	}
	switch {
	case r.Of != "":
		return "put back what was there before an edit that was interrupted"
	case len(r.Undoes) > 0:
		return "undid an undo" + made + ", so that what it took back is done again"
	}
	return "undid 1 edit" + made
}

// undoneText tells of one file, within a number of bytes.
func (s *Session) undoneText(p pending, share int) (string, shown) {
	switch {
	case p.remove:
		return "removed " + p.place.path, shown{}
	case p.create:
		return s.nowText("created "+p.place.path+" again", p, share)
	}
	return s.nowText("restored "+p.place.path, p, share)
}

func (s *Session) nowText(head string, p pending, share int) (string, shown) {
	head += "\n"
	text, err := snapshot.Decode(p.new)
	if err != nil {
		return head + "(not text)", shown{}
	}
	snap := snapshot.Take(p.place.path, s.scheme, text)
	share = max(1, share-len(head))
	view := snap.Chain
	if !p.create && len(p.spans) > 0 {
		view = func(budget int) snapshot.View { return snap.Preview(focusOf(p.spans, text.Lines()), budget) }
	}
	now := view(share)
	return head + now.Text, shown{file{place: p.place, snap: snap}, now.Rows}
}

// focusOf gives the rows to show around changed stretches: those written, or
// the two neighbours where none was.
func focusOf(spans []Changed, lines int) []hashline.Span {
	var focus []hashline.Span
	for _, s := range spans {
		now := s.New
		if now.Len() == 0 {
			now = hashline.Span{First: now.First - 1, Last: now.First}
		}
		now.First, now.Last = max(now.First, 1), min(now.Last, lines)
		if now.First <= now.Last {
			focus = append(focus, now)
		}
	}
	return focus
}

func (s *Session) refuseUndo(err error) error {
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return err
	}
	head := undoRejected
	var torn *commit.Torn
	if errors.As(err, &torn) {
		head = "undo failed in the middle, and not all could be put back"
	}
	return s.refuse(head, err)
}

func countOf(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
