package terminal49

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Why a notification was not handled, for errors.Is.
var (
	ErrWebhookTimeout = errors.New("terminal49: webhook: not handled in time")
	ErrWebhookClosed  = errors.New("terminal49: webhook: the handler was shut down")
)

// CallbackPanicError means that a callback panicked. The delivery was answered 500, a dead letter 200.
type CallbackPanicError struct {
	Value any    // what it panicked with
	Stack []byte // where
}

// Error tells what the callback panicked with.
func (e *CallbackPanicError) Error() string {
	return fmt.Sprintf("terminal49: webhook: a callback panicked: %v", e.Value)
}

const (
	storeTimeout = 10 * time.Second       // for noting what became of a notification
	firstAsk     = 50 * time.Millisecond  // between questions for one that another process has in hand
	lastAsk      = 500 * time.Millisecond // the questions become this rare
)

var (
	errCallbackExit = errors.New("terminal49: webhook: a callback ended its goroutine")
	errNotClaimed   = errors.New("terminal49: webhook: the dedupe store failed") // so that no callback was called
)

// flights runs the callbacks of each key once at a time: whoever comes while they run waits for them. A flight goes on
// when those who wait have left, so that work that was begun is finished and noted.
type flights struct {
	timeout, keep time.Duration
	store         DedupeStore

	base   context.Context // ends when a shutdown loses patience
	cancel context.CancelFunc

	mu      sync.Mutex
	flying  map[string]*flight
	closing bool
	idle    chan struct{} // closed when closing and nothing flies
}

type flight struct {
	landed chan struct{} // closed once the rest is final

	outcome WebhookOutcome
	err     error
}

func (fs *flights) open(timeout, keep time.Duration, store DedupeStore) {
	fs.timeout, fs.keep, fs.store = timeout, keep, store
	fs.base, fs.cancel = context.WithCancel(context.Background())
	fs.flying, fs.idle = map[string]*flight{}, make(chan struct{})
}

// fly runs call for key unless that was done before, and waits for the outcome no longer than a call may take.
func (fs *flights) fly(ctx context.Context, key string, call func(context.Context) (bool, error)) (WebhookOutcome, error) {
	f, first := fs.join(key)
	if f == nil {
		return WebhookClosing, ErrWebhookClosed
	}
	if first {
		go fs.run(context.WithoutCancel(ctx), key, f, call)
	}
	patience := time.NewTimer(fs.timeout)
	defer patience.Stop()
	select {
	case <-f.landed:
		if !first && f.outcome != WebhookFailed {
			return WebhookDuplicate, nil
		}
		return f.outcome, f.err
	case <-patience.C:
		return WebhookFailed, ErrWebhookTimeout
	case <-ctx.Done():
		return WebhookFailed, ctx.Err()
	}
}

func (fs *flights) join(key string) (f *flight, first bool) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if f = fs.flying[key]; f != nil {
		return f, false
	}
	if fs.closing {
		return nil, false
	}
	f = &flight{landed: make(chan struct{}), outcome: WebhookFailed, err: errCallbackExit}
	fs.flying[key] = f
	return f, true
}

func (fs *flights) run(ctx context.Context, key string, f *flight, call func(context.Context) (bool, error)) {
	defer fs.land(key, f)
	defer f.rescue()
	within, cancel := context.WithTimeout(ctx, fs.timeout)
	defer cancel()
	defer context.AfterFunc(fs.base, cancel)()
	owner := uuid.NewString()
	state, err := fs.claim(within, key, owner)
	switch {
	case err != nil:
		f.err = err
		return
	case state == DedupeDone:
		f.outcome, f.err = WebhookDuplicate, nil
		return
	}
	defer fs.note(ctx, key, owner, f) // deferred, for a callback may end the goroutine
	f.outcome, f.err = attempt(within, call)
}

// claim asks again while another process has the notification in hand: should that fail, it is our turn.
func (fs *flights) claim(ctx context.Context, key, owner string) (DedupeState, error) {
	wait := firstAsk
	for {
		state, err := fs.store.Claim(ctx, key, owner, max(fs.timeout, fs.timeout+leaseMargin)) // the sum may overflow
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
			return state, ErrWebhookTimeout
		}
		wait = min(2*wait, lastAsk)
	}
}

func attempt(ctx context.Context, call func(context.Context) (bool, error)) (WebhookOutcome, error) {
	called, err := call(ctx)
	switch {
	case err != nil:
		return WebhookFailed, err
	case !called:
		return WebhookIgnored, nil
	default:
		return WebhookHandled, nil
	}
}

// rescue makes a failure of a panic, in a callback or in the store.
func (f *flight) rescue() {
	if v := recover(); v != nil {
		f.outcome, f.err = WebhookFailed, &CallbackPanicError{v, debug.Stack()}
	}
}

// note tells the store what became of it. A success stays one if the store cannot note it: the error is told beside it.
func (fs *flights) note(ctx context.Context, key, owner string, f *flight) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	var err error
	if f.outcome == WebhookFailed {
		err = fs.store.Release(ctx, key, owner)
	} else {
		err = fs.store.Complete(ctx, key, owner, fs.keep)
	}
	if err != nil {
		f.err = errors.Join(f.err, fmt.Errorf("terminal49: webhook: the dedupe store failed: %w", err))
	}
}

func (fs *flights) land(key string, f *flight) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	delete(fs.flying, key)
	close(f.landed)
	fs.settle()
}

// settle says so when a shutdown has nothing left to wait for.
func (fs *flights) settle() {
	if !fs.closing || len(fs.flying) > 0 {
		return
	}
	select {
	case <-fs.idle:
	default:
		close(fs.idle)
	}
}

func (fs *flights) close(ctx context.Context) error {
	fs.mu.Lock()
	fs.closing = true
	fs.settle()
	fs.mu.Unlock()
	select {
	case <-fs.idle:
		fs.cancel()
		return nil
	case <-ctx.Done():
		fs.cancel()
		return ctx.Err()
	}
}
