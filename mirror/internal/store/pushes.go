package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

// pushLease is the beginning of the name of a push's lease.
const pushLease = "push "

var (
	// ErrPushMoved means that the row of a push is not as its sender last wrote it: its position was
	// set, or the database was restored. The sender reads it again.
	ErrPushMoved = errors.New("mirror: the position of the push was set, or the database was restored")

	// ErrNoPush means that there is no push with a name.
	ErrNoPush = errors.New("mirror: there is no push with this name")
)

// Push is how far the sending of the feed to one receiver is.
type Push struct {
	Name, Receiver, Filter, Position string
	Version, Replays, Sent           int64
	SentAt                           time.Time
	Problem                          string
	ProblemAt, AwaySince             time.Time
	Stopped                          string

	Pending, Parked int64
	Behind          int64     // changes after the position
	Oldest          time.Time // when the oldest change was found that is neither accepted nor parked; zero if there is none
	Renewed         time.Time // when a sender last renewed its lease; zero if never
	Held            bool      // a sender has the lease
}

const pushColumns = "name, receiver, filter, position, version, replays, sent, sent_at, coalesce(problem, ''), problem_at, away_since, coalesce(stopped, '')"

func scanPush(from interface{ Scan(...any) error }) (p Push, err error) {
	var sent, problem, away schema.Instant
	err = from.Scan(&p.Name, &p.Receiver, &p.Filter, &p.Position, &p.Version, &p.Replays, &p.Sent, &sent, &p.Problem, &problem, &away, &p.Stopped)
	p.SentAt, p.ProblemAt, p.AwaySince = sent.Time, problem.Time, away.Time
	return p, err
}

// Push reads the row of a push, without what other tables have.
func (d *Store) Push(ctx context.Context, name string) (p Push, found bool, err error) {
	p, err = scanPush(d.Pool.QueryRowContext(ctx, d.SQL("select "+pushColumns+" from t49.pushes where name = $1"), name))
	if errors.Is(err, sql.ErrNoRows) {
		return p, false, nil
	}
	return p, err == nil, err
}

// StartPush reads the row of a push, or inserts it with a position, and records its receiver and
// filter.
func (d *Store) StartPush(ctx context.Context, l *Lease, p Push) (now Push, err error) {
	err = d.asSender(ctx, l, func(t *Tx) error {
		_, err := t.exec(ctx, `
insert into t49.pushes (name, receiver, filter, position, version, replays, sent) values ($1, $2, $3, $4, 0, 0, 0)
on conflict (name) do update set receiver = excluded.receiver, filter = excluded.filter, version = t49.pushes.version + 1, stopped = null`,
			p.Name, p.Receiver, p.Filter, p.Position)
		if err != nil {
			return err
		}
		now, err = scanPush(t.tx.QueryRowContext(ctx, d.SQL("select "+pushColumns+" from t49.pushes where name = $1"), p.Name))
		return err
	})
	return now, err
}

// StopPush records why a sender ended by itself.
func (d *Store) StopPush(ctx context.Context, l *Lease, name, reason string) error {
	return d.asSender(ctx, l, func(t *Tx) error {
		_, err := t.exec(ctx, "update t49.pushes set stopped = $1 where name = $2", reason, name)
		return err
	})
}

// PushSave is what a sender writes in one transaction.
type PushSave struct {
	Name, Position string
	Version        int64 // that the row must have
	Sent           int64 // how many more were accepted
	SentAt         time.Time
	Problem        string // "" to leave the last one
	ProblemAt      time.Time
	AwaySince      time.Time
	Insert, Update []Delivery // pending and parked
	Accepted       []int64    // seqs of deliveries to delete
}

// SavePush writes how far a sender is. The version of the row grows by one.
func (d *Store) SavePush(ctx context.Context, l *Lease, s PushSave) error {
	return d.asSender(ctx, l, func(t *Tx) error {
		n, err := t.exec(ctx, `
update t49.pushes set position = $1, version = version + 1, sent = sent + $2, sent_at = coalesce($3, sent_at),
  problem = coalesce($4, problem), problem_at = coalesce($5, problem_at), away_since = $6 where name = $7 and version = $8`,
			s.Position, s.Sent, t.time(s.SentAt), textIfAny(s.Problem), t.time(s.ProblemAt), t.time(s.AwaySince), s.Name, s.Version)
		switch {
		case err != nil:
			return err
		case n == 0:
			return ErrPushMoved
		}
		if err := t.insertDeliveries(ctx, s.Name, s.Insert); err != nil {
			return err
		}
		if err := t.updateDeliveries(ctx, s.Name, s.Update); err != nil {
			return err
		}
		return t.dropDeliveries(ctx, s.Name, s.Accepted)
	})
}

