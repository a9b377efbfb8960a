package terminal49test_test

import (
	"fmt"
	"strings"
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
				srv.AddFault(terminal49test.Fault{Operation: "documents.relink"})
				_, _, _ = srv.Requests(), srv.Violations(), srv.Now()
			}
		})
	}
	wg.Wait()
	srv.CheckViolations(t)
}

// UpdateShipment and Action document that functions which run under the server's lock must not call
// the server, which panics: before, they waited for ever.
func TestServer_PanicsInsteadOfWaitingForItself(t *testing.T) {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket())
	defer srv.Close()
	id := srv.AddShipment(terminal49test.Shipment{})
	calls := map[string]func(){
		"Update": func() { srv.UpdateShipment(id, func(*terminal49test.Shipment) { srv.Now() }) },
		"another Update": func() {
			srv.UpdateShipment(id, func(*terminal49test.Shipment) { srv.UpdatePort("", nil) })
		},
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.Contains(text, "must not call the Server") {
					t.Errorf("got %s", text)
				}
				srv.Now() // the lock is free
			}()
			call()
		})
	}
	done := make(chan time.Time)
	srv.UpdateShipment(id, func(*terminal49test.Shipment) { go func() { done <- srv.Now() }() })
	<-done // another goroutine waits for the lock
}
