package history

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func newStore(t testing.TB) *Store {
	root, err := os.OpenRoot(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	return New(root)
}

func (s *Store) at(parts ...string) string {
	return filepath.Join(append([]string{s.root.Name()}, parts...)...)
}

func same(t testing.TB, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("differs (-want +got):\n%s", d)
	}
}

// contents are texts of every kind of size.
func contents() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 3*chunk+17)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	text := bytes.Repeat([]byte("a line of text, as long as lines are\n"), 3*chunk/37)
	return map[string][]byte{
		"empty": {}, "byte": {0}, "line": []byte("line\n"), "noise": noise, "text": text,
		"one chunk": text[:chunk], "one chunk and a byte": text[:chunk+1], "noise of one chunk": noise[:chunk],
	}
}

func TestPutGet(t *testing.T) {
	s := newStore(t)
	for name, data := range contents() {
		for _, sync := range []bool{false, true} {
			d, err := s.Put(data, sync)
			require.NoError(t, err)
			require.Equal(t, Sum(data), d)
			got, err := s.Get(d)
			require.NoError(t, err, name)
			require.True(t, bytes.Equal(data, got), name)
			require.True(t, s.Has(d))
		}
	}
	_, err := s.Get(Sum([]byte("never stored")))
	require.ErrorIs(t, err, ErrMissing)
	require.False(t, s.Has(Sum([]byte("never stored"))))
	names, err := os.ReadDir(s.at(objectFolder))
	require.NoError(t, err)
	require.Len(t, names, len(contents()))
	for _, e := range names {
		info, err := e.Info()
		require.NoError(t, err)
		require.Equal(t, fs.FileMode(0o600), info.Mode())
	}
	info, err := os.Stat(s.at(objectFolder))
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o700), info.Mode().Perm())
}

// Whatever was done to an object, what Get gives is what was stored or an error.
func TestDamagedObjects(t *testing.T) {
	s := newStore(t)
	text := bytes.Repeat([]byte("0123456789abcdef"), chunk/8)
	d, err := s.Put(text, false)
	require.NoError(t, err)
	name := s.at(objectFolder, d.String())
	whole, err := os.ReadFile(name)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 300 {
		bad := bytes.Clone(whole)
		switch i % 4 {
		case 0:
			bad = bad[:r.IntN(len(bad))]
		case 1:
			bad[r.IntN(min(len(bad), 1+i))] ^= 1 << r.IntN(8)
		case 2:
			bad = append(bad, byte(i))
		case 3:
			for j := range bad[:r.IntN(len(bad))] {
				bad[j] = byte(r.Uint32())
			}
		}
		require.NoError(t, os.WriteFile(name, bad, 0o600))
		got, err := s.Get(d)
		if err == nil {
			require.True(t, bytes.Equal(text, got))
			continue
		}
		require.ErrorIs(t, err, ErrCorrupt)
	}
	for _, bad := range []string{"", "hlo1", "hlo1\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "hlo1\x80\x80\x80\x20\x01\x00", "\x00\x00\x00\x00\x00"} {
		require.NoError(t, os.WriteFile(name, []byte(bad), 0o600))
		_, err := s.Get(d)
		require.ErrorIs(t, err, ErrCorrupt, "%q", bad)
	}
	// Storing it again mends it.
	_, err = s.Put(text, false)
	require.NoError(t, err)
	_, err = s.Get(d)
	require.NoError(t, err)
	// What is no file is not waited for.
	require.NoError(t, os.Remove(name))
	require.NoError(t, os.Mkdir(name, 0o700))
	_, err = s.Get(d)
	require.ErrorIs(t, err, ErrCorrupt)
	require.NoError(t, os.Remove(name))
	require.NoError(t, os.Symlink("/etc/passwd", name))
	_, err = s.Get(d)
	require.ErrorIs(t, err, ErrCorrupt)
}

func TestKeep(t *testing.T) {
	s := newStore(t)
	data := []byte("very large")
	d := Sum(data)
	require.NoError(t, s.Keep(d, func(folder *os.Root, name string) error {
		return folder.WriteFile(name, data, 0o600)
	}))
	got, err := s.Get(d)
	require.NoError(t, err)
	same(t, string(data), string(got))
	require.NoError(t, os.WriteFile(s.at(keptFolder, d.String()), []byte("a later write"), 0o600))
	_, err = s.Get(d)
	require.ErrorIs(t, err, ErrCorrupt)
	require.NoError(t, os.Remove(s.at(keptFolder, d.String())))
	_, err = s.Get(d)
	require.ErrorIs(t, err, ErrMissing)
	require.ErrorIs(t, s.Keep(d, func(folder *os.Root, name string) error {
		require.NoError(t, folder.WriteFile(name, data, 0o600))
		return fs.ErrPermission
	}), fs.ErrPermission)
	left, err := os.ReadDir(s.at(keptFolder))
	require.NoError(t, err)
	require.Empty(t, left)
}

