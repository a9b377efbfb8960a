package terminal49test_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// The race detector needs concurrent requests and calls.
func TestServer_ConcurrentUse(t *testing.T) {
	srv := terminal49test.NewServer(terminal49test.WithoutRateLimits(), terminal49test.WithSpeed(100_000))
	defer srv.Close()
	srv.SeedDemo()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 20 {
				number := fmt.Sprintf("MAEU%03d%06d", i, n)
				createRequest(t, srv, number, "MAEU")
				srv.Advance(time.Hour)
				checkReply(t, getAPI(t, srv, "/shipments?include=containers,pod_terminal&number="+number), 200, map[string]any{"meta/total": 1.0})
				srv.Fault(terminal49test.Fault{Operation: "documents.relink"})
				_, _, _ = srv.Requests(), srv.Violations(), srv.Now()
			}
		})
	}
	wg.Wait()
	srv.CheckViolations(t)
}
