package webhooktest_test

import (
	"os"
	"sync"
	"testing"

	"github.com/go-freight/terminal49/internal/testkit/suite"
	"github.com/go-freight/terminal49/webhook"
	"github.com/go-freight/terminal49/webhook/webhooktest"
)

type brokenDedupe struct {
	dedupeFaults
	caughtBy string // a subtest of TestDedupeStore
}

func brokenDedupes() map[string]brokenDedupe {
	return map[string]brokenDedupe{
		"recorded before the work":           {dedupeFaults{recordBeforeWork: true}, "AClaimIsCompletedOrReleased"},
		"read, then written":                 {dedupeFaults{notAtomic: true}, "OneOfManyClaimersWins"},
		"released by strangers":              {dedupeFaults{strangersRelease: true}, "OnlyTheOwnerReleases"},
		"owners in any case":                 {dedupeFaults{ownersFolded: true}, "OnlyTheOwnerReleases"},
		"Release of what is done":            {dedupeFaults{releasesDone: true}, "AClaimIsCompletedOrReleased"},
		"lease cut to milliseconds":          {dedupeFaults{leaseCut: true}, "TheClaimOfADeadOwnerExpires"},
		"lease too short":                    {dedupeFaults{leaseHalved: true}, "TheClaimOfADeadOwnerExpires"},
		"lease without an end":               {dedupeFaults{leaseEndless: true}, "TheClaimOfADeadOwnerExpires"},
		"lease that overflows":               {dedupeFaults{leaseOverflows: true}, "LongestTimes"},
		"Complete by the owner only":         {dedupeFaults{completeByOwnerOnly: true}, "ALateCompleteCounts"},
		"Complete forgets":                   {dedupeFaults{completeForgets: true}, "AClaimIsCompletedOrReleased"},
		"Complete keeps the first retention": {dedupeFaults{completeKeepsFirst: true}, "DoneOutlivesTheLease"},
		"Complete keeps the lease":           {dedupeFaults{completeKeepsLease: true}, "DoneOutlivesTheLease"},
		"retention cut to milliseconds":      {dedupeFaults{retentionCut: true}, "DoneLastsForTheRetention"},
		"retention without an end":           {dedupeFaults{retentionEndless: true}, "DoneLastsForTheRetention"},
		"ids in any case":                    {dedupeFaults{folded: true}, "IDsAreKeptApart"},
		"ids without trailing space":         {dedupeFaults{trimmed: true}, "IDsAreKeptApart"},
		"ids of 255 bytes":                   {dedupeFaults{short: true}, "IDsAreKeptApart"},
		"ids that end at NUL":                {dedupeFaults{endsAtNUL: true}, "IDsAreKeptApart"},
		"namespace ignored":                  {dedupeFaults{namespaceIgnored: true}, "NamespacesAreIndependent"},
		"namespace and id joined":            {dedupeFaults{namespaceJoined: true}, "NamespacesAreIndependent"},
		"clock of the process":               {dedupeFaults{processClock: true}, "ClocksOfProcessesDoNotMatter"},
		"context ignored":                    {dedupeFaults{contextIgnored: true}, "AnEndedContextIsAnError"},
	}
}

// Each broken store breaks a promise of [webhook.DedupeStore]. The suite finds it in the subtest
// that is named after that promise.
func TestDedupeSuite_FindsEveryBrokenStore(t *testing.T) {
	for name, broken := range brokenDedupes() {
		t.Run(name, func(t *testing.T) {
			suite.RequireCaught(t, webhooktest.DedupeFindings(t, sharedMap(broken.dedupeFaults)), broken.caughtBy)
		})
	}
}

// MemoryDedupe keeps the promises of DedupeStore, and so does a map.
func TestDedupeSuite_PassesGoodStores(t *testing.T) {
	t.Run("map", func(t *testing.T) {
		webhooktest.TestDedupeStore(t, sharedMap(dedupeFaults{}), webhooktest.WithFakeTime())
	})
	t.Run("MemoryDedupe", func(t *testing.T) {
		webhooktest.TestDedupeStore(t, memoryDedupes(), webhooktest.WithFakeTime())
	})
}

// In real time the suite finds nothing in a good store, however slow the machine is.
func TestDedupeSuite_PassesAMapInRealTime(t *testing.T) {
	if os.Getenv("PROOF") != "whole" {
		t.Skip("PROOF=whole runs it")
	}
	webhooktest.TestDedupeStore(t, sharedMap(dedupeFaults{}))
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
