package commit

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/hashline-go/hashline/hashline"
)

// A version of another writer that was out of sight for an instant, and has its
// name again, can be had for a day: somebody may have read what stood there
// meanwhile, and puts what it makes of that over it. Without leases the versions
// taken back stay there as well: somebody may have them open.
func TestHiddenVersionsAreKept(t *testing.T) {
	old, replace := "old", []Change{edit("f", "old", "new")}
	for _, c := range []struct {
		name    string
		changes []Change
		do      []at
		f, g    string // what the files hold after the refusal, "" for none
		late    []string
	}{
		{"replaced", replace, []at{{"exchange f", over("F")}}, "F", "other", []string{"F", "new"}},
		{"written", replace, []at{{"settle f", temp(into("olD"))}}, "olD", "other", []string{"olD", "new"}},
		{"the new version replaced as well", replace, []at{{"exchange f", over("F")}, {"exchanged f", over("G")}}, "G", "other", []string{"F", "G"}},
		{"the new version written", replace, []at{{"exchange f", over("F")}, {"exchanged f", into("new+")}}, "new+", "other", []string{"F", "new+"}},
		{"the new version removed", replace, []at{{"exchange f", over("F")}, {"exchanged f", gone}}, "F", "other", []string{"F"}},
		{"a created file written while it goes", []Change{create("c", "c"), edit("f", "old", "new")},
			[]at{{"exchange f", over("F")}, {"back c", temp(into("c+"))}}, "F", "other", []string{"c+", "F", "c+"}},
		{"written after its removal", []Change{{Path: "f", Old: []byte("old"), Remove: true}},
			[]at{{"settle f", temp(into("olD"))}}, "olD", "other", []string{"olD"}},
		{"another file of the document", []Change{edit("g", "other", "2"), edit("f", "old", "new")},
			[]at{{"exchange f", over("F")}}, "F", "other", []string{"2", "F", "new"}},
		{"a name that is no file now", replace, []at{{"exchange f", func(t *testing.T, f string) {
			gone(t, f)
			require.NoError(t, unix.Mkfifo(f, 0o600))
		}}}, "", "other", []string{"new"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, s := newRoot(t, map[string]string{"f": old, "g": "other"}), newStore(t)
			s.noLease = true
			f, left := filepath.Join(root.Name(), "f"), c.do
			s.step = func(step string) {
				if len(left) > 0 && left[0].step == step {
					do := left[0].do
					left = left[1:]
					do(t, f)
				}
			}
			err := commit(s, root, c.changes...)
			require.Contains(t, codes(err), hashline.ChangedDuringEdit)
			require.Empty(t, left)
			same(t, c.late, lateBytes(t, s))
			got := contents(t, root.Name())
			same(t, []string{c.f, c.g}, []string{got["f"], got["g"]})
		})
	}
}
