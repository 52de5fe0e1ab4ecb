package workspace

// OutputLimit is how many bytes an answer has where [SessionConfig] does not say
// (spec 4).
const OutputLimit = 48 << 10

// SessionConfig says who acts in a workspace and how it is answered. The zero
// value is good for calls that stand alone.
type SessionConfig struct {
	// Name says who edits, in the history. Optional.
	Name string
	// OutputLimit bounds each answer, in bytes. Optional; the default is
	// [OutputLimit].
	OutputLimit int
	// RefusalLimit bounds refusals, in bytes, where it is less than OutputLimit.
	// Optional.
	RefusalLimit int
	// Narrow confines the session to some folders. Optional.
	Narrow *Narrow
}

// Session is one agent's way to act in a workspace: its tools. It may be used by
// several goroutines at once; calls that edit one file wait for one another.
type Session struct {
	*core
	name  string
	limit int
	// refusals is the limit of refusals, where it is less; 0 is for none.
	refusals int
}

// Session begins a session. It ends when it is no longer used.
func (w *Workspace) Session(cfg SessionConfig) *Session {
	limit := cfg.OutputLimit
	if limit <= 0 {
		limit = OutputLimit
	}
	return &Session{core: w.core.narrowed(cfg.Narrow), name: cfg.Name, limit: limit, refusals: cfg.RefusalLimit}
}
