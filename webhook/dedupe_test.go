package webhook_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/webhook"
)

func TestMemoryDedupe_ClaimsCompletesAndReleases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, m := t.Context(), webhook.NewMemoryDedupe(3)
		claim := func(id, owner string) webhook.DedupeState {
			state, err := m.Claim(ctx, id, owner, time.Minute)
			require.NoError(t, err)
			return state
		}
		require.Equal(t, webhook.DedupeClaimed, claim("a", "1"))
		require.Equal(t, webhook.DedupeBusy, claim("a", "2"))
		require.NoError(t, m.Release(ctx, "a", "2"))
		require.Equal(t, webhook.DedupeBusy, claim("a", "2"), "only the owner can release a claim")
		require.NoError(t, m.Release(ctx, "a", "1"))
		require.Equal(t, webhook.DedupeClaimed, claim("a", "2"))

		time.Sleep(time.Minute) // the owner died
		require.Equal(t, webhook.DedupeClaimed, claim("a", "3"))
		require.NoError(t, m.Release(ctx, "a", "2"))
		require.Equal(t, webhook.DedupeBusy, claim("a", "4"), "a late release does not affect the claim of another owner")
		require.ErrorIs(t, m.Complete(ctx, "a", "2", time.Hour), webhook.ErrClaimLost) // the owner was only slow
		require.Equal(t, webhook.DedupeDone, claim("a", "5"))
		require.NoError(t, m.Release(ctx, "a", "3"))
		require.Equal(t, webhook.DedupeDone, claim("a", "6"))

		time.Sleep(time.Hour)
		require.Equal(t, webhook.DedupeClaimed, claim("a", "7"), "forgotten")

		require.Equal(t, webhook.DedupeClaimed, claim("a", "7"), "renewed")
		require.NoError(t, m.Complete(ctx, "a", "7", time.Nanosecond))

		for i := range 10 {
			require.ErrorIs(t, m.Complete(ctx, fmt.Sprint(i), "x", time.Hour), webhook.ErrClaimLost)
			require.LessOrEqual(t, m.Len(), 3)
		}
		require.Equal(t, webhook.DedupeClaimed, claim("6", "y"), "the oldest are forgotten first")
		for _, id := range []string{"7", "8", "9"} {
			require.Equal(t, webhook.DedupeDone, claim(id, "y"))
		}
		time.Sleep(2 * time.Hour)
		require.Equal(t, webhook.DedupeClaimed, claim("z", "y"))
		require.Zero(t, m.Len(), "what has expired is swept")
		claims, _, _ := m.Sizes()
		require.Equal(t, 1, claims)
	})
}

// DedupeStore: Complete marks a notification as done for the retention. NewMemoryDedupe: the oldest
// are forgotten first. A notification that is completed again is the newest.
func TestMemoryDedupe_CompletingAgainRenews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, m := t.Context(), webhook.NewMemoryDedupe(3)
		complete := func(ids ...string) {
			for _, id := range ids {
				require.ErrorIs(t, m.Complete(ctx, id, "x", time.Hour), webhook.ErrClaimLost)
			}
		}
		claim := func(id string) webhook.DedupeState {
			state, err := m.Claim(ctx, id, "y", time.Minute)
			require.NoError(t, err)
			return state
		}
		complete("a", "b", "c", "a", "d") // forgets b
		require.Equal(t, webhook.DedupeDone, claim("a"))
		require.Equal(t, webhook.DedupeClaimed, claim("b"))
		require.Equal(t, webhook.DedupeDone, claim("c"))

		time.Sleep(40 * time.Minute)
		complete("c")
		time.Sleep(40 * time.Minute)
		require.Equal(t, webhook.DedupeDone, claim("c"))
		require.Equal(t, 1, m.Len(), "the others have expired and are swept")

		for range 1000 {
			complete("c")
		}
		_, keys, _ := m.Sizes()
		require.Equal(t, 1, keys)
	})
}

// An id is a substring of its delivery and may be as long as one. The store must keep neither.
func TestMemoryDedupe_KeepsNoDelivery(t *testing.T) {
	const many, each = 5000, 512 // bytes, at most
	for name, id := range map[string]string{"usual": "11111111-1111-4111-8111-%012d", "long": strings.Repeat("x", 8<<10) + "%d"} {
		m := webhook.NewMemoryDedupe(many)
		before := heapInUse()
		for i := range many {
			n, err := webhook.ParseNotification(bytes.Replace(testkit.Numbered(1), []byte("n-1"), fmt.Appendf(nil, id, i), 1))
			require.NoError(t, err)
			_, err = m.Claim(t.Context(), n.ID, "owner", time.Minute)
			require.NoError(t, err)
			require.NoError(t, m.Complete(t.Context(), n.ID, "owner", time.Hour))
		}
		got := (heapInUse() - before) / many
		require.Equal(t, many, m.Len())
		require.Less(t, got, int64(each), name)
		t.Logf("figure: memory: a handled notification of %s id is remembered in %d bytes", name, got)
	}
}

