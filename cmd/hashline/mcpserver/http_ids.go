package mcpserver

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// plain is the body of a request as the SDK gets it.
type plain struct {
	text []byte
	// starts: it begins a session.
	starts bool
	// written has the IDs as the client wrote them, by those of ours that the SDK
	// knows instead of IDs which it would change: 1.5 becomes 1 there.
	written map[string]string
}

// idNames names IDs in a way that clients cannot foresee.
type idNames struct{ prefix string }

func newIDNames() idNames { return idNames{"id-" + rand.Text() + "-"} }

// name gives our name of an ID, always the same for the same.
func (n idNames) name(raw string) string {
	sum := sha256.Sum256([]byte(raw))
	return n.prefix + hex.EncodeToString(sum[:16])
}

// changed reports whether the SDK would make another ID of an ID. The same string
// in another spelling is none.
func changed(raw string) bool {
	if raw[0] == '"' {
		return strings.Contains(raw, `\u`) && strings.ContainsRune(idKey(raw), utf8.RuneError)
	}
	n, err := strconv.ParseInt(raw, 10, 64)
	return err != nil || strconv.FormatInt(n, 10) != raw || n > 1<<53 || n < -1<<53
}

// plain checks a body and gives it to the SDK, or the answer to what is no message.
func (n idNames) plain(text []byte) (p plain, wrong []byte) {
	if wrong := notJSON(text); wrong != nil {
		return plain{}, wrong
	}
	p.written = map[string]string{}
	if !isBatch(text) {
		p.text, p.starts, wrong = n.message(text, p.written)
		return p, wrong
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil || len(parts) == 0 || len(parts) > maxWaiting {
		return plain{}, fault("null", jsonrpc.CodeInvalidRequest, "a batch has from 1 to 64 messages")
	}
	var ids []string
	for i, part := range parts {
		id := idKey(rawID(part))
		if id != "" && slices.Contains(ids, id) {
			return plain{}, fault(idOf(part), jsonrpc.CodeInvalidRequest, "two messages of the batch have this ID")
		}
		ids = append(ids, id)
		out, starts, wrong := n.message(part, p.written)
		if wrong != nil {
			return plain{}, wrong
		}
		parts[i], p.starts = out, p.starts || starts
	}
	p.text = text
	if len(p.written) > 0 {
		p.text = slices.Concat([]byte("["), bytes.Join(rawParts(parts), []byte(",")), []byte("]"))
	}
	return p, nil
}

func rawParts(parts []json.RawMessage) [][]byte {
	all := make([][]byte, len(parts))
	for i, part := range parts {
		all[i] = part
	}
	return all
}

// message does the same for one message.
func (n idNames) message(text []byte, written map[string]string) (out []byte, starts bool, wrong []byte) {
	h := headOf(text)
	id := string(h.id.of(text))
	say := func(msg string) []byte { return fault(idOf(text), jsonrpc.CodeInvalidRequest, msg) }
	var version, method string
	switch {
	case json.Unmarshal(h.version.of(text), &version) != nil || version != "2.0":
		return nil, false, say("the message is not a JSON-RPC 2.0 message")
	case id == "null":
		return nil, false, say("the ID is null; a call has a number or a string, a notification none")
	case id != "" && !canBeID(id):
		return nil, false, say("the ID is neither a number nor a string")
	case h.method.end == 0 && (id == "" || h.result.end == 0 && h.err.end == 0):
		return nil, false, say(noContent)
	case h.method.end == 0:
		return text, false, nil
	case json.Unmarshal(h.method.of(text), &method) != nil:
		return nil, false, say("the method is not a string")
	}
	at := h.id
	if id == "" && method == "notifications/cancelled" {
		params := h.params.of(text)
		members(params, func(name string, value span) {
			if name == "requestId" {
				at = span{h.params.start + value.start, h.params.start + value.end}
			}
		})
		id = string(at.of(text))
		if id != "" && !canBeID(id) {
			return text, false, nil
		}
	}
	if at.end == 0 || !changed(id) {
		return text, method == "initialize", nil
	}
	own := `"` + n.name(id) + `"`
	written[own] = id
	return slices.Concat(text[:at.start], []byte(own), text[at.end:]), method == "initialize", nil
}

// mending is an answer in which the client's IDs are as it wrote them, and in which
// errors have a code.
type mending struct {
	http.ResponseWriter
	written map[string]string
}

func (m *mending) Unwrap() http.ResponseWriter { return m.ResponseWriter }

// Write gets whole events or a whole message.
func (m *mending) Write(p []byte) (int, error) {
	text := p
	for own, raw := range m.written {
		text = bytes.ReplaceAll(text, []byte(own), []byte(raw))
		if raw[0] != '"' {
			text = bytes.ReplaceAll(text, []byte(own[1:len(own)-1]), []byte(raw))
		}
	}
	if len(text) < 64<<10 {
		text = bytes.Replace(text, []byte(`"error":{"code":0,`), []byte(`"error":{"code":-32600,`), 1)
	}
	if _, err := m.ResponseWriter.Write(text); err != nil {
		return 0, err
	}
	return len(p), nil
}
