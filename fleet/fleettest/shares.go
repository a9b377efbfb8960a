package fleettest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
)

// Of 100 these are 29 and 60. A product in floating point is below 29, and 60.5 must not be rounded
// up.
const smallShare, largeShare = 0.29, 0.605

// sharesLeaveRoom makes calls with two shares at full demand for four windows. Neither exceeds its
// part of a window.
func (s *limiterSuite) sharesLeaveRoom() {
	f := s.fleet()
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	for _, p := range []*limitedProcess{f.process(0), f.process(0)} {
		for range f.setup.Limits.Default/5 + 2 {
			for _, part := range []float64{smallShare, largeShare} {
				f.workers.Go(func() { p.work(withShare(ctx, part), terminal49.BucketDefault, 0.5) })
			}
		}
	}
	time.Sleep(s.windows(4))
	cancel()
	f.workers.Wait()
	f.auditShare(smallShare, terminal49.BucketDefault)
	f.auditShare(largeShare, terminal49.BucketDefault)
}

// sharesAreUsable takes all that two shares allow, and then the rest of the budget. What larger
// shares have taken does not count against a smaller one. A share allows at least one request.
func (s *limiterSuite) sharesAreUsable() {
	const b = terminal49.BucketDefault
	soon := s.windows(0.9)
	for _, before := range []bool{true, false} { // calls without a share come first, or last
		f := s.fleet()
		p, q, n := f.process(0), f.process(0), f.setup.Limits.Default
		small, large, rest := top(smallShare, n), top(largeShare, n), n-top(largeShare, n)
		if before {
			q.take(q.ctx, rest, soon, b)
		}
		p.take(withShare(p.ctx, smallShare), small, soon, b)
		q.take(withShare(q.ctx, largeShare), large-small, soon, b)
		for _, part := range []float64{smallShare, largeShare} {
			ctx, cancel := context.WithTimeout(withShare(q.ctx, part), s.windows(0.3))
			_, _ = q.send(ctx, b)
			cancel()
			f.auditShare(part, b)
		}
		if !before {
			q.take(q.ctx, rest, soon, b)
		}
		p.take(withShare(p.ctx, 0.01), 1, soon, terminal49.BucketRefresh)
		f.audit()
	}
}

// largerSharesGoFirst makes calls wait in one process, and in three. Those with larger shares ask
// last and are served first.
func (s *limiterSuite) largerSharesGoFirst() {
	for _, processes := range []int{1, 3} {
		f := s.fleet()
		q := f.line()
		all := make([]*limitedProcess, processes)
		for i := range all {
			all[i] = f.process(0)
		}
		var order []string
		for i, part := range []float64{smallShare, smallShare, smallShare, largeShare, largeShare, largeShare, 1, 1, 1} {
			p, name := all[i%processes], fmt.Sprintf("call %d with share %v", i%3+1, part)
			q.ask(p, withShare(p.ctx, part), name)
			order = slices.Insert(order, i%3, name)
			time.Sleep(s.windows(0.04))
		}
		q.require(order)
	}
}

// withShare returns ctx as a limiter receives it from a call with a share.
func withShare(ctx context.Context, part float64) context.Context {
	var caught contextCatcher
	client, err := terminal49.New("key-of-the-suite", terminal49.WithLimiter(&caught), terminal49.WithRateLimitShare(part), terminal49.WithMaxAttempts(1))
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
