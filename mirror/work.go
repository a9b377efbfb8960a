package mirror

import (
	"slices"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/facts"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// Work is what a worklist has: containers in a [terminal49.Situation], such as Work("ready"),
// "pay_first", "held", "on_rail" or "stale", or one of the constants.
type Work string

// The values of Work that are not a [terminal49.Situation]. Days is that of the options.
const (
	WorkWaiting    Work = "waiting"     // at its place of pickup and off the ship, whether released or not
	WorkOverdue    Work = "overdue"     // the last free day has passed; see [terminal49.UrgencyOverdue]
	WorkImminent   Work = "imminent"    // the last free day is near; see [terminal49.UrgencyImminent]
	WorkAtRisk     Work = "at_risk"     // overdue or imminent
	WorkOwing      Work = "owing"       // fees are owed, also after the container has left
	WorkHolds      Work = "holds"       // a hold is in force, and the container has not left
	WorkArriving   Work = "arriving"    // expected within Days, or earlier and not arrived yet
	WorkETASlipped Work = "eta_slipped" // expected at least Days later than the first estimate
	WorkDwelling   Work = "dwelling"    // at a terminal for more than Days of the calendar
	WorkEmptyDue   Work = "empty_due"   // picked up more than Days of the calendar ago, and not returned empty
)

// kindOfWork decides which containers are a kind of work.
type kindOfWork struct {
	has func(q *question, e *store.Stored, v *terminal49.Verdict) bool
	// narrow returns a condition that every container of the kind meets; nil for none.
	narrow func(q *question) store.Preselection
}

// kindsOfWork are those that are not a situation.
var kindsOfWork = map[Work]kindOfWork{
	WorkWaiting: {has: func(_ *question, e *store.Stored, v *terminal49.Verdict) bool {
		return v.Place != terminal49.VerdictPlace{} && v.Situation != terminal49.SituationAwaitingTransfer && e.Facts.Stage != terminal49.StageArrived
	}},
	WorkOverdue: {has: isOverdue, narrow: func(q *question) store.Preselection {
		return store.Preselection{ToDay: terminal49.DateOf(q.now.UTC().Add(aroundTheWorld))}
	}},
	WorkImminent: {has: isImminent, narrow: untilImminent},
	WorkAtRisk: {narrow: untilImminent, has: func(q *question, e *store.Stored, v *terminal49.Verdict) bool {
		return isOverdue(q, e, v) || isImminent(q, e, v)
	}},
	WorkOwing: {has: func(_ *question, e *store.Stored, _ *terminal49.Verdict) bool {
		owed := e.Facts.Owed()
		return owed != nil && owed.Owes()
	}},
	WorkHolds: {has: func(_ *question, e *store.Stored, v *terminal49.Verdict) bool {
		return len(e.Facts.Holds) > 0 && !v.Situation.HasLeft()
	}},
	WorkArriving: {narrow: func(q *question) store.Preselection { return store.Preselection{ETABefore: q.in(WorkArriving)} },
		has: func(q *question, _ *store.Stored, v *terminal49.Verdict) bool {
			return !v.ETA.IsZero() && v.ETA.Compare(terminal49.NewTime(q.in(WorkArriving), "")) <= 0
		}},
	WorkETASlipped: {has: func(q *question, e *store.Stored, v *terminal49.Verdict) bool {
		late, known := slip(&e.Facts, v)
		return known && late >= q.daysOf(WorkETASlipped)
	}},
	WorkDwelling: {narrow: func(q *question) store.Preselection { return store.Preselection{SinceBefore: q.ago(WorkDwelling)} },
		has: func(q *question, _ *store.Stored, v *terminal49.Verdict) bool {
			return v.Place != terminal49.VerdictPlace{} && q.isSince(v, q.daysOf(WorkDwelling))
		}},
	WorkEmptyDue: {narrow: func(*question) store.Preselection { return store.Preselection{Situation: terminal49.SituationOut} },
		has: func(q *question, _ *store.Stored, v *terminal49.Verdict) bool {
			return v.Situation == terminal49.SituationOut && q.isSince(v, q.daysOf(WorkEmptyDue))
		}},
}

// defaultDays are the days of the kinds of work that have some.
var defaultDays = map[Work]int{WorkArriving: 5, WorkETASlipped: 1, WorkDwelling: 5, WorkEmptyDue: 5}

// known reports whether w is a kind of work or a situation.
func (w Work) known() bool {
	_, is := kindsOfWork[w]
	return is || terminal49.Situation(w).Known()
}

// aroundTheWorld is more than the time of day differs between two places.
const aroundTheWorld = 2 * 24 * time.Hour

func isOverdue(_ *question, _ *store.Stored, v *terminal49.Verdict) bool {
	return v.Urgency == terminal49.UrgencyOverdue
}

func isImminent(_ *question, _ *store.Stored, v *terminal49.Verdict) bool {
	return v.Urgency == terminal49.UrgencyImminent
}

// untilImminent selects last free days that may be imminent. A day at a place is at most a day
// before or after that of UTC, and an unknown zone adds another.
func untilImminent(q *question) store.Preselection {
	days := min(max(0, q.verdict.ImminentDays.Or(3)), mostDays)
	return store.Preselection{ToDay: terminal49.DateOf(q.now.UTC().AddDate(0, 0, days).Add(aroundTheWorld))}
}

// isSince reports whether more than a number of days have passed since the place or the leg began,
// on the calendar of the place or, if its zone is unknown, in whole days.
func (q *question) isSince(v *terminal49.Verdict, days int) bool {
	if v.Since.IsZero() {
		return false
	}
	if left, known := v.Since.DaysLeft(q.now); known {
		return -left > days
	}
	return v.Since.Compare(terminal49.NewTime(q.now.AddDate(0, 0, -days), "")) < 0
}

// slip returns by how many days of the calendar a container is expected later than at first. It is
// unknown for one that is not expected anywhere.
func slip(f *facts.Facts, v *terminal49.Verdict) (days int, known bool) {
	day, known := v.ETA.Date()
	if v.ETA.IsZero() || !known || f.OriginalETA.IsZero() {
		return 0, false
	}
	return day.Sub(f.OriginalETA), true
}

// hasWork reports whether a container is of one of the kinds of work that are asked for.
func (q *question) hasWork(e *store.Stored, v *terminal49.Verdict) bool {
	return len(q.Work) == 0 || slices.ContainsFunc(q.Work, func(w Work) bool {
		if kind, is := kindsOfWork[w]; is {
			return kind.has(q, e, v)
		}
		return v.Situation == terminal49.Situation(w)
	})
}

// preselection returns a condition that every container of a kind of work meets.
func (q *question) preselection(w Work) (p store.Preselection) {
	switch kind, is := kindsOfWork[w]; {
	case is && kind.narrow != nil:
		return kind.narrow(q)
	case is:
	case w == Work(terminal49.SituationUnknown):
		p.Situation, p.SinceAfter = terminal49.SituationUnknown, q.now
	default:
		p.Situation = terminal49.Situation(w)
	}
	return p
}

// daysOf returns the days that count for a kind of work.
func (q *question) daysOf(w Work) int {
	if q.Days != 0 {
		return q.Days
	}
	return defaultDays[w]
}

func (q *question) in(w Work) time.Time {
	return q.now.Add(time.Duration(q.daysOf(w)) * 24 * time.Hour)
}

func (q *question) ago(w Work) time.Time {
	return q.now.Add(-time.Duration(q.daysOf(w)) * 24 * time.Hour)
}
