package fleettest

import (
	"context"
	"time"

	"github.com/go-freight/terminal49"
)

// busy runs two processes at full demand until stop is called.
func (f *limiterFleet) busy() (stop func()) {
	ctx, cancel := context.WithCancel(f.ctx)
	for range 2 {
		f.process(0).workAll(ctx)
	}
	return func() {
		cancel()
		f.workers.Wait()
	}
}

// outage makes the engine fail for one and a half windows of full demand. Requests wait, also those
// of a process that starts meanwhile, and a pause holds. Deadlines pass in time, and releases
// return. Afterwards all is as before.
func (s *limiterSuite) outage() {
	f := s.fleet()
	stop := f.busy()
	a := f.process(0)
	inFlight := a.take(a.ctx, 2, s.patience(), terminal49.BucketCreate)
	s.sleep(1.2)
	back := s.faults.Away()
	fresh := f.process(0)
	for _, b := range buckets {
		f.workers.Go(func() { fresh.burst(b, 2) })
		f.workers.Go(func() { _, _ = fresh.within(s.windows(0.3), b) })
	}
	s.sleep(0.2)
	for _, r := range inFlight {
		s.returns("release", r.release)
	}
	end := time.Now().Add(s.windows(2.5))
	s.returns("Pause", func() { a.limiter.Pause(terminal49.BucketRefresh, s.windows(2.5)) })
	s.sleep(1.3)
	back()
	paused := a.acquired(terminal49.BucketRefresh)
	s.sleep(2.5)
	stop()
	if from := <-paused; from.Before(end) {
		s.errorf("a request is sent %v before the end of a pause that began while the engine was away", end.Sub(from))
	}
	fresh.usable()
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
	a, b := s.fleet().two()
	long := a.fillAll()
	s.sleep(0.9)
	back := s.faults.Away()
	s.sleep(0.5)
	back()
	b.tryFor(s.windows(3))
	releaseAll(long)
	b.usable()
}

// releasedBeforeOutage releases all slots just before the engine fails for a third of a window, one
// half a moment earlier than the other. They are taken for a window, and then free.
func (s *limiterSuite) releasedBeforeOutage() {
	f := s.fleet()
	a, b := f.two()
	for i, r := range a.fillAll() {
		time.AfterFunc(s.windows(0.3+0.03*float64(i%2)), r.release)
	}
	s.sleep(0.33)
	back := s.faults.Away()
	s.sleep(0.33)
	back()
	b.tryFor(s.windows(0.5))
	f.each(func(bucket terminal49.Bucket) { b.take(b.ctx, f.limit(bucket)/2, s.windows(2), bucket) })
}

// waitersInOutage makes the engine fail for a window while calls wait, and slots become free. They
// are served afterwards although nobody asks or releases.
func (s *limiterSuite) waitersInOutage() {
	f := s.fleet()
	a, b := f.two()
	releaseAll(a.fillAll())
	for _, p := range []*limitedProcess{a, b} {
		for _, bucket := range buckets {
			f.workers.Go(func() { p.take(p.ctx, f.limit(bucket)/2, s.windows(2+4), bucket) })
		}
	}
	s.sleep(0.5)
	back := s.faults.Away()
	s.sleep(1)
	back()
}

// slowEngine makes each call of the engine take a third of a window longer, for four windows of
// full demand. Waiting calls succeed afterwards.
func (s *limiterSuite) slowEngine() {
	f := s.fleet()
	stop := f.busy()
	s.sleep(0.7)
	normal := s.faults.Slow(s.window / 3)
	s.sleep(4)
	normal()
	s.sleep(2)
	stop()
	f.process(0).usable()
}

// leavingSlowly ends the contexts of waiters while the engine decides.
func (s *limiterSuite) leavingSlowly() {
	const part = 50
	normal := s.faults.Slow(s.window / part)
	defer normal()
	s.leave(s.window / part)
}

// loss deletes the engine's data during full demand. At most twice the limit is then sent in one
// window, and no more than the limit in those that begin two windows later.
func (s *limiterSuite) loss() {
	f := s.fleet()
	stop := f.busy()
	s.sleep(1.7)
	f.audit(time.Time{}, 1)
	f.times = 2
	lost := time.Now()
	s.faults.Lose()
	s.sleep(6)
	stop()
	f.audit(lost.Add(s.windows(2)), 1)
	f.process(0).usable()
}

// lossInFlight deletes the engine's data while half of the slots are in flight. One and a quarter
// windows later they are taken again.
func (s *limiterSuite) lossInFlight() {
	f := s.fleet()
	a, b := f.two()
	for _, bucket := range buckets {
		a.take(a.ctx, f.limit(bucket)/2, s.patience(), bucket)
	}
	s.sleep(0.5)
	s.faults.Lose()
	s.sleep(1.25)
	for _, bucket := range buckets {
		b.take(b.ctx, f.limit(bucket)/2, s.patience(), bucket)
	}
	b.tryFor(s.windows(2))
}
