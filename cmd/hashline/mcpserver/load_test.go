package mcpserver

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// Two hundred sessions at once: each edits a file of its own and one that all
// share, none gets what belongs to another, and memory is bounded.
func TestTwoHundredSessions(t *testing.T) {
	sessions, rounds := 200, 2
	if testing.Short() {
		sessions = 50
	}
	s := newServer(t, Config{})
	for i := range sessions {
		require.NoError(t, os.WriteFile(s.path(fmt.Sprintf("%d.txt", i)), fmt.Appendf(nil, "secret of %d\n", i), 0o666))
	}
	addr, _ := serveHTTP(t, s, HTTPConfig{})
	before := inUse()
	var all sync.WaitGroup
	clients := make([]*mcp.ClientSession, sessions)
	for i := range clients {
		clients[i] = connectHTTP(t, addr, "", named("agent", nil))
	}
	connected := inUse()
	won := make([]int, sessions)
	for i, c := range clients {
		all.Go(func() {
			own, other := fmt.Sprintf("%d.txt", i), fmt.Sprintf("%d.txt", (i+1)%sessions)
			for round := range rounds {
				seen, ok := callText(t.Context(), t, c, "read_file", map[string]any{"path": own})
				if !ok || strings.Count(seen, "secret of") != 1 || !strings.Contains(seen, fmt.Sprintf("secret of %d\n", i)) && round == 0 && !strings.HasSuffix(seen, fmt.Sprintf("secret of %d", i)) {
					t.Errorf("session %d sees %s", i, seen)
				}
				// What another was shown is not known here.
				if reason := reasonOf(t, c, "["+other+"#0000]\nCUT 1\n"); round == 0 && reason != "unread" {
					t.Errorf("session %d: %s", i, reason)
				}
				header, _, _ := strings.Cut(seen, "\n")
				text, ok := "", false
				// Its lock can be that of the file which all share.
				for tries := 0; tries == 0 || tries < 5 && strings.Contains(text, ": locked: "); tries++ {
					text, ok = callText(t.Context(), t, c, "edit", map[string]any{"input": fmt.Sprintf("%s\nPUT >$:\n+round %d of %d\n", header, round, i)})
				}
				if !ok {
					t.Errorf("session %d: %s", i, text)
				}
				seen, _ = callText(t.Context(), t, c, "read_file", map[string]any{"path": "a.txt"})
				header, _, _ = strings.Cut(seen, "\n")
				if _, ok := callText(t.Context(), t, c, "edit", map[string]any{"input": header + "\nPUT >$:\n+shared\n"}); ok {
					won[i]++
				}
			}
		})
	}
	all.Wait()
	worked := inUse()
	for i := range sessions {
		text, err := os.ReadFile(s.path(fmt.Sprintf("%d.txt", i)))
		require.NoError(t, err)
		want := fmt.Sprintf("secret of %d\n", i)
		for round := range rounds {
			want += fmt.Sprintf("round %d of %d\n", round, i)
		}
		require.Equal(t, want, string(text))
	}
	shared, err := os.ReadFile(s.path("a.txt"))
	require.NoError(t, err)
	total := 0
	for _, n := range won {
		total += n
	}
	require.Equal(t, total, strings.Count(string(shared), "shared\n"), "an edit was lost, or was told to be")
	per := (worked - before) / uint64(sessions)
	t.Logf("%d sessions, clients included: %d KiB each when connected, %d KiB after %d calls each", sessions, (connected-before)/uint64(sessions)>>10, per>>10, 5*rounds)
	require.Less(t, per, uint64(1<<20))
}

// reasonOf gives the reason for which a document is refused.
func reasonOf(t *testing.T, c *mcp.ClientSession, doc string) string {
	t.Helper()
	res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "edit", Arguments: map[string]any{"input": doc}})
	require.NoError(t, err)
	text, err := json.Marshal(res.Meta[MetaKey])
	require.NoError(t, err)
	var h forHosts
	require.NoError(t, json.Unmarshal(text, &h))
	require.NotEmpty(t, h.Faults)
	return h.Faults[0].Reason
}

// inUse is how many bytes are in use, stacks included.
func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}
