package commit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hashline-go/hashline/apply/commit/history"
)

// journal is what has to be known to bring a commit to its end, or to take it
// back, after its process was killed (spec 11). It is written before anything
// else is. Everything in it is relative to the root.
type journal struct {
	// Record becomes that of the history when the commit is done. Its Folders
	// are those that were missing, and may have been made.
	Record history.Record `json:"record"`
	// Work goes with the files of Record.
	Work []work `json:"work"`
	// Empty lists folders that go, parents first, where nothing is in them.
	Empty []history.Name `json:"empty,omitempty"`
}

// work is what the commit does for one file.
type work struct {
	// Stage is the name, beside the target, under which the new version is
	// made and the old version may stand for a moment.
	Stage string `json:"stage,omitempty"`
	// Back is the name for an old version that is put back.
	Back string `json:"back,omitempty"`
	// Time is when the old version was written, in nanoseconds.
	Time int64 `json:"time,omitempty"`
	// InPlace says that the file is overwritten, not replaced.
	InPlace bool `json:"in_place,omitempty"`
	// Later says that the new version's digest is in a mark, since it is known
	// when that is written.
	Later bool `json:"later,omitempty"`
	// Kept says that the history gets the old version's own inode when the commit
	// is done.
	Kept bool `json:"kept,omitempty"`
}

const (
	journalFolder = "journals"
	journalName   = "hashline journal "
	journalNumber = "1"
	journalMagic  = journalName + journalNumber
	maxJournal    = 64 << 20
)

// A mark is a line behind a journal: how far its commit came.
const (
	// markStaged: every new version is whole.
	markStaged = "staged\n"
	// markNew: the digest of the new version of a file whose work says Later.
	markNew = "new %d %s\n"
	// markWriting: files may be overwritten.
	markWriting = "writing\n"
	// markRecovering: a recovery is, or was, at work on it.
	markRecovering = "recovering\n"
	// markPublished: every file was made new, and nothing is taken back any more.
	markPublished = "published\n"
	// markDone: the commit said that it succeeded: its temporary files are
	// still to go.
	markDone = "done\n"
	// markFailed: it said that it failed, and what it left where: only new
	// versions are still to go.
	markFailed = "failed\n"
	// markBack: it said that it failed, and that a file which it overwrote is
	// still to be put back.
	markBack = "back\n"
)

// encode gives the journal's bytes: a line that tells a whole journal from a
// torn one, and JSON.
func (j *journal) encode() ([]byte, error) {
	body, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	if len(body) > maxJournal/2 {
		return nil, errors.New("the journal is too long")
	}
	sum := sha256.Sum256(body)
	return fmt.Appendf(nil, "%s %d %s\n%s\n", journalMagic, len(body), hex.EncodeToString(sum[:]), body), nil
}

var errTornJournal = errors.New("the journal is not whole")

// decodeJournal reads what encode gives. What is not whole was never acted on.
func decodeJournal(data []byte) (j *journal, marks string, err error) {
	if newer(data) {
		return nil, "", errNewerJournal
	}
	head, rest, _ := bytes.Cut(data, []byte{'\n'})
	var n int
	var sum string
	if _, err := fmt.Sscanf(string(head), journalMagic+" %d %64s", &n, &sum); err != nil || n < 0 || n >= len(rest) {
		return nil, "", errTornJournal
	}
	body := rest[:n]
	if got := sha256.Sum256(body); hex.EncodeToString(got[:]) != sum {
		return nil, "", errTornJournal
	}
	j = &journal{}
	if err := json.Unmarshal(body, j); err != nil {
		return nil, "", err
	}
	marks, ok := readMarks(rest[n:])
	if !ok {
		return nil, "", errTornJournal
	}
	if err := j.check(); err != nil {
		return j, marks, err
	}
	return j, marks, j.checkMarks(marks)
}

var errFalseJournal = errors.New("the journal is not one of ours")

// check refuses a journal that no commit writes: it must not lead us to
// anything but the files of a commit and its temporary files.
func (j *journal) check() error {
	ok := j.Record.Believable() && !j.Record.Time.IsZero() && len(j.Work) == len(j.Record.Files)
	folders := map[string]bool{}
	for i := 0; ok && i < len(j.Work); i++ {
		f, w := j.Record.Files[i], j.Work[i]
		real := string(f.Real)
		ok = checkPath(real) == nil && w.does(f) && isTemp(w.Stage) && isTemp(w.Back) && w.Stage != w.Back
		for dir := path.Dir(real); dir != "." && !folders[dir]; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	for _, list := range [...][]history.Name{j.Record.Folders, j.Empty} {
		for _, dir := range list {
			ok = ok && folders[string(dir)]
		}
	}
	if !ok {
		return errFalseJournal
	}
	return nil
}

// does reports whether a commit could do that work for a file: else a recovery
// would take one kind of change for another.
func (w work) does(f history.File) bool {
	switch {
	case f.Old == nil: // created
		return f.New != nil && !w.InPlace && !w.Later && !w.Kept && w.Time == 0 && f.Mode == 0
	case w.Later:
		return f.New == nil && !w.InPlace
	case f.New == nil: // removed
		return !w.InPlace && (f.Kept != nil || f.NoKept != "")
	}
	return !(w.InPlace && w.Kept) && f.Kept == nil && f.NoKept == ""
}

// checkMarks refuses marks that no commit makes of such files.
func (j *journal) checkMarks(marks string) error {
	inPlace := slices.ContainsFunc(j.Work, func(w work) bool { return w.InPlace })
	for line := range strings.Lines(marks) {
		var i int
		n, _ := fmt.Sscanf(line, "new %d ", &i)
		if n == 1 && (i < 0 || i >= len(j.Work) || !j.Work[i].Later) || line == markWriting && !inPlace {
			return errFalseJournal
		}
	}
	return nil
}

// learn takes the digests of new versions from the marks. Where there is none the
// new version was never whole, and no file has the digest that stands for it.
func (j *journal) learn(marks string) {
	for i, w := range j.Work {
		if w.Later {
			j.Record.Files[i].New = &history.Digest{}
		}
	}
	for line := range strings.Lines(marks) {
		var i int
		var hex string
		var d history.Digest
		if n, _ := fmt.Sscanf(line, markNew, &i, &hex); n == 2 && i >= 0 && i < len(j.Work) && j.Work[i].Later && d.UnmarshalText([]byte(hex)) == nil {
			j.Record.Files[i].New = &d
		}
	}
}

// isTemp reports whether a name is one that tempName gives.
func isTemp(name string) bool {
	digits, ok := strings.CutPrefix(name, tempPrefix)
	digits, ok2 := strings.CutSuffix(digits, tempSuffix)
	return ok && ok2 && len(digits) == 16 && strings.Trim(digits, "0123456789abcdef") == ""
}
