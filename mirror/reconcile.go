package mirror

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/plan"
)

// The cursors by which one process asks the one that has the lease. Their values are tickets.
const (
	reconcileAsked   = "reconcile"
	reconcileAudited = "reconcile.audited"
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
	asked, err := m.askToReconcile(ctx)
	if err != nil {
		return err
	}
	g := newGroup(ctx)
	g.start(func(ctx context.Context) error {
		return m.lead(ctx, func(ctx context.Context, l *lease) error { return newTenure(m, l).work(ctx) })
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

// askToReconcile asks the process that has the lease, and returns the ticket of the request.
func (m *Mirror) askToReconcile(ctx context.Context) (int64, error) {
	asked, err := m.draw(ctx)
	if err != nil {
		return 0, err
	}
	m.writing.Lock()
	defer m.writing.Unlock()
	_, err = m.db.pool.ExecContext(ctx, m.db.sql(`
insert into t49.cursors (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value`),
		reconcileAsked, strconv.FormatInt(asked, 10))
	return asked, err
}

func (m *Mirror) untilReconciled(ctx context.Context, asked int64) error {
	var end int64 // a ticket from when the walks and the audit had ended
	var at time.Time
	for pause(ctx, pollEvery, nil) {
		done, err := end > 0, error(nil)
		if !done {
			if done, err = m.isWalked(ctx, asked); done && err == nil {
				at = time.Now()
				end, err = m.draw(ctx)
			}
		}
		if done && err == nil {
			done, err = m.isAnswered(ctx, end, at)
		}
		if done || err != nil {
			return err
		}
	}
	return nil
}

// isAnswered reports whether nothing waits for its first read that was marked, or had arrived, at a
// time. What comes later, and old places, which are read in the course of the day, do not keep
// Reconcile from returning.
func (m *Mirror) isAnswered(ctx context.Context, end int64, at time.Time) (bool, error) {
	var waiting int
	err := m.db.pool.QueryRowContext(ctx, m.db.sql(`
select (select count(*) from t49.dirty where attempts = 0 and ticket <= $1 and due_at <= $3)
  + (select count(*) from t49.inbox where state = 'new' and state <> 'done' and received_at <= $2)`),
		end, m.db.time(at), m.db.time(at.Add(m.settle))).Scan(&waiting)
	return waiting == 0, err
}

// isWalked reports whether all walks that began after a ticket have ended, and the audit.
func (m *Mirror) isWalked(ctx context.Context, asked int64) (bool, error) {
	for _, s := range plan.WholeLists {
		var state, problem string
		has, err := found(m.db.pool.QueryRowContext(ctx, m.db.sql(`
select state, coalesce(problem, '') from t49.walks where scope = $1 and id > $2 and state <> 'running' order by id limit 1`),
			s.Name, asked).Scan(&state, &problem))
		switch {
		case !has:
			return false, err
		case state == "stopped":
			return false, fmt.Errorf("mirror: %s: %s", s.Name, problem)
		}
	}
	audited, err := m.db.number(ctx, reconcileAudited)
	return err == nil && audited >= asked, err
}

// wanted notes what another process, or a call of Reconcile in this one, has asked for.
func (t *tenure) wanted(ctx context.Context) error {
	asked, err := t.db.number(ctx, reconcileAsked)
	if err == nil && t.asked.Swap(asked) < asked {
		ask(t.wholeNow)
		ask(t.auditNow)
	}
	return err
}

// number reads a cursor that is a ticket; 0 if there is none.
func (d *database) number(ctx context.Context, name string) (int64, error) {
	value, err := d.cursor(ctx, d.pool, name)
	if err != nil || value == "" {
		return 0, err
	}
	return strconv.ParseInt(value, 10, 64)
}

// auditLog reads the service's log of notifications: what is new each time, and all of it as often
// as everything is walked over.
func (t *tenure) auditLog(ctx context.Context) error {
	asked := t.asked.Load()
	audited, err := t.db.number(ctx, reconcileAudited)
	if err != nil {
		return err
	}
	if t.url != "" || len(t.secrets) > 0 || audited < asked {
		value, err := t.db.cursor(ctx, t.db.pool, "audit.whole")
		if err != nil {
			return err
		}
		whole, unknown := time.Parse(time.RFC3339Nano, value)
		if err := t.audit(ctx, audited < asked || unknown != nil || time.Since(whole) >= t.whole); err != nil {
			return err
		}
	}
	if audited >= asked {
		return nil
	}
	return t.apply(ctx, t.lease, "audit end", func(t *tx) error {
		return t.note(ctx, reconcileAudited, strconv.FormatInt(asked, 10))
	})
}
