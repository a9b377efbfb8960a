package fleet_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
)

// setUp is an engine that somebody must set up, or set up again.
type setUp struct {
	name   string
	start  func(*fleetRun)
	change func(*fleetRun) // after the engine has worked; nil if it never does
}

var setUps = []setUp{
	{"Redis without the password", func(r *fleetRun) {
		onRedis()(r)
		do(r, r.redis[0], "CONFIG", "SET", "requirepass", "secret")
	}, nil},
	{"Redis with a wrong password", func(r *fleetRun) {
		onRedis()(r)
		do(r, r.redis[0], "CONFIG", "SET", "requirepass", "secret")
		r.store.Source = strings.Replace(r.store.Source, "//", "//:wrong@", 1)
	}, nil},
	{"Redis, the password changes", onRedis(), func(r *fleetRun) {
		do(r, r.redis[0], "CONFIG", "SET", "requirepass", "changed")
		r.near.cut()()
	}},
	{"Redis, a right is lost", onRedis(), func(r *fleetRun) { do(r, r.redis[0], "ACL", "SETUSER", "default", "-eval", "-evalsha") }},
	{"Postgres without tables", func(r *fleetRun) {
		r.store = store{Driver: "pgx", Source: sharedPostgres(r.T).NewDatabase(r.T)}
	}, nil},
	{"Postgres, the tables are dropped", onShared, func(r *fleetRun) { r.admin("drop table t49_slots, t49_buckets") }},
	{"Postgres without the user", func(r *fleetRun) {
		onShared(r)
		r.store = r.direct.as("nobody")
	}, nil},
	{"Postgres with a wrong password", func(r *fleetRun) {
		onPostgres()(r)
		r.admin("create role own login password 'secret'", `do $$ begin
			execute format('copy (select %L) to %L', 'host all all 127.0.0.1/32 scram-sha-256', current_setting('hba_file')); end $$`,
			"select pg_reload_conf()")
		r.store = r.store.as("own:wrong")
	}, nil},
	{"Postgres, a right is lost", onShared, func(r *fleetRun) {
		r.admin("revoke all on all tables in schema public from " + processUser)
	}},
	{"PgBouncer, a process keeps prepared statements", func(r *fleetRun) {
		onPgBouncer(r)
		r.store.Source, _, _ = strings.Cut(r.store.Source, "&default_query_exec_mode")
		_ = newCaller(r).acquire(2 * time.Second)
	}, nil},
	{"Redis, another version's format", onRedis(), func(r *fleetRun) {
		do(r, r.redis[0], "EVAL", "for _, k in ipairs(redis.call('KEYS', 't49:*')) do redis.call('HSET', k, 'format', '99') end return 1", "0")
	}},
	{"Postgres, another version's format", onShared, func(r *fleetRun) { r.admin("update t49_buckets set format = 99") }},
	{"SQLite without tables", func(r *fleetRun) { r.store = sqliteIn(r.TempDir()) }, nil},
}

// An engine that is not set up is not away: requests fail at once, and the error says what to do.
func TestWorkers_FailAtOnceIfTheEngineIsNotSetUp(t *testing.T) {
	for _, s := range setUps {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			r := &fleetRun{T: t}
			s.start(r)
			r.connect()
			if r.near != nil {
				r.store = r.store.through(r.near)
			}
			l := newCaller(r)
			if s.change != nil {
				require.NoError(t, l.acquire(time.Minute))
				s.change(r)
			}
			for range 3 {
				err := l.acquire(time.Minute)
				require.ErrorIs(t, err, fleet.ErrNotSetUp)
				require.NotErrorIs(t, err, context.DeadlineExceeded, "who waits for an engine does so until the end")
			}
			rest(100 * time.Millisecond) // events come later
			for _, e := range l.events() {
				if e.Kind == fleet.EngineAway { // for a while, if the machine is too busy to answer
					require.ErrorContains(t, e.Err, context.DeadlineExceeded.Error())
				}
			}
		})
	}
}

// caller acquires slots in this process.
type caller struct {
	*fleet.Limiter
	mu   sync.Mutex
	seen []fleet.Event
}

func newCaller(r *fleetRun) *caller {
	l := &caller{}
	limiter, client, err := r.store.limiter(fleet.WithEvents(func(e fleet.Event) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.seen = append(l.seen, e)
	}))
	require.NoError(r, err)
	r.Cleanup(func() { _ = client.Close() })
	l.Limiter = limiter
	return l
}

func (c *caller) acquire(within time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	release, err := c.Acquire(ctx, terminal49.BucketDefault)
	if err == nil {
		release()
	}
	return err
}

func (c *caller) events() []fleet.Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]fleet.Event{}, c.seen...)
}

// A process that starts while the engine is away waits for it until its callers give up.
func TestWorkers_WaitForAnEngineThatIsAwayAtTheStart(t *testing.T) {
	for _, e := range []struct {
		name  string
		start func(*fleetRun)
	}{{"Redis", onRedis()}, {"Postgres", onPostgres()}} {
		for name, fail := range map[string]func(*fleetRun){"killed": killed, "half-open": halfOpen} {
			t.Run(e.name+" "+name, func(t *testing.T) {
				t.Parallel()
				r := &fleetRun{T: t}
				e.start(r)
				r.connect()
				r.store = r.store.through(r.near)
				fail(r)
				l := newCaller(r)
				least := time.Minute
				for round := 0; round < 3 && least > 12*time.Second; round++ { // on a busy machine the end comes late
					took := stopwatch()
					err := l.acquire(8 * time.Second) // during the third call, which may take 8 seconds
					least = min(least, took())
					require.ErrorIs(t, err, fleet.ErrEngineAway)
					require.ErrorIs(t, err, context.DeadlineExceeded)
					require.NotErrorIs(t, err, fleet.ErrNotSetUp)
				}
				require.InDelta(t, 10, least.Seconds(), 2)
				r.heal()
				require.NoError(t, l.acquire(time.Minute))
			})
		}
	}
}
