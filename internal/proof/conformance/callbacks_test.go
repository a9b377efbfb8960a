package conformance_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// A function of the caller that panics does so on the goroutine of the call, which can recover. One
// that waits for its context ends with it. Neither keeps a slot of the limiter or a goroutine, nor
// breaks the client (docs of Hooks, Limiter and WithMiddleware: they are called during calls).

// callbacks are all functions of the caller that a call calls. Each calls act once it is armed.
type callbacks struct {
	place      string // the one that acts
	act        func(context.Context)
	armed      atomic.Bool
	taken, put atomic.Int32 // slots of the limiter
	status     int          // of the response
}

// callbackPlaces are the names of the callbacks; those that have no context cannot wait for it.
var callbackPlaces = []string{"middleware, before", "middleware, after", "base transport", "body", "OnCall", "end of OnCall", "OnAttempt", "OnRetry",
	"OnLimiterWait", "logger", "Acquire", "release", "Pause"}

func (c *callbacks) at(ctx context.Context, place string) {
	if place == c.place && c.armed.CompareAndSwap(true, false) {
		c.act(ctx)
	}
}

func (c *callbacks) client(t *testing.T, body string) *terminal49.Client {
	base := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		c.at(req.Context(), "base transport")
		status := http.StatusOK
		if c.armed.Load() && c.status != 0 {
			status = c.status
		}
		resp, err := testkit.Answer(status, body)(req)
		resp.Body = &trailed{resp.Body, func() { c.at(req.Context(), "body") }}
		return resp, err
	})
	client, err := terminal49.New(testkit.Token, terminal49.WithHTTPClient(&http.Client{Transport: base}), terminal49.WithLimiter(c),
		terminal49.WithLogger(slog.New(c)), terminal49.WithRetryPolicy(terminal49.RetryPolicy{MinBackoff: 1, MaxBackoff: 1}),
		terminal49.WithHooks(terminal49.Hooks{
			OnCall: func(ctx context.Context, _ terminal49.CallInfo) (context.Context, func(terminal49.CallResult)) {
				c.at(ctx, "OnCall")
				return ctx, func(terminal49.CallResult) { c.at(ctx, "end of OnCall") }
			},
			OnAttempt:     func(ctx context.Context, _ terminal49.Attempt) { c.at(ctx, "OnAttempt") },
			OnRetry:       func(ctx context.Context, _ terminal49.Retry) { c.at(ctx, "OnRetry") },
			OnLimiterWait: func(ctx context.Context, _ terminal49.CallInfo, _ time.Duration) { c.at(ctx, "OnLimiterWait") },
		}),
		testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
			c.at(req.Context(), "middleware, before")
			resp, err := next.RoundTrip(req)
			c.at(req.Context(), "middleware, after")
			return resp, err
		}))
	require.NoError(t, err)
	return client
}

func (c *callbacks) Acquire(ctx context.Context, _ terminal49.Bucket) (func(), error) {
	c.at(ctx, "Acquire")
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.taken.Add(1)
	return func() { c.put.Add(1); c.at(ctx, "release") }, nil
}

func (c *callbacks) Pause(terminal49.Bucket, time.Duration) { c.at(context.Background(), "Pause") }

func (c *callbacks) Enabled(context.Context, slog.Level) bool { return true }
func (c *callbacks) Handle(ctx context.Context, _ slog.Record) error {
	c.at(ctx, "logger")
	return nil
}
func (c *callbacks) WithAttrs([]slog.Attr) slog.Handler { return c }
func (c *callbacks) WithGroup(string) slog.Handler      { return c }

// callbackCase arms one callback of a call of an operation.
func callbackCase(t *testing.T, op testedOperation, place string, act func(context.Context)) (*callbacks, *terminal49.Client) {
	c := &callbacks{place: place, act: act}
	switch place {
	case "OnRetry", "Pause":
		c.status = http.StatusTooManyRequests
	}
	client := c.client(t, op.reply)
	c.armed.Store(true)
	return c, client
}

// requireUsable checks that a client and its limiter are as they were before.
func (c *callbacks) requireUsable(t *testing.T, client *terminal49.Client, op testedOperation, about string) {
	t.Helper()
	c.armed.Store(false)
	require.NoError(t, op.do(t.Context(), client, "signed-1"), about)
	require.Equal(t, c.taken.Load(), c.put.Load(), "%s: slots of the limiter that were not released", about)
}

func TestConformance_CallbacksThatPanic(t *testing.T) {
	tried := 0
	for i, op := range conformanceOperations(t) {
		for j, place := range callbackPlaces {
			if (i+j)%testkit.Scale(4, 1) != 0 {
				continue
			}
			c, client := callbackCase(t, op, place, func(context.Context) { panic("by the caller") })
			about := fmt.Sprintf("%s of %s", place, op.Name)
			caught := func() (caught any) {
				defer func() { caught = recover() }()
				_ = op.do(t.Context(), client, "signed-1")
				return nil
			}()
			if c.armed.Load() {
				require.Nil(t, caught, about) // it was not called
				continue
			}
			require.Equal(t, "by the caller", caught, about)
			c.requireUsable(t, client, op, about)
			tried++
		}
	}
	t.Logf("figure: %d panics of callbacks, each on the goroutine of its call", tried)
}

func TestConformance_CallbacksThatWaitForTheContext(t *testing.T) {
	tried := 0
	for i, op := range conformanceOperations(t) {
		for j, place := range callbackPlaces {
			if (i+j)%testkit.Scale(8, 1) != 0 || place == "Pause" || strings.HasPrefix(place, "OnL") {
				continue
			}
			ctx, cancel := context.WithCancel(t.Context())
			c, client := callbackCase(t, op, place, func(ctx context.Context) {
				time.AfterFunc(time.Millisecond, cancel) // from here, else a slow call ends before it
				<-ctx.Done()
			})
			about := fmt.Sprintf("%s of %s", place, op.Name)
			overdue := limited(longestCall)
			err := op.do(ctx, client, "signed-1")
			cancel()
			require.False(t, c.armed.Load(), about)
			require.False(t, overdue(), about)
			if err != nil {
				require.ErrorIs(t, err, context.Canceled, about)
			}
			c.requireUsable(t, client, op, about)
			tried++
		}
	}
	t.Logf("figure: %d callbacks that waited for the context", tried)
}
