package card_test

import (
	"fmt"

	"github.com/hashline-go/hashline/hashline/workspace/card"
	"github.com/hashline-go/hashline/snapshot"
)

// A host that shows what its model is writing.
func Example() {
	greet := snapshot.Take("greet.txt", snapshot.XXH64, snapshot.New([]byte("hello\nworld\n")))
	c := card.New(func(path string) (snapshot.Snapshot, error) {
		if path != greet.Path {
			return snapshot.Snapshot{}, card.ErrUnknown
		}
		return greet, nil
	})
	for _, piece := range []string{"[greet.txt#0E", "B5]\nPU", "T 2:\n+the", "re\n"} {
		_, _ = c.Write([]byte(piece))
		fmt.Printf("--- after %q\n%s", piece, c.Text(4<<10))
	}
	if err := c.Close(); err == nil {
		fmt.Printf("--- at the end\n%s", c.Text(4<<10))
	}
	// Output:
	// --- after "[greet.txt#0E"
	// … [greet.txt#0E
	// --- after "B5]\nPU"
	// [greet.txt#0EB5]
	// … PU
	// --- after "T 2:\n+the"
	// [greet.txt#0EB5]
	// PUT 2: (1 → 0 line(s)) …
	// -2:world
	// +2:the
	// --- after "re\n"
	// [greet.txt#0EB5]
	// PUT 2: (1 → 1 line(s)) …
	// -2:world
	// +2:there
	// --- at the end
	// [greet.txt#0EB5]
	// PUT 2: (1 → 1 line(s))
	// -2:world
	// +2:there
	// verified
}
