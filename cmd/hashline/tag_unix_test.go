//go:build unix

package main

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// A FIFO that took the place of a file after the look at it is told, and not
// waited for.
func TestOpenFIFO(t *testing.T) {
	name := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Skipf("SKIPPED: cannot make a FIFO: %v", err)
	}
	_, _, err := openNow(name)
	require.ErrorIs(t, err, hashline.NotRegular)
}
