package fleet

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// A call of the engine may take four times as long as the slowest of the latest ones, at least
// leastTimeout and at most mostTimeout, or a third of the window if that is shorter. Each call that
// takes longer doubles the time for the next one.
const (
	leastTimeout = 2 * time.Second
	mostTimeout  = 8 * time.Second
)

// While the engine is away, it is called again at intervals that double from firstRetry to
// longestRetry. Each is shortened by up to half at random.
const (
	firstRetry   = 200 * time.Millisecond
	longestRetry = 4 * time.Second
)

// engine adds to an Engine whether it is away, and how far.
type engine struct {
	Engine
	events
	longest  time.Duration // of a call
	losses   atomic.Int64  // of slots, in any bucket
	returned func()        // called when the engine works again

	mu        sync.Mutex
	away      error // nil if it responds
	retryAt   time.Time
	trying    bool // a call tries whether it is still away
	interval  time.Duration
	roundTrip time.Duration // of the slowest of the latest calls; each call since then takes off an eighth
	timeouts  int           // calls that took too long, since the latest that did not
}

// serve calls the engine and records whether it responded.
func (e *engine) serve(c Call) (r Reply, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), e.timeout())
	defer cancel()
	start := time.Now()
	err = guarded(ctx, func(ctx context.Context) (err error) {
		r, err = e.Serve(ctx, c)
		ignored := len(r.Grants) == 0 && c.Born != 0 && c.Born != r.Born
		if err == nil && len(r.Grants) != len(c.Places) && !ignored {
			err = errors.New("the engine returned an unexpected number of grants")
		}
		return err
	})
	if e.note(err, time.Since(start), ctx.Err() != nil) {
		go e.returned()
	}
	return r, err
}

func (e *engine) timeout() time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	return min(max(4*e.roundTrip, leastTimeout<<min(e.timeouts, 2)), mostTimeout, e.longest)
}

// lead returns how long before its turn a place is asked for, so that the reply arrives in time.
func (e *engine) lead(window time.Duration) time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	return min(e.roundTrip, window/120)
}

var errExit = errors.New("the engine ended its goroutine")

// guarded calls the engine and returns its error without what private matches. The engine may end
// the goroutine, with runtime.Goexit, so it has one of its own.
func guarded(ctx context.Context, call func(context.Context) error) error {
	result := make(chan error, 1)
	go func() {
		err := errExit
		defer func() { result <- err }()
		err = hide(recovered(ctx, call))
	}()
	return <-result
}

// recovered calls the engine on a goroutine of the limiter, where its panic must not end the
// process.
func recovered(ctx context.Context, call func(context.Context) error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the engine panicked: %v", v)
		}
	}()
	return call(ctx)
}

// note records the outcome of a call, and reports whether the engine has come back.
func (e *engine) note(err error, took time.Duration, late bool) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	wasAway, changed := e.away != nil, e.away == nil || is(e.away, ErrNotSetUp) != is(err, ErrNotSetUp)
	e.away, e.trying = err, false
	if late {
		e.timeouts++
	}
	if err == nil {
		e.timeouts, e.roundTrip = 0, max(took, e.roundTrip*7/8)
		if wasAway {
			e.emit(Event{Kind: EngineBack})
		}
		return wasAway
	}
	if e.interval = min(2*e.interval, longestRetry); !wasAway {
		e.interval = firstRetry
	}
	switch {
	case changed && is(err, ErrNotSetUp):
		e.emit(Event{Kind: EngineNotSetUp, Err: err})
	case changed:
		e.emit(Event{Kind: EngineAway, Err: err})
	}
	e.retryAt = time.Now().Add(e.interval - rand.N(e.interval/2))
	return false
}

// reason returns why the engine does not work, or nil: an error that matches ErrEngineAway or
// ErrNotSetUp.
func (e *engine) reason() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.away == nil:
		return nil
	case is(e.away, ErrNotSetUp):
		return fmt.Errorf("fleet: engine does not work: %w", e.away)
	}
	return fmt.Errorf("%w: %w", ErrEngineAway, e.away)
}

// mayCall reports whether the caller may call the engine now. While the engine is away, one caller
// at a time may, and must then make the call.
func (e *engine) mayCall(now time.Time) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.away == nil {
		return true
	}
	if e.trying || e.retryAt.After(now) {
		return false
	}
	e.trying = true
	return true
}

// retry returns when to check again whether the engine may be tried.
func (e *engine) retry(now time.Time) time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.trying && e.retryAt.After(now) {
		return e.retryAt
	}
	return now.Add(firstRetry) // a call is trying it
}
