package commit

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// keptOnSmallDisk has a file of 1 MiB, which the history keeps whole, and a state
// folder together on a small disk, with as much in the history that may go, and gives
// two changes of the file, one streamed.
func keptOnSmallDisk(t *testing.T) (disk string, s *Store, root *os.Root, old string, changes map[string]Change) {
	disk = smallDisk(t, 3000)
	r := rand.New(rand.NewPCG(61, 62))
	b := make([]byte, 1<<20)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	old = string(b)
	put(t, filepath.Join(disk, "root/f"), old)
	s, root = newStore(t), openRoot(t, filepath.Join(disk, "root"))
	s.dir = filepath.Join(disk, "state")
	needLease(t, root)
	past := strings.Repeat("past", 500_000)
	put(t, filepath.Join(disk, "root/g"), past)
	require.NoError(t, commit(s, root, edit("g", past, "")))
	changes = map[string]Change{
		"held":     {Path: "f", Old: b, New: append(bytes.Clone(b), "more"...)},
		"streamed": streamed("f", old, old+"more", 4096),
	}
	return disk, s, root, old, changes
}

// An edit is made, and is not made again, where the disk fills up so late that
// the old version, which was to be kept as it is and then had to be copied, has no
// room: that is said.
func TestNoRoomForAKeptVersion(t *testing.T) {
	for _, kind := range []string{"held", "streamed"} {
		for how, disturb := range map[string]func(t *testing.T, dir string) (theirs string){
			"written to": func(t *testing.T, dir string) string {
				temp := tempOf(t, dir)
				wrote := make(chan error, 1)
				go func() { // when the lease is given back
					h, err := os.OpenFile(temp, os.O_WRONLY, 0)
					if err == nil {
						_, err = h.WriteString("THEIRS")
						h.Close()
					}
					wrote <- err
				}()
				kernelSays(t, "BREAKING", func() bool { return len(wrote) > 0 })
				t.Cleanup(func() { require.NoError(t, <-wrote) })
				return "kept"
			},
			"removed": func(t *testing.T, dir string) string {
				require.NoError(t, os.Remove(tempOf(t, dir)))
				return ""
			},
		} {
			for _, free := range []int{0, 50} {
				t.Run(kind+", "+how, func(t *testing.T) {
					disk, s, root, old, changes := keptOnSmallDisk(t)
					c, tagged, kept := changes[kind], 0, ""
					if c.Base != nil {
						c.Tagged = func() string { tagged++; return "ABCD" }
					}
					begun, empty := 0, func() {}
					s.step = func(step string) {
						switch step {
						case "":
							begun++
						case map[string]string{"written to": "retire f", "removed": "exchanged f"}[how]:
							kept = disturb(t, root.Name())
							empty = stuff(t, disk, free)
						}
					}
					warnings, err := s.Commit(t.Context(), root, []Change{c})
					require.NoError(t, err)
					require.Equal(t, 1, begun)
					var said []hashline.Code
					for _, d := range warnings {
						said = append(said, d.Code)
					}
					want := []hashline.Code{hashline.NoUndo}
					if kept != "" {
						require.Contains(t, warnings[0].Msg, ".hashline-kept-")
						want = append([]hashline.Code{hashline.ChangedDuringEdit}, want...)
					}
					require.Equal(t, want, said, "%v", warnings)
					last := warnings[len(warnings)-1]
					require.Contains(t, last.Msg, "no space left on device")
					require.Equal(t, "f", last.Path)
					data, err := root.ReadFile("f")
					require.NoError(t, err)
					require.True(t, old+"more" == string(data))
					if c.Base != nil {
						require.Equal(t, 1, tagged)
					}
					var noImage []string
					_, err = s.Records(root, func(r Record) bool {
						noImage = append(noImage, r.Files[0].NoImage)
						return true
					})
					require.NoError(t, err)
					require.Len(t, noImage, 2)
					require.Contains(t, noImage[0], "no space left on device")
					_, err = s.Image(history.Sum([]byte(old)))
					require.ErrorIs(t, err, history.ErrMissing)
					empty()
					same(t, Report{}, recovered(t, s, root))
				})
			}
		}
	}
}

// tempOf gives the only temporary file in a folder.
func tempOf(t *testing.T, dir string) string {
	temps, err := filepath.Glob(filepath.Join(dir, tempPrefix+"*"))
	require.NoError(t, err)
	require.Len(t, temps, 1)
	return temps[0]
}

// Where names cannot be exchanged the old version is copied before it is
// replaced; the edit is refused where there is no room for that, and not made again
// from bytes that were hashed already.
func TestNoRoomBeforeARename(t *testing.T) {
	for _, kind := range []string{"held", "streamed"} {
		disk, s, root, old, changes := keptOnSmallDisk(t)
		tr := newTransaction(root, false, nil)
		require.NoError(t, tr.prepare(t.Context(), []Change{changes[kind]}))
		require.NoError(t, tr.begin(t.Context(), s, Note{}))
		require.NoError(t, tr.stageAll(t.Context()))
		require.NoError(t, tr.markStaged())
		require.NoError(t, tr.verify())
		require.True(t, tr.files[0].keep)
		tr.files[0].folder.plain = true
		empty := stuff(t, disk, 0)
		err := tr.publish()
		require.Error(t, err)
		err = tr.fail(err)
		same(t, []hashline.Code{hashline.IO}, codes(err))
		require.False(t, tr.chronicle.full)
		tr.close()
		tr.chronicle.close()
		empty()
		data, err := root.ReadFile("f")
		require.NoError(t, err)
		require.True(t, old == string(data))
		for name := range tree(t, root.Name()) {
			require.False(t, strings.HasPrefix(name, tempPrefix), name)
		}
		same(t, Report{}, recovered(t, s, root))
	}
}
