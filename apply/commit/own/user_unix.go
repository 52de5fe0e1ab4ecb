//go:build unix && (!linux || 386 || arm)

package own

import "os"

func user() int { return os.Geteuid() }
