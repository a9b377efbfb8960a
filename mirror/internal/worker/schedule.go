package worker

import (
	"context"
	"log/slog"
	"strconv"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// schedule walks over lists when they are due.
type schedule struct {
	turn    *turn
	service *Service
	opts    *Options
	asked   *asked
	changed *changedFilter
	ready   chan struct{} // closed after the first walk over what is tracked
}

// walkActive walks over the shipments that are tracked, until ctx ends.
func (s *schedule) walkActive(ctx context.Context) error {
	walks, err := s.walks(ctx, s.opts.Active, plan.ActiveList, plan.ChangedList)
	if err != nil {
		return err
	}
	if !walks[0].Due.IsZero() {
		s.letOthersBegin(plan.ActiveList)
	}
	return s.walkAll(ctx, walks, s.asked.activeNow)
}

// walkWhole walks over everything, after the tracked shipments have been read.
func (s *schedule) walkWhole(ctx context.Context) error {
	select {
	case <-s.ready:
	case <-ctx.Done():
		return nil
	}
	walks, err := s.walks(ctx, s.opts.Whole, plan.WholeLists...)
	if err != nil {
		return err
	}
	return s.walkAll(ctx, walks, s.asked.wholeNow)
}

// walks returns when lists are walked next. It retries until the database answers.
func (s *schedule) walks(ctx context.Context, every time.Duration, lists ...*plan.List) ([]*plan.Walk, error) {
	for failures := 1; ; failures++ {
		all, err := s.dueWalks(ctx, every, lists)
		if err == nil || s.turn.isOver(ctx, err) {
			return all, err
		}
		s.turn.complain("reading when walks are due", err)
		Pause(ctx, plan.RetryAfter(failures, time.Minute), nil)
	}
}

// dueWalks reads when lists are walked next. One that was never walked, or whose walk was
// interrupted, is due now.
func (s *schedule) dueWalks(ctx context.Context, every time.Duration, lists []*plan.List) (all []*plan.Walk, err error) {
	for _, list := range lists {
		w := &plan.Walk{List: list, Every: every}
		var last store.WalkState
		running, err := s.turn.db.LatestWalk(ctx, list, "running", &last)
		if err != nil {
			return nil, err
		}
		done, err := s.turn.db.LatestWalk(ctx, list, "done", &last)
		if err != nil {
			return nil, err
		}
		if done && !running {
			w.Last, w.Due = last.ID, time.Now().Add(plan.Wait(last.Started, every, s.turn.db.Now()))
		}
		all = append(all, w)
	}
	return all, nil
}

// afterJump makes due what is due by the clock, after that has jumped: its times may be those of a
// clock that was ahead, or the machine was suspended. Waits are by another clock, which never
// jumps.
func (s *schedule) afterJump(ctx context.Context, walks []*plan.Walk) error {
	for _, w := range walks {
		again, err := s.walks(ctx, w.Every, w.List)
		if err != nil {
			return err
		}
		if again[0].Due.Before(w.Due) {
			w.Due = again[0].Due
		}
	}
	return nil
}

// walkAll walks over what is due, until ctx ends. A failure of one list does not delay the others.
func (s *schedule) walkAll(ctx context.Context, walks []*plan.Walk, wake <-chan struct{}) error {
	for jumps := s.asked.jumps.Load(); ctx.Err() == nil; {
		if now := s.asked.jumps.Load(); now != jumps {
			if err := s.afterJump(ctx, walks); err != nil {
				s.turn.complain("reading when lists were walked over", err)
			} else {
				jumps = now
			}
		}
		w := plan.First(walks)
		if wait := time.Until(w.Due); wait > 0 {
			if woken(ctx, wait, wake) {
				s.asked.makeDue(walks)
			}
			continue
		}
		if err := s.walkOne(ctx, w); err != nil {
			return err
		}
	}
	return nil
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

// walkOne walks over a list. If Reconcile was called meanwhile, it is due again.
func (s *schedule) walkOne(ctx context.Context, w *plan.Walk) error {
	started := time.Now()
	ticket, err := s.walkOver(ctx, w.List)
	s.asked.done(w.List)
	s.letOthersBegin(w.List) // also if it failed
	switch {
	case err == nil:
		w.Last, w.Due = ticket, started.Add(w.Every)
		s.noteFailures(ctx, w, 0)
		if s.asked.isWanted(w, ticket) {
			w.Due = time.Time{}
		}
		return nil
	case s.turn.isOver(ctx, err):
		return err
	}
	s.noteFailures(ctx, w, w.Failures+1)
	w.Due = time.Now().Add(plan.RetryAfter(w.Failures, w.Every/2))
	s.turn.complain("walk over "+w.List.Name, err)
	return nil
}

// noteFailures stores how often in a row a walk has failed, for the status.
func (s *schedule) noteFailures(ctx context.Context, w *plan.Walk, n int) {
	if n == w.Failures {
		return
	}
	w.Failures = n
	err := s.turn.write(ctx, "walk failures", func(tx *store.Tx) error {
		return tx.Note(ctx, w.List.Name+store.CursorFailedSuffix, strconv.Itoa(n))
	})
	if err != nil && !s.turn.isOver(ctx, err) {
		s.turn.complain("counting the failures of the walk over "+w.List.Name, err)
	}
}

// letOthersBegin lets the walks over everything begin after the first over what is tracked.
func (s *schedule) letOthersBegin(list *plan.List) {
	if list != plan.ActiveList {
		return
	}
	select {
	case <-s.ready:
	default:
		close(s.ready)
	}
}

// walkOver walks over a list. It skips ChangedList if the service does not have it.
func (s *schedule) walkOver(ctx context.Context, list *plan.List) (int64, error) {
	if list != plan.ChangedList {
		return s.Walk(ctx, list)
	}
	list, err := s.changed.list(ctx)
	if list == nil || err != nil {
		return 0, err
	}
	return s.Walk(ctx, list)
}

// Walk walks over a list, from where an earlier walk was interrupted or from the start. It returns
// the ticket of the walk.
func (s *schedule) Walk(ctx context.Context, list *plan.List) (ticket int64, err error) {
	w := &walker{turn: s.turn, opts: s.opts, service: s.service, list: list, width: 1}
	defer w.drop()
	if err := w.begin(ctx); err != nil {
		return 0, err
	}
	s.turn.log.Info("walk", slog.String("scope", list.Name), slog.Int("page", w.state.Page), slog.Bool("resumed", w.resumed))
	for number := max(w.state.Page, 1); number > 0; {
		next, err := w.step(ctx, number)
		if err != nil {
			return w.state.ID, w.fail(ctx, err)
		}
		number = next
	}
	return w.state.ID, w.finish(ctx)
}
