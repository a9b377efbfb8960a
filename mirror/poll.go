package mirror

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

const (
	pollEvery   = time.Second
	pollsAhead  = 4         // requests side by side
	marksAhead  = 1000      // marks that are read from the table at a time
	pollsAtOnce = 60        // requests of a round, so that rounds end and newer marks are seen
	mostDelay   = time.Hour // between two reads that fail
)

// errand is one request and the marks that it may answer: of a shipment and its containers.
type errand struct {
	model.Ref
	marks []plan.Mark
}

// poll reads what is marked and due. If that takes more requests than a walk, the walk does it.
func (t *tenure) poll(ctx context.Context) error {
	marks, err := t.db.DueMarks(ctx, marksAhead)
	if err != nil {
		return err
	}
	errands, err := t.errands(ctx, marks)
	if err != nil {
		return err
	}
	if errands, err = t.leaveToWalks(ctx, errands); err != nil {
		return err
	}
	if err := each(ctx, pollsAhead, errands[:min(len(errands), pollsAtOnce)], t.run); err != nil {
		return err
	}
	if time.Since(t.polled) < store.LeaseTime {
		return nil
	}
	t.polled = time.Now()
	return t.db.Apply(ctx, t.lease, "poll end", func(t *store.Tx) error { return t.NoteDone(ctx, store.CursorPolled) })
}

// errands groups marks by shipment: one request shows it with its containers. A mark that failed is
// read by itself, so that it holds up no other.
func (t *tenure) errands(ctx context.Context, marks []plan.Mark) (list []*errand, err error) {
	byTarget := map[model.Ref]*errand{}
	for _, m := range marks {
		target := m.Ref
		if m.Type == "container" && m.Attempts == 0 {
			if target, err = t.db.ShipmentOf(ctx, m.Ref); err != nil {
				return nil, err
			}
		}
		e := byTarget[target]
		if e == nil {
			e = &errand{Ref: target}
			byTarget[target] = e
			list = append(list, e)
		}
		e.marks = append(e.marks, m)
	}
	return list, nil
}

// leaveToWalks takes away what walks will show with fewer requests, and asks for the walks: that
// over what is tracked and, for what it did not answer, that over containers with their events.
func (t *tenure) leaveToWalks(ctx context.Context, errands []*errand) ([]*errand, error) {
	for _, s := range []*plan.List{plan.ActiveList, plan.ContainerList} {
		if len(errands) < 2 {
			break // a walk takes as many requests, and most polls find nothing at all
		}
		var last store.WalkState
		if has, err := t.db.LatestWalk(ctx, s, "done", &last); !has {
			return errands, err
		}
		if fails, err := t.db.WalkFails(ctx, s); fails || err != nil {
			return errands, err
		}
		end, err := t.db.CursorNumber(ctx, s.Name+store.CursorUntilSuffix)
		if err != nil {
			return nil, err
		}
		rest := slices.DeleteFunc(slices.Clone(errands), func(e *errand) bool { return e.isShownBy(end) })
		if len(errands)-len(rest) > max(last.Page, 1) {
			t.walkNow(s)
			errands = rest
		}
	}
	return errands, nil
}

// isShownBy reports whether a walk will show what an errand is for. If all its marks are from
// before the latest such walk ended at this ticket, that did not answer them.
func (e *errand) isShownBy(end int64) bool {
	isOld := func(m plan.Mark) bool { return m.Ticket <= end || m.Attempts > 0 }
	return e.Type == "shipment" && !slices.ContainsFunc(e.marks, isOld)
}

