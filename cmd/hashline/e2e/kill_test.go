//go:build unix

package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// killAll ends the processes of a group and, where the system lists them, those
// that left the group but still have the home folder of this run: some clients
// leave servers behind.
func killAll(group int, home string) {
	_ = syscall.Kill(-group, syscall.SIGKILL)
	mark := []byte("HOME=" + home + "\x00")
	for range 50 {
		left := 0
		envs, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, name := range envs {
			env, err := os.ReadFile(name)
			if err != nil || !bytes.Contains(append(env, 0), mark) {
				continue
			}
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil && pid != os.Getpid() {
				left++
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		if left == 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}
