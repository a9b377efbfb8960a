package questions

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

type fee = terminal49test.Fee

// etaSeen returns the ETA that the copy had at a time, and whether it had the container then.
func (w *world) etaSeen(b *box, at time.Time) (eta time.Time, had bool) {
	s, had := w.viewAt(at).boxes[b.c.ID]
	return s.shipment.PODETA, had
}

// viewAt returns what the copy had at a time.
func (w *world) viewAt(at time.Time) (v view) {
	for _, seen := range w.seen {
		if !seen.at.After(at) {
			v = seen
		}
	}
	return v
}

// isKnown reports whether a container's availability, if it is set, means something.
func isKnown(c *terminal49test.Container) bool {
	return c.AvailabilityKnown == nil || *c.AvailabilityKnown
}

// availableSince returns when the copy first had the container as available, without a break since.
func (w *world) availableSince(b *box) (since time.Time) {
	for _, v := range w.seen {
		s, had := v.boxes[b.c.ID]
		switch yes := s.AvailableForPickup; {
		case !had || !isKnown(&s.Container) || yes == nil || !*yes:
			since = time.Time{}
		case since.IsZero():
			since = v.at
		}
	}
	return since
}

// moment is a value that the copy had from a look on.
type moment struct {
	at    time.Time
	value string
}

// past returns the values that the copy has had of a container, one after the other.
func (w *world) past(b *box, value func(seenBox) string) (all []moment) {
	for _, v := range w.seen {
		s, had := v.boxes[b.c.ID]
		if !had {
			continue
		}
		if text := value(s); len(all) == 0 || all[len(all)-1].value != text {
			all = append(all, moment{v.at, text})
		}
	}
	return all
}

func openHold(s seenBox, name string) string {
	for _, h := range s.Holds {
		if h.Name == name {
			return cmp.Or(h.Status, "hold")
		}
	}
	return ""
}

// minute writes a time of the copy. A look takes some seconds.
func minute(at time.Time) string { return at.UTC().Format("2006-01-02T15:04") }

// lfdThen returns the last free day that bound, or that the service chose, as the copy had it.
func (b *box) lfdThen(s seenBox, r rules) string {
	d := s.ImportDeadlines
	at := d.PickupLFD()
	if r == ruled && !b.inland() {
		for _, t := range []time.Time{d.Terminal, d.Line} {
			if !t.IsZero() && (at.IsZero() || t.Before(at)) {
				at = t
			}
		}
	}
	if r == ruled && b.inland() {
		at = d.Rail
	}
	return dayOf(at, b.zone())
}

// spell is a period of a value: from when it was first seen until it no longer was.
type spell struct {
	from, until time.Time
	value       string
}

// spells returns the periods of a value that is not "".
func (w *world) spells(b *box, value func(seenBox) string) (all []spell) {
	past := w.past(b, value)
	for i, m := range past {
		s := spell{from: m.at, value: m.value}
		if i+1 < len(past) {
			s.until = past[i+1].at
		}
		if m.value != "" {
			all = append(all, s)
		}
	}
	return all
}

// customsSpells are the periods of customs holds, whatever their status.
func (w *world) customsSpells(b *box) []spell {
	return w.spells(b, func(s seenBox) string {
		if openHold(s, "customs") != "" {
			return "customs"
		}
		return ""
	})
}

// pastWants are the right answers about the past of the whole account.
var pastWants = map[int]wanted{
	80: func(w *world, _ rules) (rows []string) {
		for _, b := range w.boxes {
			evening := later(dayOf(now, b.podZone()), -1)
			since, _ := time.ParseInLocation("2006-01-02 15:04", evening+" 18:00", b.podZone())
			for _, name := range holdNames {
				for _, s := range w.spells(b, func(s seenBox) string { return boolText(openHold(s, name) != "", name) }) {
					if s.until.After(since) && !b.stopped() {
						rows = append(rows, row(b.c.Number, name, minute(s.until), len(b.raw.Holds)))
					}
				}
			}
		}
		slices.Sort(rows)
		return rows
	},
	81: func(w *world, _ rules) (rows []string) {
		n := map[string]int{}
		for _, b := range w.boxes {
			first := w.past(b, func(seenBox) string { return "" })
			if b.stopped() || len(first) == 0 || first[0].at.After(now.Add(-day)) {
				continue
			}
			for _, name := range holdNames {
				for _, s := range w.spells(b, func(s seenBox) string { return boolText(openHold(s, name) != "", name) }) {
					if s.from.After(now.Add(-day)) {
						n[name]++
					}
				}
			}
		}
		for name, count := range n {
			rows = append(rows, row(name, count))
		}
		slices.Sort(rows)
		return rows
	},
	83: func(w *world, _ rules) (rows []string) {
		for _, b := range w.boxes {
			if out := b.fullOut(); !out.IsZero() && dayOf(out, b.zone()) >= monday(b.today()) {
				rows = append(rows, row(b.c.Number, dayOf(out, b.zone())))
			}
		}
		return rows
	},
	85: func(w *world, r rules) (rows []string) {
		for _, b := range w.boxes {
			since, _ := time.ParseInLocation(time.DateOnly, monday(b.today()), b.zone())
			then, had := w.viewAt(since).boxes[b.c.ID]
			if !had || b.stopped() {
				continue
			}
			if was, is := b.lfdThen(then, r), b.lfd(r); was != is {
				rows = append(rows, row(b.c.Number, was, is))
			}
		}
		return rows
	},
	86: func(w *world, _ rules) []string {
		var all []spell
		for _, b := range w.boxes {
			all = append(all, w.customsSpells(b)...)
		}
		return []string{meanOf(all, w.seen[0].until)}
	},
	87: func(w *world, _ rules) (rows []string) {
		for _, b := range w.boxes {
			past := w.past(b, func(s seenBox) string { return s.shipment.PODVessel + " " + s.shipment.PODVoyageNumber })
			for i := 1; i < len(past); i++ {
				if m := past[i]; m.at.After(now.Add(-14*day)) && b.s.POLATD.IsZero() && past[i-1].value != " " && !b.stopped() {
					rows = append(rows, row(b.c.Number, minute(m.at)))
				}
			}
		}
		return rows
	},
}

var holdNames = []string{"freight", "customs", "USDA", "VACIS", "TMF", "line", "other"}

func boolText(yes bool, text string) string {
	if yes {
		return text
	}
	return ""
}

// meanOf is the number, the mean and the median length of periods, in hours, without those that
// last, and those that began before the record.
func meanOf(all []spell, record time.Time) string {
	var lengths []float64
	sum := 0.0
	for _, s := range all {
		if !s.until.IsZero() && s.from.After(record) {
			lengths = append(lengths, s.until.Sub(s.from).Round(time.Hour).Hours())
			sum += lengths[len(lengths)-1]
		}
	}
	slices.Sort(lengths)
	n := len(lengths)
	if n == 0 {
		return "none"
	}
	return row(n, fmt.Sprintf("%.1f", sum/float64(n)), fmt.Sprintf("%.1f", (lengths[(n-1)/2]+lengths[n/2])/2))
}
