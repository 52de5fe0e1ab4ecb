//go:build unix

package handshake_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/cmd/hashline/handshake"
)

// What a wrapper started ends with it, whether it answers or not.
func TestGrandchild(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	for _, then := range []string{"sleep 100", "exit 1", "exec '" + self + "'"} {
		dir := t.TempDir()
		program := filepath.Join(dir, "wrapper")
		text := "#!/bin/sh\nsleep 100 >/dev/null 2>&1 </dev/null &\necho $! >'" + dir + "/pid'\n" + then + "\n"
		require.NoError(t, os.WriteFile(program, []byte(text), 0o755))
		limit := time.Minute
		if strings.HasPrefix(then, "sleep") {
			limit = 2 * time.Second
		}
		ctx, stop := context.WithTimeout(t.Context(), limit)
		_, err := handshake.Do(ctx, handshake.Target{Command: program, Env: append(os.Environ(), "HANDSHAKE_SERVER=good")}, "v1")
		stop()
		require.Equal(t, strings.HasPrefix(then, "exec"), err == nil, "%s: %v", then, err)
		data, err := os.ReadFile(filepath.Join(dir, "pid"))
		require.NoError(t, err)
		pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
		require.NoError(t, err)
		require.Eventually(t, func() bool { return ended(pid) }, time.Minute, 10*time.Millisecond, then)
	}
}

// ended reports a process that is gone, or only waits for its parent.
func ended(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}
