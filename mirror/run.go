package mirror

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
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
		return m.lead(ctx, func(ctx context.Context, l *lease) error { return newTenure(m, l).work(ctx) })
	})
	return g.wait()
}

// keepWebhook looks after the webhook in every process, because each receives.
func (m *Mirror) keepWebhook(ctx context.Context) error {
	for m.url != "" && ctx.Err() == nil {
		if err := m.ensureWebhook(ctx); err != nil && ctx.Err() == nil {
			m.log.Error("the webhook could not be looked after; it is tried again", slog.Any("error", err))
		}
		pause(ctx, m.often(), nil)
	}
	return nil
}

// often is the time between two looks at what the service reports as new, such as its log of
// notifications.
func (m *Mirror) often() time.Duration { return min(5*time.Minute, m.active) }

// lead calls f when this process has the lease. If another process takes the lease away, f must
// return, and lead competes for it again. It returns nil when ctx ends.
func (m *Mirror) lead(ctx context.Context, f func(context.Context, *lease) error) error {
	if err := m.Migrate(ctx); err != nil {
		return err
	}
	for l := newLease(); ; {
		if !m.compete(ctx, l) {
			return nil
		}
		m.log.Info("this process writes", slog.Int64("epoch", l.epoch))
		err := m.hold(ctx, l, f)
		if errors.Is(err, errLeaseLost) {
			m.log.Warn("another process has taken over")
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
func (m *Mirror) giveBack(ctx context.Context, l *lease) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), renewEvery)
	defer cancel()
	if err := m.db.giveBack(ctx, l); err != nil {
		m.log.Warn("the lease could not be given back; another process waits until it runs out", slog.Any("error", err))
	}
}

// compete waits until this process has the lease, and reports false if ctx ended first.
func (m *Mirror) compete(ctx context.Context, l *lease) bool {
	for waits := false; ctx.Err() == nil; pause(ctx, renewEvery, nil) {
		has, err := m.renew(ctx, l)
		switch {
		case has:
			return true
		case err != nil && ctx.Err() == nil:
			m.log.Error("the database does not answer", slog.Any("error", err))
		case err == nil && !waits:
			waits = true
			m.log.Info("another process has the lease; waiting until it stops", slog.Duration("at_most_if_it_crashed", leaseTime))
		}
	}
	return false
}

// renew takes or renews the lease, between two transactions of this process.
func (m *Mirror) renew(ctx context.Context, l *lease) (bool, error) {
	m.writing.Lock()
	defer m.writing.Unlock()
	return m.db.take(ctx, l, time.Now())
}

// hold calls f and renews the lease meanwhile.
func (m *Mirror) hold(ctx context.Context, l *lease, f func(context.Context, *lease) error) error {
	g := newGroup(ctx)
	ended := make(chan struct{})
	g.start(func(ctx context.Context) error {
		defer close(ended)
		return f(ctx, l)
	})
	g.start(func(ctx context.Context) error {
		for pause(ctx, renewEvery, ended) {
			has, err := m.renew(ctx, l)
			switch {
			case err != nil && ctx.Err() == nil:
				m.log.Error("the lease could not be renewed", slog.Any("error", err))
			case err == nil && !has:
				return errLeaseLost
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
