package workspace

import (
	"context"
	"strings"
	"time"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
)

// recover brings edits to an end whose processes were killed in this root (spec
// 11). It must not keep anybody from working: what could not be done now is for
// the next start, and so is everything in a read-only workspace.
func (w *core) recover() {
	if w.policy.readOnly || w.store == nil {
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	report, err := w.store.Recover(ctx, w.root)
	for _, d := range ifFaults(err) {
		d.Msg = "an interrupted edit could not be brought to an end: " + d.Msg
		report.Conflicts = append(report.Conflicts, d)
	}
	var shown hashline.Diagnostics
	for _, d := range report.Conflicts {
		if d.Path == "" || !w.inState(d.Path) {
			shown = append(shown, d)
		}
	}
	report.Conflicts = shown
	w.recovered = report
}

// Recovered tells what [Open] did for edits that had been interrupted by the end
// of their process. Conflicts are for people to see.
func (w *Workspace) Recovered() commit.Report { return w.recovered }

// withRecovery puts what a recovery has to say behind the first answer.
func (s *Session) withRecovery(content string) (string, hashline.Diagnostics) {
	if len(s.recovered.Conflicts) == 0 || s.told.Swap(true) {
		return content, nil
	}
	var b strings.Builder
	warningLines(&b, s.recovered.Conflicts, s.limit/4)
	if len(content)+b.Len() <= s.limit {
		content += b.String()
	}
	return content, s.recovered.Conflicts
}
