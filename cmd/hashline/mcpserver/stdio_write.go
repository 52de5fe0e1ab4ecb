package mcpserver

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Write writes a message. Answers that belong to a batch are written with the
// last of it.
func (c *stdio) Write(_ context.Context, msg jsonrpc.Message) error {
	resp, ok := msg.(*jsonrpc.Response)
	raw, known := "", false
	if ok {
		// It ends here: from then on the client may use its ID again.
		c.mu.Lock()
		raw, known = c.calls.end(resp.ID)
		c.mu.Unlock()
	}
	var text []byte
	var err error
	if known {
		text, err = encodeAnswer(resp, raw)
	} else {
		text, err = encode(msg)
	}
	if err != nil {
		return fmt.Errorf("a message cannot be written: %w", err)
	}
	if ok {
		c.mu.Lock()
		c.batches.noteVersion(resp)
		text = c.batches.collect(resp.ID, text)
		c.mu.Unlock()
	}
	if len(text) > 0 {
		err = c.write(text)
	}
	if ok {
		c.mu.Lock()
		c.waiting--
		delete(c.sizes, resp.ID)
		c.mu.Unlock()
		select {
		case c.answered <- struct{}{}:
		default:
		}
	}
	return err
}

func (c *stdio) write(text []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(text)
	return err
}
