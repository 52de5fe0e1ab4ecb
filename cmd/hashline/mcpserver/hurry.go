package mcpserver

import (
	"io"
	"net/http"
	"sync"
	"time"
)

// hurried ends connections whose clients are slow to send a body or to read an
// answer. An answer may take as long as it wants: each part of it has the time. How
// long a body may take intake says, of those that it reads.
func hurried(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn := http.NewResponseController(w)
		if r.Body != nil && r.Body != http.NoBody {
			// Errors mean that there is no connection, as in tests.
			_ = conn.SetReadDeadline(time.Now().Add(bodyWait))
			r.Body = &timed{ReadCloser: r.Body, done: sync.OnceFunc(func() { _ = conn.SetReadDeadline(time.Time{}) })}
		}
		answer := &hurry{w, conn}
		// What is left is sent when the handler has ended.
		defer answer.send()
		h.ServeHTTP(answer, r)
	})
}

// timed is a body that is to come in time. Afterwards the connection is watched
// without a limit, to see when the client goes.
type timed struct {
	io.ReadCloser
	done func()
}

func (t *timed) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	if err != nil {
		t.done()
	}
	return n, err
}

type hurry struct {
	http.ResponseWriter
	conn *http.ResponseController
}

func (h *hurry) Unwrap() http.ResponseWriter { return h.ResponseWriter }

func (h *hurry) send() { _ = h.conn.SetWriteDeadline(time.Now().Add(sendWait)) }

func (h *hurry) WriteHeader(status int) {
	h.send()
	h.ResponseWriter.WriteHeader(status)
}

func (h *hurry) Write(p []byte) (int, error) {
	h.send()
	return h.ResponseWriter.Write(p)
}

// FlushError is what [http.ResponseController] calls.
func (h *hurry) FlushError() error {
	h.send()
	return h.conn.Flush()
}
