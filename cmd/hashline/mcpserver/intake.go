package mcpserver

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// What bodies may take.
const (
	// maxBodies and maxSmall are how many bytes the bodies have together, and
	// those of at most smallBody, which do not wait for the others.
	maxBodies = 256 << 20
	maxSmall  = 64 << 20
	smallBody = 64 << 10
	firstPart = 4 << 10
	// bodyWait is how long a body may take to arrive. In each stallWait some of it
	// is to come: firstPart at least, and of a longer one what makes it complete in
	// time.
	bodyWait  = time.Minute
	stallWait = 10 * time.Second
	// roomWait is how long one waits for room, so that those that stall go before.
	roomWait = stallWait + 5*time.Second
	// passWait is how long what is too long is read all the same.
	passWait = 2 * time.Second
)

// intake reads the bodies of requests. The memory for one is taken as its bytes
// arrive, so that what a client only says it will send keeps nobody else.
type intake struct {
	small, large *budget
	limit        int
	stall, wait  time.Duration
	arriving     *arrivals
}

func newIntake(limit int) *intake {
	return &intake{
		small: newBudget(maxSmall, smallBody), large: newBudget(maxBodies, int64(limit)+smallBody), limit: limit,
		stall: stallWait, wait: bodyWait, arriving: &arrivals{max: maxArriving},
	}
}

// refusal is an answer to a request that the protocol is not asked about.
type refusal struct {
	status int
	why    string
}

func (r *refusal) send(w http.ResponseWriter) {
	if r.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	if r.status != http.StatusNotFound {
		w.Header().Set("Connection", "close") // the rest of the body is not read
	}
	http.Error(w, r.why, r.status)
}

var crowded = &refusal{http.StatusServiceUnavailable, "too many requests are being read; try again"}

// body is one that has arrived, or a part of it.
type body struct {
	text  []byte
	share *share
	// of is the budget that the share is from.
	of *budget
}

func (b *body) release() {
	b.text = nil
	b.of.giveBack(b.share)
}

// read reads the body of a request; a stranger is one without a session. The caller
// releases it, unless it is refused.
func (in *intake) read(w http.ResponseWriter, r *http.Request, stranger bool) (_ *body, no *refusal) {
	if r.ContentLength > int64(in.limit) {
		return nil, in.tooLong(w, r)
	}
	a := &arrival{conn: http.NewResponseController(w), last: time.Now()}
	if stranger {
		if !in.arriving.enter(a) {
			return nil, crowded
		}
		defer in.arriving.leave(a)
	}
	b := &body{of: in.small, share: new(share)}
	defer func() {
		if no != nil {
			b.release()
			a.end() // what is left of it is not waited for
		}
	}()
	end := time.Now().Add(in.wait)
	from, had := time.Now(), 0
	for {
		if len(b.text) == cap(b.text) {
			began := time.Now()
			a.pause(true)
			ok := in.grow(r.Context(), b, r.ContentLength)
			a.pause(false)
			if !ok {
				return nil, &refusal{http.StatusServiceUnavailable, "too much is being worked on; try again"}
			}
			waited := time.Since(began)
			end, from = end.Add(waited), from.Add(waited)
		}
		limit := from.Add(in.stall)
		if limit.After(end) {
			limit = end
		}
		if !a.until(limit) {
			return nil, crowded
		}
		n, err := r.Body.Read(b.text[len(b.text):cap(b.text)])
		b.text = b.text[:len(b.text)+n]
		switch {
		case len(b.text) > in.limit:
			return nil, in.tooLong(w, r)
		case err == io.EOF:
			in.arriving.leave(a)
			if !a.until(time.Time{}) {
				return nil, crowded
			}
			return b, nil
		case err != nil:
			return nil, a.failed(err)
		}
		if n > 0 {
			a.came()
		}
		part := int(int64(had) * int64(in.stall) / int64(in.wait))
		if len(b.text)-had >= max(firstPart, part) {
			from, had = time.Now(), len(b.text)
		}
	}
}

// tooLong passes over some of what is too long: many clients read no answer before
// they have sent all.
func (in *intake) tooLong(w http.ResponseWriter, r *http.Request) *refusal {
	if r.Header.Get("Expect") == "" {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(passWait))
		_, _ = io.CopyN(io.Discard, r.Body, 2*int64(in.limit))
	}
	return &refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is longer than %d bytes", in.limit)}
}

// grow makes room for more of a body, of which length is what its sender says, or
// negative.
func (in *intake) grow(ctx context.Context, b *body, length int64) bool {
	// One more shows that a body ends, or is too long.
	size := min(max(2*cap(b.text), firstPart), in.limit+1)
	if length >= 0 {
		size = min(size, int(length)+1)
	}
	size = max(size, cap(b.text)+1)
	if size <= smallBody || b.of == in.large {
		if !b.of.take(ctx, b.share, int64(size-cap(b.text))) {
			return false
		}
	} else {
		s := new(share)
		if !in.large.take(ctx, s, int64(size)) {
			return false
		}
		in.small.giveBack(b.share)
		b.of, b.share = in.large, s
	}
	b.text = append(make([]byte, 0, size), b.text...)
	return true
}

// reader gives the body once, and forgets it when it was read.
func (b *body) reader() io.ReadCloser { return &once{r: bytes.NewReader(b.text), b: b} }

type once struct {
	r *bytes.Reader
	b *body
}

func (o *once) Read(p []byte) (int, error) {
	n, err := o.r.Read(p)
	if err != nil {
		o.r.Reset(nil)
		o.b.text = nil
	}
	return n, err
}

func (o *once) Close() error { return nil }
