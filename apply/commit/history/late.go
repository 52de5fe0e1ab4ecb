package history

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// lateFolder holds replaced files themselves, to which programs that have them
// open may still write. Each bears the ID of the record that replaced it and the
// number of the file in that.
const lateFolder = "late"

// LateAge is how long a replaced file is kept for the sake of such programs.
const LateAge = 24 * time.Hour

// KeepLate keeps a replaced file itself, number n of a record: move moves it into
// a folder under a name, in one step. The name is free: what was kept of the same
// file before stays, and nobody else makes names of that record. Errors are those of
// move and the system's.
func (s *Store) KeepLate(id string, n int, move func(folder *os.Root, name string) error) error {
	folder, err := s.folder(lateFolder)
	if err != nil {
		return err
	}
	defer folder.Close()
	for k := 1; ; k++ {
		name := fmt.Sprintf("%s-%d-%d", id, n, k)
		if _, err := folder.Lstat(name); err != nil {
			return move(folder, name)
		}
	}
}

// lateFiles lists the replaced files. Their times are those of their records:
// what they bear themselves is their owner's.
func (s *Store) lateFiles() ([]stored, error) {
	list, err := s.list(lateFolder)
	for i, o := range list {
		_, name, _ := strings.Cut(o.name, "/")
		stamp, _, _ := strings.Cut(name, "-")
		if nanos, err := strconv.ParseInt(stamp, 16, 64); err == nil {
			list[i].time = time.Unix(0, nanos)
		}
	}
	return list, err
}
