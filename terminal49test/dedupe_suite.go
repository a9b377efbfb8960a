package terminal49test

import (
	"context"
	"testing"
	"time"

	"github.com/go-freight/terminal49/webhook"
)

// DedupeSetup describes one process that receives notifications, for which [TestDedupeStore] opens
// a store.
type DedupeSetup struct {
	// Namespace names what the processes share. Every subtest uses new namespaces.
	Namespace string
	// Clock is the clock of the process, which may be wrong by an hour. A store that reads the time
	// in the process must read it here; one that uses only its engine's clock ignores it.
	Clock func() time.Time
	// Context ends at the end of the subtest. All background work of the store must end with it.
	Context context.Context
}

// TestDedupeStore tests a store that several processes share. It opens one store for each simulated
// process; all with the same Namespace must share their notifications.
//
// Each subtest is named after the promise that it tests. Leases and retentions that are too short
// always fail, and a slow machine cannot cause a failure. In real time the suite takes about ten
// seconds.
func TestDedupeStore(t *testing.T, open func(t *testing.T, s DedupeSetup) webhook.DedupeStore, opts ...SuiteOption) {
	c := newSuiteConfig(opts)
	for _, check := range dedupeChecks {
		t.Run(check.name, func(t *testing.T) {
			c.run(t, func(t *testing.T) {
				for _, found := range check.findings(t, open) {
					t.Error(found)
				}
			})
		})
	}
}

type openDedupe = func(*testing.T, DedupeSetup) webhook.DedupeStore

type dedupeCheck struct {
	name string
	run  func(*dedupeSuite)
}

func (c dedupeCheck) findings(t *testing.T, open openDedupe) []string {
	return collect(t, func(f *findings) {
		c.run(&dedupeSuite{findings: f, open: open, namespace: newNamespace()})
	})
}

// dedupeChecks are the promises of a [webhook.DedupeStore].
var dedupeChecks = []dedupeCheck{
	{"AClaimIsCompletedOrReleased", (*dedupeSuite).claimIsCompletedOrReleased},
	{"OneOfManyClaimersWins", (*dedupeSuite).oneOfManyWins},
	{"TheClaimOfADeadOwnerExpires", (*dedupeSuite).claimOfADeadOwnerExpires},
	{"AClaimAloneIsNotDone", (*dedupeSuite).claimAloneIsNotDone},
	{"OnlyTheOwnerReleases", (*dedupeSuite).onlyTheOwnerReleases},
	{"ALateReleaseDoesNothing", (*dedupeSuite).lateReleaseDoesNothing},
	{"ALateCompleteCounts", (*dedupeSuite).lateCompleteCounts},
	{"DoneLastsForTheRetention", (*dedupeSuite).doneLastsForTheRetention},
	{"DoneOutlivesTheLease", (*dedupeSuite).doneOutlivesTheLease},
	{"LongestTimes", (*dedupeSuite).longestTimes},
	{"IDsAreKeptApart", (*dedupeSuite).idsAreKeptApart},
	{"AnEndedContextIsAnError", (*dedupeSuite).endedContextIsAnError},
	{"NamespacesAreIndependent", (*dedupeSuite).namespacesAreIndependent},
	{"ClocksOfProcessesDoNotMatter", (*dedupeSuite).clocksDoNotMatter},
}

// dedupeSuite is one run of a check.
type dedupeSuite struct {
	*findings
	open      openDedupe
	namespace string
}

// process opens the store of a process whose clock is wrong by off.
func (s *dedupeSuite) process(off time.Duration) *dedupeProcess {
	return s.processIn(s.namespace, off)
}

func (s *dedupeSuite) processIn(namespace string, off time.Duration) *dedupeProcess {
	return &dedupeProcess{s, s.open(s.t, DedupeSetup{Namespace: namespace, Clock: clock(off), Context: s.ctx})}
}

// dedupeProcess is one process that receives notifications. Its methods record the errors of its
// store.
type dedupeProcess struct {
	*dedupeSuite
	store webhook.DedupeStore
}

// noState is returned instead of a state after an error.
const noState = webhook.DedupeState(255)

func (p *dedupeProcess) claim(id, owner string, lease time.Duration) webhook.DedupeState {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	state, err := p.store.Claim(ctx, id, owner, lease)
	if err != nil {
		p.errorf("Claim(%.40q, %q, %v): %v", id, owner, lease, err)
		return noState
	}
	return state
}

func (p *dedupeProcess) complete(id, owner string, retention time.Duration) {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := p.store.Complete(ctx, id, owner, retention); err != nil {
		p.errorf("Complete(%.40q, %q, %v): %v", id, owner, retention, err)
	}
}

func (p *dedupeProcess) release(id, owner string) {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := p.store.Release(ctx, id, owner); err != nil {
		p.errorf("Release(%.40q, %q): %v", id, owner, err)
	}
}

// expect calls Claim and reports a result other than want.
func (p *dedupeProcess) expect(want webhook.DedupeState, when, id, owner string, lease time.Duration) {
	if got := p.claim(id, owner, lease); got != want && got != noState {
		p.errorf("%s: Claim(%.40q, %q) returned %s, want %s", when, id, owner, dedupeStateName(got), dedupeStateName(want))
	}
}

func dedupeStateName(s webhook.DedupeState) string {
	switch s {
	case webhook.DedupeBusy:
		return "DedupeBusy"
	case webhook.DedupeClaimed:
		return "DedupeClaimed"
	case webhook.DedupeDone:
		return "DedupeDone"
	}
	return "an unknown state"
}
