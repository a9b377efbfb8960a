package fleettest

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/go-freight/terminal49"
)

// longRequests sends requests whose responses take 65 windows (6 in real time) with all slots. The
// contexts of half of them end. Others wait all the time, and are served afterwards.
func (s *limiterSuite) longRequests() {
	a, b := s.fleet().two()
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	var long []*limitedRequest
	for _, bucket := range buckets {
		n := a.limit(bucket)
		long = append(long, a.take(ctx, n/2, s.patience(), bucket)...) // take ends their contexts
		for range n - n/2 {
			r, err := a.send(ctx, bucket)
			if err != nil {
				s.errorf("bucket %s: Acquire failed before the end of its context: %v", bucket, err)
				return
			}
			long = append(long, r)
		}
	}
	b.tryFor(s.windows(float64(s.either(65, 6))))
	releaseAll(long)
	b.usable()
}

// releasedTwice releases one of all slots several times, also after another process took it.
func (s *limiterSuite) releasedTwice() {
	a, b := s.fleet().two()
	first := a.fill(terminal49.BucketRefresh)[0]
	for range 3 {
		a.workers.Go(first.release)
	}
	b.tryFor(s.windows(1.5))
	first.release()
	b.tryFor(s.windows(1.5))
}

func (s *limiterSuite) deaths() { s.death(0, 0) }

// death kills processes at different ages, up to six windows, so that some die long after the last
// renewal of their slots. Another process takes each slot as soon as it is free, which is one
// window after the death at the earliest. All slots are free three windows after the last death.
func (s *limiterSuite) death(dead, alive time.Duration) {
	f := s.fleet()
	deaths := s.either(10, 4)
	last := f.process(dead)
	for i := range deaths {
		p := last
		if i < deaths-1 {
			p = f.process(dead)
			time.AfterFunc(s.windows(6*(float64(i)+rand.Float64())/float64(deaths)), p.kill)
		}
		for _, b := range buckets {
			p.take(p.ctx, f.limit(b)/deaths, p.patience(), b)
		}
	}
	p := f.process(alive)
	ctx, cancel := context.WithCancel(p.ctx)
	for _, b := range buckets {
		for range f.limit(b)/5 + 2 {
			f.workers.Go(func() { p.work(ctx, b, 0) })
		}
	}
	s.sleep(6)
	cancel()
	last.kill()
	f.each(func(b terminal49.Bucket) { p.take(p.ctx, f.limit(b), s.windows(3), b) })
}

// deadWaiters kills a process whose calls are first in line, shortly before slots become free.
// Those of another process are served three windows later at the latest.
func (s *limiterSuite) deadWaiters() {
	a, b := s.fleet().two()
	n := a.setup.Limits.Refresh
	releaseAll(a.fill(terminal49.BucketRefresh))
	for range 2 * n {
		a.workers.Go(func() { _, _ = a.send(a.ctx, terminal49.BucketRefresh) })
	}
	s.sleep(0.1)
	time.AfterFunc(s.windows(0.85), a.kill)
	releaseAll(b.take(b.ctx, n, s.windows(4), terminal49.BucketRefresh))
}
