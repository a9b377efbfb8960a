package store

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/plan"
)

// The cursors by which one process asks the one that has the lease to reconcile. Their values are
// tickets.
const (
	CursorReconcileAsked   = "reconcile"
	CursorReconcileAudited = "reconcile.audited"
)

// AskToReconcile asks the process that has the lease to reconcile, and returns the ticket of that
// request.
func (d *Store) AskToReconcile(ctx context.Context) (int64, error) {
	asked, err := d.Draw(ctx)
	if err != nil {
		return 0, err
	}
	d.writing.Lock()
	defer d.writing.Unlock()
	_, err = d.Pool.ExecContext(ctx, d.SQL(`
insert into t49.cursors (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value`),
		CursorReconcileAsked, strconv.FormatInt(asked, 10))
	return asked, err
}

// IsWalked reports whether all walks that began after a ticket have ended, and the audit.
func (d *Store) IsWalked(ctx context.Context, asked int64) (bool, error) {
	for _, s := range plan.WholeLists {
		var state, problem string
		has, err := found(d.Pool.QueryRowContext(ctx, d.SQL(`
select state, coalesce(problem, '') from t49.walks where scope = $1 and id > $2 and state <> 'running' order by id limit 1`),
			s.Name, asked).Scan(&state, &problem))
		switch {
		case !has:
			return false, err
		case state == "stopped":
			return false, fmt.Errorf("mirror: %s: %s", s.Name, problem)
		}
	}
	audited, err := d.CursorNumber(ctx, CursorReconcileAudited)
	return err == nil && audited >= asked, err
}

// IsAnswered reports whether every resource with a mark up to the ticket end has been read at least
// once, and every notification received until at has been tried. Marks that are due much later,
// such as those of old places, are ignored.
func (d *Store) IsAnswered(ctx context.Context, end int64, at time.Time, settle time.Duration) (bool, error) {
	var waiting int
	err := d.Pool.QueryRowContext(ctx, d.SQL(`
select (select count(*) from t49.dirty where attempts = 0 and ticket <= $1 and due_at <= $3)
  + (select count(*) from t49.inbox where state = 'new' and state <> 'done' and received_at <= $2)`),
		end, d.Time(at), d.Time(at.Add(settle))).Scan(&waiting)
	return waiting == 0, err
}
