package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// Runs at once lose nobody's entry, and what comes out is what runs one after
// another would have left.
func TestSetupAtOnce(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	file := filepath.Join(dir, ".mcp.json")
	const before = "{\n  // mine\n  \"mcpServers\": {\n    \"a\": { \"command\": \"x\" }\n  }\n}\n"
	require.NoError(t, os.WriteFile(file, []byte(before), 0o640))
	var names []string
	for i := range 12 {
		names = append(names, fmt.Sprint("server", i))
	}
	atOnce := func(change string) {
		var all sync.WaitGroup
		for _, name := range names {
			all.Go(func() {
				out, err := exec.CommandContext(t.Context(), "hashline", "setup", "claude", "--root", dir, "--name", name, change, "--no-sync").CombinedOutput()
				if err != nil {
					t.Errorf("%s: %v: %s", name, err, out)
				}
			})
		}
		all.Wait()
	}
	atOnce("--write")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, name := range names {
		require.Contains(t, string(data), `"`+name+`": {`)
	}
	atOnce("--remove")
	data, err = os.ReadFile(file)
	require.NoError(t, err)
	if diff := cmp.Diff(before, string(data)); diff != "" {
		t.Error(diff)
	}
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o640), info.Mode().Perm())
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

// Another program that replaces the file all the time, without any lock, loses
// nothing either: what it wrote last is there, and so is our entry in it or the
// refusal that says why not.
func TestSetupBesideAnotherWriter(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	file := filepath.Join(dir, ".mcp.json")
	write := func(n int) {
		next := filepath.Join(dir, "next")
		text := fmt.Sprintf("{\"n\": %d, \"mcpServers\": {}}", n)
		if os.WriteFile(next, []byte(text), 0o600) != nil || os.Rename(next, file) != nil {
			t.Error("the other writer failed")
		}
	}
	write(0)
	stop, stopped := make(chan struct{}), make(chan int)
	go func() {
		n := 0
		for {
			select {
			case <-stop:
				stopped <- n
				return
			case <-time.After(time.Millisecond):
				n++
				write(n)
			}
		}
	}()
	for range 10 {
		out, err := exec.CommandContext(t.Context(), "hashline", "setup", "claude", "--root", dir, "--write", "--no-sync").CombinedOutput()
		if err != nil {
			require.Contains(t, string(out), "changed_during_edit")
		}
	}
	close(stop)
	last := <-stopped
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var got struct{ N int }
	require.NoError(t, json.Unmarshal(data, &got), "%s", data)
	require.Equal(t, last, got.N)
}
