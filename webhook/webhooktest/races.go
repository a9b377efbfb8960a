package webhooktest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-freight/terminal49/webhook"
)

// raceCall is one of several calls at the same time. Another call was made earlier if it ended
// before this one began.
type raceCall struct {
	name, owner string // of a method
	began, over int64  // numbers in the order of all beginnings and ends
	state       webhook.DedupeState
	lost        bool // Complete reported a lost claim
}

func (c raceCall) String() string {
	switch {
	case c.name == "Claim":
		return fmt.Sprintf("Claim(%q) = %s", c.owner, stateName(c.state))
	case c.lost:
		return fmt.Sprintf("Complete(%q) = ErrClaimLost", c.owner)
	}
	return fmt.Sprintf("%s(%q)", c.name, c.owner)
}

// races makes calls at the same time for one notification after another, which is unknown, claimed,
// or claimed until just before.
func (s *dedupeSuite) races() {
	processes := []*dedupeProcess{s.process(0), s.process(0), s.process(0), s.process(0)}
	const batch = 24
	for i := range s.either(40, 4) {
		id := func(n int) string { return fmt.Sprintf("race-%d-%d", i, n) }
		for n := 0; n < batch; n += 2 {
			processes[0].claim(id(n), "owner-0", []time.Duration{soon, longLease}[n/2%2])
		}
		time.Sleep(soon + rounding)
		for n := range batch {
			owner := ""
			if n%4 == 2 {
				owner = "owner-0"
			}
			if calls := race(processes, id(n), n); !s.failed.Load() && !explained(calls, owner) {
				var all []string
				for _, c := range calls {
					all = append(all, c.String())
				}
				s.Errorf("no order explains the results of calls at the same time for a notification that %q has claimed: %s",
					owner, strings.Join(all, ", "))
				return
			}
		}
	}
}

// race makes calls of three owners at the same time in all processes: claims only, or all methods.
// A claim by another owner follows.
func race(processes []*dedupeProcess, id string, kind int) []raceCall {
	calls, order := make([]raceCall, 12), atomic.Int64{}
	do := func(i int) {
		p, c := processes[i%len(processes)], &calls[i]
		c.began = order.Add(1)
		c.make(p, id)
		c.over = order.Add(1)
	}
	for i := range calls {
		calls[i] = raceCall{name: "Claim", owner: fmt.Sprint("owner-", rand.IntN(4))}
		if kind%3 > 0 {
			calls[i].name = []string{"Claim", "Claim", "Release", "Complete"}[rand.IntN(2+kind%3)]
		}
	}
	calls[len(calls)-1] = raceCall{name: "Claim", owner: "last"}
	together(len(calls)-1, do)
	do(len(calls) - 1)
	return calls
}

func (c *raceCall) make(p *dedupeProcess, id string) {
	p.call(func(ctx context.Context) (err error) {
		switch c.name {
		case "Claim":
			c.state, err = p.store.Claim(ctx, id, c.owner, longLease)
		case "Release":
			err = p.store.Release(ctx, id, c.owner)
		default:
			err = p.store.Complete(ctx, id, c.owner, longLease)
			if c.lost = errors.Is(err, webhook.ErrClaimLost); c.lost {
				err = nil
			}
		}
		return err
	}, "%s(%q, %q) at the same time as other calls", c.name, id, c.owner)
}

// together calls do n times at once, in random order, and waits for all calls.
func together(n int, do func(i int)) {
	var all sync.WaitGroup
	start := make(chan struct{})
	for _, i := range rand.Perm(n) {
		all.Go(func() {
			<-start
			do(i)
		})
	}
	close(start)
	all.Wait()
}

// doneOwner is the owner of a notification that is done. No call has it.
const doneOwner = "done"

// explained reports whether the results are those of the same calls one after another in some
// order, beginning with a notification that owner has claimed.
func explained(calls []raceCall, owner string) bool {
	type situation struct {
		made  int // a bit for each call
		owner string
	}
	seen := map[situation]bool{}
	var explain func(at situation) bool
	explain = func(at situation) bool {
		if at.made == 1<<len(calls)-1 {
			return true
		}
		if seen[at] {
			return false
		}
		seen[at] = true
		return slices.ContainsFunc(firstOf(calls, at.made), func(i int) bool {
			next, ok := calls[i].follow(at.owner)
			return ok && explain(situation{at.made | 1<<i, next})
		})
	}
	return explain(situation{0, owner})
}

// firstOf returns the calls that can be the next: no other that was not made ended before they
// began.
func firstOf(calls []raceCall, made int) (first []int) {
	for i, c := range calls {
		if made&(1<<i) == 0 && !slices.ContainsFunc(calls, func(other raceCall) bool {
			return other.over < c.began && made&(1<<slices.Index(calls, other)) == 0
		}) {
			first = append(first, i)
		}
	}
	return first
}

// follow returns the owner after a call, and whether its result is right before it: "" if the
// notification is unknown.
func (c raceCall) follow(owner string) (after string, ok bool) {
	mine := owner == c.owner
	switch {
	case c.name == "Complete":
		return doneOwner, !c.lost || !mine
	case c.name == "Release" && mine:
		return "", true
	case c.name == "Release":
		return owner, true
	case owner == "" || mine:
		return c.owner, c.state == webhook.DedupeClaimed
	case owner == doneOwner:
		return owner, c.state == webhook.DedupeDone
	}
	return owner, c.state == webhook.DedupeBusy
}
