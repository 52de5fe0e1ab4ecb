package mcpserver

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stalled begins a request and sends no more of it.
func stalled(t *testing.T, addr, header, body string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	_, err = io.WriteString(c, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"+header+"\r\n\r\n"+body)
	require.NoError(t, err)
	return c
}

const ping = `{"jsonrpc":"2.0","id":2,"method":"ping"}`

// Requests that stop in the middle keep nobody else, whatever they say will come, and
// end no session.
func TestStalledRequests(t *testing.T) {
	const large = "Content-Length: 67108864\r\nAuthorization: Bearer "
	begin := "{" + strings.Repeat(" ", 100<<10)
	for name, c := range map[string]struct {
		header, body string
		n            int
	}{
		"large, one byte":        {large + otherToken, "{", 8},
		"large, the same token":  {large + token, "{", 8},
		"large, some of it":      {large + otherToken, begin, 40},
		"small":                  {"Content-Length: 100\r\nAuthorization: Bearer " + otherToken, "{", 300},
		"nothing":                {"Content-Length: 100\r\nAuthorization: Bearer " + otherToken, "", 300},
		"of unknown length":      {"Transfer-Encoding: chunked\r\nAuthorization: Bearer " + otherToken, "1\r\n{\r\n", 8},
		"large, most of it":      {large + otherToken, "{" + strings.Repeat(" ", 60<<20), 4},
		"of an unknown session":  {large + otherToken + "\r\nMcp-Session-Id: x", "{", 8},
		"a session that is open": {large + token + "\r\nMcp-Session-Id: ", "{", 8},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, Config{})
			s.maxSessions = 3
			if len(c.body) > 1<<20 {
				s.intake.stall = 2 * time.Second
			}
			addr, _ := serveHTTP(t, s, HTTPConfig{Tokens: []string{token, otherToken}})
			var ids []string
			for range 3 {
				_, header := request(t, "POST", addr, fmt.Sprintf(greeting, "2025-11-25"))
				ids = append(ids, header.Get(sessionHeader))
			}
			for range c.n {
				header := c.header
				if strings.HasSuffix(header, ": ") {
					header += ids[0]
				}
				stalled(t, addr, header, c.body)
			}
			time.Sleep(50 * time.Millisecond) // until they have been read
			begin := time.Now()
			for _, id := range ids {
				got, _ := request(t, "POST", addr, ping, sessionHeader, id)
				require.Equal(t, 200, got)
			}
			got, header := request(t, "POST", addr, fmt.Sprintf(greeting, "2025-11-25"))
			require.Equal(t, 200, got)
			require.NotEmpty(t, header.Get(sessionHeader))
			require.Less(t, time.Since(begin), 8*time.Second)
			// What is large may have to wait until they are cut off.
			got, _ = request(t, "POST", addr, strings.Repeat(" ", 1<<20)+ping, sessionHeader, ids[1])
			require.Equal(t, 200, got)
		})
	}
}

// What begins no session ends none.
func TestNoSessionIsLostToNone(t *testing.T) {
	s := newServer(t, Config{})
	s.maxSessions = 2
	addr, _ := serveHTTP(t, s, HTTPConfig{Tokens: []string{token}})
	var ids []string
	for range 2 {
		_, header := request(t, "POST", addr, fmt.Sprintf(greeting, "2025-11-25"))
		ids = append(ids, header.Get(sessionHeader))
	}
	for _, body := range []string{
		ping, "garbage", "{}", "", call("2025-11-25", 1, "read_file", `{"path":"a.txt"}`), `{"jsonrpc":"2.0","id":1,"method":"initialize"}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":17}`, `{"jsonrpc":"2.0","method":"initialize","params":{}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`,
	} {
		for range 3 {
			request(t, "POST", addr, body)
		}
		for _, id := range ids {
			got, _ := request(t, "POST", addr, ping, sessionHeader, id)
			require.Equal(t, 200, got, body)
		}
	}
}

