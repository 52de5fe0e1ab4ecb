package snapshot_test

import (
	"bytes"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline/hashlinetest"
	"github.com/hashline-go/hashline/snapshot"
)

// goSource lists the files of the Go distribution's source.
func goSource(tb testing.TB) []string {
	tb.Helper()
	var files []string
	err := filepath.WalkDir(hashlinetest.GoSource(tb), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	require.NoError(tb, err)
	require.Greater(tb, len(files), 1000)
	return files
}

// TestGoSource decodes, tags and shows every file of the Go distribution's
// source, a sample of them with -short, and compares with the model.
func TestGoSource(t *testing.T) {
	files := goSource(t)
	step := 6 // a sixth of them, which all tests together have the time for
	if testing.Short() {
		step = 20
	}
	const workers = 4
	var wg sync.WaitGroup
	var texts, lines [workers]int
	for w := range workers {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(11, uint64(w)))
			for i := w * step; i < len(files); i += workers * step {
				data, err := os.ReadFile(files[i])
				if err != nil {
					t.Error(err)
					continue
				}
				if n, ok := checkSource(t, r, files[i], data); ok {
					texts[w]++
					lines[w] += n
				}
			}
		})
	}
	wg.Wait()
	total := 0
	for w := range workers {
		total += texts[w]
	}
	require.Greater(t, total, len(files)/step*9/10)
	t.Logf("%d of %d files are text, with %d lines", total, len(files)/step, lines[0]+lines[1]+lines[2]+lines[3])
}

func checkSource(t *testing.T, r *rand.Rand, name string, data []byte) (lines int, text bool) {
	decoded, err := snapshot.Decode(data)
	if text = utf8.Valid(data) && !bytes.Contains(data, []byte{0}); text != (err == nil) {
		t.Errorf("%s: text is %v, got %v", name, text, err)
	}
	if err != nil {
		return 0, false
	}
	checkTag(t, data)

	s := snapshot.Take("src/a.go", snapshot.XXH64, decoded)
	model := modelLines(string(data))
	if len(model) != decoded.Lines() {
		t.Errorf("%s: got %d lines, want %d", name, decoded.Lines(), len(model))
		return 0, true
	}
	rows := make([]int, len(model))
	for i := range rows {
		rows[i] = i + 1
	}
	check := func(offset, limit int) {
		v, err := s.Read(offset, limit, 0)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		shown := rows[offset-1:]
		shown = shown[:min(limit, len(shown))]
		footer := ""
		if len(shown) < len(rows) {
			footer = modelPageFooter(shown, shown, len(rows))
		}
		if want := modelView(s.Header(), model, shown, footer); v.Text != want {
			t.Errorf("%s: %d rows from %d:\n%s", name, limit, offset, cmp.Diff(want, v.Text))
		}
	}
	if len(model) == 0 {
		return 0, true
	}
	check(1, math.MaxInt)
	for range 3 {
		check(1+r.IntN(len(model)), 1+r.IntN(100))
	}
	return len(model), true
}
