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
	q, err := new(worklist.Set).Ask(now, filter, opts.Verdict)
	if err := cmp.Or(r.err, err, page.Check()); err != nil {
		return nil, err
	}
	of, err := r.db.Standings(ctx)
	if err != nil {
		return nil, r.db.Explain(err)
	}
	defer of.End()
	l, err := q.ListOf(of.Each(ctx, preselection(what, now, q.Days()[what], opts.Verdict)), page)
	if err := cmp.Or(err, of.Err); err != nil {
		return nil, err
	}
	return read(ctx, of, q, l)
}

// read reads the containers of a list.
func read(ctx context.Context, of *store.Standings, q *worklist.Question, l *worklist.List) (*Worklist, error) {
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
		return urgent(now, 0, opts)
	case worklist.WorkImminent, worklist.WorkAtRisk:
		return urgent(now, min(max(0, opts.ImminentDays.Or(3)), 36_500), opts)
	case worklist.WorkArriving:
		return store.Preselection{ETABefore: now.Add(span)}
	case worklist.WorkETASlipped:
		return store.Preselection{Expected: true}
	case worklist.WorkDwelling:
		return store.Preselection{SinceBefore: now.Add(-span), Placed: true}
	case worklist.WorkWaiting:
		return store.Preselection{Placed: true}
	case worklist.WorkEmptyDue:
		return store.Preselection{Situation: terminal49.SituationOut, RecentAfter: recentAfter(now, opts)}
	case worklist.WorkHolds:
		return store.Preselection{Held: true}
	case worklist.WorkOwing:
		return store.Preselection{Owes: true}
	case worklist.Work(terminal49.SituationUnknown):
		return store.Preselection{Situation: terminal49.SituationUnknown, RecentAfter: recentAfter(now, opts), AnyAfter: now}
	}
	return store.Preselection{Situation: terminal49.Situation(w), RecentAfter: recentAfter(now, opts)}
}

// urgent returns the condition of containers whose last free day is known to be near or past.
func urgent(now time.Time, days int, opts terminal49.VerdictOptions) store.Preselection {
	return store.Preselection{
		ToDay:        terminal49.DateOf(now.UTC().AddDate(0, 0, days).Add(aroundTheWorld)),
		CheckedAfter: now.Add(-cmp.Or(opts.DeadlineMaxAge, 7*24*time.Hour) - time.Second), // a column has no nanoseconds
	}
}

// recentAfter returns a time that is before that from which the terminal's data is recent.
func recentAfter(now time.Time, opts terminal49.VerdictOptions) time.Time {
	return now.Add(-cmp.Or(opts.MaxAge, 24*time.Hour) - time.Second)
}
