// Command hashline reads, searches and edits text files in the hashline format,
// for people at a terminal and for programs that run agents. "hashline help"
// lists its commands.
package main

import (
	"context"
	"os"
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
