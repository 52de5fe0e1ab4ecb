// Package apply checks operations against the text they were written for and
// makes the new bytes (spec 2, 6, 7). It is pure: it takes values, returns
// values and never touches the disk. It knows nothing of how operations are
// written; package grammar reads them.
//
// Functions here may be called from several goroutines at once, as long as
// nobody changes the operations meanwhile.
package apply
