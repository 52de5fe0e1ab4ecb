package commit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// foreignWriter writes to root/f again and again, as programs do that know nothing of
// us, until its input ends. Each time it adds a line of its own to what it finds;
// every line it has written and closed it prints.
func foreignWriter(root *os.Root, args []string) int {
	seed, _ := strconv.ParseUint(args[1], 10, 64)
	r := rand.New(rand.NewPCG(seed, 1))
	f := filepath.Join(root.Name(), "f")
	end := make(chan struct{})
	go func() {
		io.Copy(io.Discard, os.Stdin)
		close(end)
	}()
	for n := 0; ; n++ {
		select {
		case <-end:
			return 0
		default:
		}
		pause := func(most int) { time.Sleep(time.Duration(r.IntN(most)) * time.Microsecond) }
		line := fmt.Sprintf("%s %d %d\n", args[0], seed, n)
		kinds := strings.Split(args[0], "+")
		if err := foreignWrites[kinds[r.IntN(len(kinds))]](f, line, pause); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", args[0], err)
			return 1
		}
		fmt.Print(line)
		pause(900)
	}
}

var foreignWrites = map[string]func(f, line string, pause func(int)) error{
	"append": func(f, line string, _ func(int)) error {
		h, err := os.OpenFile(f, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		_, err = h.WriteString(line)
		return errors.Join(err, h.Close())
	},
	// Holds it open for a while before, between and after its writes.
	"hold": func(f, line string, pause func(int)) error {
		h, err := os.OpenFile(f, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		pause(2000)
		_, err = h.WriteString("more\n")
		pause(2000)
		_, werr := h.WriteString(line)
		pause(2000)
		return errors.Join(err, werr, h.Close())
	},
	// Reads and writes through one descriptor.
	"inplace": func(f, line string, pause func(int)) error {
		h, err := os.OpenFile(f, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		b, err := io.ReadAll(h)
		if err == nil {
			pause(100)
			_, err = h.WriteAt([]byte(line+string(b)), 0)
		}
		return errors.Join(err, h.Close())
	},
	// Truncates when it opens, as a shell and most editors do.
	"truncate": func(f, line string, pause func(int)) error {
		b, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		pause(100)
		return os.WriteFile(f, append(b, line...), 0o644)
	},
	"rename": func(f, line string, pause func(int)) error {
		b, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		if err := os.WriteFile(f+".theirs", append(b, line...), 0o644); err != nil {
			return err
		}
		pause(100)
		return os.Rename(f+".theirs", f)
	},
}

// raceRounds gives how often we commit in each race with foreign writers.
func raceRounds(short int) int {
	if n, err := strconv.Atoi(os.Getenv("COMMIT_RACE_ROUNDS")); err == nil {
		return n
	}
	return short
}

// No byte that a foreign writer wrote is lost: it is in the file, or in a version
// that was kept beside, and of which a refusal told. No temporary file is left.
func TestForeignWriters(t *testing.T) {
	seed := rand.Uint64()
	// Who never pauses can keep us from getting through in one race, and a slow
	// one can fail to meet us; not in all of them.
	done, refused := 0, 0
	for _, c := range []struct {
		writers []string // several only where they do not lose one another's lines
		noLease bool     // in place of leases, looks must do
	}{
		{writers: []string{"append", "append"}},
		{writers: []string{"hold", "append"}},
		{writers: []string{"inplace"}},
		{writers: []string{"truncate"}},
		{writers: []string{"rename"}},
		{writers: []string{"rename"}, noLease: true},
		{writers: []string{"hold", "append"}, noLease: true},
		{writers: []string{"inplace"}, noLease: true},
		{writers: []string{"append+hold+inplace+truncate+rename"}},
		{writers: []string{"append+hold+inplace+truncate+rename"}, noLease: true},
	} {
		name := strings.Join(c.writers, ",")
		if c.noLease {
			name += " without leases"
		}
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, root *os.Root) {
				if !c.noLease {
					needLease(t, root)
				}
				put(t, filepath.Join(root.Name(), "f"), "first\n")
				// On the file system of the file, so that the history can keep what others
				// write to a replaced one.
				state := filepath.Join(root.Name(), ".state")
				var running []*exec.Cmd
				var stops []io.Closer
				outs := make([]printed, len(c.writers))
				for i, kind := range c.writers {
					cmd := child("foreign", state, root.Name(), kind, strconv.FormatUint(seed+uint64(i), 10))
					cmd.Stdout = &outs[i]
					in, err := cmd.StdinPipe()
					require.NoError(t, err)
					require.NoError(t, cmd.Start())
					stops, running = append(stops, in), append(running, cmd)
				}
				told, count := ourEdits(t, root, state, c.noLease, raceRounds(100))
				outs[0].wait(t, 3)
				for i := range running {
					stops[i].Close()
					require.NoError(t, running[i].Wait())
				}

				var all string
				for name, what := range tree(t, root.Name()) {
					if what[0] == 'd' || strings.HasPrefix(name, ".state/") && !strings.HasPrefix(name, ".state/history/late/") {
						continue
					}
					b, err := root.ReadFile(name)
					require.NoError(t, err)
					all += string(b)
					if name != "f" && !strings.HasPrefix(name, ".state/") && !strings.Contains(told, name) {
						t.Errorf("%s is left behind, and nobody was told", name)
					}
				}
				lines := 0
				for i := range outs {
					for line := range strings.Lines(outs[i].String()) {
						lines++
						if !strings.Contains(all, line) {
							t.Errorf("lost: %q", line)
						}
					}
				}
				t.Log(lines, "foreign lines;", count)
				require.Greater(t, lines, 2)
				done += count["done"]
				refused += count["changed_during_edit"] + count["busy_file"]
				if t.Failed() {
					t.Logf("seed %d", seed)
				}
			})
		})
	}
	require.Greater(t, done, 0)
	require.Greater(t, refused, 0)
}

