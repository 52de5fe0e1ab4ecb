package commit

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/hashline-go/hashline/hashline"
)

// at has do run at the given step, the first time it is reached.
type at struct {
	step string
	do   func(t *testing.T, f string)
}

// over replaces the file, as an editor does.
func over(content string) func(*testing.T, string) {
	return func(t *testing.T, f string) {
		put(t, f+".theirs", content)
		require.NoError(t, os.Rename(f+".theirs", f))
	}
}

// into writes into the file.
func into(content string) func(*testing.T, string) {
	return func(t *testing.T, f string) { put(t, f, content) }
}

func gone(t *testing.T, f string) { require.NoError(t, os.Remove(f)) }

// temp does it to our temporary file.
func temp(do func(*testing.T, string)) func(*testing.T, string) {
	return func(t *testing.T, f string) {
		names, err := filepath.Glob(filepath.Join(filepath.Dir(f), ".hashline-*.tmp"))
		require.NoError(t, err)
		for _, name := range names {
			if b, err := os.ReadFile(name); err == nil && string(b) != "other" {
				do(t, name)
			}
		}
	}
}

// Every row of the table at replace, and what else can come between: the file
// ends as the newest foreign version, nothing foreign is lost, and what is kept
// beside is told.
func TestInterleavings(t *testing.T) {
	old, done := "old", "new"
	for _, c := range []struct {
		name string
		do   []at
		// f is what the file holds in the end, "-" for no file; kept are the
		// versions that are kept beside.
		f     string
		kept  []string
		codes []hashline.Code
	}{
		{name: "nothing", f: done},
		{name: "replaced before", do: []at{{"f", over("F")}}, f: "F", codes: []hashline.Code{hashline.ChangedDuringEdit}},
		{name: "written before", do: []at{{"f", into("old and more")}}, f: "old and more", codes: []hashline.Code{hashline.ChangedDuringEdit}},
		{name: "removed before", do: []at{{"f", gone}}, f: "-", codes: []hashline.Code{hashline.ChangedDuringEdit}},
		{name: "replaced after the look", do: []at{{"exchange f", over("F")}}, f: "F", codes: []hashline.Code{hashline.ChangedDuringEdit}},
		{name: "replaced by equal bytes", do: []at{{"exchange f", over(old)}}, f: old, codes: []hashline.Code{hashline.ChangedDuringEdit}},
		{name: "written after the look", do: []at{{"exchange f", into("olD")}}, f: "olD", codes: []hashline.Code{hashline.ChangedDuringEdit}},
		{name: "removed after the look", do: []at{{"exchange f", gone}}, f: "-", codes: []hashline.Code{hashline.ChangedDuringEdit}},
		{name: "temporary file removed", do: []at{{"exchange f", temp(gone)}}, f: old, codes: []hashline.Code{hashline.ChangedDuringEdit}},
		{name: "mode changed after the look", do: []at{{"exchange f", func(t *testing.T, f string) { require.NoError(t, os.Chmod(f, 0o600)) }}},
			f: old, codes: []hashline.Code{hashline.ChangedDuringEdit}},
		{name: "attribute changed after the look", do: []at{{"exchange f", func(t *testing.T, f string) { setExtra(t, f, "user.a", "x") }}},
			f: old, codes: []hashline.Code{hashline.ChangedDuringEdit}},
		{name: "replaced, and again after the exchange", do: []at{{"exchange f", over("F")}, {"exchanged f", over("G")}},
			f: "G", kept: []string{"F"}, codes: []hashline.Code{hashline.ChangedDuringEdit}},
		{name: "replaced, then the new version written", do: []at{{"exchange f", over("F")}, {"exchanged f", into("new+")}},
			f: "new+", kept: []string{"F"}, codes: []hashline.Code{"torn", hashline.ChangedDuringEdit, hashline.ChangedDuringEdit}},
		{name: "replaced, then the new version written to the same length", do: []at{{"exchange f", over("F")}, {"exchanged f", into("neW")}},
			f: "neW", kept: []string{"F"}, codes: []hashline.Code{"torn", hashline.ChangedDuringEdit, hashline.ChangedDuringEdit}},
		{name: "replaced, then the new version removed", do: []at{{"exchange f", over("F")}, {"exchanged f", gone}},
			f: "F", codes: []hashline.Code{hashline.ChangedDuringEdit}},
		{name: "replaced thrice", do: []at{{"exchange f", over("F")}, {"exchanged f", over("G")}, {"back f", over("H")}},
			f: "H", kept: []string{"G"}, codes: []hashline.Code{hashline.ChangedDuringEdit}},
		{name: "replaced four times", do: []at{{"exchange f", over("F")}, {"exchanged f", over("G")}, {"back f", over("H")}, {"back f", over("I")}},
			f: "I", kept: []string{"H"}, codes: []hashline.Code{hashline.ChangedDuringEdit}},
		{name: "replaced by a folder", do: []at{{"exchange f", func(t *testing.T, f string) {
			gone(t, f)
			require.NoError(t, os.Mkdir(f, 0o755))
		}}}, f: "folder", codes: []hashline.Code{hashline.ChangedDuringEdit}},
		{name: "replaced by a link", do: []at{{"exchange f", func(t *testing.T, f string) {
			gone(t, f)
			require.NoError(t, os.Symlink("nowhere", f))
		}}}, f: "link", codes: []hashline.Code{hashline.ChangedDuringEdit}},
		{name: "replaced after the exchange", do: []at{{"settle f", over("G")}}, f: "G"},
		{name: "new version removed after the exchange", do: []at{{"settle f", gone}}, f: "-"},
		{name: "old version written", do: []at{{"settle f", temp(into("olD"))}}, f: "olD", codes: []hashline.Code{hashline.ChangedDuringEdit}},
		{name: "old version given another mode", do: []at{{"settle f", temp(func(t *testing.T, f string) { require.NoError(t, os.Chmod(f, 0o600)) })}},
			f: old, codes: []hashline.Code{hashline.ChangedDuringEdit}},
		{name: "old version written and the new one replaced", do: []at{{"settle f", func(t *testing.T, f string) {
			temp(into("olD"))(t, f)
			over("G")(t, f)
		}}}, f: "G", kept: []string{"olD"}, codes: []hashline.Code{"torn", hashline.ChangedDuringEdit, hashline.ChangedDuringEdit}},
		{name: "old version written, then the new one while put back", do: []at{{"settle f", temp(into("olD"))}, {"back f", temp(into("neW"))}},
			f: "neW", kept: []string{"olD"}, codes: []hashline.Code{"torn", hashline.ChangedDuringEdit, hashline.ChangedDuringEdit}},
		{name: "old version written at the last moment", do: []at{{"retire f", temp(into("olD"))}}, f: done, kept: []string{"olD"},
			codes: []hashline.Code{hashline.ChangedDuringEdit}},
		{name: "old version removed", do: []at{{"settle f", temp(gone)}}, f: done},
		{name: "old version removed at the last moment", do: []at{{"retire f", temp(gone)}}, f: done},
	} {
		for _, more := range []bool{false, true} {
			t.Run(c.name, func(t *testing.T) {
				root, s := newRoot(t, map[string]string{"f": old, "g": "other"}), newStore(t)
				s.noLease = true
				f, left := filepath.Join(root.Name(), "f"), slices.Clone(c.do)
				s.step = func(step string) {
					if len(left) > 0 && left[0].step == step {
						do := left[0].do
						left = left[1:]
						do(t, f)
					}
				}
				changes := []Change{edit("f", old, "new")}
				if more {
					changes = append([]Change{edit("g", "other", "2")}, append(changes, create("n", "3"))...)
				}
				err := commit(s, root, changes...)
				require.Empty(t, left)
				failed := c.codes != nil && c.do[0].step != "retire f"
				got := codes(err)
				if len(c.codes) == 1 && len(got) == 3 && got[0] == "torn" {
					t.Errorf("torn: %v", err)
				}
				same(t, c.codes, got)
				want := map[string]string{"g": "other"}
				if more && !failed {
					want = map[string]string{"g": "2", "n": "3"}
				}
				switch c.f {
				case "-":
				case "folder":
					want["f"] = fs.ModeDir.String()
				case "link":
					want["f"] = "link"
				default:
					want["f"] = c.f
				}
				var kept []string
				files := map[string]string{}
				for name, what := range tree(t, root.Name()) {
					kind, content, _ := strings.Cut(what, " ")
					switch {
					case strings.HasPrefix(name, "f.hashline-kept-"):
						kept = append(kept, content)
						require.ErrorContains(t, err, name)
					case kind == "link":
						files[name] = "link"
					case kind[0] == 'd':
						files[name] = fs.ModeDir.String()
					default:
						files[name] = content
					}
				}
				same(t, want, files)
				same(t, c.kept, kept)
			})
		}
	}
}

