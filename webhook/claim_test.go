package webhook_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/webhook"
)

// fragileStore is a store whose data can be lost and whose calls can be made to fail.
type fragileStore struct {
	mu     sync.Mutex
	memory *webhook.MemoryDedupe
	fail   func(context.Context) error // of every call
	leases []time.Duration             // of every Claim
}

func newFragileStore() *fragileStore { return &fragileStore{memory: webhook.NewMemoryDedupe(0)} }

func (s *fragileStore) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

func (s *fragileStore) lose() { s.set(func() { s.memory = webhook.NewMemoryDedupe(0) }) }

func (s *fragileStore) failing(fail func(context.Context) error) { s.set(func() { s.fail = fail }) }

func (s *fragileStore) reach(ctx context.Context) (memory *webhook.MemoryDedupe, err error) {
	s.mu.Lock()
	memory, fail := s.memory, s.fail
	s.mu.Unlock()
	if fail != nil {
		err = fail(ctx)
	}
	return memory, err
}

func (s *fragileStore) Claim(ctx context.Context, id, owner string, lease time.Duration) (webhook.DedupeState, error) {
	s.set(func() { s.leases = append(s.leases, lease) })
	memory, err := s.reach(ctx)
	if err != nil {
		return webhook.DedupeBusy, err
	}
	return memory.Claim(ctx, id, owner, lease)
}

func (s *fragileStore) Complete(ctx context.Context, id, owner string, retention time.Duration) error {
	memory, err := s.reach(ctx)
	if err != nil {
		return err
	}
	return memory.Complete(ctx, id, owner, retention)
}

func (s *fragileStore) Release(ctx context.Context, id, owner string) error {
	memory, err := s.reach(ctx)
	if err != nil {
		return err
	}
	return memory.Release(ctx, id, owner)
}

// claimTest is a receiver whose callback takes a time, and its outcomes.
type claimTest struct {
	*webhook.Handler
	store      *fragileStore
	mu         sync.Mutex
	calls      int
	cause      error // of the end of the callback's context
	deliveries []webhook.Delivery
}

// newClaimTest returns a receiver whose callback returns after a time, or when its claim is lost.
func newClaimTest(t *testing.T, store *fragileStore, takes time.Duration, opts ...webhook.Option) *claimTest {
	c := &claimTest{store: store}
	c.Handler = testkit.NewHandler(t, append(opts, webhook.WithDedupe(store, 24*time.Hour),
		webhook.OnAny(func(ctx context.Context, _ *webhook.Notification) error {
			c.mu.Lock()
			c.calls++
			c.mu.Unlock()
			timer := time.NewTimer(takes)
			defer timer.Stop()
			select {
			case <-timer.C:
				return nil
			case <-ctx.Done():
			}
			if c.cause = context.Cause(ctx); errors.Is(c.cause, webhook.ErrClaimLost) {
				return c.cause
			}
			<-timer.C // it ignores its deadline
			return nil
		}),
		webhook.OnDelivery(func(_ context.Context, d webhook.Delivery) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.deliveries = append(c.deliveries, d)
		}))...)
	return c
}

func (c *claimTest) deliver() int {
	return testkit.Serve(c, testkit.SignedRequest(testkit.Numbered(1))).Code
}

// losses returns the lost claims that were reported.
func (c *claimTest) losses() (lost []webhook.Delivery) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, d := range c.deliveries {
		if d.Outcome == webhook.OutcomeClaimLost {
			lost = append(lost, d)
		}
	}
	return lost
}

// requireOneLoss requires that one lost claim was reported, that of notification n-1.
func (c *claimTest) requireOneLoss(t *testing.T) {
	t.Helper()
	lost := c.losses()
	require.Len(t, lost, 1)
	require.ErrorIs(t, lost[0].Err, webhook.ErrClaimLost)
	require.Equal(t, "n-1", lost[0].NotificationID)
	require.NotEmpty(t, lost[0].Event)
	require.Zero(t, lost[0].StatusCode)
}

// Issue 31, D8: a callback longer than the lease is not run twice at once.
func TestClaim_IsRenewedWhileTheCallbackRuns(t *testing.T) {
	for _, lease := range []time.Duration{time.Second, webhook.DefaultClaimLease, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			store := newFragileStore()
			one := newClaimTest(t, store, 10*lease+time.Second, webhook.WithClaimLease(lease))
			other := newClaimTest(t, store, 0, webhook.WithClaimLease(lease))
			began := time.Now()
			require.Equal(t, 500, one.deliver(), "after the timeout")
			for time.Since(began) < 10*lease-webhook.DefaultTimeout {
				require.Equal(t, 500, other.deliver())
			}
			time.Sleep(time.Until(began.Add(10*lease + 2*time.Second)))
			require.Equal(t, 200, other.deliver())
			require.Equal(t, 1, one.calls)
			require.Zero(t, other.calls)
			require.ErrorIs(t, one.cause, context.DeadlineExceeded)
			require.Empty(t, one.losses())
			for _, asked := range store.leases {
				require.Equal(t, lease, asked)
			}
		})
	}
}

