package history

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/hashline-go/hashline/apply/commit/own"
)

// The counts lie in one file: lines of a name, a blank and how often. Counting adds
// a line, [Store.CompactCounts] sums them up. A line that is added begins with a
// line break, so that one which was cut short by a full disk spoils no other.
const (
	countFile  = "counts"
	maxCounts  = 8 << 20
	manyCounts = 64 << 10
)

// Count adds one to the count of name, which is made of lower-case letters and
// "_". full tells that it is time for [Store.CompactCounts].
func (s *Store) Count(name string) (full bool, err error) {
	if !countable(name) {
		return false, fmt.Errorf("history: %q cannot be counted", name)
	}
	f, err := own.Open(s.root, countFile, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return false, err
	}
	defer f.Close()
	if _, err := f.WriteString("\n" + name + " 1\n"); err != nil {
		return false, err
	}
	info, err := f.Stat()
	return err == nil && info.Size() > manyCounts, err
}

func countable(name string) bool {
	return name != "" && len(name) <= 40 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") == ""
}

// Counts gives what was counted. Lines that are damaged do not count.
func (s *Store) Counts() (map[string]int64, error) {
	data, err := s.read(countFile, maxCounts)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	counts := map[string]int64{}
	for line := range bytes.Lines(data) {
		name, number, _ := strings.Cut(strings.TrimSuffix(string(line), "\n"), " ")
		if n, err := strconv.ParseInt(number, 10, 64); err == nil && n > 0 && countable(name) {
			counts[name] += n
		}
	}
	return counts, err
}

// CompactCounts makes the file of the counts short again. A file that cannot be
// read is begun anew.
func (s *Store) CompactCounts() error {
	counts, err := s.Counts()
	if err != nil && !errors.Is(err, ErrCorrupt) {
		return err
	}
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&b, "%s %d\n", name, counts[name])
	}
	return s.replace(countFile, b.Bytes())
}

// replace puts data in the place of a file of the history.
func (s *Store) replace(name string, data []byte) error {
	f, temp, err := s.create(recordFolder)
	if err != nil {
		return err
	}
	return own.Replace(s.root, f, temp, name, data)
}
