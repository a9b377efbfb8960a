package webhooktest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
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
	// soon is a lease that has ended when other calls follow.
	soon = 20 * time.Millisecond
	day  = 24 * time.Hour
)

// randomCalls makes random calls of three owners for a few notifications, and lets leases and
// retentions end between them. Processes are replaced by new ones.
func (s *dedupeSuite) randomCalls() {
	random := rand.New(rand.NewPCG(1, 49))
	some := func(all ...time.Duration) time.Duration { return all[random.IntN(len(all))] }
	for range s.either(40, 2) {
		s.namespace = suite.NewNamespace()
		processes := []*dedupeProcess{s.process(0), s.process(0), s.process(0)}
		for range 24 {
			for range 20 {
				p, id, owner := processes[random.IntN(3)], fmt.Sprint("id-", random.IntN(6)), fmt.Sprint("owner-", random.IntN(3))
				switch random.IntN(12) {
				case 0:
					p.complete(id, owner, some(soon, soon, shortTime, 3*time.Second, longLease))
				case 1, 2:
					p.release(id, owner)
				default:
					p.claim(id, owner, some(soon, shortTime, 3*time.Second, longLease))
				}
			}
			if s.failed.Load() {
				return
			}
			time.Sleep(some(0, soon, 2*shortTime))
			processes[random.IntN(12)%3] = s.process(0)
		}
		s.pass(3*time.Second + rounding)
	}
}

// strangers returns owners that a store may confuse with owner.
func strangers(owner string) []string {
	last := len(owner) - 1
	return []string{
		"stranger", "", strings.ToUpper(owner), owner + " ", " " + owner, owner[:last], owner[1:], owner + "0", "%",
		owner[:last] + "_", owner[:last] + "0", "0" + owner[1:], strings.ReplaceAll(owner, "-", ""),
		owner[:len(owner)/2], owner[:8], owner[:8] + "-0000-4000-8000-000000000000", "{" + owner + "}",
	}
}

// owners releases and renews as owners whose names are similar, and gives several notifications to
// one owner.
func (s *dedupeSuite) owners() {
	const owner = "6ba7b810-9dad-41d1-80b4-00c04fd430c8" // owners of a handler have this form
	a, b := s.process(0), s.process(0)
	a.claim("id", owner, longLease)
	for _, stranger := range strangers(owner) {
		b.release("id", stranger)
		b.claim("id", "2", longLease)
		a.claim("id", stranger, longLease)
		b.claim("id", stranger, soon)
	}
	b.release("unknown", "stranger")
	for _, id := range []string{"renewed", "released", "completed", "held"} {
		a.claim(id, owner, longLease)
	}
	b.claim("renewed", owner, longLease) // in another process
	a.release("released", owner)
	a.complete("completed", owner, longLease)
	a.claim("id", owner, longLease)
	for _, id := range []string{"renewed", "released", "completed", "held", "id"} {
		b.claim(id, "other", longLease)
		a.release(id, owner)
		b.claim(id, "other", longLease)
		a.claim(id, owner, longLease)
	}
}

// leases lets owners die: without a renewal, after many, early and late ones, after a shorter and a
// longer one, and while other owners claim and release.
func (s *dedupeSuite) leases() {
	a, b := s.process(0), s.process(0)
	for i, lease := range []time.Duration{shortTime, shortTime, shortTime, 1100 * time.Millisecond} { // the fraction varies
		id := fmt.Sprint("dead-", i)
		a.claim(id, "owner", lease)
		b.ends(id)
	}
	const often = time.Second
	for range s.either(120, 12) {
		a.claim("often", "owner", often)
		b.claim("often", "other", often)
		time.Sleep(often / 4)
	}
	b.ends("often")
	for i, next := range []struct{ lease, after, renewed time.Duration }{
		{shortTime, shortTime / 10, shortTime}, {shortTime, shortTime * 19 / 20, 2 * shortTime}, {longLease, shortTime, shortTime},
	} {
		id := fmt.Sprint("renewed-", i)
		a.claim(id, "owner", next.lease)
		time.Sleep(next.after)
		a.claim(id, "owner", next.renewed)
		b.ends(id)
	}
	a.claim("strangers", "owner", 2*shortTime)
	b.claim("strangers", "other", soon)
	time.Sleep(shortTime * 19 / 10)
	b.release("strangers", "other")
	b.ends("strangers")
	a.claim("again", "1", longLease) // each claim has its own lease
	a.release("again", "1")
	a.claim("again", "2", shortTime)
	b.ends("again")
}

