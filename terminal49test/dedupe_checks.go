package terminal49test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-freight/terminal49/webhook"
)

// longLease does not end during a test, even if a clock is an hour wrong.
const longLease = 10 * clockError

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

// oneOfManyWins has fifty claims at a time in four processes, of unknown notifications and of those
// whose claim expires meanwhile.
func (s *dedupeSuite) oneOfManyWins() {
	processes := []*dedupeProcess{s.process(0), s.process(0), s.process(0), s.process(0)}
	for i := range 10 {
		id, winners := fmt.Sprintf("contended-%d", i), int64(0)
		if i%2 == 1 {
			processes[0].expect(webhook.DedupeClaimed, "an unknown notification", id, "dead", 20*time.Millisecond)
		}
		for start := time.Now(); winners == 0 && time.Since(start) < patience; time.Sleep(time.Millisecond) {
			winners = s.contend(processes, id)
		}
		if winners != 1 {
			s.errorf("%d of 50 concurrent claims of %q succeeded, want 1", winners, id)
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
				s.errorf("a claim of %q returned DedupeDone; nothing has completed it", id)
			}
		})
	}
	close(start)
	all.Wait()
	return winners.Load()
}

// eventually claims until it gets a state, for as long as the suite is patient.
func (p *dedupeProcess) eventually(want webhook.DedupeState, id, owner string, lease time.Duration) bool {
	for start := time.Now(); time.Since(start) < patience; time.Sleep(time.Millisecond) {
		if got := p.claim(id, owner, lease); got == want {
			return true
		} else if got == noState {
			return false
		}
	}
	p.errorf("Claim(%.40q) did not return %s within %v", id, dedupeStateName(want), patience)
	return false
}
