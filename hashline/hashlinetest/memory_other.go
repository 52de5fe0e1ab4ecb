//go:build !linux

package hashlinetest

func memoryFolder() (dir string, ok bool) { return "", false }
