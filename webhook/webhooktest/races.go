package webhooktest

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/go-freight/terminal49/webhook"
)

// rounds repeats a race in four processes until it shows a problem.
func (s *dedupeSuite) rounds(race func(id string, p []*dedupeProcess) (problem string)) {
	processes := []*dedupeProcess{s.process(0), s.process(0), s.process(0), s.process(0)}
	for i := range s.either(1000, 30) {
		if problem := race(fmt.Sprintf("race-%d", i), processes); problem != "" && !s.failed.Load() {
			s.Errorf("%s", problem)
			return
		}
	}
}

// releaseIsAtomic releases a claim several times at once while others claim. A claim that one of
// them got must not be released.
func (s *dedupeSuite) releaseIsAtomic() {
	s.rounds(func(id string, p []*dedupeProcess) string {
		p[0].expect(webhook.DedupeClaimed, "an unknown notification", id, "owner", longLease)
		c := contest{id: id}
		together(12, func(i int) {
			if i%2 == 0 {
				p[i%4].release(id, "owner")
			} else {
				c.claim(p[i%4], i)
			}
		})
		return c.problem(p[0])
	})
}

// renewalIsAtomic renews a claim in several processes at once. One of them then releases it, and
// claims for another owner. If that succeeds, the former owner must not renew its claim.
func (s *dedupeSuite) renewalIsAtomic() {
	s.rounds(func(id string, p []*dedupeProcess) string {
		p[0].expect(webhook.DedupeClaimed, "an unknown notification", id, "owner", longLease)
		c := contest{id: id}
		together(8, func(i int) {
			switch {
			case i == 0:
				p[0].claim(id, "owner", longLease)
				p[0].release(id, "owner")
				c.claim(p[0], i)
			case i%2 == 0:
				for range 3 {
					p[i%4].claim(id, "owner", longLease)
				}
			default:
				c.claim(p[i%4], i)
			}
		})
		return c.problem(p[0])
	})
}

// contest is about the claim of a notification that several others want.
type contest struct {
	id      string
	winner  atomic.Pointer[string]
	winners atomic.Int64
}

// claim claims for another owner until it succeeds, a few times.
func (c *contest) claim(p *dedupeProcess, i int) {
	owner := fmt.Sprint("other-", i)
	for range 3 {
		if p.claim(c.id, owner, longLease) == webhook.DedupeClaimed {
			c.winner.Store(&owner)
			c.winners.Add(1)
			return
		}
	}
}

// problem returns what is wrong if others got the claim: only one may, and must still have it.
func (c *contest) problem(p *dedupeProcess) string {
	won := c.winner.Load()
	switch {
	case won == nil:
		return ""
	case c.winners.Load() > 1:
		return fmt.Sprintf("%d owners claimed %q, which one of them had", c.winners.Load(), c.id)
	}
	if got := p.claim(c.id, "third", longLease); got != webhook.DedupeBusy {
		return fmt.Sprintf("%s claimed %q, and then a third owner's Claim returned %s, want DedupeBusy", *won, c.id, dedupeStateName(got))
	}
	if got := p.claim(c.id, *won, longLease); got != webhook.DedupeClaimed {
		return fmt.Sprintf("%s claimed %q, and its renewal then returned %s, want DedupeClaimed", *won, c.id, dedupeStateName(got))
	}
	return ""
}

// doneIsFinal completes while others claim, renew and release, also a claim that has expired.
func (s *dedupeSuite) doneIsFinal() {
	n := 0
	s.rounds(func(id string, p []*dedupeProcess) string {
		if n++; n%3 > 0 {
			lease := []time.Duration{time.Millisecond, longLease}[n%2]
			p[0].expect(webhook.DedupeClaimed, "an unknown notification", id, "owner", lease)
			time.Sleep(time.Millisecond)
		}
		together(12, func(i int) {
			switch i % 6 {
			case 0:
				p[0].completeLost(id, "owner", longLease)
			case 1:
				p[1].release(id, "owner")
			case 2, 3:
				p[2].claim(id, "owner", longLease)
			default:
				p[3].claim(id, fmt.Sprint("other-", i), longLease)
			}
		})
		if got := p[1].claim(id, "third", longLease); got != webhook.DedupeDone {
			return fmt.Sprintf("after Complete during other calls, Claim(%q) returned %s, want DedupeDone", id, dedupeStateName(got))
		}
		return ""
	})
}
