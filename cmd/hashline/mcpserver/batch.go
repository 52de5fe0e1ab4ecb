package mcpserver

import (
	"bytes"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// firstWithoutBatches is the first version of the protocol that has no batches.
const firstWithoutBatches = "2025-06-18"

// batches keeps together what came together, in the versions of the protocol that
// have batches: an array of calls gets an array of answers.
type batches struct {
	// version is the one that was agreed on.
	version string
	// starts are the calls whose answers tell it.
	starts map[jsonrpc.ID]bool
	of     map[jsonrpc.ID]*batch
}

type batch struct {
	left    int
	answers [][]byte
}

// line gives the answers of a batch as a line, nil while some are missing or
// where none is due.
func (b *batch) line() []byte {
	if b.left > 0 || len(b.answers) == 0 {
		return nil
	}
	return append(append([]byte("["), bytes.Join(b.answers, []byte(","))...), "]\n"...)
}

func (b *batch) add(answer []byte) { b.answers = append(b.answers, bytes.TrimSpace(answer)) }

// noteInitialize and noteVersion learn the version that client and server agree
// on.
func (b *batches) noteInitialize(req *jsonrpc.Request) {
	if req.Method == "initialize" && b.version == "" {
		if b.starts == nil {
			b.starts = map[jsonrpc.ID]bool{}
		}
		b.starts[req.ID] = true
	}
}

func (b *batches) noteVersion(resp *jsonrpc.Response) {
	if !b.starts[resp.ID] {
		return
	}
	delete(b.starts, resp.ID)
	var result struct{ ProtocolVersion string }
	if resp.Error == nil && json.Unmarshal(resp.Result, &result) == nil {
		b.version = result.ProtocolVersion
	}
}

// collect gives what is to be written when there is an answer.
func (b *batches) collect(id jsonrpc.ID, answer []byte) []byte {
	whole := b.of[id]
	if whole == nil {
		return answer
	}
	delete(b.of, id)
	whole.left--
	whole.add(answer)
	return whole.line()
}

// takeBatch puts the messages of an array into the queue.
func (c *stdio) takeBatch(text []byte) error {
	if wrong := notJSON(text); wrong != nil {
		return c.write(wrong)
	}
	var parts []json.RawMessage
	err := json.Unmarshal(text, &parts)
	c.mu.Lock()
	version := c.batches.version
	c.mu.Unlock()
	switch {
	case version == "" || version >= firstWithoutBatches:
		return c.write(fault("null", jsonrpc.CodeInvalidRequest, "this version of the protocol has no batches; send one message a line"))
	case err != nil || len(parts) == 0 || len(parts) > maxWaiting:
		return c.write(fault("null", jsonrpc.CodeInvalidRequest, "a batch has from 1 to 64 messages"))
	}
	// It counts itself as well, so that it is not over before all was read.
	whole := &batch{left: 1}
	for _, part := range parts {
		answer, err := c.receive(part, whole)
		if err != nil {
			return err
		}
		if answer != nil {
			whole.add(answer)
		}
	}
	c.mu.Lock()
	whole.left--
	line := whole.line()
	c.mu.Unlock()
	if line != nil {
		return c.write(line)
	}
	return nil
}

// enter notes that a call belongs to a batch, where that is not nil.
func (b *batches) enter(id jsonrpc.ID, whole *batch) {
	if whole == nil {
		return
	}
	if b.of == nil {
		b.of = map[jsonrpc.ID]*batch{}
	}
	b.of[id] = whole
	whole.left++
}

// leave takes a call out that gets no answer, and gives what is to be written then.
func (b *batches) leave(id jsonrpc.ID) []byte {
	whole := b.of[id]
	if whole == nil {
		return nil
	}
	delete(b.of, id)
	whole.left--
	return whole.line()
}
