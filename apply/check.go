package apply

import (
	"fmt"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// MaxFaults is how many faults [Check] gives, and how many warnings an [Edit]
// carries, at most.
const MaxFaults = 100

// Check runs steps 5 to 8 of spec 6: lines in range, spans that do not overlap,
// anchors outside of spans, bodies. It stops at the first faulty step and gives
// all faults of that step, at most [MaxFaults], in document order. Each carries
// the place of its operation or row; the Path is empty. It gives nil where the
// operations can be applied.
//
// Operations that no document can hold, such as a PUT without rows, are
// refused before all else, with the code of the nearest syntax fault. The time
// and memory it takes are bounded by the size of the text and the operations.
func Check(t *snapshot.Text, ops []hashline.Op) hashline.Diagnostics {
	return (&layout{t: t, ops: ops}).check()
}

// check leaves the operations sorted where the lines are in range.
func (l *layout) check() hashline.Diagnostics {
	if faults := malformed(l.ops); len(faults) > 0 {
		return faults
	}
	if faults := outOfRange(l.t, l.ops); len(faults) > 0 {
		return faults
	}
	l.sortOps()
	if l.collide() {
		if faults := hashline.Overlaps(l.ops); len(faults) > 0 {
			return atMost(faults)
		}
		return atMost(hashline.AnchorsInside(l.ops))
	}
	return l.bodies()
}

// collide reports whether an operation meets the span of another. The rules
// that say which sort the operations once more, and are asked only then.
func (l *layout) collide() bool {
	var span hashline.Span // the last one; it reaches furthest so far
	for _, i := range l.order {
		o := &l.ops[i]
		switch {
		case o.Kind == hashline.Append:
		case o.Destructive():
			if o.Span.First <= span.Last {
				return true
			}
			span = o.Span
		case o.Span.First <= span.Last && span.Len() > 1:
			return true
		}
	}
	return false
}

func atMost(ds hashline.Diagnostics) hashline.Diagnostics {
	return ds[:min(len(ds), MaxFaults)]
}

// malformed finds operations that were put together in Go in a way that the
// grammar does not allow.
func malformed(ops []hashline.Op) (faults hashline.Diagnostics) {
	for i := range ops {
		o := &ops[i]
		var code hashline.Code
		var msg string
		switch {
		case o.Kind < hashline.Replace || o.Kind > hashline.Append:
			code, msg = hashline.UnknownLine, "is no kind of operation"
		case o.Kind != hashline.Append && o.Span.First < 1:
			code, msg = hashline.ZeroLine, "names a line below 1; lines count from 1"
		case o.Destructive() && o.Span.Last < o.Span.First:
			code, msg = hashline.ReversedSpan, "ends before it begins"
		case o.Kind == hashline.Delete && len(o.Body) > 0:
			code, msg = hashline.RowWithoutPut, "has rows, which only PUT takes"
		case o.Kind != hashline.Delete && len(o.Body) == 0:
			code, msg = hashline.MissingBody, "has no rows; CUT deletes"
		default:
			continue
		}
		faults = append(faults, &hashline.Diagnostic{Code: code, Pos: o.Pos, Msg: o.String() + " " + msg})
		if len(faults) == MaxFaults {
			break
		}
	}
	return faults
}

func outOfRange(t *snapshot.Text, ops []hashline.Op) (faults hashline.Diagnostics) {
	lines := t.Lines()
	for i := range ops {
		o := &ops[i]
		last := o.Span.First
		switch o.Kind {
		case hashline.Append:
			continue
		case hashline.InsertBefore:
			if lines == 0 && last == 1 {
				continue
			}
		case hashline.Replace, hashline.Delete:
			last = o.Span.Last
		}
		if last <= lines {
			continue
		}
		d := &hashline.Diagnostic{Code: hashline.OutOfRange, Pos: o.Pos}
		switch lines {
		case 0:
			d.Msg = fmt.Sprintf("%s names line %d, but the file is empty (0 lines)", o, last)
			d.Hint = "in an empty file only PUT <1: and PUT >$: are possible"
		case 1:
			d.Msg = fmt.Sprintf("%s names line %d, but the file has 1 line", o, last)
			d.Hint = "name line 1, or append with PUT >$:"
		default:
			d.Msg = fmt.Sprintf("%s names line %d, but the file has %d lines", o, last, lines)
			d.Hint = fmt.Sprintf("name lines from 1 to %d, or append with PUT >$:", lines)
		}
		if faults = append(faults, d); len(faults) == MaxFaults {
			break
		}
	}
	return faults
}
