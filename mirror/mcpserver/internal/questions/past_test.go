package questions

import (
	"cmp"
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

var holdNames = []string{"freight", "customs", "USDA", "VACIS", "TMF", "line", "other"}

func boolText(yes bool, text string) string {
	if yes {
		return text
	}
	return ""
}
