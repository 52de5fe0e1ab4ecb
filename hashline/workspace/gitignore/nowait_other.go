//go:build !unix

package gitignore

const noWait = 0
