package workspace

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// stub answers, in one line, a read of rows that are in front of the agent (spec
// 9).
func stub(f file, rows []hashline.Span) string {
	parts := make([]string, len(rows))
	for i, r := range rows {
		parts[i] = fmt.Sprintf("%d-%d", r.First, r.Last)
	}
	what := "rows " + strings.Join(parts, ",")
	if len(rows) == 0 {
		what = "no rows"
	}
	return fmt.Sprintf("%s unchanged; %s of %d stand above, under this tag or with the same numbers and texts", f.snap.Header(), what, f.snap.Text.Lines())
}

// loadToRead reads a file that is to be shown. For a session that answers reads
// with stubs, one whose stamp says that it is unchanged is not read again.
func (s *Session) loadToRead(pl place) (file, error) {
	if s.ledger == nil || !s.stubs || !pl.exists {
		return s.loadLarge(pl, false)
	}
	if stamp, ok := stampOf(pl.info); ok {
		if live, same := s.ledger.Unchanged(pl.real, stamp); same && live.Text != nil {
			return file{place: pl, snap: snapshot.Snapshot{Path: pl.path, Tag: live.Tag, Text: live.Text}}, nil
		}
	}
	return s.loadLarge(pl, false)
}

// stamp remembers the stamp of a file that was shown and was looked at, and then
// read, after start.
func (s *Session) stamp(f file, start time.Time) {
	if s.ledger == nil || !s.stubs {
		return
	}
	before, ok := stampOf(f.place.info)
	info, err := commit.Inspect(s.root, f.place.real)
	if !ok || err != nil {
		return
	}
	if after, ok := stampOf(info); ok && after == before {
		s.ledger.Stamped(f.place.real, s.versionOf(f), before, start)
	}
}

// stampOf is what the system says of a file without opening it.
func stampOf(info commit.Info) (ledger.Stamp, bool) {
	device, inode, ok := info.Number()
	return ledger.Stamp{
		MtimeNs: info.ModTime().UnixNano(), CtimeNs: info.ChangeTime(), Size: info.Size(), Inode: inode, Dev: device,
	}, ok && info.Mode()&os.ModeSymlink == 0
}
