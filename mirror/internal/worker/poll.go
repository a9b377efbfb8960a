package worker

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

const (
	pollsAhead  = 4         // requests side by side
	marksAhead  = 1000      // marks that are read from the table at a time
	pollsAtOnce = 60        // requests of a round, so that rounds end and newer marks are seen
	mostDelay   = time.Hour // between two reads that fail
	noteEvery   = 30 * time.Second
)

// request is a request for a resource, and the marks that its response may answer.
type request struct {
	model.Ref
	marks []plan.Mark
}

// poller reads what is marked.
type poller struct {
	turn    *turn
	service *Service
	asked   *asked
	settle  time.Duration // before a failed read is repeated the first time
	notedAt time.Time     // when a round was last noted
}

// poll reads what is marked and due. If that takes more requests than a walk, the walk does it.
func (p *poller) poll(ctx context.Context) error {
	marks, err := p.turn.db.DueMarks(ctx, marksAhead)
	if err != nil {
		return err
	}
	requests, err := p.requests(ctx, marks)
	if err != nil {
		return err
	}
	if requests, err = p.leaveToWalks(ctx, requests); err != nil {
		return err
	}
	if err := each(ctx, pollsAhead, requests[:min(len(requests), pollsAtOnce)], p.read); err != nil {
		return err
	}
	if time.Since(p.notedAt) < noteEvery {
		return nil
	}
	p.notedAt = time.Now()
	return p.turn.write(ctx, "poll end", func(tx *store.Tx) error { return tx.NoteDone(ctx, store.CursorPolled) })
}

// requests groups marks by shipment: one request reads it with its containers. A mark whose read
// failed is read by itself, so that it does not delay others.
func (p *poller) requests(ctx context.Context, marks []plan.Mark) (list []*request, err error) {
	byTarget := map[model.Ref]*request{}
	for _, m := range marks {
		target := m.Ref
		if m.Type == "container" && m.Attempts == 0 {
			if target, err = p.turn.db.ShipmentOf(ctx, m.Ref); err != nil {
				return nil, err
			}
		}
		e := byTarget[target]
		if e == nil {
			e = &request{Ref: target}
			byTarget[target] = e
			list = append(list, e)
		}
		e.marks = append(e.marks, m)
	}
	return list, nil
}

// leaveToWalks removes requests that a walk replaces with fewer, and asks for that walk. It first
// tries the walk over tracked shipments and then, for the remaining requests, the walk over
// containers.
func (p *poller) leaveToWalks(ctx context.Context, requests []*request) ([]*request, error) {
	for _, s := range []*plan.List{plan.ActiveList, plan.ContainerList} {
		if len(requests) < 2 {
			break // a walk takes as many requests, and most polls find nothing at all
		}
		var last store.WalkState
		if has, err := p.turn.db.LatestWalk(ctx, s, "done", &last); !has {
			return requests, err
		}
		if fails, err := p.turn.db.WalkFails(ctx, s); fails || err != nil {
			return requests, err
		}
		end, err := p.turn.db.CursorNumber(ctx, s.Name+store.CursorUntilSuffix)
		if err != nil {
			return nil, err
		}
		rest := slices.DeleteFunc(slices.Clone(requests), func(e *request) bool { return e.isShownBy(end) })
		if len(requests)-len(rest) > max(last.Page, 1) {
			p.asked.walk(s)
			requests = rest
		}
	}
	return requests, nil
}

// isShownBy reports whether the next walk over a list will show what a request is for. end is the
// ticket at which the latest walk over the list ended. If that walk did not remove an older mark,
// the next one will not either.
func (e *request) isShownBy(end int64) bool {
	isOld := func(m plan.Mark) bool { return m.Ticket <= end || m.Attempts > 0 }
	return e.Type == "shipment" && !slices.ContainsFunc(e.marks, isOld)
}

// read reads what a request is for.
func (p *poller) read(ctx context.Context, e *request) error {
	list, r, err := p.service.Resource(ctx, e.Ref)
	switch {
	case p.turn.isOver(ctx, err):
		return err
	case IsMissing(err):
		return p.notFound(ctx, r, e)
	case err != nil:
		p.turn.log.Warn("a read failed; it is repeated later", slog.String("type", e.Type), slog.String("id", e.ID), slog.Any("error", err))
		return p.delay(ctx, e.marks, err)
	}
	err = p.turn.write(ctx, "poll", func(tx *store.Tx) error {
		if err := tx.Write(ctx, r, list); err != nil {
			return err
		}
		if err := e.keepMarks(ctx, tx, list); err != nil { // before others are made: these have waited
			return err
		}
		return tx.MarkNamed(ctx, r, list)
	})
	switch {
	case err != nil && p.turn.isOver(ctx, err):
		return err
	case err != nil:
		p.turn.log.Error("a reading could not be stored; it is repeated later", slog.String("type", e.Type), slog.String("id", e.ID), slog.Any("error", err))
		return p.delay(ctx, e.marks, err) // fails too if it is the database
	}
	return p.rest(ctx, e, list)
}

// keepMarks restores the marks of containers that the response about their shipment has without
// their events. They are read by themselves afterwards; if that fails, the marks stay.
func (e *request) keepMarks(ctx context.Context, tx *store.Tx, list []*model.Resource) error {
	for _, m := range e.marks {
		shown := model.Find(list, m.Ref)
		if e.Ref == m.Ref || m.Type != "container" || shown == nil || model.HasEvents(shown, list) {
			continue
		}
		if err := tx.PutBack(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// rest reads, one by one, the containers that the response about their shipment did not show with
// their events.
func (p *poller) rest(ctx context.Context, e *request, list []*model.Resource) error {
	for _, m := range e.marks {
		shown := model.Find(list, m.Ref)
		switch {
		case shown != nil && (m.Type != "container" || e.Type == "container" || model.HasEvents(shown, list)):
		case e.Ref == m.Ref: // success without the resource
			if err := p.notShown(ctx, m, func(tx *store.Tx) error { return tx.LeaveToWalks(ctx, m) }); err != nil {
				return err
			}
		default:
			if err := p.read(ctx, &request{m.Ref, []plan.Mark{m}}); err != nil {
				return err
			}
		}
	}
	return nil
}

// notFound handles a 404.
func (p *poller) notFound(ctx context.Context, r plan.Reading, e *request) error {
	for _, m := range e.marks {
		var err error
		if m.Ref == e.Ref {
			err = p.notShown(ctx, m, func(tx *store.Tx) error { return tx.SettleAbsent(ctx, r, m) })
		} else {
			err = p.read(ctx, &request{m.Ref, []plan.Mark{m}})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// notShown handles a response without the resource. The first one only delays the mark, because it
// may come from a replica that lags. After another one, notShown calls settle.
func (p *poller) notShown(ctx context.Context, m plan.Mark, settle func(*store.Tx) error) error {
	if m.Attempts == 0 {
		return p.delay(ctx, []plan.Mark{m}, nil)
	}
	return p.turn.write(ctx, "poll", settle)
}

// delay postpones marks, longer after each attempt.
func (p *poller) delay(ctx context.Context, marks []plan.Mark, cause error) error {
	return p.turn.write(ctx, "poll delay", func(tx *store.Tx) error {
		for _, m := range marks {
			wait := min(p.settle<<min(m.Attempts, 20), mostDelay)
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
