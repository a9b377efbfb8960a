package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// CountRows returns how many rows of a table are not deleted. It reads only indexes, because every
// deleted row is also missing.
func (d *Store) CountRows(ctx context.Context, in *schema.Table) (n int, err error) {
	err = d.Pool.QueryRowContext(ctx, d.SQL("select count(*) - (select count(deleted_at) from t49."+in.Name+
		" where missing_since is not null) from t49."+in.Name)).Scan(&n)
	return n, err
}

// UnseenRows returns how many rows of a table no reading has shown since a walk began, and up to
// most of them: a whole table does not fit into memory. They are sorted here, because an index on
// ids would be read together with the whole table, in another order.
func (d *Store) UnseenRows(ctx context.Context, in *schema.Table, since WalkState, most int) (refs []model.Ref, n int, err error) {
	rows, err := d.Pool.QueryContext(ctx, d.SQL(`
select t.type, t.id from t49.`+in.Name+` t
left join (`+shownPages+` where p.ticket > $1) shown on shown.kind = t.type and shown.id = t.id
where t.deleted_at is null and t.ticket < $1 and t.seen_at < $2 and shown.id is null`),
		since.ID, d.Time(since.Started))
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for ; rows.Next(); n++ {
		if n >= most {
			continue
		}
		var r model.Ref
		if err := rows.Scan(&r.Type, &r.ID); err != nil {
			return nil, 0, err
		}
		refs = append(refs, r)
	}
	slices.SortFunc(refs, func(a, b model.Ref) int { return strings.Compare(a.ID, b.ID) })
	return refs, n, rows.Err()
}

// Absent records that the service answered 404 for a resource, and reports whether it has a row.
// The first 404 makes the row missing. If it was already missing before a whole walk, which did not
// show it either, the row is deleted; walk is when that walk began, or zero without one.
func (t *Tx) Absent(ctx context.Context, r plan.Reading, what model.Ref, walk time.Time) (bool, error) {
	in := schema.TableOf(what.Type)
	var since, deleted schema.Instant
	has, err := t.one(ctx, "select missing_since, deleted_at from t49."+in.Name+" where id = $1", []any{what.ID}, &since, &deleted)
	if err != nil || !has {
		return has, err
	}
	switch plan.Absent(since.Time, !deleted.IsZero(), walk) {
	case plan.KnownAbsent:
		return true, nil
	case plan.SecondAbsent:
		return true, t.Remove(ctx, r, what)
	}
	if t.latest(what, span{}, r).ticket >= r.Ticket { // a later reading has shown it
		return true, nil
	}
	_, err = t.exec(ctx, "update t49."+in.Name+" set missing_since = $1 where id = $2 and ticket < $3", t.time(t.Now), what.ID, r.Ticket)
	return true, err
}

// Remove marks resources as deleted because a reading did not find them, and ends their holds and
// fees. Rows of a later reading stay. Rows of an overlapping reading stay too, and are marked:
// which of the two is newer is unknown.
func (t *Tx) Remove(ctx context.Context, r plan.Reading, all ...model.Ref) error {
	w := &writer{tx: t, r: r}
	for _, what := range all {
		if err := w.remove(ctx, what); err != nil {
			return err
		}
	}
	if err := t.MarkAll(ctx, t.Now, w.doubtful...); err != nil {
		return err
	}
	return t.record(ctx, w.changes)
}

func (w *writer) remove(ctx context.Context, what model.Ref) error {
	into := schema.TableOf(what.Type)
	if into == nil {
		return nil
	}
	var row plan.Row
	has, err := w.tx.one(ctx, "select ticket, until, deleted_at is not null from t49."+into.Name+" where id = $1",
		[]any{what.ID}, &row.Ticket, &row.Until, &row.Deleted)
	if err != nil || !has {
		return err
	}
	latest := w.tx.latest(what, span{row.Ticket, row.Until}, w.r)
	row.Ticket, row.Until = latest.ticket, latest.until
	d := plan.Remove(row, w.r)
	if d.Doubtful {
		w.doubtful = append(w.doubtful, what)
	}
	_, err = w.tx.exec(ctx, "update t49."+into.Name+" set ticket = $1, until = $2 where id = $3", d.Ticket, d.Until, what.ID)
	if err != nil || !d.Delete {
		return err
	}
	return w.delete(ctx, into, what)
}

// delete marks a row as deleted, and ends its periods.
func (w *writer) delete(ctx context.Context, into *schema.Table, what model.Ref) error {
	w.changed(what, "id", model.Encode(what.ID), nil)
	_, err := w.tx.exec(ctx, "update t49."+into.Name+` set deleted_at = $1, changed_at = $1, missing_since = coalesce(missing_since, $1)
where id = $2`, w.tx.time(w.tx.Now), what.ID)
	if err != nil || into != schema.TableOf("container") {
		return err
	}
	for _, p := range schema.PeriodTables {
		_, err := w.tx.exec(ctx, "update t49."+p.Table+" set cleared_at = $1 where container_id = $2 and cleared_at is null", w.tx.time(w.tx.Now), what.ID)
		if err != nil {
			return err
		}
	}
	return nil
}
