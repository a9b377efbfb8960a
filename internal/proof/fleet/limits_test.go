package fleet_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Processes at full demand in all buckets use the budget and never exceed it, whatever happens to
// them, to the engine and to the network between them. After a loss of data, one window may have
// twice the limit (docs/fleet.md).
func TestWorkers_UseTheBudgetAndNeverExceedIt(t *testing.T) {
	list := slices.Concat(nearScenarios(), farScenarios, processScenarios(), outageScenarios, topologyScenarios, lossScenarios)
	for i := 0; i < len(list); i += scale(4, 1) {
		s := list[i]
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s.run(t)
		})
	}
}

// crowd is how many processes compete: in a fair line for ten refreshes a window, the longest wait
// is a tenth of that in windows.
func crowd() int {
	if long() {
		return 50
	}
	return 20
}

func nearScenarios() (list []scenario) {
	for _, e := range engineList {
		list = append(list,
			scenario{name: e.name + ", 4 processes", engine: onEngine(e), workers: 4, use: 0.99, calls: 1.1, windows: scale(3, 5)},
			scenario{name: fmt.Sprintf("%s, %d processes", e.name, crowd()), engine: onEngine(e), workers: crowd(), use: 0.99, windows: scale(3, 5)})
	}
	return list
}

var farScenarios = []scenario{
	{name: "Redis, 300 ms away", engine: onRedis(), far: 8, before: away(300 * time.Millisecond), use: 0.95},
	{name: "Postgres, 300 ms away", engine: onShared, far: 8, before: away(300 * time.Millisecond), use: 0.95},
	{name: "Redis, one in ten processes is 80 ms away", engine: onRedis(), workers: crowd(), far: crowd() / 10,
		before: away(80 * time.Millisecond), windows: crowd()*3/10 + 1, goal: fair},
	{name: "Postgres, one in ten processes is 80 ms away", engine: onShared, workers: crowd(), far: crowd() / 10,
		before: away(80 * time.Millisecond), windows: crowd()*3/10 + 1, goal: fair},
}

// processScenarios are what happens to the processes.
func processScenarios() (list []scenario) {
	for _, e := range engineList {
		list = append(list,
			scenario{name: e.name + ", a third is killed", engine: onEngine(e), workers: 15, fault: someKilled},
			scenario{name: e.name + ", processes are suspended", engine: onEngine(e), fault: someStopped},
			scenario{name: e.name + ", processes are killed, started and suspended all the time", engine: onEngine(e),
				workers: crowd(), fault: churned, use: 0.98, windows: scale(3, 5)},
			scenario{name: e.name + ", callers leave", engine: onEngine(e), order: order{Patience: 2 * shortWindow}})
	}
	return list
}

// outageScenarios are what happens to the engine, or to the network, if nothing is lost.
var outageScenarios = []scenario{
	{name: "Redis restarts and is killed, data kept", engine: onRedis(lasting...), fault: killedTwice},
	{name: "Postgres restarts and is killed, data kept", engine: onPostgres(), fault: killedTwice},
	{name: "Redis, half-open", engine: onRedis(), fault: halfOpen},
	{name: "Postgres, half-open", engine: onShared, fault: halfOpen},
	{name: "Redis, lossy", engine: onRedis(), fault: lossy},
	{name: "Postgres, lossy", engine: onShared, fault: lossy},
	{name: "Redis, half of the processes cut off", engine: onRedis(), far: 4, fault: halfCutOff},
	{name: "Postgres, half of the processes cut off", engine: onShared, far: 4, fault: halfCutOff},
	{name: "Redis, half of the processes refused", engine: onRedis(), far: 4, fault: halfRefused},
	{name: "Postgres, half of the processes refused", engine: onShared, far: 4, fault: halfRefused},
	{name: "Redis, one slow call", engine: onRedis(), fault: slowOnce},
	{name: "Postgres, one slow call", engine: onShared, fault: slowOnce},
	{name: "SQLite, locked once", engine: onEngine(engineList[2]), fault: locked},
	{name: "Redis is suspended", engine: onRedis(), fault: stopped},
	{name: "Postgres is suspended", engine: onPostgres(), fault: stopped},
	{name: "Redis is read-only", engine: onRedis(), fault: readOnly},
	{name: "Postgres is read-only", engine: onPostgres(), fault: readOnly},
	{name: "Redis is full", engine: onRedis("--maxmemory-policy", "noeviction"), fault: full},
	{name: "Redis, its clock is ahead and then behind", engine: onRedis(lasting...), before: clock(time.Hour), fault: clock(-time.Hour)},
	{name: "Postgres, its clock is ahead and then behind", engine: onPostgres(), before: clock(time.Hour), fault: clock(-time.Hour)},
}

