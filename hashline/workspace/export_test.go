package workspace

import (
	"os"

	"github.com/hashline-go/hashline/apply/commit"
)

// streamPage is the page of files that are not held in memory, in workspaces that
// are made ready while it is set; 0 has those held that usually are.
var streamPage int

func init() {
	// With it the tests of this package run with no file held in memory.
	if os.Getenv("HASHLINE_STREAM") != "" {
		streamPage = 13
	}
}

// Stream has files of all sizes read and edited without being held, in pages of
// so many bytes, in all workspaces that are made ready until the function that it
// gives is called.
func Stream(page int) (restore func()) {
	was := streamPage
	streamPage = page
	return func() { streamPage = was }
}

// Streams reports whether no file is held.
func Streams() bool { return streamPage > 0 && commit.CanStream }

// Ready readies a workspace for a test. It leaves its syncs out, since most tests are
// not about them and a disk is slow.
func Ready(w *Workspace) {
	if w.store != nil {
		w.store.NoSync = true
	}
	if streamPage > 0 {
		w.streaming = streaming{page: streamPage}
	}
}
