package webhooktest

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-freight/terminal49/internal/testkit/suite"
	"github.com/go-freight/terminal49/webhook"
)

// longLease does not end during a test, even if a clock is an hour wrong.
const longLease = 10 * suite.ClockError

func (s *dedupeSuite) claimIsCompletedOrReleased() {
	a, b := s.process(0), s.process(0)
	a.expect(webhook.DedupeClaimed, "an unknown notification", "id", "1", longLease)
	a.expect(webhook.DedupeBusy, "a claimed notification", "id", "2", longLease)
	b.expect(webhook.DedupeBusy, "a notification that another process has claimed", "id", "3", longLease)
	b.expect(webhook.DedupeClaimed, "another notification", "other", "4", longLease)
	a.release("id", "1")
	b.expect(webhook.DedupeClaimed, "after Release", "id", "5", longLease)
	b.complete("id", "5", longLease)
	b.expect(webhook.DedupeDone, "after Complete", "id", "6", longLease)
	a.expect(webhook.DedupeDone, "after another process's Complete", "id", "7", longLease)
	a.expect(webhook.DedupeBusy, "after Complete of another notification", "other", "8", longLease)
	b.release("id", "5")
	a.expect(webhook.DedupeDone, "after Release of what is done", "id", "9", longLease)
	a.complete("unclaimed", "10", longLease)
	b.expect(webhook.DedupeDone, "after Complete without a claim, which had expired", "unclaimed", "11", longLease)
}

// oneOfManyWins makes fifty claims at a time in four processes, of unknown notifications and of
// those whose claim expires meanwhile.
func (s *dedupeSuite) oneOfManyWins() {
	processes := []*dedupeProcess{s.process(0), s.process(0), s.process(0), s.process(0)}
	for i := range 10 {
		id, winners := fmt.Sprintf("contended-%d", i), int64(0)
		if i%2 == 1 {
			processes[0].expect(webhook.DedupeClaimed, "an unknown notification", id, "dead", 20*time.Millisecond)
		}
		for start := time.Now(); winners == 0 && time.Since(start) < suite.Patience; time.Sleep(10 * time.Millisecond) {
			winners = s.contend(processes, id)
		}
		if winners != 1 {
			s.Errorf("%d of 50 concurrent claims of %q succeeded, want 1", winners, id)
			return
		}
	}
}

func (s *dedupeSuite) contend(processes []*dedupeProcess, id string) int64 {
	var all sync.WaitGroup
	var winners atomic.Int64
	start := make(chan struct{})
	for i := range 50 {
		all.Go(func() {
			<-start
			switch processes[i%len(processes)].claim(id, fmt.Sprintf("owner-%d", i), longLease) {
			case webhook.DedupeClaimed:
				winners.Add(1)
			case webhook.DedupeDone:
				s.Errorf("a claim of %q returned DedupeDone; nothing has completed it", id)
			}
		})
	}
	close(start)
	all.Wait()
	return winners.Load()
}

// shortTime is the length of leases and retentions that a test waits for. It is not a whole number
// of milliseconds, because a store that rounds must round up.
const shortTime = 200*time.Millisecond + 900*time.Microsecond

func (s *dedupeSuite) claimOfADeadOwnerExpires() { s.deadOwner(0, 0) }

// deadOwner claims in one process, which neither completes nor releases. Another process must get
// the claim when the lease has ended, and not before.
func (s *dedupeSuite) deadOwner(dead, alive time.Duration) {
	a, b := s.process(dead), s.process(alive)
	for range 3 { // the fraction of a millisecond in which it begins varies
		id := "dead-" + suite.NewNamespace()
		began := time.Now()
		a.expect(webhook.DedupeClaimed, "an unknown notification", id, "1", shortTime)
		b.after(began.Add(shortTime), "lease", webhook.DedupeBusy, id)
	}
}

// after claims an id until it succeeds, which must not be before end. Earlier claims must return
// until.
func (p *dedupeProcess) after(end time.Time, what string, until webhook.DedupeState, id string) {
	for ; time.Since(end) < suite.Patience; sleepNear(end) {
		switch got := p.claim(id, "later", longLease); {
		case got == webhook.DedupeClaimed:
			if early := time.Until(end); early > 0 {
				p.Errorf("%.40q is claimed %v before the end of its %s of %v", id, early, what, shortTime)
			}
			return
		case got == noState:
			return
		case got != until:
			p.Errorf("until the end of its %s, Claim(%.40q) returned %s, want %s", what, id, dedupeStateName(got), dedupeStateName(until))
			return
		}
	}
	p.Errorf("%.40q cannot be claimed %v after the end of its %s of %v", id, suite.Patience, what, shortTime)
}