var topologyScenarios = []scenario{
	// A replica that lagged has lost data.
	{name: "Redis with Sentinel, failover", engine: onSentinel, fault: failedOver, times: 2},
	{name: "Redis Cluster, one server is killed", engine: onCluster, fault: killed},
	{name: "Postgres behind PgBouncer", engine: onPgBouncer, workers: crowd()},
	{name: "Postgres with two connections a process", engine: func(r *fleetRun) {
		onPostgres(fmt.Sprintf("max_connections=%d", 2*crowd()))(r)
		r.store.Idle = 2
	}, workers: crowd()},
}

// lossScenarios are losses of all data. Only with settling no window exceeds the limit.
var lossScenarios = []scenario{
	{name: "Redis is emptied", engine: onRedis(), fault: emptied, times: 2},
	{name: "Postgres is emptied", engine: onShared, fault: emptied, times: 2},
	{name: "Redis is emptied twice", engine: onRedis(), workers: crowd(), fault: emptiedTwice, times: 2},
	{name: "Redis restarts without its data", engine: onRedis(), fault: restarted, times: 2},
	{name: "Redis is emptied, settling", engine: onRedis(), fault: emptied, order: order{Settling: true}},
	{name: "Postgres is emptied, settling", engine: onShared, fault: emptied, order: order{Settling: true}},
}

// fair requires that each far process has 70 % of its fair share, and all of them in each bucket,
// and that nobody waits more than three times as long as in a fair line.
func fair(r *fleetRun) {
	end := r.from.Add(time.Duration(r.windows) * r.window)
	sent, share := r.api.between(r.from, end), float64(r.far)/float64(r.workers)
	distant := func(a arrival) bool { return slices.Contains(r.agents()[:r.far], a.agent) }
	least, longest := 1.0, 0.0 // of the fair share, and as a multiple of the fair wait
	var each, waits [4]string
	for i, b := range buckets {
		here := only(sent, func(a arrival) bool { return a.bucket == i })
		least = min(least, float64(len(only(here, distant))+1)/float64(len(here))/share)
		each[i] = fmt.Sprintf("%.0f", 100*float64(len(only(here, distant)))/float64(len(here))/share)
		wait := 0.0
		turn := float64(r.window) * max(1, float64(r.workers)/float64(b.limit))
		for _, agent := range r.agents() {
			last := r.from
			for _, a := range append(only(here, func(a arrival) bool { return a.agent == agent }), arrival{at: end}) {
				wait, last = max(wait, float64(a.at.Sub(last))/turn), a.at
			}
		}
		longest, waits[i] = max(longest, wait), fmt.Sprintf("%.1f", wait)
	}
	alone := 1.0
	for _, agent := range r.agents()[:r.far] {
		own := only(sent, func(a arrival) bool { return a.agent == agent })
		alone = min(alone, float64(len(own)*r.workers)/float64(len(sent)))
	}
	r.Logf("figure: %s: the far have %s %% of their fair shares, one at least %.0f %% of all; longest wait over the fair one %s",
		r.Name(), strings.Join(each[:], "/"), 100*alone, strings.Join(waits[:], "/"))
	if long() { // short windows depend on what else the machine does
		r.require(min(least, alone) >= 0.7, "the share of a far process")
		r.require(longest <= 3, "the longest wait")
	}
}

// Background calls leave room: their processes use their part of the budget while nobody else wants
// it. The application's calls go first.
func TestWorkers_ShareTheBudget(t *testing.T) {
	const windows = 3
	window := serviceWindow()
	background := func(a arrival) bool { return a.agent == "background" }
	for _, e := range engineList {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			api := newService(t, window)
			s := e.start(t)
			if s.host() != "" {
				s = s.through(newLine(t, s.host(), 13*perProcess))
			}
			o := order{Role: "worker", Store: s, Window: window, Agent: "background", API: api.URL, Callers: 4, Share: 0.6}
			for range 3 {
				start(t, o, false)
			}
			rest(2 * window) // the background has all it may have
			o.Share, o.Agent, o.Callers = 0, "application", 20
			for range 10 { // together as many callers as there are slots, and no pace that slows them down
				start(t, o, false)
			}
			began := time.Now()
			rest(windows * window)

			sent := api.between(began.Add(-2*window), time.Now())
			behind := api.worst(only(sent, background))
			together := api.between(began, time.Now())
			first := len(together) - len(only(together, background))
			t.Logf("figure: %s: of %v in the worst windows at most %v were in the background; the application has %d of %d",
				e.name, api.worst(sent), behind, first, len(together))
			if long() { // short windows depend on what else the machine does
				require.GreaterOrEqual(t, len(together), windows*410*7/10)
				require.GreaterOrEqual(t, first, len(together)*3/4, "the application's calls")
			}
			require.Greater(t, first, len(together)/2, "the application's calls")
			for i, b := range buckets {
				require.LessOrEqual(t, behind[i], b.limit*6/10)
				require.LessOrEqual(t, api.worst(sent)[i], b.limit)
			}
		})
	}
}
