//go:build linux || darwin

package commit

import (
	"bytes"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// readExtra reads the extended attributes of an opened file, except those that
// are the system's own. A file system that has none has none.
func readExtra(h *os.File) (map[string]string, error) {
	fd := int(h.Fd())
	list, err := grown(func(buf []byte) (int, error) { return unix.Flistxattr(fd, buf) })
	switch {
	case errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.ENOSYS):
		return nil, nil
	case err != nil:
		return nil, &keepError{"extended attributes, which cannot be listed,", err}
	case len(list) == 0:
		return nil, nil
	}
	all := map[string]string{}
	for name := range bytes.SplitSeq(bytes.TrimSuffix(list, []byte{0}), []byte{0}) {
		name := string(name)
		r := ruleOf(name)
		if r == system {
			continue
		}
		value, err := grown(func(buf []byte) (int, error) { return unix.Fgetxattr(fd, name, buf) })
		switch {
		case err == nil:
			all[name] = string(value)
		case errors.Is(err, noAttribute):
			// Gone since it was listed.
		case r == keep:
			return nil, &keepError{title(name) + ", which cannot be read,", err}
		}
	}
	return all, nil
}

// grown calls get with a buffer that is large enough for what it gives.
func grown(get func([]byte) (int, error)) ([]byte, error) {
	buf := make([]byte, 256)
	for {
		n := 0
		err := again(func() (err error) { n, err = get(buf); return err })
		switch {
		case err == nil:
			return buf[:n], nil
		case errors.Is(err, unix.ERANGE) && len(buf) < 1<<20:
			buf = make([]byte, 4*len(buf))
		default:
			return nil, err
		}
	}
}

func writeExtra(h *os.File, name, value string) error {
	return again(func() error { return unix.Fsetxattr(int(h.Fd()), name, []byte(value), 0) })
}

func removeExtra(h *os.File, name string) error {
	return again(func() error { return unix.Fremovexattr(int(h.Fd()), name) })
}
