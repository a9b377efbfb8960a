package store

import (
	"context"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// Remove marks resources as deleted because a reading did not find them, and ends their holds and
// fees. Rows of a later reading stay. So do rows of an overlapping one, which are marked: which of
// the two is newer is unknown.
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