// retentions completes for different times, as owner and as another, again and again, and a while
// after the claim.
func (s *dedupeSuite) retentions() {
	a, b := s.process(0), s.process(0)
	for i, retention := range []time.Duration{shortTime, shortTime, shortTime, 1100 * time.Millisecond} {
		id := fmt.Sprint("done-", i)
		a.claim(id, "1", longLease)
		a.complete(id, "1", retention)
		b.ends(id)
	}
	for _, owner := range []string{"1", "2"} {
		id := "late-" + owner
		a.claim(id, "1", longLease)
		time.Sleep(shortTime / 2)
		a.claim(id, "1", longLease)
		time.Sleep(shortTime / 2)
		a.complete(id, owner, shortTime)
		b.ends(id)
	}
	a.claim("short lease", "1", shortTime)
	a.complete("short lease", "1", longLease)
	a.complete("twice", "2", shortTime)
	a.complete("twice", "3", longLease)
	time.Sleep(2 * shortTime)
	b.claim("short lease", "4", longLease)
	b.claim("twice", "5", longLease)
	a.complete("often", "1", longLease)
	for range 12 {
		a.complete("often", "1", shortTime)
	}
	b.ends("often")
}

// longTimes lets hours and days pass.
func (s *dedupeSuite) longTimes() {
	a, b := s.process(0), s.process(0)
	for _, lease := range []time.Duration{30 * time.Second, 68 * time.Second, 10 * time.Minute, time.Hour} {
		id := "claimed for " + lease.String()
		a.claim(id, "owner", lease)
		b.ends(id)
	}
	for range s.either(100, 12) {
		a.claim("renewed", "owner", time.Hour)
		b.claim("renewed", "other", time.Hour)
		s.pass(45 * time.Minute)
	}
	b.ends("renewed")
	for _, retention := range []time.Duration{time.Minute, time.Hour + time.Minute, day + time.Hour, webhook.DefaultDedupeRetention, 40 * day} {
		id := "done for " + retention.String()
		a.claim(id, "owner", longLease)
		b.complete(id, "owner", retention)
		b.ends(id)
	}
}

// longestTimes uses times that do not fit in 32 bits of milliseconds or seconds, and 292 years.
func (s *dedupeSuite) longestTimes() {
	a, b := s.process(0), s.process(0)
	for _, long := range []time.Duration{25 * day, 50 * day, 70 * 365 * day, math.MaxInt64 - day} {
		id := long.String()
		for range 2 {
			a.claim(id, "1", long)
			b.claim(id, "2", long)
		}
		a.complete(id, "1", long)
		b.claim(id, "3", long)
	}
}

// clocks repeats what depends on time in processes whose clocks are an hour off.
func (s *dedupeSuite) clocks() {
	for _, off := range []time.Duration{suite.ClockError, -suite.ClockError} {
		a, b := s.process(off), s.process(-off)
		short, long := fmt.Sprint("short-", off), fmt.Sprint("long-", off)
		a.claim(short, "1", shortTime)
		b.ends(short)
		a.complete(short, "1", shortTime)
		b.ends(short)
		for range 2 {
			a.claim(long, "1", suite.ClockError/2)
			b.claim(long, "2", suite.ClockError/2)
		}
		a.complete(long, "1", suite.ClockError/2)
		b.claim(long, "3", suite.ClockError/2)
	}
}

// contexts makes calls whose context has ended.
func (s *dedupeSuite) contexts() {
	p := s.process(0)
	s.failures(p, func(call func(context.Context) error) error {
		return p.within(p.patience(), func(ctx context.Context) error {
			ctx, cancel := context.WithCancel(ctx)
			cancel()
			return call(ctx)
		})
	}, func() {})
}

