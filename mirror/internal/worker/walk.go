package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"strconv"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

const (
	LargestPage  = 100
	SmallestPage = 12 // it is halved down to this
	mostAhead    = 4  // pages that are requested side by side
	mostBacks    = 5  // how often a walk goes back from one page
)

// walker reads the pages of a list in order, and stores each together with the progress of the
// walk. While one page is stored, the next ones are being requested.
//
// The service may serve concurrent requests in any order. If the list changes meanwhile, a resource
// may move between pages. So if a page shows that the list changed after the page before, the walk
// discards the page and those after it, and requests it again alone. If the list is still shorter,
// the walk goes one page back.
type walker struct {
	turn     *turn
	opts     *Options
	service  *Service
	list     *plan.List
	state    store.WalkState
	pending  []*pageRequest  // under way, by page number
	width    int             // limits pending
	previous map[string]bool // ids on the page that was stored last
	furthest int             // number of a page that was stored
	backs    int             // how often the walk went back from the page after it
	repeats  int             // pages in a row with nothing new
	refuted  bool            // the service ignores the filter
	odd      int             // parts of its pages are in an unknown form
	resumed  bool            // not walked in one go
	caughtUp bool            // what follows is stored
}

// pageRequest is a request under way.
type pageRequest struct {
	number int
	alone  bool // sent after the page before had arrived
	came   chan *page
	cancel context.CancelFunc
}

type page struct {
	doc      model.Document
	reading  plan.Reading
	number   int
	err      error
	panicked any
}

// step stores a page and returns the number of the next one; 0 if it was the last.
func (w *walker) step(ctx context.Context, number int) (int, error) {
	w.request(ctx, number)
	first := w.pending[0]
	p := <-first.came
	first.cancel()
	w.pending = w.pending[1:]
	if next, err := w.instead(ctx, p, first.alone); next > 0 || err != nil {
		return next, err
	}
	if !w.list.Latest {
		w.width = min(2*w.width, mostAhead)
	}
	opening := w.previous == nil
	last := w.isLast(p)
	w.measure(p, opening && !last)
	if !last && !w.list.Latest {
		w.request(ctx, number+1)
	}
	if err := w.store(ctx, p); err != nil || last || w.caughtUp {
		return 0, err
	}
	return number + 1, nil
}

// instead returns the number of the page to be requested instead of storing p; 0 if p is to be
// stored.
func (w *walker) instead(ctx context.Context, p *page, alone bool) (int, error) {
	switch {
	case p.panicked != nil:
		panic(p.panicked)
	case p.err != nil && IsTooMuch(p.err) && w.state.Size > SmallestPage && ctx.Err() == nil:
		w.drop()
		return w.halve(p.number), nil
	case p.err != nil:
		return 0, p.err
	case !alone && w.changed(p):
		w.drop()
		w.width = 1
		return p.number, nil
	case w.skips(p):
		return w.back(p), nil
	}
	return 0, nil
}

// request sends requests for a page and those after it, until width are under way or the list ends.
func (w *walker) request(ctx context.Context, number int) {
	for len(w.pending) < w.width {
		next := number + len(w.pending)
		if len(w.pending) > 0 && (w.state.Total < 0 || next > (w.state.Total-1)/w.state.Size+1) {
			return
		}
		r := &pageRequest{number: next, alone: len(w.pending) == 0, came: make(chan *page, 1)}
		w.pending = append(w.pending, r)
		var under context.Context
		under, r.cancel = context.WithCancel(ctx)
		go w.fetch(under, r, w.state.Size)
	}
}

func (w *walker) fetch(ctx context.Context, r *pageRequest, size int) {
	p := &page{number: r.number}
	defer func() {
		p.panicked = recover()
		r.came <- p
	}()
	query := maps.Clone(w.list.Query)
	if query == nil {
		query = url.Values{}
	}
	if !w.list.Unpaged {
		query.Set("page[number]", strconv.Itoa(r.number))
		query.Set("page[size]", strconv.Itoa(size))
	}
	p.reading, p.err = w.service.send(ctx, w.list.Path, query, &p.doc, terminal49.WithRateLimitShare(w.opts.Share))
	p.reading.Source = "walk"
	if !w.list.Latest { // whose pages always differ
		p.reading.Page = plan.Page{List: w.list, Number: p.number}
	}
}

