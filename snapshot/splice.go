package snapshot

import (
	"bytes"
	"slices"
	"sort"
)

// Part is a piece of a text that was made of another: bytes of that, or new ones.
type Part struct {
	// Data holds new bytes; where it is nil the part is the other text's bytes
	// From..To.
	Data     []byte
	From, To int
	// Above and Ends are how many "\n" the other text has above From, and from
	// there to To; 0 for new bytes.
	Above, Ends int
}

// Len gives the length of the part in bytes.
func (p Part) Len() int { return len(p.Data) + p.To - p.From }

// Splice makes a text of parts of this one and of new bytes, for the same file.
// The parts from this one begin where a line begins and end where one ends; they
// are read where they are needed, so that this text must be usable as long as
// the new one is. The new bytes must not change any more.
func (t *Text) Splice(parts []Part) *Text {
	j := &joined{t: t}
	u := &Text{far: j, mark: t.mark, encoding: t.encoding}
	for _, p := range parts {
		if p.Len() == 0 {
			continue
		}
		j.parts = append(j.parts, p)
		j.starts = append(j.starts, u.size)
		j.before = append(j.before, u.lines)
		u.lines += p.Ends + bytes.Count(p.Data, []byte{'\n'})
		u.size += p.Len()
	}
	if u.size > u.mark && u.Slice(u.size-1, u.size)[0] != '\n' {
		u.lines++
	}
	return u
}

// joined is a text made of parts.
type joined struct {
	t     *Text
	parts []Part
	// Of each part: its offset, and the number of "\n" above it.
	starts, before []int
}

func (j *joined) newline(k int) int {
	i := sort.SearchInts(j.before, k) - 1
	p, left := j.parts[i], k-j.before[i]
	if p.Data == nil {
		return j.starts[i] + j.t.Start(p.Above+left+1) - p.From
	}
	at := 0
	for ; left > 0; left-- {
		at += bytes.IndexByte(p.Data[at:], '\n') + 1
	}
	return j.starts[i] + at
}

func (j *joined) slice(from, to int) []byte {
	if from >= to {
		return nil
	}
	i, exact := slices.BinarySearch(j.starts, from)
	if !exact {
		i--
	}
	var all []byte
	for ; from < to; i++ {
		p := j.parts[i]
		a, b := from-j.starts[i], min(to-j.starts[i], p.Len())
		var data []byte
		if p.Data == nil {
			data = j.t.Slice(p.From+a, p.From+b)
		} else {
			data = p.Data[a:b]
		}
		if from += b - a; from == to && all == nil {
			return data
		}
		all = append(all, data...)
	}
	return all
}

func (j *joined) failure() error { return j.t.Err() }
