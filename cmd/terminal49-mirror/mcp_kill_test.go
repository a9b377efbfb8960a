package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// A process is killed in the middle of tracking a number. The next one, with the same call, finds
// what there is, and the number is tracked once.
func TestMCP_KilledWhileItTracks(t *testing.T) {
	t.Parallel()
	kills := 8
	if wholeProof {
		kills = 300
	}
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	for _, operation := range []string{"list", "infer", "create"} { // so that a kill can be in the middle
		b.srv.AddFault(terminal49test.Fault{Operation: "tracking_requests." + operation, Kind: terminal49test.FaultSlow, Delay: 15 * time.Millisecond, Times: -1})
	}
	var mu sync.Mutex
	outcomes := map[string]int{}
	var side sync.WaitGroup
	for worker := range 2 {
		side.Go(func() {
			a := startAgent(t, b.command("mcp", "--allow-writes"))
			for i := worker; i < kills; i += 2 {
				number := fmt.Sprintf("MAEU%09d", 100_000_000+i)
				a.killInTheMiddle(number, rand.N(130*time.Millisecond))
				a = startAgent(t, b.command("mcp", "--allow-writes"))
				outcome := a.track(number)
				mu.Lock()
				outcomes[outcome]++
				mu.Unlock()
			}
			assert.NoError(t, a.Close())
		})
	}
	side.Wait()
	requests := map[string]int{}
	for r := range b.srv.Snapshot() {
		if _, after, is := strings.Cut(string(r.JSON), `"request_number":"MAEU1`); is && r.Type == "tracking_request" {
			requests[after[:8]]++
		}
	}
	require.Len(t, requests, kills)
	for number, n := range requests {
		require.Equal(t, 1, n, number)
	}
	t.Logf("figure: killed %d times while it tracks a number: %d requests; the same call again found %d and created %d",
		kills, len(requests), outcomes["existed"], outcomes["created"])
	b.srv.CheckViolations(t)
}

// trackArguments has the carrier inferred, so that there are more requests to be killed between.
func trackArguments(number string) *mcp.CallToolParams {
	return &mcp.CallToolParams{Name: "track", Arguments: map[string]any{"number": number}}
}

// track tracks a number and returns the outcome.
func (a *agent) track(number string) string {
	r, err := a.CallTool(a.t.Context(), trackArguments(number))
	if !assert.NoError(a.t, err) || !assert.False(a.t, r.IsError, "%v", r.Content[0]) {
		return ""
	}
	return r.StructuredContent.(map[string]any)["outcome"].(string)
}

// killInTheMiddle tracks a number, and kills the process after a time.
func (a *agent) killInTheMiddle(number string, after time.Duration) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = a.CallTool(a.t.Context(), trackArguments(number)) // its response may never come
	}()
	select {
	case <-ended:
	case <-time.After(after):
	}
	_ = a.cmd.Process.Kill()
	<-ended
	_ = a.Close()
}
