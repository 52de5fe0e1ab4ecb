package workspace

import "os"

func init() {
	// With it the tests of this package run with no file held in memory.
	if os.Getenv("HASHLINE_STREAM") != "" {
		Stream(13)
	}
}

// Stream has files of all sizes read and edited without being held, in pages of
// so many bytes, until the function that it gives is called.
func Stream(page int) (restore func()) {
	a, b, c := streamFrom, streamSeen, streamPage
	streamFrom, streamSeen, streamPage = 0, 0, page
	return func() { streamFrom, streamSeen, streamPage = a, b, c }
}

// NoSync lets a workspace leave its syncs out, since most tests are not about
// them and a disk is slow.
func NoSync(w *Workspace) {
	if w.store != nil {
		w.store.NoSync = true
	}
}
