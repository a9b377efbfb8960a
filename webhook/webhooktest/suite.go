// Package webhooktest tests stores in which several processes remember the notifications that they
// handled.
package webhooktest

import (
	"context"
	"testing"
	"time"

	"github.com/go-freight/terminal49/internal/testkit/suite"
	"github.com/go-freight/terminal49/webhook"
)

// Setup describes one process that receives notifications, for which [TestDedupeStore] opens
// a store.
type Setup struct {
	// Namespace names what the processes share. Every subtest uses new namespaces.
	Namespace string
	// Clock is the clock of the process, which may be wrong by an hour. A store that reads the time
	// in the process must read it here; one that uses only its engine's clock ignores it.
	Clock func() time.Time
	// Context ends at the end of the subtest. All background work of the store must end with it.
	Context context.Context
}

// Option configures [TestDedupeStore].
type Option func(*config)

type config struct{ fakeTime bool }

// WithFakeTime runs each subtest in a testing/synctest bubble, so that the suite takes almost no
// time. Use it only for stores in memory: a bubble's clock stops during network I/O.
func WithFakeTime() Option { return func(c *config) { c.fakeTime = true } }

// TestDedupeStore tests a store that several processes share. It opens one store for each simulated
// process; all with the same Namespace must share their notifications.
//
// Each subtest is named after the promise that it tests. Leases and retentions that are too short
// always fail, and a slow machine cannot cause a failure. In real time the suite takes about ten
// seconds.
func TestDedupeStore(t *testing.T, open func(t *testing.T, s Setup) webhook.DedupeStore, opts ...Option) {
	var c config
	for _, opt := range opts {
		opt(&c)
	}
	suite.Run(t, c.fakeTime, checks(open))
}

type openDedupe = func(*testing.T, Setup) webhook.DedupeStore

// checks are the promises of a [webhook.DedupeStore].
func checks(open openDedupe) []suite.Check {
	check := func(name string, run func(*dedupeSuite)) suite.Check {
		return suite.Check{Name: name, Run: func(f *suite.Findings) {
			run(&dedupeSuite{Findings: f, open: open, namespace: suite.NewNamespace()})
		}}
	}
	return []suite.Check{
		check("AClaimIsCompletedOrReleased", (*dedupeSuite).claimIsCompletedOrReleased),
		check("OneOfManyClaimersWins", (*dedupeSuite).oneOfManyWins),
		check("TheClaimOfADeadOwnerExpires", (*dedupeSuite).claimOfADeadOwnerExpires),
		check("AClaimAloneIsNotDone", (*dedupeSuite).claimAloneIsNotDone),
		check("OnlyTheOwnerReleases", (*dedupeSuite).onlyTheOwnerReleases),
		check("ALateReleaseDoesNothing", (*dedupeSuite).lateReleaseDoesNothing),
		check("ALateCompleteCounts", (*dedupeSuite).lateCompleteCounts),
		check("DoneLastsForTheRetention", (*dedupeSuite).doneLastsForTheRetention),
		check("DoneOutlivesTheLease", (*dedupeSuite).doneOutlivesTheLease),
		check("LongestTimes", (*dedupeSuite).longestTimes),
		check("IDsAreKeptApart", (*dedupeSuite).idsAreKeptApart),
		check("AnEndedContextIsAnError", (*dedupeSuite).endedContextIsAnError),
		check("NamespacesAreIndependent", (*dedupeSuite).namespacesAreIndependent),
		check("ClocksOfProcessesDoNotMatter", (*dedupeSuite).clocksDoNotMatter),
	}
}

// dedupeSuite is one run of a check.
type dedupeSuite struct {
	*suite.Findings
	open      openDedupe
	namespace string
}

// process opens the store of a process whose clock is wrong by off.
func (s *dedupeSuite) process(off time.Duration) *dedupeProcess {
	return s.processIn(s.namespace, off)
}

func (s *dedupeSuite) processIn(namespace string, off time.Duration) *dedupeProcess {
	return &dedupeProcess{s, s.open(s.T, Setup{Namespace: namespace, Clock: suite.Clock(off), Context: s.Ctx})}
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
	ctx, cancel := context.WithTimeout(p.Ctx, suite.Patience)
	defer cancel()
	state, err := p.store.Claim(ctx, id, owner, lease)
	if err != nil {
		p.Errorf("Claim(%.40q, %q, %v): %v", id, owner, lease, err)
		return noState
	}
	return state
}

func (p *dedupeProcess) complete(id, owner string, retention time.Duration) {
	ctx, cancel := context.WithTimeout(p.Ctx, suite.Patience)
	defer cancel()
	if err := p.store.Complete(ctx, id, owner, retention); err != nil {
		p.Errorf("Complete(%.40q, %q, %v): %v", id, owner, retention, err)
	}
}

func (p *dedupeProcess) release(id, owner string) {
	ctx, cancel := context.WithTimeout(p.Ctx, suite.Patience)
	defer cancel()
	if err := p.store.Release(ctx, id, owner); err != nil {
		p.Errorf("Release(%.40q, %q): %v", id, owner, err)
	}
}

// expect calls Claim and reports a result other than want.
func (p *dedupeProcess) expect(want webhook.DedupeState, when, id, owner string, lease time.Duration) {
	if got := p.claim(id, owner, lease); got != want && got != noState {
		p.Errorf("%s: Claim(%.40q, %q) returned %s, want %s", when, id, owner, dedupeStateName(got), dedupeStateName(want))
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
