package workspace

import (
	"bytes"

	"github.com/hashline-go/hashline/snapshot"
)

// excerpt gives a change of a file that is not held the lines that its diff is
// made of: those that change, and some around them.
func (t *target) excerpt(c *FileChange) {
	if t.file.large == nil {
		return
	}
	e := common{a: t.file.snap.Text, b: t.after.Text}
	// What is the same because it was kept need not be compared.
	for _, p := range t.edit.Parts {
		if p.Data != nil || p.From != e.head {
			break
		}
		e.head, e.above = p.To, p.Above+p.Ends
	}
	if n := len(t.edit.Parts); n > 0 {
		if p := t.edit.Parts[n-1]; p.Data == nil && p.To == e.a.Size() && p.From >= e.head {
			e.tail = p.To - p.From
		}
	}
	e.find()
	first := max(1, e.above+1-diffContext)
	from := e.a.Start(first)
	if first == 1 {
		from = 0
	}
	to := e.a.Size() - e.tail
	if to-from+e.b.Size()-e.tail-from > maxDiffed {
		c.omitted = true
		return
	}
	for range diffContext {
		if to += e.untilLineEnd(to); to-from > maxDiffed {
			c.omitted = true
			return
		}
	}
	end := e.b.Size() - (e.a.Size() - to)
	c.before, c.after, c.above = e.a.Slice(from, to), e.b.Slice(from, end), first-1
}

// common is [commonLines] for texts that are not held. above is how many lines
// are in front of head.
type common struct {
	a, b              *snapshot.Text
	head, tail, above int
}

func (e *common) find() {
	n := min(e.a.Size(), e.b.Size())
	at, same := e.head, true
	for same && at < n {
		k := min(snapshot.PageSize, n-at)
		x, y := e.a.Slice(at, at+k), e.b.Slice(at, at+k)
		if same = bytes.Equal(x, y); !same {
			for k = 0; x[k] == y[k]; k++ {
			}
			x = x[:k]
		}
		// The last line begins below the last line end.
		if i := bytes.LastIndexByte(x, '\n'); i >= 0 {
			e.above += bytes.Count(x[:i+1], []byte{'\n'})
			e.head = at + i + 1
		}
		at += k
	}
	e.tail = min(e.tail, n-e.head)
	for same = true; same && e.tail < n-e.head; {
		k := min(snapshot.PageSize, n-e.head-e.tail)
		x := e.a.Slice(e.a.Size()-e.tail-k, e.a.Size()-e.tail)
		y := e.b.Slice(e.b.Size()-e.tail-k, e.b.Size()-e.tail)
		if same = bytes.Equal(x, y); !same {
			for i := k; x[i-1] == y[i-1]; i-- {
				e.tail++
			}
			break
		}
		e.tail += k
	}
	if !lineBegins(e.a, e.a.Size()-e.tail) || !lineBegins(e.b, e.b.Size()-e.tail) {
		e.tail -= e.untilLineEnd(e.a.Size() - e.tail)
	}
}

// untilLineEnd gives how many bytes of the old text there are from an offset to
// the end of the line.
func (e *common) untilLineEnd(at int) int {
	n := 0
	for at+n < e.a.Size() {
		x := e.a.Slice(at+n, min(at+n+snapshot.PageSize, e.a.Size()))
		if i := bytes.IndexByte(x, '\n'); i >= 0 {
			return n + i + 1
		}
		n += len(x)
	}
	return n
}

func lineBegins(t *snapshot.Text, at int) bool { return at == 0 || t.Slice(at-1, at)[0] == '\n' }
