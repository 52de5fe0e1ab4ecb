package commit

import (
	"io/fs"
	"os"
)

// Info is what Inspect finds out about one name.
type Info struct {
	// FileInfo is that of the name itself, also where it is a symbolic link.
	fs.FileInfo
	// Links counts the names of the file; 1 where the platform does not tell.
	Links uint64
	// MountPoint says that something is mounted on the name, so that it cannot
	// be replaced.
	MountPoint bool
	// ReadOnly says that the mode has no write bit for anybody, whoever asks:
	// for root, too, it counts.
	ReadOnly bool

	id    ID
	hasID bool
}

// ID tells files apart: two names with equal IDs, seen at one time, are one
// file. It may be compared and used as a key.
type ID struct{ device, inode uint64 }

// ID gives the file's identity; ok is false where the platform has none.
func (i Info) ID() (id ID, ok bool) { return i.id, i.hasID }

// Number gives what [Info.ID] stands for; ok is false where the platform has none.
func (i Info) Number() (device, inode uint64, ok bool) { return i.id.device, i.id.inode, i.hasID }

// ChangeTime is when the file's bytes or attributes were last changed, in
// nanoseconds since 1970; programs cannot set it. 0 where the platform has none.
func (i Info) ChangeTime() int64 { return changeTime(i.FileInfo) }

// Inspect looks at a path below the root, without following a symbolic link in
// its last name, and tells what decides whether and how the file can be
// replaced (spec 6, step 3). Errors are a [*hashline.Diagnostic]: not_found,
// outside_root, denied, link_loop or io.
func Inspect(root *os.Root, path string) (Info, error) {
	info, err := root.Lstat(path)
	if err != nil {
		return Info{}, lookFault(root, path, "cannot look at the file", err)
	}
	i := Info{
		FileInfo:   info,
		MountPoint: mountPoint(root, path, info),
		ReadOnly:   info.Mode()&fs.ModeSymlink == 0 && info.Mode().Perm()&0o222 == 0,
	}
	i.id, i.Links, i.hasID = identify(root, path, info)
	return i, nil
}
