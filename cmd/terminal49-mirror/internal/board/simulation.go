package board

import (
	"context"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// simulation is a simulated account, whose webhooks reach the mirror.
type simulation struct {
	own
	*turning
	first float64 // speed of the clock once all has been read
}

func newSimulation(o Own, server *terminal49test.Server, speed float64) *simulation {
	s := &simulation{own: newOwn(o, ", and a webhook reports each change"), turning: newTurning(server, 0), first: speed}
	s.clock, s.at = s.turning.now, s.turning.of
	return s
}

func (s *simulation) now() time.Time { return s.turning.now() }

// tick is short, because a simulated day may pass in a second.
func (s *simulation) tick() time.Duration { return time.Second }

// follow mirrors the account while its clock runs.
func (s *simulation) follow(ctx context.Context, m *model) error {
	ctx, cancel := context.WithCancel(ctx)
	running := make(chan struct{})
	go func() {
		defer close(running)
		s.runClock(ctx)
	}()
	_ = s.count(ctx) // the page does without
	err := s.own.follow(ctx, m)
	cancel()
	<-running
	return err
}

// runClock lets the clock run once all has been read, unless a page has turned it before: what
// changes meanwhile would be read twice. Then it has the mirror read what no webhook reports.
func (s *simulation) runClock(ctx context.Context) {
	for s.readSince().IsZero() {
		if !wait(ctx, feedInterval) {
			return
		}
	}
	if !s.isTurned() {
		s.begin(s.first, 0)
	}
	s.walkAgain(ctx)
}

// twoChecks is the time in which the simulated service checks each terminal twice. It notifies of
// what has changed, but not of a check.
const twoChecks = 12 * time.Hour

// walkAgain has everything read again after each two checks. Its errors are the mirror's, too, and
// in the status.
func (s *simulation) walkAgain(ctx context.Context) {
	for read := s.now(); wait(ctx, time.Second); {
		if now := s.now(); now.Sub(read) >= twoChecks {
			read = now
			_ = s.feed.Reconcile(ctx)
		}
	}
}