// A file that moved in is young and closed, however old and open it was.
func TestAdopt(t *testing.T) {
	s := newStore(t)
	dir := t.TempDir()
	old := filepath.Join(dir, "old")
	require.NoError(t, os.WriteFile(old, []byte("whole"), 0o644))
	long := time.Now().Add(-3 * MaxAge)
	require.NoError(t, os.Chtimes(old, long, long))
	d := Sum([]byte("whole"))
	require.NoError(t, s.Adopt(d, func(_ *os.Root, name string) error {
		return os.Rename(old, s.at(keptFolder, name))
	}))
	require.NoError(t, s.Prune(time.Now(), nil))
	got, err := s.Get(d)
	require.NoError(t, err)
	same(t, "whole", string(got))
	info, err := os.Stat(s.at(keptFolder, d.String()))
	require.NoError(t, err)
	same(t, fs.FileMode(0o600), info.Mode())
	require.ErrorIs(t, s.Adopt(d, func(*os.Root, string) error { return fs.ErrPermission }), fs.ErrPermission)
}

var home = Root{Path: "/home/u/project", Device: 1, Inode: 2, Born: 3}

func record(n int, root Root) Record {
	old, new := Sum([]byte{byte(n)}), Sum([]byte{byte(n + 1)})
	at := time.Unix(int64(1_700_000_000+n), 5).UTC()
	return Record{
		ID: NewID(at), Time: at, Root: root, Session: "s", Tool: "edit",
		Files:   []File{{Path: "link", Real: Name(fmt.Sprintf("d/f%d", n)), Old: &old, New: &new, OldTag: "0A0B", NewTag: "FFFF", Mode: 0o644, Added: n, Removed: 1}},
		Folders: []Name{"d", "d/\xff\xfe"},
	}
}

func list(t testing.TB, s *Store, root Root) (all []Record, skipped int) {
	skipped, err := s.Records(root, func(r Record) bool { all = append(all, r); return true })
	require.NoError(t, err)
	return all, skipped
}

func TestRecords(t *testing.T) {
	s := newStore(t)
	all, skipped := list(t, s, home)
	require.Empty(t, all)
	require.Zero(t, skipped)
	var want []Record
	for n := range 300 {
		r := record(n, home)
		require.NoError(t, s.Append(r, n%100 == 0))
		want = append([]Record{r}, want...)
	}
	all, skipped = list(t, s, home)
	require.Zero(t, skipped)
	same(t, want, all)

	// A moved root has the same records, one in its place has none; a device
	// that got another number is found by its path.
	moved, other, renumbered, stranger := home, home, home, home
	moved.Path = "/elsewhere"
	other.Born = 4
	renumbered.Device = 9
	stranger.Device, stranger.Path = 9, "/elsewhere"
	for root, n := range map[Root]int{moved: 300, other: 0, renumbered: 300, stranger: 0} {
		all, _ := list(t, s, root)
		require.Len(t, all, n, "%v", root)
	}

	// The walk ends when it is told to.
	seen := 0
	_, err := s.Records(home, func(Record) bool { seen++; return seen < 3 })
	require.NoError(t, err)
	require.Equal(t, 3, seen)
}

