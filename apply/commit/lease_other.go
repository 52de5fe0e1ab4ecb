//go:build !linux

package commit

import "os"

// takeLease: the system has no leases.
func takeLease(*os.File) (leased, busy bool) { return false, false }

// takeWriteLease is as takeLease.
func takeWriteLease(*os.File) (leased, busy bool) { return false, false }

func leaseHolds(*os.File) bool { return false }
