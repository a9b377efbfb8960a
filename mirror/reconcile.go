package mirror

import (
	"context"
	"strconv"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/store"
)

// Reconcile walks over everything, compares the inbox with the service's log of notifications,
// reads the resources that this marks, and returns when all is done. If another process mirrors
// into the database, that process does the work; otherwise this one does.
//
// Errors: those of [Mirror.Run]; that a walk was stopped, for example because too many rows are
// missing at once; that of ctx.
func (m *Mirror) Reconcile(ctx context.Context) error {
	if err := m.Migrate(ctx); err != nil {
		return err
	}
	asked, err := m.db.AskToReconcile(ctx)
	if err != nil {
		return err
	}
	g := newGroup(ctx)
	g.start(func(ctx context.Context) error {
		return m.lead(ctx, func(ctx context.Context, l *store.Lease) error { return newTenure(m, l).work(ctx) })
	})
	g.start(func(ctx context.Context) error {
		defer g.cancel()
		return m.untilReconciled(ctx, asked)
	})
	if err := g.wait(); err != nil {
		return err
	}
	return ctx.Err()
}

func (m *Mirror) untilReconciled(ctx context.Context, asked int64) error {
	var end int64 // a ticket from when the walks and the audit had ended
	var at time.Time
	for pause(ctx, pollEvery, nil) {
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
		if done || err != nil {
			return err
		}
	}
	return nil
}

// wanted notes what another process, or a call of Reconcile in this one, has asked for.
func (t *tenure) wanted(ctx context.Context) error {
	asked, err := t.db.CursorNumber(ctx, store.CursorReconcileAsked)
	if err == nil && t.asked.Swap(asked) < asked {
		ask(t.wholeNow)
		ask(t.auditNow)
	}
	return err
}

// auditLog reads the service's log of notifications: what is new each time, and all of it as often
// as everything is walked over.
func (t *tenure) auditLog(ctx context.Context) error {
	asked := t.asked.Load()
	audited, err := t.db.CursorNumber(ctx, store.CursorReconcileAudited)
	if err != nil {
		return err
	}
	if t.opts.URL != "" || len(t.opts.Secrets) > 0 || audited < asked {
		value, err := t.db.Cursor(ctx, store.CursorAuditedWhole)
		if err != nil {
			return err
		}
		whole, unknown := time.Parse(time.RFC3339Nano, value)
		if err := t.audit(ctx, audited < asked || unknown != nil || time.Since(whole) >= t.opts.Whole); err != nil {
			return err
		}
	}
	if audited >= asked {
		return nil
	}
	return t.db.Apply(ctx, t.lease, "audit end", func(t *store.Tx) error {
		return t.Note(ctx, store.CursorReconcileAudited, strconv.FormatInt(asked, 10))
	})
}
