package webhook

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

const storeTimeout = 10 * time.Second // for recording an outcome in the store

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
	store                     DedupeStore
	timeout, lease, retention time.Duration

	base   context.Context // ends when the context of shutdown does
	cancel context.CancelFunc

	mu      sync.Mutex
	calls   map[string]*call // in progress
	closing bool
	running sync.WaitGroup // the goroutines of calls; joined only before closing
}

// call is a call in progress.
type call struct {
	done  chan struct{} // closed once outcome and err are final
	busy  atomic.Bool   // another owner has the claim
	begun atomic.Bool   // the callbacks were called, or there was none to call

	waiters  int // these two are protected by the group's lock
	finished bool
	outcome  Outcome
	err      error
}

// callFunc calls the callbacks and reports whether there was one to call.
type callFunc func(context.Context) (called bool, err error)

// resultFunc receives the outcome of a call, and whether its callbacks were called.
type resultFunc func(outcome Outcome, begun bool, err error)

func newGroup(c config) *group {
	g := &group{store: c.store, timeout: c.timeout, lease: c.lease, retention: c.retention, calls: map[string]*call{}}
	g.base, g.cancel = context.WithCancel(context.Background())
	return g
}

// do calls fn unless the store has key as done. It waits for the outcome, at most for the timeout,
// and reports whether fn was called by then. It calls later if the claim of fn was lost, and with
// an outcome that comes after all who waited for it have left.
func (g *group) do(ctx context.Context, key string, fn callFunc, later resultFunc) (outcome Outcome, begun bool, err error) {
	c, first := g.join(key)
	if c == nil {
		return OutcomeClosing, false, ErrClosed
	}
	if first {
		go g.run(context.WithoutCancel(ctx), key, c, fn, later)
	}
	outcome, err = g.wait(ctx, c, first)
	return outcome, c.begun.Load(), err
}

func (g *group) wait(ctx context.Context, c *call, first bool) (Outcome, error) {
	timer := time.NewTimer(g.timeout)
	defer timer.Stop()
	var err error
	select {
	case <-c.done:
	case <-timer.C:
		err = c.timedOut()
	case <-ctx.Done():
		err = ctx.Err()
	}
	switch {
	case err != nil && g.leave(c):
		return OutcomeFailed, err
	case !first && c.outcome != OutcomeFailed:
		return OutcomeDuplicate, nil
	}
	return c.outcome, c.err
}

// leave reports whether the call is still in progress; then one less waits for it.
func (g *group) leave(c *call) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	c.waiters--
	return !c.finished
}

// timedOut returns why the call is not done in time.
func (c *call) timedOut() error {
	switch {
	case c.begun.Load():
		return ErrTimeout
	case c.busy.Load():
		return errBusy
	}
	return errNoAnswer
}

// join returns the call in progress for key or a new one, which the caller must run. It returns nil
// if there is no call in progress and the group is closing.
func (g *group) join(key string) (c *call, first bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c = g.calls[key]; c != nil {
		c.waiters++
		return c, false
	}
	if g.closing {
		return nil, false
	}
	c = &call{done: make(chan struct{}), waiters: 1, outcome: OutcomeFailed, err: errNotCalled}
	g.calls[key] = c
	g.running.Add(1)
	return c, true
}

func (g *group) run(ctx context.Context, key string, c *call, fn callFunc, later resultFunc) {
	defer g.finish(key, c, later)
	defer c.recoverPanic()
	bounded, cancel := context.WithTimeout(ctx, g.timeout)
	defer cancel()
	defer context.AfterFunc(g.base, cancel)()
	bounded, abort := context.WithCancelCause(bounded)
	defer abort(nil)
	claim := g.newClaim(key, func(err error) { abort(err); later(OutcomeClaimLost, true, err) })
	state, err := claim.wait(bounded, &c.busy)
	switch {
	case err != nil:
		c.err = err
		return
	case state == DedupeDone:
		c.outcome, c.err = OutcomeDuplicate, nil
		return
	}
	stop := claim.keep(ctx)
	defer c.record(ctx, claim, stop) // deferred, because a callback may end the goroutine
	c.err = errCallbackExit
	c.begun.Store(true)
	c.outcome, c.err = invoke(bounded, fn)
}

func invoke(ctx context.Context, fn callFunc) (Outcome, error) {
	called, err := fn(ctx)
	switch {
	case err != nil:
		return OutcomeFailed, err
	case !called:
		return OutcomeIgnored, nil
	}
	return OutcomeHandled, nil
}

// recoverPanic turns a panic of a callback or of the store into a failure. It must be deferred.
func (c *call) recoverPanic() {
	if v := recover(); v != nil {
		c.outcome, c.err = OutcomeFailed, &CallbackPanicError{v, debug.Stack()}
	}
}

// record writes the outcome to the store. If that fails, or the claim was lost, the outcome stays
// and the error is added.
func (c *call) record(ctx context.Context, claim *ownClaim, stop func()) {
	stop()
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	var err error
	if c.outcome == OutcomeFailed {
		err = claim.store.Release(ctx, claim.key, claim.owner)
	} else {
		err = claim.store.Complete(ctx, claim.key, claim.owner, claim.retention)
	}
	switch {
	case errors.Is(err, ErrClaimLost):
		claim.lose(err)
	case err != nil:
		c.err = errors.Join(c.err, fmt.Errorf("%w: %w", errStore, err))
	}
	c.err = errors.Join(c.err, claim.loss)
}

// finish ends a call. A timeout before the callbacks is what those who waited were told already.
func (g *group) finish(key string, c *call, later resultFunc) {
	defer g.running.Done()
	g.mu.Lock()
	delete(g.calls, key)
	close(c.done)
	c.finished = true
	left := c.waiters == 0
	g.mu.Unlock()
	if left && (c.begun.Load() || !errors.Is(c.err, ErrTimeout) && !errors.Is(c.err, context.DeadlineExceeded)) {
		later(c.outcome, c.begun.Load(), c.err)
	}
}

func (g *group) shutdown(ctx context.Context) error {
	g.mu.Lock()
	g.closing = true
	g.mu.Unlock()
	defer g.cancel()
	idle := make(chan struct{})
	go func() { g.running.Wait(); close(idle) }()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
