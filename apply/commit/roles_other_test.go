//go:build !linux

package commit

import "os"

func playMore(string, *Store, *os.Root, []string) int { return 2 }
