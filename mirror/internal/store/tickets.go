package store

import (
	"context"
	"database/sql"

	"github.com/go-freight/terminal49/sqlstore"
)

// Ticket draws a ticket in a transaction. In SQLite it is drawn again if the transaction is rolled
// back.
func (t *Tx) Ticket(ctx context.Context) (n int64, err error) {
	t.drawn, err = t.db.drawFrom(ctx, t.tx)
	return t.drawn, err
}

// rower is a *sql.DB or a *sql.Tx.
type rower interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Draw draws a ticket and commits it. In SQLite that is a transaction.
func (d *Store) Draw(ctx context.Context) (int64, error) {
	if d.Dialect == sqlstore.SQLite {
		d.writing.Lock()
		defer d.writing.Unlock()
	}
	d.Reach("send: before ticket")
	n, err := d.drawFrom(ctx, d.Pool)
	if err == nil {
		d.life.commit(n)
	}
	return n, err
}

// drawFrom draws the next ticket. The error is ErrRestored if it was drawn before.
func (d *Store) drawFrom(ctx context.Context, from rower) (n int64, err error) {
	statement := "update t49.tickets set n = n + 1 returning n"
	if d.Dialect == sqlstore.Postgres {
		statement = "select nextval('t49.ticket')"
	}
	before := d.life.drawn()
	if err = from.QueryRowContext(ctx, d.SQL(statement)).Scan(&n); err != nil {
		return 0, err
	}
	return n, d.life.require(n > before)
}

// Drawn returns the latest ticket.
func (d *Store) Drawn(ctx context.Context) (int64, error) { return d.drawnFrom(ctx, d.Pool) }

func (d *Store) drawnFrom(ctx context.Context, from rower) (n int64, err error) {
	statement := "select n from t49.tickets"
	if d.Dialect == sqlstore.Postgres {
		statement = "select last_value from t49.ticket"
	}
	before := d.life.drawn()
	if err = from.QueryRowContext(ctx, d.SQL(statement)).Scan(&n); err != nil {
		return 0, err
	}
	return n, d.life.require(n >= before)
}
