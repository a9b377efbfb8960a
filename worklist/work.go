package worklist

import (
	"slices"
	"time"

	"github.com/go-freight/terminal49"
)

// Work is what a worklist has: containers in a [terminal49.Situation], such as Work("ready"),
// "pay_first", "held", "on_rail" or "stale", or one of the constants.
type Work string

// The values of Work that are not a [terminal49.Situation]. Days is Filter.Days.
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

// kindsOfWork decide which containers are a kind of work that is not a situation.
var kindsOfWork = map[Work]func(q *Question, r *Record, v *terminal49.Verdict) bool{
	WorkWaiting: func(_ *Question, r *Record, v *terminal49.Verdict) bool {
		return v.Place != terminal49.VerdictPlace{} && v.Situation != terminal49.SituationAwaitingTransfer && r.Facts.Stage != terminal49.StageArrived
	},
	WorkOverdue:  isOverdue,
	WorkImminent: isImminent,
	WorkAtRisk: func(q *Question, r *Record, v *terminal49.Verdict) bool {
		return isOverdue(q, r, v) || isImminent(q, r, v)
	},
	WorkOwing: func(_ *Question, r *Record, _ *terminal49.Verdict) bool { return r.Facts.owes },
	WorkHolds: func(_ *Question, r *Record, v *terminal49.Verdict) bool {
		return len(r.Facts.Holds) > 0 && !v.Situation.HasLeft()
	},
	WorkArriving: func(q *Question, _ *Record, v *terminal49.Verdict) bool {
		return !v.ETA.IsZero() && v.ETA.Compare(terminal49.NewTime(q.in(WorkArriving), "")) <= 0
	},
	WorkETASlipped: func(q *Question, r *Record, v *terminal49.Verdict) bool {
		late, known := slip(&r.Facts, v)
		return known && late >= q.daysOf(WorkETASlipped)
	},
	WorkDwelling: func(q *Question, _ *Record, v *terminal49.Verdict) bool {
		return v.Place != terminal49.VerdictPlace{} && q.isSince(v, q.daysOf(WorkDwelling))
	},
	WorkEmptyDue: func(q *Question, _ *Record, v *terminal49.Verdict) bool {
		return v.Situation == terminal49.SituationOut && q.isSince(v, q.daysOf(WorkEmptyDue))
	},
}

// defaultDays are the days of the kinds of work that have some.
var defaultDays = map[Work]int{WorkArriving: 5, WorkETASlipped: 1, WorkDwelling: 5, WorkEmptyDue: 5}

// known reports whether w is a kind of work or a situation.
func (w Work) known() bool {
	_, is := kindsOfWork[w]
	return is || terminal49.Situation(w).Known()
}

func isOverdue(_ *Question, _ *Record, v *terminal49.Verdict) bool {
	return v.Urgency == terminal49.UrgencyOverdue
}

func isImminent(_ *Question, _ *Record, v *terminal49.Verdict) bool {
	return v.Urgency == terminal49.UrgencyImminent
}

// isSince reports whether more than a number of days have passed since the place or the leg began,
// on the calendar of the place or, if its zone is unknown, in whole days.
func (q *Question) isSince(v *terminal49.Verdict, days int) bool {
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
func slip(f *Facts, v *terminal49.Verdict) (days int, known bool) {
	day, known := v.ETA.Date()
	if v.ETA.IsZero() || !known || f.OriginalETA.IsZero() {
		return 0, false
	}
	return day.Sub(f.OriginalETA), true
}

// hasWork reports whether a container is of one of the kinds of work that are asked for.
func (q *Question) hasWork(r *Record, v *terminal49.Verdict) bool {
	return len(q.filter.Work) == 0 || slices.ContainsFunc(q.filter.Work, func(w Work) bool {
		if has, is := kindsOfWork[w]; is {
			return has(q, r, v)
		}
		return v.Situation == terminal49.Situation(w)
	})
}

// days returns the days that count, by kind of work; nil if no kind has some.
func (f *Filter) days() (days map[Work]int) {
	for _, w := range f.Work {
		if defaultDays[w] == 0 {
			continue
		}
		if days == nil {
			days = map[Work]int{}
		}
		days[w] = f.daysOf(w)
	}
	return days
}

// daysOf returns the days that count for a kind of work.
func (f *Filter) daysOf(w Work) int {
	if f.Days != 0 {
		return f.Days
	}
	return defaultDays[w]
}

func (q *Question) daysOf(w Work) int { return q.filter.daysOf(w) }

// in returns the time that is the days of a kind of work from now.
func (q *Question) in(w Work) time.Time {
	return q.now.Add(time.Duration(q.daysOf(w)) * 24 * time.Hour)
}
