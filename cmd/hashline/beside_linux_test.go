package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Whole processes make the same one-line edit of a file of so many bytes, in
// turn; it logs medians of their times and of the ratios of paired runs, and is
// for a machine that does nothing else:
//
//	HASHLINE_BESIDE=10000000 go test -v -timeout 1h -run TestBesideOthers ./cmd/hashline
func TestBesideOthers(t *testing.T) {
	size, err := strconv.Atoi(os.Getenv("HASHLINE_BESIDE"))
	if err != nil {
		t.Skip("SKIPPED: HASHLINE_BESIDE names no size; figures say nothing on a busy machine")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "hashline")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	require.NoError(t, build.Run())
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	orig, f := filepath.Join(dir, "orig"), filepath.Join(dir, "f")
	at := writeLarge(t, orig, size) / 2
	tag, err := exec.Command(program, "tag", orig).Output()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "doc"), fmt.Appendf(nil, "[f#%.4s]\nPUT %d:\n+changed\n", tag, at), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "diff"), fmt.Appendf(nil, "--- a/f\n+++ b/f\n@@ -%d,3 +%d,3 @@\n %s\n-%s\n+changed\n %s\n",
		at-1, at-1, largeLine(at-1), largeLine(at), largeLine(at+1)), 0o600))
	tools := [][]string{
		{program, "edit", "--no-sync", "doc"}, {"cp", "f", "g"}, {"sed", "-i", fmt.Sprintf("%ds/.*/changed/", at), "f"},
		{"patch", "-s", "-p1", "-i", "diff"}, {"git", "apply", "diff"},
	}
	rounds := 41
	if size > 100<<20 {
		rounds, tools = 7, tools[:3]
	}
	times := make([][]float64, len(tools))
	for round := range rounds + 1 {
		for k := range tools {
			i := (k + round) % len(tools)
			require.NoError(t, exec.Command("cp", orig, f).Run())
			_ = os.Remove(filepath.Join(dir, "g"))
			if size > 100<<20 {
				_ = os.RemoveAll(filepath.Join(dir, "state", "hashline", "history"))
				syscall.Sync()
			}
			cmd := exec.Command(tools[i][0], tools[i][1:]...)
			cmd.Dir = dir
			begin := time.Now()
			out, err := cmd.CombinedOutput()
			took := time.Since(begin)
			require.NoError(t, err, "%s", out)
			if round > 0 {
				times[i] = append(times[i], took.Seconds()*1000)
			}
		}
	}
	load, _ := os.ReadFile("/proc/loadavg")
	t.Logf("%d bytes, %d paired runs, load %s", size, rounds, strings.TrimSpace(string(load)))
	for i, tool := range tools {
		ratios := make([]float64, rounds)
		for r := range ratios {
			ratios[r] = times[0][r] / times[i][r]
		}
		t.Logf("%-8s median %8.2f ms; hashline takes %.2f times as long", filepath.Base(tool[0]), median(times[i]), median(ratios))
	}
}

func median(all []float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}