func TestDamagedRecords(t *testing.T) {
	s := newStore(t)
	a, b := record(1, home), record(2, home)
	require.NoError(t, s.Append(a, false))
	name := s.at(logName(home))
	add := func(text string) {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
		require.NoError(t, err)
		_, err = f.WriteString(text)
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	line, err := logLine(record(3, home))
	require.NoError(t, err)
	evil := record(4, home)
	evil.Files[0].Real = "../../etc/passwd"
	evilLine, err := logLine(evil)
	require.NoError(t, err)
	absolute := record(4, home)
	absolute.Folders = []Name{"/etc"}
	absoluteLine, err := logLine(absolute)
	require.NoError(t, err)
	add(string(line[:len(line)/2]))
	add("\nnonsense\n\n\x00\x00\x00")
	add(strings.Replace(string(line), "edit", "edet", 1))
	add(string(evilLine))
	add(string(absoluteLine))
	add("\n" + strings.Repeat("x", maxLine+3*logChunk))
	require.NoError(t, s.Append(b, false))
	all, skipped := list(t, s, home)
	same(t, []Record{b, a}, all)
	require.Equal(t, 7, skipped)
}

// Many processes write at once; here they are many stores.
func TestParallelAppends(t *testing.T) {
	s := newStore(t)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 50 {
				if err := New(s.root).Append(record(w*50+i, home), false); err != nil {
					t.Error(err)
				}
				if _, err := New(s.root).Count("edit"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	all, skipped := list(t, s, home)
	require.Zero(t, skipped)
	require.Len(t, all, 400)
	counts, err := s.Counts()
	require.NoError(t, err)
	same(t, map[string]int64{"edit": 400}, counts)
}

func TestCounts(t *testing.T) {
	s := newStore(t)
	counts, err := s.Counts()
	require.NoError(t, err)
	require.Empty(t, counts)
	full := false
	n := int64(0)
	for ; !full; n++ {
		full, err = s.Count("refused_stale_tag")
		require.NoError(t, err)
	}
	_, err = s.Count("Bad name\n")
	require.Error(t, err)
	require.NoError(t, s.CompactCounts())
	info, err := os.Stat(s.at(countFile))
	require.NoError(t, err)
	require.Less(t, info.Size(), int64(100))
	_, err = s.Count("edit")
	require.NoError(t, err)
	want := map[string]int64{"edit": 1, "refused_stale_tag": n}
	counts, err = s.Counts()
	require.NoError(t, err)
	same(t, want, counts)
	require.NoError(t, os.WriteFile(s.at(countFile), []byte("edit 3\nedit -1\nX\n\x00\nedit\nedit 99999999999999999999\nlast"), 0o600))
	counts, err = s.Counts()
	require.NoError(t, err)
	same(t, map[string]int64{"edit": 3}, counts)
}

func TestPruneBySize(t *testing.T) {
	s := newStore(t)
	s.Bytes = 1 << 20
	r := rand.New(rand.NewPCG(5, 6))
	data := make([]byte, 10_000)
	var digests []Digest
	keep := map[Digest]bool{}
	start := time.Now().Add(-time.Hour)
	for i := range 1000 {
		for j := range data {
			data[j] = byte(r.Uint32())
		}
		d, err := s.Put(data, false)
		require.NoError(t, err)
		at := start.Add(time.Duration(i) * time.Second)
		require.NoError(t, os.Chtimes(s.at(objectFolder, d.String()), at, at))
		if i == 0 {
			keep[d] = true
		}
		digests = append(digests, d)
		due, err := s.Grown(1, int64(len(data)))
		require.NoError(t, err)
		if due {
			require.NoError(t, s.Prune(time.Now(), keep))
		}
		if i%50 == 0 {
			_, bytes, err := s.Usage()
			require.NoError(t, err)
			require.LessOrEqual(t, bytes, s.Bytes)
		}
	}
	files, _, err := s.Usage()
	require.NoError(t, err)
	require.Greater(t, files, 60)
	for i, d := range digests {
		// The newest are there, and what is to be kept.
		require.Equal(t, i == 0 || i > 1000-files, s.Has(d), "%d", i)
	}
}

func TestPruneByAge(t *testing.T) {
	s := newStore(t)
	now := time.Unix(1_700_000_000+100, 0).Add(MaxAge)
	for n := range 200 {
		require.NoError(t, s.Append(record(n, home), false))
	}
	require.NoError(t, s.Append(record(0, Root{Path: "/old", Inode: 77}), false))
	old, err := s.Put([]byte("old"), false)
	require.NoError(t, err)
	young, err := s.Put([]byte("young"), false)
	require.NoError(t, err)
	require.NoError(t, os.Chtimes(s.at(objectFolder, old.String()), now.Add(-MaxAge-time.Second), now.Add(-MaxAge-time.Second)))
	require.NoError(t, os.Chtimes(s.at(objectFolder, young.String()), now.Add(-time.Hour), now.Add(-time.Hour)))
	half := s.at(objectFolder, tempPrefix+"x")
	require.NoError(t, os.WriteFile(half, []byte("half"), 0o600))
	require.NoError(t, os.WriteFile(s.at(objectFolder, "foreign"), []byte("f"), 0o600))
	require.NoError(t, s.Prune(now, nil))
	all, _ := list(t, s, home)
	require.Len(t, all, 200, "nothing says yet that the clock is right")
	require.True(t, s.Has(old))
	require.NoError(t, s.Prune(now.Add(pruneEvery), nil))
	all, _ = list(t, s, home)
	require.Len(t, all, 100)
	require.False(t, s.Has(old))
	require.True(t, s.Has(young))
	require.NoFileExists(t, half)
	require.FileExists(t, s.at(objectFolder, "foreign"))
	logs, err := os.ReadDir(s.at(recordFolder))
	require.NoError(t, err)
	require.Len(t, logs, 1)
}

func BenchmarkPut(b *testing.B) {
	var text []byte
	names, err := filepath.Glob(filepath.Join("..", "*.go"))
	require.NoError(b, err)
	for len(text) < 10<<20 {
		for _, name := range names {
			data, err := os.ReadFile(name)
			require.NoError(b, err)
			text = append(append(text, data...), fmt.Sprint(len(text))...)
		}
	}
	for _, size := range []int{10 << 10, 10 << 20} {
		b.Run(fmt.Sprintf("size=%d", size), func(b *testing.B) {
			s := newStore(b)
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				binary.LittleEndian.PutUint64(text, uint64(n))
				_, err := s.Put(text[:size], false)
				require.NoError(b, err)
			}
		})
	}
}

// A line of the counts that a full disk cut short spoils no other.
func TestCountsThatWereCutShort(t *testing.T) {
	s := newStore(t)
	for range 2 {
		_, err := s.Count("edit")
		require.NoError(t, err)
	}
	whole, err := s.root.ReadFile(countFile)
	require.NoError(t, err)
	for n := range len("\nrefused_stale_tag 1\n") {
		require.NoError(t, s.root.WriteFile(countFile, append(bytes.Clone(whole), "\nrefused_stale_tag 1\n"[:n]...), 0o600))
		_, err := s.Count("refused_stale_tag")
		require.NoError(t, err)
		counts, err := s.Counts()
		require.NoError(t, err)
		want := map[string]int64{"edit": 2, "refused_stale_tag": 1}
		if n >= len("\nrefused_stale_tag 1") {
			want["refused_stale_tag"] = 2
		}
		same(t, want, counts)
	}
}

// TestLatest holds the records in the end of a file against their lengths.
func TestLatest(t *testing.T) {
	s := newStore(t)
	var ids []string
	var lengths []int64
	for n := range 200 {
		r := record(n, home)
		r.Session = strings.Repeat("s", n*7%2000)
		line, err := logLine(r)
		require.NoError(t, err)
		require.NoError(t, s.Append(r, false))
		ids, lengths = append(ids, r.ID), append(lengths, int64(len(line)))
	}
	latest := func(most int64) (got []string) {
		skipped, err := s.Latest(home, most, func(r Record) bool { got = append(got, r.ID); return true })
		require.NoError(t, err)
		require.Zero(t, skipped)
		return got
	}
	var want []string
	var sum int64
	for n := len(ids) - 1; n >= 0; n-- {
		same(t, want, latest(sum+lengths[n]-1))
		sum += lengths[n]
		want = append(want, ids[n])
		same(t, want, latest(sum))
	}
	require.Greater(t, sum, int64(3*logChunk))
	same(t, want, latest(sum+1))
	require.Empty(t, latest(0))
}

func TestLength(t *testing.T) {
	s := newStore(t)
	for _, size := range []int{0, 1, 100, 3<<20 + 1} {
		data := bytes.Repeat([]byte("x"), size)
		d, err := s.Put(data, false)
		require.NoError(t, err)
		n, ok := s.Length(d)
		require.True(t, ok)
		require.EqualValues(t, size, n)
		at := s.at(objectFolder, d.String())
		for _, text := range []string{"", "hl", "hlo1", "hlo1\xff\xff\xff", "hlo1\xff\xff\xff\xff\xff\xff\xff\xff\x01", "other\x01"} {
			require.NoError(t, os.WriteFile(at, []byte(text), 0o600))
			_, ok := s.Length(d)
			require.False(t, ok, "%q", text)
		}
		require.NoError(t, os.Remove(at))
		_, ok = s.Length(d)
		require.False(t, ok)
		require.NoError(t, s.Keep(d, func(folder *os.Root, name string) error { return folder.WriteFile(name, data, 0o600) }))
		n, ok = s.Length(d)
		require.True(t, ok)
		require.EqualValues(t, size, n)
	}
}
