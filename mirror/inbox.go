package mirror

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/points"
	"github.com/go-freight/terminal49/sqlstore"
)

// The states of a notification in the inbox.
const (
	stateNew         = "new"
	stateUnresolved  = "unresolved"  // applied; what it is about has to be read
	stateDone        = "done"        // applied
	stateQuarantined = "quarantined" // failed maxAttempts times
	stateDead        = "dead"        // signed by the service, but not a notification
)

// arrival is a notification on its way into the inbox.
type arrival struct {
	id, event string
	created   time.Time // zero if the service did not say
	source    string    // webhook or audit
	state     string
	problem   string
	body      []byte // nil if it may not be stored
}

// arrive inserts notifications that the inbox does not have yet, at most commitRows of them, and
// returns how many these were. It needs no lease: rows of several processes commute.
func (d *database) arrive(ctx context.Context, now time.Time, list []arrival) (int64, error) {
	if d.dialect == sqlstore.Postgres {
		return d.arriveAtOnce(ctx, d.pool, now, list)
	}
	begun, err := d.pool.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer begun.Rollback() //nolint:errcheck // after a commit it does nothing
	stored, err := d.arriveEach(ctx, begun, now, list)
	if err != nil {
		return 0, err
	}
	return stored, begun.Commit()
}

// arrive is database.arrive as a part of t.
func (t *tx) arrive(ctx context.Context, list []arrival) (int64, error) {
	if t.dialect == sqlstore.Postgres && len(list) > 0 {
		return t.arriveAtOnce(ctx, t.Tx, t.now, list)
	}
	return t.arriveEach(ctx, t.Tx, t.now, list)
}

// execer is a *sql.DB or a *sql.Tx.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// arriveAtOnce inserts in one statement, which needs no transaction around it. The number of its
// rows is a power of two, so that a driver keeps few statements prepared: the last row is repeated,
// which inserts nothing.
func (d *database) arriveAtOnce(ctx context.Context, in execer, now time.Time, list []arrival) (int64, error) {
	rows := 1
	for rows < len(list) {
		rows *= 2
	}
	args := make([]any, 0, rows*8)
	for i := range rows {
		a := list[min(i, len(list)-1)]
		if i >= len(list) {
			a.body = nil
		}
		args = append(args, d.arrived(a, now)...)
	}
	done, err := in.ExecContext(ctx, d.arriving(rows), args...)
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

// arriveEach inserts row by row, which is faster in a database that runs in this process.
func (d *database) arriveEach(ctx context.Context, in *sql.Tx, now time.Time, list []arrival) (stored int64, err error) {
	prepared, err := in.PrepareContext(ctx, d.arriving(1))
	if err != nil {
		return 0, err
	}
	defer prepared.Close() //nolint:errcheck // it has been used
	for _, a := range list {
		done, err := prepared.Exec(d.arrived(a, now)...) // without the context, for which each would start a goroutine
		if err != nil {
			return 0, err
		}
		n, err := done.RowsAffected()
		if err != nil {
			return 0, err
		}
		stored += n
	}
	return stored, ctx.Err()
}

// arriving returns a statement for some rows, whose arguments are those of arrived.
func (d *database) arriving(rows int) string {
	var b strings.Builder
	b.WriteString("insert into t49.inbox (id, event, created_at, received_at, source, state, error, body) values ")
	for i := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "($%d,$%d,$%d,$%d,$%d,$%d,$%d,$%d)", 8*i+1, 8*i+2, 8*i+3, 8*i+4, 8*i+5, 8*i+6, 8*i+7, 8*i+8)
	}
	b.WriteString(" on conflict (id) do nothing")
	return d.sql(b.String())
}

func (d *database) arrived(a arrival, now time.Time) []any {
	return []any{a.id, a.event, d.time(a.created), d.time(now), a.source, a.state, null(a.problem), a.body}
}

// bodyAge is how long the body of a notification is kept after it was applied.
const bodyAge = 30 * 24 * time.Hour

// dropBodies deletes the bodies of notifications that were applied long ago. The ids stay, so that
// an audit knows them.
func (t *tx) dropBodies(ctx context.Context) error {
	_, err := t.exec(ctx, "update t49.inbox set body = null where state = 'done' and body is not null and received_at < $1",
		t.time(t.now.Add(-bodyAge)))
	return err
}

func null(text string) any {
	if text == "" {
		return nil
	}
	return text
}

const (
	commitWait = 2 * time.Millisecond // how long a delivery waits for others
	commitRows = 200                  // in one commit
	// commitTimeout is below what a webhook.Handler gives its callbacks.
	commitTimeout = 7 * time.Second
)

// commits stores what arrives at nearly the same time in one commit, because each waits for the
// disk. The first arrival of a batch writes it; while it waits for the commit before, more join.
type commits struct {
	mu   sync.Mutex
	open *batch // takes more arrivals; nil if there is none

	writing sync.Mutex // held during a commit, in Postgres
}

type batch struct {
	list []arrival
	full chan struct{} // closed when it has commitRows
	done chan struct{} // closed once err is final
	err  error
}

// store returns nil once a is stored, and the data is on the disk as far as the database says.
func (m *Mirror) store(ctx context.Context, a arrival) error {
	b, first := m.commits.join(a)
	if first {
		m.commit(ctx, b)
	}
	select {
	case <-b.done:
		return b.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *commits) join(a arrival) (b *batch, first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if first = c.open == nil; first {
		c.open = &batch{full: make(chan struct{}), done: make(chan struct{})}
	}
	b = c.open
	if b.list = append(b.list, a); len(b.list) == commitRows {
		c.open = nil
		close(b.full)
	}
	return b, first
}

// close ends the joining of b.
func (c *commits) close(b *batch) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == b {
		c.open = nil
	}
}

var errNotCommitted = errors.New("mirror: the commit did not end")

func (m *Mirror) commit(ctx context.Context, b *batch) {
	b.err = errNotCommitted // for the others, if this panics
	defer close(b.done)
	// The delivery that opened the batch must not fail the others when its sender goes away.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitTimeout)
	defer cancel()
	defer m.commits.close(b)
	timer := time.NewTimer(commitWait)
	select {
	case <-timer.C:
	case <-b.full:
		timer.Stop()
	}
	if err := m.db.ask(ctx); err != nil {
		b.err = err
		return
	}
	turn := &m.commits.writing
	if m.db.dialect == sqlstore.SQLite {
		turn = &m.writing // it has one writer
	}
	turn.Lock()
	defer turn.Unlock()
	m.commits.close(b)
	points.Hit("receive: before commit")
	_, b.err = m.db.arrive(ctx, time.Now(), b.list)
	points.Hit("receive: after commit")
	select {
	case m.arrived <- struct{}{}:
	default: // it is known that there is something
	}
}
