package mirror

import (
	"cmp"
	"context"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/worklist"
)

// WorklistOptions configures [Reader.Worklist]. The zero value uses the defaults.
type WorklistOptions struct {
	Limit   int                       // how many containers to return, the most urgent ones; default 50
	Days    int                       // only for a kind of work that has days; see [worklist.Filter]
	Verdict terminal49.VerdictOptions // the rules of the clock; Events and TrackingStopped are ignored
}

// Worklist is what [Reader.Worklist] and [Overview.List] return.
type Worklist struct {
	Items []worklist.Assessed // in the order that was asked for; containers are as [Reader.Containers] reads them
	Total int                 // how many there are, also those that the limit leaves out
	// Waiting is how many resources the mirror has stored without assessing their containers again
	// yet. It is 0 if the worklist is as current as the tables.
	Waiting int
	worklist.Aside
	Meanings []worklist.Meaning // what the texts of the filter mean; nil if it has none
}

// Worklist returns the containers of a kind at a time, without those that are deleted, the most
// urgent first. The verdicts are those of [terminal49.Assess]. A container that was stored and not
// assessed yet may be missing; see Worklist.Waiting. It reads one state of the database, and writes
// nothing. To ask often, or with filters, use an [Overview].
//
// Errors: *terminal49.ArgumentError for an unknown kind or an option out of range;
// [terminal49.ErrRulesVersion] if the mirror that writes has other rules; those of the database.
func (r *Reader) Worklist(ctx context.Context, what worklist.Work, now time.Time, opts WorklistOptions) (*Worklist, error) {
	filter, page := worklist.Filter{Work: []worklist.Work{what}, Days: opts.Days}, worklist.ListOptions{Limit: cmp.Or(opts.Limit, 50)}
	var found worklist.Set
	q, err := found.Ask(now, filter, opts.Verdict)
	if err := cmp.Or(r.err, err, page.Check()); err != nil {
		return nil, err
	}
	of, err := r.db.Standings(ctx)
	if err != nil {
		return nil, r.db.Explain(err)
	}
	defer of.End()
	err = of.Each(ctx, preselection(what, now, q.Days()[what], opts.Verdict), func(row *worklist.Record) error {
		if q.Has(row) {
			found.Put(row)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if q, err = found.Ask(now, filter, opts.Verdict); err != nil {
		return nil, err
	}
	return read(ctx, of, q, page)
}

// read reads the containers of a list.
func read(ctx context.Context, of *store.Standings, q *worklist.Question, opts worklist.ListOptions) (*Worklist, error) {
	l, err := q.List(opts)
	if err != nil {
		return nil, err
	}
	containers, err := of.Containers(ctx, l.IDs())
	if err != nil {
		return nil, err
	}
	list := &Worklist{Items: l.Assess(containers), Waiting: of.Waiting, Aside: l.Aside, Meanings: q.Meanings()}
	list.Total = l.Total
	return list, nil
}

// aroundTheWorld is more than the time of day differs between two places.
const aroundTheWorld = 2 * 24 * time.Hour

// preselection returns a condition that every container of a kind of work meets, with the days that
// count for it. A day at a place is at most a day before or after that of UTC, and an unknown zone
// adds another.
func preselection(w worklist.Work, now time.Time, days int, opts terminal49.VerdictOptions) store.Preselection {
	span := time.Duration(days) * 24 * time.Hour
	switch w {
	case worklist.WorkOverdue:
		return store.Preselection{ToDay: terminal49.DateOf(now.UTC().Add(aroundTheWorld))}
	case worklist.WorkImminent, worklist.WorkAtRisk:
		imminent := min(max(0, opts.ImminentDays.Or(3)), 36_500)
		return store.Preselection{ToDay: terminal49.DateOf(now.UTC().AddDate(0, 0, imminent).Add(aroundTheWorld))}
	case worklist.WorkArriving:
		return store.Preselection{ETABefore: now.Add(span)}
	case worklist.WorkDwelling:
		return store.Preselection{SinceBefore: now.Add(-span)}
	case worklist.WorkEmptyDue:
		return store.Preselection{Situation: terminal49.SituationOut}
	case worklist.WorkWaiting, worklist.WorkOwing, worklist.WorkHolds, worklist.WorkETASlipped:
		return store.Preselection{}
	case worklist.Work(terminal49.SituationUnknown):
		return store.Preselection{Situation: terminal49.SituationUnknown, SinceAfter: now}
	}
	return store.Preselection{Situation: terminal49.Situation(w)}
}
