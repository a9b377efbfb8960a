package terminal49

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/shopspring/decimal"
)

// ContainerChanges is what a changeset means; see [Changeset.Changes].
type ContainerChanges struct {
	Holds     []HoldChange
	Fees      []FeeChange
	Deadlines []DeadlineChange // by source: line, terminal, rail, then the service's pick
	// Before and After tell whether the container could be picked up. Both are zero if the container was not given.
	Before, After Readiness
}

// Changes tells what the changeset means for a container: holds placed and cleared, fees added, deadlines moved, pickup
// made possible or not. Give the container as it was either before or after; it fills in what the changeset does not
// mention, and the zones. It may be nil: then readiness is not told and the deadlines have no zone.
func (c Changeset) Changes(of *Container) ContainerChanges {
	var changes ContainerChanges
	if holds, ok := c.Holds(); ok {
		changes.Holds = DiffHolds(holds.Old, holds.New)
	}
	if fees, ok := c.Fees(); ok {
		changes.Fees = DiffFees(fees.Old, fees.New)
	}
	before, after := c.Reversed().Apply(of), c.Apply(of)
	for _, source := range []LFDSource{LFDLine, LFDTerminal, LFDRail, ""} {
		if lfd, ok := c.LastFreeDay(source); ok && !sameSent(lfd.Old, lfd.New) {
			if of != nil {
				lfd = Changed[Time]{*deadlinesOf(before)[source], *deadlinesOf(after)[source]}
			}
			changes.Deadlines = append(changes.Deadlines, DeadlineChange{source, lfd.Old, lfd.New, moveOf(lfd.Old, lfd.New)})
		}
	}
	if of != nil {
		changes.Before, changes.After = PickupReadiness(before), PickupReadiness(after)
	}
	return changes
}

// BecameReady reports that the container can be picked up now and could not, or not for sure, before. As always, look
// at After.Recheck where sending a truck in vain is dear: a hold list that is no longer reported reads as no holds.
func (c ContainerChanges) BecameReady() bool { return !c.Before.Ready() && c.After.Ready() }

// StoppedBeingReady reports that the container could be picked up before and cannot, or not for sure, now.
func (c ContainerChanges) StoppedBeingReady() bool { return c.Before.Ready() && !c.After.Ready() }

// HoldChange is what happened to one hold. Old is zero for one that was placed, New for one that was cleared.
type HoldChange struct {
	Kind     HoldChangeKind
	Old, New Hold
}

// HoldChangeKind is what happened to a hold.
type HoldChangeKind string

const (
	HoldChangePlaced    HoldChangeKind = "placed"    // new, in force or pending: see New.Status
	HoldChangeCleared   HoldChangeKind = "cleared"   // gone, even if it never was in force: see Old.Status
	HoldChangeActivated HoldChangeKind = "activated" // pending before, in force now
	HoldChangeOther     HoldChangeKind = "changed"   // another status or description
)

// DiffHolds tells what happened between two lists of holds, in the order of before and then of after. A list that was
// not reported afterwards (nil) says nothing, so nothing is taken for cleared.
func DiffHolds(before, after []Hold) []HoldChange {
	if after == nil {
		return nil
	}
	pairs, gone, came := match(before, after,
		func(h Hold) Hold { return h },
		func(h Hold) Hold { return Hold{Name: h.Name, Description: h.Description} },
		func(h Hold) Hold { return Hold{Name: h.Name, Status: h.Status} },
		func(h Hold) Hold { return Hold{Name: h.Name} },
	)
	var changes []HoldChange
	for _, p := range pairs {
		switch {
		case p.Old == p.New:
		case p.Old.Status == HoldPending && p.New.Status == HoldActive:
			changes = append(changes, HoldChange{HoldChangeActivated, p.Old, p.New})
		default:
			changes = append(changes, HoldChange{HoldChangeOther, p.Old, p.New})
		}
	}
	for _, hold := range gone {
		changes = append(changes, HoldChange{Kind: HoldChangeCleared, Old: hold})
	}
	for _, hold := range came {
		changes = append(changes, HoldChange{Kind: HoldChangePlaced, New: hold})
	}
	return changes
}

// FeeChange is what happened to one fee. Old is 0 for one that was added, New for one that was removed; 0 can also be
// an amount that is not posted yet.
type FeeChange struct {
	Kind         FeeChangeKind
	Type         FeeType
	CurrencyCode string
	Old, New     decimal.Decimal
}

// FeeChangeKind is what happened to a fee.
type FeeChangeKind string

const (
	FeeChangeAdded   FeeChangeKind = "added"
	FeeChangeRemoved FeeChangeKind = "removed"
	FeeChangeAmount  FeeChangeKind = "amount" // another amount; from 0 it was posted
)

// DiffFees tells what happened between two lists of fees, matched by type and currency. A list that was not reported
// afterwards (nil) says nothing, so nothing is taken for removed.
func DiffFees(before, after []Fee) []FeeChange {
	if after == nil || slices.EqualFunc(before, after, sameFee) {
		return nil
	}
	type key struct{ kind, currency, amount string }
	pairs, gone, came := match(before, after,
		func(f Fee) key { return key{string(f.Type), f.CurrencyCode, f.Amount.String()} }, // equal amounts read alike
		func(f Fee) key { return key{string(f.Type), f.CurrencyCode, ""} },
	)
	var changes []FeeChange
	for _, p := range pairs {
		if !sameFee(p.Old, p.New) {
			changes = append(changes, FeeChange{FeeChangeAmount, p.New.Type, p.New.CurrencyCode, p.Old.Amount, p.New.Amount})
		}
	}
	for _, fee := range gone {
		changes = append(changes, FeeChange{Kind: FeeChangeRemoved, Type: fee.Type, CurrencyCode: fee.CurrencyCode, Old: fee.Amount})
	}
	for _, fee := range came {
		changes = append(changes, FeeChange{Kind: FeeChangeAdded, Type: fee.Type, CurrencyCode: fee.CurrencyCode, New: fee.Amount})
	}
	return changes
}

