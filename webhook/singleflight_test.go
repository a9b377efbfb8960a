package webhook_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/webhook"
)

func TestHandler_CallbacksOutliveTheirRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type key struct{}
		began := time.Now()
		var late error
		h := testkit.NewHandler(t, webhook.WithTimeout(3*time.Second), webhook.OnAny(func(ctx context.Context, n *webhook.Notification) error {
			deadline, ok := ctx.Deadline()
			require.True(t, ok)
			require.Equal(t, began.Add(3*time.Second), deadline)
			require.Equal(t, "value", ctx.Value(key{}))
			time.Sleep(time.Second)
			late = ctx.Err()
			return nil
		}))
		ctx, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "value"))
		time.AfterFunc(time.Millisecond, cancel) // the service hangs up
		require.Equal(t, 500, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1)).WithContext(ctx)).Code)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		require.NoError(t, late, "the callback continues")
		began = time.Now()
		require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code, "and its outcome is recorded")
	})
}

// A late callback is answered 500 at its deadline. Its outcome still counts.
func TestHandler_TimesOutAtTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int64
		var outcomes []webhook.Outcome
		h := testkit.NewHandler(t, webhook.WithTimeout(2*time.Second), webhook.OnAny(func(context.Context, *webhook.Notification) error {
			calls.Add(1)
			time.Sleep(5 * time.Second)
			return nil
		}), webhook.OnDelivery(func(_ context.Context, d webhook.Delivery) { outcomes = append(outcomes, d.Outcome) }))
		began := time.Now()
		require.Equal(t, 500, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code)
		require.Equal(t, 2*time.Second, time.Since(began))
		require.Equal(t, 500, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code, "still running: no second call")
		require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code, "shares the success")
		require.Equal(t, 5*time.Second, time.Since(began))
		require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code)
		require.Equal(t, []webhook.Outcome{webhook.OutcomeFailed, webhook.OutcomeFailed, webhook.OutcomeDuplicate, webhook.OutcomeDuplicate}, outcomes)
		require.EqualValues(t, 1, calls.Load())
	})
}

// Whatever a callback does after its timeout is reported once, to OnDelivery: a success, a failure,
// a panic with its stack, a success that the store did not record, and the same of a dead letter.
func TestHandler_ReportsOutcomesAfterTheTimeout(t *testing.T) {
	failed, refused := errors.New("late failure"), errors.New("connection refused")
	for name, c := range map[string]struct {
		then  func() error
		store error // of Complete
		want  webhook.Outcome
		err   string
	}{
		"success":      {func() error { return nil }, nil, webhook.OutcomeHandled, ""},
		"failure":      {func() error { return failed }, nil, webhook.OutcomeFailed, "late failure"},
		"panic":        {func() error { panic("late panic") }, nil, webhook.OutcomeFailed, "late panic"},
		"goexit":       {func() error { runtime.Goexit(); return nil }, nil, webhook.OutcomeFailed, "ended its goroutine"},
		"not recorded": {func() error { return nil }, refused, webhook.OutcomeHandled, "connection refused"},
	} {
		for kind, body := range map[string][]byte{"notification": testkit.Numbered(1), "dead letter": []byte("{}")} {
			t.Run(name+" of a "+kind, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					store := newFragileStore()
					work := func(context.Context) error {
						time.Sleep(5 * time.Second)
						if c.store != nil {
							store.failing(func(context.Context) error { return c.store })
						}
						return c.then()
					}
					var reported []webhook.Delivery
					h := testkit.NewHandler(t, webhook.WithTimeout(2*time.Second), webhook.WithDedupe(store, time.Hour),
						webhook.OnAny(func(ctx context.Context, _ *webhook.Notification) error { return work(ctx) }),
						webhook.OnDeadLetter(func(ctx context.Context, _ webhook.DeadLetter) error { return work(ctx) }),
						webhook.OnDelivery(func(_ context.Context, d webhook.Delivery) { reported = append(reported, d) }))
					testkit.Serve(h, testkit.SignedRequest(body))
					testkit.Serve(h, testkit.SignedRequest(body)) // at 2 s, until 4 s
					require.NoError(t, h.Shutdown(t.Context()))
					require.Len(t, reported, 3)
					late, want := reported[2], c.want
					require.ErrorIs(t, reported[1].Err, webhook.ErrTimeout)
					if kind == "dead letter" {
						want = webhook.OutcomeDeadLettered
						require.ErrorIs(t, late.Err, terminal49.ErrNotNotification)
					}
					require.Equal(t, want, late.Outcome)
					require.Zero(t, late.StatusCode)
					require.Equal(t, 5*time.Second, late.Duration)
					require.Equal(t, reported[0].NotificationID, late.NotificationID)
					if c.err != "" {
						require.ErrorContains(t, late.Err, c.err)
					} else if want == webhook.OutcomeHandled {
						require.NoError(t, late.Err)
					}
					var panicked *webhook.CallbackPanicError
					if require.Equal(t, name == "panic", errors.As(late.Err, &panicked)); name == "panic" {
						require.Contains(t, string(panicked.Stack), "singleflight_test.go")
					}
				})
			})
		}
	}
}

// Concurrent deliveries of one notification run its callbacks once and share the outcome.
func TestHandler_DuplicatesShareTheOutcome(t *testing.T) {
	for _, outcome := range []error{nil, errors.New("no")} {
		synctest.Test(t, func(t *testing.T) {
			var calls atomic.Int64
			h := testkit.NewHandler(t, webhook.OnAny(func(context.Context, *webhook.Notification) error {
				calls.Add(1)
				time.Sleep(time.Second)
				return outcome
			}))
			codes := make(chan int, 8)
			for range cap(codes) {
				go func() { codes <- testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code }()
			}
			want := 200
			if outcome != nil {
				want = 500
			}
			for range cap(codes) {
				require.Equal(t, want, <-codes)
			}
			require.EqualValues(t, 1, calls.Load())
		})
	}
}

func TestHandler_ShutdownWaitsForCallbacks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var cancelled atomic.Bool
		h := testkit.NewHandler(t, webhook.OnAny(func(ctx context.Context, n *webhook.Notification) error {
			select {
			case <-time.After(3 * time.Second):
			case <-ctx.Done():
				cancelled.Store(true)
				return ctx.Err()
			}
			return nil
		}))
		code := make(chan int, 1)
		go func() { code <- testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code }()
		time.Sleep(time.Second)
		began, duplicate := time.Now(), make(chan int, 1)
		time.AfterFunc(time.Second, func() { duplicate <- testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code })
		require.NoError(t, h.Shutdown(t.Context()))
		require.Equal(t, 2*time.Second, time.Since(began), "callbacks in progress are waited for")
		require.Equal(t, 200, <-code)
		require.Equal(t, 200, <-duplicate, "one that arrives meanwhile shares the outcome")
		require.Equal(t, 503, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(2))).Code)
		require.ErrorIs(t, h.Handle(t.Context(), testkit.ParsedDelivery(t, testkit.Numbered(3))), webhook.ErrClosed)
		require.NoError(t, h.Shutdown(t.Context()), "twice is fine")
		require.False(t, cancelled.Load())

		h = testkit.NewHandler(t, webhook.OnAny(func(ctx context.Context, _ *webhook.Notification) error {
			<-ctx.Done()
			cancelled.Store(true)
			return ctx.Err()
		}))
		go func() { code <- testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code }()
		time.Sleep(time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, h.Shutdown(ctx), context.DeadlineExceeded)
		require.Equal(t, 500, <-code)
		require.True(t, cancelled.Load(), "the callbacks are cancelled when the context ends")
	})
}
