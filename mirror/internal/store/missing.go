package store

import (
	"context"
	"strconv"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// The end of the name of a cursor with a ticket, see [Store.KnownAfter]. The rows that readings up
// to it have shown are known.
const cursorWorksSuffix = ".works"

// rowsAndPages selects from the rows of a table that are not deleted, and from what pages have
// shown after the ticket $1.
func rowsAndPages(in *schema.Table) string {
	return `
from t49.` + in.Name + ` t left join (` + shownPages + ` where p.ticket > $1) shown on shown.kind = t.type and shown.id = t.id
left join t49.missing m on m.kind = t.type and m.id = t.id
where t.deleted_at is null`
}

// isUnseen is the condition that no reading has shown a row after the ticket $1. Tickets order
// readings whatever clocks do.
const isUnseen = " and t.ticket < $1 and shown.id is null"

// ShownSince returns the ticket after which a row must have been shown to count as shown by a walk.
// For containers it is that of the walk over shipments before, which shows their containers too.
func (d *Store) ShownSince(ctx context.Context, list *plan.List, walk int64) (int64, error) {
	if list.Kind != "container" {
		return walk, nil
	}
	var before WalkState
	found, err := d.LatestWalk(ctx, plan.WholeLists[0], "done", &before)
	if found && before.ID < walk {
		return before.ID, err
	}
	return walk, err
}

// KnownAfter returns the ticket up to which the rows that readings have shown are known, after a
// walk in which the list worked: that with which the walk before it began. Other readings run
// beside a walk, and may be of another account although the walk is not. Before anything is known
// it is the latest ticket.
func (d *Store) KnownAfter(ctx context.Context, list *plan.List, isFirst bool) (int64, error) {
	if isFirst {
		return d.Drawn(ctx)
	}
	known, err := d.CursorNumber(ctx, list.Name+cursorWorksSuffix)
	if err != nil {
		return 0, err
	}
	var before WalkState
	_, err = d.LatestWalk(ctx, list, "done", &before)
	return max(known, before.ID), err
}

// Listing returns what a walk found out about the rows of its kind. since is a ticket: what was
// shown later counts as shown.
func (d *Store) Listing(ctx context.Context, list *plan.List, since int64) (l plan.Listing, err error) {
	known, err := d.CursorNumber(ctx, list.Name+cursorWorksSuffix)
	if err != nil {
		return l, err
	}
	const isKnown = "t.first_ticket > 0 and t.first_ticket <= $2"
	err = d.Pool.QueryRowContext(ctx, d.SQL(`
select count(case when t.ticket < $1 and shown.id is null then 1 end), count(case when `+isKnown+` then 1 end),
  count(case when `+isKnown+` and shown.id is not null then 1 end), count(case when shown.id is not null and not (`+isKnown+`) then 1 end)`+
		rowsAndPages(schema.TableOf(list.Kind))), since, known).Scan(&l.Unseen, &l.Known, &l.Listed, &l.Fresh)
	return l, err
}

// UnseenRows returns rows that no reading has shown after a ticket: at most some, those first whose
// latest read by id is the longest ago. So all get their turn, whatever the service answers.
func (d *Store) UnseenRows(ctx context.Context, list *plan.List, since int64, most int) ([]model.Ref, error) {
	return d.refs(ctx, "select t.type, t.id"+rowsAndPages(schema.TableOf(list.Kind))+isUnseen+`
order by coalesce(m.read_ticket, 0), t.id limit $2`, since, most)
}

// Controls returns rows that a list has shown after a ticket, and that were known before.
func (d *Store) Controls(ctx context.Context, list *plan.List, since int64, most int) ([]model.Ref, error) {
	known, err := d.CursorNumber(ctx, list.Name+cursorWorksSuffix)
	if err != nil {
		return nil, err
	}
	return d.refs(ctx, "select t.type, t.id"+rowsAndPages(schema.TableOf(list.Kind))+`
and shown.id is not null and t.first_ticket > 0 and t.first_ticket <= $2 order by t.digest limit $3`, since, known, most)
}

// refs reads types and ids.
func (d *Store) refs(ctx context.Context, statement string, args ...any) ([]model.Ref, error) {
	rows, err := d.Pool.QueryContext(ctx, d.SQL(statement), args...)
	if err != nil {
		return nil, err
	}
	return scanRefs(rows)
}

// ReadByID is how the service answered when a row was read by id.
type ReadByID struct {
	model.Ref
	Reading plan.Reading
	Answer  plan.ByID
}

// NoteRead records how the service answered for rows that a walk did not show. If proves is true, a
// 404 counts: the first makes a row missing, and one in a later walk deletes it.
func (t *Tx) NoteRead(ctx context.Context, walk int64, proves bool, all ...ReadByID) error {
	for _, read := range all {
		first := int64(0)
		if proves && read.Answer == plan.NotFound {
			var err error
			if first, err = t.absent(ctx, walk, read); err != nil {
				return err
			}
		}
		_, err := t.exec(ctx, `
insert into t49.missing as t (kind, id, ticket, read_ticket, answer, reason) values ($1, $2, $3, $4, $5, '')
on conflict (kind, id) do update set ticket = case when excluded.ticket > 0 then excluded.ticket else t.ticket end,
  read_ticket = excluded.read_ticket,
  answer = case when t.answer in ('failed', 'fails') and excluded.answer = 'failed' and t.read_ticket < $6 then 'fails' else excluded.answer end`, read.Type, read.ID, first, read.Reading.Ticket, string(read.Answer), walk)
		if err != nil {
			return err
		}
	}
	return nil
}

// absent makes a row missing, or deletes it, after a 404 that passed the control. It returns the
// ticket of the 404 if that is the first.
func (t *Tx) absent(ctx context.Context, walk int64, read ReadByID) (first int64, err error) {
	var shown int64
	var deleted bool
	has, err := t.one(ctx, `
select t.ticket, t.deleted_at is not null, coalesce(m.ticket, 0) from t49.`+schema.TableOf(read.Type).Name+` t
left join t49.missing m on m.kind = t.type and m.id = t.id where t.id = $1`, []any{read.ID}, &shown, &deleted, &first)
	if err != nil || !has {
		return 0, err
	}
	switch plan.Absent(shown, first, walk, deleted) {
	case plan.FirstAbsent:
		if is, err := t.makeMissing(ctx, read.Reading, read.Ref); !is || err != nil {
			return 0, err
		}
		return read.Reading.Ticket, nil
	case plan.SecondAbsent:
		return 0, t.Remove(ctx, read.Reading, read.Ref)
	}
	return 0, nil
}

// makeMissing makes a row missing, unless a later reading has shown it, and reports whether it is.
func (t *Tx) makeMissing(ctx context.Context, r plan.Reading, what model.Ref) (bool, error) {
	if t.latest(what, span{}, r).ticket >= r.Ticket {
		return false, nil
	}
	n, err := t.exec(ctx, "update t49."+schema.TableOf(what.Type).Name+` set missing_since = coalesce(missing_since, $1)
where id = $2 and ticket < $3 and deleted_at is null`, t.time(t.Now), what.ID, r.Ticket)
	return n > 0, err
}

// NoteFound records that rows no longer wait: the service has them, or they are deleted.
func (t *Tx) NoteFound(ctx context.Context, all ...model.Ref) error {
	for kind, ids := range idsByType(all) {
		_, err := t.exec(ctx, "delete from t49.missing where kind = $1 and id in (select value from jsonb_array_elements_text($2::jsonb))",
			kind, string(model.Encode(ids)))
		if err != nil {
			return err
		}
	}
	return nil
}

// SettleMissing ends what a walk does about the rows that it did not show. of is the reason for
// which all of them wait, if there is one. What readings up to the ticket works have shown is known
// from now on; 0 if the list did not work. It returns the rows that wait.
func (t *Tx) SettleMissing(ctx context.Context, list *plan.List, since, works int64, of plan.Reason) (plan.Waiting, error) {
	rows := rowsAndPages(schema.TableOf(list.Kind)) + isUnseen
	_, err := t.exec(ctx, "delete from t49.missing where kind = $2 and id not in (select t.id"+rows+")", since, list.Kind)
	if err == nil && of != plan.NoReason {
		_, err = t.exec(ctx, `
insert into t49.missing (kind, id, ticket, read_ticket, answer, reason) select t.type, t.id, 0, 0, '', ''`+rows+`
on conflict (kind, id) do nothing`, since)
	}
	if err == nil && works > 0 {
		err = t.Note(ctx, list.Name+cursorWorksSuffix, strconv.FormatInt(works, 10))
	}
	if err != nil {
		return plan.Waiting{}, err
	}
	if err := t.setReasons(ctx, list, of); err != nil {
		return plan.Waiting{}, err
	}
	return t.waiting(ctx, list)
}

// setReasons writes why rows wait.
func (t *Tx) setReasons(ctx context.Context, list *plan.List, of plan.Reason) error {
	reasons := map[plan.ByID]plan.Reason{}
	for _, a := range plan.ByIDs {
		reasons[a] = plan.ReasonFor(of, a)
	}
	_, err := t.exec(ctx, "update t49.missing set reason = (select value from jsonb_each_text($1::jsonb) r where r.key = answer) where kind = $2",
		string(model.Encode(reasons)), list.Kind)
	return err
}

// waiting returns the rows of a list that wait.
func (t *Tx) waiting(ctx context.Context, list *plan.List) (plan.Waiting, error) {
	w := plan.Waiting{List: list.Name}
	_, err := t.one(ctx, "select coalesce(max(reason), ''), count(*) from t49.missing where kind = $1 and reason <> ''",
		[]any{list.Kind}, (*string)(&w.Reason), &w.Rows)
	return w, err
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
	if err := w.tx.leaves(ctx, what); err != nil {
		return err
	}
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
