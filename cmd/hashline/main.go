// Command hashline reads, searches and edits text files in the hashline format,
// for people at a terminal and for programs that run agents. "hashline help"
// lists its commands.
package main

import (
	"context"
	"os"
)

func main() {
	os.Exit(runDeep(context.Background()))
}

// runDeep is run with room on the stack. Grown at once, and not by doubling
// while more and more calls are on it, the stack is copied once: a tenth of a
// millisecond less, of four that a small edit takes.
//
//go:noinline
func runDeep(ctx context.Context) int {
	var room [16 << 10]byte
	status := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	return status + int(room[status&1])
}
