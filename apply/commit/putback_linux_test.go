package commit

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A call fails late in a commit, and the process is killed while it puts back
// what it had done.
func TestKilledWhilePuttingBack(t *testing.T) {
	needStrace(t)
	r := seeded(t)
	onDisks(t, func(t *testing.T, disk string) {
		for _, c := range fullScenes() {
			c.disk = disk
			t.Run(c.name, func(t *testing.T) {
				s, dir := c.stage(t)
				all := c.points(t, "commit", s, dir)
				// The last one before which all may have been done.
				late := slices.DeleteFunc(slices.Clone(all[len(all)/2:]), func(p string) bool {
					return !strings.HasPrefix(p, "fsync") && !strings.HasPrefix(p, "rename") && !strings.HasPrefix(p, "ftruncate") && !strings.HasPrefix(p, "pwrite64")
				})
				kills := 0
				for _, p := range sample(r, late, first(1)) {
					call, when, _ := strings.Cut(p, ":")
					fail := call + ":error=EIO:" + when
					s, dir := c.stage(t)
					points := c.points(t, "commit", s, dir, fail)
					from := slices.Index(points, p)
					require.GreaterOrEqual(t, from, 0)
					for _, k := range sample(r, points[from+1:], first(1)) {
						if k[:strings.IndexByte(k, ':')] == call {
							continue // strace does one thing to a call
						}
						kills++
						t.Run(fail+", kill "+k, func(t *testing.T) {
							s, dir := c.stage(t)
							said := c.run(t, "commit", s, dir, fail, kill(k))
							c.settle(t, s, dir, said, "")
						})
					}
				}
				t.Logf("killed %d times", kills)
			})
		}
	})
}
