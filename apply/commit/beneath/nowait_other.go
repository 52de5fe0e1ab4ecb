//go:build !unix

package beneath

// NoWait is a flag for opening what is expected to be a file: 0, since nothing
// that stands there makes who opens it wait.
const NoWait = 0
