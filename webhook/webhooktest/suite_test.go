package webhooktest_test

import (
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/go-freight/terminal49/internal/testkit/suite"
	"github.com/go-freight/terminal49/webhook"
	"github.com/go-freight/terminal49/webhook/webhooktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Each broken store breaks a promise of [webhook.DedupeStore]. The check of that promise finds it.
func TestDedupeSuite_FindsEveryBrokenStore(t *testing.T) {
	for _, broken := range brokenStores {
		t.Run(broken.name, func(t *testing.T) {
			open, faults := opened(broken.bug)
			suite.RequireCaught(t, webhooktest.DedupeFindings(t, broken.caughtBy, open, faults), broken.caughtBy)
		})
	}
}

// goodStores differ from the correct store in what a store may do.
var goodStores = map[string]bug{
	"map": {},
	"times in whole seconds": {call: func(_ *store, c *call, _ entry) {
		if c.d = min(c.d, 100*365*day); c.d > 0 {
			c.d = (c.d + time.Second - 1).Truncate(time.Second)
		}
	}},
	"no report of lost claims": after("Complete", always, returns(0, nil)),
}

// The suite refuses no correct store of another design: documents that are replaced with
// compare-and-swap, on a clock of whole seconds too, one goroutine that serves all calls, and the
// store of one process.
func TestDedupeSuite_PassesGoodStores(t *testing.T) {
	for name, good := range goodStores {
		t.Run(name, func(t *testing.T) {
			open, faults := opened(good)
			webhooktest.TestDedupeStore(t, open, webhooktest.WithFakeTime(), webhooktest.WithFaults(faults))
		})
	}
	for name, open := range map[string]func(*testing.T, webhooktest.Setup) webhook.DedupeStore{
		"documents":                          openDocuments(&documents{}),
		"documents that timers delete":       openDocuments(&documents{eager: true}),
		"documents on a clock of one second": openDocuments(&documents{round: time.Second}),
		"one goroutine":                      openServed(),
		"MemoryDedupe":                       openMemory(),
	} {
		t.Run(name, func(t *testing.T) { webhooktest.TestDedupeStore(t, open, webhooktest.WithFakeTime()) })
	}
}

// In real time the suite finds nothing in a good store, however slow the machine is.
func TestDedupeSuite_PassesAMapInRealTime(t *testing.T) {
	if os.Getenv("PROOF") != "whole" {
		t.Skip("PROOF=whole runs it")
	}
	open, faults := opened(bug{})
	webhooktest.TestDedupeStore(t, open, webhooktest.WithFaults(faults))
}

// openMemory shares a MemoryDedupe among the processes of a namespace.
func openMemory() func(*testing.T, webhooktest.Setup) webhook.DedupeStore {
	var mu sync.Mutex
	shared := map[string]webhook.DedupeStore{}
	return func(_ *testing.T, s webhooktest.Setup) webhook.DedupeStore {
		mu.Lock()
		defer mu.Unlock()
		if shared[s.Namespace] == nil {
			shared[s.Namespace] = webhook.NewMemoryDedupe(0)
		}
		return shared[s.Namespace]
	}
}

// served is a store whose calls are made by one goroutine.
type served struct {
	webhook.DedupeStore
	calls chan func()
}

func openServed() func(*testing.T, webhooktest.Setup) webhook.DedupeStore {
	open, _ := opened(bug{})
	return func(t *testing.T, s webhooktest.Setup) webhook.DedupeStore {
		calls := make(chan func())
		go func() {
			for {
				select {
				case <-s.Context.Done():
					return
				case call := <-calls:
					call()
				}
			}
		}()
		return &served{open(t, s), calls}
	}
}

func (s *served) serve(ctx context.Context, call func() error) (err error) {
	done := make(chan struct{})
	select {
	case <-ctx.Done():
		return ctx.Err()
	case s.calls <- func() { err = call(); close(done) }:
		<-done
		return err
	}
}

func (s *served) Claim(ctx context.Context, id, owner string, lease time.Duration) (state webhook.DedupeState, err error) {
	err = s.serve(ctx, func() error {
		state, err = s.DedupeStore.Claim(ctx, id, owner, lease)
		return err
	})
	return state, err
}

func (s *served) Complete(ctx context.Context, id, owner string, retention time.Duration) error {
	return s.serve(ctx, func() error { return s.DedupeStore.Complete(ctx, id, owner, retention) })
}

func (s *served) Release(ctx context.Context, id, owner string) error {
	return s.serve(ctx, func() error { return s.DedupeStore.Release(ctx, id, owner) })
}
