package webhook

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

const (
	storeTimeout = 10 * time.Second       // for recording an outcome in the store
	minClaimWait = 50 * time.Millisecond  // between claims while another process has the notification
	maxClaimWait = 500 * time.Millisecond // upper bound of these waits
	leaseMargin  = time.Minute            // a claim outlives the callbacks' deadline, for slow callbacks
)

var (
	errCallbackExit = errors.New("terminal49: webhook: a callback ended its goroutine")
	errStore        = errors.New("terminal49: webhook: the dedupe store failed")
	errNotClaimed   = fmt.Errorf("%w before a callback was called", errStore)
	errNotCalled    = errors.New("terminal49: webhook: the goroutine ended before a callback was called")
)

// group is a singleflight group with a store behind it: it makes one call per key at a time, and
// duplicates wait for its outcome. A call continues after all its waiters have left, so that its
// outcome is recorded.
type group struct {
	store              DedupeStore
	timeout, retention time.Duration

	base   context.Context // ends when the context of shutdown does
	cancel context.CancelFunc

	mu      sync.Mutex
	calls   map[string]*call // in progress
	closing bool
	idle    chan struct{} // closed once closing is set and no call is in progress
}

// call is a call in progress.
type call struct {
	done  chan struct{} // closed once outcome and err are final
	begun atomic.Bool   // the callbacks were called, or there was none to call

	outcome Outcome
	err     error
}

// callFunc calls the callbacks and reports whether there was one to call.
type callFunc func(context.Context) (called bool, err error)

func newGroup(store DedupeStore, timeout, retention time.Duration) *group {
	g := &group{store: store, timeout: timeout, retention: retention, calls: map[string]*call{}, idle: make(chan struct{})}
	g.base, g.cancel = context.WithCancel(context.Background())
	return g
}

// do calls fn unless the store has key as done. It waits for the outcome, at most for the timeout,
// and reports whether fn was called by then.
func (g *group) do(ctx context.Context, key string, fn callFunc) (outcome Outcome, begun bool, err error) {
	c, first := g.join(key)
	if c == nil {
		return OutcomeClosing, false, ErrClosed
	}
	if first {
		go g.run(context.WithoutCancel(ctx), key, c, fn)
	}
	outcome, err = g.wait(ctx, c, first)
	return outcome, c.begun.Load(), err
}

func (g *group) wait(ctx context.Context, c *call, first bool) (Outcome, error) {
	timer := time.NewTimer(g.timeout)
	defer timer.Stop()
	select {
	case <-c.done:
		if !first && c.outcome != OutcomeFailed {
			return OutcomeDuplicate, nil
		}
		return c.outcome, c.err
	case <-timer.C:
		return OutcomeFailed, ErrTimeout
	case <-ctx.Done():
		return OutcomeFailed, ctx.Err()
	}
}

// join returns the call in progress for key or a new one, which the caller must run. It returns nil
// if there is no call in progress and the group is closing.
func (g *group) join(key string) (c *call, first bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c = g.calls[key]; c != nil {
		return c, false
	}
	if g.closing {
		return nil, false
	}
	c = &call{done: make(chan struct{}), outcome: OutcomeFailed, err: errNotCalled}
	g.calls[key] = c
	return c, true
}

func (g *group) run(ctx context.Context, key string, c *call, fn callFunc) {
	defer g.finish(key, c)
	defer c.recoverPanic()
	bounded, cancel := context.WithTimeout(ctx, g.timeout)
	defer cancel()
	defer context.AfterFunc(g.base, cancel)()
	owner := uuid.NewString()
	state, err := g.claim(bounded, key, owner)
	switch {
	case err != nil:
		c.err = err
		return
	case state == DedupeDone:
		c.outcome, c.err = OutcomeDuplicate, nil
		return
	}
	defer g.record(ctx, key, owner, c) // deferred, because a callback may end the goroutine
	c.err = errCallbackExit
	c.begun.Store(true)
	c.outcome, c.err = invoke(bounded, fn)
}

// claim retries while another process has the notification, in case that process fails.
func (g *group) claim(ctx context.Context, key, owner string) (DedupeState, error) {
	wait := minClaimWait
	for {
		state, err := g.store.Claim(ctx, key, owner, max(g.timeout, g.timeout+leaseMargin)) // the sum may overflow
		if err != nil {
			return state, fmt.Errorf("%w: %w", errNotClaimed, err)
		}
		if state != DedupeBusy {
			return state, nil
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return state, ErrTimeout
		}
		wait = min(2*wait, maxClaimWait)
	}
}

func invoke(ctx context.Context, fn callFunc) (Outcome, error) {
	called, err := fn(ctx)
	switch {
	case err != nil:
		return OutcomeFailed, err
	case !called:
		return OutcomeIgnored, nil
	default:
		return OutcomeHandled, nil
	}
}

// recoverPanic turns a panic of a callback or of the store into a failure. It must be deferred.
func (c *call) recoverPanic() {
	if v := recover(); v != nil {
		c.outcome, c.err = OutcomeFailed, &CallbackPanicError{v, debug.Stack()}
	}
}

// record writes the outcome to the store. If that fails the outcome stays and the error is added.
func (g *group) record(ctx context.Context, key, owner string, c *call) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	var err error
	if c.outcome == OutcomeFailed {
		err = g.store.Release(ctx, key, owner)
	} else {
		err = g.store.Complete(ctx, key, owner, g.retention)
	}
	if err != nil {
		c.err = errors.Join(c.err, fmt.Errorf("%w: %w", errStore, err))
	}
}

func (g *group) finish(key string, c *call) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.calls, key)
	close(c.done)
	g.closeIfIdle()
}

// closeIfIdle closes idle if a shutdown has nothing left to wait for. The caller must hold the
// lock.
func (g *group) closeIfIdle() {
	if !g.closing || len(g.calls) > 0 {
		return
	}
	select {
	case <-g.idle:
	default:
		close(g.idle)
	}
}

func (g *group) shutdown(ctx context.Context) error {
	g.mu.Lock()
	g.closing = true
	g.closeIfIdle()
	g.mu.Unlock()
	defer g.cancel()
	select {
	case <-g.idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
