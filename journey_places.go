package terminal49

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// stop is a place of a container's route. The stops are in the order of the route.
type stop int

const (
	unknownStop stop = iota // unknown, or another place, such as a port of transshipment
	emptyPickup
	portOfLading
	portOfDischarge
	inlandDestination
	journeyEnd // where the container is delivered or returned
	stops
)

// onlyStop returns the stop of a milestone that happens at one place by definition, or unknownStop.
func onlyStop(name EventName) stop {
	switch name {
	case EventEmptyOut:
		return emptyPickup
	case EventArrivedAtInlandDestination, EventEstimatedArrivedAtInlandDestination:
		return inlandDestination
	case EventDelivered, EventEmptyIn:
		return journeyEnd
	}
	return unknownStop
}

// usualStop returns the stop of a milestone whose place is not known otherwise, or unknownStop.
func usualStop(name EventName) stop {
	switch name {
	case EventFullIn, EventVesselLoaded, EventVesselDeparted, EventEstimatedVesselDeparted:
		return portOfLading
	case EventVesselArrived, EventVesselBerthed, EventVesselDischarged, EventEstimatedVesselArrived:
		return portOfDischarge
	}
	return unknownStop
}

// itinerary holds what is known of a container's stops.
type itinerary struct {
	atlas     atlas
	zones     [stops]string
	places    [stops][]placeKey
	terminals [stops][]string
	end       stop // where a full container ends: the inland destination or, if there is none, the port

	hasOwnPort bool // the port of the container's own terminal is known
}

// itineraryOf returns the stops that the container and its milestones name.
func itineraryOf(c *Container, events []*TransportEvent) *itinerary {
	shipment, ok := c.Shipment.Value()
	if !ok {
		shipment = &Shipment{}
	}
	a := atlas{c, events}
	r := &itinerary{atlas: a, end: inlandDestination}
	destination := a.key(shipment.Destination.Type(), shipment.Destination.ID(), shipment.DestinationLOCODE)
	r.add(portOfLading, shipment.POLTimezone, a.key(portType, shipment.PortOfLading.ID(), shipment.PortOfLadingLOCODE))
	port := a.portOf(shipment)
	if a.isBoundElsewhere(shipment) {
		port = ""
	}
	if c.endsElsewhere(shipment) {
		destination = ""
	}
	atPort, inland := []ToOne[*Terminal]{c.PODTerminal}, []ToOne[*Terminal]{c.PickupFacility, shipment.DestinationTerminal}
	if !a.hasInlandFacility() {
		atPort, inland = append(atPort, c.PickupFacility), inland[1:]
	}
	r.hasOwnPort = slices.ContainsFunc(atPort, func(t ToOne[*Terminal]) bool { return len(a.placesOf(t)) > 0 })
	r.add(portOfDischarge, cmp.Or(c.PODTimezone, shipment.PODTimezone), port, atPort...)
	r.add(inlandDestination, cmp.Or(c.FinalDestinationTimezone, shipment.DestinationTimezone), destination, inland...)
	if slices.Contains(r.places[portOfDischarge], destination) || !r.isInland(c, events) {
		r.end = portOfDischarge
	}
	return r
}

// isInland reports whether anything indicates transport to an inland destination.
func (r *itinerary) isInland(c *Container, events []*TransportEvent) bool {
	return r.zones[inlandDestination] != "" || len(r.places[inlandDestination])+len(r.terminals[inlandDestination]) > 0 ||
		!c.FinalDestinationFullOutAt.IsZero() || !c.INDETA.IsZero() || !c.INDATA.IsZero() ||
		!c.INDRailUnloadedAt.IsZero() || !c.PODRailLoadedAt.IsZero() || !c.PODRailDepartedAt.IsZero() ||
		slices.ContainsFunc(events, func(e *TransportEvent) bool {
			return onlyStop(e.Event) == inlandDestination || strings.HasPrefix(string(e.Event), railPrefix)
		})
}

// add adds a stop. Terminals that belong to an earlier stop are ignored.
func (r *itinerary) add(s stop, zone string, place placeKey, terminals ...ToOne[*Terminal]) {
	r.zones[s] = zone
	keys := []placeKey{place}
	for _, t := range terminals {
		if t.ID() == "" || s > portOfDischarge && slices.Contains(r.terminals[portOfDischarge], t.ID()) {
			continue
		}
		r.terminals[s] = append(r.terminals[s], t.ID())
		keys = append(keys, r.atlas.placesOf(t)...)
	}
	r.places[s] = slices.DeleteFunc(keys, func(k placeKey) bool { return k == "" })
}

// spot is where something happened, as far as it is known.
type spot struct {
	stop   stop
	sure   bool // false if stop only follows from what usually happens there
	locode string
	key    placeKey // of the port or city that an event names; "" otherwise
	zone   string
	clocks clocks // of the zone
}

// spotAt returns what is known of a stop.
func (r *itinerary) spotAt(s stop) spot {
	at := spot{stop: s, sure: true, zone: r.zones[s], clocks: clocksOf(r.zones[s])}
	for _, k := range r.places[s] {
		at.locode = cmp.Or(at.locode, k.locode())
	}
	return at
}

