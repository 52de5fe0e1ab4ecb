package grammar_test

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
)

// TestStreamStates shows what is open, what is on its way and what is said at
// the end, piece by piece.
func TestStreamStates(t *testing.T) {
	for _, c := range []struct {
		name, text string
		ops        int
		open       bool
		rest       string
		fault      hashline.Code // before the end
		cutOff     bool
		first      hashline.Code // of all faults after it
	}{
		{"nothing", "", 0, false, "", "", false, hashline.EmptyDocument},
		{"blank lines", "\n \r\n", 0, false, "", "", false, hashline.EmptyDocument},
		{"half a header", "[a#00", 0, false, "[a#00", "", true, hashline.BadHeader},
		{"a header", "[a#0000]\n", 0, false, "", "", true, hashline.EmptySection},
		{"half a keyword", "[a#0000]\nC", 0, false, "C", "", true, hashline.UnknownLine},
		{"half a CUT", "[a#0000]\nCUT 1.=", 0, false, "CUT 1.=", "", true, hashline.BadSpan},
		{"a CUT without a line end", "[a#0000]\nCUT 1", 0, false, "CUT 1", "", false, ""},
		{"a CUT", "[a#0000]\nCUT 1\n", 1, false, "", "", false, ""},
		{"a PUT", "[a#0000]\nPUT 1:\n", 1, true, "", "", true, hashline.MissingBody},
		{"half a row", "[a#0000]\nPUT 1:\n+x", 1, true, "+x", "", false, ""},
		{"a row", "[a#0000]\nPUT 1:\n+x\n", 1, true, "", "", false, ""},
		{"a row and a blank line", "[a#0000]\nPUT 1:\n+x\n\n", 1, false, "", "", false, ""},
		{"a PUT and a blank line", "[a#0000]\nPUT 1:\n\n", 1, false, "", "", true, hashline.MissingBody},
		{"a PUT and a CUT", "[a#0000]\nPUT 1:\nCUT 2\n", 0, false, "", hashline.MissingBody, false, hashline.MissingBody},
		{"two headers", "[a#0000]\n[b#0000]\n", 0, false, "", hashline.EmptySection, false, hashline.EmptySection},
		{"prose", "Here it is:\n", 0, false, "", hashline.UnknownLine, false, hashline.UnknownLine},
		{"prose on its way", "[a#0000]\nCUT 1\nDone", 1, false, "Done", "", false, hashline.UnknownLine},
		{"an open fence", "```\n[a#0000]\nCUT 1\n", 1, false, "", "", true, hashline.Truncated},
		{"half a closing fence", "```\n[a#0000]\nCUT 1\n``", 1, false, "``", "", true, hashline.Truncated},
		{"a closed fence", "```\n[a#0000]\nCUT 1\n```\n", 1, false, "", "", false, ""},
		{"text behind a fence", "```\n[a#0000]\nCUT 1\n```\nx\n", 1, false, "", hashline.UnknownLine, false, hashline.UnknownLine},
		{"a fault in an open fence", "```\n[a#0000]\nCUT 0\n", 0, false, "", hashline.ZeroLine, false, hashline.Truncated},
		{"an open patch in a fence", "```\n*** Begin Patch\n[a#0000]\nCUT 1\n*** End Patch\n", 1, false, "", "", true, hashline.Truncated},
	} {
		var s grammar.Stream
		n, err := io.WriteString(&s, c.text)
		require.NoError(t, err, c.name)
		require.Equal(t, len(c.text), n, c.name)
		ops := 0
		for _, sec := range s.Document().Sections {
			ops += len(sec.Ops)
		}
		require.Equal(t, c.ops, ops, c.name)
		require.Equal(t, c.open, s.Open(), c.name)
		require.Equal(t, c.rest, s.Rest(), c.name)
		require.Equal(t, c.fault, first(s.Faults()), c.name)
		err = s.Close()
		require.Equal(t, c.first == "", err == nil, c.name)
		require.Equal(t, c.first, first(s.Faults()), c.name)
		require.Equal(t, c.cutOff, s.CutOff(), c.name)
		require.False(t, s.Open(), c.name)
		require.Equal(t, err, s.Close(), c.name)
		_, err = s.Write([]byte("x"))
		require.ErrorIs(t, err, io.ErrClosedPipe)
	}
}

func first(faults hashline.Diagnostics) hashline.Code {
	if len(faults) == 0 {
		return ""
	}
	return faults[0].Code
}

