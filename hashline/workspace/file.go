package workspace

import (
	"errors"
	"io"
	"io/fs"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// MaxFile is the length of the longest file that is read or written, in bytes
// (spec 12).
const MaxFile = 1 << 30

// file is a place and what stood there when it was read.
type file struct {
	place
	snap snapshot.Snapshot
	// large is nil where the text is in memory.
	large *large
}

// load reads the text file at a place.
func (w *core) load(pl place) (file, error) {
	if !pl.exists {
		return file{}, notFound(pl.path)
	}
	if err := regular(pl.path, pl.info.Mode()); err != nil {
		return file{}, err
	}
	data, err := w.read(pl)
	if err != nil {
		return file{}, err
	}
	text, err := snapshot.Decode(data)
	if err != nil {
		return file{}, at(pl.path, err)
	}
	return file{place: pl, snap: snapshot.Take(pl.path, w.scheme, text)}, nil
}

// read gives the bytes of a regular file. Between the look and the opening the
// place may have changed, so what was opened is looked at again, and opening
// never waits for the other end of a FIFO.
func (w *core) read(pl place) ([]byte, error) {
	f, info, err := w.open(pl)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := regular(pl.path, info.Mode()); err != nil {
		return nil, err
	}
	if info.Size() > MaxFile {
		return nil, tooLarge(pl.path)
	}
	data, err := readAll(f, info.Size())
	if errors.Is(err, errTooLarge) {
		return nil, tooLarge(pl.path)
	}
	if err != nil {
		return nil, w.system(pl.path, err)
	}
	return data, nil
}

var errTooLarge = errors.New("file too large")

// readAll reads to the end of a file, which may have grown since its size was
// taken.
func readAll(r io.Reader, size int64) ([]byte, error) {
	data := make([]byte, 0, size+1)
	for {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, err
		case len(data) > MaxFile:
			return nil, errTooLarge
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

func tooLarge(path string) error {
	return fault(hashline.TooLarge, path, "the file is larger than 1 GiB", "use another tool for it")
}

// regular refuses what is no regular file.
func regular(path string, mode fs.FileMode) error {
	var what string
	switch {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		what = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		what = "a FIFO"
	case mode&fs.ModeSocket != 0:
		what = "a socket"
	case mode&fs.ModeDevice != 0:
		what = "a device"
	default:
		what = "not a regular file"
	}
	return fault(hashline.NotRegular, path, "this is "+what+", not a file of text", "name a regular file")
}

// writable refuses a place that must not be written to, whatever stands there
// (spec 6, step 3).
func (w *core) writable(pl place) error {
	if !w.policy.writes(pl.path) || !w.policy.writes(pl.real) {
		return fault(hashline.Denied, pl.path, "what lies in .git is not for writing", "use git to change it")
	}
	if !pl.exists {
		return nil
	}
	if err := regular(pl.path, pl.info.Mode()); err != nil {
		return err
	}
	switch info := pl.info; {
	case info.ReadOnly:
		return fault(hashline.ReadOnly, pl.path, "the file's mode allows no writing", "change its mode first (chmod u+w), if it is meant to be edited")
	case w.hardLinks == InPlace:
		return nil
	case info.Links > 1 && w.hardLinks != ReplaceHardLinks:
		return fault(hashline.HardLink, pl.path, "the file has other names (hard links), which an edit would part from it", "edit a copy, or make it a file of its own first")
	case info.MountPoint:
		return fault(hashline.MountPoint, pl.path, "the file is a mount point and cannot be replaced", "edit the file that is mounted there")
	}
	return nil
}

// at names the file in the diagnostics of a package that does not know it.
func at(path string, err error) error {
	for _, d := range faultsOf(err) {
		d.Path = path
	}
	return err
}

// faultsOf gives the diagnostics an error is made of; an error of another kind
// becomes one with the code [hashline.IO].
func faultsOf(err error) hashline.Diagnostics {
	var many hashline.Diagnostics
	if errors.As(err, &many) {
		return many
	}
	var one *hashline.Diagnostic
	if errors.As(err, &one) {
		return hashline.Diagnostics{one}
	}
	return hashline.Diagnostics{{Code: hashline.IO, Msg: err.Error()}}
}
