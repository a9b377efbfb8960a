package mirror

import (
	"context"
	"strconv"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// setWalk stores how far a walk is.
func (t *tx) setWalk(ctx context.Context, s *scope, w *walkState, state, problem string) error {
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
		w.id, s.name, w.page, w.size, w.seen, total, state, what, t.time(w.started), t.time(w.pageAt))
	return err
}

// walk reads the latest walk over a scope that is in a state, and reports whether there is one.
func (d *database) walk(ctx context.Context, s *scope, state string, w *walkState) (bool, error) {
	var total *int
	var started, at schema.Instant
	has, err := found(d.pool.QueryRowContext(ctx, d.sql(`
select id, page, size, seen, total, started_at, page_at from t49.walks
where scope = $1 and state = $2 order by id desc limit 1`), s.name, state).Scan(&w.id, &w.page, &w.size, &w.seen, &total, &started, &at))
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
func (d *database) fails(ctx context.Context, s *scope) (fails bool, err error) {
	_, err = found(d.pool.QueryRowContext(ctx, d.sql(`
select state <> 'done' and problem is not null from t49.walks where scope = $1 order by id desc limit 1`), s.name).Scan(&fails))
	return fails, err
}

// untilCursor is the end of the name of a cursor with the latest ticket at the end of a walk.
const untilCursor = ".until"

// noteEnd notes the latest ticket at the end of a walk.
func (t *tx) noteEnd(ctx context.Context, s *scope) error {
	end, err := t.drawn(ctx, t.Tx)
	if err != nil {
		return err
	}
	return t.note(ctx, s.name+untilCursor, strconv.FormatInt(end, 10))
}

// plan is when a scope is walked next.
type plan struct {
	*scope
	every    time.Duration
	due      time.Time
	last     int64 // ticket of the latest walk that ended
	failures int   // in a row
}

// planned returns the plans of scopes: what was never walked, or interrupted, is due now.
func (t *tenure) planned(ctx context.Context, every time.Duration, scopes ...*scope) (list []*plan, err error) {
	for _, s := range scopes {
		p := &plan{scope: s, every: every}
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
			p.last, p.due = last.id, last.started.Add(every)
		}
		list = append(list, p)
	}
	return list, nil
}

// next returns the plan that is due first, of those that are due at the same time the first.
func next(plans []*plan) *plan {
	first := plans[0]
	for _, p := range plans[1:] {
		if p.due.Before(first.due) {
			first = p
		}
	}
	return first
}

// walkAll walks over what is due, until ctx ends. A failure of one scope does not delay the others.
func (t *tenure) walkAll(ctx context.Context, plans []*plan, wake <-chan struct{}) error {
	for ctx.Err() == nil {
		p := next(plans)
		if wait := time.Until(p.due); wait > 0 {
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
func (t *tenure) walkNow(s *scope) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.hasty[s] = true
	ask(t.wake(s))
}

// hasten makes due what was asked for, here or by Reconcile.
func (t *tenure) hasten(plans []*plan) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range plans {
		if t.hasty[p.scope] || p.whole && p.last < t.asked.Load() {
			p.due = time.Time{}
		}
	}
}

// answered forgets that a walk was asked for: this one showed it, or it is asked for again.
func (t *tenure) answered(s *scope) {
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
func (t *tenure) walkOne(ctx context.Context, p *plan) error {
	started := time.Now()
	id, err := t.walkOver(ctx, p.scope)
	t.answered(p.scope)
	t.walked(p.scope) // also if it failed: then the others need not wait for it
	switch {
	case err == nil:
		p.failures, p.last, p.due = 0, id, started.Add(p.every)
		if p.whole && id < t.asked.Load() {
			p.due = time.Time{}
		}
		return nil
	case t.isOver(ctx, err):
		return err
	}
	p.failures++
	p.due = time.Now().Add(retryAfter(p.failures, p.every/2))
	t.complain("walk over "+p.name, err)
	return nil
}

// walkOver walks over a scope, unless the service does not have it.
func (t *tenure) walkOver(ctx context.Context, s *scope) (int64, error) {
	if s != changedList {
		return t.walk(ctx, s)
	}
	s, err := t.changed(ctx)
	if s == nil || err != nil {
		return 0, err
	}
	return t.walk(ctx, s)
}
