package history

import "bytes"

// MaxDelta is how many new bytes a [Delta] holds at most.
const MaxDelta = 16 << 10

// Delta tells what an edit left, given the old bytes: they are the same but for
// one stretch. So an edit can be shown although somebody changed the file since.
type Delta struct {
	// At is where the stretch begins, in bytes, and Cut how long it was.
	At  int `json:"at,omitempty"`
	Cut int `json:"cut,omitempty"`
	// Text is what it became.
	Text []byte `json:"text,omitempty"`
}

// DeltaOf compares two versions. It gives nil where the stretch became longer
// than [MaxDelta].
func DeltaOf(old, now []byte) *Delta {
	n := min(len(old), len(now))
	head := common(n, func(from, to int) bool { return bytes.Equal(old[from:to], now[from:to]) })
	tail := common(n-head, func(from, to int) bool {
		return bytes.Equal(old[len(old)-to:len(old)-from], now[len(now)-to:len(now)-from])
	})
	if len(now)-head-tail > MaxDelta {
		return nil
	}
	return &Delta{At: head, Cut: len(old) - head - tail, Text: bytes.Clone(now[head : len(now)-tail])}
}

// common gives how far two texts are the same, at most n bytes.
func common(n int, same func(from, to int) bool) int {
	at := 0
	for step := 4096; step > 0; {
		if end := min(at+step, n); end > at && same(at, end) {
			at = end
			continue
		}
		step /= 2
	}
	return at
}

// Apply makes the new version from the old one, in memory of its own. ok is false
// where the old one is too short.
func (d *Delta) Apply(old []byte) (now []byte, ok bool) {
	if d.At < 0 || d.Cut < 0 || d.At > len(old) || d.Cut > len(old)-d.At {
		return nil, false
	}
	now = make([]byte, 0, len(old)-d.Cut+len(d.Text))
	now = append(append(now, old[:d.At]...), d.Text...)
	return append(now, old[d.At+d.Cut:]...), true
}
