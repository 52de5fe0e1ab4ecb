// Package hashlinetest loads the cases under testdata/ for the tests of every
// package. It is for tests only.
package hashlinetest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestdataDir gives the path of the repository's testdata folder.
func TestdataDir(tb testing.TB) string {
	tb.Helper()
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		tb.Fatal("hashlinetest: no caller information")
	}
	return filepath.Join(filepath.Dir(file), "..", "..", "testdata")
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
