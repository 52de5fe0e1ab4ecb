package main

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBinary runs the vectors and the cases of sessions through the program that the variable
// HASHLINE_BINARY names, each command a process of its own.
func TestBinary(t *testing.T) {
	program := os.Getenv("HASHLINE_BINARY")
	if program == "" {
		t.Skip("SKIPPED: HASHLINE_BINARY names no built program to test; TestVectors and TestSessionCases run the same in this process")
	}
	through := func(t *testing.T, stdin string, args ...string) (int, string, string) {
		t.Helper()
		var out, errs strings.Builder
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
		if err := cmd.Run(); err != nil {
			var exit *exec.ExitError
			require.True(t, errors.As(err, &exit) && exit.Exited(), "%v", err)
		}
		return cmd.ProcessState.ExitCode(), out.String(), errs.String()
	}
	vectors(t, through)
	sessionCases(t, through)
}
