package mirror

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/points"
	"github.com/go-freight/terminal49/sqlstore"
)

// leaseTime is how long a process may write after it last renewed its lease.
const leaseTime = 30 * time.Second

// errLeaseLost means that another process writes now.
var errLeaseLost = errors.New("mirror: another process has taken over")

// lease is the right to write tables, which one process has at a time. Its epoch grows with each
// holder: a process that was suspended for longer than leaseTime cannot write when it wakes up.
type lease struct {
	holder string
	epoch  int64
}

func newLease() *lease { return &lease{holder: rand.Text()} }

// take tries to take the lease, or renews it, and reports whether this process has it.
func (d *database) take(ctx context.Context, l *lease, now time.Time) (bool, error) {
	err := d.pool.QueryRowContext(ctx, d.sql(`
insert into t49.leases as l (name, holder, epoch, expires_at) values ('applier', $1, 1, $2)
on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at,
  epoch = case when l.holder = excluded.holder then l.epoch else l.epoch + 1 end
where l.holder = excluded.holder or l.expires_at < $3
returning epoch`), l.holder, d.time(now.Add(leaseTime)), d.time(now)).Scan(&l.epoch)
	return found(err)
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
// writer, before it reads.
func (t *tx) fence(ctx context.Context, l *lease) error {
	statement := "update t49.leases set epoch = epoch where name = 'applier' and epoch = $1 and holder = $2 returning epoch"
	if t.dialect == sqlstore.Postgres {
		statement = "select epoch from t49.leases where name = 'applier' and epoch = $1 and holder = $2 for update"
	}
	var epoch int64
	has, err := t.one(ctx, statement, []any{l.epoch, l.holder}, &epoch)
	if err == nil && !has {
		return errLeaseLost
	}
	return err
}
