package fleettest

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/go-freight/terminal49"
)

func (s *limiterSuite) slotsOfADeadProcessReturn() { s.deadProcess(0, 0) }

// deadProcess kills a process that has all slots of all buckets. They become free one window after
// its death at the earliest, and three at the latest.
func (s *limiterSuite) deadProcess(dead, alive time.Duration) {
	f := s.fleet()
	a, b := f.process(dead), f.process(alive)
	f.each(func(bucket terminal49.Bucket) { a.fill(bucket) })
	a.kill()
	f.each(func(bucket terminal49.Bucket) {
		b.take(b.ctx, limitOf(f.setup.Limits, bucket), s.windows(3), bucket)
	})
	f.audit()
}

// slotsOfADeadProcessAreHeld kills processes at different ages, up to four windows, so that some
// die long after the last renewal of their slots. Another process takes each slot as soon as it is
// free.
func (s *limiterSuite) slotsOfADeadProcessAreHeld() {
	f := s.fleet()
	deaths := s.either(10, 4)
	for i := range deaths {
		p := f.process(0)
		for _, b := range buckets {
			p.take(p.ctx, limitOf(f.setup.Limits, b)/deaths, p.patience(), b)
		}
		time.AfterFunc(s.windows(4*(float64(i)+rand.Float64())/float64(deaths)), p.kill)
	}
	alive := f.process(0)
	for _, b := range buckets {
		for range limitOf(f.setup.Limits, b)/5 + 2 {
			f.workers.Go(func() { alive.work(alive.ctx, b, 0) })
		}
	}
	time.Sleep(s.windows(6.5))
	alive.kill()
	f.workers.Wait()
	f.audit()
}

// deadWaiters kills a process whose calls are first in line, shortly before slots become free.
// Those of another process are served three windows later at the latest.
func (s *limiterSuite) deadWaiters() {
	f := s.fleet()
	a, b := f.process(0), f.process(0)
	n := f.setup.Limits.Refresh
	releaseAll(a.fill(terminal49.BucketRefresh))
	for range 2 * n {
		f.workers.Go(func() { _, _ = a.send(a.ctx, terminal49.BucketRefresh) })
	}
	time.Sleep(s.windows(0.1))
	time.AfterFunc(s.windows(0.85), a.kill)
	releaseAll(b.take(b.ctx, n, s.windows(4), terminal49.BucketRefresh))
	f.workers.Wait()
	f.audit()
}

// longRequestKeepsItsSlot sends requests whose responses take 65 windows (6 in real time) with all
// slots. The contexts of half of them end. Others wait all the time, and are served afterwards.
func (s *limiterSuite) longRequestKeepsItsSlot() {
	f := s.fleet()
	a, b := f.process(0), f.process(0)
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	var long []*limitedRequest
	for _, bucket := range buckets {
		n := limitOf(f.setup.Limits, bucket)
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
	f.each(func(bucket terminal49.Bucket) { releaseAll(b.fill(bucket)) })
	f.audit()
}

// tryFor tries to acquire slots in all buckets for d, with and without a deadline. None must be
// free; those that it gets stay in flight.
func (p *limitedProcess) tryFor(d time.Duration) {
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	for _, b := range buckets {
		p.workers.Go(func() { _, _ = p.send(ctx, b) })
		p.workers.Go(func() {
			for ctx.Err() == nil {
				_, _ = p.within(d/10, b)
				time.Sleep(d / 100)
			}
		})
	}
	time.Sleep(d)
	cancel()
	p.workers.Wait()
}

// releasingTwiceFreesOneSlot releases one of all slots several times, also after another process
// took it.
func (s *limiterSuite) releasingTwiceFreesOneSlot() {
	f := s.fleet()
	a, b := f.process(0), f.process(0)
	inFlight := a.fill(terminal49.BucketRefresh)
	first := inFlight[0]
	if first == nil {
		return
	}
	for range 3 {
		f.workers.Go(first.release)
	}
	b.tryFor(s.windows(1.5))
	first.release()
	b.tryFor(s.windows(1.5))
	f.audit()
}
