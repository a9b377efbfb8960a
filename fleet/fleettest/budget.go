package fleettest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/suite"
)

// neverAboveTheLimit runs three processes at full demand in two buckets. Responses take up to half
// a window.
func (s *limiterSuite) neverAboveTheLimit() {
	f := s.fleet(suite.Window)
	f.demand(5, 0, 0, 0)
	f.audit()
}

// demand runs processes with these clocks for some windows, each at full demand.
func (f *limiterFleet) demand(windows int, clocks ...time.Duration) {
	ctx, cancel := context.WithTimeout(f.Ctx, time.Duration(windows)*f.setup.Window)
	defer cancel()
	var all sync.WaitGroup
	for _, off := range clocks {
		p := f.process(off)
		for range 10 {
			all.Go(func() { p.work(ctx, terminal49.BucketDefault) })
		}
		for range 2 {
			all.Go(func() { p.work(ctx, terminal49.BucketRefresh) })
		}
	}
	all.Wait()
}

// work sends one request after another until ctx ends. The end of a call's context is not its
// response.
func (p *limitedProcess) work(ctx context.Context, b terminal49.Bucket) {
	for ctx.Err() == nil {
		call, cancel := context.WithCancel(ctx)
		r, err := p.acquire(call, b)
		if rand.N(2) == 0 {
			cancel()
		}
		if err == nil {
			time.Sleep(p.setup.Window/100 + rand.N(p.setup.Window/2))
			r.release()
		}
		cancel()
		if err != nil {
			return
		}
	}
}

// burstsAtBorders sends one request, then nothing, and then more than the limit shortly before the
// end of the window that began with it. Limiters that count per window, or that refill, send twice
// the limit.
func (s *limiterSuite) burstsAtBorders() {
	f := s.fleet(suite.Window)
	processes := []*limitedProcess{f.process(0), f.process(0)}
	for range 2 {
		processes[0].burst(1)
		time.Sleep(suite.Window * 3 / 4)
		burst(processes, f.setup.Limits.Default)
		time.Sleep(suite.Window * 5 / 4)
	}
	f.audit()
}

// burst makes each process send n requests at once. Their responses arrive at once.
func burst(processes []*limitedProcess, n int) {
	var all sync.WaitGroup
	for _, p := range processes {
		all.Go(func() { p.burst(n) })
	}
	all.Wait()
}

func (p *limitedProcess) burst(n int) {
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			if r := p.must(terminal49.BucketDefault); r != nil {
				r.release() // after the end of its context
			}
		})
	}
	all.Wait()
}

func (s *limiterSuite) wholeBudgetIsUsable() { s.usable(0, 0) }

// usable sends five budgets from two processes. It takes four windows if all slots are usable at
// once, and five if they are spread evenly.
func (s *limiterSuite) usable(clocks ...time.Duration) {
	s.Patiently(func(window time.Duration) string {
		f := s.fleet(window)
		processes := []*limitedProcess{f.process(clocks[0]), f.process(clocks[1])}
		start := time.Now()
		burst(processes, 5*f.setup.Limits.Default/2)
		f.audit()
		if took := time.Since(start); took > window*54/10 {
			return fmt.Sprintf("5 times the limit of %d took %v; the window is %v", f.setup.Limits.Default, took, window)
		}
		return ""
	})
}

func (s *limiterSuite) slotsOfADeadProcessReturn() { s.deadProcess(0, 0) }

// deadProcess kills a process that has all slots. They become free one window after its death, or
// later.
func (s *limiterSuite) deadProcess(dead, alive time.Duration) {
	f := s.fleet(suite.Window)
	a, b := f.process(dead), f.process(alive)
	a.fill(terminal49.BucketRefresh)
	a.kill()
	b.fill(terminal49.BucketRefresh)
	f.audit()
}

// longRequestKeepsItsSlot sends requests whose responses take three windows.
func (s *limiterSuite) longRequestKeepsItsSlot() {
	f := s.fleet(suite.Window)
	a, b := f.process(0), f.process(0)
	long := a.fill(terminal49.BucketRefresh)
	b.tryFor(3 * suite.Window)
	releaseAll(long)
	b.fill(terminal49.BucketRefresh)
	f.audit()
}

// tryFor tries to acquire slots for d. None must be free; those that it gets stay in flight.
func (p *limitedProcess) tryFor(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; time.Sleep(d / 100) {
		_, _ = p.within(d/10, terminal49.BucketRefresh)
	}
}

func (s *limiterSuite) pauseStopsAllProcesses() { s.pause(0, 0) }

// pause pauses two buckets in one process: one that is idle, and one that both processes wait for.
func (s *limiterSuite) pause(pausing, other time.Duration) {
	s.Patiently(func(window time.Duration) string {
		f := s.fleet(window)
		a, b := f.process(pausing), f.process(other)
		releaseAll(a.fill(terminal49.BucketRefresh))
		waiting := []<-chan time.Time{a.acquired(terminal49.BucketRefresh), b.acquired(terminal49.BucketRefresh)}
		time.Sleep(window / 4)
		end := time.Now().Add(2 * window)
		a.limiter.Pause(terminal49.BucketRefresh, 2*window)
		a.limiter.Pause(terminal49.BucketDefault, 2*window)
		own := a.acquired(terminal49.BucketDefault)
		time.Sleep(window / 4)
		if from := <-own; from.Before(end) {
			s.Errorf("the process that paused a bucket for %v sends %v too early", 2*window, end.Sub(from))
		}
		return f.early(end, append(waiting, b.acquired(terminal49.BucketDefault))...)
	})
}

// early describes a request that began before the end of a pause.
func (f *limiterFleet) early(end time.Time, requests ...<-chan time.Time) (problem string) {
	for _, request := range requests {
		if from := <-request; from.Before(end) {
			problem = fmt.Sprintf("a request is sent %v before the end of a pause", end.Sub(from))
		}
	}
	f.audit()
	return problem
}

// acquired acquires a slot, releases it, and sends the time at which it had it.
func (p *limitedProcess) acquired(b terminal49.Bucket) <-chan time.Time {
	at := make(chan time.Time, 1)
	go func() {
		r := p.must(b)
		at <- time.Now()
		if r != nil {
			r.release()
		}
	}()
	return at
}

// pauseIsNotShortened pauses a bucket again, for less time.
func (s *limiterSuite) pauseIsNotShortened() {
	s.Patiently(func(window time.Duration) string {
		f := s.fleet(window)
		a, b := f.process(0), f.process(0)
		end := time.Now().Add(2 * window)
		a.limiter.Pause(terminal49.BucketDefault, 2*window)
		time.Sleep(window / 4)
		a.limiter.Pause(terminal49.BucketDefault, window/10)
		b.limiter.Pause(terminal49.BucketDefault, window/10)
		time.Sleep(window / 4)
		return f.early(end, a.acquired(terminal49.BucketDefault), b.acquired(terminal49.BucketDefault))
	})
}
