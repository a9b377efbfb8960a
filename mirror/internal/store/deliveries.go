package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

// Delivery is a change that a receiver has not accepted yet.
type Delivery struct {
	Change   change
	Attempts int       // failed ones that count
	Problem  string    // of the latest attempt
	ParkedAt time.Time // zero while it is sent again
}

var deliveryColumns = []string{"push", "seq", "position", "kind", "id", "attribute", "old", "new", "source", "at", "attempts", "problem", "parked_at"}

// insertDeliveries inserts deliveries, unless their resource was forgotten since they were read
// from the feed. In Postgres it waits for a transaction that may be forgetting one.
func (t *Tx) insertDeliveries(ctx context.Context, push string, list []Delivery) error {
	if len(list) == 0 {
		return nil
	}
	if t.db.Dialect == sqlstore.Postgres {
		if _, err := t.exec(ctx, "select 1 from t49.leases where name = $1 for share", writerLease); err != nil {
			return err
		}
	}
	rows := make([][]any, len(list))
	for i, v := range list {
		c := v.Change
		rows[i] = []any{push, c.Seq, c.Position, c.Kind, c.ID, c.Attribute, textual(c.Old), textual(c.New), c.Source, t.time(c.At),
			v.Attempts, textIfAny(v.Problem), t.time(v.ParkedAt)}
	}
	err := t.insert(ctx, "deliveries", deliveryColumns, rows, `
on conflict (push, seq) do update set position = excluded.position, kind = excluded.kind, id = excluded.id, attribute = excluded.attribute,
  old = excluded.old, new = excluded.new, source = excluded.source, at = excluded.at,
  attempts = excluded.attempts, problem = excluded.problem, parked_at = excluded.parked_at`)
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `
delete from t49.deliveries where push = $1 and source <> '`+sourceForget+`' and exists (select 1 from t49.forgotten f
  where f.id = deliveries.id and (f.kind = deliveries.kind or f.kind = 'container' and deliveries.kind = '`+model.KindNotice+`'))`, push)
	return err
}

// updateDeliveries records how deliveries went that are in the table. What was forgotten stays so.
func (t *Tx) updateDeliveries(ctx context.Context, push string, list []Delivery) error {
	for _, v := range list {
		_, err := t.exec(ctx, "update t49.deliveries set attempts = $1, problem = $2, parked_at = $3 where push = $4 and seq = $5",
			v.Attempts, textIfAny(v.Problem), t.time(v.ParkedAt), push, v.Change.Seq)
		if err != nil {
			return err
		}
	}
	return nil
}

// dropDeliveries deletes deliveries that were accepted.
func (t *Tx) dropDeliveries(ctx context.Context, push string, seqs []int64) error {
	if len(seqs) == 0 {
		return nil
	}
	_, err := t.exec(ctx, "delete from t49.deliveries where push = $1 and seq in (select cast(value as bigint) from jsonb_array_elements_text($2::jsonb))",
		push, string(model.Encode(seqs)))
	return err
}

// heads are the columns of a delivery without the values of the change, which may be large.
const heads = "seq, position, kind, id, attribute, source, at, attempts, coalesce(problem, ''), parked_at"

// PendingDeliveries returns what is pending for a push, without Old and New, in the order of seq.
func (d *Store) PendingDeliveries(ctx context.Context, push string) ([]Delivery, error) {
	return d.deliveries(ctx, push, "parked_at is null")
}

// ParkedDeliveries returns what is parked after a seq, without Old and New, in the order of seq.
func (d *Store) ParkedDeliveries(ctx context.Context, push string, after int64) ([]Delivery, error) {
	return d.deliveries(ctx, push, "parked_at is not null and seq > $2", after)
}

func (d *Store) deliveries(ctx context.Context, push, where string, args ...any) (list []Delivery, err error) {
	rows, err := d.Pool.QueryContext(ctx, d.SQL("select "+heads+" from t49.deliveries where push = $1 and "+where+" order by seq"), append([]any{push}, args...)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		var v Delivery
		if err := scanHead(rows, &v); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, rows.Err()
}

func scanHead(rows *sql.Rows, v *Delivery) error {
	c := &v.Change
	var at, parked schema.Instant
	err := rows.Scan(&c.Seq, &c.Position, &c.Kind, &c.ID, &c.Attribute, &c.Source, &at, &v.Attempts, &v.Problem, &parked)
	c.At, v.ParkedAt = at.Time, parked.Time
	return err
}

// DeliveryValues returns the values of the change of a delivery, and whether the delivery is still
// there: its resource may have been forgotten.
func (d *Store) DeliveryValues(ctx context.Context, push string, seq int64) (old, now json.RawMessage, has bool, err error) {
	has, err = found(d.Pool.QueryRowContext(ctx, d.SQL("select old, new from t49.deliveries where push = $1 and seq = $2"), push, seq).
		Scan((*[]byte)(&old), (*[]byte)(&now)))
	return old, now, has, err
}

// ReplayDeliveries makes parked deliveries pending again, those with some positions or all, and
// returns how many.
func (d *Store) ReplayDeliveries(ctx context.Context, push string, positions []string) (n int64, err error) {
	err = d.small(ctx, func(t *Tx) error {
		known, err := t.exec(ctx, "update t49.pushes set replays = replays + 1 where name = $1", push)
		if err := ifAny(known, err); err != nil {
			return err
		}
		which, args := "", []any{push}
		if len(positions) > 0 {
			which, args = " and position in (select value from jsonb_array_elements_text($2::jsonb))", append(args, string(model.Encode(positions)))
		}
		n, err = t.exec(ctx, "update t49.deliveries set parked_at = null, attempts = 0 where push = $1 and parked_at is not null"+which, args...)
		return err
	})
	return n, err
}

// forgetDeliveries deletes what is pending or parked about a resource.
func (t *Tx) forgetDeliveries(ctx context.Context, what model.Ref) error {
	_, err := t.exec(ctx, "delete from t49.deliveries where id = $1 and kind in ($2, $3)", what.ID, what.Type, noticesOf(what))
	return err
}
