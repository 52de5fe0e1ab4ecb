package ledger_test

import (
	"fmt"
	"time"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

func text(s string) ledger.Version {
	return ledger.VersionOf(snapshot.XXH64, snapshot.New([]byte(s)))
}

func Example() {
	l := ledger.New(nil)
	now := time.Now()

	// The agent reads the file, and puts two rows below the second.
	v0 := text("a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n")
	l.Shown("f.txt", v0, []hashline.Span{{First: 1, Last: 10}}, now)
	v1 := text("a\nb\nx\ny\nc\nd\ne\nf\ng\nh\ni\nj\n")
	change := ledger.Change{Old: hashline.Span{First: 3, Last: 2}, New: hashline.Span{First: 3, Last: 4}}
	l.Edited("f.txt", v0, v1, []ledger.Change{change}, []hashline.Span{{First: 1, Last: 7}}, now)
	for _, s := range l.Renumber("f.txt") {
		fmt.Println(s)
	}

	// It takes the new tag but counts from what it read.
	cut := []hashline.Op{{Kind: hashline.Delete, Span: hashline.Span{First: 9, Last: 9}}}
	for _, m := range l.Judge("f.txt", v1.Tag, v1, cut).Moved {
		fmt.Printf("row %d was last seen as another, which is row %d now\n", m.Line, m.Now)
	}

	// Or it uses the old tag.
	fmt.Println(l.Judge("f.txt", v0.Tag, v1, cut).Reason)
	doc := &hashline.Document{Sections: []hashline.Section{{Path: "f.txt", Tag: v0.Tag, Ops: cut}}}
	if corrected, ok := l.Correct(doc, []ledger.Live{{Path: "f.txt", Version: v1}}); ok {
		fmt.Println(corrected.Sections[0].Ops[0])
	}
	// Output:
	// [old line 3 is now 5, and so on to the end]
	// row 9 was last seen as another, which is row 11 now
	// stale
	// CUT 11
}
