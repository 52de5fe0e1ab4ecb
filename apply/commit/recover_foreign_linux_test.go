package commit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// everywhere gives all that the files of a root, and of its state folder but for
// compressed objects, hold.
func everywhere(t *testing.T, s *Store, root *os.Root) string {
	var all strings.Builder
	for _, dir := range []string{root.Name(), s.Dir()} {
		require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || strings.Contains(path, "/objects/") {
				return err
			}
			data, err := os.ReadFile(path)
			all.Write(data)
			return err
		}))
	}
	return all.String()
}

// A recovery leaves a file alone that another process has open for writing, if
// need be until that has closed it.
func TestRecoverySparesOpenFiles(t *testing.T) {
	for _, c := range []struct {
		name      string
		published int
		held      string
		end       map[string]string // once all is closed
	}{
		// To go on would take b away from who has it open, so a goes back.
		{"not yet new", 1, "b", map[string]string{"a": "1", "b": "2 late"}},
		// c cannot become new, so a, which is, must go back.
		{"new already", 1, "a", map[string]string{"a": "1", "b": "2"}},
	} {
		for _, size := range []int{0, 1} { // kept as copies, and as they are
			t.Run(c.name, func(t *testing.T) {
				s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2", "c": "3"})
				needLease(t, root)
				if size > 0 {
					s.keepFrom = size
				}
				crash(t, s, root, c.published, edit("a", "1", "one"), edit("b", "2", "two"), edit("c", "3", "three"))
				at := filepath.Join(root.Name(), c.held)
				h, err := os.OpenFile(at, os.O_WRONLY|os.O_APPEND, 0)
				require.NoError(t, err)
				defer h.Close()
				if c.held == "a" {
					require.NoError(t, os.Remove(filepath.Join(root.Name(), "c")))
					put(t, filepath.Join(root.Name(), "c"), "theirs")
				}
				report, err := s.Recover(t.Context(), root)
				_, werr := h.WriteString(" late")
				require.NoError(t, werr)
				if c.held == "b" {
					require.NoError(t, err)
					same(t, Report{Undone: []string{"a", "b", "c"}}, report)
					c.end["c"] = "3"
				} else {
					require.Equal(t, []hashline.Code{hashline.BusyFile}, codes(err))
					require.Equal(t, "one late", contents(t, root.Name())["a"])
					require.NoError(t, h.Close())
					// What others made of the new version stays.
					report = recovered(t, s, root)
					require.NotEmpty(t, report.Conflicts)
					c.end["a"], c.end["c"] = "one late", "theirs"
				}
				same(t, c.end, plainNames(contents(t, root.Name())))
			})
		}
	}
}

// What others put in a file's place, or write to it, at whatever moment of a
// recovery, is there afterwards; and the history has what it says.
func TestForeignWritersDuringRecovery(t *testing.T) {
	times := 0
	for _, published := range []int{0, 1, 2} {
		for _, step := range []string{"exchange a", "exchanged a", "exchange b", "exchanged b", "back a", "back b"} {
			for how, do := range map[string]func(t *testing.T, f string){
				"replace": over("FOREIGN"),
				"write":   into("FOREIGN"),
			} {
				for _, noLease := range []bool{false, true} {
					for _, broken := range []bool{false, true} { // has c as well been changed
						for _, keepFrom := range []int{1 << 20, 1} {
							s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2", "c": "3"})
							s.noLease, s.keepFrom = noLease, keepFrom
							crash(t, s, root, published, edit("a", "1", "one"), edit("b", "2", "two"), edit("c", "3", "three"))
							if broken {
								over("theirs")(t, filepath.Join(root.Name(), "c"))
							}
							f, met, wrote := filepath.Join(root.Name(), step[len(step)-1:]), false, make(chan struct{})
							s.step = func(at string) {
								if at != step || met {
									return
								}
								met = true
								if noLease || how == "replace" {
									do(t, f)
									close(wrote)
									return
								}
								go func() { // waits for the lease
									defer close(wrote)
									do(t, f)
								}()
								kernelSays(t, "BREAKING", func() bool {
									select {
									case <-wrote:
										return true
									default:
										return false
									}
								})
							}
							_, err := s.Recover(t.Context(), root)
							if !met {
								continue
							}
							times++
							select {
							case <-wrote:
							case <-time.After(time.Minute):
								t.Fatal("the writer still waits")
							}
							s.step = nil
							if err != nil {
								require.Equal(t, []hashline.Code{hashline.BusyFile}, codes(err))
								recovered(t, s, root)
							}
							what := []any{published, step, how, noLease, broken, keepFrom}
							require.Contains(t, everywhere(t, s, root), "FOREIGN", what)
							for _, text := range []string{"1", "2", "3"} {
								image, err := s.Image(history.Sum([]byte(text)))
								if err == nil {
									require.Equal(t, text, string(image), what)
								} else {
									require.ErrorIs(t, err, history.ErrMissing, what)
								}
							}
						}
					}
				}
			}
		}
	}
	require.Greater(t, times, 30)
	t.Log(times, "moments met")
}
