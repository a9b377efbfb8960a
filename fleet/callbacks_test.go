package fleet_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/internal/text"
)

// panicking is an engine that panics while bad is set.
type panicking struct {
	fleet.Engine
	bad atomic.Bool
}

func (p *panicking) Serve(ctx context.Context, c fleet.Call) (fleet.Reply, error) {
	if p.bad.Load() {
		panic("engine")
	}
	return p.Engine.Serve(ctx, c)
}

// Issue 28, callbacks of the user: an engine is called on goroutines of the limiter, so its panic
// must not end the process. It counts as an error of the engine.
func TestLimiter_AnEngineThatPanicsIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &panicking{Engine: newMemory(1, 0)}
		var events []fleet.Event
		l, err := fleet.New(e, "key", fleet.WithFallback(fleet.Fail()), fleet.WithEvents(func(event fleet.Event) {
			events = append(events, event)
		}))
		require.NoError(t, err)
		release, err := l.Acquire(t.Context(), terminal49.BucketDefault)
		require.NoError(t, err)
		e.bad.Store(true)
		release()
		l.Pause(terminal49.BucketCreate, time.Second)
		_, err = l.Acquire(t.Context(), terminal49.BucketRefresh)
		require.ErrorIs(t, err, fleet.ErrEngineAway)
		require.ErrorContains(t, err, "the engine panicked: engine")
		e.bad.Store(false)
		time.Sleep(time.Minute)
		release, err = l.Acquire(t.Context(), terminal49.BucketDefault)
		require.NoError(t, err)
		release()
		synctest.Wait()
		require.Equal(t, fleet.EngineAway, events[0].Kind)
		require.Equal(t, fleet.EngineBack, events[len(events)-1].Kind)
		time.Sleep(5 * time.Minute) // until all slots are free
	})
}

// A reply with more grants than places is an error of the engine, also after a loss of slots.
func TestLimiter_AnEngineThatLiesIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		e := &lying{Engine: newMemory(1, 0)}
		l := limiter(t, e, fleet.WithFallback(fleet.Fail()))
		acquire(t, l)()
		e.lies.Store(true)
		_, err := l.Acquire(t.Context(), terminal49.BucketDefault)
		require.ErrorIs(t, err, fleet.ErrEngineAway)
		require.ErrorContains(t, err, "unexpected number of grants")
		e.lies.Store(false)
	})
}

// lying is an engine that replies with another Born and with grants that nobody asked for.
type lying struct {
	fleet.Engine
	lies atomic.Bool
}

func (l *lying) Serve(ctx context.Context, c fleet.Call) (fleet.Reply, error) {
	r, err := l.Engine.Serve(ctx, c)
	if l.lies.Load() {
		r.Born++
		r.Grants = make([]fleet.Grant, len(c.Places)+2)
	}
	return r, err
}

// The function of WithEvents may fail in any way, or use the limiter: requests are served, and
// later events arrive.
func TestWithEvents_CallbacksThatFail(t *testing.T) {
	for name, f := range map[string]func(l *fleet.Limiter){
		"panics":             func(*fleet.Limiter) { panic("ours") },
		"ends its goroutine": func(*fleet.Limiter) { runtime.Goexit() },
		"hangs":              func(*fleet.Limiter) { time.Sleep(time.Hour) },
		"calls the limiter": func(l *fleet.Limiter) {
			if release, err := l.Acquire(context.Background(), terminal49.BucketInfer); err == nil {
				release()
			}
			l.Pause(terminal49.BucketRefresh, time.Millisecond)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := &panicking{Engine: newMemory(1, 0)}
				var l *fleet.Limiter
				var mu sync.Mutex
				var kinds []fleet.EventKind
				l, err := fleet.New(e, "key", fleet.WithEvents(func(event fleet.Event) {
					mu.Lock()
					kinds = append(kinds, event.Kind)
					mu.Unlock()
					f(l)
				}))
				require.NoError(t, err)
				for _, bad := range []bool{true, false, true, false} {
					e.bad.Store(bad)
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					release, err := l.Acquire(ctx, terminal49.BucketDefault)
					cancel()
					if bad {
						require.ErrorIs(t, err, fleet.ErrEngineAway)
					} else {
						require.NoError(t, err)
						release()
					}
					time.Sleep(time.Minute)
				}
				time.Sleep(5 * time.Hour) // until the callbacks that hang have returned
				mu.Lock()
				defer mu.Unlock()
				seen := slices.Compact(slices.Clone(kinds))
				require.Equal(t, []fleet.EventKind{fleet.EngineAway, fleet.EngineBack, fleet.EngineAway, fleet.EngineBack}, seen)
			})
		})
	}
}

