package ledger_test

import (
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// check holds all that a session says of a file against the model.
func (w *world) check(s *session, p string) {
	w.observe(s, p)
	w.checkLive(s, p)
	if w.texts == 0 {
		w.checkStale(s, p)
	}
	if w.texts == 0 || w.alone {
		w.checkRenumber(s, p)
	}
	want := ledger.NeverShown
	if m := s.models[p]; len(m) > 0 {
		want = ledger.Outdated
		for i := len(m) - 1; i >= 0; i-- {
			if m[i].view {
				if textOf(m[i].now) == textOf(w.files[p]) {
					want = ledger.Current
				}
				break
			}
		}
	}
	require.Equal(w.t, want, s.l.Knows(p, w.version(p)))
}

// checkLive judges every line under the live tag.
func (w *world) checkLive(s *session, p string) {
	v, m := w.version(p), s.models[p]
	all := []hashline.Op{{Kind: hashline.Delete, Span: hashline.Span{First: 1, Last: max(1, v.Lines)}}}
	verdict := s.l.Judge(p, v.Tag, v, all)
	if _, text, ok := m.underTag(v.Tag); ok && textOf(text) != textOf(w.files[p]) {
		require.Equal(w.t, ledger.Collision, verdict.Reason)
		return
	}
	require.Empty(w.t, verdict.Reason)
	movedAt := map[int]ledger.Moved{}
	for _, d := range verdict.Moved {
		for k := range d.Lines {
			one := d
			if one.Line, one.Lines = d.Line+k, 1; d.Now > 0 {
				one.Now += k
			}
			if d.Was > 0 {
				one.Was += k
			}
			movedAt[one.Line] = one
		}
	}
	goodRows := make([]bool, v.Lines+1)
	for n := 1; n <= v.Lines; n++ {
		moved, isMoved := movedAt[n]
		unseen := slices.ContainsFunc(verdict.Unseen, func(u hashline.Span) bool { return u.Contains(n) })
		require.False(w.t, isMoved && unseen)
		goodRows[n] = !isMoved && !unseen
		w.checkLine(m, n, v.Tag, moved, isMoved, unseen)
	}
	spans, rows := w.rows(v.Lines)
	covered := len(rows) > 0 || func() bool { _, _, ok := m.underTag(v.Tag); return ok }()
	for _, n := range rows {
		covered = covered && goodRows[n]
	}
	require.Equal(w.t, covered, s.l.Covered(p, v, spans), "rows %v", rows)
}

func (w *world) checkLine(m model, n int, tag hashline.Tag, moved ledger.Moved, isMoved, unseen bool) {
	if len(m) == 0 {
		require.True(w.t, unseen)
		return
	}
	if w.texts > 0 && !w.alone {
		w.checkAlike(m, n, tag, isMoved, unseen)
		return
	}
	want := m.line(n, tag)
	switch {
	case unseen:
		w.met["unseen"]++
		require.Equal(w.t, never, want, "line %d was shown", n)
	case !isMoved:
		w.met["good"]++
		require.Equal(w.t, good, want, "line %d is let through", n)
	default:
		w.met["moved"]++
		if w.held == nothing && !w.alone {
			return // it may know no better
		}
		require.NotEqual(w.t, good, want, "line %d is refused", n)
		require.Equal(w.t, want == never && !m.strange(m.known()[n-1].id), moved.New && !m.strange(m.known()[n-1].id))
		w.checkMoved(m, n, moved)
	}
	if want == never && !m.strange(m.known()[n-1].id) {
		require.Equal(w.t, w.held == nothing && !w.alone && isMoved || m.refused(n, tag), isMoved, "line %d was never shown", n)
	}
}

// checkAlike is for lines that cannot be told apart by their texts. What is let
// through has at least the text that the number last stood for.
func (w *world) checkAlike(m model, n int, tag hashline.Tag, isMoved, unseen bool) {
	rows, _, _ := m.underTag(tag)
	l, shown := m.lastUnder(n, false)
	switch {
	case isMoved:
		w.met["moved"]++
		require.False(w.t, rows[n], "line %d is refused", n)
	case unseen:
		w.met["unseen"]++
		require.False(w.t, rows[n], "line %d was shown", n)
	default:
		w.met["good"]++
		require.True(w.t, shown && (rows[n] || l.text == m.known()[n-1].text), "line %d is let through", n)
	}
}

// checkMoved holds what is said of the row that had the number against the
// model.
func (w *world) checkMoved(m model, n int, moved ledger.Moved) {
	l, shown := m.lastUnder(n, false)
	if !shown {
		was := moved.Was
		require.Equal(w.t, ledger.Moved{Line: n, Lines: 1, Fate: ledger.Unshown, New: moved.New, Was: was}, moved)
		if was > 0 {
			w.met["not shown under the number"]++
			require.Equal(w.t, m.lastNumber(m.known()[n-1].id), was, "line %d", n)
		}
		return
	}
	now := place(m.known(), l.id)
	switch {
	case now > 0:
		require.Equal(w.t, ledger.Kept, moved.Fate, "line %d", n)
		require.Equal(w.t, now, moved.Now, "line %d", n)
	case m.byOwnHand(l.id):
		require.Equal(w.t, ledger.Gone, moved.Fate, "line %d", n)
	default:
		require.Contains(w.t, []ledger.Fate{ledger.Gone, ledger.Changed}, moved.Fate, "line %d", n)
	}
}

// checkRenumber plays an agent that keeps its views and reads nothing but the
// stretches and which numbers are void.
func (w *world) checkRenumber(s *session, p string) {
	m := s.models[p]
	stretches, void := s.l.Renumber(p), s.l.Void(p)
	for i, r := range stretches {
		back := !slices.ContainsFunc(stretches, func(r ledger.Stretch) bool { return r.Now != r.Old })
		require.True(w.t, r.Now != r.Old || back && len(stretches) <= 1+len(void), "a row that is back: %v", stretches)
		require.True(w.t, i == 0 || r.Old > stretches[i-1].Old && stretches[i-1].Last > 0 && r.Old > stretches[i-1].Last, "%v", stretches)
	}
	if len(m) == 0 {
		return
	}
	for n := 1; n <= 60; n++ {
		l, shown := m.lastUnder(n, true)
		now := place(m.known(), l.id)
		if slices.ContainsFunc(void, func(v hashline.Span) bool { return v.Contains(n) }) {
			w.met["void"]++
			require.False(w.t, w.alone, "old line %d is void: %v", n, void)
			if w.held == nothing {
				require.True(w.t, m.sinceShown(n), "old line %d is void: %v", n, void)
			} else {
				require.True(w.t, !shown || now == 0, "old line %d is void, and line %d: %v", n, now, void)
			}
			continue
		}
		if !shown || now == 0 {
			continue
		}
		said := n
		for _, r := range stretches {
			if r.Old <= n && (r.Last == 0 || n <= r.Last) {
				said = r.Now + n - r.Old
			}
		}
		require.Equal(w.t, now, said, "old line %d by %v", n, stretches)
		if now != n {
			w.met["renumbered"]++
		}
	}
}

// checkStale judges under a tag of before.
func (w *world) checkStale(s *session, p string) {
	v, m := w.version(p), s.models[p]
	var tags, offered []hashline.Tag
	for _, e := range m {
		if e.view && e.tag != v.Tag {
			tags = append(tags, e.tag)
			if len(e.offers) > 0 {
				offered = append(offered, e.tag)
			}
		}
	}
	if len(offered) > 0 && w.r.IntN(2) == 0 {
		tags = offered
	}
	if len(tags) == 0 {
		want := ledger.UnknownTag
		if len(m) == 0 {
			want = ledger.Unread
		}
		require.Equal(w.t, want, s.l.Judge(p, v.Tag+1, v, nil).Reason)
		return
	}
	tag := tags[w.r.IntN(len(tags))]
	w.met["stale"]++
	require.Equal(w.t, ledger.Stale, s.l.Judge(p, tag, v, nil).Reason)
	_, old, _ := m.underTag(tag)
	ops := w.again(m, tag, len(old))
	w.checkLocated(s, m, p, tag, old, ops)
	doc := &hashline.Document{Sections: []hashline.Section{{Path: p, Tag: tag, Ops: ops}}}
	corrected, ok := s.l.Correct(doc, []ledger.Live{{Path: p, Version: v}})
	now := w.files[p]
	may, strange := canCorrect(ops, old, now), false
	for n := range old {
		for _, o := range ops {
			if o.Kind != hashline.Append && o.Span.Contains(n+1) {
				may = may && (m.offered(o, n+1, tag) || !m.whenLive(old).refused(n+1, tag))
				// It may stand in the place of a line that was shown.
				strange = strange || m.strange(old[n].id)
			}
		}
	}
	if w.held == nothing || !s.whole || strange {
		require.False(w.t, ok && !may)
	} else {
		require.Equal(w.t, may, ok, "%v", ops)
	}
	if !ok {
		return
	}
	w.met["corrected"]++
	require.Equal(w.t, v.Tag, corrected.Sections[0].Tag)
	if diff := cmp.Diff(meant(ops, old, now), applyOps(corrected.Sections[0].Ops, now)); diff != "" {
		w.t.Fatalf("%v (-meant +done):\n%s", corrected.Sections[0].Ops, diff)
	}
}

func (w *world) checkLocated(s *session, m model, p string, tag hashline.Tag, old []modelLine, ops []hashline.Op) {
	located, ok := s.l.Locate(p, tag, w.version(p), ops)
	if w.held != nothing && s.whole {
		require.True(w.t, ok)
	}
	for _, at := range located {
		refused, strange := false, false
		for n := at.First.Line; n <= at.Last.Line; n++ {
			wrong := m.whenLive(old).refused(n, tag)
			if wrong && m.offered(ops[at.Op], n, tag) {
				w.met["located by an offer"]++
				wrong = false
			}
			refused = refused || wrong
			strange = strange || m.strange(old[n-1].id)
		}
		switch {
		case at.Misnumbered:
			w.met["misnumbered"]++
			if w.held != nothing && s.whole && !strange {
				require.True(w.t, refused, "%+v", at)
			}
			for n := at.First.Line; n <= at.Last.Line && at.Rows.First > 0; n++ {
				l, shown := m.whenLive(old).lastUnder(n, false)
				require.True(w.t, shown, "%+v", at)
				if !m.strange(l.id) {
					w.met["misnumbered, but the row is told"]++
					require.Equal(w.t, place(w.files[p], l.id), at.Rows.First+n-at.First.Line, "%+v", at)
				}
			}
			continue
		case w.held != nothing && s.whole && !strange:
			require.False(w.t, refused, "%+v", at)
		}
		for _, where := range []ledger.Place{at.First, at.Last} {
			now := place(w.files[p], old[where.Line-1].id)
			require.Equal(w.t, now > 0, where.Fate == ledger.Kept, "%+v", where)
			if now > 0 {
				w.met["located"]++
				require.Equal(w.t, now, where.Now)
			}
		}
	}
}
