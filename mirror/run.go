package mirror

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/mirror/internal/worker"
)

// Run keeps the copy equal to the service until ctx ends, and then returns nil. It creates the
// tables, reads everything once, beginning with tracked shipments, and from then on reads changes.
// If another process mirrors into the database, Run waits. It takes over within 3 seconds after
// that process stops, or crashes on the same Linux machine, and otherwise within 15 seconds.
//
// Errors: those of [Mirror.Migrate]; [ErrOtherAccount]; [ErrReplaced]; terminal49.ErrUnauthorized
// if the service does not accept the token at the start. All other errors are logged, and the
// failed step is repeated.
func (m *Mirror) Run(ctx context.Context) error {
	if err := m.Migrate(ctx); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	g := worker.NewGroup(ctx)
	g.Start(m.keepWebhook)
	g.Start(func(ctx context.Context) error {
		defer g.Cancel()
		return m.lead(ctx, store.NewLease(), "writes", func(ctx context.Context, l *store.Lease) error { return m.worker(l).Run(ctx) })
	})
	return g.Wait()
}

// keepWebhook keeps the webhook enabled. Every process calls it, because each receives.
func (m *Mirror) keepWebhook(ctx context.Context) error {
	for m.opts.URL != "" && ctx.Err() == nil {
		if err := m.ensureWebhook(ctx); err != nil && ctx.Err() == nil {
			m.opts.Log.Error("the webhook could not be looked after; it is tried again", slog.Any("error", err))
		}
		worker.Pause(ctx, m.opts.Often(), nil)
	}
	return nil
}

// worker returns the work of this process while it has the lease.
func (m *Mirror) worker(l *store.Lease) *worker.Worker {
	return worker.New(m.client, m.db, m.opts, &m.receiver, l)
}

// lead calls f when this process has a lease, and logs that it writes or sends. If another process
// takes the lease away, or the database is restored, f must return, and lead competes for it again.
// It returns nil when ctx ends.
func (m *Mirror) lead(ctx context.Context, l *store.Lease, does string, f func(context.Context, *store.Lease) error) error {
	for {
		if has, err := m.compete(ctx, l); !has {
			return err
		}
		m.opts.Log.Info("this process "+does, slog.Int64("epoch", l.Epoch))
		err := m.hold(ctx, l, f)
		switch {
		case errors.Is(err, store.ErrRestored): // it is logged when it is noted
			continue
		case errors.Is(err, store.ErrReplaced):
			return err
		case errors.Is(err, store.ErrLeaseLost):
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

// compete waits until this process has the lease. It returns false if ctx ended first, and false
// and an error if this process cannot have it.
func (m *Mirror) compete(ctx context.Context, l *store.Lease) (bool, error) {
	for waits := false; ctx.Err() == nil; worker.Pause(ctx, store.CompeteEvery, nil) {
		has, err := m.db.RenewLease(ctx, l)
		if errors.Is(err, store.ErrRestored) {
			has, err = m.db.RenewLease(ctx, l) // it is noted
		}
		switch {
		case has:
			return true, nil
		case errors.Is(err, store.ErrReplaced):
			return false, err
		case err != nil && ctx.Err() == nil:
			m.opts.Log.Error("the database does not answer", slog.Any("error", err))
		case err == nil && !waits:
			waits = true
			m.opts.Log.Info("another process has the lease; waiting until it stops", slog.Duration("at_most_if_it_crashed", store.LeaseTime))
		}
	}
	return false, nil
}

// hold calls f and renews the lease meanwhile.
func (m *Mirror) hold(ctx context.Context, l *store.Lease, f func(context.Context, *store.Lease) error) error {
	g := worker.NewGroup(ctx)
	ended := make(chan struct{})
	g.Start(func(ctx context.Context) error {
		defer close(ended)
		return f(ctx, l)
	})
	g.Start(func(ctx context.Context) error {
		for worker.Pause(ctx, store.RenewEvery, ended) {
			has, err := m.db.RenewLease(ctx, l)
			switch {
			case errors.Is(err, store.ErrRestored), errors.Is(err, store.ErrReplaced):
				return err
			case err != nil && ctx.Err() == nil:
				m.opts.Log.Error("the lease could not be renewed", slog.Any("error", err))
			case err == nil && !has:
				return store.ErrLeaseLost
			}
		}
		return nil
	})
	return g.Wait()
}

// alone calls f while no other process writes. It takes the lease at once, and releases it
// afterwards. A running mirror waits for some seconds, and repeats what it had not committed. f may
// be called again, after an error.
func (m *Mirror) alone(ctx context.Context, f func(context.Context, *store.Lease) error) error {
	l := store.NewLease()
	if err := m.unlocked(ctx, func() error { return m.seize(ctx, l) }); err != nil {
		return err
	}
	err := m.unlocked(ctx, func() error { return m.hold(ctx, l, f) })
	back := m.unlocked(ctx, func() error { return m.db.ReleaseLease(context.WithoutCancel(ctx), l) })
	if err == nil {
		err = back
	}
	return err
}

func (m *Mirror) seize(ctx context.Context, l *store.Lease) error {
	err := m.Migrate(ctx)
	for has := false; !has && err == nil; {
		has, err = m.db.SeizeLease(ctx, l)
	}
	return err
}

// unlocked calls f, and calls it again while another program has locked the file of a SQLite
// database, until ctx ends. The error has the remedy, if there is one.
func (m *Mirror) unlocked(ctx context.Context, f func() error) error {
	for waits := false; ; waits = true {
		err := f()
		if !store.IsLocked(err) || !worker.Pause(ctx, time.Second, nil) {
			return m.db.Explain(err)
		}
		if !waits {
			m.opts.Log.Warn("another program has locked the database; waiting until it releases it")
		}
	}
}
