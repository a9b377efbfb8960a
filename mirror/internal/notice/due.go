package notice

import (
	"strings"
	"time"

	"github.com/go-freight/terminal49"
)

// due returns the earliest instant after now at which the clock alone may make something due. That
// the data behind a last free day becomes too old makes nothing due: from then on, nothing is
// reported of it. The precision is that of the databases, a microsecond.
func (n *step) due() time.Time {
	var first time.Time
	for _, at := range [][]time.Time{n.checkedLimits(), n.futureFacts(), n.midnights()} {
		for _, at := range at {
			if at = roundUp(at); at.After(n.now) && (first.IsZero() || at.Before(first)) {
				first = at
			}
		}
	}
	return first
}

func roundUp(t time.Time) time.Time {
	if down := t.Truncate(time.Microsecond); !down.Equal(t) {
		return down.Add(time.Microsecond)
	}
	return t
}

// checkedLimits returns when the terminal's data becomes too old for a container that can be picked
// up, and when data from the future becomes present.
func (n *step) checkedLimits() (at []time.Time) {
	checked, known := n.v.Readiness.TerminalCheckedAt.Instant()
	if !known {
		return nil
	}
	if n.v.Situation == terminal49.SituationReady || n.v.Situation == terminal49.SituationPayFirst {
		at = append(at, checked.Add(n.rules.maxAge()+time.Microsecond))
	}
	return append(at, checked.Add(-n.rules.maxAge()))
}

// futureAfter is how far in the future the facts of a verdict may lie before it is unknown.
const futureAfter = 24 * time.Hour

// futureFacts returns when the facts that make a verdict unknown, because they lie in the future,
// may be present.
func (n *step) futureFacts() (at []time.Time) {
	if n.v.Situation != terminal49.SituationUnknown {
		return nil
	}
	for _, f := range n.v.Against {
		if happened, known := f.At.Instant(); known {
			at = append(at, happened.Add(-futureAfter))
		}
	}
	return at
}

// midnights returns when each number of days that was not reported is reached.
func (n *step) midnights() (at []time.Time) {
	if n.v.LastFreeDay.At.IsZero() || n.v.UrgencyReason == terminal49.UrgencyReasonPlaceUnknown || !n.isCounted() {
		return nil
	}
	places := placesOf(n.v.LastFreeDay.At, n.now)
	for _, days := range append([]int{overdue}, n.rules.LastFreeDays...) {
		if warned := n.after.LastFreeDay.Warned; warned != nil && *warned <= days {
			continue
		}
		var reached time.Time // at all places
		for _, p := range places {
			if begins := p.beginning(days); begins.After(reached) {
				reached = begins
			}
		}
		at = append(at, reached)
	}
	return at
}

// place is a place where a last free day may be, and the day there.
type place struct {
	zone *time.Location
	day  terminal49.Date
}

// placesOf returns the places where a time may be: one, two if it is in either of two zones, or
// none if its zone is unknown.
func placesOf(t terminal49.Time, now time.Time) (places []place) {
	for _, name := range zonesOf(t) {
		local, err := terminal49.NewTime(now, name).Local()
		if err != nil {
			return nil
		}
		zone := local.Location()
		day, _ := t.Date() // that of a time without a time of day is the same in all zones
		if instant, known := t.Instant(); known {
			day = terminal49.DateOf(instant.In(zone))
		}
		places = append(places, place{zone, day})
	}
	return places
}

// zonesOf returns the names of the zones in which a time may be.
func zonesOf(t terminal49.Time) []string {
	if zone := t.Zone(); zone != "" {
		return []string{zone}
	}
	text, err := t.MarshalText()
	_, label, labeled := strings.Cut(string(text), "[")
	zone, other, either := strings.Cut(strings.TrimSuffix(label, "]"), " or ")
	if err != nil || !labeled || !either {
		return nil
	}
	return []string{zone, other}
}

// beginning returns the first instant of the day that is a number of days before the last free day,
// by the clocks of the place. It need not be 00:00: in some places clocks go forward at midnight.
func (p place) beginning(daysBefore int) time.Time {
	y, m, d := p.day.Year, p.day.Month, p.day.Day-daysBefore
	day := terminal49.DateOf(time.Date(y, m, d, 12, 0, 0, 0, time.UTC))
	begun := func(at time.Time) bool { return !terminal49.DateOf(at.In(p.zone)).Before(day) }
	if at := time.Date(y, m, d, 0, 0, 0, 0, p.zone); begun(at) && !begun(at.Add(-time.Second)) {
		return at
	}
	noon := time.Date(y, m, d, 12, 0, 0, 0, time.UTC)
	before, after := noon.Add(-36*time.Hour), noon.Add(36*time.Hour)
	for after.Sub(before) > time.Second {
		if middle := before.Add(after.Sub(before) / 2).Truncate(time.Second); begun(middle) {
			after = middle
		} else {
			before = middle
		}
	}
	return after
}
