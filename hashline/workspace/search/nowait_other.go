//go:build !unix

package search

const noWait = 0