// With a lease, a writer that comes at whatever moment waits for the commit to
// end, and then finds its file under its name.
func TestWriterWaitsForTheLease(t *testing.T) {
	for _, step := range []string{"", "f", "exchange f", "exchanged f", "settle f", "retire f"} {
		for how, write := range map[string]func(f string) error{
			"append": func(f string) error {
				h, err := os.OpenFile(f, os.O_WRONLY|os.O_APPEND, 0)
				if err == nil {
					_, err = h.WriteString("+theirs")
					h.Close()
				}
				return err
			},
			"truncate": func(f string) error { return os.Truncate(f, 1) },
		} {
			root, s := newRoot(t, map[string]string{"f": "old", "g": "other"}), newStore(t)
			needLease(t, root)
			f, wrote := filepath.Join(root.Name(), "f"), make(chan error, 1)
			began := false
			s.step = func(at string) {
				if at != step || began {
					return
				}
				began = true
				// From the exchange on the old version is under another name.
				temps, err := filepath.Glob(filepath.Join(root.Name(), ".hashline-*"))
				require.NoError(t, err)
				name := f
				if slices.Contains([]string{"exchanged f", "settle f", "retire f"}, step) {
					name = temps[slices.IndexFunc(temps, func(n string) bool {
						b, _ := os.ReadFile(n)
						return string(b) == "old"
					})]
				}
				go func() { wrote <- write(name) }()
				kernelSays(t, "BREAKING", func() bool { return len(wrote) > 0 })
			}
			err := commit(s, root, edit("f", "old", "new"), edit("g", "other", "2"))
			require.NoError(t, <-wrote)
			want := map[string]string{"f": "old+theirs", "g": "other"}
			if how == "truncate" {
				want["f"] = "o"
			}
			code := hashline.BusyFile
			switch step {
			case "": // before the lease is taken
				code = hashline.ChangedDuringEdit
			case "retire f": // too late to turn back
				code = hashline.ChangedDuringEdit
				want = map[string]string{"f": "new", "g": "2", "f.kept": want["f"]}
			}
			require.Equal(t, []hashline.Code{code}, codes(err), "%s %q", how, step)
			same(t, want, plainNames(contents(t, root.Name())))
		}
	}
}

