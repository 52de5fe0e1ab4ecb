package commit

import (
	"os"
	"path/filepath"

	"github.com/hashline-go/hashline/apply/commit/history"
)

// rootID identifies a root for journals and history.
func rootID(root *os.Root) (history.Root, error) {
	info, err := root.Stat(".")
	if err != nil {
		return history.Root{}, err
	}
	id, _, _ := identify(root, ".", info)
	path, err := filepath.Abs(root.Name())
	if err != nil {
		path = root.Name()
	}
	return history.Root{Path: history.Name(path), Device: id.device, Inode: id.inode, Born: born(root)}, nil
}