// heapInUse returns the heap after two collections; the second one frees what finalizers held.
func heapInUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// The store does not grow with the number of notifications.
func TestMemoryDedupe_IsBounded(t *testing.T) {
	m := webhook.NewMemoryDedupe(100)
	for i := range 10_000 {
		require.ErrorIs(t, m.Complete(t.Context(), fmt.Sprint(i), "x", time.Hour), webhook.ErrClaimLost)
	}
	require.Equal(t, 100, m.Len())
	_, keys, _ := m.Sizes()
	require.LessOrEqual(t, keys, 202)
	_, _, limit := webhook.NewMemoryDedupe(0).Sizes()
	require.Equal(t, webhook.DefaultDedupeLimit, limit)
}

// Two processes behind one URL share a store.
func TestDedupe_HandlersShareAStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := webhook.NewMemoryDedupe(0)
		var calls atomic.Int64
		var outcome error
		slow := webhook.OnAny(func(context.Context, *webhook.Notification) error {
			calls.Add(1)
			time.Sleep(2 * time.Second)
			return outcome
		})
		one := testkit.NewHandler(t, slow, webhook.WithDedupe(store, time.Hour))
		two := testkit.NewHandler(t, slow, webhook.WithDedupe(store, time.Hour))
		both := func(i int) (int, int) {
			code := make(chan int)
			go func() { code <- testkit.Serve(one, testkit.SignedRequest(testkit.Numbered(i))).Code }()
			synctest.Wait()
			second := testkit.Serve(two, testkit.SignedRequest(testkit.Numbered(i))).Code
			return <-code, second
		}
		a, b := both(1)
		require.Equal(t, []int{200, 200}, []int{a, b})
		require.EqualValues(t, 1, calls.Load(), "the second waited for the first")
		outcome = errors.New("no")
		a, b = both(2)
		require.Equal(t, []int{500, 500}, []int{a, b})
		require.EqualValues(t, 3, calls.Load(), "the first failed, so the second tried")

		// A process dies between Claim and Complete: its claim keeps others waiting, then expires.
		_, err := store.Claim(t.Context(), "n-3", "dead", 20*time.Second)
		require.NoError(t, err)
		outcome = nil
		require.Equal(t, 500, testkit.Serve(two, testkit.SignedRequest(testkit.Numbered(3))).Code)
		time.Sleep(15 * time.Second)
		require.Equal(t, 200, testkit.Serve(two, testkit.SignedRequest(testkit.Numbered(3))).Code)
		require.EqualValues(t, 4, calls.Load())
	})
}

// brokenStore is a store whose methods fail or panic on demand.
type brokenStore struct {
	webhook.DedupeStore
	claim, complete error
	panics          bool
}

func (s *brokenStore) Claim(ctx context.Context, id, owner string, lease time.Duration) (webhook.DedupeState, error) {
	if s.panics {
		panic("the store is nil inside")
	}
	if s.claim != nil {
		return webhook.DedupeClaimed, s.claim
	}
	return s.DedupeStore.Claim(ctx, id, owner, lease)
}

func (s *brokenStore) Complete(ctx context.Context, id, owner string, retention time.Duration) error {
	if s.complete != nil {
		return s.complete
	}
	return s.DedupeStore.Complete(ctx, id, owner, retention)
}

func TestDedupe_StoreFailures(t *testing.T) {
	down := errors.New("store down")
	store := &brokenStore{DedupeStore: webhook.NewMemoryDedupe(0), claim: down}
	var calls atomic.Int64
	var d webhook.Delivery
	h := testkit.NewHandler(t, testkit.Counting(&calls), webhook.WithDedupe(store, time.Hour), webhook.OnDelivery(func(_ context.Context, seen webhook.Delivery) { d = seen }))
	require.Equal(t, 500, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code, "without a claim no callback runs")
	require.ErrorIs(t, d.Err, down)
	require.Zero(t, calls.Load())

	store.claim, store.panics = nil, true
	require.Equal(t, 500, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code)
	require.Zero(t, calls.Load())

	store.panics, store.complete = false, down
	require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code, "it was handled, recorded or not")
	require.ErrorIs(t, d.Err, down)
	require.Equal(t, webhook.OutcomeHandled, d.Outcome)
	require.EqualValues(t, 1, calls.Load())
}

