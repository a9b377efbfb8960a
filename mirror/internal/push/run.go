package push

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

const (
	pollEvery  = 50 * time.Millisecond  // the feed, while it grows
	idleEvery  = 100 * time.Millisecond // the feed, otherwise
	watchEvery = time.Second            // the row of the push
	saveEvery  = 200 * time.Millisecond
	quietEvery = 2 * time.Second // saves of nothing but the place in the feed
	page       = 500             // changes that are read at a time
	graceTime  = 3 * time.Second // for requests under way when the sender is asked to end
)

// run is a sender between two readings of its row.
type run struct {
	*Sender
	lease   *store.Lease
	q       *queue
	version int64
	replays int64
	source  string

	end       model.Position // of what was read
	seen      string         // the end of the feed, when it was last read to its end
	grownAt   time.Time      // when the feed was last seen to have grown
	savedAt   time.Time
	watchedAt time.Time
	more      bool // the last page was full
	sends     chan sendDone
	saves     chan saveDone
}

type sendDone struct {
	item   *item
	result result
}

type saveDone struct {
	save save
	err  error
}

// turn sends from the stored position on, until ctx ends or an error.
func (s *Sender) turn(ctx context.Context, l *store.Lease) error {
	p, err := s.begin(ctx, l)
	if err != nil {
		return err
	}
	at, _ := model.ParsePosition(p.Position)
	r := &run{
		Sender: s, lease: l, q: newQueue(s.opts.Attempts, p.Position, time.Now()), version: p.Version, replays: p.Replays,
		end: at, seen: "?", sends: make(chan sendDone, width), saves: make(chan saveDone, 1),
	}
	if r.source, err = s.source(ctx); err != nil {
		return err
	}
	r.q.latest = at.Seq
	parked, err := s.db.ParkedDeliveries(ctx, s.opts.Name, at.Seq)
	if err := errors.Join(err, r.loadPending(ctx)); err != nil {
		return err
	}
	for _, v := range parked {
		r.q.skip[v.Change.Seq] = true
	}
	under, cancel := context.WithCancel(context.WithoutCancel(ctx)) // of requests and saves
	err = r.loop(ctx, under)
	if !isOver(err) {
		if wound := r.wind(under); !errors.Is(wound, ErrGone) || !errors.Is(err, ErrGone) { // each of several may be answered 410
			err = errors.Join(err, wound)
		}
	}
	cancel()
	r.drain()
	return err
}

// isOver reports whether the sender may not write any more, after an error.
func isOver(err error) bool {
	return errors.Is(err, store.ErrLeaseLost) || errors.Is(err, store.ErrPushMoved) || errors.Is(err, store.ErrReplaced)
}

// loadPending adds the deliveries of the table that are not here.
func (r *run) loadPending(ctx context.Context) error {
	list, err := r.db.PendingDeliveries(ctx, r.opts.Name)
	for _, v := range list {
		r.q.restore(v)
	}
	return err
}

