package terminal49

import (
	"time"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// Deadlines are the last free days that the service knows, one for each source. A zero Time means that source gave
// none. They are midnights at the place, so use [Time.Date] rather than the UTC day.
type Deadlines struct {
	Line     Time // pickup_lfd_line: per diem, from the shipping line; zone of the final destination, else of the POD
	Terminal Time // pickup_lfd_terminal: demurrage, from the port terminal; zone PODTimezone
	Rail     Time // pickup_lfd_rail: from the railroad; zone FinalDestinationTimezone
}

// FreeDays are the deadlines of picking up one container; see [LastFreeDays].
type FreeDays struct {
	// Reported are the last free days that came with their source, in the order line, terminal, rail.
	Reported []LastFreeDay
	// Chosen is the service's own pick (pickup_lfd): the first reported of line, terminal and rail, which need not be
	// the earliest. Its Source is "" when it equals none of them. It is zero if not reported.
	Chosen LastFreeDay
	// Appointment is the pickup appointment; zero if there is none. Count days to it with [Time.DaysLeft].
	Appointment Time

	left, trackingStopped bool
	terminalCheckedAt     Time
}

// LastFreeDay is the last day on which a container can be picked up without a charge.
type LastFreeDay struct {
	At     Time // midnight at the place, or a calendar day: read it with [Time.Date], never as a UTC day
	Source LFDSource
}

// LFDSource says who set a last free day.
type LFDSource string

const (
	LFDLine     LFDSource = "line"     // the shipping line
	LFDTerminal LFDSource = "terminal" // the port terminal: demurrage starts after it
	LFDRail     LFDSource = "rail"     // the railroad
)

// LastFreeDays collects the deadlines of a container, each with the zone of its place. The service hides them once the
// container was picked up. A nil container has none.
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
	picked, _ := pickedFrom(c)
	f.Chosen = LastFreeDay{c.PickupLFD, picked.Source}
	f.Appointment = c.PickupAppointmentAt
	f.left = hasLeft(c)
	f.terminalCheckedAt = c.TerminalCheckedAt
	if shipment, ok := c.Shipment.Value(); ok {
		f.trackingStopped = !shipment.LineTrackingStoppedAt.IsZero()
	}
	return f
}

// Earliest returns the last free day that comes first by the calendar of its own place: the one to watch, since a
// charge can start after any of them. It considers the service's pick too, in case no source is told. It is false if
// there is none.
func (f FreeDays) Earliest() (earliest LastFreeDay, ok bool) {
	for _, lfd := range append(f.Reported[:len(f.Reported):len(f.Reported)], f.Chosen) {
		if !lfd.At.IsZero() && (!ok || compareDeadlines(lfd.At, earliest.At) < 0) {
			earliest, ok = lfd, true
		}
	}
	return earliest, ok
}

// DaysLeft counts the calendar days from now to t, both on the calendar of t's place: 0 is today, negative is overdue.
// Neither daylight saving nor midnight in UTC shifts it. It is false if t was not reported or its place has no zone
// that this machine knows; see [Time.DaysLeftIn] for that.
func (t Time) DaysLeft(now time.Time) (int, bool) { return t.DaysLeftIn(now, nil) }

// DaysLeftIn is [Time.DaysLeft], except that it takes fallback for the zone of the place if that is not known. Use it
// where you know from elsewhere roughly where the place is.
func (t Time) DaysLeftIn(now time.Time, fallback *time.Location) (int, bool) {
	place, err := t.place()
	if err != nil {
		place = fallback
	}
	if t.IsZero() || place == nil {
		return 0, false
	}
	day := DateOf(t.utc()) // of a calendar day and of a wall clock, the digits are the place's own
	if !t.day && t.kind != timeFloating {
		day = DateOf(t.utc().In(place))
	}
	return day.Sub(DateOf(now.In(place))), true
}

// lastFreeDaysOf returns the last free days by source, in the order in which the service picks one.
func lastFreeDaysOf(c *Container) [3]LastFreeDay {
	rail := c.ImportDeadlines.Rail
	if rail.IsZero() {
		rail = c.INDFacilityLFD // the same under its old name
	}
	return [...]LastFreeDay{{c.ImportDeadlines.Line, LFDLine}, {c.ImportDeadlines.Terminal, LFDTerminal}, {rail, LFDRail}}
}

// pickedFrom returns the first source that has the value of the service's pick. A moment and a calendar day are
// compared at the place of the source, so that the answer does not hang on the zone that the pick has or will get.
func pickedFrom(c *Container) (LastFreeDay, bool) {
	for _, lfd := range lastFreeDaysOf(c) {
		pick := c.PickupLFD
		if !pick.IsZero() {
			pick.kind, pick.zone = lfd.At.kind, lfd.At.zone
		}
		if sameDeadline(lfd.At, pick) {
			return lfd, true
		}
	}
	return LastFreeDay{}, false
}

// sameDeadline reports whether two deadlines were sent as the same value, be it as a time or as a calendar day.
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

// compareDeadlines orders by calendar day at each place and then by moment. A day that is not known is taken from UTC,
// which can only misplace deadlines that are less than a day apart.
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

// Urgency tells how pressing the pickup of a container is; see [FreeDays.Urgency].
type Urgency struct {
	Level    UrgencyLevel
	Deadline LastFreeDay   // the earliest last free day; zero if there is none
	DaysLeft Opt[int]      // calendar days to it, negative when overdue; missing if they cannot be counted
	Reason   UrgencyReason // why the level is unknown, or that the container has left; "" otherwise
}

// UrgencyLevel is how pressing a deadline is.
type UrgencyLevel string

const (
	UrgencyOverdue  UrgencyLevel = "overdue"  // the last free day is over
	UrgencyImminent UrgencyLevel = "imminent" // it is near, see UrgencyRules
	UrgencyNone     UrgencyLevel = "none"     // it is further away, or the container has left
	UrgencyUnknown  UrgencyLevel = "unknown"  // see the reason
)

// UrgencyReason says why an urgency is not told.
type UrgencyReason string

const (
	ReasonLeft            UrgencyReason = "left"             // the container has already left
	ReasonNoDeadline      UrgencyReason = "no_deadline"      // no last free day is reported
	ReasonTrackingStopped UrgencyReason = "tracking_stopped" // nobody asks any more
	ReasonNeverChecked    UrgencyReason = "never_checked"    // the terminal was never asked
	ReasonDataOld         UrgencyReason = "data_old"         // the terminal was asked too long ago
	ReasonNoZone          UrgencyReason = "no_zone"          // the zone of the deadline's place is not known
)

// UrgencyRules are the thresholds of an urgency. The zero value is a good start.
type UrgencyRules struct {
	ImminentDays Opt[int]      // so many days left, or fewer, are imminent; 3 unless set
	MaxAge       time.Duration // terminal data older than this tells nothing; 0 means 7 days
	// TrackingStopped says that the shipment is no longer tracked. It need not be set if the container came with its
	// shipment.
	TrackingStopped bool
	Fallback        *time.Location // taken for the zone of a place that has none; nil leaves such deadlines unknown
}

const (
	defaultImminentDays   = 3
	defaultMaxTerminalAge = 7 * 24 * time.Hour
)

// Urgency tells how pressing the earliest last free day is at now. It is unknown, with a reason, rather than wrong when
// tracking stopped, the terminal was never checked or not for long, or the deadline's place has no zone. A container
// that has left is not urgent.
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
