//go:build unix

package e2e

import (
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/cmd/hashline/e2e/fakemodel"
)

// runWait is how long a client may take for a script.
const runWait = 2 * time.Minute

// bench is what a client is run with.
type bench struct {
	client
	hashline string
	// path is that of programs, program the client.
	path, program string
}

// place has the folders of one run.
type place struct{ home, work, bin, url string }

func (p place) fill(s string) string {
	return strings.NewReplacer("{HOME}", p.home, "{WORK}", p.work, "{URL}", p.url).Replace(s)
}

// environment has nothing of the one that the test runs in. What a client sends
// elsewhere than to the model goes nowhere.
func (b bench) environment(p place) []string {
	env := []string{
		"HOME=" + p.home, "PATH=" + b.path, "TMPDIR=" + filepath.Join(p.home, "tmp"), "LANG=C.UTF-8", "TERM=dumb",
		"HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9", "NO_PROXY=127.0.0.1,localhost",
	}
	for _, e := range b.env {
		env = append(env, p.fill(e))
	}
	return env
}

// outcome is what there is to look at after a run.
type outcome struct {
	conversation
	model *fakemodel.Model
	took  time.Duration
}

// run plays a script to the client in new folders, with some files to work on.
func (b bench) run(t *testing.T, p place, script []fakemodel.Turn) outcome {
	t.Helper()
	model := fakemodel.New("hashline", append(b.prelude[:len(b.prelude):len(b.prelude)], script...)...)
	server := httptest.NewServer(model)
	defer server.Close()
	p.url = server.URL
	for name, text := range b.files {
		write(t, p.fill(name), p.fill(text))
	}
	b.setUp(t, p)

	out, err := os.Create(filepath.Join(p.bin, "client.out"))
	require.NoError(t, err)
	defer out.Close()
	ctx, cancel := context.WithTimeout(t.Context(), runWait)
	defer cancel()
	begin := time.Now()
	for _, args := range [][]string{b.before, b.args} {
		if args == nil {
			continue
		}
		cmd := b.command(ctx, p, args)
		cmd.Stdout, cmd.Stderr = out, out
		begin = time.Now()
		if err = cmd.Start(); err != nil {
			break
		}
		err = cmd.Wait()
		killAll(cmd.Process.Pid, p.home)
		if err != nil {
			break
		}
	}
	took := time.Since(begin)
	keep(t, b, p, model)
	said, _ := os.ReadFile(out.Name())
	require.NoError(t, err, "the client failed; it said:\n%.4000s\nand the model: %q, %q", said, model.Faults(), model.Said())
	require.NoError(t, ctx.Err(), "the client took longer than %s", runWait)
	return outcome{readWire(t, p.bin), model, took}
}

// command runs the client in a group of its own.
func (b bench) command(ctx context.Context, p place, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, b.program)
	for _, a := range args {
		cmd.Args = append(cmd.Args, p.fill(a))
	}
	cmd.Dir, cmd.Env = p.work, b.environment(p)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

// setUp tells the client of the server as a user would, and then puts the wire in
// its place.
func (b bench) setUp(t *testing.T, p place) {
	t.Helper()
	self := filepath.Join(p.bin, wireName)
	install(t, b.hashline, self)
	args := append([]string{"setup", b.name, "--write", "--root", p.work}, b.setup...)
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Dir, cmd.Env = p.work, b.environment(p)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "hashline %q: %s", args, out)
	require.NoError(t, os.Rename(self, filepath.Join(p.bin, realName)))
	wire, err := os.Executable()
	require.NoError(t, err)
	install(t, wire, self)
}

// install copies a program.
func install(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to, data, 0o755))
}

// newPlace makes empty folders.
func newPlace(t *testing.T) place {
	t.Helper()
	dir := t.TempDir()
	p := place{home: filepath.Join(dir, "home"), work: filepath.Join(dir, "work"), bin: filepath.Join(dir, "bin")}
	for _, d := range []string{filepath.Join(p.home, "tmp"), p.work, p.bin} {
		require.NoError(t, os.MkdirAll(d, 0o755))
	}
	return p
}

// keep puts what was said where HASHLINE_E2E_KEEP wants it, for people to read.
func keep(t *testing.T, b bench, p place, model *fakemodel.Model) {
	dir := os.Getenv("HASHLINE_E2E_KEEP")
	if dir == "" {
		return
	}
	dir = filepath.Join(dir, b.name, filepath.Base(t.Name()))
	requests := ""
	for _, body := range model.Requests() {
		requests += string(body) + "\n"
	}
	write(t, filepath.Join(dir, "requests.jsonl"), requests)
	for _, name := range []string{wireLog, "client.out"} {
		if data, err := os.ReadFile(filepath.Join(p.bin, name)); err == nil {
			write(t, filepath.Join(dir, name), string(data))
		}
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
}