// checkStream feeds a text in pieces and holds what is read against the other
// readings, and each state on the way against the end.
func checkStream(t *testing.T, text string, rnd *rand.Rand) {
	t.Helper()
	var s grammar.Stream
	var sure []hashline.Op
	var fault hashline.Position
	for rest := text; rest != ""; {
		n := 1
		if rnd != nil {
			n = 1 + rnd.IntN(min(len(rest), 40))
		}
		_, err := io.WriteString(&s, rest[:n])
		require.NoError(t, err)
		rest = rest[n:]
		now := allOps(s.Document())
		if s.Open() || len(now) > 0 && now[len(now)-1].Kind != hashline.Delete && now[len(now)-1].Body == nil {
			now = now[:len(now)-1]
		}
		require.GreaterOrEqual(t, len(now), len(sure), "%q", text)
		sure = now
		if f := s.Faults(); len(f) > 0 {
			if fault.IsValid() {
				require.Equal(t, fault, f[0].Pos, "%q: the fault moved", text)
			}
			fault = f[0].Pos
		}
	}
	err := s.Close()
	strict, want := grammar.Parse(text)
	if diff := cmp.Diff(faultsOf(want), faultsOf(err)); diff != "" {
		t.Fatalf("%q: the faults are not those of Parse (-want +got):\n%s", text, diff)
	}
	lenient, complete := grammar.ParsePrefix(text)
	require.Equal(t, complete, err == nil, "%q", text)
	require.False(t, complete && fault.IsValid(), "%q: a fault in a good document", text)
	if diff := cmp.Diff(lenient, s.Document(), cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%q: not what ParsePrefix gives (-want +got):\n%s", text, diff)
	}
	if complete {
		require.Empty(t, cmp.Diff(strict, s.Document(), cmpopts.EquateEmpty()))
	}
	if diff := cmp.Diff(allOps(s.Document())[:len(sure)], sure, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%q: what was sure has changed (-end +before):\n%s", text, diff)
	}
}

func faultsOf(err error) []hashline.Diagnostic {
	var all []hashline.Diagnostic
	if err != nil {
		for _, d := range err.(hashline.Diagnostics) {
			all = append(all, *d)
		}
	}
	return all
}

func allOps(doc *hashline.Document) (ops []hashline.Op) {
	for _, s := range doc.Sections {
		ops = append(ops, s.Ops...)
	}
	return ops
}

// TestStreamOfCases feeds every document of the corpus and every prefix of the
// short ones.
func TestStreamOfCases(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 1))
	for _, text := range hashlinetest.Documents(t) {
		if len(text) > 1<<16 {
			continue // one that is refused for its length
		}
		checkStream(t, text, nil)
		checkStream(t, text, rnd)
		for i := rnd.IntN(3); i < len(text) && len(text) < 70; i += 1 + rnd.IntN(4) {
			checkStream(t, text[:i], rnd)
		}
	}
}

// TestStreamOfRandomLines feeds texts that are put together from lines, most of
// them valid.
func TestStreamOfRandomLines(t *testing.T) {
	pieces := []string{
		"[a.txt#A1B2]\n", " [ b c # 00ff ] \r\n", "[a#12]\n", "CUT 3\n", "cut 3 .= 5\r\n", "\uFEFFPUT 7:\n+x\n", "PUT 1..2:\n+a\n+b\r\n", "PUT <1:\n+\n",
		"PUT >$:\n+z\n", "PUT 4:\n", "+row\n", "+row\r\r\n", "\n", " \t\r\n", "\uFEFF\n", "-row\n", "row\n", "```\n", "````go\n", "~~~~\n", "*** Begin Patch\n", "*** End Patch\n", "12:row\n",
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2_000 {
		var b strings.Builder
		close := ""
		switch rnd.IntN(6) {
		case 0:
			b.WriteString("```\n")
			close = "```\n"
		case 1:
			b.WriteString("*** Begin Patch\n````x\n")
			close = "````\n\n*** End Patch\n"
		}
		b.WriteString(pieces[rnd.IntN(2)])
		for range rnd.IntN(10) {
			if rnd.IntN(3) > 0 {
				b.WriteString(pieces[3+rnd.IntN(6)])
			} else {
				b.WriteString(pieces[rnd.IntN(len(pieces))])
			}
		}
		text := b.String() + close
		if rnd.IntN(4) == 0 {
			text = text[:rnd.IntN(len(text)+1)]
		}
		checkStream(t, text, rnd)
	}
}

// TestStreamLimits: what exceeds a limit is refused as soon as it does, and
// feeding takes time in proportion. The bounds are wide, since the machine may
// be busy.
func TestStreamLimits(t *testing.T) {
	const header = "[a#0000]\n"
	for _, c := range []struct {
		name, text string
		code       hashline.Code
	}{
		{"one row", header + "PUT 1:\n+" + strings.Repeat("x", 2<<20), ""},
		{"one body", header + "PUT 1:\n" + strings.Repeat("+\n", 1<<18), ""},
		{"too long", strings.Repeat("x", 17<<20), hashline.TooLarge},
		{"blank lines", strings.Repeat("\n", 1<<19) + header + "CUT 1\n", ""},
		{"operations", header + strings.Repeat("CUT 1\n", grammar.MaxOps+1), hashline.TooLarge},
		{"bodies", header + strings.Repeat("PUT 1:\n+\n", grammar.MaxOps/5), ""},
		{"sections", strings.Repeat(header+"CUT 1\n", grammar.MaxSections+1), hashline.TooLarge},
		{"a fault at once", "x\n" + strings.Repeat("y\n", 1<<18), hashline.UnknownLine},
		{"a fence", "```\n" + header + "CUT 1\n" + strings.Repeat("\n", 1<<18) + "```\n", ""},
	} {
		began := time.Now()
		var s grammar.Stream
		for rest := c.text; rest != ""; {
			n := min(4096, len(rest))
			_, _ = io.WriteString(&s, rest[:n])
			rest = rest[n:]
		}
		if c.code != "" {
			require.NotEqual(t, "", string(first(s.Faults())), "%s: no fault before the end", c.name)
		}
		_ = s.Close()
		require.Equal(t, c.code, first(s.Faults()), c.name)
		require.Less(t, time.Since(began), 20*time.Second, c.name)
		t.Logf("%s: %v", c.name, time.Since(began))
	}
}
