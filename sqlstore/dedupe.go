package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
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
	return &Dedupe{store: s, namespace: namespace}, nil
}

// Claim implements [webhook.DedupeStore].
func (d *Dedupe) Claim(ctx context.Context, id, owner string, lease time.Duration) (webhook.DedupeState, error) {
	for range 3 { // what prevented the claim may expire before it is read
		claimed, err := d.row(ctx, "claim a notification", d.claim,
			[]any{d.namespace, key(id), owner, microseconds(lease)}, new(string))
		if err != nil {
			return webhook.DedupeBusy, err
		}
		if claimed {
			return webhook.DedupeClaimed, nil
		}
		var done bool
		known, err := d.row(ctx, "read a notification", d.state, []any{d.namespace, key(id)}, &done)
		switch {
		case err != nil:
			return webhook.DedupeBusy, err
		case done:
			return webhook.DedupeDone, nil
		case known:
			return webhook.DedupeBusy, nil
		}
	}
	return webhook.DedupeBusy, nil
}

// Complete implements [webhook.DedupeStore].
func (d *Dedupe) Complete(ctx context.Context, id, _ string, retention time.Duration) error {
	err := d.exec(ctx, "complete a notification", d.complete, d.namespace, key(id), microseconds(retention))
	if err == nil {
		d.sweepSome(ctx)
	}
	return err
}

// Release implements [webhook.DedupeStore].
func (d *Dedupe) Release(ctx context.Context, id, owner string) error {
	return d.exec(ctx, "release a notification", d.release, d.namespace, key(id), owner)
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
