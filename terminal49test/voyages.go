package terminal49test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// portCall is a port on the way of a shipment, and when the ship came and left. A zero time is not known, or not yet.
type portCall struct {
	port                        *Port
	at                          point
	label                       string // POL, TS1, TS2 ..., POD
	eta, arrived, etd, departed time.Time
}

// usualKnots is how fast a ship goes whose arrival nobody has estimated.
const defaultKnots = 18

// positionEvery is how often a ship's current position is renewed, pathEvery how often the way it came is noted.
const (
	positionInterval = 15 * time.Minute
	pathInterval     = time.Hour
)

// portCalls is the way of a shipment as far as it is known: transshipments show once the container's events tell of
// them. It is nil unless the places of both ends are known.
func (w *world) portCalls(s *Shipment, container string) []portCall {
	first, ok := w.callAt(s.PortOfLading, "POL")
	last, found := w.callAt(s.PortOfDischarge, "POD")
	if !ok || !found {
		return nil
	}
	first.etd, first.departed = s.POLETDAt, s.POLATDAt
	last.eta, last.arrived = s.PODETAAt, s.PODATAAt
	calls := []portCall{first}
	for _, e := range w.eventsInOrder(container) {
		switch strings.TrimPrefix(e.Event, "container.transport.") {
		case "transshipment_arrived", "feeder_arrived":
			if c, ok := w.callAt(e.Location, "TS"+strconv.Itoa(len(calls))); ok {
				c.arrived = e.At
				calls = append(calls, c)
			}
		case "transshipment_departed", "feeder_departed":
			calls[len(calls)-1].departed = e.At
		}
	}
	return append(calls, last)
}

func (w *world) callAt(place, label string) (portCall, bool) {
	p := w.port(place)
	if p == nil {
		return portCall{}, false
	}
	lat, err := strconv.ParseFloat(p.Latitude, 64)
	lon, err2 := strconv.ParseFloat(p.Longitude, 64)
	return portCall{port: p, label: label, at: point{lat, lon}}, err == nil && err2 == nil
}

func (w *world) eventsInOrder(container string) []*TransportEvent {
	var list []*TransportEvent
	for _, id := range w.eventsOf[container] {
		if e := w.events.get(id); e.InvalidatedAt.IsZero() {
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b *TransportEvent) int { return a.At.Compare(b.At) })
	return list
}

// vesselFixes is where a ship was between two moments: as its record has it, else by the voyage it is on.
func (w *world) vesselFixes(v *Vessel, from, to time.Time) []positionFix {
	if v.Positions == nil {
		calls := w.voyageOf(v, to)
		if len(calls) > 0 && from.Before(calls[0].departed) {
			from = calls[0].departed
		}
		return fixesBetween(calls, from, to, pathInterval)
	}
	var list []positionFix
	for _, p := range v.Positions {
		if !p.At.Before(from) && !p.At.After(to) {
			list = append(list, positionFix{
				point: point{p.Latitude, p.Longitude}, time: p.At, heading: p.Heading, knots: p.Knots, atSea: p.Knots > 0,
			})
		}
	}
	slices.SortStableFunc(list, func(a, b positionFix) int { return a.time.Compare(b.time) })
	return list
}

// voyageOf is the voyage a ship is on at t, or made last: that of the shipment on it that left latest.
func (w *world) voyageOf(v *Vessel, t time.Time) []portCall {
	var latest *Shipment
	for _, s := range w.shipments.all() {
		if w.vessel(s.Vessel) != v || s.POLATDAt.IsZero() || s.POLATDAt.After(t) {
			continue
		}
		if latest == nil || s.POLATDAt.After(latest.POLATDAt) {
			latest = s
		}
	}
	if latest == nil {
		return nil
	}
	return w.portCalls(latest, w.firstContainer(latest))
}

func (w *world) firstContainer(s *Shipment) string {
	if boxes := w.containerOf[s.ID]; len(boxes) > 0 {
		return boxes[0]
	}
	return ""
}

// seen is the ship's latest known position; false if there is none.
func (w *world) latestFix(v *Vessel) (positionFix, bool) {
	now := w.now()
	if v.Positions == nil {
		calls := w.voyageOf(v, now)
		if len(calls) == 0 {
			return positionFix{}, false
		}
		return positionAt(calls, laterOf(now.Truncate(positionInterval), calls[0].departed))
	}
	list := w.vesselFixes(v, time.Time{}, now)
	if len(list) == 0 {
		return positionFix{}, false
	}
	return list[len(list)-1], true
}

// fix is where a ship is at a moment.
type positionFix struct {
	point
	time           time.Time
	heading, knots float64
	atSea          bool
	leg            int // index of the port it is in or left last
}

// position is where the ship of a voyage is at t; false before it began.
func positionAt(calls []portCall, t time.Time) (positionFix, bool) {
	if len(calls) == 0 || calls[0].departed.IsZero() || t.Before(calls[0].departed) {
		return positionFix{}, false
	}
	for i, from := range calls[:len(calls)-1] {
		to := calls[i+1]
		if from.departed.IsZero() || t.Before(from.departed) {
			return positionFix{point: from.at, time: t, leg: i}, true
		}
		if to.arrived.IsZero() || t.Before(to.arrived) {
			f := positionBetween(from, to, t)
			f.leg = i
			return f, true
		}
	}
	return positionFix{point: calls[len(calls)-1].at, time: t, leg: len(calls) - 1}, true
}

// underway is where a ship is between two ports. One that is late waits a little off the port.
func positionBetween(from, to portCall, t time.Time) positionFix {
	end, most := to.arrived, 1.0
	if end.IsZero() {
		end, most = to.eta, 0.99
	}
	if !end.After(from.departed) {
		end = from.departed.Add(sailingTime(from.at, to.at))
	}
	whole := end.Sub(from.departed)
	part := min(float64(t.Sub(from.departed))/float64(whole), most)
	at := pointBetween(from.at, to.at, part)
	return positionFix{
		point: at, time: t, atSea: true, heading: courseBetween(at, to.at),
		knots: math.Round(10*nauticalMiles(from.at, to.at)/whole.Hours()) / 10,
	}
}

// path is where the ship was every so often from one moment to another, both ends included.
func fixesBetween(calls []portCall, from, to time.Time, every time.Duration) []positionFix {
	var list []positionFix
	for t := from; t.Before(to); t = t.Add(every) {
		if f, ok := positionAt(calls, t); ok {
			list = append(list, f)
		}
	}
	if f, ok := positionAt(calls, to); ok {
		list = append(list, f)
	}
	return list
}

// sailing is how long the usual ship takes.
func sailingTime(a, b point) time.Duration {
	return time.Duration(nauticalMiles(a, b) / defaultKnots * float64(time.Hour)).Round(time.Minute)
}
