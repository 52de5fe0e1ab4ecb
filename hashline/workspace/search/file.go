package search

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/hashline-go/hashline/apply/commit/beneath"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

const (
	maxFile = 5 << 20
	// head is where a NUL makes a file binary before the rest of it is read.
	head = 8 << 10
	// leaseWait bounds how long a file is waited for that another process has to
	// itself, as one of ours that overwrites it: twice as long in all.
	leaseWait = 64 * time.Millisecond
)

// read gives the text of a regular file that lies directly in dir, or nil and
// why it is skipped. The file is read into buf, which grows to hold it, and where
// the file is UTF-8 the text lies there.
func read(dir *os.Root, name string, buf *[]byte) (*snapshot.Text, Skipped) {
	f, size, skipped := open(dir, name)
	if f == nil {
		return nil, skipped
	}
	defer f.Close()
	// One byte more than a file may have shows one that grew.
	need := int(min(size, maxFile)) + 1
	if cap(*buf) < need {
		*buf = make([]byte, max(need, 2*cap(*buf)))
	}
	data := (*buf)[:cap(*buf)]
	n, err := io.ReadFull(f, data[:min(head, need)])
	if binary(data[:n]) {
		return nil, Skipped{Binary: 1}
	}
	for err == nil {
		if n == len(data) {
			if n > maxFile {
				return nil, Skipped{TooLarge: 1}
			}
			data = append(data, make([]byte, min(len(data), maxFile+1-n))...)
			*buf = data
		}
		var m int
		m, err = f.Read(data[n:])
		n += m
	}
	switch {
	case err != io.EOF && err != io.ErrUnexpectedEOF:
		return nil, Skipped{Unreadable: 1}
	case n > maxFile:
		return nil, Skipped{TooLarge: 1}
	case binary(data[:n]):
		return nil, Skipped{Binary: 1}
	}
	text, err := snapshot.Decode(data[:n:n])
	if err != nil {
		return nil, Skipped{NotUTF8: 1}
	}
	return text, Skipped{}
}

// open opens a regular file, and no other. One that was replaced just then, as an
// edit does, is tried again.
func open(dir *os.Root, name string) (f *os.File, size int64, skipped Skipped) {
	for range 3 {
		if f, size, skipped = tryOpen(dir, name); f != nil || skipped.Unreadable == 0 {
			break
		}
	}
	return f, size, skipped
}

// tryOpen looks at what name stands for before it opens it, so that opening has no
// effect on a device, and again after.
func tryOpen(dir *os.Root, name string) (*os.File, int64, Skipped) {
	before, err := dir.Lstat(name)
	switch {
	case err != nil:
		return nil, 0, Skipped{Unreadable: 1}
	case !before.Mode().IsRegular():
		return nil, 0, Skipped{}
	case before.Size() > maxFile:
		return nil, 0, Skipped{TooLarge: 1}
	}
	f, err := dir.OpenFile(name, os.O_RDONLY|beneath.NoWait, 0)
	for wait := time.Millisecond; errors.Is(err, syscall.EAGAIN) && wait < leaseWait; wait *= 2 {
		time.Sleep(wait)
		f, err = dir.OpenFile(name, os.O_RDONLY|beneath.NoWait, 0)
	}
	if err != nil {
		return nil, 0, Skipped{Unreadable: 1}
	}
	info, err := f.Stat()
	if err != nil || !os.SameFile(before, info) {
		f.Close()
		return nil, 0, Skipped{Unreadable: 1}
	}
	return f, info.Size(), Skipped{}
}

// binary reports a NUL, except in what says that it is UTF-16, where every other
// byte may be one.
func binary(data []byte) bool {
	if bytes.HasPrefix(data, []byte{0xFF, 0xFE}) || bytes.HasPrefix(data, []byte{0xFE, 0xFF}) {
		return false
	}
	return bytes.IndexByte(data, 0) >= 0
}

// nameable reports whether a path can stand in a header. A folder only has to
// leave that open for the files in it.
func nameable(path string, isDir bool) bool {
	if isDir {
		path += "/x"
	}
	if !utf8.ValidString(path) || strings.ContainsAny(path, "\r\n") {
		return false
	}
	clean, err := hashline.CleanPath(path)
	return err == nil && clean == path
}
