package search

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace/gitignore"
)

func openTree(tb testing.TB, files map[string]string) *os.Root {
	tb.Helper()
	dir := tb.TempDir()
	for name, content := range files {
		require.NoError(tb, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(tb, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	root, err := os.OpenRoot(dir)
	require.NoError(tb, err)
	tb.Cleanup(func() { root.Close() })
	return root
}

func runLimited(tb testing.TB, root *os.Root, q Query, most limits) (*Result, time.Duration) {
	tb.Helper()
	start := time.Now()
	r, err := run(context.Background(), root, gitignore.User{}, q, func([]byte) hashline.Tag { return 0 }, nil, most)
	require.NoError(tb, err)
	return r, time.Since(start)
}

// hard is a text and a pattern that take minutes to match.
var (
	hardText    = strings.Repeat("a", 4<<20)
	hardPattern = strings.Repeat("(a?){90}", 20) + "b"
)

func TestTimeLimit(t *testing.T) {
	t.Parallel()
	for _, text := range []string{hardText, strings.Repeat(strings.Repeat("a", 1000)+"b\n", 4<<10)} {
		root := openTree(t, map[string]string{"a": "early b\n", "hard": text + "b\n"})
		// A busy machine may not come to the first file in the least time.
		for _, seconds := range []int{1, 10} {
			limit := time.Duration(seconds) * time.Second
			r, took := runLimited(t, root, Query{Pattern: "a.*(" + hardPattern + ")$"}, limits{time: limit, entries: 100})
			require.Less(t, took, limit+30*time.Second)
			text, _ := r.Render(0)
			require.Contains(t, text, fmt.Sprintf("; stopped after %d s, not everything was searched]", seconds))
			if r.Matches > 0 || seconds == 10 {
				require.Contains(t, text, "[a#0000]\n1 | early b\n")
				break
			}
		}
	}
}

func TestCancelledInTheMiddle(t *testing.T) {
	t.Parallel()
	root := openTree(t, map[string]string{"hard": hardText + "b "})
	q := Query{Pattern: "a.*(" + hardPattern + ")$"}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(200*time.Millisecond, cancel)
	start := time.Now()
	_, err := Run(ctx, root, gitignore.User{}, q, nil, nil)
	require.ErrorIs(t, err, hashline.Cancelled)
	require.Less(t, time.Since(start), 30*time.Second)

	ctx, cancel = context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	_, err = Run(ctx, root, gitignore.User{}, q, nil, nil)
	require.ErrorIs(t, err, hashline.Timeout)
}

func TestEntryLimit(t *testing.T) {
	files := map[string]string{}
	for i := range 50 {
		files[fmt.Sprintf("d%d/f%02d", i%5, i)] = "x\n"
	}
	root := openTree(t, files)
	count := func(entries int) string {
		r, _ := runLimited(t, root, Query{Pattern: "x", Mode: FilesWithMatches}, limits{time: time.Minute, entries: entries})
		text, _ := r.Render(0)
		return text[strings.LastIndexByte(text, '\n')+1:]
	}
	require.Equal(t, "[50 matches in 50 files]", count(55))
	require.Equal(t, "[49 matches in 49 files; stopped after 54 entries, not everything was searched]", count(54))
	require.Equal(t, "[5 matches in 5 files; stopped after 10 entries, not everything was searched]", count(10))
	require.Equal(t, "[0 matches in 0 files; stopped after 3 entries, not everything was searched]", count(3))
	require.Equal(t, "200,000", thousands(200_000))
	require.Equal(t, "999", thousands(999))
}

func TestManyFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short mode: makes 100,000 files")
	}
	dir, err := os.MkdirTemp("/dev/shm", "search")
	if err != nil {
		dir = t.TempDir()
	}
	defer os.RemoveAll(dir)
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "full"), []byte("x\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "empty"), nil, 0o644))
	for i := range 100_000 {
		from := "empty"
		if i%10_000 == 0 {
			from = "full"
		}
		require.NoError(t, os.Link(filepath.Join(dir, from), filepath.Join(dir, fmt.Sprint(i))))
	}
	r, took := runLimited(t, root, Query{Pattern: "x"}, limits{time: time.Minute, entries: usual.entries})
	require.Equal(t, []any{11, 11, ""}, []any{r.Matches, r.Matched, r.Stopped})
	t.Logf("100,000 files in one folder: %v", took)
}

// An ignore file whose patterns are as slow as they can be.
func TestSlowIgnoreFile(t *testing.T) {
	t.Parallel()
	files := map[string]string{".gitignore": strings.Repeat("x/"+strings.Repeat("**/*a*", 300)+"b\n", 570)}
	name := strings.Repeat("a", 250)
	for i := range 200 {
		files[fmt.Sprint("x/", strings.Repeat(name+"/", 8), name, i)] = "x"
	}
	r, took := runLimited(t, openTree(t, files), Query{Pattern: "x"}, limits{time: time.Second, entries: 1000})
	require.Equal(t, "1 s", r.Stopped)
	require.Less(t, took, time.Minute)
	t.Logf("stopped after %v", took)
}
