package fleet_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// An engine that goes away, or forgets, costs what the guide says: until the memory is complete
// again, one window may hold what was sent before in addition. After that the limit is exact again.
func TestWorkers_AreExactAgainAfterAnOutage(t *testing.T) {
	const window = 3 * time.Second
	for name, o := range outages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newService(t, limit, window)
			api.tolerant = true
			engine := o.start(t)
			startWorkers(t, 8, order{Store: engine.store, Window: window, Limit: limit, Name: "outages", API: api.URL, Callers: 2})
			time.Sleep(3 * window)
			before := time.Now()
			engine.strike()
			after := time.Now()
			time.Sleep(6 * window)
			end := time.Now()

			calm := api.between(before.Add(-2*window), before)
			struck := api.between(before.Add(-window), after.Add(2*window))
			again := api.between(after.Add(3*window), end)
			t.Logf("figure: %s: in the worst window %d before, %d around it, %d after it; %d requests in the last %v",
				name, api.worstOf(calm), api.worstOf(struck), api.worstOf(again), len(again), end.Sub(after.Add(3*window)))
			require.LessOrEqual(t, api.worstOf(calm), limit)
			require.LessOrEqual(t, api.worstOf(struck), o.atMost)
			require.LessOrEqual(t, api.worstOf(again), limit)
			require.GreaterOrEqual(t, len(again), 2*limit, "the budget is used again")
		})
	}
}
