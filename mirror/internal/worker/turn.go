package worker

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// turn is the right of this process to write, until another process takes over.
type turn struct {
	db    *store.Store
	Lease *store.Lease
	log   *slog.Logger
}

// write runs f in a transaction.
func (t *turn) write(ctx context.Context, name string, f func(*store.Tx) error) error {
	return t.db.Apply(ctx, t.Lease, name, f)
}

// isOver reports whether an error ends the turn.
func (t *turn) isOver(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, store.ErrLeaseLost) || errors.Is(err, store.ErrOtherAccount) ||
		errors.Is(err, store.ErrReplaced)
}

// complain logs a failure, which the status counts if it is the database's.
func (t *turn) complain(name string, err error) {
	t.db.NoteFailure(err)
	t.log.Error(name+" failed; it is repeated", slog.Any("error", t.db.Explain(err)))
}

// loop is a step that is done again and again.
type loop struct {
	name     string
	interval time.Duration
	wake     <-chan struct{} // ends the wait early
	do       func(context.Context) error
}

// every does a step now and at each interval, and after an error later and later.
func (t *turn) every(ctx context.Context, l loop) error {
	for failures := 0; ctx.Err() == nil; {
		wait, err := l.interval, l.do(ctx)
		switch {
		case err == nil:
			failures = 0
		case t.isOver(ctx, err):
			return err
		default:
			failures++
			wait = max(l.interval, plan.RetryAfter(failures, 5*time.Minute))
			t.complain(l.name, err)
		}
		Pause(ctx, wait, l.wake)
	}
	return nil
}
