package commit

import (
	"os"
	"slices"

	"github.com/hashline-go/hashline/apply/commit/history"
)

// removeFolders removes folders of a list, parents first, that are empty. It
// reports whether another try would be in vain.
func (r *recovery) removeFolders(list []history.Name) bool {
	all := true
	for _, dir := range slices.Backward(list) {
		if _, err := r.folder(string(dir), string(dir), false); err == nil {
			all = r.removeFolder(string(dir)) && all
		}
	}
	return all
}

// leftovers are folders in which temporary files of other commits still were.
type leftovers struct{ folders []history.Name }

func (l *leftovers) remove(root *os.Root) {
	if len(l.folders) == 0 {
		return
	}
	r := &recovery{transaction: newTransaction(root, false, nil)}
	defer r.close()
	slices.Sort(l.folders)
	r.removeFolders(l.folders)
}
