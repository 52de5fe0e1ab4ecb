//go:build !unix

package workspace

const openFlags = 0