// sleepNear sleeps for a shorter time the nearer a moment is, before it and after it.
func sleepNear(moment time.Time) {
	away := time.Until(moment).Abs()
	time.Sleep(min(max(away-3*time.Millisecond, 100*time.Microsecond), 20*time.Millisecond))
}

// claimAloneIsNotDone lets owners die one after another. None did the work.
func (s *dedupeSuite) claimAloneIsNotDone() {
	p := s.process(0)
	for _, owner := range []string{"1", "2", "3"} {
		if !p.eventually("id", owner, 20*time.Millisecond) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	p.eventually("id", "4", longLease)
	p.release("id", "4")
	p.expect(webhook.DedupeClaimed, "after four owners who did not complete it", "id", "5", longLease)
}

func (s *dedupeSuite) onlyTheOwnerReleases() {
	a, b := s.process(0), s.process(0)
	a.expect(webhook.DedupeClaimed, "an unknown notification", "id", "owner", longLease)
	for _, stranger := range []string{"stranger", "", "OWNER", "owner ", "own", "ownerr", "%", "own_r"} {
		b.release("id", stranger)
		b.expect(webhook.DedupeBusy, fmt.Sprintf("after Release by %q", stranger), "id", "2", longLease)
	}
	b.release("unknown", "stranger")
	b.release("other", "owner")
	b.expect(webhook.DedupeBusy, "after Release of another notification", "id", "3", longLease)
}

// lateReleaseDoesNothing releases after the claim went to another owner.
func (s *dedupeSuite) lateReleaseDoesNothing() {
	a, b := s.process(0), s.process(0)
	a.expect(webhook.DedupeClaimed, "an unknown notification", "id", "slow", 20*time.Millisecond)
	if !b.eventually("id", "second", longLease) {
		return
	}
	a.release("id", "slow")
	a.expect(webhook.DedupeBusy, "after a late Release", "id", "3", longLease)
	b.complete("id", "second", longLease)
	a.release("id", "slow")
	a.expect(webhook.DedupeDone, "after a late Release of what is done", "id", "4", longLease)
}

// lateCompleteCounts completes after the claim went to another owner: the work is done.
func (s *dedupeSuite) lateCompleteCounts() {
	a, b := s.process(0), s.process(0)
	a.expect(webhook.DedupeClaimed, "an unknown notification", "id", "slow", 20*time.Millisecond)
	if !b.eventually("id", "second", longLease) {
		return
	}
	a.complete("id", "slow", longLease)
	b.expect(webhook.DedupeDone, "after Complete by a slow owner", "id", "3", longLease)
	b.release("id", "second")
	b.expect(webhook.DedupeDone, "after Release by the other owner, whose claim Complete ended", "id", "4", longLease)
	b.complete("id", "second", longLease)
	a.expect(webhook.DedupeDone, "after Complete by both", "id", "5", longLease)
}

func (s *dedupeSuite) doneLastsForTheRetention() { s.retention(0, 0) }

// retention completes in one process. Another process must get DedupeDone until the retention ends.
func (s *dedupeSuite) retention(completing, other time.Duration) {
	a, b := s.process(completing), s.process(other)
	for range 3 {
		id := "done-" + suite.NewNamespace()
		a.expect(webhook.DedupeClaimed, "an unknown notification", id, "1", longLease)
		began := time.Now()
		a.complete(id, "1", shortTime)
		b.after(began.Add(shortTime), "retention", webhook.DedupeDone, id)
	}
}

// doneOutlivesTheLease completes with a retention that is longer than the lease, and again with one
// that is longer than the first.
func (s *dedupeSuite) doneOutlivesTheLease() {
	a, b := s.process(0), s.process(0)
	a.expect(webhook.DedupeClaimed, "an unknown notification", "id", "1", shortTime)
	a.complete("id", "1", longLease)
	a.complete("twice", "2", shortTime)
	a.complete("twice", "3", longLease)
	time.Sleep(2 * shortTime)
	b.expect(webhook.DedupeDone, "after the end of a completed claim's lease", "id", "4", longLease)
	b.expect(webhook.DedupeDone, "after Complete with a longer retention", "twice", "5", longLease)
}

// longestTimes uses the longest lease that a handler can ask for and the longest retention that it
// can be given.
func (s *dedupeSuite) longestTimes() {
	p := s.process(0)
	const forever = time.Duration(math.MaxInt64)
	p.expect(webhook.DedupeClaimed, "an unknown notification", "id", "1", forever)
	p.expect(webhook.DedupeBusy, "after a Claim with the longest lease", "id", "2", forever)
	p.complete("id", "1", forever)
	p.expect(webhook.DedupeDone, "after Complete with the longest retention", "id", "3", forever)
}

// idsAreKeptApart claims ids that a store may confuse. Each is valid UTF-8, as every id in JSON is.
func (s *dedupeSuite) idsAreKeptApart() {
	long := strings.Repeat("0123456789abcdef", 512) // 8 KB
	ids := []string{
		"id", "ID", "Id", "id ", " id", "id\x00", "id\x00x", "id\n", "id\t", "i", "idd", "i%", "i_", "id:1", "id/1", "{id}", "'id'", `"id"`,
		`id\`, "id;--", "*", "?", "\u00e9", "e\u0301", "\u00c9", "\u00df", "ss", "0", "00", "1", "1.0", "1e0", "null", "NULL",
		"\ufffd", "\U0010ffff", "\u0130", "\u0131", long, long + "1", long + "2", "1" + long,
	}
	a, b := s.process(0), s.process(0)
	for _, id := range ids {
		a.expect(webhook.DedupeClaimed, "an id that is claimed for the first time", id, "first", longLease)
	}
	for i, id := range ids {
		b.expect(webhook.DedupeBusy, "an id that is claimed", id, "second", longLease)
		if i%2 == 0 {
			b.complete(id, "first", longLease)
		} else {
			b.release(id, "first")
		}
	}
	for i, id := range ids {
		want := []webhook.DedupeState{webhook.DedupeDone, webhook.DedupeClaimed}[i%2]
		a.expect(want, "an id next to others that were completed and released", id, "third", longLease)
	}
}

// endedContextIsAnError claims with a context that has ended. After an error the claim may or may
// not have been made, but the notification is not done.
func (s *dedupeSuite) endedContextIsAnError() {
	p := s.process(0)
	ctx, cancel := context.WithCancel(s.Ctx)
	cancel()
	if state, err := p.store.Claim(ctx, "id", "1", 20*time.Millisecond); err == nil {
		p.Errorf("Claim with an ended context returned %s, want an error", dedupeStateName(state))
	}
	p.eventually("id", "2", longLease)
}

// namespacesAreIndependent uses pairs of namespace and id that are equal when they are joined.
func (s *dedupeSuite) namespacesAreIndependent() {
	for _, separator := range []string{"", ":", "/", "-", "."} {
		namespace, id := suite.NewNamespace(), "1"+separator+"id"
		a, b := s.processIn(namespace, 0), s.processIn(namespace+separator+"1", 0)
		a.expect(webhook.DedupeClaimed, "an unknown notification", id, "1", longLease)
		a.complete(id, "1", longLease)
		b.expect(webhook.DedupeClaimed, "an id that is done in another namespace", id, "2", longLease)
		b.expect(webhook.DedupeClaimed, "an id that is done in another namespace", "id", "3", longLease)
		a.expect(webhook.DedupeDone, "an id that is claimed in another namespace", id, "4", longLease)
	}
}

// clocksDoNotMatter repeats what depends on time with clocks an hour off.
func (s *dedupeSuite) clocksDoNotMatter() {
	for _, off := range []time.Duration{suite.ClockError, -suite.ClockError} {
		s.deadOwner(off, -off)
		s.retention(off, -off)
		a, b := s.process(off), s.process(-off)
		id := "skewed-" + suite.NewNamespace()
		a.expect(webhook.DedupeClaimed, "an unknown notification", id, "1", suite.ClockError/2)
		b.expect(webhook.DedupeBusy, "in a process with another clock", id, "2", suite.ClockError/2)
		a.complete(id, "1", suite.ClockError/2)
		b.expect(webhook.DedupeDone, "in a process with another clock", id, "3", suite.ClockError/2)
	}
}

// eventually claims until it gets the claim, at most for suite.Patience. It is used where
// nothing has completed the notification.
func (p *dedupeProcess) eventually(id, owner string, lease time.Duration) bool {
	for start := time.Now(); time.Since(start) < suite.Patience; time.Sleep(time.Millisecond) {
		switch p.claim(id, owner, lease) {
		case webhook.DedupeClaimed:
			return true
		case noState:
			return false
		case webhook.DedupeDone:
			p.Errorf("Claim(%.40q) returned DedupeDone; nothing has completed it", id)
			return false
		}
	}
	p.Errorf("%.40q cannot be claimed within %v of the end of a lease", id, suite.Patience)
	return false
}
