package terminal49test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// portCall is a port on the way of a shipment. A zero time is unknown or in the future.
type portCall struct {
	port                        *Port
	at                          point
	label                       string // POL, TS1, TS2 ..., POD
	eta, arrived, etd, departed time.Time
	way                         seaway // to the next call; none after the last
}

// defaultKnots is the speed of a vessel without an ETA.
const defaultKnots = 18

// positionInterval is how often a vessel's latest position changes, pathInterval the resolution of
// past positions.
const (
	positionInterval = 15 * time.Minute
	pathInterval     = time.Hour
)

// portCalls returns the ports of a shipment, with transshipments once the container's events report
// them. It is nil unless both end points have coordinates.
func (w *world) portCalls(s *Shipment, container string) []portCall {
	first, ok := w.callAt(s.PortOfLading, "POL")
	last, found := w.callAt(s.PortOfDischarge, "POD")
	if !ok || !found {
		return nil
	}
	first.etd, first.departed = s.POLETD, s.POLATD
	last.eta, last.arrived = s.PODETA, s.PODATA
	calls := []portCall{first}
	for _, e := range w.eventsInOrder(container) {
		switch strings.TrimPrefix(e.Event, "container.transport.") {
		case "transshipment_arrived", "feeder_arrived":
			if c, ok := w.callAt(e.Location, "TS"+strconv.Itoa(len(calls))); ok {
				c.arrived = e.Timestamp
				calls = append(calls, c)
			}
		case "transshipment_departed", "feeder_departed":
			calls[len(calls)-1].departed = e.Timestamp
		}
	}
	calls = append(calls, last)
	for i := range len(calls) - 1 {
		calls[i].way = seawayBetween(calls[i].at, calls[i+1].at)
	}
	return calls
}

func (w *world) callAt(key, label string) (portCall, bool) {
	p := w.port(key)
	if p == nil {
		return portCall{}, false
	}
	lat, err := strconv.ParseFloat(p.Latitude, 64)
	lon, err2 := strconv.ParseFloat(p.Longitude, 64)
	return portCall{port: p, label: label, at: point{lat, lon}}, err == nil && err2 == nil
}

func (w *world) eventsInOrder(container string) []*TransportEvent {
	var list []*TransportEvent
	for _, id := range w.eventsIn(container) {
		if e := w.events.Get(id); e.InvalidatedAt.IsZero() {
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b *TransportEvent) int { return a.Timestamp.Compare(b.Timestamp) })
	return list
}

// vesselFixes returns the positions of a vessel between two times, from Positions or else from its
// voyage.
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
		if !p.Timestamp.Before(from) && !p.Timestamp.After(to) {
			list = append(list, positionFix{
				point: point{p.Latitude, p.Longitude}, time: p.Timestamp, heading: p.Heading, knots: p.SpeedKnots, atSea: p.SpeedKnots > 0,
			})
		}
	}
	slices.SortStableFunc(list, func(a, b positionFix) int { return a.time.Compare(b.time) })
	return list
}

// voyageOf returns the voyage that a vessel is on at t or finished last: that of the shipment that
// departed last.
func (w *world) voyageOf(v *Vessel, t time.Time) []portCall {
	var latest *Shipment
	for _, s := range w.shipments.All() {
		if w.vessel(s.PODVessel) != v || s.POLATD.IsZero() || s.POLATD.After(t) {
			continue
		}
		if latest == nil || s.POLATD.After(latest.POLATD) {
			latest = s
		}
	}
	if latest == nil {
		return nil
	}
	return w.portCalls(latest, w.firstContainer(latest))
}

func (w *world) firstContainer(s *Shipment) string {
	if containers := w.containersOf(s.ID); len(containers) > 0 {
		return containers[0]
	}
	return ""
}

// latestFix returns the latest known position of a vessel; false if there is none.
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

// positionFix is the position of a vessel at one time.
type positionFix struct {
	point
	time           time.Time
	heading, knots float64
	atSea          bool
	leg            int     // index of the port it is in or departed from last
	part           float64 // of the leg, if it is at sea
}

// positionAt returns the position at t on a voyage; false before the departure.
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

// positionBetween returns the position between two ports. A late vessel waits just outside the
// port.
func positionBetween(from, to portCall, t time.Time) positionFix {
	end, most := to.arrived, 1.0
	if end.IsZero() {
		end, most = to.eta, 0.99
	}
	if !end.After(from.departed) {
		end = from.departed.Add(from.way.sailingTime())
	}
	whole := end.Sub(from.departed)
	part := min(float64(t.Sub(from.departed))/float64(whole), most)
	at, next := from.way.at(part)
	return positionFix{
		point: at, time: t, atSea: true, part: part, heading: courseBetween(at, from.way.points[next]),
		knots: math.Round(10*from.way.length()/whole.Hours()) / 10,
	}
}

// fixesBetween returns the positions at regular intervals and at the end.
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

// sailingTime is the usual time for the way.
func (way seaway) sailingTime() time.Duration {
	return time.Duration(way.length() / defaultKnots * float64(time.Hour)).Round(time.Minute)
}
