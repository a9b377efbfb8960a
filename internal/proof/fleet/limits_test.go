package fleet_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const limit = 100

// Fifty processes at full demand use the budget and never exceed it, although a third of them are
// killed at random. The window is scaled: that of the service has 60 seconds.
func TestWorkers_UseTheBudgetAndNeverExceedIt(t *testing.T) {
	window, windows := 3*time.Second, scale(4, 10)
	least := 0.9 // what else the machine does matters in short windows
	if long() {
		window, least = time.Minute, 0.97
	}
	for _, e := range engineList {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			api := newService(t, limit, window)
			workers := startWorkers(t, 50, order{Store: e.start(t), Window: window, Limit: limit, Name: "workers", API: api.URL, Callers: 4})
			began := api.firstArrival(t)
			total := time.Duration(windows) * window
			killed := killAtRandom(t, workers, len(workers)/3, total)
			<-killed
			time.Sleep(time.Until(began.Add(total)))

			sent := api.between(began, began.Add(total))
			used := float64(len(sent)) / float64(limit*windows)
			t.Logf("figure: %s: 50 processes, %d killed, %d windows of %v: %d requests, %.1f %% of the budget, %d in the worst window, %d x 429",
				e.name, len(workers)/3, windows, window, len(sent), 100*used, api.worstOf(sent), api.refused)
			assert.LessOrEqual(t, api.worstOf(sent), limit)
			assert.Zero(t, api.refused)
			assert.GreaterOrEqual(t, used, least)
		})
	}
}

// killAtRandom kills n of the processes at random moments of a span.
func killAtRandom(t *testing.T, workers []*process, n int, span time.Duration) <-chan struct{} {
	done := make(chan struct{})
	began := time.Now()
	go func() {
		defer close(done)
		for i, j := range rand.Perm(len(workers))[:n] {
			at := time.Duration(float64(span) * (float64(i) + rand.Float64()) / float64(n))
			time.Sleep(time.Until(began.Add(at)))
			workers[j].kill()
		}
	}()
	t.Cleanup(func() { <-done })
	return done
}

func startWorkers(t *testing.T, n int, o order) []*process {
	o.Role = "worker"
	workers := make([]*process, n)
	for i := range workers {
		workers[i] = start(t, o, false)
	}
	return workers
}

// Background calls leave room: their processes use their part of the budget, and the application's
// calls get the rest.
func TestWorkers_ShareTheBudget(t *testing.T) {
	const window, windows = 3 * time.Second, 3
	for _, e := range engineList {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			api := newService(t, limit, window)
			o := order{Store: e.start(t), Window: window, Limit: limit, Name: "shares", API: api.URL, Callers: 4, Share: 0.6}
			startWorkers(t, 3, o)
			time.Sleep(2 * window) // the background has all it may have
			o.Share = 0
			startWorkers(t, 2, o)
			began := time.Now()
			time.Sleep(windows * window)

			sent := api.between(began.Add(-2*window), time.Now())
			background := onlyBackground(sent)
			t.Logf("figure: %s: of %d in the worst window at most %d were in the background", e.name, api.worstOf(sent), api.worstOf(background))
			require.LessOrEqual(t, api.worstOf(background), 60)
			require.LessOrEqual(t, api.worstOf(sent), limit)
			require.Zero(t, api.refused)
			require.GreaterOrEqual(t, len(onlyBackground(api.between(began.Add(-window), began))), 50)
			require.GreaterOrEqual(t, len(api.between(began, time.Now())), windows*limit*8/10)
		})
	}
}
