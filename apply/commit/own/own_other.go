//go:build !unix

package own

import "io/fs"

func foreign(fs.FileInfo) bool { return false }

func writable(fs.FileInfo) bool { return false }

func private(fs.FileInfo) bool { return true }
