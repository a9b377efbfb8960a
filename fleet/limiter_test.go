package fleet_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/internal/testkit"
)

const limit = 100 // of the default bucket, see terminal49.DefaultRateLimits

// The service allows 100 requests in any minute. Fifty processes ask for more, for ten minutes; a
// third of them die at random with a request on its way, which arrives within two seconds. No
// minute may have 101, and 97 % of the budget must be used. The scheduler decides which slots a
// death leaves behind, for one run by 2 % of the budget more or less: the use is that of all runs.
func TestLimiter_KeepsTheLimitOfFiftyProcesses(t *testing.T) {
	const span = 10 * time.Minute
	runs, used := testkit.Scale(4, 10), 0
	for seed := range uint64(runs) {
		synctest.Test(t, func(t *testing.T) {
			s := fifty(t, seed, span)
			require.LessOrEqual(t, s.worst(time.Minute, time.Time{}), limit)
			used += len(s.counted)
		})
	}
	budget := runs * limit * int(span/time.Minute)
	t.Logf("figure: fleet: %d of %d requests in %d runs, no minute over %d", used, budget, runs, limit)
	require.GreaterOrEqual(t, used, budget*97/100)
}

// fifty lets fifty processes ask for a span, and returns the service with what arrived there.
func fifty(t *testing.T, seed uint64, span time.Duration) *service {
	defer settle()
	m, s := newMemory(seed, 5*time.Millisecond), &service{}
	random := rand.New(rand.NewPCG(seed, 2))
	ctx, cancel := context.WithTimeout(t.Context(), span)
	defer cancel()
	var all sync.WaitGroup
	for i := range 50 {
		p := &process{memory: m}
		alive, kill := context.WithCancel(ctx)
		defer kill()
		l := terminal49.Limiter(limiter(t, p))
		if i%3 == 0 {
			after := time.Now().Add(time.Duration(random.Int64N(int64(span))))
			l = mortal{l, p, s, after, kill, time.Duration(random.Int64N(int64(2 * time.Second)))}
		}
		for w := range 4 {
			random := rand.New(rand.NewPCG(seed, uint64(100+4*i+w)))
			all.Go(func() { work(alive, l, s, random, 400*time.Millisecond) })
		}
	}
	all.Wait()
	time.Sleep(3 * time.Second) // the last requests of dead processes arrive
	return s
}

// mortal is the limiter of a process that dies with the first request after a time.
type mortal struct {
	terminal49.Limiter
	p     *process
	s     *service
	after time.Time
	kill  func()
	late  time.Duration // when the service receives the request
}

func (m mortal) Acquire(ctx context.Context, b terminal49.Bucket) (func(), error) {
	release, err := m.Limiter.Acquire(ctx, b)
	m.p.mu.Lock()
	defer m.p.mu.Unlock()
	if err != nil || time.Now().Before(m.after) || m.p.dead {
		return release, err
	}
	m.p.dead = true
	m.kill()
	time.AfterFunc(m.late, m.s.count)
	return nil, context.Canceled
}

// A slot that is in flight while others are waiting is free one minute after its release, not only
// when its hold would have ended.
func TestLimiter_WaitsForSlotsInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m, one := newMemory(1, 0), fleet.WithRateLimits(terminal49.RateLimits{Default: 1})
		l, other := limiter(t, m, one), limiter(t, m, one)
		release, start := acquire(t, l), time.Now()
		time.AfterFunc(time.Millisecond, release)
		acquire(t, other)()
		require.InDelta(t, time.Minute, time.Since(start), float64(20*time.Millisecond))
	})
}

// A slot that was taken without a share is not given to a call whose share is used up.
func TestLimiter_GivesNoSlotToASmallerShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m := newMemory(1, 0)
		l := limiter(t, m, fleet.WithRateLimits(terminal49.RateLimits{Default: 10}))
		background := shareOf(t, 0.1)
		release, err := l.Acquire(background, terminal49.BucketDefault)
		require.NoError(t, err)
		release()
		start := time.Now()
		m.set(func() { m.delay = time.Second })
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		var wg sync.WaitGroup
		wg.Go(func() {
			_, err := l.Acquire(ctx, terminal49.BucketDefault)
			assert.ErrorIs(t, err, context.DeadlineExceeded)
		})
		synctest.Wait()
		release, err = l.Acquire(background, terminal49.BucketDefault)
		require.NoError(t, err)
		release()
		require.GreaterOrEqual(t, time.Since(start), time.Minute)
		wg.Wait()
	})
}

