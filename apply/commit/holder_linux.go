package commit

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// lockHolder says which process holds the kernel's lock of a file, as far as the
// system tells: one in another container, for one, it does not.
func lockHolder(info fs.FileInfo) string {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	locks, err := os.Open("/proc/locks")
	if err != nil {
		return ""
	}
	defer locks.Close()
	dev := uint64(st.Dev)
	file := fmt.Sprintf("%02x:%02x:%d", unix.Major(dev), unix.Minor(dev), st.Ino)
	for lines := bufio.NewScanner(locks); lines.Scan(); {
		// 1: FLOCK  ADVISORY  WRITE 708 08:01:12345 0 EOF; "->" marks one who waits.
		f := strings.Fields(lines.Text())
		if len(f) < 6 || f[1] != "FLOCK" || f[5] != file {
			continue
		}
		if f[4] == fmt.Sprint(os.Getpid()) {
			return "this very process"
		}
		if name, err := os.ReadFile("/proc/" + f[4] + "/comm"); err == nil {
			return "process " + f[4] + ", " + strings.TrimSpace(string(name))
		}
	}
	return ""
}
