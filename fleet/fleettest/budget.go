package fleettest

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
)

// neverAboveTheLimit runs three processes at full demand in all buckets for 20 windows. Responses
// take up to half a window. At least one budget is sent.
func (s *limiterSuite) neverAboveTheLimit() {
	f := s.fleet()
	f.demand(20, 0, 0, 0)
	f.audit()
	for _, b := range buckets {
		if n := len(f.sent[b]); n < limitOf(f.setup.Limits, b) {
			s.errorf("bucket %s: %d requests are sent in 20 windows", b, n)
		}
	}
}

// demand runs processes with these clocks for some windows, each at full demand. Processes are
// killed after two to six windows and replaced. Once, each pauses a bucket for window/20.
func (f *limiterFleet) demand(windows float64, clocks ...time.Duration) {
	end := time.Now().Add(f.windows(windows))
	var all sync.WaitGroup
	for _, off := range clocks {
		all.Go(func() {
			for left := time.Until(end); left > 0; left = time.Until(end) {
				p := f.process(off)
				p.workAll(p.ctx)
				life := min(left, f.windows(2+4*rand.Float64()))
				time.Sleep(life / 2)
				p.limiter.Pause(buckets[rand.N(len(buckets))], f.windows(0.05))
				time.Sleep(life / 2)
				p.kill()
			}
		})
	}
	all.Wait()
	f.workers.Wait()
}

// workAll sends requests in all buckets until ctx ends.
func (p *limitedProcess) workAll(ctx context.Context) {
	for _, b := range buckets {
		for range limitOf(p.setup.Limits, b)/6 + 2 {
			p.workers.Go(func() { p.work(ctx, b, 0.5) })
		}
	}
}

// work sends one request after another until ctx ends. Responses take up to longest windows. The
// end of a call's context is not its response.
func (p *limitedProcess) work(ctx context.Context, b terminal49.Bucket, longest float64) {
	for ctx.Err() == nil {
		call, cancel := context.WithCancel(ctx)
		r, err := p.send(call, b)
		if rand.N(2) == 0 {
			cancel()
		}
		if err == nil {
			time.Sleep(p.windows(0.01 + longest*max(0, rand.Float64()-0.2)))
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

// burstsAtBorders sends one request, then nothing, and then more than the limit. Limiters that
// count per window, or that refill, send up to twice the limit.
func (s *limiterSuite) burstsAtBorders() {
	f := s.fleet()
	processes := []*limitedProcess{f.process(0), f.process(0)}
	phases := []float64{0.75, 0.25, 0.95, 0.5, 0.6, 0.85}
	var all sync.WaitGroup
	for _, b := range buckets {
		all.Go(func() {
			for _, phase := range phases[:s.either(6, 2)] {
				time.Sleep(rand.N(s.window))
				processes[0].burst(b, 1)
				time.Sleep(s.windows(phase))
				burst(processes, b, limitOf(f.setup.Limits, b))
				time.Sleep(s.windows(1.25))
			}
		})
	}
	all.Wait()
	f.audit()
}

// burst makes each process send n requests at once. Their responses arrive at once.
func burst(processes []*limitedProcess, b terminal49.Bucket, n int) {
	var all sync.WaitGroup
	for _, p := range processes {
		all.Go(func() { p.burst(b, n) })
	}
	all.Wait()
}

func (p *limitedProcess) burst(b terminal49.Bucket, n int) {
	var all sync.WaitGroup
	for range n {
		all.Go(func() { releaseAll([]*limitedRequest{p.must(b)}) }) // after the end of its context
	}
	all.Wait()
}

// idleTimeForgetsNothing sends a budget, is idle for a part of a window, and sends another. A
// budget is free after two hours, or three windows in real time, and no more than that.
func (s *limiterSuite) idleTimeForgetsNothing() {
	for _, idle := range []float64{0.9, 0.3, 0.55}[:s.either(3, 1)] {
		f := s.fleet()
		a, b := f.process(0), f.process(0)
		f.each(func(bucket terminal49.Bucket) { releaseAll(a.fill(bucket)) })
		time.Sleep(s.windows(idle))
		f.each(func(bucket terminal49.Bucket) { releaseAll(b.fill(bucket)) })
		time.Sleep(s.windows(float64(s.either(120, 3))))
		f.each(func(bucket terminal49.Bucket) {
			releaseAll(a.fillSoon(bucket))
			_, _ = b.within(s.windows(0.2), bucket) // one more than the limit
		})
		f.audit()
	}
}

// each does something in all buckets at once.
func (f *limiterFleet) each(do func(terminal49.Bucket)) {
	var all sync.WaitGroup
	for _, b := range buckets {
		all.Go(func() { do(b) })
	}
	all.Wait()
}

func (s *limiterSuite) wholeBudgetIsUsable() { s.usable(s.either(20, 5), 0, 0) }

// usable sends budgets from two processes. The first takes no time if all slots are usable at once,
// and a window if they are spread evenly. Each further one takes a window.
func (s *limiterSuite) usable(budgets int, clocks ...time.Duration) {
	f := s.fleet()
	start := time.Now()
	for _, b := range buckets {
		left := make(chan struct{}, budgets*limitOf(f.setup.Limits, b))
		for range cap(left) {
			left <- struct{}{}
		}
		close(left)
		for _, off := range clocks {
			p := f.process(off)
			for range limitOf(f.setup.Limits, b)/10 + 2 {
				f.workers.Go(func() {
					for range left {
						p.burst(b, 1)
					}
				})
			}
		}
	}
	f.workers.Wait()
	f.audit()
	most := s.windows(float64(budgets) + 0.5)
	if !s.fakeTime {
		most = s.windows(float64(budgets) + 0.4)
	}
	if took := time.Since(start); took > most {
		s.errorf("%d times the limit took %v; the window is %v", budgets, took, s.window)
	}
}

// manyProcesses sends the budget of a bucket from one process, and from 50 (8 in real time).
func (s *limiterSuite) manyProcesses() {
	for _, n := range []int{1, s.either(50, 8)} {
		f := s.fleet()
		processes := make([]*limitedProcess, n)
		for i := range processes {
			processes[i] = f.process(0)
		}
		start := time.Now()
		f.each(func(b terminal49.Bucket) {
			var all sync.WaitGroup
			for i := range limitOf(f.setup.Limits, b) {
				all.Go(func() { processes[i%n].burst(b, 1) })
			}
			all.Wait()
		})
		if took := time.Since(start); took > s.windows(0.998) {
			s.errorf("the limit took %d processes %v; the window is %v", n, took, s.window)
		}
		f.audit()
	}
}

// manyWaiters makes five times the limit wait at once in the largest bucket: 1,000 calls, or 60 in
// real time.
func (s *limiterSuite) manyWaiters() {
	f := s.fleet()
	start := time.Now()
	processes := []*limitedProcess{f.process(0), f.process(0)}
	burst(processes, terminal49.BucketInfer, 5*f.setup.Limits.Infer/2)
	f.audit()
	if took := time.Since(start); took > s.windows(5.4) {
		s.errorf("5 times the limit took %v; the window is %v", took, s.window)
	}
}
