package terminal49

import (
	"encoding/json"
	"log/slog"
	"time"
)

// Urgency describes how urgent the pickup of a container is; see [FreeDays.Urgency].
type Urgency struct {
	Level    UrgencyLevel
	Deadline LastFreeDay   // the earliest last free day; zero if there is none
	DaysLeft Opt[int]      // calendar days to Deadline, negative if overdue; missing if they cannot be counted
	Reason   UrgencyReason // why the level is unknown, or ReasonLeft; "" otherwise
}

// urgencyJSON is the JSON and log form of an Urgency.
type urgencyJSON struct {
	Level    UrgencyLevel  `json:"level"`
	Reason   UrgencyReason `json:"reason,omitempty"`
	DaysLeft Opt[int]      `json:"days_left"`
	Deadline *LastFreeDay  `json:"deadline"`
}

// MarshalJSON returns the fields under lower-case names, with null for what is unknown. It cannot
// be read back.
func (u Urgency) MarshalJSON() ([]byte, error) {
	return json.Marshal(urgencyJSON{u.Level, u.Reason, u.DaysLeft, u.Deadline.orNull()})
}

// UnmarshalJSON returns an error: the urgency is computed, and out of date on the next day.
func (u *Urgency) UnmarshalJSON(data []byte) error {
	return errComputed(data, "Urgency", "store the container and call LastFreeDays again")
}

// LogValue returns what MarshalJSON returns, as a group.
func (u Urgency) LogValue() slog.Value { return logJSON(u) }

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
	ReasonNoZone          UrgencyReason = "no_zone"          // the deadline's zone is unknown, and the level depends on it
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
	fewest, most, counted := deadline.At.daysLeftRange(now, rules.Fallback)
	if counted && fewest == most {
		u.DaysLeft = Some(fewest)
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
	case !counted || rules.level(fewest) != rules.level(most):
		u.Reason = ReasonNoZone
	default:
		u.Level = rules.level(fewest)
	}
	return u
}

func (r UrgencyRules) level(daysLeft int) UrgencyLevel {
	switch {
	case daysLeft < 0:
		return UrgencyOverdue
	case daysLeft <= r.ImminentDays.Or(defaultImminentDays):
		return UrgencyImminent
	default:
		return UrgencyNone
	}
}
