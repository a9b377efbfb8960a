package terminal49

import (
	"cmp"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// ContainerChanges describes what a changeset means for a container; see [Changeset.Changes].
type ContainerChanges struct {
	Holds        []HoldChange
	Fees         []FeeChange
	LastFreeDays []LastFreeDayChange // in the order line, terminal, rail, the service's choice
	Times        []TimeChange        // the appointment, the milestones and the railroad's ETA, in the order of a journey
	// Before and After are the readiness before and after the changes. Both are zero if the
	// container was nil.
	Before, After Readiness
}

// Changes returns what the changeset means for a container: holds placed and cleared, fees added,
// deadlines moved, milestones reached, and whether the container can be picked up. The container
// may be a reading from before or after the changes; it supplies the zones and what the changeset
// does not contain, which counts as unchanged, such as the time at which the container left. If the
// container is nil, the readiness is zero and the deadlines have no zone. If both readings are
// known, see [WatchedChange.Changes].
func (c Changeset) Changes(container *Container) ContainerChanges {
	var changes ContainerChanges
	if holds, ok := c.Holds(); ok {
		changes.Holds = DiffHolds(holds.Old, holds.New)
	}
	if fees, ok := c.Fees(); ok {
		changes.Fees = DiffFees(fees.Old, fees.New)
	}
	before, after := c.Reversed().Apply(container), c.Apply(container)
	known := container != nil
	changes.LastFreeDays, changes.Times = c.deadlineChanges(before, after, known), c.timeChanges(before, after, known)
	if known {
		changes.Before, changes.After = PickupReadiness(before), PickupReadiness(after)
	}
	return changes
}

// deadlineChanges returns the changes of last free days: with their zones if the container is
// known.
func (c Changeset) deadlineChanges(before, after *Container, known bool) (list []LastFreeDayChange) {
	for _, source := range []LFDSource{LFDSourceLine, LFDSourceTerminal, LFDSourceRail, ""} {
		lfd, ok := c.LastFreeDay(source)
		if ok && known {
			lfd = Change[Time]{*deadlinesOf(before)[source], *deadlinesOf(after)[source]}
		}
		if ok && !sameOnWire(lfd.Old, lfd.New) {
			list = append(list, LastFreeDayChange{source, lfd.Old, lfd.New, moveOf(lfd.Old, lfd.New)})
		}
	}
	return list
}

// timeChanges returns the changes of other times, likewise.
func (c Changeset) timeChanges(before, after *Container, known bool) (list []TimeChange) {
	for i, time := range timesOf(&Container{}) {
		moved, ok := c.timeChange(time.name)
		if ok && known {
			moved = Change[Time]{*timesOf(before)[i].at, *timesOf(after)[i].at}
		}
		if ok && !sameOnWire(moved.Old, moved.New) {
			list = append(list, TimeChange{time.name, moved.Old, moved.New})
		}
	}
	return list
}

// BecameReady reports whether the container is released, without a hold in force and at its place
// of pickup after the changes, and was not known to be before. A container that is new to a watch
// was not known before. Fees do not matter; see [SumContainerFees]. Check After.NeedsRecheck when a
// wasted trip is expensive: a hold list that is no longer reported counts as no holds.
func (c ContainerChanges) BecameReady() bool { return !c.Before.isPickable() && c.After.isPickable() }

// StoppedBeingReady reports whether the container was ready at its place of pickup before the
// changes and is not known to be after them: it may have left.
func (c ContainerChanges) StoppedBeingReady() bool {
	return c.Before.isPickable() && !c.After.isPickable()
}

// HoldChange is a change of one hold. Old is zero for a hold that was placed, New for one that was
// cleared.
type HoldChange struct {
	Kind     HoldChangeKind
	Old, New Hold
}

// String returns what happened to which hold, such as "cleared a customs hold (customs broker)".
// The status of the hold follows unless it is HoldStatusActive: "placed a customs hold (customs
// broker), pending".
func (h HoldChange) String() string {
	hold := h.New
	if h.Kind == HoldChangeCleared {
		hold = h.Old
	}
	text := cmp.Or(string(h.Kind), string(HoldChangeOther)) + " " + hold.String()
	if hold.Status != "" && hold.Status != HoldStatusActive {
		text += ", " + string(hold.Status)
	}
	return text
}

// HoldChangeKind is the kind of a [HoldChange].
type HoldChangeKind string

// The values of HoldChangeKind.
const (
	HoldChangePlaced    HoldChangeKind = "placed"    // new, active or pending: see New.Status
	HoldChangeCleared   HoldChangeKind = "cleared"   // removed, even if it was never active: see Old.Status
	HoldChangeActivated HoldChangeKind = "activated" // was pending and is now active
	HoldChangeOther     HoldChangeKind = "changed"   // any other change of status, description or detail
)

// DiffHolds returns the changes between two lists of holds: first those of the holds in before,
// then the holds that were placed, each in list order. If after is nil, the holds were not
// reported; nothing counts as cleared and the result is nil.
func DiffHolds(before, after []Hold) []HoldChange {
	if after == nil {
		return nil
	}
	pairs, removed, added := matchItems(before, after,
		func(h Hold) Hold { return h },
		func(h Hold) Hold { return Hold{Name: h.Name, Description: h.Description} },
		func(h Hold) Hold { return Hold{Name: h.Name, Status: h.Status} },
		func(h Hold) Hold { return Hold{Name: h.Name} },
	)
	var changes []HoldChange
	for _, p := range pairs {
		switch {
		case p.Old == p.New:
		case p.Old.Status == HoldStatusPending && p.New.Status == HoldStatusActive:
			changes = append(changes, HoldChange{HoldChangeActivated, p.Old, p.New})
		default:
			changes = append(changes, HoldChange{HoldChangeOther, p.Old, p.New})
		}
	}
	for _, hold := range removed {
		changes = append(changes, HoldChange{Kind: HoldChangeCleared, Old: hold})
	}
	for _, hold := range added {
		changes = append(changes, HoldChange{Kind: HoldChangePlaced, New: hold})
	}
	return changes
}

// FeeChange is a change of one fee. Old is 0 for a fee that was added, New for one that was
// removed. 0 may also be an amount that is not known; see [Fee].
type FeeChange struct {
	Kind         FeeChangeKind
	Type         FeeType
	CurrencyCode string
	Old, New     decimal.Decimal
}

// FeeChangeKind is the kind of a [FeeChange].
type FeeChangeKind string

// The values of FeeChangeKind.
const (
	FeeChangeAdded   FeeChangeKind = "added"
	FeeChangeRemoved FeeChangeKind = "removed"
	FeeChangeAmount  FeeChangeKind = "amount" // the amount changed; one of 0 was not known
)

// DiffFees returns the changes between two lists of fees, matched by type and currency. If after is
// nil, the fees were not reported; nothing counts as removed and the result is nil.
func DiffFees(before, after []Fee) []FeeChange {
	if after == nil || slices.EqualFunc(before, after, sameFee) {
		return nil
	}
	type key struct{ kind, currency, amount string }
	pairs, removed, added := matchItems(before, after,
		func(f Fee) key { return key{string(f.Type), f.CurrencyCode, f.Amount.String()} }, // equal amounts: equal strings
		func(f Fee) key { return key{string(f.Type), f.CurrencyCode, ""} },
	)
	var changes []FeeChange
	for _, p := range pairs {
		if !sameFee(p.Old, p.New) {
			change := FeeChange{FeeChangeAmount, p.New.Type, p.New.CurrencyCode, p.Old.Amount, p.New.Amount}
			changes = append(changes, change)
		}
	}
	for _, fee := range removed {
		change := FeeChange{Kind: FeeChangeRemoved, Type: fee.Type, CurrencyCode: fee.CurrencyCode, Old: fee.Amount}
		changes = append(changes, change)
	}
	for _, fee := range added {
		change := FeeChange{Kind: FeeChangeAdded, Type: fee.Type, CurrencyCode: fee.CurrencyCode, New: fee.Amount}
		changes = append(changes, change)
	}
	return changes
}

func sameFee(a, b Fee) bool {
	return a.Type == b.Type && a.CurrencyCode == b.CurrencyCode && a.Amount.Equal(b.Amount)
}

// matchItems pairs the items of two lists that have a key in common. It tries the keys in the given
// order, strictest first, and pairs items with the same key in list order. Items without a partner
// were removed or added. It runs in linear time.
func matchItems[T any, K comparable](before, after []T, keys ...func(T) K) (pairs []Change[T], removed, added []T) {
	partner := make([]int, len(before)) // index in after plus one; 0 if there is none
	taken := make([]bool, len(after))
	next := make([]int, len(after)) // the next item with the same key: index plus one; 0 if there is none
	for _, key := range keys {
		first := make(map[K]int, len(after))
		for j := len(after) - 1; j >= 0; j-- {
			if k := key(after[j]); !taken[j] {
				next[j], first[k] = first[k], j+1
			}
		}
		for i := range before {
			if partner[i] != 0 {
				continue
			}
			if k := key(before[i]); first[k] != 0 {
				j := first[k] - 1
				partner[i], taken[j], first[k] = j+1, true, next[j]
			}
		}
	}
	for i, j := range partner {
		if j == 0 {
			removed = append(removed, before[i])
		} else {
			pairs = append(pairs, Change[T]{before[i], after[j-1]})
		}
	}
	for j := range after {
		if !taken[j] {
			added = append(added, after[j])
		}
	}
	return pairs, removed, added
}

// LastFreeDayChange is a change of a last free day.
type LastFreeDayChange struct {
	Source   LFDSource // "" for the one the service chose, pickup_lfd
	Old, New Time      // zero if there was no deadline
	Move     TimeMove
}

// TimeMove is how a deadline or an ETA changed: see [LastFreeDayChange] and [ETAChange.Move].
type TimeMove string

// The values of TimeMove.
const (
	TimeSet     TimeMove = "set"     // there was none before
	TimeRemoved TimeMove = "removed" // there is none now; the service hides deadlines after pickup
	TimeEarlier TimeMove = "earlier"
	TimeLater   TimeMove = "later"
	// TimeSameDay is a value that changed while the day is the same, or perhaps the same if the
	// zone is unknown: a last free day is a day, and the time of day means nothing.
	TimeSameDay TimeMove = "same_day"
)

func moveOf(before, after Time) TimeMove {
	switch {
	case before.IsZero():
		return TimeSet
	case after.IsZero():
		return TimeRemoved
	}
	firstBefore, lastBefore := possibleDays(before)
	firstAfter, lastAfter := possibleDays(after)
	var moved time.Duration // between two instants, if a day is unknown
	if unknown := firstBefore != lastBefore || firstAfter != lastAfter; unknown && before.day == after.day {
		moved = after.utc().Sub(before.utc())
	}
	days := mayBeDays(moved)
	switch {
	case lastAfter.Compare(firstBefore) < 0 || days && moved < 0:
		return TimeEarlier
	case firstAfter.Compare(lastBefore) > 0 || days && moved > 0:
		return TimeLater
	default:
		return TimeSameDay
	}
}

// mayBeDays reports whether a move is of a day or more: days have 23 to 25 hours, and between two
// midnights there are whole half-hours.
func mayBeDays(moved time.Duration) bool {
	return moved.Abs() >= 25*time.Hour || moved.Abs() >= 23*time.Hour && moved%(30*time.Minute) == 0
}

// possibleDays returns the first and last calendar day that t may fall on at its place. Without a
// zone, the place can be anywhere on earth: from 12 hours behind UTC to 14 hours ahead.
func possibleDays(t Time) (first, last Date) {
	if day, ok := t.Date(); ok {
		return day, day
	}
	return DateOf(t.utc().Add(-12 * time.Hour)), DateOf(t.utc().Add(14 * time.Hour))
}

// TimeChange is a change of an appointment, a milestone or an estimate.
type TimeChange struct {
	Attribute string // such as AttributePODDischarged
	Old, New  Time   // zero if there was none: a milestone that is withdrawn has no New
}

// DiffContainers returns the changes between two readings of a container, in the form of a
// container.updated event. It compares what [PickupReadiness], [SumFees] and [LastFreeDays] use of
// the container itself, its status, yard location, chassis and railroads, and all milestones. It
// ignores the equipment, your references, when sources were checked, and the order of holds, fees
// and events. Terminals are compared if both readings report them, and the ids of transport events
// if after also includes the events. For the result d, d.Apply(before) has the compared values of
// after. A nil container has no known attributes.
func DiffContainers(before, after *Container) Changeset {
	before, after = before.orEmpty(), after.orEmpty()
	diff := Changeset{changes: map[string]sentChange{}}
	recordChange(diff, AttributeHolds, before.Holds, after.Holds, sameItems(DiffHolds))
	recordChange(diff, AttributeFees, before.Fees, after.Fees, sameItems(DiffFees))
	available, texts, times, terminals := availabilityOf(before), textsOf(before), timesOf(before), terminalsOf(before)
	for name, value := range availabilityOf(after) {
		recordChange(diff, name, *available[name], *value, sameAvailability)
	}
	for name, text := range textsOf(after) {
		recordText(diff, name, *texts[name], *text)
	}
	for i, time := range timesOf(after) {
		recordChange(diff, time.name, *times[i].at, *time.at, sameOnWire)
	}
	diffDeadlines(diff, before, after)
	for name, terminal := range terminalsOf(after) {
		if terminals[name].State() != RelationshipAbsent && terminal.State() != RelationshipAbsent {
			recordText(diff, name, terminals[name].ID(), terminal.ID())
		}
	}
	if _, complete := after.TransportEvents.Values(); complete && before.TransportEvents.State() != RelationshipAbsent {
		recordChange(diff, AttributeTransportEvents, before.TransportEvents.IDs(), after.TransportEvents.IDs(), sameSet)
	}
	return diff
}

// orEmpty returns c, or a container of which nothing is known if c is nil.
func (c *Container) orEmpty() *Container {
	if c == nil {
		return &Container{}
	}
	return c
}

// sameSet reports whether two lists have the same elements, in any order and number.
func sameSet(a, b []string) bool { return maps.Equal(setOf(a), setOf(b)) }

func diffDeadlines(diff Changeset, before, after *Container) {
	old := deadlinesOf(before)
	for source, current := range deadlinesOf(after) {
		recordChange(diff, changedLFD(source), *old[source], *current, sameOnWire)
	}
	if oldPOD, pod := before.ImportDeadlines.POD, after.ImportDeadlines.POD; !reflect.DeepEqual(oldPOD, pod) {
		recordChange(diff, changedDeadlines, ImportDeadlines{POD: oldPOD}, ImportDeadlines{POD: pod}, func(a, b ImportDeadlines) bool { return false })
	}
	_, moved := diff.changes[AttributePickupLFDRail]
	recordChange(diff, changedINDFacilityLFD, before.INDFacilityLFD, after.INDFacilityLFD, func(a, b Time) bool {
		// Of a rail day that moves alone, Apply would assume that its deprecated copy moves too.
		return sameOnWire(a, b) && (!moved || a.IsZero())
	})
}

// recordChange adds an attribute to the changeset if its values differ. All types it is used with
// can be encoded.
func recordChange[T any](diff Changeset, attribute string, before, after T, same func(a, b T) bool) {
	if same(before, after) {
		return
	}
	old, errOld := marshalMember(&before)
	current, errNew := marshalMember(&after)
	if errOld == nil && errNew == nil {
		diff.changes[attribute] = pairOf(old, current)
	}
}

// sameItems returns a function that reports whether there are no changes between two lists, so
// their order does not count. A nil list, which was not reported, differs from an empty one.
func sameItems[T, C any](changes func(before, after []T) []C) func(a, b []T) bool {
	return func(a, b []T) bool { return (a == nil) == (b == nil) && len(changes(a, b)) == 0 }
}

// sameAvailability reports whether two availabilities are equal. Missing and null are equal, since
// both mean unknown.
func sameAvailability(a, b Opt[bool]) bool {
	valueA, okA := a.Get()
	valueB, okB := b.Get()
	return okA == okB && valueA == valueB
}

// sameOnWire reports whether two times have the same wire form, which has no zone. The offset
// counts only where it decides the wall clock.
func sameOnWire(a, b Time) bool {
	sameClock := a.offset == b.offset || a.kind != timeFloating && b.kind != timeFloating
	return a.IsZero() == b.IsZero() && a.seconds == b.seconds && a.nanos == b.nanos && a.day == b.day && sameClock
}

// recordText adds a text to the changeset if it differs. An empty one is null.
func recordText(diff Changeset, attribute, before, after string) {
	text := func(s string) Opt[string] {
		if s == "" {
			return Null[string]()
		}
		return Some(s)
	}
	recordChange(diff, attribute, text(before), text(after), func(a, b Opt[string]) bool { return a == b })
}

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
