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
	times int // how many times the limit a window may have

	logging sync.Mutex
	sent    map[terminal49.Bucket][]*limitedRequest
	workers sync.WaitGroup
}

// limit returns the limit of a bucket.
func (f *limiterFleet) limit(b terminal49.Bucket) int {
	l := f.setup.Limits
	return map[terminal49.Bucket]int{
		terminal49.BucketDefault: l.Default, terminal49.BucketCreate: l.Create, terminal49.BucketInfer: l.Infer, terminal49.BucketRefresh: l.Refresh,
	}[b]
}

// farTooMany reports whether three times the limit was sent within one window.
func (f *limiterFleet) farTooMany(b terminal49.Bucket) bool {
	f.logging.Lock()
	defer f.logging.Unlock()
	first := len(f.sent[b]) - 3*f.limit(b)
	return first >= 0 && time.Since(f.sent[b][first].from) < f.window
}

// each does something in all buckets at once.
func (f *limiterFleet) each(do func(terminal49.Bucket)) {
	together(len(buckets), func(i int) { do(buckets[i]) })
}

// together calls do n times at once and waits for all calls.
func together(n int, do func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { do(i) })
	}
	all.Wait()
}

// limitedProcess is one process of a fleet.
type limitedProcess struct {
	*limiterFleet
	limiter terminal49.Limiter
	ctx     context.Context
	cancel  context.CancelFunc
	dead    bool // guarded by logging
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

// two starts two processes.
func (f *limiterFleet) two() (a, b *limitedProcess) { return f.process(0), f.process(0) }

// kill ends a process; none of its requests is released.
func (p *limitedProcess) kill() {
	now := time.Now()
	p.logging.Lock()
	for _, requests := range p.sent {
		for _, r := range requests {
			if r.process == p && r.to.IsZero() {
				r.to = now
			}
		}
	}
	p.dead = true
	p.logging.Unlock()
	p.cancel()
}

var (
	errStuck = errors.New("Acquire did not return after the end of its context")
	errDead  = errors.New("the process was killed")
)

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
		go func() { (<-done).r.release() }()
		return nil, errStuck
	}
}

func (p *limitedProcess) acquire(ctx context.Context, b terminal49.Bucket) (*limitedRequest, error) {
	free, err := p.limiter.Acquire(ctx, b)
	if err != nil {
		return nil, err
	}
	r := &limitedRequest{process: p, from: time.Now(), free: free, share: shareOf(ctx)}
	p.logging.Lock()
	defer p.logging.Unlock()
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

// release ends a request, unless it is nil: the response has arrived. A dead process releases
// nothing.
func (r *limitedRequest) release() {
	if r == nil {
		return
	}
	now := time.Now()
	r.process.logging.Lock()
	dead := r.process.dead
	if r.to.IsZero() {
		r.to = now
	}
	r.process.logging.Unlock()
	if !dead {
		r.free()
	}
}

func releaseAll(requests []*limitedRequest) {
	for _, r := range requests {
		r.release()
	}
}

// within is send with a deadline.
func (p *limitedProcess) within(d time.Duration, b terminal49.Bucket) (*limitedRequest, error) {
	ctx, cancel := context.WithTimeout(p.ctx, d)
	defer cancel()
	return p.send(ctx, b)
}

// must returns a request once it is sent. The context that it gets has no deadline. If it takes
// longer than d or fails, must reports this and returns nil.
func (p *limitedProcess) must(ctx context.Context, d time.Duration, b terminal49.Bucket) *limitedRequest {
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

// take sends n requests at once, and reports those that are not sent within d.
func (p *limitedProcess) take(ctx context.Context, n int, d time.Duration, b terminal49.Bucket) []*limitedRequest {
	all := make([]*limitedRequest, n)
	together(n, func(i int) { all[i] = p.must(ctx, d, b) })
	return all
}

// fill takes the whole limit of a bucket.
func (p *limitedProcess) fill(b terminal49.Bucket) []*limitedRequest {
	return p.take(p.ctx, p.limit(b), p.patience(), b)
}

// fillAll takes the whole limit of all buckets.
func (p *limitedProcess) fillAll() (all []*limitedRequest) {
	for _, b := range buckets {
		all = append(all, p.fill(b)...)
	}
	return all
}

// burst sends n requests at once. Their responses arrive at once.
func (p *limitedProcess) burst(b terminal49.Bucket, n int) {
	together(n, func(int) { p.must(p.ctx, p.patience(), b).release() }) // after the end of its context
}

// usable reports if the whole limit of each bucket cannot be in flight within patience.
func (p *limitedProcess) usable() {
	p.each(func(b terminal49.Bucket) { releaseAll(p.fill(b)) })
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
