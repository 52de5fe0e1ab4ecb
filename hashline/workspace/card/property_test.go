package card_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/applytest"
	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
	"github.com/hashline-go/hashline/hashline/workspace/card"
	"github.com/hashline-go/hashline/snapshot"
)

// TestRandomEdits: what the cards of a document add and remove, put together by
// number, is what a naive model makes of the same operations; and a document is
// verified exactly when the model finds nothing wrong.
func TestRandomEdits(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 1))
	verified := 0
	for range 5_000 {
		text := applytest.Text(rnd)
		ops := applytest.Valid(rnd, text)
		if rnd.IntN(3) == 0 {
			ops = applytest.Any(rnd, text)
		}
		doc := hashline.Document{Sections: []hashline.Section{{Path: "f", Ops: ops}}}
		c := card.Of(doc.String(), true, known(map[string]string{"f": text}))
		wrong := applytest.Check(text, ops)
		require.Equal(t, len(wrong) == 0, c.Verified(), "%q\n%s\n%v", text, doc, c.Text(1<<20))
		s := c.Sections()[0]
		if len(wrong) > 0 {
			require.Equal(t, wrong[0].Code, s.Faults[0].Code, "%q\n%s", text, doc)
			continue
		}
		verified++
		want := applytest.Apply(text, ops)
		if diff := cmp.Diff(rowsOf(want.Text), spliced(t, text, s), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%q\n%s(-model +cards)\n%s", text, doc, diff)
		}
		var sums []string
		for i := range s.Ops {
			sums = append(sums, s.Summary(i))
		}
		require.Equal(t, want.Summary, strings.Join(sums, "; "))
	}
	require.Greater(t, verified, 1_000)
}

func rowsOf(text string) (rows []string) {
	_, lines := applytest.Lines(text)
	for _, l := range lines {
		rows = append(rows, l.Text)
	}
	return rows
}

// spliced puts the rows of cards into the lines of a text: a row numbered n by an
// operation that stands alone lies above what line n was, behind all lines that
// are before it.
func spliced(t *testing.T, text string, s *card.Section) (rows []string) {
	lines := rowsOf(text)
	gone := map[int]bool{}
	above := make([][]string, len(lines)+2)  // rows that stand above a line that stays or goes
	behind := make([][]string, len(lines)+2) // rows that were put after the line before
	inside := make([][]string, len(lines)+2) // rows in the place of lines
	var last []string
	for i, o := range s.Ops {
		for n, line := range s.Removed(i) {
			require.Equal(t, lines[n-1], string(line))
			require.False(t, gone[n], "line %d is removed twice", n)
			gone[n] = true
		}
		at := s.FirstAdded(i)
		switch o.Kind {
		case hashline.Append:
			require.Equal(t, len(lines)+1, at)
			last = append(last, o.Body...)
		case hashline.InsertBefore:
			above[at] = append(above[at], o.Body...)
		case hashline.InsertAfter:
			behind[at] = append(behind[at], o.Body...)
		default:
			inside[at] = append(inside[at], o.Body...)
		}
	}
	for n := 1; n <= len(lines)+1; n++ {
		rows = slices.Concat(rows, behind[n], above[n], inside[n])
		if n <= len(lines) && !gone[n] {
			rows = append(rows, lines[n-1])
		}
	}
	return append(rows, last...)
}

// everything looks up any file that a document names, under the tag that it has
// there.
func everything(doc, text string) card.Lookup {
	tags := map[string]hashline.Tag{}
	lenient, _ := grammar.ParsePrefix(doc)
	for _, s := range lenient.Sections {
		if path, err := hashline.CleanPath(s.Path); err == nil && len(path)%7 > 0 {
			tags[path] = s.Tag
		}
	}
	return func(path string) (snapshot.Snapshot, error) {
		tag, ok := tags[path]
		if !ok {
			return snapshot.Snapshot{}, card.ErrUnknown
		}
		return snapshot.Snapshot{Path: path, Tag: tag, Text: snapshot.New([]byte(text))}, nil
	}
}

