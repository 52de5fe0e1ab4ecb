// Package hashlinetest loads the cases under testdata/ for the tests of every
// package. It is for tests only.
package hashlinetest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestdataDir gives the path of the repository's testdata folder.
func TestdataDir(tb testing.TB) string {
	tb.Helper()
	// -trimpath leaves no folder in a caller's file, and tests run in theirs.
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "testdata")
		}
		above := filepath.Dir(dir)
		if above == dir {
			tb.Fatal("hashlinetest: the working folder is not in the repository")
		}
		dir = above
	}
}

// GoSource gives the path of the Go distribution's source, without symbolic
// links. It skips the test where there is none.
func GoSource(tb testing.TB) string {
	tb.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		tb.Skip("SKIPPED: the go command does not say where its source is: ", err)
	}
	src, err := filepath.EvalSymlinks(filepath.Join(strings.TrimSpace(string(root)), "src"))
	if err != nil {
		tb.Skip("SKIPPED: the Go distribution has no source here: ", err)
	}
	return src
}

// lines decodes each line of a file of JSON lines below testdata. A file
// without lines is a failure.
func lines[T any](tb testing.TB, name string) []T {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join(TestdataDir(tb), name))
	if err != nil {
		tb.Fatal(err)
	}
	var all []T
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, len(data)+1)
	for sc.Scan() {
		var v T
		if err := json.Unmarshal(sc.Bytes(), &v); err != nil {
			tb.Fatalf("%s: %v", name, err)
		}
		all = append(all, v)
	}
	if len(all) == 0 {
		tb.Fatalf("%s: no cases", name)
	}
	return all
}
