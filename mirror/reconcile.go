package mirror

import (
	"context"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/mirror/internal/worker"
)

// Reconcile walks over everything, compares the inbox with the service's log of notifications,
// reads the resources that this marks, assesses the containers, and returns when all is done. If
// another process mirrors into the database, that process does the work; otherwise this one does.
//
// Errors: those of [Mirror.Run] and of ctx; one that reports why the service refused a walk;
// *[UnconfirmedError] if all is done and rows wait for a confirmation.
func (m *Mirror) Reconcile(ctx context.Context) error {
	if err := m.unlocked(ctx, func() error { return m.Migrate(ctx) }); err != nil {
		return err
	}
	var asked int64
	ask := func() (err error) {
		asked, err = m.db.AskToReconcile(ctx)
		return err
	}
	if err := m.unlocked(ctx, ask); err != nil {
		return err
	}
	g := worker.NewGroup(ctx)
	g.Start(func(ctx context.Context) error {
		return m.lead(ctx, store.NewLease(), "writes", func(ctx context.Context, l *store.Lease) error { return m.worker(l).Run(ctx) })
	})
	g.Start(func(ctx context.Context) error {
		defer g.Cancel()
		return m.unlocked(ctx, func() error { return m.untilReconciled(ctx, asked) })
	})
	if err := g.Wait(); err != nil {
		return m.db.Explain(err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return m.unconfirmed(ctx)
}

func (m *Mirror) untilReconciled(ctx context.Context, asked int64) error {
	var end int64 // a ticket from when the walks and the audit had ended
	var at time.Time
	for worker.Pause(ctx, time.Second, nil) {
		done, err := end > 0, error(nil)
		if !done {
			if done, err = m.db.IsWalked(ctx, asked); done && err == nil {
				at = time.Now()
				end, err = m.db.Draw(ctx)
			}
		}
		if done && err == nil {
			done, err = m.db.IsAnswered(ctx, end, at, m.opts.Settle)
		}
		if done && err == nil {
			var waits bool
			waits, err = m.db.HasUnassessed(ctx, m.db.Now())
			done = !waits
		}
		if done || err != nil {
			return err
		}
	}
	return nil
}
