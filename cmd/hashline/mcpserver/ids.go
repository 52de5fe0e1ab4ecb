package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// calls are those of a client that have no answer yet. The SDK knows them by IDs
// of ours, since it would change what a client wrote: 1.5 becomes 1 there.
type calls struct {
	last int64
	of   map[jsonrpc.ID]callID // by our ID
	own  map[string]jsonrpc.ID // by key
}

// callID is the ID of a call as its client wrote it, and what is the same for all
// ways to write it.
type callID struct{ raw, key string }

// begin gives a call an ID of ours, unless one of the same ID is not answered yet.
func (c *calls) begin(raw string) (own jsonrpc.ID, ok bool) {
	key := idKey(raw)
	if _, used := c.own[key]; used {
		return jsonrpc.ID{}, false
	}
	if c.of == nil {
		c.of, c.own = map[jsonrpc.ID]callID{}, map[string]jsonrpc.ID{}
	}
	c.last++
	own, err := jsonrpc.MakeID(float64(c.last))
	if err != nil {
		panic(err) // a number is an ID
	}
	c.of[own], c.own[key] = callID{raw, key}, own
	return own, true
}

// end gives the client's ID of a call that is over.
func (c *calls) end(own jsonrpc.ID) (raw string, ok bool) {
	id, ok := c.of[own]
	delete(c.of, own)
	delete(c.own, id.key)
	return id.raw, ok
}

// idKey is the same for all ways to write an ID.
func idKey(raw string) string {
	var text string
	if !strings.HasPrefix(raw, `"`) || json.Unmarshal([]byte(raw), &text) != nil {
		return raw
	}
	return `"` + text
}

// rawID gives the ID of a message as it is written, "" where it has none. The text
// is valid JSON.
func rawID(text []byte) string { return string(headOf(text).id.of(text)) }

// encodeAnswer writes an answer as a line, with the ID as the client wrote it.
func encodeAnswer(resp *jsonrpc.Response, raw string) ([]byte, error) {
	if resp.Error != nil {
		resp = &jsonrpc.Response{ID: resp.ID, Error: told(resp.Error)}
	}
	text, err := jsonrpc.EncodeMessage(resp)
	if err != nil {
		return nil, err
	}
	rest, ok := bytes.CutPrefix(text, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%v,`, resp.ID.Raw()))
	if !ok {
		return nil, errors.New("its ID is not where it belongs")
	}
	line := make([]byte, 0, len(raw)+len(text)+1)
	line = append(append(line, `{"jsonrpc":"2.0","id":`...), raw...)
	line = append(append(line, ','), rest...)
	return append(line, '\n'), nil
}

// maxTold bounds the message of an error in bytes: some repeat what the client
// wrote.
const maxTold = 160

// told is an error as a client is told of it. One without a code is about a
// request that the SDK does not take.
func told(err error) error {
	msg := jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
	if e, ok := errors.AsType[*jsonrpc.Error](err); ok && e.Code != 0 {
		msg.Code, msg.Data = e.Code, e.Data
	}
	if len(msg.Message) > maxTold {
		n := maxTold
		for !utf8.RuneStart(msg.Message[n]) {
			n--
		}
		msg.Message = msg.Message[:n] + "…"
	}
	return &msg
}