// ourEdits commits edits of f from several goroutines, counts what came of
// them, and gives all that was told.
func ourEdits(t *testing.T, root *os.Root, state string, noLease bool, rounds int) (told string, count map[string]int) {
	count = map[string]int{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			s, err := Open(state)
			if err != nil {
				t.Error(err)
				return
			}
			s.NoSync, s.noLease, s.Wait = true, noLease, time.Minute
			keepAll(s)
			start := time.Now()
			for n := 0; ; n++ {
				mu.Lock()
				refused := count["changed_during_edit"] + count["busy_file"]
				enough := n >= rounds/2 && count["done"] > 0 && refused > 2
				mu.Unlock()
				if enough || time.Since(start) > 20*time.Second && n >= rounds/2 {
					return
				}
				err := foreignRound(s, root, fmt.Sprintf("ours %d %d\n", i, n))
				mu.Lock()
				switch list := codes(err); {
				case err == nil:
					count["done"]++
				case list[0] == "torn":
					count["torn"]++
				default:
					count[string(list[0])]++
				}
				if err != nil && strings.Contains(err.Error(), "kept as") {
					count["kept"]++
					told += err.Error()
				}
				for _, code := range codes(err) {
					if code != "torn" && code != hashline.ChangedDuringEdit && code != hashline.BusyFile {
						t.Errorf("%v", err)
					}
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return told, count
}

// foreignRound makes one edit of what the file holds now; the file stays small.
func foreignRound(s *Store, root *os.Root, line string) error {
	held, err := s.Lock(context.Background(), root, []string{"f"})
	if err != nil {
		return err
	}
	defer held.Release()
	old, err := root.ReadFile("f")
	if errors.Is(err, fs.ErrNotExist) {
		return changed("f", "gone")
	}
	if err != nil {
		return err
	}
	kept := regexp.MustCompile(`(?m)^ours .*\n`).ReplaceAll(old, nil)
	warnings, err := s.Commit(context.Background(), root, []Change{{Path: "f", Old: old, New: append([]byte(line), kept...)}})
	if err == nil && len(warnings) > 0 {
		return warnings
	}
	return err
}
