package commit

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"

	"github.com/hashline-go/hashline/apply/commit/beneath"
	"github.com/hashline-go/hashline/hashline"
)

const (
	tempPrefix = ".hashline-"
	tempSuffix = ".tmp"
)

// keptBits are the bits of a mode that a replacement keeps.
const keptBits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

func tempName() string {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return tempPrefix + hex.EncodeToString(b[:]) + tempSuffix
}

// stage has a new temporary file written in the folder, for the file at p, with
// the attributes of like, and syncs it. On failure nothing is left.
func (d *folder) stage(name, p string, write func(*os.File) error, like *attributes, sync bool) (fs.FileInfo, error) {
	// A new file has the mode that the system gives it from the start: only so
	// do the umask, which cannot be asked for without changing it for all
	// threads, and the folder's default access list have their say.
	perm := fs.FileMode(0o666)
	if like != nil {
		perm = 0o600
	}
	h, err := d.create(name, perm)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, changed(p, "its folder was removed")
		}
		return nil, fault(p, "cannot create a temporary file in the folder "+d.path, err)
	}
	if like != nil {
		like.giveFlags(h, d.flags)
	}
	info, err := fill(h, p, write, like, sync)
	if cerr := h.Close(); err == nil && cerr != nil {
		err = fault(p, "cannot write the temporary file", cerr)
	}
	if err != nil {
		_ = d.root.Remove(name)
		return nil, err
	}
	return info, nil
}

// create makes a file that is not there. Its name is known beforehand, and
// random enough that there never is one. Without beneath.NoWait package os makes
// four calls to find out that a regular file has no use for it.
func (d *folder) create(name string, perm fs.FileMode) (*os.File, error) {
	return d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|beneath.NoWait, perm)
}

func fill(h *os.File, p string, write func(*os.File) error, like *attributes, sync bool) (fs.FileInfo, error) {
	info, err := h.Stat()
	if err == nil {
		err = write(h)
	}
	if d, ok := errors.AsType[*hashline.Diagnostic](err); ok {
		return nil, d
	}
	if err != nil {
		return nil, fault(p, "cannot write the temporary file", err)
	}
	if like != nil {
		// After the bytes, since writing takes setuid and setgid away.
		if err := like.give(h, info); err != nil {
			return nil, notKept(p, err)
		}
	}
	if sync {
		if err := h.Sync(); err != nil && !unsupported(err) {
			return nil, fault(p, "cannot sync the temporary file", err)
		}
	}
	return info, nil
}
