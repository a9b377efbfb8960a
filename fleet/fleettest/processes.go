package fleettest

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/suite"
)

// buckets are the service's buckets.
var buckets = []terminal49.Bucket{
	terminal49.BucketDefault, terminal49.BucketCreate, terminal49.BucketInfer, terminal49.BucketRefresh,
}

// limiterFleet is a fleet of processes that share a budget, with the log of their requests.
type limiterFleet struct {
	*limiterSuite
	setup Setup

	mu      sync.Mutex
	sent    map[terminal49.Bucket][]*limitedRequest
	workers sync.WaitGroup
}

// limitedProcess is one process of a fleet.
type limitedProcess struct {
	*limiterFleet
	limiter terminal49.Limiter
	ctx     context.Context
	cancel  context.CancelFunc
	dead    bool // guarded by mu
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
	p.ctx, p.cancel = context.WithCancel(f.ctx)
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
	p.dead = true
	p.limiterFleet.mu.Unlock()
	p.cancel()
}

var (
	errStuck = errors.New("Acquire did not return after the end of its context")
	errDead  = errors.New("the process was killed")
)

// patience is how long the suite waits for what must happen by itself.
func (s *limiterSuite) patience() time.Duration { return time.Second + 5*s.window }

// send returns a request that has been sent and has no response yet. It returns errStuck if Acquire
// ignores the end of ctx.
func (p *limitedProcess) send(ctx context.Context, b terminal49.Bucket) (*limitedRequest, error) {
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
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r.r, r.err
	case <-time.After(p.patience()):
		p.errorf("bucket %s: %v", b, errStuck)
		go func() { releaseAll([]*limitedRequest{(<-done).r}) }()
		return nil, errStuck
	}
}

func (p *limitedProcess) acquire(ctx context.Context, b terminal49.Bucket) (*limitedRequest, error) {
	free, err := p.limiter.Acquire(ctx, b)
	if err != nil {
		return nil, err
	}
	r := &limitedRequest{process: p, from: time.Now(), free: free, share: shareOf(ctx)}
	p.limiterFleet.mu.Lock()
	defer p.limiterFleet.mu.Unlock()
	if p.dead {
		return nil, errDead
	}
	if p.sent == nil {
		p.sent = map[terminal49.Bucket][]*limitedRequest{}
	}
	p.sent[b] = append(p.sent[b], r)
	return r, nil
}

func shareOf(ctx context.Context) float64 {
	if call, ok := terminal49.CallFromContext(ctx); ok {
		return call.Share
	}
	return 1
}

// release ends the request: the response has arrived. A dead process releases nothing.
func (r *limitedRequest) release() {
	now := time.Now()
	r.process.limiterFleet.mu.Lock()
	dead := r.process.dead
	if r.to.IsZero() {
		r.to = now
	}
	r.process.limiterFleet.mu.Unlock()
	if !dead {
		r.free()
	}
}

func releaseAll(requests []*limitedRequest) {
	for _, r := range requests {
		if r != nil {
			r.release()
		}
	}
}

// within is send with a deadline.
func (p *limitedProcess) within(d time.Duration, b terminal49.Bucket) (*limitedRequest, error) {
	ctx, cancel := context.WithTimeout(p.ctx, d)
	defer cancel()
	return p.send(ctx, b)
}

// must returns a request once it is sent. Its context has no deadline. If it takes longer than
// patience or fails, must reports this and returns nil.
func (p *limitedProcess) must(b terminal49.Bucket) *limitedRequest {
	return p.mustIn(p.ctx, p.patience(), b)
}

func (p *limitedProcess) mustIn(ctx context.Context, d time.Duration, b terminal49.Bucket) *limitedRequest {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	late := time.AfterFunc(d, cancel)
	defer late.Stop()
	r, err := p.send(ctx, b)
	if err != nil && p.ctx.Err() == nil {
		p.errorf("bucket %s: Acquire failed with %v to wait (share %v): %v", b, d, shareOf(ctx), err)
	}
	return r
}

// fill takes the whole budget of a bucket, and reports if that takes too long.
func (p *limitedProcess) fill(b terminal49.Bucket) []*limitedRequest {
	return p.take(p.ctx, limitOf(p.setup.Limits, b), p.patience(), b)
}

// fillSoon is fill for a budget that is free.
func (p *limitedProcess) fillSoon(b terminal49.Bucket) []*limitedRequest {
	return p.take(p.ctx, limitOf(p.setup.Limits, b), p.windows(0.9), b)
}

// take sends n requests at once, and reports those that are not sent within d.
func (p *limitedProcess) take(ctx context.Context, n int, d time.Duration, b terminal49.Bucket) []*limitedRequest {
	all := make([]*limitedRequest, n)
	var calls sync.WaitGroup
	for i := range all {
		calls.Go(func() { all[i] = p.mustIn(ctx, d, b) })
	}
	calls.Wait()
	return all
}

func limitOf(l terminal49.RateLimits, b terminal49.Bucket) int {
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
