package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What may wait for its answer at once. Beyond that no call begins and soon nothing
// is read, so that a client that does not read its answers fills its own pipe and
// not our memory.
const (
	maxWaiting      = 64
	maxWaitingBytes = 128 << 20
)

// stdio is a connection by lines. Unlike that of the SDK it survives lines that
// are no messages, and when input ends it still lets what was read be answered.
type stdio struct {
	in    *bufio.Reader
	out   io.Writer
	lines chan line
	// ended is closed when input has ended.
	ended chan struct{}
	// limit is how many bytes a line has at most.
	limit int
	// wait is how long calls that were read may take once input has ended.
	wait time.Duration
	// stop is closed when no more is to be read.
	stop   <-chan struct{}
	closed chan struct{}
	close  sync.Once

	pending []pending // in the order in which they came
	// late tells, once input has ended, that its calls took too long.
	late <-chan time.Time

	writing sync.Mutex
	mu      sync.Mutex
	calls   calls
	// waiting counts the calls that have begun and have no answer yet, sizes has
	// the bytes of those that are large.
	waiting  int
	sizes    map[jsonrpc.ID]int
	answered chan struct{} // tells that something of that went down
	batches  batches
}

// Connect makes it a transport, for one connection.
func (c *stdio) Connect(context.Context) (mcp.Connection, error) {
	c.lines, c.ended, c.closed, c.answered = make(chan line), make(chan struct{}), make(chan struct{}), make(chan struct{}, 1)
	c.sizes = map[jsonrpc.ID]int{}
	go c.readLines()
	return c, nil
}

// readLines goes on until input ends: nothing can be done about a read that waits.
func (c *stdio) readLines() {
	defer close(c.lines)
	for {
		l, err := readLine(c.in, c.limit)
		if err != nil {
			close(c.ended)
			return
		}
		select {
		case c.lines <- l:
		case <-c.closed:
			return
		}
	}
}

// SessionID is for transports that have one.
func (c *stdio) SessionID() string { return "" }

// Close ends reading.
func (c *stdio) Close() error {
	c.close.Do(func() { close(c.closed) })
	return nil
}

// Read gives the next message. What is none is answered here.
func (c *stdio) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if msg := c.next(); msg != nil {
			return msg, nil
		}
		if c.late != nil && len(c.pending) == 0 {
			return nil, c.drain()
		}
		lines := c.lines
		if c.late != nil || !c.spare() {
			lines = nil
		}
		select {
		case <-c.closed:
			return nil, io.EOF
		case <-c.stop:
			return nil, c.drain()
		case <-c.late:
			return nil, io.EOF
		case <-c.answered:
		case l, ok := <-lines:
			if !ok {
				c.late = time.After(c.wait)
				continue
			}
			if err := c.take(l); err != nil {
				return nil, err
			}
		}
	}
}

// take takes the messages of a line.
func (c *stdio) take(l line) error {
	text := bytes.TrimSpace(bytes.TrimPrefix(l.text, []byte("\uFEFF")))
	switch {
	case l.long:
		return c.write(fault(l.id(), jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message is longer than %d bytes", c.limit)))
	case len(text) == 0:
		return nil
	case isBatch(text):
		return c.takeBatch(text)
	}
	answer, err := c.receive(text, nil)
	if err != nil || answer == nil {
		return err
	}
	return c.write(answer)
}

// drain waits until all that was read is answered, but not for ever, and tells
// the SDK that input has ended: it then forgets what is not answered yet.
func (c *stdio) drain() error {
	limit := c.late
	if limit == nil {
		limit = time.After(c.wait)
	}
	for {
		c.mu.Lock()
		left := c.waiting
		c.mu.Unlock()
		if left <= 0 {
			return io.EOF
		}
		select {
		case <-c.answered:
		case <-c.closed:
			return io.EOF
		case <-limit:
			return io.EOF
		}
	}
}