// hostileError is an error whose methods panic.
type hostileError struct{ text, is, exit bool }

func (e hostileError) Error() string {
	if e.text {
		panic("text of the error")
	}
	return "refused"
}

func (e hostileError) Is(error) bool {
	if e.exit {
		runtime.Goexit()
	}
	if e.is {
		panic("comparison of the error")
	}
	return false
}

// requireServedAgain fails calls of the engine with fail, and requires that the limiter reports the
// engine as away and serves every bucket once the engine works again.
func requireServedAgain(t *testing.T, fail func() error, check func(error, fleet.Event)) {
	synctest.Test(t, func(t *testing.T) {
		e, j := &failing{Engine: newMemory(1, 0)}, &journal{}
		l, err := fleet.New(e, "key", fleet.WithFallback(fleet.Fail()), j.note())
		require.NoError(t, err)
		inFlight := acquire(t, l)
		e.fail.Store(&fail)
		inFlight()
		l.Pause(terminal49.BucketCreate, time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		_, err = l.Acquire(ctx, terminal49.BucketRefresh)
		require.ErrorIs(t, err, fleet.ErrEngineAway)
		time.Sleep(time.Minute)
		e.fail.Store(nil)
		time.Sleep(time.Minute)
		synctest.Wait()
		check(err, j.list[0])
		for _, bucket := range []terminal49.Bucket{terminal49.BucketDefault, terminal49.BucketCreate, terminal49.BucketRefresh} {
			release, err := l.Acquire(ctx, bucket)
			require.NoError(t, err, bucket)
			release()
		}
		time.Sleep(5 * time.Minute) // until all slots are free
		kinds := j.kinds()
		require.Equal(t, fleet.EngineAway, kinds[0])
		require.Equal(t, fleet.EngineBack, kinds[len(kinds)-1])
	})
}

// failing is an engine that does what fail does.
type failing struct {
	fleet.Engine
	fail atomic.Pointer[func() error]
}

func (f *failing) Serve(ctx context.Context, c fleet.Call) (fleet.Reply, error) {
	if fail := f.fail.Load(); fail != nil {
		if err := (*fail)(); err != nil {
			return fleet.Reply{}, err
		}
	}
	return f.Engine.Serve(ctx, c)
}

// Methods of an engine's error are called on goroutines of the limiter too.
func TestLimiter_AnEngineErrorThatPanics(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		text string
	}{
		"Error":      {hostileError{text: true}, "its Error method panicked: text of the error"},
		"a nil *ptr": {(*nilError)(nil), "its Error method panicked"},
		"Is":         {hostileError{is: true}, "refused"},
	} {
		t.Run(name, func(t *testing.T) {
			requireServedAgain(t, func() error { return c.err }, func(err error, event fleet.Event) {
				require.ErrorContains(t, err, c.text)
				require.Contains(t, event.String(), c.text)
				require.False(t, errors.Is(err, context.Canceled))
			})
		})
	}
}

// nilError has a nil pointer that it dereferences.
type nilError struct{ text string }

func (e *nilError) Error() string { return e.text }

// An engine may end the goroutine that calls it, such as with the FailNow of a test: the call has
// failed, and the bucket goes on.
func TestLimiter_AnEngineThatEndsItsGoroutine(t *testing.T) {
	for name, fail := range map[string]func() error{
		"the method":          func() error { runtime.Goexit(); return nil },
		"the Is of its error": func() error { return hostileError{exit: true} },
	} {
		t.Run(name, func(t *testing.T) {
			requireServedAgain(t, fail, func(err error, event fleet.Event) {
				require.ErrorContains(t, err, "the engine ended its goroutine")
				require.Contains(t, event.String(), "the engine ended its goroutine")
			})
		})
	}
}

// Event.String is one line for a log, and Acquire's error is shown too: what an engine wrote into
// its error reaches no terminal as it is.
func TestLimiter_AnEngineErrorIsPrintable(t *testing.T) {
	raw := "refused\r\n\x1b[2J\x00\u009b31m\u202e\u200bby\xff " + strings.Repeat("\x07", 10_000)
	for name, fail := range map[string]func() error{
		"returned": func() error { return errors.New(raw) }, "panicked": func() error { panic(raw) },
	} {
		t.Run(name, func(t *testing.T) {
			requireServedAgain(t, fail, func(err error, event fleet.Event) {
				for _, shown := range []string{err.Error(), event.String(), event.Err.Error()} {
					require.Equal(t, text.Printable(shown), shown)
					require.Contains(t, shown, `refused\r\n\x1b[2J\x00\u009b31m\u202e\u200bby`)
					require.Less(t, len(shown), 1000)
				}
			})
		})
	}
}
