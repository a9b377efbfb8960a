package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/go-freight/terminal49/webhook"
)

// Dedupe is a [webhook.DedupeStore] that receivers on several machines share. It keeps one row for
// each notification, with a hash of its id. Complete deletes rows that have expired, in small
// batches. Create it with [NewDedupe].
type Dedupe struct {
	store
	notifications
	namespace string
	sweepAt   atomic.Int64 // Unix time in seconds
}

var _ webhook.DedupeStore = (*Dedupe)(nil)

// NewDedupe returns a store of handled notifications in db. Receivers share them if they use the
// same database and namespace; give receivers that do different work with the same notification a
// namespace each. The tables must exist: see [Migrate] and [Schema]. NewDedupe does no I/O. It
// returns a [*terminal49.ArgumentError] if an argument is missing or namespace is not text.
func NewDedupe(db *sql.DB, d Dialect, namespace string) (*Dedupe, error) {
	s, err := newStore("NewDedupe", db, d)
	if err != nil {
		return nil, err
	}
	if namespace == "" {
		return nil, invalid("NewDedupe", "namespace", "is required")
	}
	if !utf8.ValidString(namespace) || strings.Contains(namespace, "\x00") {
		return nil, invalid("NewDedupe", "namespace", "must be UTF-8 without NUL")
	}
	return &Dedupe{store: s, notifications: notificationsOf[d], namespace: namespace}, nil
}

// Claim implements [webhook.DedupeStore].
func (d *Dedupe) Claim(ctx context.Context, id, owner string, lease time.Duration) (webhook.DedupeState, error) {
	return ask[webhook.DedupeState](ctx, d, "claim a notification", d.claim, id, owner, lease) // the zero value is DedupeBusy
}

// Complete implements [webhook.DedupeStore].
func (d *Dedupe) Complete(ctx context.Context, id, owner string, retention time.Duration) error {
	own, err := ask[bool](ctx, d, "complete a notification", d.complete, id, owner, retention)
	switch {
	case err != nil:
		return err
	case !own:
		err = fmt.Errorf("sqlstore: complete a notification: %w", webhook.ErrClaimLost)
	}
	d.sweepSome(ctx)
	return err
}

// Release implements [webhook.DedupeStore].
func (d *Dedupe) Release(ctx context.Context, id, owner string) error {
	_, err := promptly(ctx, func() (none struct{}, err error) {
		return none, d.exec(ctx, "release a notification", d.release, d.namespace, key(id), owner)
	})
	return err
}

// ask executes a statement that returns one value; tried describes it in errors.
func ask[T any](ctx context.Context, d *Dedupe, tried, statement, id, owner string, period time.Duration) (T, error) {
	return promptly(ctx, func() (value T, err error) {
		_, err = d.row(ctx, tried, statement, []any{d.namespace, key(id), owner, microseconds(period)}, &value)
		return value, err
	})
}

// sweepBatch is how many rows are deleted at once.
const sweepBatch = 500

// sweepSome deletes one batch of expired rows, at most once a minute, or again with the next call
// if the batch was full. Errors are ignored: the caller's work is done, and the next sweep tries
// again.
func (d *Dedupe) sweepSome(ctx context.Context) {
	now, at := time.Now().Unix(), d.sweepAt.Load()
	if now < at || !d.sweepAt.CompareAndSwap(at, now+60) {
		return
	}
	result, err := d.db.ExecContext(ctx, d.sweep, sweepBatch)
	if err != nil {
		return
	}
	if n, err := result.RowsAffected(); err == nil && n == sweepBatch {
		d.sweepAt.Store(now)
	}
}

// key returns the hash of an id, which may be as long as a delivery.
func key(id string) []byte {
	sum := sha256.Sum256([]byte(id))
	return sum[:]
}
