package terminal49

import (
	"slices"
	"time"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// Deadlines are the last free days of a container, one for each source. A zero Time means that the
// source did not report one. The times are midnight at the place, so use [Time.Date] instead of the
// UTC day.
type Deadlines struct {
	Line     Time // pickup_lfd_line: per diem, by the shipping line; zone FinalDestinationTimezone or else PODTimezone
	Terminal Time // pickup_lfd_terminal: demurrage, by the port terminal; zone PODTimezone
	Rail     Time // pickup_lfd_rail: by the railroad; zone FinalDestinationTimezone
}

// FreeDays holds the pickup deadlines of a container; see [LastFreeDays].
type FreeDays struct {
	// Reported are the last free days by source, in the order line, terminal, rail.
	Reported []LastFreeDay
	// Chosen is the service's own choice (pickup_lfd): the first of line, terminal and rail, which
	// may not be the earliest. It is zero if not reported. Its Source is "" if no source has the
	// same value.
	Chosen LastFreeDay
	// Appointment is the pickup appointment, zero if there is none.
	Appointment Time

	left, trackingStopped bool
	terminalCheckedAt     Time
}

// LastFreeDay is the last day on which a container can be picked up without a charge.
type LastFreeDay struct {
	At     Time // midnight at the place, or a calendar day; use Time.Date instead of the UTC day
	Source LFDSource
}

// LFDSource identifies who set a last free day.
type LFDSource string

// The values of LFDSource.
const (
	LFDLine     LFDSource = "line"     // the shipping line
	LFDTerminal LFDSource = "terminal" // the port terminal; demurrage starts after it
	LFDRail     LFDSource = "rail"     // the railroad
)

// LastFreeDays returns the deadlines of a container, each in the zone of its place. The service
// hides them after pickup. A nil container has no deadlines.
func LastFreeDays(c *Container) FreeDays {
	var f FreeDays
	if c == nil {
		return f
	}
	for _, lfd := range lastFreeDaysOf(c) {
		if !lfd.At.IsZero() {
			f.Reported = append(f.Reported, lfd)
		}
	}
	chosen, _ := sourceOfPickupLFD(c)
	f.Chosen = LastFreeDay{c.PickupLFD, chosen.Source}
	f.Appointment = c.PickupAppointmentAt
	f.left = hasLeft(c)
	f.terminalCheckedAt = c.TerminalCheckedAt
	if shipment, ok := c.Shipment.Value(); ok {
		f.trackingStopped = !shipment.LineTrackingStoppedAt.IsZero()
	}
	return f
}

// Earliest returns the earliest last free day, comparing the calendar days at their places, or
// false if there is none. A charge may start after any last free day, so watch this one. It
// includes Chosen, in case no source was reported.
func (f FreeDays) Earliest() (earliest LastFreeDay, ok bool) {
	for _, lfd := range append(slices.Clip(f.Reported), f.Chosen) {
		if !lfd.At.IsZero() && (!ok || compareDeadlines(lfd.At, earliest.At) < 0) {
			earliest, ok = lfd, true
		}
	}
	return earliest, ok
}

// DaysLeft returns the number of calendar days from now to t, both in the zone of t's place: 0 is
// today and negative is overdue. It returns false if t was not reported or its zone is unknown; see
// [Time.DaysLeftIn].
func (t Time) DaysLeft(now time.Time) (int, bool) { return t.DaysLeftIn(now, nil) }

// DaysLeftIn is like [Time.DaysLeft] but uses fallback if the zone of the place is unknown.
func (t Time) DaysLeftIn(now time.Time, fallback *time.Location) (int, bool) {
	place, err := t.place()
	if err != nil {
		place = fallback
	}
	if t.IsZero() || place == nil {
		return 0, false
	}
	day := DateOf(t.utc()) // the digits of a calendar day or wall clock are those at the place
	if !t.day && t.kind != timeFloating {
		day = DateOf(t.utc().In(place))
	}
	return day.Sub(DateOf(now.In(place))), true
}

// lastFreeDaysOf returns the last free days by source, in the order in which the service chooses
// one.
func lastFreeDaysOf(c *Container) [3]LastFreeDay {
	rail := c.ImportDeadlines.Rail
	if rail.IsZero() {
		rail = c.INDFacilityLFD // the deprecated copy
	}
	return [...]LastFreeDay{{c.ImportDeadlines.Line, LFDLine}, {c.ImportDeadlines.Terminal, LFDTerminal}, {rail, LFDRail}}
}

// sourceOfPickupLFD returns the first source whose last free day has the value of PickupLFD. An
// instant and a calendar day are compared at the place of the source, so the result does not depend
// on the zone of PickupLFD.
func sourceOfPickupLFD(c *Container) (LastFreeDay, bool) {
	for _, lfd := range lastFreeDaysOf(c) {
		chosen := c.PickupLFD
		if !chosen.IsZero() {
			chosen.kind, chosen.zone = lfd.At.kind, lfd.At.zone
		}
		if sameDeadline(lfd.At, chosen) {
			return lfd, true
		}
	}
	return LastFreeDay{}, false
}

// sameDeadline reports whether two deadlines have the same value, as an instant or as a calendar
// day.
func sameDeadline(a, b Time) bool {
	if a.IsZero() || b.IsZero() {
		return false
	}
	if a.day == b.day {
		return a.seconds == b.seconds && a.nanos == b.nanos
	}
	dayA, okA := a.Date()
	dayB, okB := b.Date()
	return okA && okB && dayA == dayB
}

// compareDeadlines orders deadlines by the calendar day at their places, then by instant. If a day
// is unknown, it uses the UTC day, which can misplace only deadlines less than a day apart.
func compareDeadlines(a, b Time) int {
	if order := dayOrUTC(a).Compare(dayOrUTC(b)); order != 0 {
		return order
	}
	return a.utc().Compare(b.utc())
}

func dayOrUTC(t Time) Date {
	if day, ok := t.Date(); ok {
		return day
	}
	return DateOf(t.utc())
}

// Urgency describes how urgent the pickup of a container is; see [FreeDays.Urgency].
type Urgency struct {
	Level    UrgencyLevel
	Deadline LastFreeDay   // the earliest last free day; zero if there is none
	DaysLeft Opt[int]      // calendar days to Deadline, negative if overdue; missing if they cannot be counted
	Reason   UrgencyReason // why the level is unknown, or ReasonLeft; "" otherwise
}

// UrgencyLevel is the level of an [Urgency].
type UrgencyLevel string

// The values of UrgencyLevel.
const (
	UrgencyOverdue  UrgencyLevel = "overdue"  // the last free day has passed
	UrgencyImminent UrgencyLevel = "imminent" // the last free day is near; see UrgencyRules
	UrgencyNone     UrgencyLevel = "none"     // the last free day is not near, or the container has left
	UrgencyUnknown  UrgencyLevel = "unknown"  // see the reason
)

// UrgencyReason explains an [UrgencyLevel] that does not depend on the days left.
type UrgencyReason string

// The values of UrgencyReason.
const (
	ReasonLeft            UrgencyReason = "left"             // the container has already left
	ReasonNoDeadline      UrgencyReason = "no_deadline"      // no last free day is reported
	ReasonTrackingStopped UrgencyReason = "tracking_stopped" // the data is no longer updated
	ReasonNeverChecked    UrgencyReason = "never_checked"    // the terminal was never checked
	ReasonDataOld         UrgencyReason = "data_old"         // the terminal was last checked too long ago
	ReasonNoZone          UrgencyReason = "no_zone"          // the zone of the deadline's place is unknown
)

// UrgencyRules are the thresholds of [FreeDays.Urgency]. The zero value uses the defaults.
type UrgencyRules struct {
	ImminentDays Opt[int]      // the level is imminent if at most this many days are left; default 3
	MaxAge       time.Duration // the level is unknown if the terminal data is older; 0 means 7 days
	// TrackingStopped must be set if the shipment is no longer tracked, unless the response
	// included the container's shipment.
	TrackingStopped bool
	Fallback        *time.Location // the zone of deadlines whose zone is unknown; nil leaves their level unknown
}

// The defaults of UrgencyRules.
const (
	defaultImminentDays   = 3
	defaultMaxTerminalAge = 7 * 24 * time.Hour
)

// Urgency returns how urgent the earliest last free day is at now. A container that has left is not
// urgent. The level is unknown, with a reason, if there is no deadline, tracking has stopped, the
// terminal was not checked recently or the zone of the deadline is unknown.
func (f FreeDays) Urgency(now time.Time, rules UrgencyRules) Urgency {
	deadline, found := f.Earliest()
	u := Urgency{Level: UrgencyUnknown, Deadline: deadline}
	maxAge := rules.MaxAge
	if maxAge <= 0 {
		maxAge = defaultMaxTerminalAge
	}
	age, checked := Readiness{TerminalCheckedAt: f.terminalCheckedAt}.TerminalCheckedAge(now)
	days, counted := deadline.At.DaysLeftIn(now, rules.Fallback)
	if counted {
		u.DaysLeft = Some(days)
	}
	switch {
	case f.left:
		u.Level, u.Reason = UrgencyNone, ReasonLeft
	case !found:
		u.Reason = ReasonNoDeadline
	case f.trackingStopped || rules.TrackingStopped:
		u.Reason = ReasonTrackingStopped
	case !checked:
		u.Reason = ReasonNeverChecked
	case age > maxAge:
		u.Reason = ReasonDataOld
	case !counted:
		u.Reason = ReasonNoZone
	case days < 0:
		u.Level = UrgencyOverdue
	case days <= rules.ImminentDays.Or(defaultImminentDays):
		u.Level = UrgencyImminent
	default:
		u.Level = UrgencyNone
	}
	return u
}

var deadlineMembers = jsonapi.NewMembers(
	timeField("pickup_lfd_terminal", func(d *Deadlines) *Time { return &d.Terminal }),
	timeField("pickup_lfd_rail", func(d *Deadlines) *Time { return &d.Rail }),
	timeField("pickup_lfd_line", func(d *Deadlines) *Time { return &d.Line }),
)
