package workspace

// NoSync lets a workspace leave its syncs out, since most tests are not about
// them and a disk is slow.
func NoSync(w *Workspace) {
	if w.store != nil {
		w.store.NoSync = true
	}
}
