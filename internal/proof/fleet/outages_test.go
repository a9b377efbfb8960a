package fleet_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/redisstore/redisstoretest"
	"github.com/go-freight/terminal49/sqlstore/sqlstoretest"
)

// After an outage or a loss (docs/fleet.md), one window may contain, in addition, the requests sent
// before it. After that the limit is exact again.
func TestWorkers_AreExactAgainAfterAnOutage(t *testing.T) {
	const window = 3 * time.Second
	for _, o := range outageList {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			api := newService(t, limit, window)
			api.tolerant = true
			store, strike := o.start(t)
			startWorkers(t, 8, order{Store: store, Window: window, Limit: limit, Name: "outages", API: api.URL, Callers: 2, Local: 1.0 / 8})
			time.Sleep(3 * window)
			before := time.Now()
			strike()
			after := time.Now()
			time.Sleep(6 * window)
			end := time.Now()

			calm := api.between(before.Add(-2*window), before)
			struck := api.between(before.Add(-window), after.Add(2*window))
			again := api.between(after.Add(3*window), end)
			t.Logf("figure: %s: in the worst window %d before, %d around it, %d after it; %d requests in the last %v",
				o.name, api.worstOf(calm), api.worstOf(struck), api.worstOf(again), len(again), end.Sub(after.Add(3*window)))
			require.LessOrEqual(t, api.worstOf(calm), limit)
			require.LessOrEqual(t, api.worstOf(struck), o.atMost)
			require.LessOrEqual(t, api.worstOf(again), limit)
			require.GreaterOrEqual(t, len(again), 2*limit, "the budget is used again")
		})
	}
}

// outage is something that happens to a running engine.
type outage struct {
	name   string
	start  func(*testing.T) (s store, strike func())
	atMost int // requests in any window around it
}

// A window around an outage may contain the requests sent before it and, in addition, as many as an
// empty engine allows. If the engine keeps its slots and stays reachable, the limit holds. While an
// engine is away, each of the eight workers may use an eighth of the budget.
var outageList = []outage{
	{"Redis is emptied", func(t *testing.T) (store, func()) {
		r := redisstoretest.StartRedis(t)
		return store{"redis", r.Addr()}, func() { do(t, r, "FLUSHALL") }
	}, 2 * limit},
	{"Redis restarts without its data", func(t *testing.T) (store, func()) {
		r := redisstoretest.StartRedis(t)
		return store{"redis", r.Addr()}, r.Restart
	}, 2 * limit},
	{"a replica of Redis is promoted", func(t *testing.T) (store, func()) {
		primary := redisstoretest.StartRedis(t)
		replica := primary.Replica()
		front := newSwitch(t, primary.Addr())
		return store{"redis", front.address()}, func() {
			primary.Kill()
			replica.Promote()
			front.to(replica.Addr())
		}
	}, 2 * limit},
	{"Postgres restarts", func(t *testing.T) (store, func()) {
		p := sqlstoretest.StartPostgres(t)
		return migrated(t, store{"pgx", p.DSN()}), p.Restart
	}, 2 * limit},
	{"nothing, behind PgBouncer", func(t *testing.T) (store, func()) {
		p := sqlstoretest.StartPostgres(t)
		migrated(t, store{"pgx", p.DSN()})
		b := p.StartPgBouncer(t)
		return store{"pgx", b.Through(p.DSN()) + "&default_query_exec_mode=exec"}, func() {}
	}, limit},
}

func do(t *testing.T, r *redisstoretest.Redis, command ...string) {
	_, err := r.Do(command...)
	require.NoError(t, err)
}

// The clock of the engine is an hour ahead or behind, so all processes' clocks differ from it by an
// hour.
func TestWorkers_AreExactWithWrongClocks(t *testing.T) {
	const window, windows = 3 * time.Second, 3
	for name, start := range map[string]func(*testing.T) store{
		"Redis an hour ahead":     func(t *testing.T) store { return shiftedRedis(t, time.Hour) },
		"Redis an hour behind":    func(t *testing.T) store { return shiftedRedis(t, -time.Hour) },
		"Postgres an hour ahead":  func(t *testing.T) store { return shiftedPostgres(t, time.Hour) },
		"Postgres an hour behind": func(t *testing.T) store { return shiftedPostgres(t, -time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newService(t, limit, window)
			startWorkers(t, 8, order{Store: start(t), Window: window, Limit: limit, Name: "clocks", API: api.URL, Callers: 2})
			began := time.Now()
			time.Sleep(windows * window)
			sent := api.between(began, time.Now())
			t.Logf("figure: %s: %d requests in %d windows, %d in the worst window", name, len(sent), windows, api.worstOf(sent))
			require.LessOrEqual(t, api.worstOf(sent), limit)
			require.Zero(t, api.refused)
			require.GreaterOrEqual(t, len(sent), windows*limit*8/10)
		})
	}
}

func shiftedRedis(t *testing.T, shift time.Duration) store {
	r := redisstoretest.StartRedis(t)
	r.SetClock(shift)
	return store{"redis", r.Addr()}
}

func shiftedPostgres(t *testing.T, shift time.Duration) store {
	p := sqlstoretest.StartPostgres(t)
	p.SetClock(shift)
	return migrated(t, store{"pgx", p.DSN()})
}
