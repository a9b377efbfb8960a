package terminal49test

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
)

// neverAboveTheLimit has three processes at full demand in two buckets. Responses take up to half a
// window.
func (s *limiterSuite) neverAboveTheLimit() {
	f := s.fleet(suiteWindow)
	f.demand(5, 0, 0, 0)
	f.audit()
}

// demand sends as many requests as it may for some windows, from processes with these clocks.
func (f *limiterFleet) demand(windows int, clocks ...time.Duration) {
	end := time.Now().Add(time.Duration(windows) * f.setup.Window)
	ctx, cancel := context.WithDeadline(f.ctx, end)
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

// work sends one request after another until ctx ends.
func (p *limitedProcess) work(ctx context.Context, b terminal49.Bucket) {
	for ctx.Err() == nil {
		call, cancel := context.WithCancel(ctx)
		r, err := p.acquire(call, b)
		if rand.N(2) == 0 { // the end of a call's context is not the response
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
	f := s.fleet(suiteWindow)
	processes := []*limitedProcess{f.process(0), f.process(0)}
	for range 2 {
		processes[0].burst(1)
		time.Sleep(suiteWindow * 3 / 4)
		var all sync.WaitGroup
		for _, p := range processes {
			all.Go(func() { p.burst(f.setup.Limits.Default) })
		}
		all.Wait()
		time.Sleep(suiteWindow * 5 / 4)
	}
	f.audit()
}

// burst sends n requests at once, whose responses arrive at once.
func (p *limitedProcess) burst(n int) {
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			r, err := p.within(patience, terminal49.BucketDefault)
			if err != nil {
				p.errorf("Acquire failed within %v: %v", patience, err)
				return
			}
			r.release()
		})
	}
	all.Wait()
}
