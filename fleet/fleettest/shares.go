package fleettest

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/suite"
)

// sharesLeaveRoom makes calls with two shares at full demand, and then the calls for which they
// must leave room.
func (s *limiterSuite) sharesLeaveRoom() {
	const small, large = 0.33, 0.6 // of 20: 6 and 12
	f := s.fleet(suite.Window)
	a, b := f.process(0), f.process(0)
	ctx, cancel := context.WithTimeout(s.Ctx, 4*suite.Window)
	defer cancel()
	var all sync.WaitGroup
	for _, p := range []*limitedProcess{a, b} {
		for range 8 {
			all.Go(func() { p.work(withShare(ctx, small), terminal49.BucketDefault) })
			all.Go(func() { p.work(withShare(ctx, large), terminal49.BucketDefault) })
		}
	}
	all.Wait()
	f.auditShare(small)
	f.auditShare(large)

	inFlight := []*limitedRequest{a.mustShare(0.1, terminal49.BucketRefresh)} // of 4: at least one
	for range 6 {
		inFlight = append(inFlight, b.mustShare(small, terminal49.BucketDefault))
	}
	_, _ = a.acquireWithin(withShare(a.ctx, small), suite.Window/2, terminal49.BucketDefault)
	for range 6 {
		inFlight = append(inFlight, a.mustShare(large, terminal49.BucketDefault))
	}
	_, _ = b.acquireWithin(withShare(b.ctx, large), suite.Window/2, terminal49.BucketDefault)
	f.auditShare(small)
	f.auditShare(large)
	for range 4 {
		inFlight = append(inFlight, a.must(terminal49.BucketDefault), b.must(terminal49.BucketDefault))
	}
	f.audit()
	releaseAll(inFlight)
}

// mustShare is must with a share.
func (p *limitedProcess) mustShare(part float64, b terminal49.Bucket) *limitedRequest {
	r, err := p.acquireWithin(withShare(p.ctx, part), suite.Patience, b)
	if err != nil {
		p.Errorf("bucket %s: Acquire with a share of %v failed with %v to wait: %v", b, part, suite.Patience, err)
	}
	return r
}

// auditShare reports a window in which a share and smaller ones have more requests than it allows.
func (f *limiterFleet) auditShare(part float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var shared []*limitedRequest
	for _, r := range f.sent[terminal49.BucketDefault] {
		if r.share <= part {
			shared = append(shared, r)
		}
	}
	limit := max(int(math.Floor(part*float64(f.setup.Limits.Default))), 1)
	if worst := worstWindow(shared, f.setup.Window); worst > limit {
		f.Errorf("the service can count %d requests of a share of %v in a window of %v; it allows %d", worst, part, f.setup.Window, limit)
	}
}

// withShare returns ctx as a limiter receives it from a call with a share.
func withShare(ctx context.Context, part float64) context.Context {
	var caught contextCatcher
	client, err := terminal49.New("key-of-the-suite", terminal49.WithLimiter(&caught), terminal49.WithShare(part), terminal49.WithMaxAttempts(1))
	if err == nil {
		_, err = client.Shipments.Get(context.Background(), "11111111-1111-4111-8111-111111111111", nil)
	}
	if caught.call == nil {
		panic(err) // the call ended before it reached the limiter
	}
	return sharedContext{ctx, caught.call}
}

// sharedContext has the call of another context.
type sharedContext struct {
	context.Context
	call context.Context
}

func (c sharedContext) Value(key any) any {
	if v := c.Context.Value(key); v != nil {
		return v
	}
	return c.call.Value(key)
}

// contextCatcher keeps the context that a limiter receives, and refuses the call.
type contextCatcher struct{ call context.Context }

func (c *contextCatcher) Acquire(ctx context.Context, _ terminal49.Bucket) (func(), error) {
	c.call = context.WithoutCancel(ctx)
	return nil, errors.New("refused: only the context of the call is needed")
}

func (c *contextCatcher) Pause(terminal49.Bucket, time.Duration) {}
