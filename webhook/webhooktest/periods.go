package webhooktest

import (
	"fmt"
	"math"
	"time"

	"github.com/go-freight/terminal49/internal/testkit/suite"
	"github.com/go-freight/terminal49/webhook"
)

const (
	// longLease does not end during a check that does not advance the clock, even if a clock is an
	// hour wrong.
	longLease = 10 * suite.ClockError
	// shortTime is the length of leases and retentions that a check waits for. It is not a whole
	// number of milliseconds, because a store that rounds must round up.
	shortTime = 200*time.Millisecond + 900*time.Microsecond
	// rounding is how much longer than asked a lease or retention may last.
	rounding = 2 * time.Second
)

// period is a lease or a retention that has begun.
type period struct {
	what, id        string
	length          time.Duration
	until           webhook.DedupeState // what Claim by another owner returns before the end
	asked, answered time.Time           // before and after the call that began it
}

// begin makes the call that begins a period.
func (s *dedupeSuite) begin(what, id string, length time.Duration, until webhook.DedupeState, call func()) period {
	asked := s.now()
	call()
	return period{what, id, length, until, asked, s.now()}
}

// claimed begins a lease.
func (p *dedupeProcess) claimed(when, id, owner string, lease time.Duration) period {
	return p.begin("lease", id, lease, webhook.DedupeBusy, func() {
		p.expect(webhook.DedupeClaimed, when, id, owner, lease)
	})
}

// completed begins a retention.
func (p *dedupeProcess) completed(id, owner string, retention time.Duration) period {
	return p.begin("retention", id, retention, webhook.DedupeDone, func() { p.complete(id, owner, retention) })
}

// ends claims until that succeeds, which must be at the end of a period. A call is early or late by
// its own beginning and end, however long it takes.
func (p *dedupeProcess) ends(e period) {
	earliest, latest := e.asked.Add(e.length), e.answered.Add(e.length+rounding)
	for !p.failed.Load() {
		before := p.now()
		got := p.claim(e.id, "later", longLease)
		after := p.now()
		switch {
		case got == webhook.DedupeClaimed && after.Before(earliest):
			p.Errorf("%.40q is claimed %v before the end of its %s of %v", e.id, earliest.Sub(after), e.what, e.length)
			return
		case got == webhook.DedupeClaimed || got == noState:
			return
		case got != e.until:
			p.Errorf("until the end of its %s, Claim(%.40q) returned %s, want %s", e.what, e.id, dedupeStateName(got), dedupeStateName(e.until))
			return
		case before.After(latest):
			p.Errorf("%.40q cannot be claimed %v after the end of its %s of %v", e.id, before.Sub(earliest), e.what, e.length)
			return
		}
		p.approach(earliest)
	}
}

// approach lets a part of the time until a moment pass, and a short time after it.
func (s *dedupeSuite) approach(moment time.Time) {
	const near = 6 * time.Second
	away := moment.Sub(s.now())
	switch {
	case s.fakeTime && away > near:
		s.pass(away / 2)
	case s.advance != nil && away > near:
		s.pass(away - near/2)
	case s.advance != nil && away > time.Second:
		s.pass(away.Truncate(time.Second) + time.Second)
	default:
		time.Sleep(min(max(away.Abs()-3*time.Millisecond, 100*time.Microsecond), 20*time.Millisecond))
	}
}

func (s *dedupeSuite) claimOfADeadOwnerExpires() {
	s.deadOwner(0, 0, shortTime, shortTime, shortTime, 1100*time.Millisecond) // the fraction of a millisecond varies
}

func (s *dedupeSuite) longLeases() {
	s.deadOwner(0, 0, 30*time.Second, 68*time.Second, 10*time.Minute, time.Hour)
	a, b := s.process(0), s.process(0)
	last := a.claimed("an unknown notification", "for a day", "owner", time.Hour)
	for range 48 {
		s.pass(30 * time.Minute)
		last = a.claimed("a renewal of a claim that lasts for a day", "for a day", "owner", time.Hour)
		b.expect(webhook.DedupeBusy, "a claim that is renewed for a day", "for a day", "other", time.Hour)
	}
	b.ends(last)
}

// deadOwner claims in one process, which neither completes nor releases. Another process must get
// the claim when the lease has ended, and not before.
func (s *dedupeSuite) deadOwner(dead, alive time.Duration, leases ...time.Duration) {
	a, b := s.process(dead), s.process(alive)
	for _, lease := range leases {
		b.ends(a.claimed("an unknown notification", "dead-"+suite.NewNamespace(), "1", lease))
	}
}

