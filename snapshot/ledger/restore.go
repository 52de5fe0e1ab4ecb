package ledger

import (
	"cmp"
	"math"
	"strings"
	"time"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

const (
	// MaxRestored is how many views [Ledger.Restore] takes, the last ones.
	MaxRestored     = 40
	maxRestoredSize = 512 << 10
)

// Restored is a view that was shown before a restart.
type Restored struct {
	// Path is what the header has, in any form.
	Path string
	// Real is how the ledger knows the file, where that is another name than
	// Path. Optional.
	Real string
	// View is the whole answer as it was shown.
	View string
	// Live is what the file is now, with its Text.
	Live Version
}

// Restore takes up views that are still in front of the agent after a restart,
// oldest first (spec 9): of the last 40 those that are full reads of files of up
// to 512 KiB and are what the live text would be shown as. It gives how many
// these were.
func (l *Ledger) Restore(views []Restored, now time.Time) int {
	n := 0
	for _, r := range views[max(0, len(views)-MaxRestored):] {
		if r.holds() {
			l.Shown(cmp.Or(r.Real, r.Path), r.Live, []hashline.Span{{First: 1, Last: r.Live.Lines}}, now)
			n++
		}
	}
	return n
}

func (r Restored) holds() bool {
	t := r.Live.Text
	if t == nil || len(t.Bytes()) > maxRestoredSize {
		return false
	}
	// The header may write the path in another way.
	header, _, _ := strings.Cut(r.View, "\n")
	shown, tag, ok := hashline.ParseHeader(header)
	if !ok || tag != r.Live.Tag {
		return false
	}
	clean, err := hashline.CleanPath(shown)
	if err != nil {
		return false
	}
	want, err := hashline.CleanPath(r.Path)
	if err != nil || clean != want {
		return false
	}
	s := snapshot.Snapshot{Path: shown, Tag: tag, Text: t}
	view, err := s.Read(1, math.MaxInt, 0)
	return err == nil && strings.TrimSuffix(r.View, "\n") == view.Text
}
