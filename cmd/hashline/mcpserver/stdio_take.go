package mcpserver

import (
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// pending is a message that the SDK has not got yet, size its bytes.
type pending struct {
	msg  jsonrpc.Message
	call bool
	size int
}

// What is read at most beyond what may wait for its answer. Among it may be what
// calls wait for: the answer to a question, or that they are cancelled.
const (
	maxPending      = 1024
	maxPendingBytes = 32 << 20
)

// receive takes one message of a client, of a batch or nil. answer is that to what
// is none.
func (c *stdio) receive(text []byte, whole *batch) (answer []byte, err error) {
	msg, answer := decode(text)
	if msg == nil {
		return answer, nil
	}
	req, ok := msg.(*jsonrpc.Request)
	if !ok {
		c.pending = append(c.pending, pending{msg: msg, size: len(text)})
		return nil, nil
	}
	raw := rawID(text)
	switch {
	case raw == "null":
		return fault("null", jsonrpc.CodeInvalidRequest, "the ID is null; a call has a number or a string, a notification none"), nil
	case !req.IsCall() && req.Method == "notifications/cancelled":
		return nil, c.cancel(req, len(text))
	case !req.IsCall():
		c.pending = append(c.pending, pending{msg: req, size: len(text)})
		return nil, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if req.ID, ok = c.calls.begin(raw); !ok {
		return fault(raw, jsonrpc.CodeInvalidRequest, "this ID is that of a call which has no answer yet"), nil
	}
	c.batches.enter(req.ID, whole)
	c.batches.noteInitialize(req)
	c.pending = append(c.pending, pending{req, true, len(text)})
	return nil, nil
}

// cancel hands the cancelling of a call on under our ID. A call that has not begun
// is forgotten; one that is not known has been answered.
func (c *stdio) cancel(req *jsonrpc.Request, size int) error {
	var params map[string]json.RawMessage
	if json.Unmarshal(req.Params, &params) != nil {
		return nil
	}
	c.mu.Lock()
	own, known := c.calls.own[idKey(string(params["requestId"]))]
	if !known {
		c.mu.Unlock()
		return nil
	}
	held := slices.IndexFunc(c.pending, func(p pending) bool {
		call, ok := p.msg.(*jsonrpc.Request)
		return ok && p.call && call.ID == own
	})
	if held >= 0 {
		c.pending = slices.Delete(c.pending, held, held+1)
		c.calls.end(own)
		line := c.batches.leave(own)
		c.mu.Unlock()
		if line == nil {
			return nil
		}
		return c.write(line)
	}
	c.mu.Unlock()
	id, err := json.Marshal(own.Raw())
	if err != nil {
		return err
	}
	params["requestId"] = id
	if req.Params, err = json.Marshal(params); err != nil {
		return err
	}
	c.pending = append(c.pending, pending{msg: req, size: size})
	return nil
}

// next gives the first message that may be handled now, or nil: calls wait while
// there are many without an answer, all else does not.
func (c *stdio) next() jsonrpc.Message {
	if len(c.pending) == 0 {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	room := c.room()
	i := slices.IndexFunc(c.pending, func(p pending) bool { return room || !p.call })
	if i < 0 {
		return nil
	}
	p := c.pending[i]
	c.pending = slices.Delete(c.pending, i, i+1)
	if p.call {
		c.waiting++
		if p.size > 1<<16 {
			c.sizes[p.msg.(*jsonrpc.Request).ID] = p.size
		}
	}
	return p.msg
}

// room reports whether another call may begin. The caller holds mu.
func (c *stdio) room() bool {
	bytes := 0
	for _, n := range c.sizes {
		bytes += n
	}
	return c.waiting < maxWaiting && bytes < maxWaitingBytes
}

// spare reports whether another line may be read.
func (c *stdio) spare() bool {
	bytes := 0
	for _, p := range c.pending {
		bytes += p.size
	}
	return len(c.pending) < maxPending && bytes < maxPendingBytes
}
