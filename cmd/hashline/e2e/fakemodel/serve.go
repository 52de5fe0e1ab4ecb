package fakemodel

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// object is a JSON object to be written.
type object = map[string]any

// maxBody bounds a request, in bytes.
const maxBody = 64 << 20

// ServeHTTP answers a client. The end of the path tells the interface.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	if strings.HasSuffix(path, "/models") {
		whole(w, object{"object": "list", "data": []object{{"id": "fake-model", "object": "model"}}, "models": []object{}})
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	switch {
	case r.Method != http.MethodPost:
		http.NotFound(w, r)
	case strings.HasSuffix(path, "/responses"):
		answer(m, w, body, readResponses, writeResponses)
	case strings.HasSuffix(path, "/chat/completions"):
		answer(m, w, body, readChat, writeChat)
	case strings.HasSuffix(path, "/messages"):
		answer(m, w, body, readMessages, writeMessages)
	case strings.HasSuffix(path, ":streamGenerateContent"):
		answer(m, w, body, readGemini, streamGemini)
	case strings.HasSuffix(path, ":generateContent"):
		answer(m, w, body, readGemini, writeGemini)
	case strings.HasSuffix(path, "/count_tokens"):
		whole(w, object{"input_tokens": 10})
	case strings.HasSuffix(path, ":countTokens"):
		whole(w, object{"totalTokens": 10})
	default:
		http.NotFound(w, r)
	}
}

func answer(m *Model, w http.ResponseWriter, body []byte, read func([]byte) (request, error), write func(http.ResponseWriter, reply, bool)) {
	req, err := read(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	write(w, m.play(req, body), req.stream)
}

// whole writes an answer that is no stream.
func whole(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	// A client that is gone needs no answer.
	_ = json.NewEncoder(w).Encode(v)
}

// events is a stream of server-sent events.
type events struct{ w http.ResponseWriter }

func stream(w http.ResponseWriter) events {
	w.Header().Set("Content-Type", "text/event-stream")
	return events{w}
}

// send writes one event; the name may be empty.
func (e events) send(name string, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // all of it is made here
	}
	if name != "" {
		name = "event: " + name + "\n"
	}
	fmt.Fprintf(e.w, "%sdata: %s\n\n", name, data)
	if f, ok := e.w.(http.Flusher); ok {
		f.Flush()
	}
}

// text is a text as most interfaces have it: a string, or a list of parts of
// which some are text.
type text string

// UnmarshalJSON reads any of the forms. What is no text is kept as JSON, so that
// a test sees it.
func (t *text) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) == nil {
		*t = text(s)
		return nil
	}
	var parts []struct {
		Text *string `json:"text"`
	}
	if json.Unmarshal(data, &parts) != nil {
		*t = text(data)
		return nil
	}
	for i, p := range parts {
		if p.Text == nil {
			*t = text(data)
			return nil
		}
		if i > 0 {
			*t += "\n"
		}
		*t += text(*p.Text)
	}
	return nil
}

// end is how streams of Chat Completions end.
func (e events) end() { fmt.Fprint(e.w, "data: [DONE]\n\n") }