// spotOf returns where an event happened.
func (r *itinerary) spotOf(e *TransportEvent) spot {
	at := spot{locode: e.LocationLOCODE, zone: e.Timezone}
	if place, ok := e.Location.Value(); ok {
		at.locode, at.zone = cmp.Or(at.locode, place.PlaceLOCODE()), cmp.Or(at.zone, place.PlaceTimeZone())
	}
	at.key = r.atlas.key(e.Location.Type(), e.Location.ID(), at.locode)
	at.locode, at.clocks = at.key.locode(), clocksOf(at.zone)
	at.stop, at.sure = r.stopOf(e.Event, at, e.Terminal.ID())
	return at
}

// stopOf returns the stop of an event, and whether its place proves it.
func (r *itinerary) stopOf(name EventName, at spot, terminal string) (stop, bool) {
	if s := onlyStop(name); s != unknownStop {
		return s, true
	}
	for s := range stops {
		if slices.Contains(r.places[s], at.key) || slices.Contains(r.terminals[s], terminal) {
			return s, true
		}
	}
	usual := usualStop(name)
	if name == EventFullOut && r.end == portOfDischarge {
		usual = portOfDischarge
	}
	if r.isElsewhere(usual, at) || r.excludes(usual, at) {
		return unknownStop, false
	}
	return usual, false
}

// isElsewhere reports whether a spot is certainly none of the known places of a stop. The port on
// the bill of lading alone excludes no other one in the same zone, by its name, as the container's
// port: a container is often landed at a neighbor.
func (r *itinerary) isElsewhere(s stop, at spot) bool {
	if s == portOfDischarge && !r.hasOwnPort && at.zone != "" && at.zone == r.zones[s] {
		return false
	}
	return len(r.places[s]) > 0 && !slices.ContainsFunc(r.places[s], func(k placeKey) bool {
		return r.atlas.compare(k, at.key) != otherPlace
	})
}

// excludes reports whether the zone of a stop shows that a spot is certainly another place.
func (r *itinerary) excludes(s stop, at spot) bool { return at.clocks.differ(clocksOf(r.zones[s])) }

// nearness is whether two milestones happened at the same place.
type nearness int

const (
	unknownPlace nearness = iota
	samePlace
	sameZone // and nothing else is known
	otherPlace
)

// compare reports whether two spots are the same place. What is sure decides, then the UN/LOCODEs,
// then the zones and what is usual.
func (at spot) compare(b spot) nearness {
	switch {
	case at.sure && b.sure:
		return nearnessIf(at.stop == b.stop)
	case at.locode != "" && b.locode != "":
		return nearnessIf(at.locode == b.locode)
	case at.clocks.differ(b.clocks):
		return otherPlace
	case at.stop != unknownStop && b.stop != unknownStop:
		return nearnessIf(at.stop == b.stop)
	case at.zone != "" && at.zone == b.zone:
		return sameZone
	}
	return unknownPlace
}

func nearnessIf(same bool) nearness {
	if same {
		return samePlace
	}
	return otherPlace
}

// zonesDiffer reports whether two zones are certainly not the same place: their clocks differ in
// January or July. Zones may have several names, such as "US/Eastern" and "America/New_York".
func zonesDiffer(a, b string) bool { return clocksOf(a).differ(clocksOf(b)) }

// clocks are the offsets of a zone, in seconds; zero if it is unknown.
type clocks struct {
	known         bool
	january, july int
}

func (c clocks) differ(other clocks) bool { return c.known && other.known && c != other }

func clocksOf(zone string) clocks {
	if zone == "" {
		return clocks{}
	}
	place, err := loadZone(zone)
	if err != nil {
		return clocks{}
	}
	_, january := time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC).In(place).Zone()
	_, july := time.Date(2024, time.July, 1, 0, 0, 0, 0, time.UTC).In(place).Zone()
	return clocks{true, january, july}
}

// expected returns a fact for each ETA of the shipment that has not happened. The railroad's ETA at
// the inland destination takes precedence. The ETA at the port is as new as the shipment is, and is
// not that of a container bound for another port.
func (r *itinerary) expected(c *Container) (facts []fact) {
	shipment, included := c.Shipment.Value()
	if !included {
		return nil
	}
	expect := func(event EventName, at Time, stop stop, asOf time.Time) {
		f := fact{Milestone: Milestone{Event: event, At: at, Estimated: true}, where: r.spotAt(stop)}
		if !asOf.IsZero() {
			f.createdAt = NewTime(asOf, "")
		}
		facts = append(facts, f)
	}
	if !shipment.PODETA.IsZero() && shipment.PODATA.IsZero() && !r.atlas.isBoundElsewhere(shipment) {
		expect(EventEstimatedVesselArrived, shipment.PODETA, portOfDischarge, shipment.AsOf)
	}
	if !shipment.DestinationETA.IsZero() && shipment.DestinationATA.IsZero() && c.INDETA.IsZero() && r.end == inlandDestination {
		expect(EventEstimatedArrivedAtInlandDestination, shipment.DestinationETA, inlandDestination, time.Time{})
	}
	return facts
}