// drop cancels the requests under way and waits for their end.
func (w *walker) drop() {
	for _, r := range w.pending {
		r.cancel()
	}
	for _, r := range w.pending {
		if p := <-r.came; p.panicked != nil {
			panic(p.panicked)
		}
	}
	w.pending = nil
}

// changed reports whether a page shows that the list has changed since the page before was read.
func (w *walker) changed(p *page) bool {
	for _, r := range p.doc.Data {
		if w.previous[r.ID] {
			return true
		}
	}
	return p.doc.Meta.Total != nil && w.state.Total >= 0 && *p.doc.Meta.Total != w.state.Total
}

// skips reports whether rows may be missing between the page before and p: the list is shorter, so
// rows have moved forward to the page before. Something was deleted, or p comes from a lagging copy
// of the service's data.
func (w *walker) skips(p *page) bool {
	return !w.list.Latest && p.number > 1 && p.doc.Meta.Total != nil && *p.doc.Meta.Total < w.state.Total && w.backs < mostBacks
}

// back returns the number of the page before p, which now has the rows that moved forward.
func (w *walker) back(p *page) int {
	w.drop()
	w.width = 1
	w.backs++
	w.state.Total = *p.doc.Meta.Total
	return p.number - 1
}

// measure records the number of rows and, from the first page, the page size, which the service
// reduces without an error.
func (w *walker) measure(p *page, full bool) {
	if n := len(p.doc.Data); full && n < w.state.Size && len(p.doc.Odd) == 0 {
		w.state.Size = n
	}
	switch {
	case w.list.Unpaged:
		w.state.Total = len(p.doc.Data)
	case p.doc.Meta.Total != nil:
		w.state.Total = *p.doc.Meta.Total
	default:
		w.state.Total = -1
	}
}

// isLast reports whether there is no page after p. Some lists link a next page that repeats this
// one.
func (w *walker) isLast(p *page) bool {
	fresh := false
	ids := make(map[string]bool, len(p.doc.Data))
	for _, r := range p.doc.Data {
		ids[r.ID] = true
		fresh = fresh || !w.previous[r.ID]
	}
	if p.number > w.furthest { // it is not read again
		w.furthest, w.backs = p.number, 0
		w.repeats++
	}
	if fresh {
		w.repeats = 0
	}
	w.previous = ids
	return w.list.Unpaged || !model.HasNext(&p.doc) || model.IsEmpty(&p.doc) || w.repeats > 3
}

// halve makes pages smaller and returns the number of the page that has the first row of the page
// that could not be read.
func (w *walker) halve(number int) int {
	rows := (number - 1) * w.state.Size
	w.state.Size /= 2
	w.width = 1
	w.turn.log.Warn("the service did not answer in time; asking for smaller pages", slog.String("scope", w.list.Name), slog.Int("size", w.state.Size))
	return rows/w.state.Size + 1
}

// IsTooMuch reports whether a smaller page may succeed.
func IsTooMuch(err error) bool {
	return errors.Is(err, terminal49.ErrServer) || errors.Is(err, context.DeadlineExceeded)
}

// store writes a page and the progress of the walk.
func (w *walker) store(ctx context.Context, p *page) error {
	w.state.Page = p.number
	w.state.Seen = (p.number-1)*w.state.Size + len(p.doc.Data)
	w.check(p)
	return w.turn.write(ctx, "walk", func(tx *store.Tx) error {
		w.state.PageAt = tx.Now
		if w.list.Latest && !w.resumed {
			var err error
			if w.caughtUp, err = tx.IsStored(ctx, p.doc.Data); err != nil {
				return err
			}
		}
		if err := tx.WriteAll(ctx, p.reading, &p.doc); err != nil {
			return err
		}
		if err := tx.StartCursor(ctx, p.doc.Data); err != nil {
			return err
		}
		return tx.SetWalk(ctx, w.list, &w.state, "running", w.problem())
	})
}

