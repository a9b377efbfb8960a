package terminal49

import (
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"time"
)

// Readiness describes whether a container can be picked up, by the service's own rule: it is ready
// if the terminal has released it and no hold is in force. See [PickupReadiness]. Its JSON and log
// form includes the results of its methods.
type Readiness struct {
	State ReadinessState
	// Left reports whether the container has already left full from the port terminal or the inland
	// ramp, was marked as delivered or was returned empty, according to a recorded time or the
	// current status. Leaving the port does not count while the railroad reports a last free day. It
	// does not change State, which follows from what the terminal last reported.
	Left bool

	ActiveHolds  []Hold // in force; see HoldName.ClearedBy
	PendingHolds []Hold // expected, not in force yet
	UnknownHolds []Hold // with a status unknown to this version, so they may be in force

	Warnings          []ReadinessWarning // doubts about the data; they do not change State
	TerminalCheckedAt Time               // when the terminal was last checked, UTC; zero if never or not reported

	recheck bool
}

// ReadinessState is the readiness of a container according to the terminal's data.
type ReadinessState string

// The values of ReadinessState.
const (
	ReadinessReady       ReadinessState = "ready"        // released, no hold in force
	ReadinessNotReleased ReadinessState = "not_released" // not released, no hold in force
	ReadinessBlocked     ReadinessState = "blocked"      // not released, and a hold in force
	ReadinessOutOfSync   ReadinessState = "out_of_sync"  // released, but a hold in force: part of the data is outdated
	ReadinessUnknown     ReadinessState = "unknown"      // not known whether it is released or whether a hold is in force
)

// ReadinessWarning is a reason to doubt the data behind a [Readiness].
type ReadinessWarning string

// The values of ReadinessWarning.
const (
	WarnPendingHolds            ReadinessWarning = "pending_holds"             // released, but a hold is expected
	WarnUnknownHoldStatus       ReadinessWarning = "unknown_hold_status"       // a hold is neither active nor pending
	WarnHoldsNotReported        ReadinessWarning = "holds_not_reported"        // null or missing; counts as no holds
	WarnAvailabilityNotReported ReadinessWarning = "availability_not_reported" // availability_known is false: unknown
	WarnStatusDisagrees         ReadinessWarning = "status_disagrees"          // released, but the status says otherwise
	WarnTerminalDataOld         ReadinessWarning = "terminal_data_old"         // see Readiness.WarnIfOlder
)

// PickupSnapshot is the part of a container that determines its readiness, for callers that store
// only this part.
type PickupSnapshot struct {
	AvailabilityKnown  Opt[bool]       // availability_known: false makes AvailableForPickup meaningless
	AvailableForPickup Opt[bool]       // available_for_pickup: null and missing mean unknown, not "no"
	Holds              []Hold          // holds_at_pod_terminal: nil if not reported, empty if there are none
	CurrentStatus      ContainerStatus // current_status: "" if not reported
}

// PickupReadiness returns whether a container can be picked up at its terminal or inland ramp. It
// is ready if it is available and no hold is in force; for the other cases, see [ReadinessState].
// The state is unknown if the terminal does not report availability, that is, if AvailabilityKnown
// is false, and for a nil container. Holds that were not reported count as no holds, with a warning
// and a recheck. The result is as old as the container; see [Readiness.TerminalCheckedAge].
func PickupReadiness(c *Container) Readiness {
	if c == nil {
		return PickupSnapshot{}.Readiness()
	}
	r := snapshotOf(c).Readiness()
	r.TerminalCheckedAt = c.TerminalCheckedAt
	r.Left = hasLeft(c)
	return r
}

