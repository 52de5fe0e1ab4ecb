package history

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/hashline-go/hashline/apply/commit/own"
)

// How much there is, is counted as blocks of 4 KiB, as file systems do, in the
// length of the file grown: adding to it needs no lock.
const (
	grownFile = "grown"
	block     = 4 << 10
)

func blocks(size int64) int64 { return max(1, (size+block-1)/block) }

// Room is how many bytes a pruning leaves: more than that, all in one, never stay.
func (s *Store) Room() int64 { return s.maxBytes() - s.slack() }

// slack is the part of the room that may fill up until the next pruning.
func (s *Store) slack() int64 { return s.maxBytes() / 16 }

// Grown notes that bytes were stored in files, and reports whether it is time
// for [Store.Prune].
func (s *Store) Grown(files int, bytes int64) (due bool, err error) {
	f, err := own.Open(s.root, grownFile, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return false, err
	}
	defer f.Close()
	// Even where a whole disk was stored this is a small write.
	if _, err = f.Write(make([]byte, min(blocks(bytes)+int64(files), 1<<20))); err != nil {
		return false, err
	}
	info, err := f.Stat()
	if err != nil || info.Size()*block >= s.slack() {
		return err == nil, err
	}
	return s.ageDue(time.Now())
}

// Prune takes away what is too old and, oldest first, what is too much. Content
// whose digest is in keep stays. Ages are those that [Store.AgesFrom] tells. It goes
// on where something cannot be removed, and gives the first error of the system.
func (s *Store) Prune(now time.Time, keep map[Digest]bool) error {
	var first firstError
	from, due := s.agesFrom(now)
	all, total := s.content(&first)
	room := s.Room()
	for _, o := range all {
		age := s.MaxAge()
		if o.late() {
			age = LateAge
		}
		switch {
		case o.temp(now):
			first.note(s.root.Remove(o.name))
		case (total > room || from.Sub(o.time) > age) && !o.stays(keep):
			first.note(s.root.Remove(o.name))
			total -= o.size
		}
	}
	logs, err := s.list(recordFolder)
	first.note(err)
	for _, l := range logs {
		switch {
		case strings.HasSuffix(l.name, logSuffix):
			first.note(s.pruneLog(l.name, from))
		case l.temp(now):
			first.note(s.root.Remove(l.name))
		}
	}
	if due {
		first.note(s.touch(now))
	}
	first.note(s.root.Remove(grownFile))
	return first.error
}

// MakeRoom takes away so many bytes, oldest first, for a disk that is full; nothing
// where there are not so many. Content whose digest is in keep stays. It reports
// whether it took something away.
func (s *Store) MakeRoom(bytes int64, keep map[Digest]bool) bool {
	var first firstError
	all, _ := s.content(&first)
	all = slices.DeleteFunc(all, func(o stored) bool { return o.stays(keep) })
	n, sum := 0, int64(0)
	for ; n < len(all) && sum < bytes; n++ {
		sum += all[n].size
	}
	if sum < bytes {
		return false
	}
	for _, o := range all[:n] {
		_ = s.root.Remove(o.name)
	}
	return true
}

// content gives what takes room in the history and may go, the oldest first, and how
// much that is.
func (s *Store) content(first *firstError) (all []stored, total int64) {
	for _, folder := range [...]string{objectFolder, keptFolder} {
		list, err := s.list(folder)
		first.note(err)
		all = append(all, list...)
	}
	late, err := s.lateFiles()
	first.note(err)
	all = append(all, late...)
	for _, o := range all {
		total += o.size
	}
	slices.SortFunc(all, func(a, b stored) int { return a.time.Compare(b.time) })
	return all, total
}

// stored is a file in the history.
type stored struct {
	name string
	size int64
	time time.Time
}

func (o stored) late() bool { return strings.HasPrefix(o.name, lateFolder+"/") }

// temp reports whether a file was left half written.
func (o stored) temp(now time.Time) bool {
	return strings.HasPrefix(path.Base(o.name), tempPrefix) && now.Sub(o.time).Abs() >= time.Hour
}

// stays reports whether a file is content that is to be kept, or none of ours.
func (o stored) stays(keep map[Digest]bool) bool {
	if o.late() {
		return false
	}
	var d Digest
	return d.UnmarshalText([]byte(path.Base(o.name))) != nil || keep[d]
}

// firstError is the first error of the system, nil for none.
type firstError struct{ error }

func (f *firstError) note(err error) {
	if err != nil && f.error == nil && !errors.Is(err, fs.ErrNotExist) {
		f.error = err
	}
}
