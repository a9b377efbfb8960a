package mirror

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/mirror/internal/worker"
)

// Run keeps the copy equal to the service until ctx ends, and then returns nil. It creates the
// tables, reads everything once, beginning with tracked shipments, and from then on reads changes.
// If another process mirrors into the database, Run waits and takes over within about 30 seconds
// after it stops.
//
// Errors: those of [Mirror.Migrate]; [ErrOtherAccount]; terminal49.ErrUnauthorized if the service
// does not accept the token at the start. All other errors are logged, and the failed step is
// repeated.
func (m *Mirror) Run(ctx context.Context) error {
	g := newGroup(ctx)
	g.start(m.keepWebhook)
	g.start(func(ctx context.Context) error {
		defer g.cancel()
		return m.lead(ctx, func(ctx context.Context, l *store.Lease) error { return newTenure(m, l).work(ctx) })
	})
	return g.wait()
}

// keepWebhook looks after the webhook in every process, because each receives.
func (m *Mirror) keepWebhook(ctx context.Context) error {
	for m.opts.URL != "" && ctx.Err() == nil {
		if err := m.ensureWebhook(ctx); err != nil && ctx.Err() == nil {
			m.opts.Log.Error("the webhook could not be looked after; it is tried again", slog.Any("error", err))
		}
		pause(ctx, often(&m.opts), nil)
	}
	return nil
}

// often is the time between two looks at what the service reports as new, such as its log of
// notifications.
func often(o *worker.Options) time.Duration { return min(5*time.Minute, o.Active) }

// lead calls f when this process has the lease. If another process takes the lease away, f must
// return, and lead competes for it again. It returns nil when ctx ends.
func (m *Mirror) lead(ctx context.Context, f func(context.Context, *store.Lease) error) error {
	if err := m.Migrate(ctx); err != nil {
		return err
	}
	for l := store.NewLease(); ; {
		if !m.compete(ctx, l) {
			return nil
		}
		m.opts.Log.Info("this process writes", slog.Int64("epoch", l.Epoch))
		err := m.hold(ctx, l, f)
		if errors.Is(err, store.ErrLeaseLost) {
			m.opts.Log.Warn("another process has taken over")
			continue
		}
		m.giveBack(ctx, l)
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
}

// giveBack lets another process take over at once, rather than when the lease runs out.
func (m *Mirror) giveBack(ctx context.Context, l *store.Lease) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), store.RenewEvery)
	defer cancel()
	if err := m.db.ReleaseLease(ctx, l); err != nil {
		m.opts.Log.Warn("the lease could not be given back; another process waits until it runs out", slog.Any("error", err))
	}
}

// compete waits until this process has the lease, and reports false if ctx ended first.
func (m *Mirror) compete(ctx context.Context, l *store.Lease) bool {
	for waits := false; ctx.Err() == nil; pause(ctx, store.RenewEvery, nil) {
		has, err := m.db.RenewLease(ctx, l)
		switch {
		case has:
			return true
		case err != nil && ctx.Err() == nil:
			m.opts.Log.Error("the database does not answer", slog.Any("error", err))
		case err == nil && !waits:
			waits = true
			m.opts.Log.Info("another process has the lease; waiting until it stops", slog.Duration("at_most_if_it_crashed", store.LeaseTime))
		}
	}
	return false
}

// hold calls f and renews the lease meanwhile.
func (m *Mirror) hold(ctx context.Context, l *store.Lease, f func(context.Context, *store.Lease) error) error {
	g := newGroup(ctx)
	ended := make(chan struct{})
	g.start(func(ctx context.Context) error {
		defer close(ended)
		return f(ctx, l)
	})
	g.start(func(ctx context.Context) error {
		for pause(ctx, store.RenewEvery, ended) {
			has, err := m.db.RenewLease(ctx, l)
			switch {
			case err != nil && ctx.Err() == nil:
				m.opts.Log.Error("the lease could not be renewed", slog.Any("error", err))
			case err == nil && !has:
				return store.ErrLeaseLost
			}
		}
		return nil
	})
	return g.wait()
}

// pause waits, and reports false if ctx ended. It returns early when wake receives, and reports
// false if wake is closed.
func pause(ctx context.Context, d time.Duration, wake <-chan struct{}) bool {
	timer := time.NewTimer(max(d, 0))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case _, open := <-wake:
		return open
	case <-ctx.Done():
		return false
	}
}

// group runs functions side by side. The first error ends the others.
type group struct {
	ctx      context.Context
	cancel   context.CancelFunc
	running  sync.WaitGroup
	once     sync.Once
	err      error
	panicked any
}

func newGroup(ctx context.Context) *group {
	g := new(group)
	g.ctx, g.cancel = context.WithCancel(ctx)
	return g
}

func (g *group) start(f func(context.Context) error) {
	g.running.Add(1)
	go func() {
		defer g.running.Done()
		defer func() {
			if p := recover(); p != nil {
				g.end(nil, p)
			}
		}()
		if err := f(g.ctx); err != nil {
			g.end(err, nil)
		}
	}()
}

func (g *group) end(err error, panicked any) {
	g.once.Do(func() { g.err, g.panicked = err, panicked })
	g.cancel()
}

// wait returns the first error, after all have returned. It panics if one of them did, so that the
// caller of Run can recover from it.
func (g *group) wait() error {
	g.running.Wait()
	g.cancel()
	if g.panicked != nil {
		panic(g.panicked)
	}
	return g.err
}

// isRefused reports whether repeating a call now would not help.
func isRefused(err error) bool {
	for _, kind := range []error{terminal49.ErrInvalid, terminal49.ErrUnauthorized, terminal49.ErrForbidden, terminal49.ErrNotFound} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}
