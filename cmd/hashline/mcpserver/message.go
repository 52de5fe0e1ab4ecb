package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// decode reads one message. Instead of a message that is none it gives the answer
// to it, on one line.
func decode(text []byte) (jsonrpc.Message, []byte) {
	if wrong := notJSON(text); wrong != nil {
		return nil, wrong
	}
	msg, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return nil, fault(idOf(text), jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message is not a JSON-RPC 2.0 message: %.200s", err))
	}
	return msg, nil
}

// notJSON gives the answer to a line that is no JSON. The decoder would mend or
// pass over some of it in silence.
func notJSON(text []byte) []byte {
	switch {
	case !utf8.Valid(text):
		return fault("null", jsonrpc.CodeParseError, "the message is not valid UTF-8")
	case !json.Valid(text):
		return fault("null", jsonrpc.CodeParseError, "the message is not valid JSON; a message is one JSON object on one line")
	}
	return nil
}

// idOf gives the ID of a JSON object as it is written, where a message may have
// it, else null.
func idOf(text []byte) string {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(text, &m) != nil || len(m.ID) == 0 || len(m.ID) > 200 || m.ID[0] != '"' && m.ID[0] != '-' && (m.ID[0] < '0' || m.ID[0] > '9') {
		return "null"
	}
	return string(m.ID)
}

// fault is an answer to what was no message, a line. The ID is JSON.
func fault(id string, code int, msg string) []byte {
	text, err := json.Marshal(msg)
	if err != nil {
		panic(err) // a string always marshals
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`+"\n", id, code, text)
}

// encode writes a message as a line.
func encode(msg jsonrpc.Message) ([]byte, error) {
	if resp, ok := msg.(*jsonrpc.Response); ok && !resp.ID.IsValid() {
		// The SDK would leave the ID out.
		return fault("null", jsonrpc.CodeInvalidRequest, fmt.Sprint(resp.Error)), nil
	}
	text, err := jsonrpc.EncodeMessage(msg)
	return append(text, '\n'), err
}

// isBatch reports whether a line holds an array.
func isBatch(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	return len(text) > 0 && text[0] == '['
}
