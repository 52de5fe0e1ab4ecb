package commit

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// play is a child process. Arguments: the state folder, the root, and what the
// role needs.
func play(role string, args []string) int {
	s, err := Open(args[0])
	if err != nil {
		return complain(err)
	}
	s.NoSync = true
	s.Wait = time.Minute
	keepAll(s)
	root, err := os.OpenRoot(args[1])
	if err != nil {
		return complain(err)
	}
	switch role {
	case "count":
		// Two goroutines, so that the locks are tried between those as well.
		times, _ := strconv.Atoi(args[2])
		var wg sync.WaitGroup
		errs := make([]error, 2)
		for i := range errs {
			wg.Go(func() { errs[i] = count(s, root, "counter", times/2) })
		}
		wg.Wait()
		for _, err := range errs {
			if err != nil {
				return complain(err)
			}
		}
	case "remember":
		times, _ := strconv.Atoi(args[2])
		for range times {
			if err := addToMemory(s, root, "agent"); err != nil {
				return complain(err)
			}
		}
	case "hold":
		if _, err := s.Lock(context.Background(), root, args[2:]); err != nil {
			return complain(err)
		}
		fmt.Println("held")
		io.Copy(io.Discard, os.Stdin)
	default:
		return playMore(role, s, root, args[2:])
	}
	return 0
}

func complain(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// child prepares a process that plays a role.
func child(role string, args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), roleVar+"="+role)
	c.Stderr = os.Stderr
	return c
}

// printed is what a process prints; it may be looked at meanwhile.
type printed struct {
	mu   sync.Mutex
	text strings.Builder
}

func (p *printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *printed) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

func (p *printed) lines() int { return strings.Count(p.String(), "\n") }

// wait waits for so many lines.
func (p *printed) wait(t *testing.T, lines int) {
	t.Helper()
	for end := time.Now().Add(time.Minute); p.lines() < lines; time.Sleep(time.Millisecond) {
		require.True(t, time.Now().Before(end), "the process printed no more than %q", p.String())
	}
}

// count adds one to the number in a file, again and again.
func count(s *Store, root *os.Root, name string, times int) error {
	for range times {
		held, err := s.Lock(context.Background(), root, []string{name})
		if err != nil {
			return err
		}
		old, err := root.ReadFile(name)
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(string(old))
		if err != nil {
			return err
		}
		if _, err := s.Commit(context.Background(), root, []Change{edit(name, string(old), strconv.Itoa(n+1))}); err != nil {
			return err
		}
		held.Release()
	}
	return nil
}

func TestNoUpdateIsLost(t *testing.T) {
	const times = 200
	s, root := newStore(t), newRoot(t, map[string]string{"counter": "0"})
	var running []*exec.Cmd
	for range 2 {
		c := child("count", s.Dir(), root.Name(), strconv.Itoa(times))
		require.NoError(t, c.Start())
		running = append(running, c)
	}
	for _, c := range running {
		require.NoError(t, c.Wait())
	}
	same(t, map[string]string{"counter": strconv.Itoa(2 * times)}, contents(t, root.Name()))
}

// hold starts a process that holds the locks of the paths.
func hold(t *testing.T, s *Store, root *os.Root, paths ...string) *exec.Cmd {
	c := child("hold", append([]string{s.Dir(), root.Name()}, paths...)...)
	in, err := c.StdinPipe()
	require.NoError(t, err)
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	t.Cleanup(func() {
		in.Close()
		c.Process.Kill()
		c.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "held", strings.TrimSpace(line))
	return c
}

func TestLocksDieWithTheirOwner(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1"})
	owner := hold(t, s, root, "a")

	s.Wait = 50 * time.Millisecond
	start := time.Now()
	_, err := s.Lock(context.Background(), root, []string{"a"})
	require.ErrorIs(t, err, hashline.Locked)
	who := ""
	if runtime.GOOS == "linux" {
		name := filepath.Base(os.Args[0])
		who = fmt.Sprintf(" (process %d, %s)", owner.Process.Pid, name[:min(15, len(name))])
	}
	require.Contains(t, err.Error(), "a: locked: another edit"+who+" holds the lock of this file; gave up after 50ms")
	require.GreaterOrEqual(t, time.Since(start), s.Wait)

	// One who waits already gets the lock at once.
	waiter, err := Open(s.Dir())
	require.NoError(t, err)
	waiter.Wait = time.Minute
	got := make(chan error)
	go func() {
		held, err := waiter.Lock(context.Background(), root, []string{"a"})
		if err == nil {
			held.Release()
		}
		got <- err
	}()
	time.Sleep(50 * time.Millisecond)
	require.NoError(t, owner.Process.Kill())
	require.NoError(t, <-got)

	// And so does the store that gave up: nothing of its wait is left.
	s.Wait = time.Minute
	held, err := s.Lock(context.Background(), root, []string{"a"})
	require.NoError(t, err)
	held.Release()
}
