package terminal49

import (
	"strings"
	"time"
)

// Readiness answers whether a container can be picked up, by the service's own rule: it is ready when the terminal
// released it and no hold is in force. See [PickupReadiness].
type Readiness struct {
	State ReadinessState
	// Left reports that the container has already been taken: it went full out of the port terminal or the inland
	// ramp, was marked delivered or came back empty. It stands beside the state, which is what the terminal last said.
	Left bool

	ActiveHolds  []Hold // in force: these keep the container; [HoldName.ClearedBy] tells whom to ask
	PendingHolds []Hold // expected, not yet in force
	UnknownHolds []Hold // with a status this version does not know, so nobody can say whether they are in force

	Warnings          []ReadinessWarning // what to know about the data; none changes the state
	TerminalCheckedAt Time               // when the terminal was last asked, UTC; zero if never or not told

	recheck bool
}

// ReadinessState is what the terminal's data says about a pickup.
type ReadinessState string

const (
	ReadinessReady       ReadinessState = "ready"        // released, no hold in force
	ReadinessNotReleased ReadinessState = "not_released" // not released yet, no hold in force
	ReadinessBlocked     ReadinessState = "blocked"      // not released, at least one hold in force
	ReadinessOutOfSync   ReadinessState = "out_of_sync"  // released and yet a hold in force: one of the two is old
	ReadinessUnknown     ReadinessState = "unknown"      // the terminal did not say, or in a way that cannot be read
)

// ReadinessWarning is something to know about the data behind a [Readiness].
type ReadinessWarning string

const (
	WarnPendingHolds            ReadinessWarning = "pending_holds"             // released, but a hold is expected
	WarnUnknownHoldStatus       ReadinessWarning = "unknown_hold_status"       // a hold is neither active nor pending
	WarnHoldsNotReported        ReadinessWarning = "holds_not_reported"        // the list was null or missing; read as no holds
	WarnAvailabilityNotReported ReadinessWarning = "availability_not_reported" // availability_known is false
	WarnTerminalDataOld         ReadinessWarning = "terminal_data_old"         // see [Readiness.WarnIfOlder]
)

// PickupSnapshot is the part of a container that readiness depends on, for callers that keep only this much.
type PickupSnapshot struct {
	AvailabilityKnown  Opt[bool] // availability_known
	AvailableForPickup Opt[bool] // available_for_pickup; null and missing mean "not known", never "no"
	Holds              []Hold    // holds_at_pod_terminal; nil if not reported, empty if there are none
}

// PickupReadiness tells whether a container can be picked up at its terminal or inland ramp. It is pure: the answer is
// as old as the container, see [Readiness.TerminalCheckedAge]. A nil container is unknown.
//
//	available_for_pickup   holds                     State          Ready   Recheck
//	true                   none                      ready          yes     no
//	true                   only pending              ready          yes     yes, with a warning
//	true                   one in force              out of sync    no      yes
//	false                  none or only pending      not released   no      yes
//	false                  one in force              blocked        no      no
//	null or missing        any                       unknown        no      yes
//	true or false          none in force, one with   unknown        no      yes
//	                       an unknown status
//
// A hold of unknown status beside one in force changes nothing but the warnings: the one in force decides. A hold list
// that was not reported is read as none, and asks for a recheck in every row.
func PickupReadiness(c *Container) Readiness {
	if c == nil {
		return PickupSnapshot{}.Readiness()
	}
	r := snapshotOf(c).Readiness()
	r.TerminalCheckedAt = c.TerminalCheckedAt
	r.Left = hasLeft(c)
	return r
}

// Readiness is [PickupReadiness] without what the snapshot does not hold: Left and the age of the data.
func (s PickupSnapshot) Readiness() Readiness {
	var r Readiness
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
	available, told := s.AvailableForPickup.Get()
	switch {
	case !told:
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
	if known, told := s.AvailabilityKnown.Get(); told && !known {
		r.warn(WarnAvailabilityNotReported)
	}
	return r
}

// Ready reports whether the container can be picked up. It says what the terminal says; check Left too where a
// container may have been taken since the terminal was asked.
func (r Readiness) Ready() bool { return r.State == ReadinessReady }

// Recheck reports whether to wait for the next container.updated event, or to read the container again, before
// deciding. It can be true of a ready container: the data then leaves a doubt, named in Warnings.
func (r Readiness) Recheck() bool { return r.recheck }

// TerminalCheckedAge returns how long before now the terminal was last asked; false if it never was or was not told.
func (r Readiness) TerminalCheckedAge(now time.Time) (time.Duration, bool) {
	at, ok := r.TerminalCheckedAt.Instant()
	if !ok {
		return 0, false
	}
	return max(0, now.Sub(at)), true // clocks differ: never from the future
}

// WarnIfOlder returns r with [WarnTerminalDataOld] added, and a recheck asked for, if at now the terminal was last
// asked more than limit ago, or never.
func (r Readiness) WarnIfOlder(now time.Time, limit time.Duration) Readiness {
	if age, ok := r.TerminalCheckedAge(now); ok && age <= limit {
		return r
	}
	r.Warnings = append(r.Warnings[:len(r.Warnings):len(r.Warnings)], WarnTerminalDataOld) // r is a copy, its list is not
	r.recheck = true
	return r
}

// Reason says in one English sentence, for people, why the container is ready or not.
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
		if len(r.ActiveHolds) > 0 {
			b.WriteString(", and blocked by " + describeHolds(r.ActiveHolds))
		} else if len(r.UnknownHolds) > 0 {
			b.WriteString(", because the status of " + describeHolds(r.UnknownHolds) + " is new to this program")
		}
	}
	text := b.String()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

func (r *Readiness) warn(w ReadinessWarning) { r.Warnings = append(r.Warnings, w) }

func snapshotOf(c *Container) PickupSnapshot {
	return PickupSnapshot{c.AvailabilityKnown, c.AvailableForPickup, c.Holds}
}

// hasLeft goes by the recorded times. The current status is not asked: it may lag behind.
func hasLeft(c *Container) bool {
	return !c.PODFullOutAt.IsZero() || !c.FinalDestinationFullOutAt.IsZero() || !c.EmptyTerminatedAt.IsZero() || !c.DeliveredAt.IsZero()
}

// describeHolds names holds and who clears them, such as "a freight hold (shipping line or forwarder)".
func describeHolds(holds []Hold) string {
	names := make([]string, len(holds))
	for i, hold := range holds {
		names[i] = hold.String()
	}
	return strings.Join(names, " and ")
}
