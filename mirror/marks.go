package mirror

import (
	"context"
	"database/sql"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

// mark notes that a resource may have changed: it is read, not before a time, until a reading whose
// ticket is later than that of the mark has been written.
func (t *tx) mark(ctx context.Context, what model.Ref, notBefore time.Time) error {
	return t.markAll(ctx, notBefore, what)
}

// markAll marks several resources. Repeated ones count once. A resource that is marked already is
// still read when it was due, so that it is read however often it is marked.
func (t *tx) markAll(ctx context.Context, notBefore time.Time, all ...model.Ref) error {
	if len(all) == 0 {
		return nil
	}
	ticket, err := t.ticket(ctx)
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

// unmark removes the marks of resources that a reading answers. A reading that was sent before the
// time of a mark may come from a replica that lags: the resource is due again at that time.
func (t *tx) unmark(ctx context.Context, r plan.Reading, all ...model.Ref) error {
	if r.Ticket == 0 {
		return nil
	}
	for kind, ids := range idsByType(all) {
		answered, postponed, err := t.answers(ctx, r, kind, ids)
		if err != nil {
			return err
		}
		const these = " where kind = $1 and id in (select value from jsonb_array_elements_text($2::jsonb))"
		for statement, ids := range map[string][]string{"delete from t49.dirty": answered, "update t49.dirty set due_at = not_before": postponed} {
			if len(ids) == 0 {
				continue
			}
			if _, err := t.exec(ctx, statement+these, kind, string(model.Encode(ids))); err != nil {
				return err
			}
		}
	}
	return nil
}

// answers returns the ids whose marks a reading answers, and those whose marks it postpones.
func (t *tx) answers(ctx context.Context, r plan.Reading, kind string, ids []string) (answered, postponed []string, err error) {
	rows, err := t.query(ctx, "select id, ticket, not_before from t49.dirty where kind = $1 and id in (select value from jsonb_array_elements_text($2::jsonb))",
		kind, string(model.Encode(ids)))
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		var m plan.Mark
		var notBefore schema.Instant
		if err := rows.Scan(&m.ID, &m.Ticket, &notBefore); err != nil {
			return nil, nil, err
		}
		m.NotBefore = notBefore.Time
		switch r.AnswerTo(m) {
		case plan.Answered:
			answered = append(answered, m.ID)
		case plan.Postponed:
			postponed = append(postponed, m.ID)
		}
	}
	return answered, postponed, rows.Err()
}

func idsByType(all []model.Ref) map[string][]string {
	ids := map[string][]string{}
	for _, what := range all {
		ids[what.Type] = append(ids[what.Type], what.ID)
	}
	return ids
}

// ticket draws a ticket in a transaction.
func (t *tx) ticket(ctx context.Context) (n int64, err error) { return t.draw(ctx, t.Tx) }

// rower is a *sql.DB or a *sql.Tx.
type rower interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// draw draws the next ticket.
func (d *database) draw(ctx context.Context, from rower) (n int64, err error) {
	statement := "update t49.tickets set n = n + 1 returning n"
	if d.dialect == sqlstore.Postgres {
		statement = "select nextval('t49.ticket')"
	}
	err = from.QueryRowContext(ctx, d.sql(statement)).Scan(&n)
	return n, err
}

// drawn returns the latest ticket.
func (d *database) drawn(ctx context.Context, from rower) (n int64, err error) {
	statement := "select n from t49.tickets"
	if d.dialect == sqlstore.Postgres {
		statement = "select last_value from t49.ticket"
	}
	err = from.QueryRowContext(ctx, d.sql(statement)).Scan(&n)
	return n, err
}
