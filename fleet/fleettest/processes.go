package fleettest

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/suite"
)

// limiterFleet is a fleet of processes that share a budget, with the log of their requests.
type limiterFleet struct {
	*limiterSuite
	setup Setup

	mu   sync.Mutex
	sent map[terminal49.Bucket][]*limitedRequest
}

// limitedProcess is one process of a fleet.
type limitedProcess struct {
	*limiterFleet
	limiter terminal49.Limiter
	ctx     context.Context
	cancel  context.CancelFunc
}

// limitedRequest is a request that the service may count at any moment between from and to. Both
// are measured within the interval that the limiter sees, so every violation that is found is real.
type limitedRequest struct {
	process  *limitedProcess
	share    float64   // 1 for none
	from, to time.Time // to is zero while it is in flight
	free     func()
}

// process starts a process whose clock is wrong by off.
func (f *limiterFleet) process(off time.Duration) *limitedProcess {
	p := &limitedProcess{limiterFleet: f}
	p.ctx, p.cancel = context.WithCancel(f.Ctx)
	s := f.setup
	s.Clock, s.Context = suite.Clock(off), p.ctx
	p.limiter = f.open(f.T, s)
	return p
}

// kill ends a process; none of its requests is released.
func (p *limitedProcess) kill() {
	now := time.Now()
	p.limiterFleet.mu.Lock()
	for _, requests := range p.sent {
		for _, r := range requests {
			if r.process == p && r.to.IsZero() {
				r.to = now
			}
		}
	}
	p.limiterFleet.mu.Unlock()
	p.cancel()
}

// acquire returns a request that has been sent and has no response yet.
func (p *limitedProcess) acquire(ctx context.Context, b terminal49.Bucket) (*limitedRequest, error) {
	free, err := p.limiter.Acquire(ctx, b)
	if err != nil {
		return nil, err
	}
	r := &limitedRequest{process: p, from: time.Now(), free: free, share: 1}
	if call, ok := terminal49.CallFromContext(ctx); ok {
		r.share = call.Share
	}
	p.limiterFleet.mu.Lock()
	defer p.limiterFleet.mu.Unlock()
	if p.sent == nil {
		p.sent = map[terminal49.Bucket][]*limitedRequest{}
	}
	p.sent[b] = append(p.sent[b], r)
	return r, nil
}

// within is acquire with a time limit. It returns errStuck if Acquire ignores the limit.
func (p *limitedProcess) within(d time.Duration, b terminal49.Bucket) (*limitedRequest, error) {
	return p.acquireWithin(p.ctx, d, b)
}

func (p *limitedProcess) acquireWithin(ctx context.Context, d time.Duration, b terminal49.Bucket) (*limitedRequest, error) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	type result struct {
		r   *limitedRequest
		err error
	}
	done := make(chan result, 1)
	go func() {
		r, err := p.acquire(ctx, b)
		done <- result{r, err}
	}()
	select {
	case r := <-done:
		return r.r, r.err
	case <-time.After(d + suite.Patience/2):
		go func() {
			if r := <-done; r.r != nil {
				r.r.release()
			}
		}()
		return nil, errStuck
	}
}

var errStuck = errors.New("Acquire did not return after its context's deadline")

// release ends the request: the response has arrived.
func (r *limitedRequest) release() {
	now := time.Now()
	r.process.limiterFleet.mu.Lock()
	if r.to.IsZero() {
		r.to = now
	}
	r.process.limiterFleet.mu.Unlock()
	r.free()
}

// must returns a request once it is sent. If that takes too long, it reports this and returns nil.
func (p *limitedProcess) must(b terminal49.Bucket) *limitedRequest {
	r, err := p.within(suite.Patience, b)
	if err != nil {
		p.Errorf("bucket %s: Acquire failed with %v to wait: %v", b, suite.Patience, err)
	}
	return r
}

// fill takes the whole budget of a bucket.
func (p *limitedProcess) fill(b terminal49.Bucket) (all []*limitedRequest) {
	for range limitOf(p.setup.Limits, b) {
		r := p.must(b)
		if r == nil {
			return all
		}
		all = append(all, r)
	}
	return all
}

func releaseAll(requests []*limitedRequest) {
	for _, r := range requests {
		if r != nil {
			r.release()
		}
	}
}

func limitOf(l terminal49.Limits, b terminal49.Bucket) int {
	switch b {
	case terminal49.BucketCreate:
		return l.Create
	case terminal49.BucketInfer:
		return l.Infer
	case terminal49.BucketRefresh:
		return l.Refresh
	}
	return l.Default
}

// audit reports each bucket that had more requests in a window than its limit.
func (f *limiterFleet) audit() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for b, requests := range f.sent {
		if worst, limit := worstWindow(requests, f.setup.Window), limitOf(f.setup.Limits, b); worst > limit {
			f.Errorf("bucket %s: the service can count %d requests in a window of %v; the limit is %d", b, worst, f.setup.Window, limit)
		}
	}
}

// worstWindow returns the most requests that the service can count in any window. A window that
// begins at the last moment of a request counts that request and all that end later and begin
// before the window's end.
func worstWindow(requests []*limitedRequest, window time.Duration) (worst int) {
	now := time.Now()
	end := func(r *limitedRequest) time.Time {
		if r.to.IsZero() {
			return now
		}
		return r.to
	}
	for _, first := range requests {
		n, begin := 0, end(first)
		for _, r := range requests {
			if !end(r).Before(begin) && r.from.Sub(begin) < window {
				n++
			}
		}
		worst = max(worst, n)
	}
	return worst
}
