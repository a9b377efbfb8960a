package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/webhook"
)

// ledger is a store that outlives the handlers and counts completions.
type ledger struct {
	*webhook.MemoryDedupe
	mu        sync.Mutex
	completed map[string]int
}

func (l *ledger) Complete(ctx context.Context, id, owner string, retention time.Duration) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.completed[id]++
	return l.MemoryDedupe.Complete(ctx, id, owner, retention)
}

// Of 10,000 shuffled deliveries, a fifth are duplicates. Callbacks fail and panic, and the receiver
// restarts. Every notification is handled at least once and completed exactly once.
func TestHandler_LosesNothingUnderStress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const events, deliveries = 8_000, 10_000
		store := &ledger{MemoryDedupe: webhook.NewMemoryDedupe(0), completed: map[string]int{}}
		var mu sync.Mutex
		handled, tries := map[string]int{}, map[string]int{}
		callback := webhook.OnAny(func(_ context.Context, n *webhook.Notification) error {
			mu.Lock()
			tries[n.ID]++
			try, kind := tries[n.ID], n.ID[len(n.ID)-1]
			if try > 1 || kind != '3' && kind != '7' {
				handled[n.ID]++
			}
			mu.Unlock()
			switch {
			case try == 1 && kind == '3':
				return errors.New("the database is away")
			case try == 1 && kind == '7':
				panic("a bug")
			}
			return nil
		})
		var current sync.Map // the current handler, under the key "handler"
		start := func() *webhook.Handler {
			h := testkit.NewHandler(t, callback, webhook.WithDedupe(store, time.Hour), webhook.WithTimeout(time.Second))
			current.Store("handler", h)
			return h
		}
		start()

		random := rand.New(rand.NewPCG(4, 9))
		queue := make([]int, 0, deliveries)
		for i := range events {
			queue = append(queue, i)
		}
		for range deliveries - events {
			queue = append(queue, random.IntN(events))
		}
		random.Shuffle(len(queue), func(i, j int) { queue[i], queue[j] = queue[j], queue[i] })

		work := make(chan int)
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				for i := range work {
					body := testkit.Numbered(i)
					for try := 0; ; try++ { // like the service
						h, _ := current.Load("handler")
						if testkit.Serve(h.(http.Handler), testkit.SignedRequest(body)).Code == http.StatusOK {
							break
						}
						if try == 12 {
							t.Errorf("event %d was given up", i)
							break
						}
						testkit.Advance(time.Millisecond << min(try, 5))
					}
				}
			})
		}
		for i, event := range queue {
			switch {
			case i%2000 == 1000: // an orderly restart
				old, _ := current.Load("handler")
				start()
				require.NoError(t, old.(*webhook.Handler).Shutdown(t.Context()))
			case i%2000 == 1500: // a process dies and leaves claims behind
				for j := range 20 {
					_, err := store.Claim(t.Context(), fmt.Sprintf("n-%d", queue[i+j]), "dead", 20*time.Millisecond)
					require.NoError(t, err)
				}
				start()
			}
			work <- event
		}
		close(work)
		wg.Wait()

		require.Len(t, handled, events)
		require.Len(t, store.completed, events)
		for id, count := range store.completed {
			require.Equal(t, 1, count, "%s was completed %d times", id, count)
			require.Positive(t, handled[id])
		}
	})
}
