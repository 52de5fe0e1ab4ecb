package workspace

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// stub answers, in one line, a read of rows that are in front of the agent (spec
// 9). Blanks at line ends may be others: tags do not tell them.
func stub(path string, live ledger.Version, rows []hashline.Span) *Result {
	parts := make([]string, len(rows))
	for i, r := range rows {
		parts[i] = fmt.Sprintf("%d-%d", r.First, r.Last)
	}
	what := "rows " + strings.Join(parts, ",")
	if len(rows) == 0 {
		what = "no rows"
	}
	return &Result{Content: fmt.Sprintf("%s unchanged; %s of %d stand above, under this tag or with the same numbers and, but for blanks at line ends, texts",
		hashline.Header(path, live.Tag), what, live.Lines)}
}

// stubByStamp answers a read by one look at the file, where its stamp says that
// it is unchanged and all rows are in front of the agent; else it gives nil.
func (s *Session) stubByStamp(args ReadArgs) *Result {
	if s.ledger == nil || !s.stubs {
		return nil
	}
	pl, err := s.resolve(args.Path)
	if err != nil || !pl.exists {
		return nil
	}
	stamp, ok := stampOf(pl.info)
	if !ok {
		return nil
	}
	live, ok := s.ledger.Unchanged(pl.real, stamp)
	if !ok || args.Ranges != "" || live.Lines == 0 {
		return nil
	}
	rows := hashline.Span{First: 1, Last: live.Lines}
	if args.Offset != nil {
		rows.First = *args.Offset
	}
	if args.Limit != nil && *args.Limit <= rows.Last-rows.First {
		rows.Last = rows.First + *args.Limit - 1
	}
	if rows.First < 1 || rows.Last < rows.First || !s.ledger.Covered(pl.real, live, []hashline.Span{rows}) {
		return nil
	}
	s.ledger.Shown(pl.real, live, []hashline.Span{rows}, time.Now()) // under this tag too
	return stub(pl.path, live, []hashline.Span{rows})
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
