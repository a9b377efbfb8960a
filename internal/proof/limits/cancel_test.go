package limits_test

// Callers that give up while queued, in flight or reading lose no slot, and the limits still hold.

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// inTransit is a network on which a cancelled call ends at once, but its request, if sent, arrives
// and counts. Sending, responding and reading each take less than each.
func inTransit(each time.Duration) terminal49.Option {
	there, back, reading := testkit.UpTo(each), testkit.UpTo(each+1), testkit.UpTo(each+2)
	return testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		if sent, ok := req.Context().Value(sentKey{}).(func()); ok {
			sent()
		}
		ctx, answer := req.Context(), make(chan *http.Response, 1)
		failed := make(chan error, 1)
		go func() {
			testkit.Advance(there())
			resp, err := next.RoundTrip(req.WithContext(context.WithoutCancel(ctx)))
			testkit.Advance(back())
			if err != nil {
				failed <- err
				return
			}
			resp.Body = &slowBody{resp.Body, ctx, reading()}
			answer <- resp
		}()
		select {
		case resp := <-answer:
			return resp, nil
		case err := <-failed:
			return nil, err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
}

// slowBody delays the first byte, until its context ends at the latest.
type slowBody struct {
	io.ReadCloser
	ctx  context.Context
	wait time.Duration
}

func (b *slowBody) Read(p []byte) (int, error) {
	select {
	case <-time.After(b.wait):
		b.wait = 0
		return b.ReadCloser.Read(p)
	case <-b.ctx.Done():
		return 0, b.ctx.Err()
	}
}

// sentKey is the context key of a func() that is called when a request has been sent.
type sentKey struct{}

// giveUp returns a context that ends at a random moment: cancelled or past its deadline, while the
// call is queued, or soon after its request was sent.
func giveUp(ctx context.Context, random *rand.Rand) (context.Context, context.CancelFunc) {
	queued := time.Duration(random.Int64N(int64(2 * time.Minute)))
	sent := time.Duration(random.Int64N(int64(3 * time.Second)))
	switch random.IntN(3) {
	case 0:
		return context.WithTimeout(ctx, queued)
	case 1:
		ctx, cancel := context.WithCancel(ctx)
		time.AfterFunc(queued, cancel)
		return ctx, cancel
	default:
		ctx, cancel := context.WithCancel(ctx)
		return context.WithValue(ctx, sentKey{}, func() { time.AfterFunc(sent, cancel) }), cancel
	}
}

func TestLimits_CallersThatGiveUp(t *testing.T) {
	t.Parallel()
	churn, calm := testkit.Scale(4*time.Minute, 10*time.Minute), testkit.Scale(3*time.Minute, 5*time.Minute)
	eachBucket(t, func(t *testing.T, srv *terminal49test.Server, bucket terminal49.Bucket, limit int) {
		var (
			w      waits
			all    sync.WaitGroup
			client = testkit.SimulatedClient(t, srv, inTransit(time.Second), w.note())
			call   = oneCall()[bucket]
		)
		storm, over := context.WithTimeout(t.Context(), churn)
		defer over()
		for i := range limit * 3 / 2 {
			random := rand.New(rand.NewPCG(2, uint64(i)))
			all.Go(func() {
				for storm.Err() == nil {
					ctx, cancel := giveUp(storm, random)
					err := call(ctx, client)
					cancel()
					switch {
					case err == nil, errors.Is(err, context.Canceled):
					case errors.Is(err, context.DeadlineExceeded):
						testkit.Advance(time.Second) // as documented: pause before repeating
					default:
						t.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
		stormy := len(srv.Requests())

		ctx, cancel := context.WithTimeout(t.Context(), calm)
		defer cancel()
		demand(ctx, t, limit*3/2, func(ctx context.Context, _ int) error { return call(ctx, client) })
		requests, refused := requireWithinLimits(t, srv)
		require.Zero(t, refused)
		figures(t, "callers that give up", bucket, requests[:stormy], churn, &w)
		require.Greater(t, figures(t, "after them", bucket, requests[stormy:], calm, &w), 0.97)
	})
}

// abandoned is a network on which every call is given up as soon as its request is sent. Of 200
// requests in turn the first 100 arrive late, the others at once, which is the worst for a limit of
// 100.
func abandoned(late time.Duration) terminal49.Option {
	var sent atomic.Int64
	return testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		ctx, wait := context.WithoutCancel(req.Context()), late
		if (sent.Add(1)-1)%200 >= 100 {
			wait = 0
		}
		go func() {
			testkit.Advance(wait)
			if resp, err := next.RoundTrip(req.WithContext(ctx)); err == nil {
				_ = resp.Body.Close()
			}
		}()
		req.Context().Value(sentKey{}).(func())()
		return nil, context.Canceled
	})
}

// Limiter: the slot of a request that was given up is released two seconds later. Requests that
// arrive by then never exceed a limit. SECURITY.md says that later ones may.
func TestLimits_LateArrivals(t *testing.T) {
	t.Parallel()
	for late, exceeds := range map[time.Duration]bool{2 * time.Second: false, 3 * time.Second: true} {
		busy(t, func(t *testing.T, srv *terminal49test.Server) {
			client := testkit.SimulatedClient(t, srv, abandoned(late), terminal49.WithRateLimits(unpaced()))
			var all sync.WaitGroup
			for range 1000 {
				all.Go(func() {
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					ctx = context.WithValue(ctx, sentKey{}, func() { cancel() })
					require.ErrorIs(t, testkit.First(client.Shipments.Get(ctx, testkit.ShipmentID, nil)), context.Canceled)
				})
			}
			all.Wait()
			testkit.Advance(late)
			requests, refused := requireWithinLimits(t, srv)
			require.Len(t, requests, 1000)
			t.Logf("figure: limits: of 1000 requests that were given up and arrived up to %v later, %d exceeded the limit", late, refused)
			require.Equal(t, exceeds, refused > 0)
		})
	}
}
