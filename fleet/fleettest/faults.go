package fleettest

import (
	"context"
	"time"

	"github.com/go-freight/terminal49"
)

// fullDemand runs two processes at full demand until stop is called, and audits them.
func (f *limiterFleet) fullDemand() (stop func()) {
	ctx, cancel := context.WithCancel(f.ctx)
	for range 2 {
		f.process(0).workAll(ctx)
	}
	return func() {
		cancel()
		f.workers.Wait()
	}
}

// engineAway makes the engine fail for one and a half windows of full demand. Requests wait, also
// those of a process that starts meanwhile, and a pause holds. Deadlines pass in time, and releases
// return. Afterwards all is as before.
func (s *limiterSuite) engineAway() {
	f := s.fleet()
	stop := f.fullDemand()
	a := f.process(0)
	inFlight := a.take(a.ctx, 2, s.patience(), terminal49.BucketCreate)
	time.Sleep(s.windows(1.2))
	back := s.faults.Away()
	fresh := f.process(0)
	for _, b := range buckets {
		f.workers.Go(func() { fresh.burst(b, 2) })
		f.workers.Go(func() { _, _ = fresh.within(s.windows(0.3), b) })
	}
	time.Sleep(s.windows(0.2))
	for _, r := range inFlight {
		f.workers.Go(func() { s.returns("release", func() { releaseAll([]*limitedRequest{r}) }) })
	}
	end := time.Now().Add(s.windows(2.5))
	s.returns("Pause", func() { a.limiter.Pause(terminal49.BucketRefresh, s.windows(2.5)) })
	time.Sleep(s.windows(1.3))
	back()
	paused := a.acquired(terminal49.BucketRefresh)
	time.Sleep(s.windows(2.5))
	stop()
	if from := <-paused; from.Before(end) {
		s.errorf("a request is sent %v before the end of a pause that began while the engine was away", end.Sub(from))
	}
	f.each(func(b terminal49.Bucket) { releaseAll(fresh.fill(b)) })
	f.audit()
}

// returns reports a call that does not return within patience.
func (s *limiterSuite) returns(name string, call func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		call()
	}()
	select {
	case <-done:
	case <-time.After(s.patience()):
		s.errorf("%s did not return within %v while the engine is away", name, s.patience())
	}
}

// shortOutage makes the engine fail for half a window while one process has all slots in flight.
// They are still taken afterwards.
func (s *limiterSuite) shortOutage() {
	f := s.fleet()
	a, b := f.process(0), f.process(0)
	var long []*limitedRequest
	for _, bucket := range buckets {
		long = append(long, a.fill(bucket)...)
	}
	time.Sleep(s.windows(0.9))
	back := s.faults.Away()
	time.Sleep(s.windows(0.5))
	back()
	b.tryFor(s.windows(3))
	releaseAll(long)
	f.each(func(bucket terminal49.Bucket) { releaseAll(b.fill(bucket)) })
	f.audit()
}

// engineSlow makes each call of the engine take a third of a window longer, for four windows of
// full demand. Waiting calls succeed afterwards.
func (s *limiterSuite) engineSlow() {
	f := s.fleet()
	stop := f.fullDemand()
	time.Sleep(s.windows(0.7))
	normal := s.faults.Slow(s.window / 3)
	time.Sleep(s.windows(4))
	normal()
	time.Sleep(s.windows(2))
	stop()
	p := f.process(0)
	f.each(func(b terminal49.Bucket) { releaseAll(p.fill(b)) })
	f.audit()
}

// leavingWaitersOfASlowEngine ends the contexts of waiters while the engine decides.
func (s *limiterSuite) leavingWaitersOfASlowEngine() {
	const part = 50
	normal := s.faults.Slow(s.window / part)
	defer normal()
	s.leaving(s.window / part)
}

// engineLost deletes the engine's data during full demand. At most twice the limit is then sent in
// one window, and no more than the limit in those that begin two windows later.
func (s *limiterSuite) engineLost() {
	f := s.fleet()
	stop := f.fullDemand()
	time.Sleep(s.windows(1.7))
	f.audit()
	lost := time.Now()
	s.faults.Lose()
	time.Sleep(s.windows(6))
	stop()
	f.auditFrom(time.Time{}, 2)
	f.auditFrom(lost.Add(s.windows(2)), 1)
	p := f.process(0)
	f.each(func(b terminal49.Bucket) { releaseAll(p.fill(b)) })
}

// longRequestsAfterLoss deletes the engine's data while half of the slots are in flight. One and a
// quarter windows later they are taken again.
func (s *limiterSuite) longRequestsAfterLoss() {
	f := s.fleet()
	a, b := f.process(0), f.process(0)
	for _, bucket := range buckets {
		a.take(a.ctx, limitOf(f.setup.Limits, bucket)/2, s.patience(), bucket)
	}
	time.Sleep(s.windows(0.5))
	s.faults.Lose()
	time.Sleep(s.windows(1.25))
	for _, bucket := range buckets {
		b.take(b.ctx, limitOf(f.setup.Limits, bucket)/2, s.patience(), bucket)
	}
	b.tryFor(s.windows(2))
	f.audit()
}
