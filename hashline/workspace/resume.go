package workspace

import (
	"bytes"
	"context"
	"time"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// Resume goes on with the session of cfg.Name, whose ledger is kept in the state
// folder: so a host that starts a process for every call has one session (spec
// 9). Nobody else has it until end is called, which saves the ledger; whoever
// wants it meanwhile waits, for a time. cfg.Ledger and cfg.Owner are not used: the
// name is who it is. Errors are a [*hashline.Diagnostic].
func (w *Workspace) Resume(ctx context.Context, cfg SessionConfig) (s *Session, end func() error, err error) {
	kept, err := w.memory(ctx, cfg.Name)
	if err != nil {
		return nil, nil, err
	}
	if cfg.Ledger, err = loadLedger(kept, cfg.Name); err != nil {
		kept.Release()
		return nil, nil, err
	}
	cfg.Owner = "session " + cfg.Name
	return w.Session(cfg), func() error {
		defer kept.Release()
		return saveLedger(kept, cfg.Ledger)
	}, nil
}

func saveLedger(kept *commit.Memory, l *ledger.Ledger) error {
	var b bytes.Buffer
	if err := l.Save(&b); err != nil {
		panic(err) // a buffer takes everything
	}
	return kept.Save(b.Bytes())
}

func (w *core) memory(ctx context.Context, name string) (*commit.Memory, error) {
	if w.store == nil {
		return nil, w.noStore
	}
	return w.store.Memory(ctx, w.root, name)
}

func loadLedger(kept *commit.Memory, name string) (*ledger.Ledger, error) {
	data, err := kept.Load()
	if err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return ledger.New(nil), nil
	}
	l, err := ledger.Load(bytes.NewReader(data), nil)
	if err != nil {
		d := faultsOf(err)[0]
		d.Msg = "what the session " + name + " kept cannot be used: " + d.Msg
		d.Hint = `"hashline session forget ` + name + `" removes it`
		return nil, d
	}
	return l, nil
}

// SavedSession is a session that [Workspace.Resume] would go on with.
type SavedSession struct {
	Name string
	// Bytes is how much it keeps, Used when it was saved last.
	Bytes int64
	Used  time.Time
	// Paths are the files that its agent was shown; nil where they were not
	// asked for.
	Paths []string
}

// Sessions lists the sessions that keep something for this root, by name.
func (w *Workspace) Sessions() ([]SavedSession, error) {
	if w.store == nil {
		return nil, w.noStore
	}
	kept, err := w.store.Sessions(w.root)
	if err != nil {
		return nil, err
	}
	var list []SavedSession
	for _, k := range kept {
		list = append(list, SavedSession{Name: k.Name, Bytes: k.Bytes, Used: k.Used})
	}
	return list, nil
}

// SavedSession tells of one of them, with the files that its agent was shown.
func (w *Workspace) SavedSession(ctx context.Context, name string) (SavedSession, error) {
	list, err := w.Sessions()
	if err != nil {
		return SavedSession{}, err
	}
	for _, known := range list {
		if known.Name != name {
			continue
		}
		kept, err := w.memory(ctx, name)
		if err != nil {
			return SavedSession{}, err
		}
		defer kept.Release()
		l, err := loadLedger(kept, name)
		if err == nil {
			known.Paths = l.Paths()
		}
		return known, err
	}
	return SavedSession{}, noSession(name)
}

// ForgetSession makes a session one that was never shown some files, as after
// its agent's context lost them, or, without paths, removes all that it keeps.
func (w *Workspace) ForgetSession(ctx context.Context, name string, paths ...string) error {
	kept, err := w.memory(ctx, name)
	if err != nil {
		return err
	}
	defer kept.Release()
	if len(paths) == 0 {
		gone, err := kept.Forget()
		if err == nil && !gone {
			err = noSession(name)
		}
		return err
	}
	l, err := loadLedger(kept, name)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, p := range l.Paths() {
		known[p] = true
	}
	for _, p := range paths {
		real := p
		if pl, err := w.resolve(p); err == nil {
			real = pl.real
		}
		if !known[real] {
			return fault(hashline.NotFound, p, "the session "+name+" was never shown this file", "hashline session show "+name+" lists the files")
		}
		l.Forget(real)
	}
	return saveLedger(kept, l)
}

func noSession(name string) error {
	return fault(hashline.NotFound, "", "there is no session "+cut(name, 80)+" in this root", "hashline session list names them")
}
