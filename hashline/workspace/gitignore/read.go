package gitignore

import (
	"bytes"
	"io"
	"os"
	"path/filepath"

	"github.com/hashline-go/hashline/apply/commit/beneath"
)

// readIn reads a file that lies directly in dir; what is no regular file, or
// cannot be read, has no text.
func readIn(dir *os.Root, name string) []byte {
	f, err := dir.OpenFile(name, os.O_RDONLY|beneath.NoWait, 0)
	if err != nil {
		return nil
	}
	return slurp(f)
}

// readAt reads a file of git's or the user's own by its path, links followed as
// git does.
func readAt(path string) []byte {
	f, err := os.OpenFile(path, os.O_RDONLY|beneath.NoWait, 0)
	if err != nil {
		return nil
	}
	return slurp(f)
}

// slurp reads whole lines up to the limit on files and closes f.
func slurp(f *os.File) []byte {
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil
	}
	if len(text) <= maxFile {
		return text
	}
	return text[:bytes.LastIndexByte(text[:maxFile], '\n')+1]
}

// join resolves a path found in a file of folder dir.
func join(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