// run reads what an errand is for.
func (t *tenure) run(ctx context.Context, e *errand) error {
	list, r, err := t.service.resource(ctx, e.Ref)
	switch {
	case t.isOver(ctx, err):
		return err
	case isMissing(err):
		return t.notFound(ctx, r, e)
	case err != nil:
		t.opts.Log.Warn("a read failed; it is repeated later", slog.String("type", e.Type), slog.String("id", e.ID), slog.Any("error", err))
		return t.delay(ctx, e.marks, err)
	}
	err = t.db.Apply(ctx, t.lease, "poll", func(t *store.Tx) error {
		if err := t.Write(ctx, r, list); err != nil {
			return err
		}
		if err := e.keepMarks(ctx, t, list); err != nil { // before others are made: these have waited
			return err
		}
		return t.MarkNamed(ctx, r, list)
	})
	switch {
	case err != nil && t.isOver(ctx, err):
		return err
	case err != nil:
		t.opts.Log.Error("a reading could not be stored; it is repeated later", slog.String("type", e.Type), slog.String("id", e.ID), slog.Any("error", err))
		return t.delay(ctx, e.marks, err) // fails too if it is the database
	}
	return t.rest(ctx, r, e, list)
}

// keepMarks puts the marks of containers back that the response about their shipment showed
// without their events. The read by itself, which follows, takes them away; if it fails, they stay.
func (e *errand) keepMarks(ctx context.Context, t *store.Tx, list []*model.Resource) error {
	for _, m := range e.marks {
		shown := model.Find(list, m.Ref)
		if e.Ref == m.Ref || m.Type != "container" || shown == nil || model.HasEvents(shown, list) {
			continue
		}
		if err := t.PutBack(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// rest reads the containers by themselves that the response about their shipment did not show with
// their events.
func (t *tenure) rest(ctx context.Context, r plan.Reading, e *errand, list []*model.Resource) error {
	for _, m := range e.marks {
		shown := model.Find(list, m.Ref)
		switch {
		case shown != nil && (m.Type != "container" || e.Type == "container" || model.HasEvents(shown, list)):
		case e.Ref == m.Ref: // the response is about another resource
			if err := t.notFound(ctx, r, &errand{m.Ref, []plan.Mark{m}}); err != nil {
				return err
			}
		default:
			if err := t.run(ctx, &errand{m.Ref, []plan.Mark{m}}); err != nil {
				return err
			}
		}
	}
	return nil
}

// notFound handles a 404, or a response about another resource, such as the shipment that this one
// was merged into. The first one may come from a copy of the service's data that lags.
func (t *tenure) notFound(ctx context.Context, r plan.Reading, e *errand) error {
	for _, m := range e.marks {
		switch {
		case m.Ref != e.Ref:
			if err := t.run(ctx, &errand{m.Ref, []plan.Mark{m}}); err != nil {
				return err
			}
		case m.Attempts == 0:
			if err := t.delay(ctx, []plan.Mark{m}, nil); err != nil {
				return err
			}
		default:
			err := t.db.Apply(ctx, t.lease, "poll", func(t *store.Tx) error { return t.SettleAbsent(ctx, r, m) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// delay moves marks to a later time, each time later.
func (t *tenure) delay(ctx context.Context, marks []plan.Mark, cause error) error {
	return t.db.Apply(ctx, t.lease, "poll delay", func(tx *store.Tx) error {
		for _, m := range marks {
			wait := min(t.opts.Settle<<min(m.Attempts, 20), mostDelay)
			if errors.Is(cause, errUnreadable) || errors.Is(cause, terminal49.ErrForbidden) {
				wait = store.AbsentWait
			}
			if err := tx.PutOff(ctx, m, wait); err != nil {
				return err
			}
		}
		return nil
	})
}

// each calls f with all of a list, some of them side by side, until one fails.
func each[T any](ctx context.Context, width int, list []T, f func(context.Context, T) error) error {
	g := newGroup(ctx)
	var mu sync.Mutex
	take := func() (one T, has bool) {
		mu.Lock()
		defer mu.Unlock()
		if has = len(list) > 0; has {
			one, list = list[0], list[1:]
		}
		return one, has
	}
	for range min(width, len(list)) {
		g.start(func(ctx context.Context) error {
			for one, has := take(); has && ctx.Err() == nil; one, has = take() {
				if err := f(ctx, one); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return g.wait()
}
