package mirror

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/mirror/internal/worker"
)

// webhookOf is what a tenure knows of the webhook.
type webhookOf interface {
	own() string   // id of the mirror's own webhook; "" without one
	state() string // "active", or what is wrong with it; "" without one
}

// tenure is the work of a process from when it takes the lease until it loses it or ends.
type tenure struct {
	db        *store.Store
	opts      worker.Options
	service   *service
	hook      webhookOf
	lease     *store.Lease
	activeNow chan struct{} // asks for a walk over what is tracked
	wholeNow  chan struct{} // asks for a walk over everything
	auditNow  chan struct{}
	ready     chan struct{} // closed after the first walk over what is tracked
	asked     atomic.Int64  // the ticket of the latest call of Reconcile

	mu    sync.Mutex
	hasty map[*plan.List]bool // to be walked now

	identified time.Time // when the account was last compared
	polled     time.Time // when a round of polls was last noted
	resolveAt  time.Time // no minimal notification is read before
	noted      string    // the state of the webhook that is stored
	audits     audits

	probedAt time.Time // when filter[updated_at] of containers was tried
	filtered bool      // whether the service has it
}

func newTenure(m *Mirror, l *store.Lease) *tenure {
	wake := func() chan struct{} { return make(chan struct{}, 1) }
	return &tenure{
		db: m.db, opts: m.opts, service: &service{m.client, m.db}, hook: &m.receiver, lease: l,
		activeNow: wake(), wholeNow: wake(), auditNow: wake(), ready: make(chan struct{}), hasty: map[*plan.List]bool{},
	}
}

// wake returns what wakes the walks over a scope.
func (t *tenure) wake(s *plan.List) chan struct{} {
	if s == plan.ActiveList {
		return t.activeNow
	}
	return t.wholeNow
}

// work does everything that keeps the copy equal, until ctx ends or the lease is lost.
func (t *tenure) work(ctx context.Context) error {
	if err := t.identify(ctx); err != nil || ctx.Err() != nil {
		return err
	}
	g := newGroup(ctx)
	g.start(t.walkActive)
	g.start(t.walkWhole)
	for _, loop := range []struct {
		name  string
		every time.Duration
		wake  <-chan struct{} // ends the wait early
		do    func(context.Context) error
	}{
		{"reading what is marked", pollEvery, nil, t.poll},
		{"looking for calls of Reconcile", pollEvery, nil, t.wanted},
		{"applying notifications", pollEvery, t.db.Arrived, t.inbox},
		{"reading new tracking requests", min(time.Minute, t.opts.Active), nil, t.readCursor},
		{"reading the log of notifications", often(&t.opts), t.auditNow, t.auditLog},
		{"finding out the account", time.Minute, nil, t.identifyAgain},
	} {
		g.start(func(ctx context.Context) error { return t.every(ctx, loop.name, loop.every, loop.wake, loop.do) })
	}
	return g.wait()
}

// every calls f now and at each interval, and after an error later and later.
func (t *tenure) every(ctx context.Context, name string, interval time.Duration, wake <-chan struct{}, f func(context.Context) error) error {
	for failures := 0; ctx.Err() == nil; {
		wait, err := interval, f(ctx)
		switch {
		case err == nil:
			failures = 0
		case t.isOver(ctx, err):
			return err
		default:
			failures++
			wait = max(interval, plan.RetryAfter(failures, 5*time.Minute))
			t.complain(name, err)
		}
		pause(ctx, wait, wake)
	}
	return nil
}

// isOver reports whether an error ends the tenure.
func (t *tenure) isOver(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, store.ErrLeaseLost) || errors.Is(err, ErrOtherAccount)
}

func (t *tenure) complain(name string, err error) {
	t.opts.Log.Error(name+" failed; it is repeated", slog.Any("error", err))
}

func (t *tenure) walkActive(ctx context.Context) error {
	plans, err := t.planned(ctx, t.opts.Active, plan.ActiveList, plan.ChangedList)
	if err != nil {
		return err
	}
	if !plans[0].Due.IsZero() {
		t.walked(plan.ActiveList)
	}
	return t.walkAll(ctx, plans, t.activeNow)
}

// walkWhole walks over everything, but first lets the shipments that are tracked be read.
func (t *tenure) walkWhole(ctx context.Context) error {
	select {
	case <-t.ready:
	case <-ctx.Done():
		return nil
	}
	plans, err := t.planned(ctx, t.opts.Whole, plan.WholeLists...)
	if err != nil {
		return err
	}
	return t.walkAll(ctx, plans, t.wholeNow)
}

// walked lets the walks over everything begin.
func (t *tenure) walked(s *plan.List) {
	if s != plan.ActiveList {
		return
	}
	select {
	case <-t.ready:
	default:
		close(t.ready)
	}
}

// ask wakes a loop, if it is not about to run in any case.
func ask(wake chan<- struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}

// inbox applies the notifications that have arrived.
func (t *tenure) inbox(ctx context.Context) error {
	for ctx.Err() == nil {
		applied, err := t.applyInbox(ctx)
		if err != nil || applied == 0 {
			return err
		}
	}
	return nil
}