// Readiness returns the [PickupReadiness] of the snapshot, without TerminalCheckedAt. Left follows
// from the status alone. If Left is false, the container may have left, because the status can lag
// behind and the snapshot has no times.
func (s PickupSnapshot) Readiness() Readiness {
	r := Readiness{Left: s.CurrentStatus.provesLeft()}
	for _, hold := range s.Holds {
		switch hold.Status {
		case HoldActive:
			r.ActiveHolds = append(r.ActiveHolds, hold)
		case HoldPending:
			r.PendingHolds = append(r.PendingHolds, hold)
		default:
			r.UnknownHolds = append(r.UnknownHolds, hold)
		}
	}
	known := s.AvailabilityKnown.Or(true)
	available, reported := s.AvailableForPickup.Get()
	reported = reported && known
	switch {
	case !reported:
		r.State = ReadinessUnknown
	case len(r.ActiveHolds) > 0 && available:
		r.State = ReadinessOutOfSync
	case len(r.ActiveHolds) > 0:
		r.State = ReadinessBlocked
	case len(r.UnknownHolds) > 0:
		r.State = ReadinessUnknown
	case available:
		r.State = ReadinessReady
	default:
		r.State = ReadinessNotReleased
	}
	r.recheck = r.State != ReadinessReady && r.State != ReadinessBlocked
	if r.State == ReadinessReady && len(r.PendingHolds) > 0 {
		r.warn(WarnPendingHolds)
		r.recheck = true
	}
	if len(r.UnknownHolds) > 0 {
		r.warn(WarnUnknownHoldStatus)
	}
	if s.Holds == nil {
		r.warn(WarnHoldsNotReported)
		r.recheck = true
	}
	if !known {
		r.warn(WarnAvailabilityNotReported)
	}
	if reported && available && s.CurrentStatus.deniesAvailable() {
		r.warn(WarnStatusDisagrees)
		r.recheck = true
	}
	return r
}

// CanPickUp reports whether to send a truck: the container is ready, has not left and needs no
// recheck, and its terminal was checked at most maxAge before now. The age that counts is that of
// TerminalCheckedAt, which is always older than Resource.AsOf: a container that was just read may
// have old data. If TerminalCheckedAt is unknown, or more than maxAge after now, CanPickUp returns
// false. It does not consider fees; see [FeeSummary.Settled].
func (r Readiness) CanPickUp(now time.Time, maxAge time.Duration) bool {
	checkedAt, checked := r.TerminalCheckedAt.Instant()
	return checked && now.Sub(checkedAt).Abs() <= maxAge && r.Ready() && !r.Left && !r.Recheck()
}

// Ready reports whether the container can be picked up, according to the terminal. It ignores Left
// and the age of the data; see CanPickUp.
func (r Readiness) Ready() bool { return r.State == ReadinessReady }

// Recheck reports whether to wait for the next container.updated event, or to fetch the container
// again, before deciding. It is true in every state but ready and blocked, and in those if there is
// a warning [WarnPendingHolds], [WarnHoldsNotReported], [WarnStatusDisagrees] or
// [WarnTerminalDataOld].
func (r Readiness) Recheck() bool { return r.recheck || r.State == "" }

// TerminalCheckedAge returns how long before now the terminal was last checked, or false if it
// never was or the time was not reported.
func (r Readiness) TerminalCheckedAge(now time.Time) (time.Duration, bool) {
	at, ok := r.TerminalCheckedAt.Instant()
	if !ok {
		return 0, false
	}
	return max(0, now.Sub(at)), true // clocks differ, so at may be after now
}

// WarnIfOlder returns r. If the terminal was last checked more than limit before now, or never, it
// adds the warning [WarnTerminalDataOld] and a recheck.
func (r Readiness) WarnIfOlder(now time.Time, limit time.Duration) Readiness {
	if age, ok := r.TerminalCheckedAge(now); ok && age <= limit {
		return r
	}
	r.Warnings = append(slices.Clip(r.Warnings), WarnTerminalDataOld) // the caller's r shares the array
	r.recheck = true
	return r
}

