package terminal49

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
)

func TestMemoryDedupe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, m := t.Context(), NewMemoryDedupe(3)
		claim := func(id, owner string) DedupeState {
			state, err := m.Claim(ctx, id, owner, time.Minute)
			require.NoError(t, err)
			return state
		}
		require.Equal(t, DedupeClaimed, claim("a", "1"))
		require.Equal(t, DedupeBusy, claim("a", "2"))
		require.NoError(t, m.Release(ctx, "a", "2"))
		require.Equal(t, DedupeBusy, claim("a", "2"), "only its owner gives a claim back")
		require.NoError(t, m.Release(ctx, "a", "1"))
		require.Equal(t, DedupeClaimed, claim("a", "2"))

		time.Sleep(time.Minute) // the owner died
		require.Equal(t, DedupeClaimed, claim("a", "3"))
		require.NoError(t, m.Release(ctx, "a", "2"))
		require.Equal(t, DedupeBusy, claim("a", "4"), "a late release does not free what another has")
		require.NoError(t, m.Complete(ctx, "a", "2", time.Hour)) // nor did it die: it was slow
		require.Equal(t, DedupeDone, claim("a", "5"))
		require.NoError(t, m.Release(ctx, "a", "3"))
		require.Equal(t, DedupeDone, claim("a", "6"))

		time.Sleep(time.Hour)
		require.Equal(t, DedupeClaimed, claim("a", "7"), "forgotten")

		for i := range 10 {
			require.NoError(t, m.Complete(ctx, fmt.Sprint(i), "x", time.Hour))
			require.LessOrEqual(t, m.Len(), 3)
		}
		require.Equal(t, DedupeClaimed, claim("6", "y"), "the oldest are forgotten first")
		for _, id := range []string{"7", "8", "9"} {
			require.Equal(t, DedupeDone, claim(id, "y"))
		}
		time.Sleep(2 * time.Hour)
		require.Equal(t, DedupeClaimed, claim("z", "y"))
		require.Zero(t, m.Len(), "what has expired is swept")
		require.Len(t, m.claims, 1)
	})
}

// An id is a piece of a text that the reader shares among many, and may be as long as a delivery. Neither is kept.
func TestMemoryDedupeKeepsNoDelivery(t *testing.T) {
	const many, each = 5000, 512 // bytes, at most
	for name, id := range map[string]string{"usual": "11111111-1111-4111-8111-%012d", "long": strings.Repeat("x", 8<<10) + "%d"} {
		m := NewMemoryDedupe(many)
		before := heapInUse()
		for i := range many {
			n, err := ParseNotification(bytes.Replace(numbered(1), []byte("n-1"), fmt.Appendf(nil, id, i), 1))
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

// heapInUse is what is left after a collection; the second one takes what the first one's finalizers held.
func heapInUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// The memory does not grow with what went through it.
func TestMemoryDedupeIsBounded(t *testing.T) {
	m := NewMemoryDedupe(100)
	for i := range 10_000 {
		require.NoError(t, m.Complete(t.Context(), fmt.Sprint(i), "x", time.Hour))
	}
	require.Equal(t, 100, m.Len())
	require.LessOrEqual(t, len(m.order), 202)
	require.Equal(t, DefaultDedupeLimit, NewMemoryDedupe(0).limit)
}

// Two processes behind one URL share a store.
func TestWebhookHandlersShareAStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := NewMemoryDedupe(0)
		var calls atomic.Int64
		var outcome error
		slow := OnAny(func(context.Context, *Notification) error { calls.Add(1); time.Sleep(2 * time.Second); return outcome })
		one := newHandler(t, slow, WithWebhookDedupe(store, time.Hour))
		two := newHandler(t, slow, WithWebhookDedupe(store, time.Hour))
		both := func(i int) (int, int) {
			code := make(chan int)
			go func() { code <- serve(one, signedRequest(numbered(i))).Code }()
			synctest.Wait()
			second := serve(two, signedRequest(numbered(i))).Code
			return <-code, second
		}
		a, b := both(1)
		require.Equal(t, []int{200, 200}, []int{a, b})
		require.EqualValues(t, 1, calls.Load(), "the second waited for the first")
		outcome = errors.New("no")
		a, b = both(2)
		require.Equal(t, []int{500, 500}, []int{a, b})
		require.EqualValues(t, 3, calls.Load(), "the first failed, so the second tried")

		// A process dies between claim and complete: its claim keeps others waiting, then expires.
		_, err := store.Claim(t.Context(), "n-3", "dead", 20*time.Second)
		require.NoError(t, err)
		outcome = nil
		require.Equal(t, 500, serve(two, signedRequest(numbered(3))).Code)
		time.Sleep(15 * time.Second)
		require.Equal(t, 200, serve(two, signedRequest(numbered(3))).Code)
		require.EqualValues(t, 4, calls.Load())
	})
}

// brokenStore fails, or panics, where it is told to.
type brokenStore struct {
	DedupeStore
	claim, complete error
	panics          bool
}

func (s *brokenStore) Claim(ctx context.Context, id, owner string, lease time.Duration) (DedupeState, error) {
	if s.panics {
		panic("the store is nil inside")
	}
	if s.claim != nil {
		return DedupeClaimed, s.claim
	}
	return s.DedupeStore.Claim(ctx, id, owner, lease)
}

func (s *brokenStore) Complete(ctx context.Context, id, owner string, keep time.Duration) error {
	if s.complete != nil {
		return s.complete
	}
	return s.DedupeStore.Complete(ctx, id, owner, keep)
}

func TestWebhookStoreFailures(t *testing.T) {
	down := errors.New("store down")
	store := &brokenStore{DedupeStore: NewMemoryDedupe(0), claim: down}
	var calls atomic.Int64
	var d WebhookDelivery
	h := newHandler(t, counting(&calls), WithWebhookDedupe(store, time.Hour), OnDelivery(func(_ context.Context, seen WebhookDelivery) { d = seen }))
	require.Equal(t, 500, serve(h, signedRequest(numbered(1))).Code, "without a claim nothing is done, and nothing lost")
	require.ErrorIs(t, d.Err, down)
	require.Zero(t, calls.Load())

	store.claim, store.panics = nil, true
	require.Equal(t, 500, serve(h, signedRequest(numbered(1))).Code)
	require.Zero(t, calls.Load())

	store.panics, store.complete = false, down
	require.Equal(t, 200, serve(h, signedRequest(numbered(1))).Code, "it was handled, noted or not")
	require.ErrorIs(t, d.Err, down)
	require.Equal(t, WebhookHandled, d.Outcome)
	require.EqualValues(t, 1, calls.Load())
}