// A dead letter whose callback was not called is delivered again.
func TestDedupe_DeadLettersNeedTheStore(t *testing.T) {
	down := errors.New("store down")
	store := &brokenStore{DedupeStore: webhook.NewMemoryDedupe(0), claim: down}
	var calls, letters atomic.Int64
	var d webhook.Delivery
	h := testkit.NewHandler(t, testkit.Counting(&calls), webhook.WithDedupe(store, time.Hour),
		webhook.OnDeadLetter(func(context.Context, webhook.DeadLetter) error { letters.Add(1); return nil }),
		webhook.OnDelivery(func(_ context.Context, seen webhook.Delivery) { d = seen }))
	letter := []byte(`{}`)
	require.Equal(t, 500, testkit.Serve(h, testkit.SignedRequest(letter)).Code)
	require.Equal(t, webhook.OutcomeFailed, d.Outcome)
	require.ErrorIs(t, d.Err, down)
	require.Zero(t, letters.Load())

	store.claim = nil
	require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(letter)).Code)
	require.EqualValues(t, 1, letters.Load())

	require.NoError(t, h.Shutdown(t.Context()))
	require.Equal(t, 503, testkit.Serve(h, testkit.SignedRequest([]byte(`[]`))).Code)
	require.Equal(t, webhook.OutcomeClosing, d.Outcome)
	require.Zero(t, calls.Load())
}

// strangeStore is a store whose Claim does something else.
type strangeStore struct {
	webhook.DedupeStore
	claim func(context.Context) (webhook.DedupeState, error)
}

func (s *strangeStore) Claim(ctx context.Context, id, owner string, lease time.Duration) (webhook.DedupeState, error) {
	if s.claim != nil {
		return s.claim(ctx)
	}
	return s.DedupeStore.Claim(ctx, id, owner, lease)
}

// OnDeadLetter: a letter whose callback was not called is delivered again, whatever kept the store
// from answering, and also for the deliveries that waited for the first one.
func TestDedupe_ADeadLetterIsAcknowledgedOnlyAfterItsCallback(t *testing.T) {
	busy := func(context.Context) (webhook.DedupeState, error) { return webhook.DedupeBusy, nil }
	for name, claim := range map[string]func(context.Context) (webhook.DedupeState, error){
		"busy":  busy,
		"hangs": func(ctx context.Context) (webhook.DedupeState, error) { time.Sleep(time.Hour); return busy(ctx) },
		"slow": func(context.Context) (webhook.DedupeState, error) {
			time.Sleep(webhook.DefaultTimeout + time.Second)
			return webhook.DedupeBusy, errors.New("slow")
		},
		"waits for its context": func(ctx context.Context) (webhook.DedupeState, error) {
			<-ctx.Done()
			return webhook.DedupeBusy, ctx.Err()
		},
		"panics":             func(context.Context) (webhook.DedupeState, error) { panic("store") },
		"ends its goroutine": func(context.Context) (webhook.DedupeState, error) { runtime.Goexit(); return 0, nil },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := &strangeStore{DedupeStore: webhook.NewMemoryDedupe(0), claim: claim}
				var letters atomic.Int64
				h := testkit.NewHandler(t, webhook.OnAny(func(context.Context, *webhook.Notification) error { return nil }),
					webhook.WithDedupe(store, 24*time.Hour),
					webhook.OnDeadLetter(func(context.Context, webhook.DeadLetter) error { letters.Add(1); return nil }))
				letter, second := []byte(`{"odd":true}`), make(chan int, 1)
				go func() { second <- testkit.Serve(h, testkit.SignedRequest(letter)).Code }()
				require.Equal(t, 500, testkit.Serve(h, testkit.SignedRequest(letter)).Code)
				require.Equal(t, 500, <-second)
				require.Zero(t, letters.Load())
				time.Sleep(2 * time.Hour) // until Claim has returned
				synctest.Wait()
				store.claim = nil
				require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(letter)).Code)
				require.EqualValues(t, 1, letters.Load())
			})
		})
	}
}

// OnDeadLetter: a letter is answered 200 once its callback was called, even if the callback failed
// or the store could not record it.
func TestDedupe_ADeadLetterIsAcknowledgedHoweverItsCallbackEnds(t *testing.T) {
	for name, end := range map[string]func() error{
		"error":              func() error { return errors.New("no room") },
		"panics":             func() error { panic("ours") },
		"ends its goroutine": func() error { runtime.Goexit(); return nil },
		"hangs":              func() error { time.Sleep(time.Minute); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var letters atomic.Int64
				var d webhook.Delivery
				h := testkit.NewHandler(t, webhook.OnAny(func(context.Context, *webhook.Notification) error { return nil }),
					webhook.WithDedupe(&brokenStore{DedupeStore: webhook.NewMemoryDedupe(0), complete: errors.New("down")}, time.Hour),
					webhook.OnDeadLetter(func(context.Context, webhook.DeadLetter) error { letters.Add(1); return end() }),
					webhook.OnDelivery(func(_ context.Context, seen webhook.Delivery) {
						if seen.StatusCode != 0 { // not the outcome that comes after the answer
							d = seen
						}
					}))
				require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest([]byte(`{}`))).Code)
				require.Equal(t, webhook.OutcomeDeadLettered, d.Outcome)
				require.Error(t, d.Err)
				require.EqualValues(t, 1, letters.Load())
				time.Sleep(time.Hour)
			})
		})
	}
}
