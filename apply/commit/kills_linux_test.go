package commit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// hammer commits without end, and says when it has for the first time: a and b hold
// one number, n/c is there while that is odd, and d/e while it is even.
func hammer(s *Store, root *os.Root) int {
	for n := 0; ; n++ {
		if err := hammerOnce(s, root); err != nil {
			return complain(err)
		}
		if n == 0 {
			fmt.Println("committed")
		}
	}
}

func hammerOnce(s *Store, root *os.Root) error {
	held, report, err := s.LockSettled(context.Background(), root, []string{"a", "b", "n/c", "d/e"})
	if err != nil {
		return err
	}
	defer held.Release()
	if len(report.Conflicts) > 0 {
		return report.Conflicts
	}
	a, err := root.ReadFile("a")
	if err != nil {
		return err
	}
	b, err := root.ReadFile("b")
	if err != nil {
		return err
	}
	_, err = root.Lstat("n/c")
	odd := err == nil
	_, err = root.Lstat("d/e")
	even := err == nil
	n, err := strconv.Atoi(string(a))
	if err != nil {
		return err
	}
	if string(a) != string(b) || odd == even || odd != (n%2 == 1) {
		// Another process may have been killed, but that was recovered.
		return fmt.Errorf("under the locks a is %s, b %s, n/c there: %t, d/e there: %t", a, b, odd, even)
	}
	next := []byte(strconv.Itoa(n + 1))
	there, gone := "d/e", "n/c"
	if odd {
		there, gone = gone, there
	}
	was, err := root.ReadFile(there)
	if err != nil {
		return err
	}
	_, err = s.CommitNoted(context.Background(), root, Note{Empty: []string{there[:1]}}, []Change{
		{Path: "a", Old: a, New: next}, {Path: there, Old: was, Remove: true},
		{Path: gone, New: next, Create: true}, {Path: "b", Old: b, New: next},
	})
	return err
}

// Processes are killed at random moments while they commit, again and again.
func TestRandomKills(t *testing.T) {
	rounds := 12
	if allFaults() {
		rounds = 3000
	}
	if given := os.Getenv("COMMIT_KILL_ROUNDS"); given != "" {
		var err error
		rounds, err = strconv.Atoi(given)
		require.NoError(t, err)
	}
	r := seeded(t)
	onDisks(t, func(t *testing.T, disk string) {
		s, root := storeOn(t, disk), openRoot(t, tempOn(t, disk))
		for name, content := range map[string]string{"a": "0", "b": "0", "d/e": "0"} {
			put(t, filepath.Join(root.Name(), name), content)
		}
		randomKills(t, r, s, root, rounds)
	})
}

func randomKills(t *testing.T, r *rand.Rand, s *Store, root *os.Root, rounds int) {
	s.HistoryBytes = 1 << 20
	var done, undone, reached int
	// Some of them meet a process in the middle of a commit.
	for round, end := 0, time.Now().Add(time.Minute); round < rounds || done+undone == 0 && time.Now().Before(end); round++ {
		var running []*exec.Cmd
		var out printed
		for range 2 {
			c := child("hammer", s.Dir(), root.Name())
			c.Stdout = &out
			require.NoError(t, c.Start())
			running = append(running, c)
		}
		// The other one may be just beginning.
		out.wait(t, 1)
		time.Sleep(time.Duration(r.IntN(15_000)) * time.Microsecond)
		for _, i := range r.Perm(2) {
			_ = running[i].Process.Kill()
			time.Sleep(time.Duration(r.IntN(3)) * time.Millisecond)
		}
		for _, c := range running {
			var exit *exec.ExitError
			if err := c.Wait(); errors.As(err, &exit) && exit.Exited() {
				t.Fatalf("round %d: a process ended by itself: %v", round, err)
			}
		}
		report := recovered(t, s, root)
		require.Empty(t, report.Conflicts, "round %d", round)
		done, undone = done+min(1, len(report.Done)), undone+min(1, len(report.Undone))
		data, err := root.ReadFile("a")
		require.NoError(t, err)
		n, err := strconv.Atoi(string(data))
		require.NoError(t, err)
		require.GreaterOrEqual(t, n, reached)
		reached = n
		want := map[string]string{"a": string(data), "b": string(data), "n/c": string(data)}
		folder := "n"
		if n%2 == 0 {
			want = map[string]string{"a": string(data), "b": string(data), "d/e": string(data)}
			folder = "d"
		}
		same(t, want, contents(t, root.Name()))
		info, err := root.Lstat(folder)
		require.NoError(t, err)
		require.Equal(t, fs.ModeDir, info.Mode().Type())
		require.Len(t, tree(t, root.Name()), 4, "round %d: %v", round, tree(t, root.Name()))
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
	}
	// Each number is in the history once, as far as that reaches.
	seen := map[string]bool{}
	skipped, err := s.Records(root, func(r Record) bool {
		require.False(t, seen[r.ID])
		seen[r.ID] = true
		return true
	})
	require.NoError(t, err)
	t.Logf("%d rounds of 2 kills: reached %d; %d commits brought to an end, %d taken back; %d records, %d damaged", rounds, reached, done, undone, len(seen), skipped)
	require.LessOrEqual(t, len(seen), reached)
	require.NotZero(t, reached)
	require.NotZero(t, done+undone)
}
