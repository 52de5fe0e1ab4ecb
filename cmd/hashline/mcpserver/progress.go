package mcpserver

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// progressEvery is how often a client that asked for it is told that a call is
// under way; some take back their patience with each sign of life.
const progressEvery = 2 * time.Second

// progress tells a client that a call takes its time, until done is called. After
// that nothing more is sent.
func (s *Server) progress(ctx context.Context, req *mcp.CallToolRequest) (done func()) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var told sync.WaitGroup
	told.Go(func() {
		begin := time.Now()
		tick := time.NewTicker(s.progressEvery)
		defer tick.Stop()
		for n := 1; ; n++ {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: float64(n),
				Message: fmt.Sprintf("%s has been running for %.0f s", req.Params.Name, time.Since(begin).Seconds()),
			})
		}
	})
	return func() {
		cancel()
		told.Wait()
	}
}
