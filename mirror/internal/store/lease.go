package store

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

const (
	// LeaseTime is how long another process waits after the lease was last renewed, unless it sees
	// that the holder has ended.
	LeaseTime = 12 * time.Second
	// RenewEvery is the time between two renewals. Each transaction renews the lease, too.
	RenewEvery = 4 * time.Second
	// CompeteEvery is the time between two attempts to take the lease of another process.
	CompeteEvery = 2 * time.Second
)

// ErrLeaseLost ends a turn: another process writes now.
var ErrLeaseLost = errors.New("mirror: another process has taken over")

// Lease is the right to write tables, which one process has at a time. Its epoch grows with each
// holder: a process that was suspended for longer than LeaseTime cannot write when it wakes up.
//
// A sender of the feed has a lease of its own, which grants only the right to send.
type Lease struct {
	name   string // writerLease, or that of a push
	holder string
	Epoch  int64
	life   int // restores that this process had noted when it took the lease

	// seen is the lease of another process as read at a time on this process's clock. This process
	// takes the lease if it is unchanged after LeaseTime, so the clocks of processes need not
	// agree.
	seen   held
	seenAt time.Time
}

// held is a lease as stored in the database.
type held struct {
	holder string // "" if it was released
	epoch  int64
	until  time.Time
	writes int64 // transactions of all holders so far
}

// writerLease is the name of the lease to write tables.
const writerLease = "applier"

func NewLease() *Lease { return &Lease{name: writerLease, holder: newHolder()} }

// NewPushLease returns the lease to send for a push.
func NewPushLease(push string) *Lease { return &Lease{name: pushLease + push, holder: newHolder()} }

// writes reports whether it is the lease to write tables.
func (l *Lease) writes() bool { return l.name == writerLease }

// TakeLease tries to take the lease, or renews it, and reports whether this process has it. It
// takes the lease of another process if that process has ended on this machine, or has not renewed
// it for LeaseTime. The error is ErrRestored once after the database was restored.
func (d *Store) TakeLease(ctx context.Context, l *Lease, now time.Time) (bool, error) {
	if err := d.InPlace(); err != nil {
		return false, err
	}
	h, restored, err := d.current(ctx, l)
	switch {
	case err != nil:
		return false, d.noteFailure(err)
	case restored:
		return false, ErrRestored
	}
	switch {
	case h.holder == l.holder || h.holder == "" || hasEnded(h.holder):
	case h != l.seen:
		l.seen, l.seenAt = h, now
		return false, nil
	case now.Sub(l.seenAt) < LeaseTime:
		return false, nil
	}
	return d.replace(ctx, l, h)
}

// current reads the lease and, if it shows that the database was restored, notes that.
func (d *Store) current(ctx context.Context, l *Lease) (h held, restored bool, err error) {
	if h, err = d.held(ctx, l.name); err != nil || !l.writes() {
		return h, false, err
	}
	d.life.see(h.writes)
	h.writes = 0 // the rest shows whether the holder lives
	restored, err = d.noteRestored(ctx, d.Now())
	return h, restored, err
}

// held reads the lease. If there is none, it creates a free one.
func (d *Store) held(ctx context.Context, name string) (h held, err error) {
	const read = "select holder, epoch, expires_at, writes from t49.leases where name = $1"
	var until schema.Instant
	has, err := found(d.Pool.QueryRowContext(ctx, d.SQL(read), name).Scan(&h.holder, &h.epoch, &until, &h.writes))
	if err == nil && !has {
		_, err = d.Pool.ExecContext(ctx, d.SQL(`
insert into t49.leases (name, holder, epoch, expires_at, writes) values ($1, '', 0, $2, 0) on conflict (name) do nothing`), name, d.Time(d.Now()))
		if err == nil {
			err = d.Pool.QueryRowContext(ctx, d.SQL(read), name).Scan(&h.holder, &h.epoch, &until, &h.writes)
		}
	}
	h.until = until.Time
	return h, err
}

// replace takes the lease if it has not been renewed or taken since it was read. In Postgres, the
// statement waits for a transaction of the holder, and then compares with what that has committed.
func (d *Store) replace(ctx context.Context, l *Lease, h held) (bool, error) {
	return d.take(ctx, l, h, " and expires_at = $6", d.Time(h.until))
}

// take takes the lease if its holder and epoch are as they were read, and a condition holds.
func (d *Store) take(ctx context.Context, l *Lease, h held, condition string, args ...any) (bool, error) {
	epoch := h.epoch
	if h.holder != l.holder {
		epoch++
	}
	has, err := found(d.Pool.QueryRowContext(ctx, d.SQL("update t49.leases set holder = $1, epoch = $2, expires_at = "+d.expiry()+
		" where name = $3 and holder = $4 and epoch = $5"+condition+" returning epoch"),
		append([]any{l.holder, epoch, l.name, h.holder, h.epoch}, args...)...).Scan(&epoch))
	if has && h.holder != l.holder && l.writes() {
		d.beginTurn()
	}
	if has {
		l.Epoch = epoch
		l.life, _ = d.life.restores()
	}
	return has, d.noteFailure(err)
}