// loop reads, sends and saves until ctx ends.
func (r *run) loop(ctx, under context.Context) error {
	for ctx.Err() == nil {
		if err := r.read(ctx); err != nil {
			return err
		}
		r.sendAll(under)
		r.save(under, false)
		if err := r.wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// read reads changes that the queue has room for.
func (r *run) read(ctx context.Context) error {
	if now := time.Now(); now.Sub(r.watchedAt) >= watchEvery {
		r.watchedAt = now
		if err := r.watch(ctx); err != nil {
			return err
		}
	}
	if r.q.room() < page {
		r.more = false // a result makes room
		return nil
	}
	if !r.more {
		end, err := r.db.End(ctx)
		if err != nil || end == r.seen {
			return err
		}
	}
	list, err := r.db.ChangesAfter(ctx, r.end, page)
	if err != nil {
		return err
	}
	r.grownAt = time.Now()
	for _, c := range list {
		r.q.read(store.Delivery{Change: c}, r.filter.selects(c.Kind, c.Attribute))
		r.end, _ = model.ParsePosition(c.Position)
	}
	r.more, r.seen = len(list) == page, r.end.String()
	return nil
}

// watch reads the row of the push, which other processes may have changed.
func (r *run) watch(ctx context.Context) error {
	p, has, err := r.db.Push(ctx, r.opts.Name)
	switch {
	case err != nil:
		return err
	case !has || p.Version != r.version && !r.q.saving:
		return store.ErrPushMoved
	case p.Replays != r.replays:
		r.replays = p.Replays
		if err := r.loadPending(ctx); err != nil {
			return err
		}
	}
	if r.source == Source("") {
		r.source, err = r.Sender.source(ctx)
	}
	return err
}

// sendAll starts the requests that are due.
func (r *run) sendAll(under context.Context) {
	for it := r.q.next(time.Now()); it != nil; it = r.q.next(time.Now()) {
		v, has := it.Delivery, it.hasValues
		go func() { r.sends <- sendDone{it, r.send(under, v, has)} }()
	}
}

// send sends a change.
func (r *run) send(ctx context.Context, v store.Delivery, hasValues bool) result {
	if !hasValues {
		old, now, has, err := r.db.DeliveryValues(ctx, r.opts.Name, v.Change.Seq)
		if err != nil || !has {
			return result{unsent: err != nil, gone: err == nil}
		}
		v.Change.Old, v.Change.New = old, now
	}
	data, err := body(r.source, v)
	if err != nil {
		return result{problem: "the change cannot be written as JSON"}
	}
	r.db.Reach("push: before request")
	defer r.db.Reach("push: after response")
	return r.to.post(ctx, data)
}

// save starts a save if there is something to save, and it is time.
func (r *run) save(under context.Context, now bool) {
	at := time.Now()
	if r.q.saving || !now && at.Sub(r.savedAt) < saveEvery {
		return
	}
	s, some := r.q.progress(at, r.db.Now())
	if !some || !now && !s.urgent && at.Sub(r.savedAt) < quietEvery {
		return
	}
	s.Name, s.Version = r.opts.Name, r.version
	r.savedAt = at
	r.q.begin(s)
	go func() { r.saves <- saveDone{s, r.db.SavePush(under, r.lease, s.PushSave)} }()
}

// wait waits for a result, a save, the next poll or the next change that is due.
func (r *run) wait(ctx context.Context) error {
	wait := idleEvery
	if time.Since(r.grownAt) < time.Second {
		wait = pollEvery
	}
	if r.more && r.q.room() >= page {
		wait = 0
	}
	if at := r.q.wake(); !at.IsZero() {
		wait = min(wait, max(time.Until(at), time.Millisecond))
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case d := <-r.sends:
		return r.settle(d)
	case d := <-r.saves:
		return r.finish(d)
	case <-timer.C:
	case <-ctx.Done():
	}
	return nil
}

// settle notes the result of a request, and those of others that have ended.
func (r *run) settle(d sendDone) error {
	for {
		was := r.q.away
		r.q.settle(d.item, d.result, time.Now(), r.db.Now())
		r.report(d, was)
		if d.result.stop {
			return fmt.Errorf("%w; everything that it has not accepted is kept, and sent when it is started again", ErrGone)
		}
		select {
		case d = <-r.sends:
		default:
			return nil
		}
	}
}

// report logs what a user may want to know.
func (r *run) report(d sendDone, wasAway bool) {
	switch {
	case !d.item.ParkedAt.IsZero():
		r.log.Warn("a delivery is parked; terminal49-mirror push replay sends it again", slog.String("id", d.item.Change.Position),
			slog.String("subject", subject(d.item.Change.Kind, d.item.Change.ID)), slog.String("problem", d.result.problem))
	case r.q.away && !wasAway:
		r.log.Warn("the receiver does not accept; one delivery at a time is tried until it does", slog.String("problem", d.result.problem))
	case wasAway && !r.q.away:
		r.log.Info("the receiver accepts again")
	}
}

// finish notes the result of a save.
func (r *run) finish(d saveDone) error {
	r.q.finish(d.save, d.err == nil)
	switch {
	case d.err == nil:
		r.version++
		return nil
	case isOver(d.err):
		return d.err
	}
	r.savedAt = time.Now().Add(time.Second) // then it is tried again
	r.log.Error("the position could not be stored; it is repeated", slog.Any("error", d.err))
	return nil
}

// wind waits for the requests under way when the sender is asked to end, and saves.
func (r *run) wind(under context.Context) error {
	timer := time.NewTimer(graceTime)
	defer timer.Stop()
	for saved := false; len(r.q.busy) > 0 || r.q.saving || !saved; {
		if len(r.q.busy) == 0 && !r.q.saving {
			saved = true
			r.save(under, true)
			continue
		}
		select {
		case d := <-r.sends:
			if err := r.settle(d); err != nil {
				return err
			}
		case d := <-r.saves:
			if err := r.finish(d); err != nil {
				return err
			}
		case <-timer.C:
			return nil
		}
	}
	return nil
}

// drain waits until the goroutines have ended, whose context has.
func (r *run) drain() {
	for len(r.q.busy) > 0 {
		delete(r.q.busy, (<-r.sends).item)
	}
	if r.q.saving {
		<-r.saves
	}
}
