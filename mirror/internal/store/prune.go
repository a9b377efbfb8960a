package store

import (
	"context"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// PruneRows is how many rows are pruned in a transaction.
const PruneRows = 1000

// The cursors of pruning: when it was last due, and since when it has been due without a jump of
// the clock.
const (
	cursorPruned      = "prune"
	cursorPrunedSince = "prune.since"
)

// PruneEvery is the time between two rounds of pruning.
const PruneEvery = time.Hour

// steadyTime is how long the clock must have run without a jump before anything is pruned, and how
// long the mirror may be off without a new beginning. A jump and a long pause look the same.
const steadyTime = 24 * time.Hour

// MayPrune reports whether a round of pruning is due and the clock can be trusted.
func (t *Tx) MayPrune(ctx context.Context) (bool, error) {
	last, err := t.Noted(ctx, cursorPruned)
	if err != nil {
		return false, err
	}
	since, err := t.Noted(ctx, cursorPrunedSince)
	if err != nil {
		return false, err
	}
	gap := t.Now.Sub(last)
	switch {
	case gap >= 0 && gap < PruneEvery:
		return false, nil
	case gap < 0 || gap > steadyTime || since.IsZero():
		since = t.Now
		if err := t.NoteTime(ctx, cursorPrunedSince, since); err != nil {
			return false, err
		}
	}
	return t.Now.Sub(since) >= steadyTime, t.NoteTime(ctx, cursorPruned, t.Now)
}

// PruneChanges deletes the oldest changes, if they were made before a time, and returns how many.
// It empties the last of them and keeps its position: a reader that stopped there has missed
// nothing. Changes with a time in the future are as old as those that follow them. What a push has
// not passed yet stays.
func (t *Tx) PruneChanges(ctx context.Context, before time.Time) (int64, error) {
	var oldest, last int64
	_, err := t.one(ctx, `
with known as (
  select seq, at from t49.changes
  where seq >= (select seq from t49.changes where at <= $1 order by seq limit 1) order by seq limit $3
), recent as (
  select min(seq) as seq from known where at >= $2 and at <= $1
)
select coalesce((select min(seq) from t49.changes), 0), coalesce(max(known.seq), 0)
from known cross join recent where known.at < $2 and (recent.seq is null or known.seq < recent.seq)`,
		[]any{t.time(t.Now), t.time(before), PruneRows}, &oldest, &last)
	if err != nil || last == 0 {
		return 0, err
	}
	passed, err := t.passedByPushes(ctx, last)
	if err != nil || passed == 0 {
		return 0, err
	}
	last = min(passed, oldest+PruneRows)
	n, err := t.exec(ctx, "delete from t49.changes where seq < $1", last)
	if err != nil {
		return 0, err
	}
	_, err = t.exec(ctx, "update t49.changes set "+emptied+", source = $1 where seq = $2 and source <> $1", sourcePruned, last)
	return n, err
}

// PruneInbox deletes notifications that were applied, and dead letters, if they were received
// before a time, and returns how many.
func (t *Tx) PruneInbox(ctx context.Context, before time.Time) (n int64, err error) {
	for _, source := range []string{"webhook", "audit"} {
		some, err := t.exec(ctx, `
delete from t49.inbox where id in (
  select id from t49.inbox where source = $1 and received_at < $2 and state in ('done', 'dead') order by received_at limit $3)`,
			source, t.time(before), PruneRows)
		if err != nil {
			return n, err
		}
		n += some
	}
	return n, nil
}

// NotifiedTables are the tables of facts that only notifications contain. No list shows them again.
var NotifiedTables = []*schema.Table{schema.TableOf("estimated_event"), schema.TableOf("container_updated_event")}

// OldFacts returns facts that were last reported before a time.
func (d *Store) OldFacts(ctx context.Context, in *schema.Table, before time.Time) (ids []string, err error) {
	rows, err := d.Pool.QueryContext(ctx, d.SQL("select id from t49."+in.Name+" where ticket = 0 and seen_at < $1 limit $2"), d.Time(before), PruneRows)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// DeleteFacts deletes facts, unless they were reported again.
func (t *Tx) DeleteFacts(ctx context.Context, in *schema.Table, ids []string, before time.Time) error {
	_, err := t.exec(ctx, "delete from t49."+in.Name+" where ticket = 0 and seen_at < $1 and id in (select value from jsonb_array_elements_text($2::jsonb))",
		t.time(before), string(model.Encode(ids)))
	return err
}
