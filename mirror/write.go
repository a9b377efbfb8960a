package mirror

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"time"

	"github.com/go-freight/terminal49/sqlstore"
)

// reading is a response of the service, and when it was asked for. Tickets are numbers that the
// database gives in order. A response whose request was sent later has a later ticket; so of two
// readings that do not overlap, the one with the later ticket is newer.
type reading struct {
	ticket int64     // drawn before the request was sent; 0 for what a notification included
	until  int64     // the latest ticket that was drawn when the response had arrived
	sent   time.Time // when the request was sent
	source string    // "walk", "poll", "cursor" or "notification"
}

// overlaps reports whether r may be older than a reading with an earlier ticket, or newer than one
// with a later ticket, because one was sent before the response to the other had arrived.
func (r reading) overlaps(ticket, until int64) bool { return r.ticket <= until && ticket <= r.until }

// write stores what a reading says of resources, the differences in changes, and takes the marks
// away that it answers. It marks the resources that another reading which overlaps describes
// differently: which of the two is newer is unknown, so they are read again. Resources without a
// table are left out.
func (t *tx) write(ctx context.Context, r reading, list []*resource) error {
	for _, res := range list {
		if tableOf(res.Type) == nil {
			continue
		}
		if err := t.writeOne(ctx, r, tableOf(res.Type), res); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) writeOne(ctx context.Context, r reading, into *table, res *resource) error {
	var was struct {
		digest        string
		ticket, until int64
	}
	sum := sha256.Sum256(res.raw)
	digest := hex.EncodeToString(sum[:16])
	found, err := t.one(ctx, "select digest, ticket, until from t49."+into.name+" where id = $1", []any{res.ID}, &was.digest, &was.ticket, &was.until)
	if err != nil || found && r.ticket == 0 {
		return err // a notification's copy is of an unknown age
	}
	if found && was.digest != digest && r.overlaps(was.ticket, was.until) {
		if err := t.mark(ctx, res.ref, t.now); err != nil {
			return err
		}
	}
	if found && was.ticket >= r.ticket {
		return nil
	}
	_, err = t.exec(ctx, `
insert into t49.`+into.name+` (id, type, raw, digest, ticket, until, seen_at, changed_at)
values ($1, $2, $3::jsonb, $4, $5, $6, $7, $7)
on conflict (id) do update set type = excluded.type, raw = excluded.raw, digest = excluded.digest, ticket = excluded.ticket, until = excluded.until, seen_at = excluded.seen_at,
  missing_since = null, deleted_at = null
where t49.`+into.name+`.ticket < excluded.ticket`,
		res.ID, res.Type, string(res.raw), digest, r.ticket, r.until, t.time(t.now))
	if err != nil {
		return err
	}
	return t.unmark(ctx, r, res.ref)
}

// mark notes that a resource may have changed: it is read, not before a time, until a reading whose
// ticket is later than that of the mark has been written.
func (t *tx) mark(ctx context.Context, what ref, notBefore time.Time) error {
	ticket, err := t.ticket(ctx)
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `
insert into t49.dirty (kind, id, ticket, not_before, attempts) values ($1, $2, $3, $4, 0)
on conflict (kind, id) do update set ticket = excluded.ticket, not_before = excluded.not_before, attempts = 0`,
		what.Type, what.ID, ticket, t.time(notBefore))
	return err
}

// unmark takes the mark of a resource away if a reading answers it. A reading that was sent before
// the time of the mark may come from a replica that did not have the change yet.
func (t *tx) unmark(ctx context.Context, r reading, what ref) error {
	_, err := t.exec(ctx, "delete from t49.dirty where kind = $1 and id = $2 and ticket < $3 and not_before <= $4",
		what.Type, what.ID, r.ticket, t.time(r.sent))
	return err
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