// outages makes calls while the engine is away.
func (s *dedupeSuite) outages() {
	var back func()
	p := s.process(0)
	s.failures(p, func(call func(context.Context) error) error {
		if back == nil {
			back = s.faults.Away()
		}
		return p.within(300*time.Millisecond, call)
	}, func() { back() })
}

// failures makes calls that cannot work, within the patience. Claim must return an error, except
// for what is done, which a store may know by itself. Complete and Release must have done what they
// return nil for. Afterwards the engine has its data.
func (s *dedupeSuite) failures(a *dedupeProcess, fail func(call func(context.Context) error) error, back func()) {
	b := s.process(0)
	for _, id := range []string{"completed", "released", "held", "done"} {
		a.claim(id, "owner", longLease)
	}
	a.complete("done", "owner", longLease)
	try := func(name string, fails bool, call func(context.Context) error) error {
		err := fail(call)
		if errors.Is(err, errHangs) || fails && err == nil {
			a.Errorf("%s returned %v, want an error", name, err)
		}
		return err
	}
	began := s.now()
	for _, c := range [][2]string{{"new", "owner"}, {"held", "other"}, {"held", "owner"}, {"done", "other"}} {
		state, lease := noState, longLease
		if c[0] == "new" {
			lease = soon
		}
		name := fmt.Sprintf("Claim(%q, %q)", c[0], c[1])
		if try(name, c[0] != "done", func(ctx context.Context) (err error) {
			state, err = a.store.Claim(ctx, c[0], c[1], lease)
			return err
		}) == nil && state != webhook.DedupeDone {
			a.Errorf("%s of what is done returned %s", name, stateName(state))
		}
	}
	completed := try("Complete", false, func(ctx context.Context) error { return a.store.Complete(ctx, "completed", "owner", longLease) })
	released := try("Release", false, func(ctx context.Context) error { return a.store.Release(ctx, "released", "owner") })
	back()
	if !a.recovers() || !b.recovers() {
		return
	}
	for _, c := range [][2]string{{"held", "other"}, {"held", "owner"}, {"done", "other"}} {
		b.claim(c[0], c[1], longLease)
	}
	n := b.notification("new") // the claim may have been made
	n.begin(webhook.DedupeClaimed, "owner", soon, began, s.now())
	n.earliest = began
	b.ends("new")
	n = b.notification("completed")
	if n.begin(webhook.DedupeDone, "owner", longLease, began, s.now()); completed != nil && !errors.Is(completed, webhook.ErrClaimLost) {
		n.state = webhook.DedupeBusy // and may not be done
		b.complete("completed", "owner", longLease)
	}
	b.claim("completed", "other", longLease)
	if b.notification("released").state = webhook.DedupeBusy; released == nil {
		b.claim("released", "other", longLease)
	}
}

// recovers claims until the store works again.
func (p *dedupeProcess) recovers() bool {
	var err error
	for end := time.Now().Add(p.patience()); time.Now().Before(end); time.Sleep(soon) {
		id := fmt.Sprint("probe-", time.Now().UnixNano())
		if err = p.within(time.Second, func(ctx context.Context) error {
			_, err := p.store.Claim(ctx, id, "owner", longLease)
			return err
		}); err == nil {
			return true
		}
	}
	p.Errorf("Claim still fails %v after the engine came back: %v", p.patience(), err)
	return false
}

// losses deletes the data of the engine. Another process then claims what a first one had claimed,
// and the first one must find out.
func (s *dedupeSuite) losses() {
	a, b := s.process(0), s.process(0)
	a.claim("id", "owner", longLease)
	a.claim("renewed", "owner", longLease)
	b.claim("id", "other", longLease)
	s.faults.Lose()
	clear(s.known)
	b.claim("id", "other", longLease)
	a.claim("id", "owner", longLease)
	a.release("id", "owner")
	b.claim("id", "other", longLease)
	a.claim("renewed", "owner", longLease)
	b.claim("renewed", "other", longLease)
	a.complete("id", "owner", longLease)
	b.claim("id", "third", longLease)
}
