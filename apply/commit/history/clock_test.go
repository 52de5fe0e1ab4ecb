package history

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// One edit with a wrong clock, between months of ordinary ones, loses nothing that is
// younger than it may become; and what is older goes in the end.
func TestWrongClocks(t *testing.T) {
	const day = 24 * time.Hour
	for _, wrong := range []time.Duration{-400 * day, -35 * day, -3 * day, -25 * time.Hour, -time.Hour, 0,
		time.Hour, 25 * time.Hour, 3 * day, 29 * day, 40 * day, 400 * day} {
		t.Run(fmt.Sprint(wrong), func(t *testing.T) {
			t.Parallel()
			type edit struct {
				at, clock time.Time
				digest    Digest
			}
			s := newStore(t)
			var edits []edit
			start := time.Now().Add(-1000 * day)
			do := func(at, clock time.Time) {
				old, err := s.Put(binary.BigEndian.AppendUint64(nil, uint64(at.UnixNano())), false)
				require.NoError(t, err)
				require.NoError(t, os.Chtimes(s.at(objectFolder, old.String()), clock, clock))
				edits = append(edits, edit{at, clock, old})
				require.NoError(t, s.KeepLate(NewID(clock), len(edits), func(folder *os.Root, name string) error {
					return folder.WriteFile(name, nil, 0o600)
				}))
				require.NoError(t, s.Append(Record{ID: NewID(clock), Time: clock, Root: home, Files: []File{{Path: "f", Real: "f", Old: &old}}}, false))
				due, err := s.ageDue(clock)
				require.NoError(t, err)
				if due {
					require.NoError(t, s.Prune(clock, nil))
				}
				// Any may be due for size.
				require.NoError(t, s.Prune(clock.Add(time.Minute), nil))

				recorded := map[Digest]bool{}
				all, _ := list(t, s, home)
				for _, r := range all {
					recorded[*r.Files[0].Old] = true
				}
				for n, e := range edits {
					age := at.Sub(e.at)
					if late, _ := filepath.Glob(s.at(lateFolder, fmt.Sprintf("*-*-%d-1", n+1))); age <= LateAge {
						require.Len(t, late, 1, "late, %v old", age)
					}
					if age <= MaxAge && e.at.Equal(e.clock) || age <= LateAge {
						require.True(t, s.Has(e.digest), "%v old", age)
						require.True(t, recorded[e.digest], "%v old", age)
					}
				}
			}
			at := start
			every := func(step time.Duration, until time.Duration) {
				for ; at.Before(start.Add(until)); at = at.Add(step) {
					do(at, at)
				}
			}
			every(17*time.Hour, 40*day)
			do(at, at.Add(wrong))
			at = at.Add(time.Minute)
			every(17*time.Hour, 50*day)
			// Nothing is edited for long.
			at = start.Add(120 * day)
			every(11*time.Hour, 123*day)
			limit := map[bool]time.Time{false: at.Add(-MaxAge), true: at.Add(-LateAge - 2*day)}
			all, _ := list(t, s, home)
			for _, r := range all {
				require.True(t, r.Time.After(limit[false]), "%v", at.Sub(r.Time))
			}
			for _, o := range append(storedIn(t, s, objectFolder), storedIn(t, s, lateFolder)...) {
				require.True(t, o.time.After(limit[o.late()]), "%v", at.Sub(o.time))
			}
		})
	}
}

func storedIn(t *testing.T, s *Store, folder string) []stored {
	list := s.lateFiles
	if folder != lateFolder {
		list = func() ([]stored, error) { return s.list(folder) }
	}
	all, err := list()
	require.NoError(t, err)
	return all
}

// A record of a clock that was behind takes none with it.
func TestRecordsOutOfOrder(t *testing.T) {
	s, now := newStore(t), time.Now()
	for _, days := range []int{40, 3, 36, 2, 35, 1} {
		at := now.Add(-time.Duration(days) * 24 * time.Hour)
		r := record(days, home)
		r.ID, r.Time = NewID(at), at
		require.NoError(t, s.Append(r, false))
	}
	require.NoError(t, s.touch(now))
	require.NoError(t, s.Prune(now.Add(pruneEvery), nil))
	all, _ := list(t, s, home)
	var left []int
	for _, r := range all {
		left = append(left, r.Files[0].Added)
	}
	same(t, []int{1, 2, 3}, left)
}

// Room is made oldest first, and only where that is enough.
func TestMakeRoom(t *testing.T) {
	s := newStore(t)
	keep := map[Digest]bool{}
	var digests []Digest
	for n := range 10 {
		d, err := s.Put([]byte{byte(n)}, false)
		require.NoError(t, err)
		at := time.Now().Add(time.Duration(n-100) * time.Minute)
		require.NoError(t, os.Chtimes(s.at(objectFolder, d.String()), at, at))
		digests = append(digests, d)
		keep[d] = n == 1
	}
	require.False(t, s.MakeRoom(9*block+1, keep))
	require.True(t, s.MakeRoom(2*block+1, keep))
	for n, d := range digests {
		require.Equal(t, n == 1 || n > 3, s.Has(d), "%d", n)
	}
}