func textIfAny(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// asSender runs f in a transaction of the process that has the lease of a push, and renews it.
func (d *Store) asSender(ctx context.Context, l *Lease, f func(*Tx) error) error {
	return d.small(ctx, func(t *Tx) error {
		n, err := t.exec(ctx, "update t49.leases set expires_at = "+d.expiry()+" where name = $1 and holder = $2 and epoch = $3", l.name, l.holder, l.Epoch)
		if err == nil && n == 0 {
			err = ErrLeaseLost
		}
		if err != nil {
			return err
		}
		return f(t)
	})
}

// small runs f in a transaction that writes nothing but the tables of pushes.
func (d *Store) small(ctx context.Context, f func(*Tx) error) error {
	d.writing.Lock()
	defer d.writing.Unlock()
	if err := d.InPlace(); err != nil {
		return err
	}
	begun, err := d.Pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer begun.Rollback() //nolint:errcheck // after a commit it does nothing
	if err := f(&Tx{tx: begun, db: d, Now: d.Now()}); err != nil {
		return err
	}
	return begun.Commit()
}

// SetPushPosition moves a push to another position. What is pending and parked stays.
func (d *Store) SetPushPosition(ctx context.Context, name, position string) error {
	return d.small(ctx, func(t *Tx) error {
		n, err := t.exec(ctx, "update t49.pushes set position = $1, version = version + 1, stopped = null where name = $2", position, name)
		return ifAny(n, err)
	})
}

// RemovePush deletes a push with what is pending and parked.
func (d *Store) RemovePush(ctx context.Context, name string) error {
	return d.small(ctx, func(t *Tx) error {
		n, err := t.exec(ctx, "delete from t49.pushes where name = $1", name)
		if err := ifAny(n, err); err != nil {
			return err
		}
		_, err = t.exec(ctx, "delete from t49.deliveries where push = $1", name)
		if err == nil {
			_, err = t.exec(ctx, "delete from t49.leases where name = $1", pushLease+name)
		}
		return err
	})
}

func ifAny(n int64, err error) error {
	if err == nil && n == 0 {
		return ErrNoPush
	}
	return err
}

// passedByPushes returns the seq that all pushes have passed, at most a seq.
func (t *Tx) passedByPushes(ctx context.Context, most int64) (int64, error) {
	rows, err := t.query(ctx, "select position from t49.pushes")
	if err != nil {
		return 0, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has its error
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return 0, err
		}
		at, _ := model.ParsePosition(text)
		most = min(most, at.Seq)
	}
	return most, rows.Err()
}

// Pushes reads all pushes, by name.
func (d *Store) Pushes(ctx context.Context) (list []Push, err error) {
	r := statusReader{db: d, ctx: ctx}
	list = r.pushes()
	return list, r.failed()
}

// pushes reads all pushes, by name, and what is pending, parked and behind of each.
func (r *statusReader) pushes() (list []Push) {
	if r.err != nil {
		return nil
	}
	rows, err := r.db.Pool.QueryContext(r.ctx, r.db.SQL("select "+pushColumns+" from t49.pushes order by name"))
	if err != nil {
		r.err = err
		return nil
	}
	defer rows.Close() //nolint:errcheck // rows.Err has its error
	for rows.Next() {
		p, err := scanPush(rows)
		if err != nil {
			r.err = err
			return nil
		}
		list = append(list, p)
	}
	if r.err = rows.Err(); r.err != nil {
		return nil
	}
	rows.Close() //nolint:errcheck // a pool may have one connection
	for i := range list {
		r.completePush(&list[i])
	}
	return list
}

func (r *statusReader) completePush(p *Push) {
	at, _ := model.ParsePosition(p.Position)
	var pending, next, until schema.Instant
	var holder string
	r.oneOf("select count(case when parked_at is null then 1 end), count(parked_at), min(case when parked_at is null then at end) from t49.deliveries where push = $1",
		[]any{p.Name}, &p.Pending, &p.Parked, &pending)
	r.oneOf("select at from t49.changes where seq > $1 and kind <> '' order by seq limit 1", []any{at.Seq}, &next)
	r.oneOf("select coalesce(max(seq), 0) - $1 from t49.changes", []any{at.Seq}, &p.Behind)
	r.oneOf("select expires_at, holder from t49.leases where name = $1 and epoch > 0", []any{pushLease + p.Name}, &until, &holder)
	p.Behind = max(p.Behind, 0)
	p.Oldest = earlier(pending.Time, next.Time)
	p.Held = holder != ""
	if !until.IsZero() {
		p.Renewed = r.here(until.Add(-LeaseTime))
	}
}

// earlier returns the earlier of two times; one that is zero does not count.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// here returns a time of the database's clock on this process's clock.
func (r *statusReader) here(at time.Time) time.Time {
	now := r.db.Now()
	there := schema.Instant{Time: now}
	if r.db.Dialect == sqlstore.Postgres {
		r.one("select clock_timestamp()", &there)
	}
	return now.Add(-there.Sub(at))
}

// Account returns the id of the account that is mirrored; "" if it is not known yet.
func (d *Store) Account(ctx context.Context) (account string, err error) {
	_, err = found(d.Pool.QueryRowContext(ctx, d.SQL("select account from t49.identity")).Scan(&account))
	return account, err
}
