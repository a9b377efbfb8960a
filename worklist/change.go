package worklist

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
)

// Change is what differs in one thing between two readings of a container; see [Compare].
type Change struct {
	Key           Key // KeySituation, KeyHold, KeyFee, KeyLastFreeDay or KeyETA
	Before, After Value
}

// Value is what a reading of a container has for the key of a [Change].
type Value struct {
	// Text is a [terminal49.Situation], such as "pay_first"; the holds, such as "customs, freight
	// (pending)"; what is owed, such as "USD 300.00"; the last free day, such as "2026-03-08"; or the
	// arrival, such as "expected 2026-03-05 08:00 -08:00". Without holds and fees it is "none" and "no
	// fees", or "not reported". It is "" for what is unknown, or does not apply where the container
	// is.
	Text string

	Time     terminal49.Time         // of the arrival, for KeyETA
	Expected bool                    // Time is an estimate; otherwise the container has been at Place since
	Place    terminal49.VerdictPlace // where the arrival is
}

// Equal reports whether two values of one key mean the same. Two arrivals at one time differ if the
// places are known to be in different cities.
func (v Value) Equal(other Value) bool {
	city, otherCity := v.Place.LOCODE, other.Place.LOCODE
	return v.Text == other.Text && (city == otherCity || city == "" || otherCity == "")
}

// isWhere reports whether two arrivals are certainly at one place: one terminal, or two of one
// city.
func (v Value) isWhere(other Value) bool {
	a, b := v.Place, other.Place
	switch {
	case a.TerminalID != "" && a.TerminalID == b.TerminalID:
		return true
	case a.LOCODE != "" || b.LOCODE != "":
		return a.LOCODE == b.LOCODE
	case a.TerminalID != "" && b.TerminalID != "":
		return false
	}
	return a.Name != "" && a.Name == b.Name
}

// Slip returns how much later the container is expected than before, negative if it is earlier; see
// [terminal49.ETAChange.Slip]. It returns false unless both are estimates of the arrival at one
// place.
func (c Change) Slip() (time.Duration, bool) {
	if !c.Before.Expected || !c.After.Expected || !c.Before.isWhere(c.After) {
		return 0, false
	}
	return terminal49.ETAChange{Old: c.Before.Time, New: c.After.Time}.Slip()
}

// compared is what [Compare] compares, in the order in which it is shown.
var compared = []struct {
	key Key
	of  func(*Item) Value
}{
	{KeySituation, func(i *Item) Value { return Value{Text: string(i.Verdict.Situation)} }},
	{KeyHold, func(i *Item) Value { return Value{Text: i.holdsText()} }},
	{KeyFee, func(i *Item) Value { return Value{Text: i.feesText()} }},
	{KeyLastFreeDay, func(i *Item) Value { return Value{Text: dayText(lastFreeDay(i))} }},
	{KeyETA, func(i *Item) Value { return Arrival(i.Verdict) }},
}

// ChangeKeys returns the keys that a [Change] can have, in the order of [Compare]. The slice is the
// caller's own.
func ChangeKeys() (keys []Key) {
	for _, c := range compared {
		keys = append(keys, c.key)
	}
	return keys
}

// Compare returns what has changed in a container that a dispatcher wants to know, in the order of
// [ChangeKeys]. Each reading is a record with its verdict at the time of the reading, so the
// changes that the clock alone makes are included. What only follows from where the container is
// now is left out: what no longer applies after it left its place, that it came without holds and
// fees, and a correction of when it arrived.
func Compare(before, after *Item) (changes []Change) {
	for _, of := range compared {
		c := Change{of.key, of.of(before), of.of(after)}
		if !c.Before.Equal(c.After) && !c.follows(after) {
			changes = append(changes, c)
		}
	}
	return changes
}

// follows reports whether a change only follows from where the container is now.
func (c Change) follows(now *Item) bool {
	switch {
	case c.Key == KeyETA:
		return !c.Before.Expected && !c.After.Expected
	case c.After.Text == "":
		return !now.isAtPlace()
	}
	return c.Before.Text == "" && slices.Contains([]string{NoHold, noFees, notReported}, c.After.Text)
}

// The values of a container at its place without holds and fees.
const (
	noFees      = "no fees"
	notReported = "not reported"
)

func (i *Item) isAtPlace() bool { return i.Verdict.Place != (terminal49.VerdictPlace{}) }

// holdsText returns the holds, those that are not in force with their status.
func (i *Item) holdsText() string {
	f := &i.Record.Facts
	all := slices.Concat(f.Holds, f.OtherHolds)
	for n := range all {
		all[n] = cmp.Or(all[n], "without a name")
	}
	return cmp.Or(strings.Join(all, ", "), i.withoutText(f.HoldsReported, NoHold))
}

func (i *Item) feesText() string {
	if owed := i.Record.Facts.Owed(); owed != nil {
		return owed.String()
	}
	return i.withoutText(i.Record.Facts.FeesReported, noFees)
}

// withoutText returns what an empty list means.
func (i *Item) withoutText(reported bool, none string) string {
	switch {
	case !i.isAtPlace():
		return ""
	case !reported:
		return notReported
	}
	return none
}

func dayText(day terminal49.Date) string {
	if day.IsZero() {
		return ""
	}
	return day.String()
}

// Arrival returns when and where a container is expected next or, without an estimate, since when
// it has been at its place. It is the zero Value if neither is known, and after the container has
// left.
func Arrival(v *terminal49.Verdict) Value {
	switch {
	case !v.ETA.IsZero():
		return Value{"expected " + v.ETA.String(), v.ETA, true, v.BoundFor}
	case !v.Since.IsZero() && v.Place != (terminal49.VerdictPlace{}):
		return Value{"since " + v.Since.String(), v.Since, false, v.Place}
	}
	return Value{}
}