// Reason returns a human-readable English sentence on why the container is ready or not.
func (r Readiness) Reason() string {
	var b strings.Builder
	if r.Left {
		b.WriteString("The container has already left; the terminal's data said: ")
	}
	switch r.State {
	case ReadinessReady:
		b.WriteString("ready for pickup")
		if len(r.PendingHolds) > 0 {
			b.WriteString(", but expected: " + describeHolds(r.PendingHolds))
		}
	case ReadinessNotReleased:
		b.WriteString("not released by the terminal yet")
		if len(r.PendingHolds) > 0 {
			b.WriteString(", and expected: " + describeHolds(r.PendingHolds))
		}
	case ReadinessBlocked:
		b.WriteString("blocked by " + describeHolds(r.ActiveHolds))
	case ReadinessOutOfSync:
		b.WriteString("released, yet held by " + describeHolds(r.ActiveHolds) + ", so part of the data is old")
	default:
		b.WriteString("not known whether it is released")
		join := ", because "
		if slices.Contains(r.Warnings, WarnAvailabilityNotReported) {
			b.WriteString(join + "the terminal does not report availability")
			join = ", and "
		}
		if len(r.ActiveHolds) > 0 {
			b.WriteString(", and blocked by " + describeHolds(r.ActiveHolds))
		} else if len(r.UnknownHolds) > 0 {
			b.WriteString(join + "the status of " + describeHolds(r.UnknownHolds) + " is new to this program")
		}
	}
	text := b.String()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

func (r *Readiness) warn(w ReadinessWarning) { r.Warnings = append(r.Warnings, w) }

func snapshotOf(c *Container) PickupSnapshot {
	return PickupSnapshot{c.AvailabilityKnown, c.AvailableForPickup, c.Holds, c.CurrentStatus}
}

// hasLeft reports whether a recorded time or the current status proves that the container has left.
// Any other status proves nothing, because the status may lag behind. Leaving the port is not
// leaving for good while the railroad reports a last free day: the service drops the port's days
// then, and keeps the railroad's up to date.
func hasLeft(c *Container) bool {
	return !c.PODFullOutAt.IsZero() && railDeadline(c).IsZero() || !c.FinalDestinationFullOutAt.IsZero() ||
		!c.EmptyTerminatedAt.IsZero() || !c.DeliveredAt.IsZero() || c.CurrentStatus.provesLeft()
}

func (s ContainerStatus) provesLeft() bool {
	return s == StatusPickedUp || s == StatusDelivered || s == StatusEmptyReturned
}

// deniesAvailable reports whether a container of this status cannot be available for pickup.
func (s ContainerStatus) deniesAvailable() bool {
	return s == StatusNew || s == StatusOnShip || s == StatusOnRail || s == StatusNotAvailable
}

// describeHolds lists holds and who clears them, such as "a freight hold (shipping line or
// forwarder)".
func describeHolds(holds []Hold) string {
	names := make([]string, len(holds))
	for i, hold := range holds {
		names[i] = hold.String()
	}
	return strings.Join(names, " and ")
}

// readinessJSON is the JSON and log form of a Readiness.
type readinessJSON struct {
	State             ReadinessState     `json:"state"`
	Ready             bool               `json:"ready"`
	Recheck           bool               `json:"recheck"`
	Left              bool               `json:"left"`
	Reason            string             `json:"reason"`
	Warnings          []ReadinessWarning `json:"warnings"`
	ActiveHolds       []Hold             `json:"active_holds"`
	PendingHolds      []Hold             `json:"pending_holds"`
	UnknownHolds      []Hold             `json:"unknown_holds"`
	TerminalCheckedAt Time               `json:"terminal_checked_at"`
}

// MarshalJSON returns the fields and the results of Ready, Recheck and Reason. It cannot be read
// back.
func (r Readiness) MarshalJSON() ([]byte, error) {
	return json.Marshal(readinessJSON{
		r.State, r.Ready(), r.Recheck(), r.Left, r.Reason(), notNil(r.Warnings),
		notNil(r.ActiveHolds), notNil(r.PendingHolds), notNil(r.UnknownHolds), r.TerminalCheckedAt,
	})
}

// UnmarshalJSON returns an error: a readiness is computed, so store what it was computed from.
func (r *Readiness) UnmarshalJSON(data []byte) error {
	return errComputed(data, "Readiness", "store the container or a PickupSnapshot and compute it again")
}

// LogValue returns what MarshalJSON returns, as a group.
func (r Readiness) LogValue() slog.Value { return logJSON(r) }