// A slot is free again one minute after its release. The slot of a longer request is renewed. After
// a release no call of the engine follows.
func TestLimiter_Release(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m := newMemory(1, 0)
		l := limiter(t, m, fleet.WithRateLimits(terminal49.RateLimits{Default: 1}))
		other := limiter(t, m, fleet.WithRateLimits(terminal49.RateLimits{Default: 1}))
		release, start := acquire(t, l), time.Now()
		go func() {
			time.Sleep(10 * time.Minute)
			release()
			release() // a second release does nothing
		}()
		acquire(t, other)()
		require.InDelta(t, 11*time.Minute, time.Since(start), float64(time.Second))
		time.Sleep(time.Minute + time.Second)
		require.Zero(t, m.taken())
		before := m.calls()
		time.Sleep(time.Hour)
		require.Equal(t, before, m.calls())
	})
}

// Waiting processes do not poll: they ask at most once for each slot that becomes free.
// The slot of a request in flight may be free one minute later.
func TestLimiter_DoesNotPoll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m := newMemory(1, 0)
		l := limiter(t, m, fleet.WithRateLimits(terminal49.RateLimits{Default: 2}))
		acquire(t, l)()
		acquire(t, l)
		taken := m.asked()
		other := limiter(t, m, fleet.WithRateLimits(terminal49.RateLimits{Default: 2}))
		acquire(t, other)
		require.LessOrEqual(t, m.asked()-taken, 3)
	})
}

// Calls of a share use at most their part in all processes together, and calls without one go first
// (documentation of WithRateLimitShare).
func TestLimiter_Shares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m, background, all := newMemory(3, time.Millisecond), &service{}, &service{}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		var wg sync.WaitGroup
		marked := shareOf(t, 0.6)
		for i := range 8 {
			l := limiter(t, m)
			for range 20 {
				wg.Go(func() {
					work(merged{ctx, marked}, both{l, background, all}, &service{}, rand.New(rand.NewPCG(1, uint64(i))), time.Millisecond)
				})
			}
			if i > 0 {
				continue
			}
			wg.Go(func() {
				time.Sleep(70 * time.Second)
				for ctx.Err() == nil {
					for range 40 {
						start := time.Now()
						release, err := l.Acquire(ctx, terminal49.BucketDefault)
						if err != nil {
							return
						}
						all.count()
						assert.LessOrEqual(t, time.Since(start), 110*time.Millisecond)
						release()
					}
					time.Sleep(61 * time.Second)
				}
			})
		}
		wg.Wait()
		require.LessOrEqual(t, background.worst(time.Minute, time.Time{}), 60)
		require.GreaterOrEqual(t, len(background.counted), 5*60*97/100)
		require.LessOrEqual(t, all.worst(time.Minute, time.Time{}), limit)
	})
}

// merged has the end of one context and the values of another.
type merged struct {
	context.Context
	values context.Context
}

func (m merged) Value(key any) any { return m.values.Value(key) }

// both counts at two services when a slot is acquired.
type both struct {
	*fleet.Limiter
	a, b *service
}

func (l both) Acquire(ctx context.Context, b terminal49.Bucket) (func(), error) {
	release, err := l.Limiter.Acquire(ctx, b)
	if err == nil {
		l.a.count()
		l.b.count()
	}
	return release, err
}

// Limiter's documentation: Pause closes a bucket for all who use the limiter, at once in this
// process and when they ask in others, and never shortens an earlier pause.
func TestLimiter_Pause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m := newMemory(1, 0)
		l, other := limiter(t, m), limiter(t, m)
		start := time.Now()
		l.Pause(terminal49.BucketDefault, 30*time.Second)
		l.Pause(terminal49.BucketDefault, 10*time.Second)
		short, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		_, err := l.Acquire(short, terminal49.BucketDefault)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		synctest.Wait()
		_, err = other.Acquire(short, terminal49.BucketDefault)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Zero(t, time.Since(start))
		release, err := other.Acquire(t.Context(), terminal49.BucketInfer)
		require.NoError(t, err)
		release()
		require.Zero(t, time.Since(start), "the other bucket is open")
		acquire(t, other)()
		require.InDelta(t, 30*time.Second, time.Since(start), float64(20*time.Millisecond))
		acquire(t, l)()
	})
}

