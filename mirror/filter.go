package mirror

import (
	"cmp"
	"slices"
	"time"
	"unique"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/facts"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// Filter selects containers. The zero value selects all that are not deleted. A container must meet
// every field that is set; of a list, it must meet one item.
//
// A text of the fields from Terminals to Equipment means a code or an id, or else a whole name, or
// else a part of names; case is ignored. If a part is in several names, all are meant, which
// Worklist.Meanings and Counts.Meanings report. If nothing has the text, the error names the
// nearest.
type Filter struct {
	Work       []Work
	Days       int // see WorklistOptions; an error without a kind of work that has days
	Situations []terminal49.Situation
	Stages     []terminal49.Stage

	Terminals        []string // where the container is or is bound for: id, FIRMS code, nickname or name
	PortsOfDischarge []string // UN/LOCODE or name
	Destinations     []string // inland: UN/LOCODE or name
	ShippingLines    []string // SCAC or name
	Vessels          []string // that calls at the port of discharge: IMO number or name
	Customers        []string
	References       []string // of the container or its shipment
	Tags             []string // of the shipment
	Holds            []string // in force, such as "customs"; others with their status, such as "customs (pending)"; CountNoHold
	Equipment        []string // length in feet and type, such as "40 reefer"

	LastFreeDayFrom, LastFreeDayTo terminal49.Date     // of the day that binds, on the calendar of its place; both included
	DaysLeftFrom, DaysLeftTo       terminal49.Opt[int] // to that day, as Verdict.DaysLeft counts them; both included
	LastFreeDayUnknown             bool                // only containers that have not left and have no known day
	ETAFrom, ETATo                 terminal49.Date     // likewise, of the arrival that is expected next
	LastFreeDaysDiffer             bool                // only containers for which two sources report different days
	Appointment                    Appointment
	Tracking                       Tracking
}

// Appointment is whether a pickup is arranged.
type Appointment string

// The values of Appointment.
const (
	AppointmentNone Appointment = "none" // none is reported
	AppointmentMade Appointment = "made"
	AppointmentLate Appointment = "late" // after the last free day that binds
)

// Tracking is whether a shipment is still tracked at its shipping line.
type Tracking string

// The values of Tracking.
const (
	TrackingActive  Tracking = "active"
	TrackingStopped Tracking = "stopped"
)

// question is which containers a worklist or a summary is about.
type question struct {
	Filter
	op       string
	now      time.Time
	verdict  terminal49.VerdictOptions
	named    []named // what the texts mean
	meanings []Meaning
	latest   terminal49.Verdict // here, because it is large

	stopped, undated int // see Aside
}

// Aside is what a worklist or a count does not show by itself.
type Aside struct {
	// Stopped is how many containers that meet the rest of the filter are no longer tracked, whether
	// or not Filter.Tracking leaves them out.
	Stopped int
	// Undated is how many meet the rest of the filter, have not left, and were left out because a day
	// that the filter asks for is unknown: a last free day at a place, an arrival under way.
	Undated int
	// Days are the days that were used, Filter.Days or the default, by kind of work; nil if the filter
	// has no kind with days.
	Days map[Work]int
}

func newQuestion(op string, now time.Time, f Filter, opts terminal49.VerdictOptions) question {
	opts.Events, opts.TrackingStopped = nil, false
	return question{Filter: f, op: op, now: now, verdict: opts}
}

func (q *question) aside() Aside { return Aside{q.stopped, q.undated, q.days()} }

// days returns the days that count, by kind of work; nil if no kind has some.
func (q *question) days() (days map[Work]int) {
	for _, w := range q.Work {
		if defaultDays[w] == 0 {
			continue
		}
		if days == nil {
			days = map[Work]int{}
		}
		days[w] = q.daysOf(w)
	}
	return days
}

func (q *question) problem(field, problem string) error {
	return &terminal49.ArgumentError{Op: q.op, Field: field, Problem: problem}
}

// workNames are the kinds of work in an error.
const workNames = "waiting, overdue, imminent, at_risk, owing, holds, arriving, eta_slipped, dwelling, empty_due or a situation such as ready"

// checkQuestion returns what is wrong with a question.
func (r *Reader) checkQuestion(q *question, limit, offset int) error {
	unknown := slices.IndexFunc(q.Work, func(w Work) bool { return !w.known() })
	other := slices.IndexFunc(q.Situations, func(s terminal49.Situation) bool { return !s.Known() })
	switch {
	case r.err != nil:
		return r.err
	case unknown >= 0:
		return q.problem("Work", "must be "+workNames+", not "+quoted(string(q.Work[unknown])))
	case other >= 0:
		return q.problem("Situations", "must be situations such as ready, not "+quoted(string(q.Situations[other])))
	case limit < 0:
		return q.problem("Limit", "must not be negative")
	case offset < 0:
		return q.problem("Offset", "must not be negative")
	case q.Days < 0 || q.Days > mostDays:
		return q.problem("Days", "must be from 0 to 36500")
	case q.Days != 0 && q.days() == nil:
		return q.problem("Days", "must not be set without a kind of work that has days: arriving, eta_slipped, dwelling or empty_due")
	case slices.ContainsFunc(q.Stages, func(s terminal49.Stage) bool { return !s.Known() }):
		return q.problem("Stages", "must be stages such as at_port")
	case !slices.Contains([]Appointment{"", AppointmentNone, AppointmentMade, AppointmentLate}, q.Appointment):
		return q.problem("Appointment", "must be empty, none, made or late, not "+quoted(string(q.Appointment)))
	case q.Tracking != "" && q.Tracking != TrackingActive && q.Tracking != TrackingStopped:
		return q.problem("Tracking", "must be empty, active or stopped, not "+quoted(string(q.Tracking)))
	case !q.LastFreeDayTo.IsZero() && q.LastFreeDayTo.Before(q.LastFreeDayFrom):
		return q.problem("LastFreeDayTo", "must not be before LastFreeDayFrom")
	case !q.ETATo.IsZero() && q.ETATo.Before(q.ETAFrom):
		return q.problem("ETATo", "must not be before ETAFrom")
	}
	return nil
}

// verdictOf returns the verdict on a container, until the next call, and whether the question is
// about it.
func (q *question) verdictOf(e *store.Stored) (v *terminal49.Verdict, has bool) {
	if !q.selects(e) {
		return nil, false
	}
	v = &q.latest
	if *v = e.Standing.Verdict(q.now, q.verdict); !q.has(e, v) {
		return nil, false
	}
	switch is, unknown := q.isOnDays(e, v); {
	case unknown && q.isTracked(e):
		q.undated++
		return nil, false
	case !is:
		return nil, false
	case e.Facts.Stopped:
		q.stopped++
	}
	return v, q.isTracked(e)
}

// meets reports whether the question is about a container with a verdict.
func (q *question) meets(e *store.Stored, v *terminal49.Verdict) bool {
	is, _ := q.isOnDays(e, v)
	return is && q.selects(e) && q.has(e, v) && q.isTracked(e)
}

func (q *question) isTracked(e *store.Stored) bool {
	return q.Tracking == "" || e.Facts.Stopped == (q.Tracking == TrackingStopped)
}

// selects reports whether a container meets what does not depend on the clock.
func (q *question) selects(e *store.Stored) bool {
	if len(q.Stages) > 0 && !slices.Contains(q.Stages, e.Facts.Stage) || q.LastFreeDaysDiffer && !e.Facts.LFDsDiffer {
		return false
	}
	for i := range q.named {
		if !q.named[i].has(e) {
			return false
		}
	}
	return true
}

// has reports whether a container meets the rest.
func (q *question) has(e *store.Stored, v *terminal49.Verdict) bool {
	switch {
	case len(q.Situations) > 0 && !slices.Contains(q.Situations, v.Situation),
		q.LastFreeDayUnknown && (v.Situation.HasLeft() || !dayOf(v.LastFreeDay.At).IsZero()),
		q.Appointment == AppointmentNone && !e.Facts.Appointment.IsZero(),
		q.Appointment == AppointmentMade && e.Facts.Appointment.IsZero(),
		q.Appointment == AppointmentLate && !isLate(e, v):
		return false
	}
	return q.hasWork(e, v)
}

// underWayStages are those of a container that has no last free day yet, and is expected somewhere.
var underWayStages = []terminal49.Stage{terminal49.StageBeforeVoyage, terminal49.StageAtSea, terminal49.StageOnRail}

// isOnDays reports whether a container meets the bounds of days, or may meet them because a day is
// unknown that it should have: an arrival under way, a last free day at a place.
func (q *question) isOnDays(e *store.Stored, v *terminal49.Verdict) (is, unknown bool) {
	onDay, known := isWithin(v.LastFreeDay.At, q.LastFreeDayFrom, q.LastFreeDayTo)
	left, counted := hasDaysLeft(v.DaysLeft, q.DaysLeftFrom, q.DaysLeftTo)
	due, expected := isWithin(v.ETA, q.ETAFrom, q.ETATo)
	underWay := slices.Contains(underWayStages, e.Facts.Stage)
	known, counted, expected = known || underWay, counted || underWay, expected || !underWay
	if known && counted && expected || v.Situation.HasLeft() {
		return onDay && left && due, false
	}
	return false, (onDay || !known) && (left || !counted) && (due || !expected)
}

// isLate reports whether the appointment is after the last free day.
func isLate(e *store.Stored, v *terminal49.Verdict) bool {
	day := dayOf(v.LastFreeDay.At)
	return !day.IsZero() && day.Before(e.Facts.Appointment)
}

// dayOf returns the day of a time on the calendar of its place; zero if it is unknown.
func dayOf(t terminal49.Time) terminal49.Date {
	if day, known := t.Date(); known {
		return day
	}
	return terminal49.Date{}
}

// hasDaysLeft reports whether the days left are within bounds, if any are set, and whether that is
// known.
func hasDaysLeft(left, from, to terminal49.Opt[int]) (has, known bool) {
	days, known := left.Get()
	least, bound := from.Get()
	most, above := to.Get()
	if !bound && !above {
		return true, true
	}
	return known && (!bound || days >= least) && (!above || days <= most), known
}

// isWithin reports whether a time is on one of some days, and whether that is known. Zero days set
// no bound.
func isWithin(t terminal49.Time, from, to terminal49.Date) (is, known bool) {
	if from.IsZero() && to.IsZero() {
		return true, true
	}
	day := dayOf(t)
	return !day.IsZero() && !day.Before(from) && (to.IsZero() || !to.Before(day)), !day.IsZero()
}

// thing is what a text of a filter may mean, and what containers are counted by.
type thing struct {
	key    string      // a code or an id; for customers and the like, the text itself
	name   string      // of a code, human-readable; "" if unknown
	place  placeHandle // of a terminal, or zero
	isText bool        // the key is not a code
}

func coded(n facts.Name) thing { return thing{key: n.Code, name: n.Name} }

func plain(text string) thing { return thing{key: text, isText: text != ""} }

func placed(p placeHandle) thing {
	if place := valueOf(p); place != (terminal49.VerdictPlace{}) {
		return thing{key: place.TerminalID, place: p}
	}
	return thing{}
}

type placeHandle = unique.Handle[terminal49.VerdictPlace]

func valueOf(p placeHandle) (place terminal49.VerdictPlace) {
	if p != (placeHandle{}) {
		place = p.Value()
	}
	return place
}

// label returns the human-readable name of a code; "" if it is unknown.
func (t *thing) label() string { return cmp.Or(t.name, valueOf(t.place).String()) }

// codes returns what a text may equal.
func (t *thing) codes() []string {
	if t.isText {
		return nil
	}
	return known(t.key, valueOf(t.place).FIRMSCode)
}

// names returns what a text may equal or be a part of.
func (t *thing) names() []string {
	if t.isText {
		return []string{t.key}
	}
	p := valueOf(t.place)
	return known(t.label(), p.Name, p.Nickname)
}

func known(texts ...string) []string {
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}