// strangersChangeNothing claims for a shorter lease, and releases shortly before the end, as
// another owner. The lease ends when it would have.
func (s *dedupeSuite) strangersChangeNothing() {
	a, b := s.process(0), s.process(0)
	lease := a.claimed("an unknown notification", "id", "owner", 2*shortTime)
	b.claim("id", "other", 20*time.Millisecond)
	time.Sleep(shortTime * 19 / 10)
	b.release("id", "other")
	b.ends(lease)
}

// renewedClaimLasts renews a claim for many leases, after which it ends a lease after the last
// renewal; and once, early and late, with a shorter and a longer lease.
func (s *dedupeSuite) renewedClaimLasts() {
	const lease = time.Second
	a, b := s.process(0), s.process(0)
	last := a.claimed("an unknown notification", "id", "owner", lease)
	slow := false
	for range s.either(300, 12) {
		time.Sleep(lease / 3)
		renewed := a.begin("lease", "id", lease, webhook.DedupeBusy, func() {
			if got := a.claim("id", "owner", lease); got != webhook.DedupeClaimed && got != noState && a.now().Before(last.asked.Add(lease)) {
				a.Errorf("a renewal before the end of the lease: Claim returned %s, want DedupeClaimed", dedupeStateName(got))
			}
		})
		if renewed.answered.After(last.asked.Add(lease)) {
			slow = true // the machine is, and the claim may have expired
			break
		}
		last = renewed
		if got := b.claim("id", "other", lease); got == webhook.DedupeClaimed && b.now().Before(last.asked.Add(lease)) {
			b.Errorf("a claim that its owner has renewed: Claim by another owner returned DedupeClaimed, want DedupeBusy")
			return
		}
	}
	if !slow {
		b.ends(last)
	}
	for i, next := range []struct{ lease, after, renewed time.Duration }{
		{shortTime, shortTime / 10, shortTime}, {shortTime, shortTime * 19 / 20, 2 * shortTime}, {longLease, shortTime, shortTime},
	} {
		id := fmt.Sprint("renewed-", i)
		a.expect(webhook.DedupeClaimed, "an unknown notification", id, "owner", next.lease)
		time.Sleep(next.after)
		b.ends(a.claimed("a renewal", id, "owner", next.renewed))
	}
	a.expect(webhook.DedupeClaimed, "an unknown notification", "done", "owner", longLease)
	a.complete("done", "owner", longLease)
	a.expect(webhook.DedupeDone, "a renewal after Complete", "done", "owner", longLease)
	b.expect(webhook.DedupeDone, "after a renewal of what is done", "done", "other", longLease)
}

// eachClaimHasItsOwnLease claims after an expired and after a released claim with other leases.
func (s *dedupeSuite) eachClaimHasItsOwnLease() {
	a, b := s.process(0), s.process(0)
	a.expect(webhook.DedupeClaimed, "an unknown notification", "released", "1", longLease)
	a.release("released", "1")
	b.ends(a.claimed("after Release", "released", "2", shortTime))
	b.release("released", "later")
	a.expect(webhook.DedupeClaimed, "after Release", "released", "3", longLease)

	a.expect(webhook.DedupeClaimed, "an unknown notification", "expired", "1", 20*time.Millisecond)
	if second := b.takesOver("expired", "2", 3*shortTime); second.id != "" {
		a.ends(second)
	}
}

func (s *dedupeSuite) doneLastsForTheRetention() {
	s.retention(0, 0, shortTime, shortTime, shortTime, 1100*time.Millisecond)
}

func (s *dedupeSuite) longRetentions() {
	const day = 24 * time.Hour
	s.retention(0, 0, time.Minute, time.Hour+time.Minute, day+time.Hour, webhook.DefaultDedupeRetention, 40*day)
}

// retention completes in one process. Another process must get DedupeDone until the retention ends.
func (s *dedupeSuite) retention(completing, other time.Duration, retentions ...time.Duration) {
	a, b := s.process(completing), s.process(other)
	for _, retention := range retentions {
		id := "done-" + suite.NewNamespace()
		a.expect(webhook.DedupeClaimed, "an unknown notification", id, "1", longLease)
		b.ends(a.completed(id, "1", retention))
	}
}

