package commit

import (
	"bytes"
	"os"
	"time"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/apply/commit/own"
)

// othersRecover bounds how long a recovery by another process is waited for: twice
// as long in all.
const othersRecover = 2048 * time.Millisecond

func (s *Store) patience() time.Duration { return min(othersRecover, s.wait()/2) }

// recovering reports whether a locked journal is one of a root that another process
// recovers: until that has ended its files may be some old and some new.
func recovering(journals *os.Root, name string, id history.Root) bool {
	f, err := own.Open(journals, name, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	data, err := readSlot(f)
	if err != nil || !bytes.Contains(data, []byte("\n"+markRecovering)) {
		return false
	}
	j, marks, err := decodeJournal(data)
	return err == nil && progressOf(marks).recovering && j.Record.Root.Is(id)
}
