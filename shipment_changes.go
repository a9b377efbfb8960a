package terminal49

import (
	"cmp"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
)

// ShipmentChanges holds the changes between two readings of a shipment; see [DiffShipments]. A
// field has the name of the [Shipment]'s field that changed, and is zero if that did not change. If
// only Old or only New is zero, that reading had no value.
type ShipmentChanges struct {
	PODETA         ETAChange
	DestinationETA ETAChange
	PODATA         Change[Time] // an arrival that is withdrawn has no New
	DestinationATA Change[Time]

	PODVesselName   Change[string] // unchanged if both readings have the same IMO number
	PODVesselIMO    Change[string]
	PODVoyageNumber Change[string]

	PortOfDischargeLOCODE Change[string]
	DestinationLOCODE     Change[string]
	PODTerminal           Change[string] // ids

	LineTrackingStoppedAt     Change[Time] // tracking stopped if New is set, and resumed if only Old is
	LineTrackingStoppedReason Change[LineTrackingStoppedReason]

	ContainersAdded   []string // ids, sorted
	ContainersRemoved []string // ids, sorted
}

// IsZero reports whether nothing changed.
func (c ShipmentChanges) IsZero() bool { return reflect.ValueOf(c).IsZero() }

// VesselChanged reports whether another vessel calls at the port of discharge: the containers were
// rolled or take another way. It returns false unless both vessels are known. The IMO number
// decides; if a reading does not have it, the name does, regardless of case.
func (c ShipmentChanges) VesselChanged() bool {
	known := func(c Change[string]) bool { return c.Old != "" && c.New != "" }
	return known(c.PODVesselIMO) || known(c.PODVesselName)
}

// ETAChange is a change of an estimated time of arrival. To compare two estimates of one reading,
// use ETAChange{Old: shipment.PODOriginalETA, New: shipment.PODETA}.
type ETAChange struct {
	Old, New Time // zero if there was no estimate

	elsewhere bool // the two may be at different places
}

// Slip returns the duration from Old to New, negative if the ship is expected earlier. If only the
// day of either is known, it is in whole days. If both are wall clocks without a known zone, it is
// the difference of their digits, which is off by an hour if the clocks of the place change in
// between. It returns false if either was not reported, if only one of them is a wall clock, or if
// the place may have changed and an instant is unknown.
func (c ETAChange) Slip() (time.Duration, bool) {
	if instants, ok := c.New.Sub(c.Old); ok {
		return reversible(instants), true
	}
	before, okBefore := c.Old.Date()
	after, okAfter := c.New.Date()
	switch {
	case c.elsewhere || !okBefore || !okAfter:
		return 0, false
	case c.Old.day || c.New.day:
		return reversible(after.midnight().Sub(before.midnight())), true
	case c.Old.kind == timeFloating && c.New.kind == timeFloating:
		return reversible(digitsOf(c.New).Sub(digitsOf(c.Old))), true
	}
	return 0, false
}

// reversible returns a difference of times that has an opposite. [time.Time.Sub] returns the
// smallest Duration, which has none, for times that are centuries apart.
func reversible(d time.Duration) time.Duration { return max(d, -math.MaxInt64) }

// digitsOf returns what a wall clock shows, as a time in UTC.
func digitsOf(t Time) time.Time { return t.utc().Add(time.Duration(t.offset) * time.Minute) }

// Move returns the direction of the change: TimeSet, TimeRemoved, TimeEarlier or
// TimeLater, even within a day. If the slip is unknown, it is earlier or later only if that is
// certain; see [Time.Before]. Otherwise Move returns TimeSameDay, or "" if there is no change.
func (c ETAChange) Move() TimeMove {
	slip, known := c.Slip()
	switch {
	case c.Old.IsZero() && c.New.IsZero():
		return ""
	case c.Old.IsZero():
		return TimeSet
	case c.New.IsZero():
		return TimeRemoved
	case slip < 0, !known && c.New.Before(c.Old):
		return TimeEarlier
	case slip > 0, !known && c.Old.Before(c.New):
		return TimeLater
	}
	return TimeSameDay
}

