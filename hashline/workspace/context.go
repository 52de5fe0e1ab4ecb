package workspace

import (
	"crypto/rand"
	"strings"
	"time"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// Forget makes files ones that the session was never shown, as after the agent's
// context has lost them, or all files where none is named (spec 9). Paths are as
// the agent writes them; one that leads nowhere is forgotten by its name.
func (s *Session) Forget(paths ...string) {
	if s.ledger == nil {
		return
	}
	if len(paths) == 0 {
		s.ledger.ForgetAll()
	}
	for _, p := range paths {
		if pl, err := s.resolve(p); err == nil {
			p = pl.real
		}
		s.ledger.Forget(p)
	}
}

// Restore takes up answers of read_file that are still in front of the agent after
// a restart, oldest first, each as it was shown (spec 9). Of the last 40 it takes
// full reads of files of up to 512 KiB that still are so; it gives how many.
func (s *Session) Restore(views []string) int {
	if s.ledger == nil {
		return 0
	}
	var list []ledger.Restored
	for _, view := range views[max(0, len(views)-ledger.MaxRestored):] {
		header, _, _ := strings.Cut(view, "\n")
		path, _, ok := hashline.ParseHeader(header)
		if !ok {
			continue
		}
		pl, err := s.resolve(path)
		if err != nil {
			continue
		}
		if f, err := s.load(pl); err == nil {
			list = append(list, ledger.Restored{Path: pl.path, Real: pl.real, View: view, Live: s.versionOf(f)})
		}
	}
	return s.ledger.Restore(list, time.Now())
}

// Fork begins the session of a sub-agent, which was shown nothing and, where this
// one has an identity, has its own. All else is as in this one.
func (s *Session) Fork() *Session {
	fork := *s
	if s.owner != "" {
		fork.owner = rand.Text()
	}
	if s.ledger != nil {
		fork.ledger = s.ledger.Fork()
	}
	return &fork
}
