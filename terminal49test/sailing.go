package terminal49test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// point is a place on the earth in degrees.
type point struct{ lat, lon float64 }

// portCall is a port on the way of a shipment, and when the ship came and left. A zero time is not known, or not yet.
type portCall struct {
	port                        *Port
	at                          point
	label                       string // POL, TS1, TS2 ..., POD
	eta, arrived, etd, departed time.Time
}

// usualKnots is how fast a ship goes whose arrival nobody has estimated.
const usualKnots = 18

// positionEvery is how often a ship's current position is renewed, pathEvery how often the way it came is noted.
const (
	positionEvery = 15 * time.Minute
	pathEvery     = time.Hour
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

// fix is where a ship is at a moment.
type fix struct {
	point
	time           time.Time
	heading, knots float64
	atSea          bool
	leg            int // index of the port it is in or left last
}

// position is where the ship of a voyage is at t; false before it began.
func position(calls []portCall, t time.Time) (fix, bool) {
	if len(calls) == 0 || calls[0].departed.IsZero() || t.Before(calls[0].departed) {
		return fix{}, false
	}
	for i, from := range calls[:len(calls)-1] {
		to := calls[i+1]
		if from.departed.IsZero() || t.Before(from.departed) {
			return fix{point: from.at, time: t, leg: i}, true
		}
		if to.arrived.IsZero() || t.Before(to.arrived) {
			f := underway(from, to, t)
			f.leg = i
			return f, true
		}
	}
	return fix{point: calls[len(calls)-1].at, time: t, leg: len(calls) - 1}, true
}

// underway is where a ship is between two ports. One that is late waits a little off the port.
func underway(from, to portCall, t time.Time) fix {
	end, most := to.arrived, 1.0
	if end.IsZero() {
		end, most = to.eta, 0.99
	}
	if !end.After(from.departed) {
		end = from.departed.Add(sailing(from.at, to.at))
	}
	whole := end.Sub(from.departed)
	part := min(float64(t.Sub(from.departed))/float64(whole), most)
	at := along(from.at, to.at, part)
	return fix{
		point: at, time: t, atSea: true, heading: bearing(at, to.at),
		knots: math.Round(10*nauticalMiles(from.at, to.at)/whole.Hours()) / 10,
	}
}

// path is where the ship was every so often from one moment to another, both ends included.
func path(calls []portCall, from, to time.Time, every time.Duration) []fix {
	var list []fix
	for t := from; t.Before(to); t = t.Add(every) {
		if f, ok := position(calls, t); ok {
			list = append(list, f)
		}
	}
	if f, ok := position(calls, to); ok {
		list = append(list, f)
	}
	return list
}

// sailing is how long the usual ship takes.
func sailing(a, b point) time.Duration {
	return time.Duration(nauticalMiles(a, b) / usualKnots * float64(time.Hour)).Round(time.Minute)
}

// The earth is a sphere here and the sea has no shores: ships follow great circles.

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }
func degrees(radians float64) float64 { return radians * 180 / math.Pi }

// angle is the angle between two points as the centre of the earth sees it.
func angle(a, b point) float64 {
	lat, lon := radians(b.lat-a.lat), radians(b.lon-a.lon)
	h := math.Pow(math.Sin(lat/2), 2) + math.Cos(radians(a.lat))*math.Cos(radians(b.lat))*math.Pow(math.Sin(lon/2), 2)
	return 2 * math.Asin(math.Sqrt(min(h, 1)))
}

// nauticalMiles is the distance: a minute of arc is a mile.
func nauticalMiles(a, b point) float64 { return degrees(angle(a, b)) * 60 }

// along is the point a part of the way from a to b.
func along(a, b point, part float64) point {
	d := angle(a, b)
	if d == 0 {
		return a
	}
	p, q := math.Sin((1-part)*d)/math.Sin(d), math.Sin(part*d)/math.Sin(d)
	xyz := func(of func(lat, lon float64) float64) float64 {
		return p*of(radians(a.lat), radians(a.lon)) + q*of(radians(b.lat), radians(b.lon))
	}
	x := xyz(func(lat, lon float64) float64 { return math.Cos(lat) * math.Cos(lon) })
	y := xyz(func(lat, lon float64) float64 { return math.Cos(lat) * math.Sin(lon) })
	z := xyz(func(lat, _ float64) float64 { return math.Sin(lat) })
	return point{rounded(degrees(math.Atan2(z, math.Hypot(x, y)))), rounded(degrees(math.Atan2(y, x)))}
}

// bearing is the compass course from a to b in whole degrees.
func bearing(a, b point) float64 {
	la, lb, lon := radians(a.lat), radians(b.lat), radians(b.lon-a.lon)
	course := degrees(math.Atan2(math.Sin(lon)*math.Cos(lb), math.Cos(la)*math.Sin(lb)-math.Sin(la)*math.Cos(lb)*math.Cos(lon)))
	return math.Mod(math.Round(course)+360, 360)
}

// rounded cuts a coordinate to the digits the service has, about a metre.
func rounded(degrees float64) float64 { return math.Round(degrees*1e5) / 1e5 }