// Engine's documentation: no slot is granted during a pause. Nor is one used that the engine
// granted shortly before for later: it grants those that are free within a sixtieth of a window.
func TestLimiter_PauseHoldsPlacesForLater(t *testing.T) {
	for name, left := range map[string]time.Duration{"in line": 5 * time.Second, "granted": time.Second / 2} {
		synctest.Test(t, func(t *testing.T) {
			defer settle()
			m := newMemory(1, 0)
			l := limiter(t, m, fleet.WithRateLimits(terminal49.RateLimits{Default: 1}))
			acquire(t, l)()
			time.Sleep(time.Minute - left)
			next := make(chan time.Duration)
			paused := time.Now()
			go func() {
				acquire(t, l)()
				next <- time.Since(paused)
			}()
			synctest.Wait() // its slot is free when the minute ends
			l.Pause(terminal49.BucketDefault, time.Minute)
			require.InDelta(t, time.Minute, <-next, float64(20*time.Millisecond), name)
		})
	}
}

// Limiter's documentation: a wait past the deadline fails at once, and one that is given up affects
// no other.
func TestLimiter_GivingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m := newMemory(1, 0)
		l := limiter(t, m, fleet.WithRateLimits(terminal49.RateLimits{Default: 1}))
		acquire(t, l)()
		synctest.Wait()
		start := time.Now()
		short, cancel := context.WithTimeout(t.Context(), 59*time.Second)
		defer cancel()
		_, err := l.Acquire(short, terminal49.BucketDefault)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Zero(t, time.Since(start), "the engine returned a wait past the deadline")

		ended, end := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				_, err := l.Acquire(ended, terminal49.BucketDefault)
				assert.ErrorIs(t, err, context.Canceled)
			})
		}
		time.Sleep(10 * time.Second)
		end()
		wg.Wait()
		require.InDelta(t, 10*time.Second, time.Since(start), float64(time.Millisecond))
		acquire(t, l)()
		require.InDelta(t, time.Minute, time.Since(start), float64(20*time.Millisecond))
	})
}

// The slot of a call that ended while the engine was being asked is free at once.
func TestLimiter_GivenUpWhileAsking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m := newMemory(1, 0)
		m.delay = time.Second
		l := limiter(t, m)
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_, err := l.Acquire(ctx, terminal49.BucketDefault)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		time.Sleep(5 * time.Second)
		require.Equal(t, 1, m.asked())
		require.Zero(t, m.taken())
	})
}

// lateReply delays the replies of an engine, but not their effects.
type lateReply struct {
	fleet.Engine
	delay time.Duration
}

func (e lateReply) Serve(ctx context.Context, c fleet.Call) (fleet.Reply, error) {
	r, err := e.Engine.Serve(ctx, c)
	time.Sleep(e.delay)
	return r, err
}

// A caller leaves while the reply that grants its slot is under way. Another process that asks
// meanwhile finds all slots taken, and need not wait for a window to pass.
func TestLimiter_SlotGivenBackByAnotherProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m, one := newMemory(1, 0), fleet.WithRateLimits(terminal49.RateLimits{Default: 1})
		leaving, other := limiter(t, lateReply{m, time.Second}, one), limiter(t, m, one)
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_, err := leaving.Acquire(ctx, terminal49.BucketDefault)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		start := time.Now()
		acquire(t, other)()
		require.LessOrEqual(t, time.Since(start), 15*time.Second)
	})
}

// Lost responses of the engine take slots for a while, but never let too many requests through.
func TestLimiter_KeepsTheLimitIfResponsesAreLost(t *testing.T) {
	for seed := range uint64(3) {
		synctest.Test(t, func(t *testing.T) {
			defer settle()
			m, s := newMemory(seed, 20*time.Millisecond), &service{}
			m.lost = 0.05
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
			defer cancel()
			var wg sync.WaitGroup
			for i := range 10 {
				l := limiter(t, m, fleet.WithFallback(fleet.Wait()))
				for w := range 5 {
					wg.Go(func() { work(ctx, l, s, rand.New(rand.NewPCG(seed, uint64(10*i+w))), time.Second) })
				}
			}
			wg.Wait()
			t.Logf("figure: fleet: 5 %% of responses lost: %d of %d requests", len(s.counted), 10*limit)
			require.LessOrEqual(t, s.worst(time.Minute, time.Time{}), limit)
			require.Greater(t, len(s.counted), 10*limit*80/100)
			time.Sleep(3 * time.Minute)
			require.Zero(t, m.taken())
		})
	}
}

