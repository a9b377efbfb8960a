package webhooktest

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-freight/terminal49/webhook"
)

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
	a.completeLost("unclaimed", "10", longLease)
	b.expect(webhook.DedupeDone, "after Complete without a claim, which had expired", "unclaimed", "11", longLease)
	b.expect(webhook.DedupeClaimed, "a third notification", "again", "12", longLease)
	b.release("again", "12")
	b.expect(webhook.DedupeClaimed, "after Release by the same owner", "again", "12", longLease)
	a.expect(webhook.DedupeBusy, "a notification that was claimed again", "again", "13", longLease)
}

// oneOfManyWins makes fifty claims at a time in four processes, of unknown notifications and of
// those whose claim expires meanwhile. The owner of that claim is one of the fifty.
func (s *dedupeSuite) oneOfManyWins() {
	processes := []*dedupeProcess{s.process(0), s.process(0), s.process(0), s.process(0)}
	for i := range s.either(40, 10) {
		id, winners := fmt.Sprintf("contended-%d", i), int64(0)
		if i%2 == 1 {
			processes[0].expect(webhook.DedupeClaimed, "an unknown notification", id, "owner-7", 20*time.Millisecond)
			time.Sleep(20 * time.Millisecond)
		}
		for end := s.now().Add(rounding); winners == 0 && s.now().Before(end); time.Sleep(10 * time.Millisecond) {
			winners = s.contend(processes, id)
		}
		if winners != 1 && !s.failed.Load() {
			s.Errorf("%d of 50 concurrent claims of %q succeeded, want 1", winners, id)
			return
		}
	}
}

func (s *dedupeSuite) contend(processes []*dedupeProcess, id string) int64 {
	var winners atomic.Int64
	together(50, func(i int) {
		switch processes[i%len(processes)].claim(id, fmt.Sprintf("owner-%d", i), longLease) {
		case webhook.DedupeClaimed:
			winners.Add(1)
		case webhook.DedupeDone:
			s.Errorf("a claim of %q returned DedupeDone; nothing has completed it", id)
		}
	})
	return winners.Load()
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

// claimAloneIsNotDone lets owners die one after another. None did the work. An owner whose claim
// has expired may claim again.
func (s *dedupeSuite) claimAloneIsNotDone() {
	p := s.process(0)
	p.expect(webhook.DedupeClaimed, "an unknown notification", "again", "1", 20*time.Millisecond)
	time.Sleep(20*time.Millisecond + rounding)
	p.expect(webhook.DedupeClaimed, "a claim by the owner whose claim had expired", "again", "1", longLease)
	for _, owner := range []string{"1", "2", "3"} {
		if p.takesOver("id", owner, 20*time.Millisecond).id == "" {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	if p.takesOver("id", "4", longLease).id == "" {
		return
	}
	p.release("id", "4")
	p.expect(webhook.DedupeClaimed, "after four owners who did not complete it", "id", "5", longLease)
}

// forgottenIsNew claims a notification after the end of its retention. It is then claimed, not
// done, and can be released, and completed again.
func (s *dedupeSuite) forgottenIsNew() {
	a, b := s.process(0), s.process(0)
	a.expect(webhook.DedupeClaimed, "an unknown notification", "id", "1", longLease)
	a.complete("id", "1", 20*time.Millisecond)
	time.Sleep(20 * time.Millisecond)
	for end := s.now().Add(rounding); b.claim("id", "2", longLease) == webhook.DedupeDone && s.now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	b.expect(webhook.DedupeClaimed, "a renewal of a claim after the end of a retention", "id", "2", longLease)
	a.expect(webhook.DedupeBusy, "a notification that was claimed after the end of a retention", "id", "3", longLease)
	a.release("id", "1")
	a.expect(webhook.DedupeBusy, "after Release by the owner who completed it before", "id", "3", longLease)
	b.release("id", "2")
	a.expect(webhook.DedupeClaimed, "after Release", "id", "3", longLease)
	a.complete("id", "3", longLease)
	b.expect(webhook.DedupeDone, "after a second Complete", "id", "4", longLease)
}

// lateReleaseDoesNothing releases after the claim went to another owner.
func (s *dedupeSuite) lateReleaseDoesNothing() {
	a, b := s.process(0), s.process(0)
	a.expect(webhook.DedupeClaimed, "an unknown notification", "id", "slow", 20*time.Millisecond)
	if b.takesOver("id", "second", longLease).id == "" {
		return
	}
	a.release("id", "slow")
	a.expect(webhook.DedupeBusy, "after a late Release", "id", "3", longLease)
	a.expect(webhook.DedupeBusy, "a late renewal", "id", "slow", longLease)
	b.expect(webhook.DedupeClaimed, "a renewal after a late one of another owner", "id", "second", longLease)
	b.complete("id", "second", longLease)
	a.release("id", "slow")
	a.expect(webhook.DedupeDone, "after a late Release of what is done", "id", "4", longLease)
}

// lateCompleteCounts completes after the claim went to another owner: the work is done.
func (s *dedupeSuite) lateCompleteCounts() {
	a, b := s.process(0), s.process(0)
	a.expect(webhook.DedupeClaimed, "an unknown notification", "id", "slow", 20*time.Millisecond)
	if b.takesOver("id", "second", longLease).id == "" {
		return
	}
	a.completeLost("id", "slow", longLease)
	b.expect(webhook.DedupeDone, "after Complete by a slow owner", "id", "3", longLease)
	b.expect(webhook.DedupeDone, "a renewal after Complete by a slow owner", "id", "second", longLease)
	b.release("id", "second")
	b.expect(webhook.DedupeDone, "after Release by the other owner, whose claim Complete ended", "id", "4", longLease)
	b.completeLost("id", "second", longLease)
	a.expect(webhook.DedupeDone, "after Complete by both", "id", "5", longLease)
}