// retentionCountsFromComplete completes a while after the claim, as an owner and as another.
func (s *dedupeSuite) retentionCountsFromComplete() {
	a, b := s.process(0), s.process(0)
	for _, owner := range []string{"1", "2"} {
		id := "late-" + owner
		a.expect(webhook.DedupeClaimed, "an unknown notification", id, "1", longLease)
		time.Sleep(shortTime / 2)
		a.expect(webhook.DedupeClaimed, "a renewal", id, "1", longLease)
		time.Sleep(shortTime / 2)
		b.ends(a.begin("retention", id, shortTime, webhook.DedupeDone, func() { a.completeLost(id, owner, shortTime) }))
	}
}

// doneOutlivesTheLease completes with a retention that is longer than the lease, again with one
// that is longer than the first, and many times. The last retention counts.
func (s *dedupeSuite) doneOutlivesTheLease() {
	a, b := s.process(0), s.process(0)
	a.claim("id", "1", longLease)
	a.claim("id", "1", shortTime)
	a.completeLost("id", "1", longLease) // the lease may have ended
	a.completeLost("twice", "2", shortTime)
	a.completeLost("twice", "3", longLease)
	time.Sleep(2 * shortTime)
	b.expect(webhook.DedupeDone, "after the end of a completed claim's lease", "id", "4", longLease)
	b.expect(webhook.DedupeDone, "after Complete with a longer retention", "twice", "5", longLease)
	last := a.begin("retention", "often", longLease, webhook.DedupeDone, func() { a.completeLost("often", "1", longLease) })
	for range 12 {
		last = a.begin("retention", "often", shortTime, webhook.DedupeDone, func() { a.completeLost("often", "1", shortTime) })
	}
	b.ends(last)
}

// longestTimes uses times that do not fit in 32 bits of milliseconds or seconds, and 292 years.
func (s *dedupeSuite) longestTimes() {
	p := s.process(0)
	const day = 24 * time.Hour
	for _, long := range []time.Duration{25 * day, 50 * day, 70 * 365 * day, math.MaxInt64 - day} {
		id := long.String()
		p.expect(webhook.DedupeClaimed, "an unknown notification", id, "1", long)
		p.expect(webhook.DedupeBusy, "after a Claim with a long lease", id, "2", long)
		p.expect(webhook.DedupeClaimed, "a renewal with a long lease", id, "1", long)
		p.complete(id, "1", long)
		p.expect(webhook.DedupeDone, "after Complete with a long retention", id, "3", long)
	}
}

// clocksDoNotMatter repeats what depends on time with clocks an hour off.
func (s *dedupeSuite) clocksDoNotMatter() {
	for _, off := range []time.Duration{suite.ClockError, -suite.ClockError} {
		s.deadOwner(off, -off, shortTime)
		s.retention(off, -off, shortTime)
		a, b := s.process(off), s.process(-off)
		id := fmt.Sprint("skewed-", off)
		a.expect(webhook.DedupeClaimed, "an unknown notification", id, "1", suite.ClockError/2)
		b.expect(webhook.DedupeBusy, "in a process with another clock", id, "2", suite.ClockError/2)
		a.expect(webhook.DedupeClaimed, "a renewal", id, "1", suite.ClockError/2)
		b.expect(webhook.DedupeBusy, "in a process with another clock", id, "2", suite.ClockError/2)
		a.complete(id, "1", suite.ClockError/2)
		b.expect(webhook.DedupeDone, "in a process with another clock", id, "3", suite.ClockError/2)
	}
}

// takesOver claims until that succeeds, after a lease of 20 ms. It returns the new claim, or a
// period without an id. Nothing has completed the notification.
func (p *dedupeProcess) takesOver(id, owner string, lease time.Duration) period {
	for latest := p.now().Add(20*time.Millisecond + rounding); ; time.Sleep(time.Millisecond) {
		began := p.now()
		switch got := p.claim(id, owner, lease); {
		case got == webhook.DedupeClaimed:
			return period{"lease", id, lease, webhook.DedupeBusy, began, p.now()}
		case got == webhook.DedupeDone:
			p.Errorf("Claim(%.40q) returned DedupeDone; nothing has completed it", id)
			return period{}
		case got == noState:
			return period{}
		case began.After(latest):
			p.Errorf("%.40q cannot be claimed %v after the end of a lease of 20ms", id, rounding)
			return period{}
		}
	}
}