func TestNew_Arguments(t *testing.T) {
	m := newMemory(1, 0)
	for name, c := range map[string]struct {
		engine fleet.Engine
		token  string
		opt    fleet.Option
		field  string
	}{
		"no engine":        {nil, "key", nil, "engine"},
		"no token":         {m, "", nil, "token"},
		"a scheme alone":   {m, "Bearer ", nil, "token"},
		"two words":        {m, "a b", nil, "token"},
		"empty namespace":  {m, "key", fleet.WithNamespace(""), "WithNamespace"},
		"namespace braces": {m, "key", fleet.WithNamespace("{a}"), "WithNamespace"},
		"negative limit":   {m, "key", fleet.WithRateLimits(terminal49.RateLimits{Infer: -1}), "WithRateLimits"},
		"limit too large":  {m, "key", fleet.WithRateLimits(terminal49.RateLimits{Default: math.MaxInt}), "WithRateLimits"},
		"no window":        {m, "key", fleet.WithWindow(0), "WithWindow"},
		"negative window":  {m, "key", fleet.WithWindow(math.MinInt64), "WithWindow"},
		"endless window":   {m, "key", fleet.WithWindow(math.MaxInt64), "WithWindow"},
		"no fallback":      {m, "key", fleet.WithFallback(fleet.Fallback{}), "WithFallback"},
		"no events":        {m, "key", fleet.WithEvents(nil), "WithEvents"},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := fleet.New(c.engine, c.token, c.opt)
			require.Nil(t, l)
			var argument *terminal49.ArgumentError
			require.ErrorAs(t, err, &argument)
			require.Equal(t, "fleet.New", argument.Op)
			require.Equal(t, c.field, argument.Field)
		})
	}
}

// The namespace is 128 bits of the SHA-256 of the token without the scheme that terminal49.New
// removes; the value is that of sha256sum.
func TestNew_Namespace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m := newMemory(1, 0)
		for _, token := range []string{"key", " key ", "Token key", "Bearer  key", "token key"} {
			l, err := fleet.New(m, token)
			require.NoError(t, err)
			acquire(t, l)()
		}
		l, err := fleet.New(m, "", fleet.WithNamespace("both-keys"))
		require.NoError(t, err)
		acquire(t, l)()
		synctest.Wait()
		require.Len(t, m.buckets, 2)
		require.Contains(t, m.buckets, fleet.Bucket{Namespace: "2c70e12b7a0646f92279f427c7b38e73", Name: "default"})
		require.Contains(t, m.buckets, fleet.Bucket{Namespace: "both-keys", Name: "default"})
	})
}

// Neither errors nor events show the settings that an engine's error quotes.
func TestEvent_HidesSecrets(t *testing.T) {
	for _, text := range []string{
		"user: unknown user bob", "no pg_hba.conf entry for user bob",
		`parse "postgres://bob:hunter2 @db.example/x": net/url: invalid userinfo`,
		"dial redis://:hunter2@10.0.0.7:6379/0: connection refused",
		"cannot connect: host=db.example user=bob password='hunter2 \\' x' dbname=x",
		"cannot connect: password=hunter2",
		`cannot connect: PASSWORD: "hunter2"`,
		"bob:hunter2@tcp(db.example:3306)/x: refused",
		"dial tcp 10.0.0.7:6379: connect: connection refused",
		"dial tcp db.example:5432: no such host",
		"dial tcp [fe80::1]:5432: no route",
		"dial tcp: lookup db.example on 10.0.0.7:53: no such host",
		"dial tcp: lookup db.example: no such host",
		"dial tcp: address db.example: missing port in address",
		"cannot connect: 10.0.0.7:5432 (db.example): connect: connection refused, [fe80::1]:5432 (db.example): no route",
		`FATAL: password authentication failed for user "bob" (SQLSTATE 28P01)`,
		`FATAL: role "bob" does not exist`,
		`FATAL: no pg_hba.conf entry for host "fe80::1", user "bob", database "x"`,
		"NOPERM User bob has no permissions to run the 'evalsha' command",
		"tls: failed to verify certificate: x509: certificate is valid for a.db.example, not db.example",
	} {
		synctest.Test(t, func(t *testing.T) {
			defer settle()
			m := newMemory(1, 0)
			cause := fmt.Errorf("%w: %s", context.Canceled, text)
			m.away = cause
			var event fleet.Event
			l := limiter(t, m, fleet.WithFallback(fleet.Fail()), fleet.WithEvents(func(e fleet.Event) { event = e }))
			_, err := l.Acquire(t.Context(), terminal49.BucketDefault)
			require.ErrorIs(t, err, fleet.ErrEngineAway)
			require.ErrorIs(t, err, context.Canceled)
			synctest.Wait()
			require.Equal(t, fleet.EngineAway, event.Kind)
			for _, shown := range []string{err.Error(), fmt.Sprintf("%#v", event), fmt.Sprintf("%+v", event.Err)} {
				for _, secret := range []string{"hunter2", "bob", "db.example", "10.0.0.7", "fe80:"} { // an address of memory may have fe80
					require.False(t, strings.Contains(shown, secret), "%s shows %s", shown, secret)
				}
			}
		})
	}
}
