package fleettest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/suite"
)

// waitPastTheDeadlineFails calls Acquire when no slot can be free before the deadline: because of a
// pause, and because all requests are in flight.
func (s *limiterSuite) waitPastTheDeadlineFails() {
	f := s.fleet(suite.Window)
	a, b := f.process(0), f.process(0)
	for _, p := range []*limitedProcess{a, b} {
		p.limiter.Pause(terminal49.BucketDefault, time.Hour)
		if problem := p.refused(terminal49.BucketDefault, 10*time.Second); problem != "" {
			s.Errorf("during a pause of an hour, %s", problem)
		}
		ended, cancel := context.WithCancel(s.Ctx)
		cancel()
		if r, err := p.acquire(ended, terminal49.BucketCreate); err == nil {
			s.Errorf("Acquire succeeds after the end of its context")
			r.release()
		}
	}
	s.Patiently(func(window time.Duration) (problem string) {
		f := s.fleet(window)
		a, b := f.process(0), f.process(0)
		inFlight := a.fill(terminal49.BucketRefresh)
		defer releaseAll(inFlight)
		for _, p := range []*limitedProcess{a, b} {
			if found := p.refused(terminal49.BucketRefresh, window*9/10); found != "" {
				problem = "while all slots are taken, " + found
			}
		}
		f.audit()
		return problem
	})
}

// refused describes an Acquire that does not fail at once although its wait exceeds its deadline.
func (p *limitedProcess) refused(b terminal49.Bucket, deadline time.Duration) string {
	start := time.Now()
	r, err := p.within(deadline, b)
	took := time.Since(start)
	switch {
	case err == nil:
		r.release()
		return fmt.Sprintf("a request is sent after %v", took)
	case took > deadline/2:
		return fmt.Sprintf("Acquire failed after %v, not at once; its deadline was %v away: %v", took, deadline, err)
	}
	return ""
}

// cancelledWaiterTakesNoSlot cancels waiters of two processes while all slots are taken.
func (s *limiterSuite) cancelledWaiterTakesNoSlot() {
	f := s.fleet(suite.Window)
	a, b := f.process(0), f.process(0)
	inFlight := a.fill(terminal49.BucketRefresh)
	ctx, cancel := context.WithCancel(s.Ctx)
	defer cancel()
	var waiters sync.WaitGroup
	for i := range 10 {
		waiters.Go(func() {
			if r, err := []*limitedProcess{a, b}[i%2].acquire(ctx, terminal49.BucketRefresh); err == nil {
				r.release()
			}
		})
	}
	time.Sleep(suite.Window / 4)
	cancel()
	returned := make(chan struct{})
	go func() {
		defer close(returned)
		waiters.Wait()
	}()
	select {
	case <-returned:
	case <-time.After(suite.Patience / 4):
		s.Errorf("Acquire did not return within %v of the end of its context", suite.Patience/4)
	}
	releaseAll(inFlight)
	time.Sleep(suite.Window * 5 / 4) // a waiter that is still there takes its slot now
	releaseAll(b.fill(terminal49.BucketRefresh))
	f.audit()
}

// releasingTwiceFreesOneSlot releases one of four slots several times, also after another process
// took it.
func (s *limiterSuite) releasingTwiceFreesOneSlot() {
	f := s.fleet(suite.Window)
	a, b := f.process(0), f.process(0)
	inFlight := a.fill(terminal49.BucketRefresh)
	if len(inFlight) == 0 {
		return
	}
	first := inFlight[0]
	var all sync.WaitGroup
	for range 3 {
		all.Go(first.release)
	}
	all.Wait()
	b.tryFor(3 * suite.Window / 2)
	first.release()
	b.tryFor(3 * suite.Window / 2)
	f.audit()
}

// bucketsAreIndependent takes all slots of one bucket and pauses it.
func (s *limiterSuite) bucketsAreIndependent() {
	f := s.fleet(suite.Window)
	a, b := f.process(0), f.process(0)
	inFlight := a.fill(terminal49.BucketDefault)
	a.limiter.Pause(terminal49.BucketDefault, time.Hour)
	time.Sleep(suite.Window / 4)
	for _, bucket := range []terminal49.Bucket{terminal49.BucketCreate, terminal49.BucketInfer, terminal49.BucketRefresh} {
		inFlight = append(inFlight, a.must(bucket), b.must(bucket))
	}
	f.audit()
	releaseAll(inFlight)
}

// namespacesAreIndependent does the same in one namespace, and acquires in another whose name
// begins with the first one's.
func (s *limiterSuite) namespacesAreIndependent() {
	f, other := s.fleet(suite.Window), s.fleet(suite.Window)
	other.setup.Namespace = f.setup.Namespace + "2"
	a, b := f.process(0), other.process(0)
	inFlight := a.fill(terminal49.BucketDefault)
	a.limiter.Pause(terminal49.BucketDefault, time.Hour)
	time.Sleep(suite.Window / 4)
	releaseAll(b.fill(terminal49.BucketDefault))
	releaseAll(inFlight)
}

// clocksDoNotMatter repeats the checks that depend on time with clocks an hour off.
func (s *limiterSuite) clocksDoNotMatter() {
	f := s.fleet(suite.Window)
	f.demand(4, suite.ClockError, 0, -suite.ClockError)
	f.audit()
	s.usable(-suite.ClockError, suite.ClockError)
	for _, off := range []time.Duration{suite.ClockError, -suite.ClockError} {
		s.deadProcess(off, -off)
		s.pause(off, -off)
	}
}
