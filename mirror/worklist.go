package mirror

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// Work is what a worklist has: containers in a [terminal49.Situation], such as Work("ready"),
// "pay_first", "held", "on_rail" or "stale", or one of the constants.
type Work string

// The values of Work that are not a [terminal49.Situation].
const (
	WorkOverdue  Work = "overdue"  // the last free day has passed; see [terminal49.UrgencyOverdue]
	WorkImminent Work = "imminent" // the last free day is near; see [terminal49.UrgencyImminent]
	WorkArriving Work = "arriving" // expected within WorklistOptions.Days, or earlier and not arrived yet
	WorkDwelling Work = "dwelling" // at a terminal for more than WorklistOptions.Days
)

// WorklistOptions configures [Reader.Worklist]. The zero value uses the defaults.
type WorklistOptions struct {
	Limit   int                       // how many containers to return, the most urgent ones; default 50
	Days    int                       // of WorkArriving and WorkDwelling, up to 36,500; default 5
	Verdict terminal49.VerdictOptions // the rules of the clock; Events and TrackingStopped are ignored
}

// Worklist is what [Reader.Worklist] returns.
type Worklist struct {
	Items []WorkItem // the most urgent first, as [terminal49.Verdict.Compare] orders them
	Total int        // how many there are, also those that the limit leaves out
	// Waiting is how many resources the mirror has stored without assessing their containers again
	// yet. It is 0 if the worklist is as current as the tables.
	Waiting int
}

// WorkItem is a container with its verdict.
type WorkItem struct {
	Container *terminal49.Container // as [Reader.Containers] reads it
	Verdict   terminal49.Verdict
}

// Worklist returns the containers of a kind at a time, without those that are deleted. The verdicts
// are those of [terminal49.Assess]. A container that was stored and not assessed yet may be
// missing; see Worklist.Waiting. It reads one state of the database, and writes nothing.
//
// Errors: *terminal49.ArgumentError for an unknown kind or an option out of range;
// [terminal49.ErrRulesVersion] if the mirror that writes has other rules; those of the database.
func (r *Reader) Worklist(ctx context.Context, what Work, now time.Time, opts WorklistOptions) (*Worklist, error) {
	l := &listing{what: what, now: now, opts: opts.orDefaults()}
	if err := r.check("mirror.Worklist", what, opts); err != nil {
		return nil, err
	}
	of, err := r.db.Standings(ctx)
	if err != nil {
		return nil, err
	}
	defer of.End()
	if err := of.Each(ctx, l.preselection(), l.add); err != nil {
		return nil, err
	}
	l.cut()
	list := &Worklist{Total: l.total, Waiting: of.Waiting}
	if err := l.read(ctx, of, list); err != nil {
		return nil, err
	}
	return list, nil
}

func (r *Reader) check(op string, what Work, opts WorklistOptions) error {
	problem := func(field, problem string) error {
		return &terminal49.ArgumentError{Op: op, Field: field, Problem: problem}
	}
	switch {
	case r.err != nil:
		return r.err
	case what != WorkOverdue && what != WorkImminent && what != WorkArriving && what != WorkDwelling && !terminal49.Situation(what).Known():
		return problem("what", "must be overdue, imminent, arriving, dwelling or a situation such as ready, not "+quoted(string(what)))
	case opts.Limit < 0:
		return problem("Limit", "must not be negative")
	case opts.Days < 0 || opts.Days > mostDays:
		return problem("Days", "must be from 0 to 36500")
	}
	return nil
}

// mostDays bounds days: a [time.Duration] has 292 years.
const mostDays = 36_500

// quoted quotes the beginning of a text for an error.
func quoted(text string) string { return fmt.Sprintf("%.40q", text) }

func (o WorklistOptions) orDefaults() WorklistOptions {
	o.Limit, o.Days = cmp.Or(o.Limit, 50), cmp.Or(o.Days, 5)
	o.Verdict.Events, o.Verdict.TrackingStopped = nil, false
	return o
}

// listing collects a worklist.
type listing struct {
	what  Work
	now   time.Time
	opts  WorklistOptions
	total int
	most  []terminal49.Verdict // the most urgent, and others
}

// aroundTheWorld is more than the time of day differs between two places.
const aroundTheWorld = 2 * 24 * time.Hour

// preselection returns a condition that every verdict of the worklist meets. A day at a place is at
// most a day before or after that of UTC, and an unknown zone adds another.
func (l *listing) preselection() (p store.Preselection) {
	days := time.Duration(l.opts.Days) * 24 * time.Hour
	switch l.what {
	case WorkOverdue:
		p.ToDay = terminal49.DateOf(l.now.UTC().Add(aroundTheWorld))
	case WorkImminent:
		p.ToDay = terminal49.DateOf(l.now.UTC().AddDate(0, 0, min(max(0, l.opts.Verdict.ImminentDays.Or(3)), mostDays)).Add(aroundTheWorld))
	case WorkArriving:
		p.ETABefore = l.now.Add(days)
	case WorkDwelling:
		p.SinceBefore = l.now.Add(-days)
	case Work(terminal49.SituationUnknown):
		p.Situation, p.SinceAfter = terminal49.SituationUnknown, l.now
	default:
		p.Situation = terminal49.Situation(l.what)
	}
	return p
}

// has reports whether a verdict belongs to the worklist.
func (l *listing) has(v *terminal49.Verdict) bool {
	days := time.Duration(l.opts.Days) * 24 * time.Hour
	switch l.what {
	case WorkOverdue:
		return v.Urgency == terminal49.UrgencyOverdue
	case WorkImminent:
		return v.Urgency == terminal49.UrgencyImminent
	case WorkArriving:
		return !v.ETA.IsZero() && v.ETA.Compare(terminal49.NewTime(l.now.Add(days), "")) <= 0
	case WorkDwelling:
		return v.Place != terminal49.VerdictPlace{} && !v.Since.IsZero() && v.Since.Compare(terminal49.NewTime(l.now.Add(-days), "")) < 0
	}
	return v.Situation == terminal49.Situation(l.what)
}

func compareVerdicts(a, b terminal49.Verdict) int {
	return cmp.Or(a.Compare(b), cmp.Compare(a.ContainerID, b.ContainerID))
}

// add adds a container if it belongs to the worklist.
func (l *listing) add(s *terminal49.Standing) error {
	v := s.Verdict(l.now, l.opts.Verdict)
	if !l.has(&v) {
		return nil
	}
	l.total++
	if l.most = append(l.most, v); (len(l.most)-100)/2 >= l.opts.Limit {
		l.cut()
	}
	return nil
}

// cut keeps the most urgent ones.
func (l *listing) cut() {
	slices.SortFunc(l.most, compareVerdicts)
	l.most = l.most[:min(len(l.most), l.opts.Limit)]
}

// read reads the containers. One that was stored and not assessed yet may not belong to the
// worklist any more.
func (l *listing) read(ctx context.Context, of *store.Standings, list *Worklist) error {
	ids := make([]string, len(l.most))
	for i := range l.most {
		ids[i] = l.most[i].ContainerID
	}
	containers, err := of.Containers(ctx, ids)
	for _, c := range containers {
		if v := terminal49.Assess(c, l.now, l.opts.Verdict); l.has(&v) {
			list.Items = append(list.Items, WorkItem{c, v})
		}
	}
	list.Total -= len(ids) - len(list.Items)
	slices.SortFunc(list.Items, func(a, b WorkItem) int { return compareVerdicts(a.Verdict, b.Verdict) })
	return err
}
