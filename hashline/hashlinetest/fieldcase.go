package hashlinetest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// FieldCase is one case of testdata/cases, a fault that people reported. Its
// README says what the members mean.
type FieldCase struct {
	ID          string      `json:"id"`
	Kind        string      `json:"kind"`
	Title       string      `json:"title"`
	Files       []FieldFile `json:"files"`
	Calls       []FieldCall `json:"calls"`
	Expect      string      `json:"expect"`
	ExpectFiles []FieldFile `json:"expect_files"`
}

// FieldFile is a file of a [FieldCase].
type FieldFile struct {
	Path       string `json:"path"`
	Content    []byte `json:"content_b64"`
	Mode       string `json:"mode"`
	SymlinkTo  string `json:"symlink_to"`
	HardlinkTo string `json:"hardlink_to"`
	FIFO       bool   `json:"fifo"`
	Gen        *struct {
		Unit  []byte `json:"unit_b64"`
		Count int    `json:"count"`
	} `json:"gen"`
}

// FieldCall is one call of a [FieldCase]. Tools whose names begin with "_" are
// the harness's own.
type FieldCall struct {
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args"`
}

// FieldCases loads the cases of the given kinds. It fails the test when there
// is none.
func FieldCases(tb testing.TB, kinds ...string) []FieldCase {
	tb.Helper()
	var some []FieldCase
	for _, c := range lines[FieldCase](tb, "cases/cases.ndjson") {
		for _, k := range kinds {
			if c.Kind == k {
				some = append(some, c)
			}
		}
	}
	if len(some) == 0 {
		tb.Fatalf("no cases of the kinds %q", kinds)
	}
	return some
}

// At gives where a path of the case lies: below the root, or for those under
// "@outside/" and "@sibling/" in the folders that these stand for.
func (p Place) At(name string) string {
	dir := p.Root
	if rest, ok := strings.CutPrefix(name, "@outside/"); ok {
		dir, name = p.Outside, rest
	} else if rest, ok := strings.CutPrefix(name, "@sibling/"); ok {
		dir, name = p.Root+"-evil", rest
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}

// Install makes the files of the case in new temporary folders, with time
// stamps in the past. It skips the test where the system cannot.
func (c FieldCase) Install(tb testing.TB) Place {
	tb.Helper()
	p := (&Case{}).Install(tb)
	for _, f := range c.Files {
		name := p.At(f.Path)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			tb.Fatal(err)
		}
		var err error
		switch {
		case f.SymlinkTo != "" && strings.HasPrefix(f.SymlinkTo, "@"):
			err = os.Symlink(p.At(f.SymlinkTo), name)
		case f.SymlinkTo != "":
			err = os.Symlink(f.SymlinkTo, name)
		case f.HardlinkTo != "":
			err = os.Link(p.At(f.HardlinkTo), name)
		case f.FIFO:
			err = makeFIFO(name)
		default:
			data := f.Content
			if f.Gen != nil {
				data = bytes.Repeat(f.Gen.Unit, f.Gen.Count)
			}
			WriteFile(tb, filepath.Dir(name), File{filepath.Base(name), data})
		}
		if err == nil && f.Mode != "" {
			var mode uint64
			if mode, err = strconv.ParseUint(f.Mode, 8, 32); err == nil {
				err = os.Chmod(name, os.FileMode(mode))
			}
		}
		if err != nil {
			tb.Skipf("SKIPPED: %s: %v", f.Path, err)
		}
	}
	return p
}
