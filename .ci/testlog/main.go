// Command testlog reads what "go test -json" prints. It shows each package as
// "go test" does, all that a failing test said, and at the end which tests were
// skipped and why. The exit status of "go test" is for its caller to look at.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// event is a line that "go test -json" prints; "go doc test2json" says more.
type event struct {
	Action, Package, ImportPath, Test, Output string
}

type test struct{ pkg, name string }

func main() {
	in := bufio.NewReader(os.Stdin)
	said := map[test]*strings.Builder{}
	skipped := ""
	for n := 0; ; {
		line, err := in.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			fmt.Printf("\n%d tests skipped here:\n%s", n, skipped)
			return
		}
		var e event
		if json.Unmarshal(line, &e) != nil {
			os.Stdout.Write(line)
			continue
		}
		t := test{e.Package, e.Test}
		if said[t] == nil {
			said[t] = new(strings.Builder)
		}
		switch e.Action {
		case "build-output":
			fmt.Print(e.Output)
		case "output":
			said[t].WriteString(e.Output)
			if e.Test == "" && e.Output != "PASS\n" {
				fmt.Print(e.Output)
			}
		case "fail":
			for t, text := range said {
				// A package that failed also tells what tests said that never ended.
				if t.pkg == e.Package && t.name != "" && (e.Test == "" || e.Test == t.name) {
					fmt.Printf("--- %s: %s\n%s", t.pkg, t.name, text)
				}
			}
		case "skip":
			if e.Test != "" {
				n++
				skipped += fmt.Sprintf("  %s: %s: %s\n", e.Package, e.Test, reason(said[t].String()))
			}
		}
		if e.Action == "pass" || e.Action == "fail" || e.Action == "skip" {
			delete(said, t)
		}
	}
}

// reason is the last line that a test said itself, without its place.
func reason(said string) string {
	why := "it does not say why"
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ") {
			continue
		}
		if _, text, ok := strings.Cut(line, ": "); ok {
			line = strings.TrimPrefix(text, "SKIPPED: ")
		}
		if !strings.HasSuffix(line, ":") {
			why = line
		}
	}
	return why
}