func sameFee(a, b Fee) bool {
	return a.Type == b.Type && a.CurrencyCode == b.CurrencyCode && a.Amount.Equal(b.Amount)
}

// match pairs the items of two lists that have a key in common, trying the strictest key first and taking equals in
// order. What no key pairs is gone or came. It takes time in proportion to the lists, whatever they hold.
func match[T any, K comparable](before, after []T, keys ...func(T) K) (pairs []Changed[T], gone, came []T) {
	partner := make([]int, len(before)) // indices in after, plus one; 0 for none
	taken := make([]bool, len(after))
	next := make([]int, len(after)) // of the same key
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
			gone = append(gone, before[i])
		} else {
			pairs = append(pairs, Changed[T]{before[i], after[j-1]})
		}
	}
	for j := range after {
		if !taken[j] {
			came = append(came, after[j])
		}
	}
	return pairs, gone, came
}

// DeadlineChange is a last free day that moved.
type DeadlineChange struct {
	Source   LFDSource // "" is the service's pick, pickup_lfd
	Old, New Time      // zero for none
	Move     DeadlineMove
}

// DeadlineMove is how a deadline moved.
type DeadlineMove string

const (
	DeadlineSet     DeadlineMove = "set"     // there was none
	DeadlineRemoved DeadlineMove = "removed" // there is none now; the service hides deadlines after the pickup
	DeadlineEarlier DeadlineMove = "earlier"
	DeadlineLater   DeadlineMove = "later"
	DeadlineSameDay DeadlineMove = "same_day" // said otherwise, but no other day can be made out
)

func moveOf(before, after Time) DeadlineMove {
	switch {
	case before.IsZero():
		return DeadlineSet
	case after.IsZero():
		return DeadlineRemoved
	}
	firstBefore, lastBefore := possibleDays(before)
	firstAfter, lastAfter := possibleDays(after)
	comparable := before.day == after.day // two moments, or two calendar days, can always be compared
	switch {
	case lastAfter.Compare(firstBefore) < 0 || comparable && after.utc().Before(before.utc()):
		return DeadlineEarlier
	case firstAfter.Compare(lastBefore) > 0 || comparable && after.utc().After(before.utc()):
		return DeadlineLater
	default:
		return DeadlineSameDay
	}
}

// possibleDays returns the first and last calendar day that t can be at its place. Without a zone, that is any place on
// earth: clocks are at most 12 hours behind UTC and 14 ahead.
func possibleDays(t Time) (first, last Date) {
	if day, ok := t.Date(); ok {
		return day, day
	}
	return DateOf(t.utc().Add(-12 * time.Hour)), DateOf(t.utc().Add(14 * time.Hour))
}

// DiffContainers returns how a container changed from one reading to the next, in the form of a container.updated
// event. It covers what [Changeset.Apply] does; applying it to before gives after in those. The POD terminal counts
// only if both readings tell it. A nil container is one of which nothing is known.
func DiffContainers(before, after *Container) Changeset {
	if before == nil {
		before = &Container{}
	}
	if after == nil {
		after = &Container{}
	}
	diff := Changeset{changes: map[string]Change{}}
	record(diff, ChangedHolds, before.Holds, after.Holds, sameList(func(a, b Hold) bool { return a == b }))
	record(diff, ChangedFees, before.Fees, after.Fees, sameList(sameFee))
	record(diff, ChangedAvailableForPickup, before.AvailableForPickup, after.AvailableForPickup, func(a, b Opt[bool]) bool {
		valueA, okA := a.Get()
		valueB, okB := b.Get()
		return okA == okB && valueA == valueB
	})
	was := deadlinesOf(before)
	for source, is := range deadlinesOf(after) {
		record(diff, changedLFD(source), *was[source], *is, sameSent)
	}
	record(diff, ChangedPickupAppointment, before.PickupAppointmentAt, after.PickupAppointmentAt, sameSent)
	if before.PODTerminal.State() != RelationshipAbsent && after.PODTerminal.State() != RelationshipAbsent {
		record(diff, ChangedPODTerminal, idOrNull(before.PODTerminal.ID()), idOrNull(after.PODTerminal.ID()), func(a, b Opt[string]) bool { return a == b })
	}
	return diff
}

// record adds an attribute to the changeset if its values differ. The types it is used with always encode.
func record[T any](to Changeset, attribute string, before, after T, same func(a, b T) bool) {
	if same(before, after) {
		return
	}
	old, errOld := json.Marshal(before)
	current, errNew := json.Marshal(after)
	if errOld == nil && errNew == nil {
		to.changes[attribute] = pairOf(old, current)
	}
}

// sameList compares lists; one that was not reported differs from an empty one.
func sameList[T any](same func(a, b T) bool) func(a, b []T) bool {
	return func(a, b []T) bool { return (a == nil) == (b == nil) && slices.EqualFunc(a, b, same) }
}

// sameSent reports whether two times are the same on the wire, which has no zone.
func sameSent(a, b Time) bool {
	return a.IsZero() == b.IsZero() && a.seconds == b.seconds && a.nanos == b.nanos && a.day == b.day
}

func idOrNull(id string) Opt[string] {
	if id == "" {
		return Null[string]()
	}
	return Some(id)
}
