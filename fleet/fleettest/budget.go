package fleettest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/ratelimit"
	"github.com/go-freight/terminal49/internal/testkit/suite"
)

// fullDemand runs three processes at full demand in all buckets for ten windows. At least one limit
// is sent.
func (s *limiterSuite) fullDemand() {
	f := s.fleet()
	f.demand(10, 0, 0, 0)
	for _, b := range buckets {
		if n := len(f.sent[b]); n < f.limit(b) {
			s.errorf("bucket %s: %d requests are sent in ten windows", b, n)
		}
	}
}

// demand runs processes with these clocks for some windows, each at full demand. Processes are
// killed after two to six windows and replaced. Once, each pauses a bucket for window/20.
func (f *limiterFleet) demand(windows float64, clocks ...time.Duration) {
	end := time.Now().Add(f.windows(windows))
	together(len(clocks), func(i int) {
		for left := time.Until(end); left > 0; left = time.Until(end) {
			p := f.process(clocks[i])
			p.workAll(p.ctx)
			life := min(left, f.windows(2+4*rand.Float64()))
			time.Sleep(life / 2)
			p.limiter.Pause(buckets[rand.N(len(buckets))], f.windows(0.05))
			time.Sleep(life / 2)
			p.kill()
		}
	})
	f.workers.Wait()
}

// workAll sends requests in all buckets until ctx ends.
func (p *limitedProcess) workAll(ctx context.Context) {
	for _, b := range buckets {
		for range p.limit(b)/6 + 2 {
			p.workers.Go(func() { p.work(ctx, b, 0.5) })
		}
	}
}

// work sends one request after another until ctx ends, or far too many were sent. Responses take up
// to longest windows. The end of a call's context is not its response.
func (p *limitedProcess) work(ctx context.Context, b terminal49.Bucket, longest float64) {
	for ctx.Err() == nil && !p.farTooMany(b) {
		call, cancel := context.WithCancel(ctx)
		r, err := p.send(call, b)
		if rand.N(2) == 0 {
			cancel()
		}
		if err == nil {
			p.sleep(0.01 + longest*max(0, rand.Float64()-0.2))
			r.release()
		}
		cancel()
		if err != nil {
			if ctx.Err() == nil && p.ctx.Err() == nil {
				p.errorf("bucket %s: Acquire failed before the end of its context: %v", b, err)
			}
			return
		}
	}
}

// bursts sends one request or a whole limit, is idle, and sends more than the limit from another
// process. Limiters that count per window, that refill, or that forget when they are idle, send too
// many.
func (s *limiterSuite) bursts() {
	f := s.fleet()
	a, b := f.two()
	long := float64(s.either(120, 3))
	f.each(func(bucket terminal49.Bucket) {
		n := f.limit(bucket)
		for i, idle := range []float64{0.75, 0.9, 0.25, long, 0.95, 0.5, 0.3, 0.6, 0.55, 0.85}[:s.either(10, 4)] {
			time.Sleep(rand.N(s.window))
			a.burst(bucket, []int{1, n}[i%2])
			s.sleep(idle)
			b.burst(bucket, n+1)
			s.sleep(1.25)
		}
	})
}

func (s *limiterSuite) everyBudget() {
	f := s.fleet()
	f.use(s.either(20, 5), 10, f.process(0), f.process(0))
}

// oneBudget sends the limits from one process, and from 50 (8 in real time).
func (s *limiterSuite) oneBudget() {
	for _, n := range []int{1, s.either(50, 8)} {
		f := s.fleet()
		processes := make([]*limitedProcess, n)
		for i := range processes {
			processes[i] = f.process(0)
		}
		f.use(1, 1, processes...)
	}
}

// manyWaiters makes five times the limits wait at once: 1,000 calls in the largest bucket, or 60 in
// real time.
func (s *limiterSuite) manyWaiters() {
	f := s.fleet()
	start := time.Now()
	a, b := f.two()
	n := 5 * f.setup.Limits.Infer / 2
	f.workers.Go(func() { b.burst(terminal49.BucketInfer, n) })
	a.burst(terminal49.BucketInfer, n)
	f.workers.Wait()
	f.took(start, 5.4, "5 times the limit")
}

// use sends budgets in all buckets from processes that have a part of the limit as calls at a time.
// The first budget takes no time if all slots are usable at once, and a window if they are spread
// evenly. Each further one takes a window.
func (f *limiterFleet) use(budgets, part int, processes ...*limitedProcess) {
	start := time.Now()
	f.each(func(b terminal49.Bucket) {
		left := make(chan struct{}, budgets*f.limit(b))
		for range cap(left) {
			left <- struct{}{}
		}
		close(left)
		together(len(processes)*(f.limit(b)/part+2), func(i int) {
			for range left {
				processes[i%len(processes)].burst(b, 1)
			}
		})
	})
	most := float64(budgets) + 0.4 + 0.1*float64(f.either(1, 0))
	if budgets == 1 {
		most = 0.998
	}
	f.took(start, most, "the limits")
}

// took reports if more than a number of windows has passed since start.
func (f *limiterFleet) took(start time.Time, most float64, what string) {
	if took := time.Since(start); took > f.windows(most) {
		f.errorf("%s took %v, which is %.2f windows and not at most %v", what, took, float64(took)/float64(f.window), most)
	}
}

// largestLimit gives a bucket the largest limit. Requests beyond the default limit must then be
// sent at once: 900 of them, or 150 in real time.
func (s *limiterSuite) largestLimit() {
	f := s.fleetOf(terminal49.RateLimits{Default: ratelimit.MaxLimit, Create: 1, Infer: 1, Refresh: 1})
	n, start := s.either(450, 75), time.Now()
	a, b := f.two()
	f.workers.Go(func() { b.burst(terminal49.BucketDefault, n) })
	a.burst(terminal49.BucketDefault, n)
	f.workers.Wait()
	f.took(start, 0.9, "a part of a limit of 1,000")
}

// refusals creates limiters at both ends of the range of a limit, and beyond.
func (s *limiterSuite) refusals() {
	for n, valid := range map[int]bool{
		0: true, 1: true, ratelimit.MaxLimit: true,
		-1: false, math.MinInt: false, ratelimit.MaxLimit + 1: false, 1 << 20: false, math.MaxInt: false,
	} {
		for field, l := range map[string]terminal49.RateLimits{
			"Default": {Default: n}, "Create": {Create: n}, "Infer": {Infer: n}, "Refresh": {Refresh: n},
		} {
			var argument *terminal49.ArgumentError
			switch err := s.refuse(l); {
			case valid && err != nil:
				s.errorf("a limiter with %s %d was refused: %v", field, n, err)
			case !valid && !errors.As(err, &argument):
				s.errorf("a limiter with %s %d returned %v instead of a *terminal49.ArgumentError", field, n, err)
			}
		}
	}
}

// wrongClocks repeats what depends on time with clocks an hour off.
func (s *limiterSuite) wrongClocks() {
	const off = suite.ClockError
	s.fleet().demand(float64(s.either(4, 2)), off, 0, -off)
	f := s.fleet()
	f.use(s.either(5, 2), 10, f.process(-off), f.process(off))
	for _, off := range []time.Duration{off, -off} {
		s.death(off, -off)
		s.pause(off, -off)
	}
}
