package fleettest

import (
	"context"
	"errors"
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
	for range 2 {
		p := f.process(0)
		for range f.setup.Limits.Default/5 + 2 {
			for _, part := range []float64{smallShare, largeShare} {
				f.workers.Go(func() { p.work(withShare(ctx, part), terminal49.BucketDefault, 0.5) })
			}
		}
	}
	s.sleep(4)
	cancel()
	f.workers.Wait()
	f.auditShare(smallShare)
	f.auditShare(largeShare)
}

// sharesAreUsable takes all that two shares allow, and then the rest of the limit. What larger
// shares have taken does not count against a smaller one. A share allows at least one request.
func (s *limiterSuite) sharesAreUsable() {
	const b = terminal49.BucketDefault
	soon := s.windows(0.9)
	for _, before := range []bool{true, false} { // calls without a share come first, or last
		f := s.fleet()
		p, q := f.two()
		n := f.setup.Limits.Default
		small, large := top(smallShare, n), top(largeShare, n)
		if before {
			q.take(q.ctx, n-large, soon, b)
		}
		p.take(withShare(p.ctx, smallShare), small, soon, b)
		q.take(withShare(q.ctx, largeShare), large-small, soon, b)
		for _, part := range []float64{smallShare, largeShare} {
			ctx, cancel := context.WithTimeout(withShare(q.ctx, part), s.windows(0.3))
			_, _ = q.send(ctx, b)
			cancel()
			f.auditShare(part)
		}
		if !before {
			q.take(q.ctx, n-large, soon, b)
		}
		p.take(withShare(p.ctx, 0.01), 1, soon, terminal49.BucketRefresh)
	}
}

// sharesInOrder makes calls wait in one process, and in three. Those with larger shares ask last.
func (s *limiterSuite) sharesInOrder() {
	for _, processes := range []int{1, 3} {
		s.order(processes, smallShare, smallShare, smallShare, largeShare, largeShare, largeShare, 1, 1, 1)
	}
}

// withShare returns ctx as a limiter receives it from a call with a share.
func withShare(ctx context.Context, part float64) context.Context {
	if part == 1 {
		return ctx
	}
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
