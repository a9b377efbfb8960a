package webhooktest_test

import (
	"os"
	"sync"
	"testing"
	"time"

	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/internal/testkit/suite"
	"github.com/go-freight/terminal49/webhook"
	"github.com/go-freight/terminal49/webhook/webhooktest"
)

// Each broken store breaks a promise of [webhook.DedupeStore]. The suite finds it in the subtest
// that is named after that promise.
func TestDedupeSuite_FindsEveryBrokenStore(t *testing.T) {
	for name, broken := range brokenStores() {
		t.Run(name, func(t *testing.T) {
			open, faults := sharedMap(broken.bug)
			suite.RequireCaught(t, webhooktest.DedupeFindings(t, broken.caughtBy, open, faults), broken.caughtBy)
		})
	}
}

// MemoryDedupe keeps the promises of DedupeStore, and so do a map, and documents that are replaced
// with compare-and-swap.
func TestDedupeSuite_PassesGoodStores(t *testing.T) {
	for name, good := range goodStores() {
		if name != "map" && !testkit.Whole() {
			continue // a sample
		}
		t.Run(name, func(t *testing.T) {
			open, faults := sharedMap(good)
			webhooktest.TestDedupeStore(t, open, webhooktest.WithFakeTime(), webhooktest.WithFaults(faults))
		})
	}
	for name, design := range map[string]*documents{
		"lazy expiry": {}, "eager expiry": {eager: true}, "a clock of whole seconds": {round: time.Second},
	} {
		t.Run("documents with "+name, func(t *testing.T) {
			webhooktest.TestDedupeStore(t, openDocuments(design), webhooktest.WithFakeTime())
		})
	}
	t.Run("MemoryDedupe", func(t *testing.T) {
		webhooktest.TestDedupeStore(t, memoryDedupes(), webhooktest.WithFakeTime())
	})
}

// In real time the suite finds nothing in a good store, however slow the machine is.
func TestDedupeSuite_PassesAMapInRealTime(t *testing.T) {
	if os.Getenv("PROOF") != "whole" {
		t.Skip("PROOF=whole runs it")
	}
	open, faults := sharedMap(bug{})
	webhooktest.TestDedupeStore(t, open, webhooktest.WithFaults(faults))
}

// memoryDedupes shares a MemoryDedupe among the processes of a namespace.
func memoryDedupes() func(*testing.T, webhooktest.Setup) webhook.DedupeStore {
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
