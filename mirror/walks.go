package mirror

import (
	"context"
	"strconv"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// walkState is the row of a walk in the table walks.
type walkState struct {
	id      int64 // the ticket drawn before its first request
	page    int   // the last one stored
	size    int   // of a page
	seen    int   // resources listed so far
	total   int   // as the service says; -1 if it does not
	started time.Time
	pageAt  time.Time // when the last page was stored
}

// setWalk stores how far a walk is.
func (t *tx) setWalk(ctx context.Context, s *plan.List, w *walkState, state, problem string) error {
	var total, what any
	if w.total >= 0 {
		total = w.total
	}
	if problem != "" {
		what = problem
	}
	_, err := t.exec(ctx, `
insert into t49.walks (id, scope, page, size, seen, total, state, problem, started_at, page_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
on conflict (id) do update set page = excluded.page, size = excluded.size, seen = excluded.seen, total = excluded.total,
  state = excluded.state, problem = excluded.problem, page_at = excluded.page_at`,
		w.id, s.Name, w.page, w.size, w.seen, total, state, what, t.time(w.started), t.time(w.pageAt))
	return err
}

// walk reads the latest walk over a scope that is in a state, and reports whether there is one.
func (d *database) walk(ctx context.Context, s *plan.List, state string, w *walkState) (bool, error) {
	var total *int
	var started, at schema.Instant
	has, err := found(d.pool.QueryRowContext(ctx, d.sql(`
select id, page, size, seen, total, started_at, page_at from t49.walks
where scope = $1 and state = $2 order by id desc limit 1`), s.Name, state).Scan(&w.id, &w.page, &w.size, &w.seen, &total, &started, &at))
	if !has {
		return false, err
	}
	w.total = -1
	if total != nil {
		w.total = *total
	}
	w.started, w.pageAt = started.Time, at.Time
	return true, nil
}

// fails reports whether the latest walk over a scope could not go on.
func (d *database) fails(ctx context.Context, s *plan.List) (fails bool, err error) {
	_, err = found(d.pool.QueryRowContext(ctx, d.sql(`
select state <> 'done' and problem is not null from t49.walks where scope = $1 order by id desc limit 1`), s.Name).Scan(&fails))
	return fails, err
}

// untilCursor is the end of the name of a cursor with the latest ticket at the end of a walk.
const untilCursor = ".until"

// noteEnd notes the latest ticket at the end of a walk.
func (t *tx) noteEnd(ctx context.Context, s *plan.List) error {
	end, err := t.drawn(ctx, t.Tx)
	if err != nil {
		return err
	}
	return t.note(ctx, s.Name+untilCursor, strconv.FormatInt(end, 10))
}

// planned returns the plans of scopes: what was never walked, or interrupted, is due now.
func (t *tenure) planned(ctx context.Context, every time.Duration, scopes ...*plan.List) (list []*plan.Walk, err error) {
	for _, s := range scopes {
		p := &plan.Walk{List: s, Every: every}
		var last walkState
		running, err := t.db.walk(ctx, s, "running", &last)
		if err != nil {
			return nil, err
		}
		done, err := t.db.walk(ctx, s, "done", &last)
		if err != nil {
			return nil, err
		}
		if done && !running {
			p.Last, p.Due = last.id, last.started.Add(every)
		}
		list = append(list, p)
	}
	return list, nil
}

// walkAll walks over what is due, until ctx ends. A failure of one scope does not delay the others.
func (t *tenure) walkAll(ctx context.Context, plans []*plan.Walk, wake <-chan struct{}) error {
	for ctx.Err() == nil {
		p := plan.First(plans)
		if wait := time.Until(p.Due); wait > 0 {
			if woken(ctx, wait, wake) {
				t.hasten(plans)
			}
			continue
		}
		if err := t.walkOne(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// walkNow asks for a walk over a scope.
func (t *tenure) walkNow(s *plan.List) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.hasty[s] = true
	ask(t.wake(s))
}

// hasten makes due what was asked for, here or by Reconcile.
func (t *tenure) hasten(plans []*plan.Walk) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range plans {
		if t.hasty[p.List] || p.Whole && p.Last < t.asked.Load() {
			p.Due = time.Time{}
		}
	}
}

// answered forgets that a walk was asked for: this one showed it, or it is asked for again.
func (t *tenure) answered(s *plan.List) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.hasty, s)
}

// woken waits, and reports whether wake ended the wait.
func woken(ctx context.Context, d time.Duration, wake <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	case <-wake:
		return true
	}
	return false
}

// walkOne walks over a scope. If Reconcile was called meanwhile, it is due again.
func (t *tenure) walkOne(ctx context.Context, p *plan.Walk) error {
	started := time.Now()
	id, err := t.walkOver(ctx, p.List)
	t.answered(p.List)
	t.walked(p.List) // also if it failed: then the others need not wait for it
	switch {
	case err == nil:
		p.Failures, p.Last, p.Due = 0, id, started.Add(p.Every)
		if p.Whole && id < t.asked.Load() {
			p.Due = time.Time{}
		}
		return nil
	case t.isOver(ctx, err):
		return err
	}
	p.Failures++
	p.Due = time.Now().Add(plan.RetryAfter(p.Failures, p.Every/2))
	t.complain("walk over "+p.Name, err)
	return nil
}

// walkOver walks over a scope, unless the service does not have it.
func (t *tenure) walkOver(ctx context.Context, s *plan.List) (int64, error) {
	if s != plan.ChangedList {
		return t.walk(ctx, s)
	}
	s, err := t.changed(ctx)
	if s == nil || err != nil {
		return 0, err
	}
	return t.walk(ctx, s)
}
