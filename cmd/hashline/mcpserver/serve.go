package mcpserver

import (
	"bufio"
	"context"
	"io"
	"time"
)

const (
	// drainWait is how long calls that were read may take when input has ended.
	drainWait = 30 * time.Second
	// writeWait is how long answers may take to be written when all calls have
	// ended: somebody reads them at once, or nobody does.
	writeWait = 2 * time.Second
)

// ServeStdio serves one client by lines, until input or ctx ends. Then calls that
// were read are finished and answered; when ctx ends they are cancelled first, which
// lets a commit under way finish. It returns while answers wait that nobody reads,
// but not while a call runs. It may be called once.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	defer s.end()
	conn := &stdio{in: bufio.NewReaderSize(in, 64<<10), out: out, limit: s.maxMessage, wait: drainWait, stop: ctx.Done()}
	session, err := s.mcp.Connect(context.WithoutCancel(ctx), conn, nil)
	if err != nil {
		return err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		// An error tells that the client is gone, which is how servers end.
		_ = session.Wait()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	case <-conn.ended:
		select {
		case <-done:
			return nil
		case <-ctx.Done():
		case <-time.After(drainWait):
		}
	}
	s.end()
	for {
		select {
		case <-done:
			return nil
		case <-time.After(writeWait):
		}
		if s.running.Load() == 0 {
			return nil
		}
	}
}
