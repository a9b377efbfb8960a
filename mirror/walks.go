package mirror

import (
	"context"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// planned returns the plans of scopes: what was never walked, or interrupted, is due now.
func (t *tenure) planned(ctx context.Context, every time.Duration, scopes ...*plan.List) (list []*plan.Walk, err error) {
	for _, s := range scopes {
		p := &plan.Walk{List: s, Every: every}
		var last store.WalkState
		running, err := t.db.LatestWalk(ctx, s, "running", &last)
		if err != nil {
			return nil, err
		}
		done, err := t.db.LatestWalk(ctx, s, "done", &last)
		if err != nil {
			return nil, err
		}
		if done && !running {
			p.Last, p.Due = last.ID, last.Started.Add(every)
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
