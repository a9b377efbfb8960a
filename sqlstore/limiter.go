package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/go-freight/terminal49/fleet"
)

// NewLimiter returns a limiter for the API key token whose slots are in db. The tables must exist:
// see [Migrate] and [Schema]. NewLimiter does no I/O. It returns a [*terminal49.ArgumentError] if
// db is nil or d is unknown, and the errors of [fleet.New].
func NewLimiter(db *sql.DB, d Dialect, token string, opts ...fleet.Option) (*fleet.Limiter, error) {
	s, err := newStore("NewLimiter", db, d)
	if err != nil {
		return nil, err
	}
	return fleet.New(engine{s}, token, opts...)
}

// NewEngine returns the engine of [NewLimiter], for use with [fleet.New]. It returns a
// [*terminal49.ArgumentError] if db is nil or d is unknown.
func NewEngine(db *sql.DB, d Dialect) (fleet.Engine, error) {
	s, err := newStore("NewEngine", db, d)
	if err != nil {
		return nil, err
	}
	return engine{s}, nil
}

// engine keeps the slots in Postgres, where a function serves calls, or in SQLite.
type engine struct{ store }

// Serve implements [fleet.Engine].
func (e engine) Serve(ctx context.Context, c fleet.Call) (fleet.Reply, error) {
	return promptly(ctx, func() (r fleet.Reply, err error) {
		if e.oneWriter {
			r, err = e.serveFile(ctx, c)
		} else {
			r, err = e.callServer(ctx, c)
		}
		return r, explain("ask for slots", err)
	})
}

// otherFormat returns the error for a bucket in another format.
func otherFormat(format int) error {
	return fmt.Errorf("%w: the slots have format %d, and this program uses %d: run one version of this package, "+
		"or stop all programs and empty the tables t49_buckets and t49_slots", fleet.ErrNotSetUp, format, fleet.Format)
}

// serveFile applies a call to a bucket in a file of SQLite. Its transaction begins by writing, so
// that it has the lock before it reads the clock.
func (e engine) serveFile(ctx context.Context, c fleet.Call) (r fleet.Reply, err error) {
	tx, err := e.db.BeginTx(ctx, nil)
	if err != nil {
		return r, err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after Commit
	var text []byte
	var clock int64
	if err := tx.QueryRowContext(ctx, e.lockBucket, c.Namespace, c.Name).Scan(&text, &clock); err != nil {
		return r, err
	}
	var state fleet.State
	if json.Unmarshal(text, &state) != nil || state.Slots != nil && state.Format != fleet.Format {
		return r, otherFormat(state.Format)
	}
	r = state.Serve(clock, c)
	if text, err = json.Marshal(state); err != nil {
		return r, err
	}
	if _, err := tx.ExecContext(ctx, e.writeBucket, c.Namespace, c.Name, string(text)); err != nil {
		return r, err
	}
	return r, tx.Commit()
}

// callServer applies a call to a bucket in Postgres, in one round trip.
func (e engine) callServer(ctx context.Context, c fleet.Call) (r fleet.Reply, err error) {
	type slot struct {
		Owner string `json:"owner"`
		Hold  int64  `json:"hold"`
	}
	type place struct {
		Owner string `json:"owner"`
		Top   int    `json:"top"`
	}
	slots, places := make([]slot, len(c.Slots)), make([]place, len(c.Places))
	for i, s := range c.Slots {
		slots[i] = slot{s.Owner, microseconds(s.For)}
	}
	for i, p := range c.Places {
		places[i] = place(p)
	}
	call, err := json.Marshal(map[string]any{
		"ns": c.Namespace, "bucket": c.Name, "format": fleet.Format, "limit": c.Limit, "window": microseconds(c.Window),
		"born": c.Born, "seen": c.Seen, "settle": microseconds(c.Settle), "pause": microseconds(c.Pause),
		"slots": slots, "places": places,
	})
	if err != nil {
		return r, err
	}
	var text []byte
	if err := e.db.QueryRowContext(ctx, e.serve, string(call)).Scan(&text); err != nil {
		return r, err
	}
	var reply struct {
		Format                 int
		Now, Born, Lost, InUse int64
		Paused                 int64
		Grants                 []int64
	}
	if json.Unmarshal(text, &reply) != nil || reply.Format != 0 {
		return r, otherFormat(reply.Format)
	}
	r = fleet.Reply{Now: reply.Now, Born: reply.Born, Lost: int(reply.Lost), InUse: int(reply.InUse), Paused: micros(reply.Paused)}
	for i := 0; i+1 < len(reply.Grants); i += 2 {
		r.Grants = append(r.Grants, fleet.Grant{Taken: reply.Grants[i] == 1, Wait: micros(reply.Grants[i+1])})
	}
	return r, nil
}

// microseconds returns d in microseconds, rounded up.
func microseconds(d time.Duration) int64 {
	n := int64(d / time.Microsecond)
	if d%time.Microsecond > 0 {
		n++
	}
	return n
}

func micros(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
