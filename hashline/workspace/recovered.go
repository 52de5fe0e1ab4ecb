package workspace

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
)

// recoveries is what was done for edits that had been interrupted by the end of
// their process. It may be used by several goroutines at once.
type recoveries struct {
	mu     sync.Mutex
	report commit.Report
	// told counts the conflicts that an answer had.
	told int
}

// recoverFirst brings edits to an end whose processes were killed in this root (spec
// 11). It must not keep anybody from working: what could not be done now is for
// the next start, and so is everything in a read-only workspace.
func (w *core) recoverFirst() {
	if w.store == nil {
		return
	}
	if w.policy.readOnly {
		if waiting, _, err := w.store.Journals(w.root); err == nil && waiting > 0 {
			w.noteRecovery(commit.Report{Conflicts: hashline.Diagnostics{{Code: hashline.RecoveryConflict,
				Msg:  "an edit was interrupted, and the workspace is read-only, so that it stays so: some of its files may be new and some old",
				Hint: "any command in this root that may write brings it to an end"}}})
		}
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	report, err := w.store.Recover(ctx, w.root)
	for _, d := range ifFaults(err) {
		d.Msg = "an interrupted edit could not be brought to an end: " + d.Msg
		report.Conflicts = append(report.Conflicts, d)
	}
	w.noteRecovery(report)
}

// noteRecovery adds to what was done. What fails at every write is noted once.
func (w *core) noteRecovery(report commit.Report) {
	r := w.recovered
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.Done = append(r.report.Done, report.Done...)
	r.report.Undone = append(r.report.Undone, report.Undone...)
	for _, d := range report.Conflicts {
		if d.Path != "" && w.hidden(d.Path) {
			d = &hashline.Diagnostic{Code: d.Code, Msg: "an edit was interrupted, and of a file that the policy of this workspace denies not all could be brought to an end"}
		}
		noted := slices.ContainsFunc(r.report.Conflicts, func(o *hashline.Diagnostic) bool {
			return o.Code == d.Code && o.Path == d.Path && o.Msg == d.Msg
		})
		if !noted {
			r.report.Conflicts = append(r.report.Conflicts, d)
		}
	}
}

// Recovered tells what [Open], and each call that writes, did for edits that had
// been interrupted by the end of their process. Conflicts are for people to see.
func (w *Workspace) Recovered() commit.Report {
	r := w.recovered
	r.mu.Lock()
	defer r.mu.Unlock()
	return commit.Report{Done: slices.Clone(r.report.Done), Undone: slices.Clone(r.report.Undone), Conflicts: slices.Clone(r.report.Conflicts)}
}

// withRecovery puts what recoveries have to say behind the next answer that has
// room for it.
func (s *Session) withRecovery(content string) (string, hashline.Diagnostics) {
	r := s.recovered
	r.mu.Lock()
	defer r.mu.Unlock()
	news := slices.Clone(r.report.Conflicts[r.told:])
	if len(news) == 0 {
		return content, nil
	}
	var b strings.Builder
	warningLines(&b, news, s.limit/4)
	if len(content)+b.Len() > s.limit {
		return content, nil
	}
	r.told = len(r.report.Conflicts)
	return content + b.String(), news
}
