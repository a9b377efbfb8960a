package mirror

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
)

const (
	pollEvery   = time.Second
	pollsAhead  = 4              // requests side by side
	marksAhead  = 1000           // marks that are read from the table at a time
	pollsAtOnce = 60             // requests of a round, so that rounds end and newer marks are seen
	mostDelay   = time.Hour      // between two reads that fail
	mostAbsent  = 24 * time.Hour // between two reads of what the service does not have, and no table either
)

// errand is one request and the marks that it may answer: of a shipment and its containers.
type errand struct {
	model.Ref
	marks []plan.Mark
}

// poll reads what is marked and due. If that takes more requests than a walk, the walk does it.
func (t *tenure) poll(ctx context.Context) error {
	marks, err := t.due(ctx)
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
	if time.Since(t.polled) < leaseTime {
		return nil
	}
	t.polled = time.Now()
	return t.apply(ctx, t.lease, "poll end", func(t *tx) error { return t.did(ctx, pollDone) })
}

// due returns the marks whose time has come.
func (t *tenure) due(ctx context.Context) (list []plan.Mark, err error) {
	rows, err := t.db.pool.QueryContext(ctx, t.db.sql(`
select kind, id, ticket, attempts from t49.dirty where due_at <= $1 order by due_at, kind, id limit $2`),
		t.db.time(time.Now()), marksAhead)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has its error
	for rows.Next() {
		var m plan.Mark
		if err := rows.Scan(&m.Type, &m.ID, &m.Ticket, &m.Attempts); err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, rows.Err()
}

// errands groups marks by shipment: one request shows it with its containers. A mark that failed is
// read by itself, so that it holds up no other.
func (t *tenure) errands(ctx context.Context, marks []plan.Mark) (list []*errand, err error) {
	byTarget := map[model.Ref]*errand{}
	for _, m := range marks {
		target := m.Ref
		if m.Type == "container" && m.Attempts == 0 {
			if target, err = t.shipmentOf(ctx, m.Ref); err != nil {
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

// shipmentOf returns the shipment of a container, or the container if it is unknown.
func (t *tenure) shipmentOf(ctx context.Context, container model.Ref) (model.Ref, error) {
	var shipment sql.NullString
	_, err := found(t.db.pool.QueryRowContext(ctx, t.db.sql("select shipment_id from t49.containers where id = $1"), container.ID).Scan(&shipment))
	if err != nil || !shipment.Valid {
		return container, err
	}
	return model.Ref{Type: "shipment", ID: shipment.String}, nil
}

// leaveToWalks takes away what walks will show with fewer requests, and asks for the walks: that
// over what is tracked and, for what it did not answer, that over containers with their events.
func (t *tenure) leaveToWalks(ctx context.Context, errands []*errand) ([]*errand, error) {
	for _, s := range []*plan.List{plan.ActiveList, plan.ContainerList} {
		if len(errands) < 2 {
			break // a walk takes as many requests, and most polls find nothing at all
		}
		var last walkState
		if has, err := t.db.walk(ctx, s, "done", &last); !has {
			return errands, err
		}
		if fails, err := t.db.fails(ctx, s); fails || err != nil {
			return errands, err
		}
		end, err := t.db.number(ctx, s.Name+untilCursor)
		if err != nil {
			return nil, err
		}
		rest := slices.DeleteFunc(slices.Clone(errands), func(e *errand) bool { return e.isShownBy(end) })
		if len(errands)-len(rest) > max(last.page, 1) {
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
	list, r, err := t.resource(ctx, e.Ref)
	switch {
	case t.isOver(ctx, err):
		return err
	case isMissing(err):
		return t.notFound(ctx, r, e)
	case err != nil:
		t.log.Warn("a read failed; it is repeated later", slog.String("type", e.Type), slog.String("id", e.ID), slog.Any("error", err))
		return t.delay(ctx, e.marks, err)
	}
	err = t.apply(ctx, t.lease, "poll", func(t *tx) error {
		if err := t.write(ctx, r, list); err != nil {
			return err
		}
		if err := t.keepMarks(ctx, e, list); err != nil { // before others are made: these have waited
			return err
		}
		return t.markNamed(ctx, r, list)
	})
	switch {
	case err != nil && t.isOver(ctx, err):
		return err
	case err != nil:
		t.log.Error("a reading could not be stored; it is repeated later", slog.String("type", e.Type), slog.String("id", e.ID), slog.Any("error", err))
		return t.delay(ctx, e.marks, err) // fails too if it is the database
	}
	return t.rest(ctx, r, e, list)
}

// keepMarks puts the marks of containers back that the response about their shipment showed
// without their events. The read by itself, which follows, takes them away; if it fails, they stay.
func (t *tx) keepMarks(ctx context.Context, e *errand, list []*model.Resource) error {
	for _, m := range e.marks {
		shown := model.Find(list, m.Ref)
		if e.Ref == m.Ref || m.Type != "container" || shown == nil || model.HasEvents(shown, list) {
			continue
		}
		if err := t.insertMark(ctx, m, t.now); err != nil {
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
			err := t.apply(ctx, t.lease, "poll", func(t *tx) error { return t.settleAbsent(ctx, r, m) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// settleAbsent notes a second 404. A resource that has a row is then left to the walks. One that
// has none keeps its mark, so that what names it does not mark it again, and is read once a day.
func (t *tx) settleAbsent(ctx context.Context, r plan.Reading, m plan.Mark) error {
	has, err := t.absent(ctx, r, m.Ref, time.Time{})
	if err != nil {
		return err
	}
	if has {
		_, err = t.exec(ctx, "delete from t49.dirty where kind = $1 and id = $2 and ticket = $3", m.Type, m.ID, m.Ticket)
		return err
	}
	return t.putOff(ctx, m, mostAbsent)
}

// delay moves marks to a later time, each time later.
func (t *tenure) delay(ctx context.Context, marks []plan.Mark, cause error) error {
	return t.apply(ctx, t.lease, "poll delay", func(tx *tx) error {
		for _, m := range marks {
			wait := min(t.settle<<min(m.Attempts, 20), mostDelay)
			if errors.Is(cause, errUnreadable) || errors.Is(cause, terminal49.ErrForbidden) {
				wait = mostAbsent
			}
			if err := tx.putOff(ctx, m, wait); err != nil {
				return err
			}
		}
		return nil
	})
}

// putOff moves a mark to a later time, unless the resource was marked again.
func (t *tx) putOff(ctx context.Context, m plan.Mark, wait time.Duration) error {
	_, err := t.exec(ctx, "update t49.dirty set due_at = $1, attempts = attempts + 1 where kind = $2 and id = $3 and ticket = $4",
		t.time(t.now.Add(wait)), m.Type, m.ID, m.Ticket)
	return err
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