// A body of which nothing comes any more is cut off; one that comes slowly is not.
func TestBodiesThatStall(t *testing.T) {
	s := newServer(t, Config{})
	s.intake.stall, s.intake.wait = 500*time.Millisecond, 10*time.Second
	addr, _ := serveHTTP(t, s, HTTPConfig{Stateless: true})
	for name, c := range map[string]struct{ header, body string }{
		"small":   {"Content-Length: 100", "{"},
		"nothing": {"Content-Length: 100", ""},
		"large":   {"Content-Length: 67108864", "{" + strings.Repeat(" ", 1<<20)},
		"chunked": {"Transfer-Encoding: chunked", "1\r\n{\r\n"},
	} {
		begin := time.Now()
		conn := stalled(t, addr, c.header, c.body)
		require.NoError(t, conn.SetReadDeadline(begin.Add(8*time.Second)))
		got, err := io.ReadAll(conn)
		require.NoError(t, err, name)
		require.Contains(t, string(got), "HTTP/1.1 408 ", name)
	}
	// A drip is as good as nothing.
	drip := stalled(t, addr, "Content-Length: 67108864", "")
	begin := time.Now()
	for {
		if _, err := io.WriteString(drip, " "); err != nil {
			break
		}
		require.Less(t, time.Since(begin), 8*time.Second)
		time.Sleep(5 * time.Millisecond)
	}
	whole := strings.Repeat(" ", 64<<10) + ping
	slow := stalled(t, addr, fmt.Sprintf("Content-Length: %d", len(whole)), "")
	for len(whole) > 0 {
		n := min(len(whole), 4<<10)
		_, err := io.WriteString(slow, whole[:n])
		require.NoError(t, err)
		whole = whole[n:]
		time.Sleep(50 * time.Millisecond)
	}
	got := make([]byte, 1<<10)
	n, err := slow.Read(got)
	require.NoError(t, err)
	require.Contains(t, string(got[:n]), "HTTP/1.1 200 ")
	all := s.intake
	require.Eventually(t, func() bool {
		all.small.mu.Lock()
		defer all.small.mu.Unlock()
		all.large.mu.Lock()
		defer all.large.mu.Unlock()
		return all.small.free == maxSmall && all.large.free == maxBodies
	}, 5*time.Second, time.Millisecond)
}

// Of too many bodies on their way the one goes that stands still for longest.
func TestTooManyArrive(t *testing.T) {
	s := newServer(t, Config{})
	s.intake.arriving.max = 3
	addr, _ := serveHTTP(t, s, HTTPConfig{Stateless: true})
	moving := stalled(t, addr, fmt.Sprintf("Content-Length: %d", len(ping)+1000), "")
	for range 8 {
		// A session that is only said to be is none.
		stalled(t, addr, "Content-Length: 100\r\nMcp-Session-Id: x", "{")
		time.Sleep(20 * time.Millisecond)
		_, err := io.WriteString(moving, strings.Repeat(" ", 125))
		require.NoError(t, err)
	}
	status, _ := post(t, addr, ping)
	require.Equal(t, 200, status)
	_, err := io.WriteString(moving, ping)
	require.NoError(t, err)
	got := make([]byte, 1<<10)
	n, err := moving.Read(got)
	require.NoError(t, err)
	require.Contains(t, string(got[:n]), "HTTP/1.1 200 ")
}

// Bodies that grow at the same time, more of them than there is room for, all get
// what they need, and never have more together than there is.
func TestBudget(t *testing.T) {
	const total, most = 1000, 300
	b := newBudget(total, most)
	b.wait = time.Minute
	var mu sync.Mutex
	held := 0
	var all sync.WaitGroup
	for i := range 30 {
		random := rand.New(rand.NewPCG(1, uint64(i)))
		all.Go(func() {
			for range 20 {
				var s share
				own := 0
				for need := 1 + random.IntN(most); own < need; {
					n := min(1+random.IntN(100), need-own)
					if !assert.True(t, b.take(t.Context(), &s, int64(n))) {
						return
					}
					own += n
					mu.Lock()
					held += n
					assert.LessOrEqual(t, held, total)
					mu.Unlock()
				}
				mu.Lock()
				held -= own
				mu.Unlock()
				b.giveBack(&s)
			}
		})
	}
	all.Wait()
	require.EqualValues(t, total, b.free)
	require.Nil(t, b.first)

	// Who does not find room in time goes, and the next gets its turn.
	b.wait = 50 * time.Millisecond
	var one, two, three share
	require.True(t, b.take(t.Context(), &one, 700))
	require.True(t, b.take(t.Context(), &two, 100))
	require.False(t, b.take(t.Context(), &three, 300))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.False(t, b.take(ctx, &three, 300))
	b.giveBack(&one)
	require.True(t, b.take(t.Context(), &three, 300))
	b.giveBack(&two)
	b.giveBack(&three)
	require.EqualValues(t, total, b.free)
}
