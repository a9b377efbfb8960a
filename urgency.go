package terminal49

import (
	"time"
)

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
