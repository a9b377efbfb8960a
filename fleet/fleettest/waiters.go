package fleettest

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/go-freight/terminal49"
)

// waitPastTheDeadlineFails calls Acquire when no slot can be free before the deadline: because of a
// pause, and because all requests are in flight.
func (s *limiterSuite) waitPastTheDeadlineFails() {
	f := s.fleet()
	paused, full := []*limitedProcess{f.process(0), f.process(0)}, s.fleet()
	for _, p := range paused {
		p.limiter.Pause(terminal49.BucketDefault, time.Hour)
		p.refused("during a pause of an hour", terminal49.BucketDefault, 20*time.Second)
		ended, cancel := context.WithCancel(s.ctx)
		cancel()
		if r, err := p.send(ended, terminal49.BucketCreate); err == nil {
			s.errorf("Acquire succeeds after the end of its context")
			r.release()
		}
	}
	a, b := full.process(0), full.process(0)
	for _, bucket := range buckets {
		a.fill(bucket)
		a.refused("while all slots are taken", bucket, s.windows(0.9))
		b.refused("while all slots are taken", bucket, s.windows(0.9))
	}
	full.audit()
}

// refused reports an Acquire that does not fail at once although its wait exceeds its deadline.
func (p *limitedProcess) refused(when string, b terminal49.Bucket, deadline time.Duration) {
	start := time.Now()
	r, err := p.within(deadline, b)
	took := time.Since(start)
	switch {
	case err == nil:
		r.release()
		p.errorf("%s, a request is sent in bucket %s after %v", when, b, took)
	case took > deadline/2:
		p.errorf("%s, Acquire failed after %v, not at once; its deadline was %v away: %v", when, took, deadline, err)
	}
}

// waitBeforeTheDeadlineSucceeds calls Acquire with a deadline that leaves a quarter of a window
// more than the wait: for slots that were released, for slots in flight, and for a pause.
func (s *limiterSuite) waitBeforeTheDeadlineSucceeds() {
	f := s.fleet()
	a, b := f.process(0), f.process(0)
	f.each(func(bucket terminal49.Bucket) { releaseAll(a.fill(bucket)) })
	time.Sleep(s.windows(0.1))
	inFlight := make(chan *limitedRequest, 1000)
	for _, p := range []*limitedProcess{a, b} {
		for _, bucket := range buckets {
			for range limitOf(f.setup.Limits, bucket) / 2 {
				f.workers.Go(func() { inFlight <- p.before(s.windows(1.15), bucket) })
			}
		}
	}
	f.workers.Wait()
	close(inFlight)
	for _, bucket := range buckets {
		f.workers.Go(func() { releaseAll([]*limitedRequest{b.before(s.windows(2), bucket)}) })
	}
	time.Sleep(s.windows(0.2))
	for r := range inFlight {
		releaseAll([]*limitedRequest{r})
	}
	f.workers.Wait()
	time.Sleep(s.windows(1.1))
	a.limiter.Pause(terminal49.BucketDefault, s.window)
	for _, p := range []*limitedProcess{a, b} {
		releaseAll([]*limitedRequest{p.before(s.windows(1.25), terminal49.BucketDefault)})
	}
	releaseAll([]*limitedRequest{a.before(24*time.Hour, terminal49.BucketCreate)})
	f.audit()
}

// before returns a request that is sent before the deadline, and reports if it is not.
func (p *limitedProcess) before(deadline time.Duration, b terminal49.Bucket) *limitedRequest {
	r, err := p.within(deadline, b)
	if err != nil {
		p.errorf("bucket %s: Acquire failed although its wait ends before its deadline, in %v: %v", b, deadline, err)
	}
	return r
}

// refusedCallTakesNoSlot makes three times the limit fail, because a context has ended or a pause
// outlasts its deadline. The whole budget is then usable.
func (s *limiterSuite) refusedCallTakesNoSlot() {
	f := s.fleet()
	a, b := f.process(0), f.process(0)
	ended, cancel := context.WithCancel(s.ctx)
	cancel()
	f.each(func(bucket terminal49.Bucket) {
		a.limiter.Pause(bucket, s.windows(0.5))
		for range 3 * limitOf(f.setup.Limits, bucket) {
			if r, err := a.within(s.windows(0.1), bucket); err == nil {
				r.release()
			}
			if r, err := b.send(ended, bucket); err == nil {
				r.release()
			}
		}
	})
	time.Sleep(s.windows(0.6))
	f.each(func(bucket terminal49.Bucket) { releaseAll(b.fillSoon(bucket)) })
	f.audit()
}

// cancelledWaiterTakesNoSlot cancels waiters of two processes while all slots are taken.
func (s *limiterSuite) cancelledWaiterTakesNoSlot() {
	f := s.fleet()
	a, b := f.process(0), f.process(0)
	inFlight := a.fill(terminal49.BucketRefresh)
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	for i := range 2 * f.setup.Limits.Refresh {
		f.workers.Go(func() {
			if r, err := []*limitedProcess{a, b}[i%2].send(ctx, terminal49.BucketRefresh); err == nil {
				r.release()
			}
		})
	}
	time.Sleep(s.windows(0.25))
	cancel()
	f.workers.Wait()
	releaseAll(inFlight)
	time.Sleep(s.windows(1.25)) // a waiter that is still there takes its slot now
	releaseAll(b.fillSoon(terminal49.BucketRefresh))
	f.audit()
}

func (s *limiterSuite) leavingWaiters() { s.leaving(0) }

// leaving ends the contexts of waiters at about the time at which slots become free. The slots that
// they were given and did not use are free again at once, within a quarter of a window and the time
// of 30 calls of the engine. The other slots, half of all, are in flight and stay taken.
func (s *limiterSuite) leaving(call time.Duration) {
	for _, early := range []float64{0, 0.012, 0.03, 0.004, -0.01, 0}[:s.either(6, 2)] {
		f := s.fleet()
		a, b, c := f.process(0), f.process(0), f.process(0)
		n := f.setup.Limits.Refresh / 2
		inFlight := c.fill(terminal49.BucketRefresh)
		releaseAll(inFlight[n:])
		free := time.Now().Add(s.window)
		time.Sleep(s.windows(0.5))
		ctx, cancel := context.WithCancel(s.ctx)
		time.AfterFunc(time.Until(free)-s.windows(early)+call, cancel)
		var sent atomic.Int64
		for i := range 2 * n {
			f.workers.Go(func() {
				if r, err := []*limitedProcess{a, b}[i%2].send(ctx, terminal49.BucketRefresh); err == nil {
					sent.Add(1)
					r.release()
				}
			})
		}
		f.workers.Wait()
		cancel()
		rest := n - min(int(sent.Load()), n)
		releaseAll(c.take(c.ctx, rest, time.Until(free)+s.windows(0.25)+30*call, terminal49.BucketRefresh))
		c.burst(terminal49.BucketRefresh, 2*n)
		f.audit()
	}
}

// inOrder makes waiters of one or several processes ask one after another, window/25 apart. They
// are served in this order while slots become free one after another.
func (s *limiterSuite) inOrder(processes int) {
	f := s.fleet()
	q := f.line()
	all := make([]*limitedProcess, processes)
	for i := range all {
		all[i] = f.process(0)
	}
	for i := range places {
		p := all[i%processes]
		q.ask(p, p.ctx, fmt.Sprintf("call %d", i+1))
		time.Sleep(s.windows(0.04))
	}
	q.require(q.asked)
}