// DiffShipments returns the changes between two readings of a shipment, for alerts. What one of
// them does not report has not changed: the terminal and the containers if they are absent, and
// everything if a reading is nil. (To [DiffContainers] a nil container has no values, because its
// result can be applied.) An ETA that is missing next to the actual arrival has not changed either:
// the service removes it on arrival. Times count as sent, without their zones, and the order of
// containers does not count.
func DiffShipments(before, after *Shipment) ShipmentChanges {
	if before == nil || after == nil {
		return ShipmentChanges{}
	}
	changes := ShipmentChanges{
		PODETA:                    changedETA(podEstimate(before), podEstimate(after)),
		DestinationETA:            changedETA(destinationEstimate(before), destinationEstimate(after)),
		PODATA:                    changedBy(sameOnWire, before.PODATA, after.PODATA),
		DestinationATA:            changedBy(sameOnWire, before.DestinationATA, after.DestinationATA),
		PODVesselIMO:              changedBy(sameValue, before.PODVesselIMO, after.PODVesselIMO),
		PODVoyageNumber:           changedBy(sameValue, before.PODVoyageNumber, after.PODVoyageNumber),
		PortOfDischargeLOCODE:     changedBy(sameValue, before.PortOfDischargeLOCODE, after.PortOfDischargeLOCODE),
		DestinationLOCODE:         changedBy(sameValue, before.DestinationLOCODE, after.DestinationLOCODE),
		LineTrackingStoppedAt:     changedBy(sameOnWire, before.LineTrackingStoppedAt, after.LineTrackingStoppedAt),
		LineTrackingStoppedReason: changedBy(sameValue, before.LineTrackingStoppedReason, after.LineTrackingStoppedReason),
	}
	if before.PODVesselIMO == "" || before.PODVesselIMO != after.PODVesselIMO {
		changes.PODVesselName = changedBy(strings.EqualFold, before.PODVesselName, after.PODVesselName)
	}
	if before.PODTerminal.State() != RelationshipAbsent && after.PODTerminal.State() != RelationshipAbsent {
		changes.PODTerminal = changedBy(sameValue, before.PODTerminal.ID(), after.PODTerminal.ID())
	}
	if before.Containers.State() != RelationshipAbsent && after.Containers.State() != RelationshipAbsent {
		changes.ContainersAdded = idsWithout(after.Containers.IDs(), before.Containers.IDs())
		changes.ContainersRemoved = idsWithout(before.Containers.IDs(), after.Containers.IDs())
	}
	return changes
}

// estimate is what a reading reports of an arrival.
type estimate struct {
	eta, ata Time
	place    string // "" if unknown
}

func podEstimate(s *Shipment) estimate {
	return estimate{s.PODETA, s.PODATA, cmp.Or(s.PortOfDischargeLOCODE, s.PortOfDischargeName)}
}

func destinationEstimate(s *Shipment) estimate {
	return estimate{s.DestinationETA, s.DestinationATA, cmp.Or(s.DestinationLOCODE, s.DestinationName)}
}

// over reports whether there is no ETA because the arrival is recorded.
func (e estimate) over() bool { return e.eta.IsZero() && !e.ata.IsZero() }

func changedETA(before, after estimate) ETAChange {
	if before.over() || after.over() || sameOnWire(before.eta, after.eta) {
		return ETAChange{}
	}
	return ETAChange{before.eta, after.eta, before.place != after.place}
}

// changedBy returns the zero Changed if the values are the same.
func changedBy[T any](same func(a, b T) bool, before, after T) Change[T] {
	if same(before, after) {
		return Change[T]{}
	}
	return Change[T]{before, after}
}

func sameValue[T comparable](a, b T) bool { return a == b }

// idsWithout returns the distinct ids of a list that another list does not contain, sorted.
func idsWithout(ids, other []string) []string {
	rest, known := setOf(ids), setOf(other)
	maps.DeleteFunc(rest, func(id string, _ bool) bool { return known[id] })
	return slices.Sorted(maps.Keys(rest))
}