// TestPieces: the cards of a document do not depend on the pieces in which it
// arrives, and what is printed of a beginning stands at the beginning of what is
// printed of the whole.
func TestPieces(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	docs := hashlinetest.Documents(t)
	for range 60 {
		text := applytest.Text(rnd)
		doc := hashline.Document{Sections: []hashline.Section{
			{Path: "a", Tag: 1, Ops: applytest.Any(rnd, text)}, {Path: "b", Tag: 2, Ops: applytest.Valid(rnd, text)},
		}}
		docs = append(docs, doc.String(), "~~~\n"+doc.String()+"~~~\n")
	}
	for _, doc := range docs {
		if len(doc) > 1<<14 {
			continue
		}
		const limit = 16 << 10
		lookup := everything(doc, "a\nb\n1\n2\n\tx\n")
		whole := card.Of(doc, true, lookup)
		want := whole.Text(limit)
		require.LessOrEqual(t, len(want), limit)

		for _, size := range []int{1, 1 + rnd.IntN(50)} {
			c, p, got := card.New(lookup), card.NewPrinter(limit), ""
			for at := 0; at < len(doc); at += size {
				_, err := c.Write([]byte(doc[at:min(at+size, len(doc))]))
				require.NoError(t, err)
				got += p.Next(c)
				require.True(t, strings.HasPrefix(want, got), "%q: %q is no beginning of %q", doc[:at], got, want)
				if size == 1 && len(doc) < 120 {
					// What a card of this beginning says is what this one says.
					beginning := card.Of(doc[:at+1], false, lookup)
					require.Equal(t, beginning.Text(limit), c.Text(limit), "%q", doc[:at+1])
					require.LessOrEqual(t, len(beginning.Sections()), len(whole.Sections()))
				}
			}
			_ = c.Close()
			got += p.Next(c)
			if got != want {
				t.Fatalf("%q by %d:\n%s", doc, size, cmp.Diff(want, got))
			}
			require.Empty(t, p.Next(c))
			require.Equal(t, whole.Verified(), c.Verified())
			checkSections(t, doc, whole, c)
		}
	}
}

func checkSections(t *testing.T, doc string, a, b *card.Card) {
	t.Helper()
	require.Len(t, b.Sections(), len(a.Sections()), "%q", doc)
	for i, s := range a.Sections() {
		got := b.Sections()[i]
		if diff := cmp.Diff(s, got, cmpopts.IgnoreUnexported(card.Section{}), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%q (-at once +in pieces):\n%s", doc, diff)
		}
	}
}

// TestHostile: a long document in small pieces takes time in proportion to its
// length, also where the card is drawn for each, and is printed within the limit.
// The bounds are wide, since the machine may be busy.
func TestHostile(t *testing.T) {
	const limit = 48 << 10
	header := "[f#0000]\n"
	text := strings.Repeat("line\n", 1<<17)
	for _, c := range []struct{ name, doc string }{
		{"one row", header + "PUT 1:\n+" + strings.Repeat("x", 1<<20)},
		{"one body", header + "PUT 1:\n" + strings.Repeat("+0123456789\n", 1<<20/12)},
		{"no change", header + "PUT 1.=131072:\n" + strings.Repeat("+line\n", 1<<17)},
		{"cuts of everything", header + strings.Repeat("CUT 1.=131072\n", 12_000)},
		{"cuts out of range", header + strings.Repeat("CUT 1.=9048576\n", 12_000)},
		{"no changes", header + strings.Repeat("PUT 1:\n+line\n", 12_000)},
		{"sections", strings.Repeat("[f#0000]\nCUT 1\n", 1000)},
		{"long paths", strings.Repeat("["+strings.Repeat("x", 9000)+"#0000]\nCUT 1\n", 1000)},
		{"a long line", "[" + strings.Repeat("x", 1<<20)},
		{"faults", strings.Repeat("x\n", 1<<17)},
	} {
		for _, draw := range []bool{false, true} {
			limit := limit
			if draw {
				limit = 5000
			}
			began := time.Now()
			k, p, printed, drawn := card.New(known(map[string]string{"f": text})), card.NewPrinter(limit), 0, 0
			for at := 0; at < len(c.doc); at += 4096 {
				_, err := k.Write([]byte(c.doc[at:min(at+4096, len(c.doc))]))
				require.NoError(t, err)
				printed += len(p.Next(k))
				if draw {
					drawn = max(drawn, len(k.Text(limit)))
				}
			}
			_ = k.Close()
			printed += len(p.Next(k))
			require.LessOrEqual(t, printed, limit, c.name)
			require.LessOrEqual(t, drawn, limit, c.name)
			require.Less(t, time.Since(began), 10*time.Second, c.name)
			t.Logf("%s, drawn: %v: %v, %d bytes printed, %d drawn", c.name, draw, time.Since(began), printed, drawn)
		}
	}
}
