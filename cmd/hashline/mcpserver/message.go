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
	if resp, ok := msg.(*jsonrpc.Response); ok && resp.Error == nil {
		if h := headOf(text); h.result.end == 0 {
			return nil, fault(idOf(text), jsonrpc.CodeInvalidRequest, noContent)
		}
	}
	return msg, nil
}

const noContent = "the message is not a JSON-RPC 2.0 message: it has no method, no result and no error"

// notJSON gives the answer to a text that is no JSON, or too much of it. The
// decoder would mend or pass over some of it in silence.
func notJSON(text []byte) []byte {
	switch {
	case !utf8.Valid(text):
		return fault("null", jsonrpc.CodeParseError, "the message is not valid UTF-8")
	case !json.Valid(text):
		return fault("null", jsonrpc.CodeParseError, "the message is not valid JSON; a message is one JSON object on one line")
	}
	if much := tooMuch(text); much != "" {
		return fault(idOf(text), jsonrpc.CodeInvalidRequest, much)
	}
	return nil
}

// idOf gives the ID of a JSON object as it is written, where a message may have
// it, else null.
func idOf(text []byte) string {
	id := rawID(text)
	if len(id) > 200 || !canBeID(id) {
		return "null"
	}
	return id
}

// canBeID reports whether a JSON value, as it is written, is a string or a number; ""
// is none.
func canBeID(raw string) bool {
	return raw != "" && (raw[0] == '"' || raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9')
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
