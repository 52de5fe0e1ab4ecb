package commit

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// injected commits in a child process whose system calls fail as told: "a" from
// 1 to one, "b" from 2 to two, and a new file "n/c".
func injected(t *testing.T, s *Store, root *os.Root, injections string) outcome {
	result := filepath.Join(t.TempDir(), "result")
	cmd := strace(t, os.DevNull, nil, strings.Fields(injections), os.Args[0], s.Dir(), root.Name(), result)
	cmd.Env = append(os.Environ(), roleVar+"=commit")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	b, err := os.ReadFile(result)
	require.NoError(t, err)
	var got outcome
	require.NoError(t, json.Unmarshal(b, &got))
	return got
}

// An attribute that cannot be kept refuses the commit; one of those that are the
// system's own does not.
func TestAttributesThatCannotBeKept(t *testing.T) {
	refused := []hashline.Code{hashline.Attributes}
	for _, c := range []struct {
		name, inject string
		codes        []hashline.Code
		message      string
	}{
		{"user.a", "fsetxattr:error=EPERM", refused, "the extended attribute user.a cannot be kept: operation not permitted"},
		{"user.a", "fsetxattr:error=ENOSPC", refused, "no space left"},
		{"user.a", "fsetxattr:error=EOPNOTSUPP", refused, "user.a cannot be kept"},
		{"user.a", "fsetxattr:retval=0", refused, "the system did not take them over"},
		{"user.a", "fsetxattr:error=EINTR:when=1", nil, ""},
		{"user.a", "fgetxattr:error=EACCES:when=1", refused, "user.a, which cannot be read,"},
		{"user.a", "fgetxattr:error=ENODATA:when=1", []hashline.Code{hashline.ChangedDuringEdit}, "its attributes changed"},
		{"user.a", "fgetxattr:error=EINTR:when=1", nil, ""},
		{"user.a", "flistxattr:error=EIO:when=1", refused, "cannot be listed"},
		{"user.a", "flistxattr:error=ERANGE:when=1", nil, ""},
		{"user.a", "ioctl:error=ENOTTY", nil, ""},
		{"", "flistxattr:error=EOPNOTSUPP", nil, ""},
		{"system.posix_acl_access", "fsetxattr:error=EPERM", refused, "the access control list cannot be kept"},
		{"trusted.t", "fsetxattr:error=EPERM", refused, "trusted.t"},
		{"security.capability", "fsetxattr:error=EPERM", refused, "security.capability"},
		{"security.ima", "fsetxattr:error=EPERM", nil, ""},
		{"security.selinux", "fsetxattr:error=EPERM", nil, ""},
		{"trusted.overlay.opaque", "fsetxattr:error=EPERM", nil, ""},
	} {
		t.Run(c.name+" "+c.inject, func(t *testing.T) {
			s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2"})
			a := filepath.Join(root.Name(), "a")
			switch c.name {
			case "":
			case "security.capability":
				setExtra(t, a, c.name, capability)
			case "system.posix_acl_access":
				setExtra(t, a, c.name, acl("u::6 u:7:4 g::4 m::4 o::4"))
			default:
				setExtra(t, a, c.name, "x")
			}
			before, was := described(t, a), tree(t, root.Name())
			got := injected(t, s, root, c.inject)
			same(t, c.codes, got.Codes)
			require.Contains(t, got.Message, c.message)
			if c.codes != nil {
				same(t, before, described(t, a))
				same(t, was, tree(t, root.Name()))
			} else {
				same(t, map[string]string{"a": "one", "b": "two", "n/c": "three"}, contents(t, root.Name()))
			}
		})
	}
}

// Whatever call is the last one, the temporary file that is left is open to
// nobody to whom the target is not.
func TestTemporaryFileIsNeverMoreOpen(t *testing.T) {
	needRoot(t, "be another user for a moment")
	for _, target := range []struct {
		mode os.FileMode
		acl  string
	}{
		{mode: 0o600},
		{mode: 0o660},
		{acl: "u::6 u:%d:0 g::6 m::6 o::4"},
	} {
		left := 0
		for _, call := range []string{"write", "fchown", "fsetxattr", "fremovexattr", "fchmod", "fsync"} {
			for when := 1; when < 6; when++ {
				s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2"})
				require.NoError(t, os.Chmod(filepath.Dir(root.Name()), 0o755))
				require.NoError(t, os.Chmod(root.Name(), 0o755))
				setExtra(t, root.Name(), "system.posix_acl_default", acl(fmt.Sprintf("u::7 u:%d:7 g::7 m::7 o::7", nobody)))
				a, b := filepath.Join(root.Name(), "a"), filepath.Join(root.Name(), "b")
				if target.acl != "" {
					setExtra(t, a, "system.posix_acl_access", acl(fmt.Sprintf(target.acl, nobody)))
				} else {
					require.NoError(t, os.Chmod(a, target.mode))
				}
				require.NoError(t, os.Chmod(b, 0o600)) // not to be told from a's
				require.NoError(t, os.Chown(a, 1000, 1000))
				cmd := strace(t, os.DevNull, nil, []string{fmt.Sprintf("%s:signal=KILL:when=%d", call, when)}, os.Args[0], s.Dir(), root.Name(), filepath.Join(t.TempDir(), "result"))
				cmd.Env = append(os.Environ(), roleVar+"=commit")
				if cmd.Run() == nil {
					break // there are no more such calls
				}
				for name := range tree(t, root.Name()) {
					if !strings.HasPrefix(name, tempPrefix) {
						continue
					}
					left++
					asUser(t, func(int) {
						for _, n := range []string{"a", name} {
							fd, err := syscall.Open(filepath.Join(root.Name(), n), syscall.O_RDONLY, 0)
							if err == nil {
								syscall.Close(fd)
								t.Errorf("%s is open to others after %s %d", n, call, when)
							}
						}
					})
				}
			}
		}
		require.GreaterOrEqual(t, left, 4)
	}
}
