package store

import (
	"context"
	"strconv"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// WalkState is the row of a walk in the table walks.
type WalkState struct {
	ID      int64 // the ticket drawn before its first request
	Page    int   // the last one stored
	Size    int   // of a page
	Seen    int   // resources listed so far
	Total   int   // as the service reports; -1 if it does not
	Started time.Time
	PageAt  time.Time // when the last page was stored
}

// SetWalk stores how far a walk is.
func (t *Tx) SetWalk(ctx context.Context, s *plan.List, w *WalkState, state, problem string) error {
	var total, what any
	if w.Total >= 0 {
		total = w.Total
	}
	if problem != "" {
		what = problem
	}
	_, err := t.exec(ctx, `
insert into t49.walks (id, scope, page, size, seen, total, state, problem, started_at, page_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
on conflict (id) do update set page = excluded.page, size = excluded.size, seen = excluded.seen, total = excluded.total,
  state = excluded.state, problem = excluded.problem, page_at = excluded.page_at`,
		w.ID, s.Name, w.Page, w.Size, w.Seen, total, state, what, t.time(w.Started), t.time(w.PageAt))
	return err
}

// LatestWalk reads the latest walk over a list that is in a state, and reports whether there is
// one.
func (d *Store) LatestWalk(ctx context.Context, s *plan.List, state string, w *WalkState) (bool, error) {
	var total *int
	var started, at schema.Instant
	has, err := found(d.Pool.QueryRowContext(ctx, d.SQL(`
select id, page, size, seen, total, started_at, page_at from t49.walks
where scope = $1 and state = $2 order by id desc limit 1`), s.Name, state).Scan(&w.ID, &w.Page, &w.Size, &w.Seen, &total, &started, &at))
	if !has {
		return false, err
	}
	w.Total = -1
	if total != nil {
		w.Total = *total
	}
	w.Started, w.PageAt = started.Time, at.Time
	return true, nil
}

// WalkFails reports whether the latest walk over a list could not continue.
func (d *Store) WalkFails(ctx context.Context, s *plan.List) (fails bool, err error) {
	_, err = found(d.Pool.QueryRowContext(ctx, d.SQL(`
select state <> 'done' and problem is not null from t49.walks where scope = $1 order by id desc limit 1`), s.Name).Scan(&fails))
	return fails, err
}

// CursorUntilSuffix is the end of the name of a cursor with the latest ticket at the end of a walk.
const CursorUntilSuffix = ".until"

// NoteEnd notes the latest ticket at the end of a walk.
func (t *Tx) NoteEnd(ctx context.Context, s *plan.List) error {
	end, err := t.db.drawnFrom(ctx, t.tx)
	if err != nil {
		return err
	}
	return t.Note(ctx, s.Name+CursorUntilSuffix, strconv.FormatInt(end, 10))
}

// keptWalks is how many walks over a list are kept. They are counted, because a clock that is wrong
// for a moment must not delete them.
const keptWalks = 1000

// DropOldWalks deletes all but the latest walks over a list.
func (t *Tx) DropOldWalks(ctx context.Context, s *plan.List) error {
	_, err := t.exec(ctx, `
delete from t49.walks where scope = $1 and id <= (select id from t49.walks where scope = $1 order by id desc limit 1 offset $2)`, s.Name, keptWalks)
	return err
}
