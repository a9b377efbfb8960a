package fleettest

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-freight/terminal49"
)

// tooLate calls Acquire when no slot can be free before the deadline: because of a pause, and
// because all requests are in flight.
func (s *limiterSuite) tooLate() {
	paused, full := s.fleet(), s.fleet()
	ended, cancel := context.WithCancel(s.ctx)
	cancel()
	for range 2 {
		p := paused.process(0)
		p.limiter.Pause(terminal49.BucketDefault, time.Hour)
		p.refused("during a pause of an hour", terminal49.BucketDefault, 20*time.Second)
		if r, err := p.send(ended, terminal49.BucketCreate); err == nil {
			s.errorf("Acquire succeeds after the end of its context")
			r.release()
		}
	}
	a, b := full.two()
	for _, bucket := range buckets {
		a.fill(bucket)
		a.refused("while all slots are taken", bucket, s.windows(0.9))
		b.refused("while all slots are taken", bucket, s.windows(0.9))
	}
}

// refused reports an Acquire that does not fail at once although its wait exceeds its deadline.
func (p *limitedProcess) refused(when string, b terminal49.Bucket, deadline time.Duration) {
	start := time.Now()
	r, err := p.within(deadline, b)
	switch took := time.Since(start); {
	case err == nil:
		r.release()
		p.errorf("%s, a request is sent in bucket %s after %v", when, b, took)
	case took > deadline/2:
		p.errorf("%s, Acquire failed after %v, not at once; its deadline was %v away: %v", when, took, deadline, err)
	}
}

// inTime calls Acquire with a deadline that leaves a quarter of a window more than the wait: for
// slots that are free, that were released, and that are in flight, and for a pause.
func (s *limiterSuite) inTime() {
	f := s.fleet()
	a, b := f.two()
	f.each(func(bucket terminal49.Bucket) {
		together(f.limit(bucket), func(int) { a.before(0.25, bucket).release() })
	})
	s.sleep(0.1)
	inFlight := make(chan *limitedRequest, 1000)
	for _, p := range []*limitedProcess{a, b} {
		for _, bucket := range buckets {
			for range f.limit(bucket) / 2 {
				f.workers.Go(func() { inFlight <- p.before(1.15, bucket) })
			}
		}
	}
	f.workers.Wait()
	close(inFlight)
	for _, bucket := range buckets {
		f.workers.Go(func() { b.before(2, bucket).release() })
	}
	s.sleep(0.2)
	for r := range inFlight {
		r.release()
	}
	f.workers.Wait()
	s.sleep(1.1)
	a.limiter.Pause(terminal49.BucketDefault, s.window)
	for _, p := range []*limitedProcess{a, b} {
		p.before(1.25, terminal49.BucketDefault).release()
	}
	a.before(1440, terminal49.BucketCreate).release()
}

// before returns a request that is sent before a deadline in some windows, and reports if it is
// not.
func (p *limitedProcess) before(windows float64, b terminal49.Bucket) *limitedRequest {
	r, err := p.within(p.windows(windows), b)
	if err != nil {
		p.errorf("bucket %s: Acquire failed although its wait ends before its deadline, in %v windows: %v", b, windows, err)
	}
	return r
}

// refusedCalls makes three times the limit fail, because a context has ended or a pause outlasts
// its deadline. The whole limit is then usable.
func (s *limiterSuite) refusedCalls() {
	f := s.fleet()
	a, b := f.two()
	ended, cancel := context.WithCancel(s.ctx)
	cancel()
	f.each(func(bucket terminal49.Bucket) {
		a.limiter.Pause(bucket, s.windows(0.5))
		for range 3 * f.limit(bucket) {
			r, _ := a.within(s.windows(0.1), bucket)
			r.release()
			r, _ = b.send(ended, bucket)
			r.release()
		}
	})
	s.sleep(0.6)
	f.each(func(bucket terminal49.Bucket) { b.take(b.ctx, f.limit(bucket), s.windows(0.9), bucket) })
}

func (s *limiterSuite) leaving() { s.leave(0) }

// leave ends the contexts of waiters at about the time at which slots become free. The slots that
// they were given and did not use are free again at once, within a quarter of a window and the time
// of 30 calls of the engine. The other slots, half of all, are in flight and stay taken.
func (s *limiterSuite) leave(call time.Duration) {
	for _, early := range []float64{0, 0.012, 0.03, 0.004, -0.01, 0}[:s.either(6, 2)] {
		f := s.fleet()
		a, b := f.two()
		c, n := f.process(0), f.setup.Limits.Refresh/2
		releaseAll(c.fill(terminal49.BucketRefresh)[n:])
		free := time.Now().Add(s.window)
		s.sleep(0.5)
		ctx, cancel := context.WithCancel(s.ctx)
		time.AfterFunc(time.Until(free)-s.windows(early)+call, cancel)
		var sent atomic.Int64
		together(2*n, func(i int) {
			if r, err := []*limitedProcess{a, b}[i%2].send(ctx, terminal49.BucketRefresh); err == nil {
				sent.Add(1)
				r.release()
			}
		})
		cancel()
		rest := n - min(int(sent.Load()), n)
		releaseAll(c.take(c.ctx, rest, time.Until(free)+s.windows(0.25)+30*call, terminal49.BucketRefresh))
		c.burst(terminal49.BucketRefresh, 2*n)
	}
}

func (s *limiterSuite) orderInOne() { s.order(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1) }

func (s *limiterSuite) orderInThree() { s.order(3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1) }

// order makes waiters of one or several processes ask one after another, window/25 apart, with
// these shares. They wait for slots that become free window/20 apart. Those with larger shares are
// served first, and others in the order in which they asked.
func (s *limiterSuite) order(processes int, shares ...float64) {
	f := s.fleet()
	owner, all := f.process(0), make([]*limitedProcess, processes)
	for _, r := range owner.fill(terminal49.BucketDefault)[:len(shares)] {
		r.release()
		s.sleep(0.05)
	}
	for i := range all {
		all[i] = f.process(0)
	}
	type call struct {
		number int
		share  float64
	}
	var mu sync.Mutex
	var asked, served []call
	for i, share := range shares {
		p, c := all[i%processes], call{i + 1, share}
		asked = append(asked, c)
		f.workers.Go(func() {
			r := p.must(withShare(p.ctx, share), p.patience(), terminal49.BucketDefault)
			mu.Lock()
			served = append(served, c)
			mu.Unlock()
			r.release()
		})
		s.sleep(0.04)
	}
	f.workers.Wait()
	slices.SortStableFunc(asked, func(a, b call) int { return cmp.Compare(b.share, a.share) })
	if !slices.Equal(served, asked) {
		s.errorf("calls {number, share} were served in the order %v; want %v", served, asked)
	}
}