// DefaultClaimLease: how long the claim of a process that died lasts.
func TestClaim_OfADeadProcessBlocksForTheLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFragileStore()
		died := time.Now()
		_, err := store.Claim(t.Context(), "n-1", "dead", webhook.DefaultClaimLease)
		require.NoError(t, err)
		other := newClaimTest(t, store, 0)
		for other.deliver() != 200 {
			require.Less(t, time.Since(died), 30*time.Second)
			synctest.Wait()
			last := other.deliveries[len(other.deliveries)-1].Err
			require.ErrorIs(t, last, webhook.ErrTimeout)
			require.ErrorContains(t, last, "no callback was called in time: another receiver has the notification")
		}
		require.LessOrEqual(t, len(other.deliveries), 4, "each is reported once")
		require.GreaterOrEqual(t, time.Since(died), 30*time.Second)
		require.Equal(t, 1, other.calls)
	})
}

// The store loses its data, and another process claims the notification before the next renewal.
func TestClaim_LostToAnotherOwner(t *testing.T) {
	for name, then := range map[string]func(*testing.T, *fragileStore){
		"which still has it": func(*testing.T, *fragileStore) {},
		"which completed it": func(t *testing.T, s *fragileStore) {
			require.NoError(t, s.Complete(t.Context(), "n-1", "b", time.Hour))
		},
		"and ours ended long": func(t *testing.T, s *fragileStore) { time.Sleep(time.Minute) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newClaimTest(t, newFragileStore(), time.Hour, webhook.WithTimeout(2*time.Hour))
				code := make(chan int)
				go func() { code <- c.deliver() }()
				time.Sleep(time.Second)
				c.store.lose()
				state, err := c.store.Claim(t.Context(), "n-1", "b", time.Hour)
				require.NoError(t, err)
				require.Equal(t, webhook.DedupeClaimed, state)
				then(t, c.store)
				began := time.Now()
				require.Equal(t, 500, <-code)
				require.Less(t, time.Since(began), webhook.DefaultClaimLease/3, "the next renewal finds it")
				require.ErrorIs(t, c.cause, webhook.ErrClaimLost)
				c.requireOneLoss(t)
				require.ErrorIs(t, c.deliveries[1].Err, webhook.ErrClaimLost)
				state, err = c.store.Claim(t.Context(), "n-1", "c", time.Hour)
				require.NoError(t, err)
				require.NotEqual(t, webhook.DedupeClaimed, state, "it is left to the other owner")
			})
		})
	}
}

// The callback ends before the next renewal, so only the store can know that the claim was lost.
func TestClaim_LostBeforeAnyRenewal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClaimTest(t, newFragileStore(), 2*time.Second)
		time.AfterFunc(time.Second, c.store.lose)
		require.Equal(t, 200, c.deliver(), "the work is done")
		c.requireOneLoss(t)
		require.Equal(t, webhook.OutcomeHandled, c.deliveries[1].Outcome)
		require.ErrorIs(t, c.deliveries[1].Err, webhook.ErrClaimLost)
		require.Equal(t, 200, c.deliver())
		require.Equal(t, 1, c.calls, "and recorded")
	})
}

// A store that fails for less than the lease has no effect. After the lease, another process may
// have the claim.
func TestClaim_WhileTheStoreFails(t *testing.T) {
	refused := errors.New("connection refused")
	for name, fail := range map[string]func(context.Context) error{
		"at once":                     func(context.Context) error { return refused },
		"after the context has ended": func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
	} {
		for _, d := range []time.Duration{10 * time.Second, 19 * time.Second, 10 * time.Minute} {
			t.Run(name+", "+d.String(), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c := newClaimTest(t, newFragileStore(), time.Hour, webhook.WithTimeout(2*time.Hour))
					go c.deliver()
					time.Sleep(time.Second)
					c.store.failing(fail)
					time.Sleep(d)
					c.store.failing(nil)
					if d < time.Minute {
						time.Sleep(time.Hour)
						require.Empty(t, c.losses())
						return
					}
					c.requireOneLoss(t)
					require.ErrorContains(t, c.losses()[0].Err, "30s")
					time.Sleep(time.Hour)
				})
			})
		}
	}
}

// A store that panics may never renew the claim.
func TestClaim_WhileTheStorePanics(t *testing.T) {
	for name, fail := range map[string]func(context.Context) error{
		"panic":                func(context.Context) error { panic("store") },
		"end of the goroutine": func(context.Context) error { runtime.Goexit(); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newClaimTest(t, newFragileStore(), 20*time.Second, webhook.WithTimeout(time.Minute))
				time.AfterFunc(time.Second, func() { c.store.failing(fail) })
				time.AfterFunc(10*time.Second, func() { c.store.failing(nil) })
				require.Equal(t, 500, c.deliver())
				c.requireOneLoss(t)
			})
		})
	}
}

// A renewal that is in progress when the callback fails must not follow Release.
func TestClaim_IsNotRenewedAfterRelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, failed := newFragileStore(), errors.New("no")
		h := testkit.NewHandler(t, webhook.WithDedupe(store, time.Hour), webhook.OnAny(func(context.Context, *webhook.Notification) error {
			time.Sleep(6 * time.Second)
			return failed
		}))
		time.AfterFunc(time.Second, func() {
			store.failing(func(context.Context) error { time.Sleep(3 * time.Second); return nil })
		})
		require.ErrorIs(t, h.Handle(t.Context(), testkit.ParsedDelivery(t, testkit.Numbered(1))), webhook.ErrTimeout)
		time.Sleep(time.Minute)
		var claims int
		store.set(func() { claims = len(store.leases) })
		store.failing(nil)
		state, err := store.Claim(t.Context(), "n-1", "other", time.Hour)
		require.NoError(t, err)
		require.Equal(t, webhook.DedupeClaimed, state)
		require.Equal(t, 2, claims, "one renewal, at 5 s")
	})
}
