//go:build linux || darwin

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"

	"github.com/creack/pty"
)

// onTerminal is a program for the scripts: onterminal COMMAND... runs the
// command at a terminal of its own, where nothing is typed but the end of input,
// and prints what the terminal was sent. Standard error stays its own. The
// scripts' ttyin closes the terminal without having read to its end, by which
// what was written last can be lost.
func onTerminal() {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stderr = os.Stderr
	if err := atTerminal(cmd, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "onterminal:", err)
		os.Exit(125)
	}
	os.Exit(cmd.ProcessState.ExitCode())
}

func atTerminal(cmd *exec.Cmd, screen io.Writer) error {
	terminal, err := pty.Start(cmd)
	if err != nil {
		return err
	}
	defer terminal.Close()
	if _, err := terminal.Write([]byte{4}); err != nil {
		return err
	}
	// Linux ends the output of a terminal that nobody has open with EIO.
	if _, err := io.Copy(screen, terminal); err != nil && !errors.Is(err, syscall.EIO) {
		return err
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return err
	}
	return nil
}