// needLease skips where there are no leases.
func needLease(t *testing.T, root *os.Root) {
	put(t, filepath.Join(root.Name(), "lease"), "")
	h, err := root.Open("lease")
	require.NoError(t, err)
	defer h.Close()
	require.NoError(t, root.Remove("lease"))
	if leased, _ := takeLease(h); !leased {
		t.Skip("SKIPPED: this file system has no leases")
	}
}

// Hard links part: the other names keep the old bytes.
func TestHardLinksPart(t *testing.T) {
	root, s := newRoot(t, map[string]string{"d/a": "1"}), newStore(t)
	require.NoError(t, root.Link("d/a", "b"))
	require.NoError(t, root.Link("d/a", "d/c"))
	require.NoError(t, commit(s, root, edit("d/a", "1", "2")))
	same(t, map[string]string{"d/a": "2", "b": "1", "d/c": "1"}, contents(t, root.Name()))
	i, err := Inspect(root, "b")
	require.NoError(t, err)
	require.EqualValues(t, 2, i.Links)

	// Two names of one file in one document.
	require.NoError(t, commit(s, root, edit("b", "1", "x"), edit("d/c", "1", "y")))
	same(t, map[string]string{"d/a": "2", "b": "x", "d/c": "y"}, contents(t, root.Name()))
	require.Regexp(t, regexp.MustCompile(`^b,d,d/a,d/c$`), strings.Join(slices.Sorted(maps.Keys(tree(t, root.Name()))), ","))
}

// A file system of layers gives a file another identity when it is first
// changed, and that is no other writer.
func TestLayers(t *testing.T) {
	needRoot(t, "mount")
	base := t.TempDir()
	low, err := os.MkdirTemp("/dev/shm", "hashline-test-") // another device than the upper layer
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	t.Cleanup(func() { os.RemoveAll(low) })
	put(t, filepath.Join(low, "f"), "old")
	put(t, filepath.Join(low, "d/g"), "old")
	for _, name := range []string{"upper", "work", "merged"} {
		require.NoError(t, os.Mkdir(filepath.Join(base, name), 0o755))
	}
	merged := filepath.Join(base, "merged")
	layers := "lowerdir=" + low + ",upperdir=" + filepath.Join(base, "upper") + ",workdir=" + filepath.Join(base, "work")
	if err := unix.Mount("overlay", merged, "overlay", 0, layers); err != nil {
		t.Skipf("SKIPPED: cannot mount here: %v", err)
	}
	t.Cleanup(func() { unix.Unmount(merged, unix.MNT_DETACH) })
	root, s := openRoot(t, merged), newStore(t)
	for i, version := range []string{"new", "newer"} {
		old := []string{"old", "new"}[i]
		require.NoError(t, commit(s, root, edit("f", old, version), edit("d/g", old, version)))
		same(t, map[string]string{"f": version, "d/g": version}, contents(t, merged))
	}
	same(t, map[string]string{"f": "old", "d/g": "old"}, contents(t, low))
}
