package workspace

import "github.com/hashline-go/hashline/snapshot/ledger"

// OutputLimit is how many bytes an answer has where [SessionConfig] does not say
// (spec 4).
const OutputLimit = 48 << 10

// Level says how a rule of a session is kept.
type Level int

const (
	// Warn lets the call through and says so in its answer. It is the default.
	Warn Level = iota
	// Off does not look.
	Off
	// Enforce refuses the call.
	Enforce
)

// SessionConfig says who acts in a workspace and how it is answered. The zero
// value is good for calls that stand alone.
type SessionConfig struct {
	// Name says who edits, in the history. Optional.
	Name string
	// Owner is the identity of the session, which tells it from others of its name:
	// random, such as rand.Text gives it, and the same for all the calls of one agent.
	// Undo without a path then takes back what this session did and nothing else.
	// Without it the newest edit is taken back, whoever made it. Optional; recommended
	// where several agents work in a root. [Workspace.Resume] sets it.
	Owner string
	// OutputLimit bounds each answer, in bytes. Optional; the default is
	// [OutputLimit].
	OutputLimit int
	// RowLimit bounds the rows of a file that read_file shows at once. Optional;
	// 0 is no bound.
	RowLimit int
	// RefusalLimit bounds refusals, in bytes, where it is less than OutputLimit.
	// Optional.
	RefusalLimit int
	// Narrow confines the session to some folders. Optional.
	Narrow *Narrow
	// Ledger remembers what the agent is shown, so that a refusal can say why a
	// tag is stale and what the document would be now, and an edit with the line
	// numbers of an older view is found out (spec 9). It is the session's alone.
	// Without it each call stands alone and the fields below mean nothing.
	// Recommended.
	Ledger *ledger.Ledger
	// RequireSeen is for edits of lines that the agent was never shown. Optional.
	RequireSeen Level
	// RequireRead is for writing over files that it was never shown. Optional.
	RequireRead Level
	// Rebase applies the corrected document of a stale one at once, where there
	// is one, and says so. Optional.
	Rebase bool
	// StubReads answers a read in one line where the agent was shown all its
	// rows. Only for hosts whose context loses nothing. Optional.
	StubReads bool
}

// Session is one agent's way to act in a workspace: its tools. It may be used by
// several goroutines at once; calls that edit one file wait for one another.
type Session struct {
	*core
	name  string
	owner string
	limit int
	// refusals is the limit of refusals, where it is less; 0 is for none.
	refusals int
	// rows bounds what a read shows; 0 is no bound.
	rows int

	ledger                   *ledger.Ledger
	requireSeen, requireRead Level
	rebase, stubs            bool
}

// Session begins a session. It ends when it is no longer used.
func (w *Workspace) Session(cfg SessionConfig) *Session {
	limit := cfg.OutputLimit
	if limit <= 0 {
		limit = OutputLimit
	}
	return &Session{
		core: w.core.narrowed(cfg.Narrow), name: cfg.Name, owner: cfg.Owner, limit: limit, refusals: cfg.RefusalLimit, rows: cfg.RowLimit,
		ledger: cfg.Ledger, requireSeen: cfg.RequireSeen, requireRead: cfg.RequireRead,
		rebase: cfg.Rebase, stubs: cfg.StubReads,
	}
}
