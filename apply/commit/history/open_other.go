//go:build !unix

package history

const nonblock = 0
