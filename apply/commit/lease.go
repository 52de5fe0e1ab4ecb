package commit

import (
	"os"
	"syscall"
	"time"

	"github.com/hashline-go/hashline/hashline"
)

// patience is how long a commit waits in all for others to close its files: many
// a writer is about to.
const patience = 100 * time.Millisecond

// lease takes a lease on the target, unless it has one or there is none to be
// had. From then on until the target is closed no other process can change its
// bytes without our noticing before it has.
func (t *transaction) lease(f *file) error {
	if f.target == nil {
		return nil
	}
	if f.leased {
		return f.undisturbed()
	}
	var busy bool
	if f.leased, busy = t.takeLease(f.target); busy {
		return heldOpen(f)
	}
	return nil
}

// takeLease is takeLease with patience.
func (t *transaction) takeLease(h *os.File) (leased, busy bool) { return t.patiently(takeLease, h) }

func (t *transaction) patiently(take func(*os.File) (leased, busy bool), h *os.File) (leased, busy bool) {
	if t.noLease {
		return false, false
	}
	for wait := time.Millisecond; ; wait *= 2 {
		leased, busy = take(h)
		if !busy || t.waited+wait > patience {
			return leased, busy
		}
		// A child that this process is just starting has a copy of what was open
		// for writing when it was forked, until it runs its program; and until
		// then the lock is held.
		syscall.ForkLock.RLock()
		//lint:ignore SA2001 waiting is all that is wanted
		syscall.ForkLock.RUnlock()
		time.Sleep(wait)
		t.waited += wait
	}
}

// undisturbed refuses a file whose lease somebody wants to end.
func (f *file) undisturbed() error {
	if f.leased && !leaseHolds(f.target) {
		return busyFile(f, "another process opens the file for writing")
	}
	return nil
}

func heldOpen(f *file) error {
	return busyFile(f, "another process holds the file open for writing")
}

func busyFile(f *file, what string) error {
	return &hashline.Diagnostic{Code: hashline.BusyFile, Path: f.Path, Msg: what,
		Hint: "close the file in the other program, then read it again, since it may have changed"}
}
