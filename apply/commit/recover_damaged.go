package commit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// damaged puts a journal aside that cannot be read, and names the files that it
// seems to be of. Nothing that it says is acted on, but that temporary files go
// whose bytes their targets have. One that was cut short in the writing, before
// anything was done, is dropped.
func (s *Store) damaged(ctx context.Context, root *os.Root, sl *slot, data []byte, why error, report *Report) error {
	j, named := salvage(data)
	if errors.Is(why, errTornJournal) && neverBegun(root, data, named) {
		return s.emptied(sl)
	}
	var stay []string
	if j != nil {
		stay = s.sweepDamaged(ctx, root, j)
	}
	name, err := s.putAside(sl)
	if err != nil {
		return err
	}
	msg := "the journal of an edit that was interrupted is damaged"
	hint := fmt.Sprintf("look at it; the journal is kept as %s/%s in the state folder, and versions of files in history/objects", journalFolder, name)
	if len(stay) > 0 {
		hint += "; new or old versions are left in " + strings.Join(stay, ", ")
	}
	if len(named) == 0 {
		named = []salvaged{{}}
		msg += ", and nothing in it tells of which files: they may be new or old, and temporary files (" + tempPrefix + "*" + tempSuffix + ") be left beside them"
	} else {
		msg += ": this file may be new or old, or parts of both if it was overwritten"
	}
	for _, f := range named {
		report.Conflicts = append(report.Conflicts, &hashline.Diagnostic{Code: hashline.RecoveryConflict, Path: f.path, Msg: msg, Hint: hint})
	}
	return nil
}

func (s *Store) emptied(sl *slot) error {
	if err := sl.empty(false); err != nil {
		return stateFault("cannot end a journal in the state folder "+s.dir, err)
	}
	return nil
}

// salvaged is a file that a damaged journal names.
type salvaged struct {
	path string
	// old is the digest of its old version in hex, "" for a file to be created or
	// where it is not there to be read.
	old string
}

var salvageable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"real":("(?:[^"\\]|\\.)*")(?:,"old":"([0-9a-f]{64})")?`)
})

// maxSalvaged bounds how many files of a damaged journal are named.
const maxSalvaged = 20

// salvage reads of a damaged journal what can be read: all of it, where only a
// few bytes of text are others, or the files that it names.
func salvage(data []byte) (j *journal, files []salvaged) {
	_, body, _ := bytes.Cut(data, []byte{'\n'})
	whole := &journal{}
	if json.NewDecoder(bytes.NewReader(body)).Decode(whole) == nil && whole.check() == nil {
		j = whole
	}
	for _, m := range salvageable().FindAllSubmatch(data, maxSalvaged) {
		var name history.Name
		if json.Unmarshal(m[1], &name) == nil && checkPath(string(name)) == nil {
			files = append(files, salvaged{string(name), string(m[2])})
		}
	}
	return j, files
}

// neverBegun reports whether a journal is the beginning of one, and nothing tells
// that more was done than to write it.
func neverBegun(root *os.Root, data []byte, named []salvaged) bool {
	head, rest, _ := bytes.Cut(data, []byte{'\n'})
	var n int
	var sum string
	if _, err := fmt.Sscanf(string(head), journalMagic+" %d %64s", &n, &sum); err != nil || n < len(rest) || len(named) == 0 {
		return false
	}
	for _, f := range named {
		var old *history.Digest
		if f.old != "" {
			old = new(history.Digest)
			if old.UnmarshalText([]byte(f.old)) != nil {
				return false
			}
		}
		now, err := see(root, f.path)
		if err != nil || !now.holds(old) {
			return false
		}
		dir, _ := split(f.path)
		entries, err := fs.ReadDir(root.FS(), dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) || slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return isTemp(e.Name()) }) {
			return false
		}
	}
	return true
}

// sweepDamaged removes the temporary files of a damaged journal whose bytes stand
// under the target's name as well, and gives the names of the others.
func (s *Store) sweepDamaged(ctx context.Context, root *os.Root, j *journal) (stay []string) {
	held, err := s.Lock(ctx, root, j.paths())
	if err != nil {
		return nil
	}
	defer held.Release()
	r := &recovery{transaction: newTransaction(root, false, nil), journal: j}
	defer r.close()
	if past, err := s.past(ctx, s.patience(), false); err == nil && past != nil {
		defer past.close()
		r.past, r.id = past, j.Record.ID
	}
	r.noLease = s.noLease
	for i := range j.Work {
		e, err := r.look(i)
		if err != nil || e.folder == nil {
			continue
		}
		for _, temp := range []struct {
			name string
			is   *seen
		}{{e.stageName, e.stage}, {e.backName, e.back}} {
			if temp.is == nil {
				continue
			}
			h, leased := r.leasedAs(e, temp.name)
			same := temp.is.info.Mode().IsRegular() && e.target != nil && e.target.holds(&temp.is.digest)
			gone := same && r.takeAway(e.file, temp.name, leased) == nil
			h.Close() // of nil as well
			if gone {
				continue
			}
			stay = append(stay, beside(e.file, temp.name))
		}
	}
	return stay
}
