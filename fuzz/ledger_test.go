package fuzz

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// FuzzLedger: any bytes are a saved ledger or are refused. One that is loaded
// can be used whatever it says, saves to what loads and saves to itself, and
// lets no line through under a tag that nothing was shown under since it was
// changed by others.
func FuzzLedger(f *testing.F) {
	f.Add(savedLedger(f))
	f.Add([]byte(`{"format":1,"files":[],"applied":[],"hashes":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			t.Skip("longer than a useful case")
		}
		l, err := ledger.Load(bytes.NewReader(data), ledger.NewShelf(1<<16, 1<<16))
		if err != nil {
			return
		}
		first := save(t, l)
		again, err := ledger.Load(bytes.NewReader(first), ledger.NewShelf(0, 0))
		if err != nil {
			t.Fatalf("what was saved is refused: %v", err)
		}
		if second := save(t, again); !bytes.Equal(first, second) {
			t.Fatalf("saved as\n%s\nthen as\n%s", first, second)
		}
		for _, p := range l.Paths() {
			useLedger(t, l, p)
		}
		if _, err := ledger.Load(bytes.NewReader(save(t, l)), nil); err != nil {
			t.Fatalf("what was used and saved is refused: %v", err)
		}
	})
}

func save(t testing.TB, l *ledger.Ledger) []byte {
	var b bytes.Buffer
	if err := l.Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func ledgerText(lines ...string) ledger.Version {
	return ledger.VersionOf(snapshot.XXH64, snapshot.New([]byte(strings.Join(lines, "\n")+"\n")))
}

func useLedger(t *testing.T, l *ledger.Ledger, p string) {
	now := time.Unix(1e9, 0)
	old, live := ledgerText("a", "b", "c", "d", "e"), ledgerText("x", "a", "b", "c", "d", "e", "f")
	// No line of it can be one that the ledger has seen.
	strange := ledgerText("1", "2", "3", "4", "5", "6", "7", "8", "9")
	ops := []hashline.Op{{Kind: hashline.Delete, Span: hashline.Span{First: 2, Last: 40}}, {Kind: hashline.InsertAfter, Span: hashline.Span{First: 1, Last: 1}}}
	for _, v := range []ledger.Version{old, live} {
		l.Judge(p, old.Tag, v, ops)
		l.Locate(p, old.Tag, v, ops)
		doc := &hashline.Document{Sections: []hashline.Section{{Path: p, Tag: old.Tag, Ops: ops[1:]}}}
		l.Correct(doc, []ledger.Live{{Path: p, Version: v}})
		l.Applied(doc, []ledger.Live{{Path: p, Version: v}})
		l.Covered(p, v, []hashline.Span{{First: 1, Last: 3}})
		l.Renumber(p)
	}
	l.Edited(p, live, old, nil, []hashline.Span{{First: 2, Last: 3}}, now)
	l.Unchanged(p, ledger.Stamp{CtimeNs: 1})
	l.Forget(p)
	l.Shown(p, old, []hashline.Span{{First: 1, Last: 4}}, now)
	if v := l.Judge(p, strange.Tag, strange, ops[:1]); v.Reason == "" && len(v.Moved) == 0 {
		t.Fatal("rows that others changed are let through")
	}
}

// savedLedger is a ledger with something of everything.
func savedLedger(t testing.TB) []byte {
	l := ledger.New(nil)
	now := time.Unix(1e9, 0)
	a, b, c := ledgerText("a", "b", "c", "d", "e"), ledgerText("a", "x", "y", "d", "e"), ledgerText("0", "a", "x", "y", "d", "e")
	l.Shown("f", a, []hashline.Span{{First: 1, Last: 4}}, now)
	change := ledger.Change{Old: hashline.Span{First: 2, Last: 3}, New: hashline.Span{First: 2, Last: 3}}
	l.Edited("f", a, b, []ledger.Change{change}, []hashline.Span{{First: 1, Last: 3}}, now)
	l.Shown("f", c, []hashline.Span{{First: 5, Last: 5}}, now)
	l.Offered("f", c, []ledger.Offer{{Kind: hashline.Replace, Span: hashline.Span{First: 2, Last: 5}, Lines: hashline.Span{First: 3, Last: 4}}}, now)
	l.Stamped("f", c, ledger.Stamp{MtimeNs: 1, CtimeNs: 2, Size: 3, Inode: 4, Dev: 5}, now)
	doc := &hashline.Document{Sections: []hashline.Section{{Path: "f", Tag: a.Tag}}}
	l.NoteApplied(doc, []ledger.Landed{{Path: "f", Base: a, Result: b}})
	return save(t, l)
}
