package mirror

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/points"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

const (
	// leaseTime is how long another process waits after the lease was last renewed.
	leaseTime  = 30 * time.Second
	renewEvery = leaseTime / 6
)

// errLeaseLost means that another process writes now.
var errLeaseLost = errors.New("mirror: another process has taken over")

// lease is the right to write tables, which one process has at a time. Its epoch grows with each
// holder: a process that was suspended for longer than leaseTime cannot write when it wakes up.
type lease struct {
	holder string
	epoch  int64

	// seen is the lease of another process as it was at a time on this process's clock. It is taken if
	// it is still the same after leaseTime, so that clocks of processes need not agree.
	seen   held
	seenAt time.Time
}

// held is what the database says of the lease.
type held struct {
	holder string // "" if it was given back
	epoch  int64
	until  time.Time
}

func newLease() *lease { return &lease{holder: rand.Text()} }

// take tries to take the lease, or renews it, and reports whether this process has it.
func (d *database) take(ctx context.Context, l *lease, now time.Time) (bool, error) {
	h, err := d.held(ctx, now)
	if err != nil {
		return false, err
	}
	switch {
	case h.holder == l.holder || h.holder == "":
	case h != l.seen:
		l.seen, l.seenAt = h, now
		return false, nil
	case now.Sub(l.seenAt) < leaseTime:
		return false, nil
	}
	return d.replace(ctx, l, h, now)
}

// held reads the lease, which is free at first.
func (d *database) held(ctx context.Context, now time.Time) (h held, err error) {
	const read = "select holder, epoch, expires_at from t49.leases where name = 'applier'"
	var until schema.Instant
	has, err := found(d.pool.QueryRowContext(ctx, d.sql(read)).Scan(&h.holder, &h.epoch, &until))
	if err == nil && !has {
		_, err = d.pool.ExecContext(ctx, d.sql(`
insert into t49.leases (name, holder, epoch, expires_at) values ('applier', '', 0, $1) on conflict (name) do nothing`), d.time(now))
		if err == nil {
			err = d.pool.QueryRowContext(ctx, d.sql(read)).Scan(&h.holder, &h.epoch, &until)
		}
	}
	h.until = until.Time
	return h, err
}

// replace takes the lease if it is still as it was read.
func (d *database) replace(ctx context.Context, l *lease, h held, now time.Time) (bool, error) {
	epoch := h.epoch
	if h.holder != l.holder {
		epoch++
	}
	has, err := found(d.pool.QueryRowContext(ctx, d.sql(`
update t49.leases set holder = $1, epoch = $2, expires_at = $3
where name = 'applier' and holder = $4 and epoch = $5 and expires_at = $6
returning epoch`), l.holder, epoch, d.time(now.Add(leaseTime)), h.holder, h.epoch, d.time(h.until)).Scan(&epoch))
	if has {
		l.epoch = epoch
	}
	return has, err
}

// giveBack lets another process take the lease at once.
func (d *database) giveBack(ctx context.Context, l *lease) error {
	_, err := d.pool.ExecContext(ctx, d.sql(
		"update t49.leases set holder = '' where name = 'applier' and holder = $1 and epoch = $2"), l.holder, l.epoch)
	return err
}

// apply runs f in a transaction of the process that has the lease, and commits it.
func (m *Mirror) apply(ctx context.Context, l *lease, name string, f func(*tx) error) error {
	m.writing.Lock()
	defer m.writing.Unlock()
	points.Hit(name + ": before begin")
	begun, err := m.db.pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer begun.Rollback() //nolint:errcheck // after a commit it does nothing
	t := &tx{begun, &m.db, time.Now()}
	if err := t.fence(ctx, l); err != nil {
		return err
	}
	if err := f(t); err != nil {
		return err
	}
	points.Hit(name + ": before commit")
	err = begun.Commit()
	points.Hit(name + ": after commit")
	return err
}

// fence locks the lease until the transaction ends. In SQLite it also makes the transaction the
// writer, before it reads. In Postgres it lets the server end the transaction of a process that was
// suspended within it, so that another one can take over.
func (t *tx) fence(ctx context.Context, l *lease) error {
	statement := "update t49.leases set epoch = epoch where name = 'applier' and epoch = $1 and holder = $2 returning epoch, ''"
	if t.dialect == sqlstore.Postgres {
		statement = "select epoch, set_config('idle_in_transaction_session_timeout', '30s', true) from t49.leases where name = 'applier' and epoch = $1 and holder = $2 for update"
	}
	var epoch int64
	var timeout string
	has, err := t.one(ctx, statement, []any{l.epoch, l.holder}, &epoch, &timeout)
	if err == nil && !has {
		return errLeaseLost
	}
	return err
}

// cursor is a text that the mirror keeps under a name; "" if there is none.
func (d *database) cursor(ctx context.Context, from rower, name string) (value string, err error) {
	err = from.QueryRowContext(ctx, d.sql("select value from t49.cursors where name = $1"), name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}
