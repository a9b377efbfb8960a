package store

import (
	"context"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// AbsentWait is the time between two reads of a resource that neither the service nor a table has.
const AbsentWait = 24 * time.Hour

// Mark records that a resource may have changed. The resource is read from notBefore on, until a
// reading with a later ticket than the mark has been written.
func (t *Tx) Mark(ctx context.Context, what model.Ref, notBefore time.Time) error {
	return t.MarkAll(ctx, notBefore, what)
}

// MarkAll marks several resources. Repeated ones count once. A resource that is already marked
// stays due at the earlier time, so that repeated marking does not postpone the read.
func (t *Tx) MarkAll(ctx context.Context, notBefore time.Time, all ...model.Ref) error {
	if len(all) == 0 {
		return nil
	}
	ticket, err := t.Ticket(ctx)
	if err != nil {
		return err
	}
	var rows [][]any
	seen := map[model.Ref]bool{}
	for _, what := range all {
		if !seen[what] {
			rows = append(rows, []any{what.Type, what.ID, ticket, t.time(notBefore), t.time(notBefore), 0})
			seen[what] = true
		}
	}
	return t.insert(ctx, "dirty", []string{"kind", "id", "ticket", "due_at", "not_before", "attempts"}, rows, `
on conflict (kind, id) do update set ticket = excluded.ticket, attempts = 0,
  due_at = case when t.due_at < excluded.due_at then t.due_at else excluded.due_at end,
  not_before = case when t.not_before > excluded.not_before then t.not_before else excluded.not_before end`)
}

// unmark removes those of some marks that a reading answers. If the reading was sent before the
// NotBefore of a mark, it may come from a lagging replica: the mark stays, and is due at that time.
func (t *Tx) unmark(ctx context.Context, r plan.Reading, marks []plan.Mark) error {
	if r.Ticket == 0 {
		return nil
	}
	answers := map[plan.Answer][]model.Ref{}
	for _, m := range marks {
		answers[r.AnswerTo(m)] = append(answers[r.AnswerTo(m)], m.Ref)
	}
	for answer, statement := range map[plan.Answer]string{plan.Answered: "delete from t49.dirty", plan.Postponed: "update t49.dirty set due_at = not_before"} {
		for kind, ids := range idsByType(answers[answer]) {
			_, err := t.exec(ctx, statement+" where kind = $1 and id in (select value from jsonb_array_elements_text($2::jsonb))", kind, string(model.Encode(ids)))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func idsByType(all []model.Ref) map[string][]string {
	ids := map[string][]string{}
	for _, what := range all {
		ids[what.Type] = append(ids[what.Type], what.ID)
	}
	return ids
}

// ResetMarks makes the marks that are due after a time, or whose replica may lag until then, due at
// another time. They were made when the clock was ahead.
func (t *Tx) ResetMarks(ctx context.Context, after, due time.Time) error {
	_, err := t.exec(ctx, "update t49.dirty set due_at = $1, not_before = $1 where due_at > $2 or not_before > $2", t.time(due), t.time(after))
	return err
}

// DueMarks returns the marks that are due.
func (d *Store) DueMarks(ctx context.Context, limit int) (list []plan.Mark, err error) {
	rows, err := d.Pool.QueryContext(ctx, d.SQL(`
select kind, id, ticket, attempts from t49.dirty where due_at <= $1 order by due_at, kind, id limit $2`),
		d.Time(d.Now()), limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has its error
	for rows.Next() {
		var m plan.Mark
		if err := rows.Scan(&m.Type, &m.ID, &m.Ticket, &m.Attempts); err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, rows.Err()
}

// SettleAbsent records a second 404. A resource that has a row is then missing.
func (t *Tx) SettleAbsent(ctx context.Context, r plan.Reading, m plan.Mark) error {
	if _, err := t.makeMissing(ctx, r, m.Ref); err != nil {
		return err
	}
	return t.LeaveToWalks(ctx, m)
}

// LeaveToWalks ends the mark of a resource that has a row: walks find out whether it is gone. A
// resource without a row keeps its mark and is read once a day, so that resources that name it do
// not mark it again.
func (t *Tx) LeaveToWalks(ctx context.Context, m plan.Mark) error {
	has, err := t.one(ctx, "select 1 from t49."+schema.TableOf(m.Type).Name+" where id = $1", []any{m.ID}, new(int))
	if err != nil {
		return err
	}
	if !has {
		return t.PutOff(ctx, m, AbsentWait)
	}
	_, err = t.exec(ctx, "delete from t49.dirty where kind = $1 and id = $2 and ticket = $3", m.Type, m.ID, m.Ticket)
	return err
}

// PutOff moves a mark to a later time, unless the resource was marked again.
func (t *Tx) PutOff(ctx context.Context, m plan.Mark, wait time.Duration) error {
	_, err := t.exec(ctx, "update t49.dirty set due_at = $1, attempts = attempts + 1 where kind = $2 and id = $3 and ticket = $4",
		t.time(t.Now.Add(wait)), m.Type, m.ID, m.Ticket)
	return err
}

// PutBack restores a mark that a reading has removed. It is due now.
func (t *Tx) PutBack(ctx context.Context, m plan.Mark) error { return t.InsertMark(ctx, m, t.Now) }

// InsertMark inserts a mark that is due at a time, if the resource is not marked yet.
func (t *Tx) InsertMark(ctx context.Context, m plan.Mark, due time.Time) error {
	_, err := t.exec(ctx, `
insert into t49.dirty (kind, id, ticket, due_at, not_before, attempts) values ($1, $2, $3, $4, $5, $6)
on conflict (kind, id) do nothing`, m.Type, m.ID, m.Ticket, t.time(due), t.time(t.Now), m.Attempts)
	return err
}
