package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace"
	"github.com/hashline-go/hashline/hashline/workspace/gitignore"
	"github.com/hashline-go/hashline/snapshot"
)

// open opens the workspace of the global flags. The caller closes it.
func (a *app) open() (*workspace.Workspace, error) {
	switch info, err := os.Stat(a.root); {
	case err != nil:
		return nil, usagef("--root %s: %s", quoted(a.root), reason(err))
	case !info.IsDir():
		return nil, usagef("--root %s is no folder", quoted(a.root))
	}
	w, err := workspace.Open(a.root, workspace.Config{
		Scheme: snapshot.Scheme(a.scheme.value), Deny: a.deny, Allow: a.allow, ReadOnly: a.readOnly, AllowGit: a.allowGit,
		NoSync: a.noSync, HardLinks: workspace.HardLinks(a.hardLinks.value),
		Git: gitignore.UserFrom(os.Getenv),
	})
	switch {
	case errors.Is(err, hashline.BadPattern):
		return nil, usagef("--deny or --allow: %s", err)
	case err != nil:
		return nil, err
	}
	return w, nil
}

// permits gives a function that refuses files below the root which the policy
// denies, for those that are not opened through a workspace.
func (a *app) permits() (func(name string) error, error) {
	if len(a.deny)+len(a.allow) == 0 {
		return func(string) error { return nil }, nil
	}
	permit, err := workspace.Permits(a.root, workspace.Config{Deny: a.deny, Allow: a.allow})
	if errors.Is(err, hashline.BadPattern) {
		err = usagef("--deny or --allow: %s", err)
	}
	return permit, err
}

// permitted refuses one such file.
func (a *app) permitted(name string) error {
	permit, err := a.permits()
	if err != nil {
		return err
	}
	return permit(name)
}

// call runs one call in its session.
func (a *app) call(ctx context.Context, f func(context.Context, *workspace.Session) (*workspace.Result, error)) (*workspace.Result, error) {
	w, err := a.open()
	if err != nil {
		return nil, err
	}
	defer w.Close()
	return a.callIn(ctx, w, f)
}

// callIn does it in a workspace that is open.
func (a *app) callIn(ctx context.Context, w *workspace.Workspace, f func(context.Context, *workspace.Session) (*workspace.Result, error)) (*workspace.Result, error) {
	told := a.tellRecovered(w, 0)
	defer func() { a.tellRecovered(w, told) }()
	ctx, done := a.hold(ctx)
	defer done()
	s, end, err := a.session(ctx, w)
	if err != nil {
		return nil, err
	}
	defer a.endSession(end)
	return f(ctx, s)
}

// tellRecovered shows people what recoveries could not bring to an end, from the
// one after told on, and gives how many those are in all.
func (a *app) tellRecovered(w *workspace.Workspace, told int) int {
	conflicts := w.Recovered().Conflicts
	for _, d := range conflicts[told:] {
		a.err.text("hashline: " + d.Error() + "\n")
	}
	return len(conflicts)
}

// grace is how long an answer may take to be written once a signal has come:
// somebody reads it at once, or nobody does.
const grace = 2 * time.Second

// hold gives a context for a call of the workspace, which calls done when it has
// ended. The signals that ask the process to end cancel the context. They are
// held until the run ends, since what was committed must also be told; but
// where nobody reads the answer one of them ends the process after the grace.
func (a *app) hold(ctx context.Context) (_ context.Context, done func()) {
	ctx, stop := held(ctx)
	written, before := make(chan struct{}), a.release
	a.release = func() {
		close(written)
		stop()
		before()
	}
	return ctx, func() {
		go func() {
			select {
			case <-written:
				return
			case <-ctx.Done():
			}
			select {
			case <-written:
			case <-time.After(grace):
				os.Exit(statusFailed)
			}
		}()
	}
}

// held gives a context that the signals which ask a process to end cancel
// instead of ending it, until stop is called: a change under way is then
// finished, or nothing is written. Signals that the process was started to
// ignore stay ignored.
func held(ctx context.Context) (_ context.Context, stop func()) {
	var signals []os.Signal
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signals = append(signals, s)
		}
	}
	if len(signals) == 0 {
		// None would mean all.
		return context.WithCancel(ctx)
	}
	return signal.NotifyContext(ctx, signals...)
}
