package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"math/rand/v2"
	"time"

	"github.com/go-freight/terminal49/fleet"
)

// NewLimiter returns a limiter for the API key token whose slots are in db. The tables must exist:
// see [Migrate] and [Schema]. On SQLite the default fallback is [fleet.Wait], because a file can be
// locked for long, but not be away. NewLimiter does no I/O. It returns a
// [*terminal49.ArgumentError] if db is nil or d is unknown, and the errors of [fleet.New].
func NewLimiter(db *sql.DB, d Dialect, token string, opts ...fleet.Option) (*fleet.Limiter, error) {
	s, err := newStore("NewLimiter", db, d)
	if err != nil {
		return nil, err
	}
	if d == SQLite {
		opts = append([]fleet.Option{fleet.WithFallback(fleet.Wait())}, opts...)
	}
	return fleet.New(&engine{s}, token, opts...)
}

// NewEngine returns the engine of [NewLimiter], for use with [fleet.New]. It returns a
// [*terminal49.ArgumentError] if db is nil or d is unknown.
func NewEngine(db *sql.DB, d Dialect) (fleet.Engine, error) {
	s, err := newStore("NewEngine", db, d)
	if err != nil {
		return nil, err
	}
	return &engine{s}, nil
}

// engine keeps a row for each bucket and each slot.
type engine struct{ store }

// Take implements [fleet.Engine].
func (e *engine) Take(ctx context.Context, r fleet.Request) (fleet.Grant, error) {
	return promptly(ctx, func() (fleet.Grant, error) { return e.takeSlot(ctx, r) })
}

func (e *engine) takeSlot(ctx context.Context, r fleet.Request) (fleet.Grant, error) {
	for range 2 {
		var g fleet.Grant
		if e.oneWriter {
			whole, err := e.whyNot(ctx, r, &g)
			if err != nil || whole && g.Wait > longestMoment {
				return g, err
			}
		}
		taken, err := e.row(ctx, "take a slot", e.take, []any{r.Namespace, r.Name, r.Top, r.Owner,
			microseconds(r.Hold), microseconds(r.Settle), r.Born}, &g.Born)
		if taken || err != nil {
			g.Taken = taken
			return g, err
		}
		whole, err := e.whyNot(ctx, r, &g)
		if whole || err != nil {
			return g, err
		}
		if err := e.makeSlots(ctx, r); err != nil {
			return g, err
		}
	}
	return fleet.Grant{Wait: aMoment()}, nil // another process is deleting the rows
}

// whyNot sets Wait and Born of a grant that was not taken, and reports whether the bucket has all
// its slots.
func (e *engine) whyNot(ctx context.Context, r fleet.Request, g *fleet.Grant) (whole bool, err error) {
	var slots int
	var age, paused, free int64
	known, err := e.row(ctx, "read a bucket", e.look, []any{r.Namespace, r.Name, r.Limit, r.Top},
		&g.Born, &age, &paused, &slots, &free)
	if r.Born == 0 || g.Born <= r.Born {
		g.Wait = max(micros(max(paused, free)), r.Settle-micros(age), aMoment())
	}
	return known && slots >= r.Limit, err
}

// makeSlots creates the slots that a bucket lacks. If it had them before, they were lost, and Born
// is set to the present.
func (e *engine) makeSlots(ctx context.Context, r fleet.Request) error {
	return explain("make slots", retried(func() error {
		tx, err := e.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }() // does nothing after Commit
		args := []any{r.Namespace, r.Name, r.Limit}
		if _, err := tx.ExecContext(ctx, e.born, args[:2]...); err != nil { // locks the bucket, too
			return err
		}
		for _, step := range []string{e.size, e.fill} {
			if _, err := tx.ExecContext(ctx, step, args...); err != nil {
				return err
			}
		}
		return tx.Commit()
	}))
}

// kept is a [fleet.Slot] as the statements read it.
type kept struct {
	Owner string `json:"o"`
	For   int64  `json:"f"`
}

// Keep implements [fleet.Engine].
func (e *engine) Keep(ctx context.Context, b fleet.Bucket, slots []fleet.Slot) (int, error) {
	return promptly(ctx, func() (int, error) { return e.keepSlots(ctx, b, slots) })
}

func (e *engine) keepSlots(ctx context.Context, b fleet.Bucket, slots []fleet.Slot) (int, error) {
	lost := map[string]kept{}
	all := make([]kept, len(slots))
	for i, slot := range slots {
		all[i] = kept{slot.Owner, microseconds(slot.For)}
		if slot.For > 0 { // otherwise its request was not sent
			lost[slot.Owner] = all[i]
		}
	}
	if err := e.keepAll(ctx, "keep slots", e.keep, b, all, func(owner string) { delete(lost, owner) }); err != nil || len(lost) == 0 {
		return 0, err
	}
	again := make([]kept, 0, len(lost))
	for _, slot := range lost {
		again = append(again, slot)
	}
	return len(lost), e.keepAll(ctx, "take forgotten slots", e.retake, b, again, func(string) {})
}

// keepAll executes a statement on slots and calls each with the owners of those it found.
func (e *engine) keepAll(ctx context.Context, tried, statement string, b fleet.Bucket, slots []kept, each func(owner string)) error {
	if len(slots) == 0 {
		return nil
	}
	list, err := json.Marshal(slots)
	if err != nil {
		return explain(tried, err)
	}
	return e.strings(ctx, tried, statement, []any{b.Namespace, b.Name, string(list)}, each)
}

// Pause implements [fleet.Engine].
func (e *engine) Pause(ctx context.Context, b fleet.Bucket, d time.Duration) error {
	_, err := promptly(ctx, func() (none struct{}, err error) {
		return none, e.exec(ctx, "pause a bucket", e.pause, b.Namespace, b.Name, microseconds(d))
	})
	return err
}

// microseconds returns d in microseconds, rounded up to whole milliseconds.
func microseconds(d time.Duration) int64 {
	ms := d.Milliseconds()
	if d%time.Millisecond > 0 {
		ms++
	}
	return ms * 1000
}

func micros(n int64) time.Duration { return time.Duration(n) * time.Microsecond }

const longestMoment = 6 * time.Millisecond

// aMoment returns how long to wait before asking again if a slot seems free: another process is
// taking it.
func aMoment() time.Duration {
	return longestMoment/3 + rand.N(2*longestMoment/3)
}
