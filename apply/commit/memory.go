package commit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/hashline-go/hashline/apply/commit/own"
	"github.com/hashline-go/hashline/hashline"
)

const (
	memoryFolder = "sessions"
	memorySuffix = ".json"
	memoryLock   = ".lock"
	// MaxMemory is how long what a session keeps may be, in bytes.
	MaxMemory = 64 << 20
	// MemoryAge is how long it is kept after its last use.
	MemoryAge = 30 * 24 * time.Hour
)

// Memory is what a named session of one root keeps in the state folder from one
// process to the next, locked against all others that want it. It is for one
// goroutine at a time.
type Memory struct {
	dir  *os.Root
	name string
	file string
	lock lock
}

// Memory locks and opens what the session of that name keeps for root. It waits
// at most [Store.Wait] for another process that has it. The caller releases it.
// Errors are a [*hashline.Diagnostic]: bad_argument (the name), locked,
// cancelled, timeout, denied or io.
func (s *Store) Memory(ctx context.Context, root *os.Root, name string) (*Memory, error) {
	file, err := memoryFile(root, name)
	if err != nil {
		return nil, err
	}
	dir, err := s.folder(memoryFolder)
	if err != nil {
		return nil, err
	}
	wait := s.wait()
	limit, stop := context.WithTimeout(ctx, wait)
	defer stop()
	for {
		l, err := s.lockMemory(limit, dir, file+memoryLock)
		switch {
		case err == nil && l.file != nil:
			return &Memory{dir, name, file, l}, nil
		case err == nil:
			continue // it was taken away meanwhile
		case limit.Err() != nil:
			if err = cancelled(ctx); err == nil {
				err = &hashline.Diagnostic{Code: hashline.Locked,
					Msg:  fmt.Sprintf("another call of the session %s is still at work; gave up after %s", name, wait),
					Hint: "send the same call again"}
			}
		default:
			err = stateFault("cannot lock the session "+name, err)
		}
		dir.Close()
		return nil, err
	}
}

// lockMemory locks a file, made where it is missing. The lock has no file where
// another took the file away before it was locked.
func (s *Store) lockMemory(limit context.Context, dir *os.Root, name string) (lock, error) {
	leave := s.enter(limit, memoryFolder+"/"+name)
	if leave == nil {
		return lock{}, limit.Err()
	}
	f, err := own.Open(dir, name, os.O_RDWR|os.O_CREATE)
	if err != nil {
		leave()
		return lock{}, err
	}
	l := lock{f, leave}
	switch late, err := l.acquire(limit); {
	case late:
		return lock{}, limit.Err()
	case err != nil:
		l.release()
		return lock{}, err
	}
	opened, oerr := f.Stat()
	if named, err := dir.Lstat(name); err != nil || oerr != nil || !os.SameFile(opened, named) {
		l.release()
		return lock{}, nil
	}
	return l, nil
}

// memoryFile gives the name of the file for a session, without its ending.
func memoryFile(root *os.Root, name string) (string, error) {
	bad := strings.ContainsFunc(name, func(c rune) bool {
		return c != '-' && c != '_' && c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	})
	if bad || name == "" || len(name) > 64 {
		return "", &hashline.Diagnostic{Code: hashline.BadArgument, Msg: fmt.Sprintf("%.80q is no name for a session", name),
			Hint: "1 to 64 letters, digits, dots, hyphens and underscores"}
	}
	id, err := rootID(root)
	if err != nil {
		return "", stateFault("cannot look at the root", err)
	}
	return id.Key() + "-" + name, nil
}

// Load gives what was saved last, nil where nothing was.
func (m *Memory) Load() ([]byte, error) {
	f, err := own.Open(m.dir, m.file+memorySuffix, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var data []byte
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(f, MaxMemory+1))
		f.Close()
	}
	if err == nil && len(data) > MaxMemory {
		err = errors.New("it is too long")
	}
	if err != nil {
		d := stateFault("cannot read what the session "+m.name+" kept", err)
		// The state folder is good, since the session was locked in it.
		d.Hint = `"hashline session forget ` + m.name + `" removes it`
		return nil, d
	}
	return data, nil
}

// Save keeps data in place of what was saved before. It is not synced: what a
// power failure costs is a copy of what the agent was shown, not a file's bytes.
func (m *Memory) Save(data []byte) error {
	if len(data) > MaxMemory {
		return &hashline.Diagnostic{Code: hashline.TooLarge, Msg: "what the session would keep is longer than 64 MiB", Hint: "begin a new session"}
	}
	temp := tempName()
	f, err := m.dir.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		err = own.Replace(m.dir, f, temp, m.file+memorySuffix, data)
	}
	if err != nil {
		return stateFault("cannot save what the session keeps", err)
	}
	m.prune(time.Now().Add(-MemoryAge))
	return nil
}

// prune removes what was not used since a time, of whatever root, unless somebody
// has it just now. A file that cannot be removed now is for the next time.
func (m *Memory) prune(since time.Time) {
	old := func(info fs.FileInfo, err error) bool { return err == nil && info.ModTime().Before(since) }
	entries, _ := fs.ReadDir(m.dir.FS(), ".")
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), memoryLock) || !old(e.Info()) {
			continue
		}
		session, ok := strings.CutSuffix(e.Name(), memorySuffix)
		if !ok {
			_ = m.dir.Remove(e.Name())
			continue
		}
		sl, err := openSlot(m.dir, session+memoryLock, os.O_CREATE)
		if err != nil || sl == nil {
			continue
		}
		if old(m.dir.Lstat(e.Name())) {
			// Whoever waits for the lock sees that it has lost its name.
			_ = m.dir.Remove(e.Name())
			_ = m.dir.Remove(session + memoryLock)
		}
		sl.close()
	}
}

// Forget removes what was saved, or whatever is in its place. It gives false where
// there was nothing.
func (m *Memory) Forget() (bool, error) {
	_, err := m.dir.Lstat(m.file + memorySuffix)
	if err == nil {
		err = m.dir.RemoveAll(m.file + memorySuffix)
	}
	if err == nil {
		// Whoever waits for the lock sees that it has lost its name.
		err = m.dir.Remove(m.file + memoryLock)
		return true, asState(err)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return false, asState(err)
}

func asState(err error) error {
	if err == nil {
		return nil
	}
	return stateFault("cannot forget the session", err)
}

// Release lets others have it.
func (m *Memory) Release() {
	m.lock.release()
	m.dir.Close()
}

// SavedSession tells of a session that keeps something.
type SavedSession struct {
	Name string
	// Bytes is how much it keeps.
	Bytes int64
	// Used is when it was saved last.
	Used time.Time
}

// Sessions lists the sessions that keep something for root, by name.
func (s *Store) Sessions(root *os.Root) ([]SavedSession, error) {
	id, err := rootID(root)
	if err != nil {
		return nil, stateFault("cannot look at the root", err)
	}
	dir, err := s.folder(memoryFolder)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := fs.ReadDir(dir.FS(), ".")
	if err != nil {
		return nil, stateFault("cannot list the sessions", err)
	}
	var list []SavedSession
	for _, e := range entries {
		name, ok := strings.CutPrefix(e.Name(), id.Key()+"-")
		if !ok {
			continue
		}
		if name, ok = strings.CutSuffix(name, memorySuffix); !ok {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			list = append(list, SavedSession{name, info.Size(), info.ModTime()})
		}
	}
	return list, nil
}
