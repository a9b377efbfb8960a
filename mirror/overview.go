package mirror

import (
	"context"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// Overview answers worklists and counts over a whole account, with filters, in a fraction of the
// time of [Reader.Worklist] and [Reader.Counts]. It keeps what these need of each container in
// memory, about 1.3 KB. Each call reads first what the database has stored since the last one, so
// the answers are of one state of the database. If the database was restored or replaced, it reads
// everything again. It is safe for concurrent use; there is nothing to close.
type Overview struct {
	reader *Reader
	turn   chan struct{} // holds a value while a call refreshes the rest
	moment store.Moment
	all    *inventory
}

// Overview returns a new Overview of the reader's database. It reads nothing yet: the first call
// reads a row of each container.
func (r *Reader) Overview() *Overview {
	return &Overview{reader: r, turn: make(chan struct{}, 1)}
}

// ListOptions configures [Overview.List]. The zero value lists all containers, the most urgent
// first.
type ListOptions struct {
	Filter
	Order   Order
	Limit   int // how many containers to return; default 50
	Offset  int // how many to leave out before
	Verdict terminal49.VerdictOptions
}

// List returns the containers that a filter selects, at a time, without those that are deleted. See
// [Reader.Worklist].
//
// Errors: those of [Reader.Worklist]; *[UnknownNameError] for a text of the filter that no
// container has.
func (o *Overview) List(ctx context.Context, now time.Time, opts ListOptions) (*Worklist, error) {
	l := newListing("mirror.Overview.List", now, opts)
	if orders[opts.Order] == nil {
		return nil, l.problem("Order", "must be empty, urgency, last_free_day, eta, since, owed or number, not "+quoted(string(opts.Order)))
	}
	if err := o.reader.checkQuestion(&l.question, opts.Limit, opts.Offset); err != nil {
		return nil, err
	}
	of, err := o.each(ctx, &l.question, l.add)
	if err != nil {
		return nil, err
	}
	defer of.End()
	return l.read(ctx, of)
}

// CountOptions configures [Overview.Count].
type CountOptions struct {
	Filter
	By      []CountBy // one or two
	Verdict terminal49.VerdictOptions
}

// Count counts the containers that a filter selects, at a time, by one or two keys. A container
// with several holds is in several groups; Counts.Total counts it once.
//
// Errors: those of [Overview.List].
func (o *Overview) Count(ctx context.Context, now time.Time, opts CountOptions) (*Counts, error) {
	c := newCounting("mirror.Overview.Count", now, opts)
	if err := o.reader.checkCounts(c, "By"); err != nil {
		return nil, err
	}
	of, err := o.each(ctx, &c.question, c.add)
	if err != nil {
		return nil, err
	}
	defer of.End()
	return c.result(of.Waiting), nil
}

// each calls f for each container. The caller must end what it returns.
func (o *Overview) each(ctx context.Context, q *question, f func(*store.Stored)) (*store.Standings, error) {
	of, all, err := o.refresh(ctx, q)
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		f(e)
	}
	return of, nil
}

// refresh reads what was stored since the last call, and returns the state that it has read, with
// all containers, after it found out what the texts of a question mean. One call after the other
// does so, so that none reads an earlier state than the last one.
func (o *Overview) refresh(ctx context.Context, q *question) (*store.Standings, []*store.Stored, error) {
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
	if err = o.update(ctx, of); err == nil {
		err = q.resolve(o.all)
	}
	if err != nil {
		of.End()
		return nil, nil, err
	}
	of.Waiting += len(o.all.unreadable)
	return of, o.all.use(), nil
}

// update makes the rows those of a state of the database.
func (o *Overview) update(ctx context.Context, of *store.Standings) error {
	now, livedOn, err := of.Moment(ctx, o.moment)
	if err != nil {
		return err
	}
	since := o.moment
	if !livedOn {
		since, o.all = store.Moment{}, newInventory(now.Rows)
	}
	o.moment = store.Moment{} // until all is read, the rows are of no moment
	if err := of.Since(ctx, since, o.all.put); err != nil {
		return err
	}
	if o.all.rows() != now.Rows { // some were deleted
		ids, err := of.IDs(ctx)
		if err != nil {
			return err
		}
		o.all.keep(ids)
	}
	o.moment = now
	return nil
}