// expiry returns the time at which a lease that is renewed now expires, as an expression: on
// Postgres by the clock of the database, because those of several machines may differ. No process
// waits for that time; readers of the status see from it when the lease was renewed.
func (d *Store) expiry() string {
	if d.Dialect == sqlstore.Postgres {
		return "clock_timestamp() + interval '" + strconv.Itoa(int(LeaseTime/time.Second)) + " seconds'"
	}
	return "'" + d.Now().Add(LeaseTime).UTC().Format(schema.SQLiteTime) + "'"
}

// SeizeLease takes the lease from its holder, even if that renews it meanwhile. It returns false if
// another process took it first.
func (d *Store) SeizeLease(ctx context.Context, l *Lease) (bool, error) {
	d.writing.Lock()
	defer d.writing.Unlock()
	if err := d.InPlace(); err != nil {
		return false, err
	}
	h, _, err := d.current(ctx, l)
	if err != nil {
		return false, err
	}
	return d.take(ctx, l, h, "")
}

// RenewLease takes or renews the lease, between two transactions of this process.
func (d *Store) RenewLease(ctx context.Context, l *Lease) (bool, error) {
	d.writing.Lock()
	defer d.writing.Unlock()
	return d.TakeLease(ctx, l, time.Now())
}

// ReleaseLease lets another process take the lease at once.
func (d *Store) ReleaseLease(ctx context.Context, l *Lease) error {
	_, err := d.Pool.ExecContext(ctx, d.SQL(
		"update t49.leases set holder = '' where name = $1 and holder = $2 and epoch = $3"), l.name, l.holder, l.Epoch)
	return err
}

// Apply runs f in a transaction of the process that has the lease, and commits it.
func (d *Store) Apply(ctx context.Context, l *Lease, name string, f func(*Tx) error) error {
	d.writing.Lock()
	defer d.writing.Unlock()
	if err := d.InPlace(); err != nil {
		return err
	}
	return d.noteFailure(d.apply(ctx, l, name, f))
}

func (d *Store) apply(ctx context.Context, l *Lease, name string, f func(*Tx) error) error {
	d.Reach(name + ": before begin")
	begun, err := d.Pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer begun.Rollback() //nolint:errcheck // after a commit it does nothing
	t := &Tx{tx: begun, db: d, Now: d.Now()}
	if err := t.fence(ctx, l); err != nil {
		return err
	}
	if err := f(t); err != nil {
		return err
	}
	if err := t.enqueue(ctx); err != nil {
		return err
	}
	d.Reach(name + ": before commit")
	if err = begun.Commit(); err == nil {
		d.confirmed.add(t.Now, t.confirmed)
		d.life.see(t.writes)
		d.life.commit(t.drawn)
		t.wakeAssessor()
	}
	d.Reach(name + ": after commit")
	return err
}

// fence locks the lease until the transaction ends, renews it, and counts the transaction. A
// transaction may take longer than LeaseTime, and this process renews the lease only between two of
// them. If the count or the latest ticket is smaller than this process knows, the database was
// restored. In SQLite, fence also makes the transaction the writer, before it reads. In Postgres it
// lets the server end the transaction of a process that was suspended within it, so that another
// one can take over.
func (t *Tx) fence(ctx context.Context, l *Lease) error {
	if noted, lost := t.db.life.restores(); lost || noted != l.life {
		return ErrRestored
	}
	timeout, latest := "''", "(select n from t49.tickets)"
	if t.db.Dialect == sqlstore.Postgres {
		timeout, latest = "set_config('idle_in_transaction_session_timeout', '"+idleTimeout+"', true)", "(select last_value from t49.ticket)"
	}
	drawn := t.db.life.drawn()
	var drawnThere int64
	has, err := t.one(ctx, "update t49.leases set writes = writes + 1, expires_at = "+t.db.expiry()+
		" where name = 'applier' and epoch = $1 and holder = $2 returning writes, "+latest+", "+timeout+", exists (select 1 from t49.forgotten)",
		[]any{l.Epoch, l.holder}, &t.writes, &drawnThere, new(string), &t.forgets)
	switch {
	case err != nil:
		return err
	case !has:
		return ErrLeaseLost
	}
	return t.db.life.require(t.writes > t.db.life.committed() && drawnThere >= drawn)
}

// idleTimeout is how long a transaction may wait for its process; it is shorter than LeaseTime.
const idleTimeout = "10s"
