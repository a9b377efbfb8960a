package store

import (
	"context"
	"database/sql"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/go-freight/terminal49/sqlstore"
)

// ErrRestored ends a turn because the database has less than this process has committed to it: a
// backup was restored underneath, or a copy that lagged has taken over. It is ErrLeaseLost, too.
var ErrRestored error = restoredError{}

type restoredError struct{}

// Error implements error.
func (restoredError) Error() string { return "mirror: the database was restored to an earlier state" }

// Is reports that it ends the turn.
func (restoredError) Is(target error) bool { return target == ErrLeaseLost }

// life is what this process knows of the past of the database: what only grows, unless the database
// is restored to an earlier state.
type life struct {
	mu      sync.Mutex
	ticket  int64 // the greatest that this process has drawn
	writes  int64 // the greatest number of the lease's transactions that this process has seen
	lost    bool  // the database had less; it is not noted there yet
	restore int   // how many restores were noted
}

// drawn returns the greatest ticket that this process has drawn.
func (l *life) drawn() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ticket
}

// commit records that a ticket was drawn for good.
func (l *life) commit(ticket int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ticket = max(l.ticket, ticket)
}

// see records how many transactions the lease counts. Fewer than before are those of a restored
// database.
func (l *life) see(writes int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lost = l.lost || writes < l.writes
	l.writes = max(l.writes, writes)
}

// committed returns the latest count of the lease's transactions.
func (l *life) committed() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.writes
}

// require returns ErrRestored, and remembers it, if the database is not as it must be without a
// restore.
func (l *life) require(holds bool) error {
	if holds {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lost = true
	return ErrRestored
}

// restores returns how many restores were noted, and whether another one is to be noted.
func (l *life) restores() (noted int, lost bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.restore, l.lost
}

// reset begins a life with a ticket that is greater than all before.
func (l *life) reset(ticket int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ticket, l.writes, l.lost = ticket, 0, false
	l.restore++
}

// beginTurn drops what this process remembers of an earlier turn. The database may be another one.
func (d *Store) beginTurn() {
	d.confirmed.clear()
	d.walked.Store(false)
	d.cursorSet.Store(false)
}

// CursorRestored is when a restore of the database was noticed last.
const CursorRestored = "restored"

// noteRestored notes in the database that it was restored, if this process has noticed it, and
// reports whether it had to. It needs no lease. Tickets go on after all that were drawn before:
// readings of the lost life may be under way in other processes.
func (d *Store) noteRestored(ctx context.Context, now time.Time) (bool, error) {
	if _, lost := d.life.restores(); !lost {
		return false, nil
	}
	begun, err := d.Pool.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer begun.Rollback() //nolint:errcheck // after a commit it does nothing
	t := &Tx{tx: begun, db: d, Now: now}
	before := d.life.drawn()
	ticket, err := t.noteRestored(ctx, before)
	if err != nil {
		return false, err
	}
	if err := begun.Commit(); err != nil {
		return false, err
	}
	d.life.reset(ticket)
	d.beginTurn()
	d.log.WarnContext(ctx, "the database was restored to an earlier state, or a copy that lagged has taken over: everything is read again, and readers of changes that are ahead get an error",
		slog.Int64("ticket_drawn_before", before), slog.Int64("next_ticket", ticket))
	return true, nil
}

// NoteRestored notes that the database was restored, and asks for everything to be read again.
func (t *Tx) NoteRestored(ctx context.Context) error {
	_, err := t.noteRestored(ctx, t.db.life.drawn())
	return err
}

// noteRestored draws a ticket after all up to before, and asks to reconcile with it.
func (t *Tx) noteRestored(ctx context.Context, before int64) (int64, error) {
	ticket, err := t.db.drawBeyond(ctx, t.tx, before)
	if err != nil {
		return 0, err
	}
	if err := t.NoteDone(ctx, CursorRestored); err != nil {
		return 0, err
	}
	return ticket, t.Note(ctx, CursorReconcileAsked, strconv.FormatInt(ticket, 10))
}

// drawBeyond draws a ticket that is greater than before. The role that writes may use the sequence
// of Postgres, but need not be allowed to set it.
func (d *Store) drawBeyond(ctx context.Context, tx *sql.Tx, before int64) (n int64, err error) {
	statement := "update t49.tickets set n = case when n < $1 then $1 else n end + 1 returning n"
	if d.Dialect == sqlstore.Postgres {
		statement = "select max(nextval('t49.ticket')) from generate_series((select last_value from t49.ticket) - 1, greatest($1, (select last_value from t49.ticket)))"
	}
	err = tx.QueryRowContext(ctx, d.SQL(statement), before).Scan(&n)
	return n, err
}