// check counts what is left out, and detects that the service ignores the filter.
func (w *walker) check(p *page) {
	w.odd += len(p.doc.Odd)
	if w.list.Refutes == nil || w.refuted {
		return
	}
	for _, r := range p.doc.Data {
		if w.list.Refutes(r) {
			w.refuted = true
			w.turn.log.Warn("the service ignores a filter, so this walk reads everything", slog.String("scope", w.list.Name), slog.String("id", r.ID))
			return
		}
	}
}

// problem returns what a user should know about the walk; "" for nothing.
func (w *walker) problem() string {
	if w.refuted {
		return "the service ignores the filter, so the walk reads everything"
	}
	if w.odd > 0 {
		return fmt.Sprintf("%d parts of its pages are in an unknown form and were left out; the log names them", w.odd)
	}
	return ""
}

// begin resumes the walk over the list that was interrupted, or starts one.
func (w *walker) begin(ctx context.Context) error {
	found, err := w.turn.db.LatestWalk(ctx, w.list, "running", &w.state)
	if err != nil {
		return err
	}
	if found {
		w.resume()
		return nil
	}
	w.state = store.WalkState{Size: LargestPage, Total: -1, Started: time.Now()}
	if w.state.ID, err = w.turn.db.Draw(ctx); err != nil {
		return err
	}
	return w.turn.write(ctx, "walk begin", func(tx *store.Tx) error {
		w.state.Started, w.state.PageAt = tx.Now, tx.Now
		if err := tx.DropOldWalks(ctx, w.list); err != nil {
			return err
		}
		return tx.SetWalk(ctx, w.list, &w.state, "running", "")
	})
}

// resume continues a walk at its last stored page. A walk whose first pages are old starts again,
// because the next walk would read them too late. Pages that became small when the service had a
// problem become larger again.
func (w *walker) resume() {
	w.resumed = true
	every := w.opts.Active
	if w.list.Whole {
		every = w.opts.Whole
	}
	if w.list.Latest || plan.Wait(w.state.PageAt, every, w.turn.db.Now()) == 0 {
		w.state.Page = 0
	}
	if w.state.Size <= LargestPage/4 {
		w.state.Page = max(w.state.Page-1, 0)*w.state.Size/(LargestPage/2) + 1
		w.state.Size = LargestPage / 2
	}
}

// fail records why a walk cannot continue. The walk is resumed later, unless the service refuses
// it. A refused walk over an optional list counts as done, so that the mirror stays healthy.
func (w *walker) fail(ctx context.Context, cause error) error {
	if w.turn.isOver(ctx, cause) {
		return cause
	}
	w.drop()
	state := "running"
	switch refused := (*terminal49.APIError)(nil); {
	case w.list.Optional && errors.As(cause, &refused):
		state = "done"
	case IsRefused(cause):
		state = "stopped"
	}
	noted := w.turn.write(ctx, "walk fail", func(tx *store.Tx) error {
		return tx.SetWalk(ctx, w.list, &w.state, state, cause.Error())
	})
	return errors.Join(cause, noted)
}

// finish reads the rows that the walk did not show, and ends the walk. Rows that wait for the user
// do not keep it from ending.
func (w *walker) finish(ctx context.Context) error {
	w.turn.db.Reach("walk: before end")
	m := missing{walk: w}
	if w.list.Whole {
		if err := m.read(ctx); err != nil {
			return w.fail(ctx, err)
		}
	}
	w.turn.log.Info("walk done", slog.String("scope", w.list.Name), slog.Int("seen", w.state.Seen), slog.Duration("took", time.Since(w.state.Started)))
	return w.turn.write(ctx, "walk end", func(tx *store.Tx) error {
		problem := w.problem()
		if w.list.Whole {
			waiting, err := m.settle(ctx, tx)
			if err != nil {
				return err
			}
			problem = cmp.Or(waiting, problem)
		}
		if err := tx.NoteEnd(ctx, w.list); err != nil {
			return err
		}
		if err := tx.DropPages(ctx, w.list, w.state.ID); err != nil {
			return err
		}
		if w.list == plan.ContainerList {
			if err := tx.MarkOld(ctx); err != nil {
				return err
			}
		}
		return tx.SetWalk(ctx, w.list, &w.state, "done", problem)
	})
}
