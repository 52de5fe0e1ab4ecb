// Package applytest is a second, slow making of what package apply does: plain
// lists of lines, written from the sentences of the contract (spec 2, 4, 6, 7)
// and sharing no code with it. It is the oracle of tests and fuzzing, and is
// for tests only.
package applytest
