package mirror

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/worklist"
)

// Overview answers worklists and counts over a whole account, with filters, in a fraction of the
// time of [Reader.Worklist]. It keeps a [worklist.Record] of each container in memory, about 1.3
// KB. Each call reads first what the database has stored since the last one, so the answers are of
// one state of the database. If the database was restored or replaced, it reads everything again.
// It is safe for concurrent use; there is nothing to close.
type Overview struct {
	reader     *Reader
	turn       chan struct{} // holds a value while a call refreshes the rest
	moment     store.Moment
	all        *worklist.Set
	unreadable map[string]bool // ids of rows
}

// Overview returns a new Overview of the reader's database. It reads nothing yet: the first call
// reads a row of each container.
func (r *Reader) Overview() *Overview {
	return &Overview{reader: r, turn: make(chan struct{}, 1), all: worklist.NewSet(0)}
}

// ListOptions configures [Overview.List]. The zero value lists all containers, the most urgent
// first.
type ListOptions struct {
	worklist.Filter
	Order   worklist.Order
	Limit   int // how many containers to return; default 50
	Offset  int // how many to leave out before
	Verdict terminal49.VerdictOptions
}

// List returns the containers that a filter selects, at a time, without those that are deleted. See
// [Reader.Worklist].
//
// Errors: those of [Reader.Worklist], of [worklist.Set.Ask] and of [worklist.Question.List].
func (o *Overview) List(ctx context.Context, now time.Time, opts ListOptions) (*Worklist, error) {
	page := worklist.ListOptions{Order: opts.Order, Offset: opts.Offset, Limit: cmp.Or(opts.Limit, 50)}
	if err := page.Check(); err != nil {
		return nil, err
	}
	of, q, err := o.ask(ctx, now, opts.Filter, opts.Verdict)
	if err != nil {
		return nil, err
	}
	defer of.End()
	l, err := q.List(page)
	if err != nil {
		return nil, err
	}
	return read(ctx, of, q, l)
}

// CountOptions configures [Overview.Count].
type CountOptions struct {
	worklist.Filter
	By      []worklist.Key // one or two
	Verdict terminal49.VerdictOptions
}

// Counts is what [Overview.Count] returns.
type Counts struct {
	worklist.Counts
	Waiting  int // see Worklist
	Meanings []worklist.Meaning
}

// Count counts the containers that a filter selects, at a time, by one or two keys. See
// [worklist.Question.Count].
//
// Errors: those of [Overview.List].
func (o *Overview) Count(ctx context.Context, now time.Time, opts CountOptions) (*Counts, error) {
	of, q, err := o.ask(ctx, now, opts.Filter, opts.Verdict)
	if err != nil {
		return nil, err
	}
	defer of.End()
	counts, err := q.Count(opts.By...)
	if err != nil {
		return nil, err
	}
	return &Counts{*counts, of.Waiting, q.Meanings()}, nil
}

// ask reads what was stored since the last call, and returns the state that it has read with a
// question to all containers. The caller must end the state. One call after the other does so, so
// that none reads an earlier state than the last one.
func (o *Overview) ask(ctx context.Context, now time.Time, f worklist.Filter, opts terminal49.VerdictOptions) (*store.Standings, *worklist.Question, error) {
	if o.reader.err != nil {
		return nil, nil, o.reader.err
	}
	select {
	case o.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	defer func() { <-o.turn }()
	of, err := o.reader.db.Standings(ctx)
	if err != nil {
		return nil, nil, o.reader.db.Explain(err)
	}
	var q *worklist.Question
	if err = o.update(ctx, of); err == nil {
		q, err = o.all.Ask(now, f, opts)
	}
	if err != nil {
		of.End()
		return nil, nil, err
	}
	of.Waiting += len(o.unreadable)
	return of, q, nil
}

// update makes the records those of a state of the database.
func (o *Overview) update(ctx context.Context, of *store.Standings) error {
	now, livedOn, err := of.Moment(ctx, o.moment)
	if err != nil {
		return err
	}
	since := o.moment
	if !livedOn {
		since, o.all, o.unreadable = store.Moment{}, worklist.NewSet(now.Rows), map[string]bool{}
	}
	o.moment = store.Moment{} // until all is read, the records are of no moment
	if err := of.Since(ctx, since, o.put); err != nil {
		return err
	}
	if o.all.Len()+len(o.unreadable) != now.Rows { // some were deleted
		ids, err := of.IDs(ctx)
		if err != nil {
			return err
		}
		o.keep(ids)
	}
	o.moment = now
	return nil
}

// put stores the record of a row.
func (o *Overview) put(row store.Stored) {
	if row.Err != nil {
		o.all.Remove(row.ID)
		o.unreadable[row.ID] = true
		return
	}
	o.all.Put(row.Record)
	delete(o.unreadable, row.ID)
}

// keep removes the records whose id is not in ids.
func (o *Overview) keep(ids map[string]bool) {
	for id := range o.unreadable {
		if !ids[id] {
			delete(o.unreadable, id)
		}
	}
	for _, id := range slices.Collect(o.all.IDs()) {
		if !ids[id] {
			o.all.Remove(id)
		}
	}
}
