package terminal49

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Milestone is an actual or estimated event in a container's journey. It comes from a transport
// event or, if there is none, from the container's own times or the ETAs of its shipment. Its JSON
// can be read back: an unknown time is null, and a text that is unknown is left out.
type Milestone struct {
	EventID   string    `json:"event_id,omitempty"` // id of the transport event; "" if the milestone comes from the container or shipment
	Event     EventName `json:"event"`
	At        Time      `json:"at"`        // in the zone of the place; its String is the local time there
	Estimated bool      `json:"estimated"` // expected, has not happened yet
	Withdrawn bool      `json:"withdrawn"` // withdrawn, replaced by another event, or an estimate that has been overtaken

	LOCODE     string     `json:"locode,omitempty"`      // UN/LOCODE of the place; "" if unknown
	Place      string     `json:"place,omitempty"`       // name of the terminal, port or city; "" if the response did not include it
	VesselName string     `json:"vessel_name,omitempty"` // "" if there is no vessel or the response did not include it
	Voyage     string     `json:"voyage,omitempty"`      // "" if there is none
	Source     DataSource `json:"source,omitempty"`      // who reported the event; "" if EventID is ""
}

// JourneyOptions configures [Journey].
type JourneyOptions struct {
	// Events are the container's transport events, for example from
	// [ContainersService.TransportEvents]. If nil, those that the response included with the
	// container are used. Events of other containers are ignored.
	Events []*TransportEvent
	// Withdrawn includes withdrawn and replaced events and overtaken estimates in the result.
	Withdrawn bool
}

// The prefixes of event names.
const (
	milestonePrefix = "container.transport."
	estimatePrefix  = milestonePrefix + "estimated."
	railPrefix      = milestonePrefix + "rail_"
	vesselPrefix    = milestonePrefix + "vessel_"

	transshipmentPrefix = milestonePrefix + "transshipment_"
)

// Journey returns the milestones of a container, sorted by time; those without a time are last. The
// container's own times, and the ETAs of its shipment if that is included, supply the milestones
// that no valid event reports: they are one if they have the same name and the same time or place,
// or the same zone within a day. A vessel event without a place counts as one at the usual port.
// Journey leaves out withdrawn events, estimates that have happened or were replaced, and changes
// of deadlines. If a zone is unknown, the order may be wrong by hours.
func Journey(c *Container, opts JourneyOptions) []Milestone {
	if c == nil {
		c = &Container{}
	}
	events := opts.Events
	if events == nil {
		events, _ = c.TransportEvents.Values()
	}
	_, facts := factsOf(c, events)
	var journey []Milestone
	for _, f := range facts {
		if !f.Withdrawn || opts.Withdrawn {
			journey = append(journey, f.Milestone)
		}
	}
	slices.SortStableFunc(journey, compareMilestones)
	return journey
}

// factsOf returns the milestones of a container and the itinerary they are on. Withdrawn events
// have no influence on either.
func factsOf(c *Container, events []*TransportEvent) (*itinerary, []fact) {
	events = milestoneEvents(events, c)
	replaced := replacedEvents(events)
	withdrawn := func(e *TransportEvent) bool { return !e.InvalidatedAt.IsZero() || replaced[e.ID] }
	r := itineraryOf(c, slices.DeleteFunc(slices.Clone(events), withdrawn))
	reported := make([]fact, len(events))
	for i, e := range events {
		reported[i] = fact{Milestone: milestoneOf(e), where: r.spotOf(e), createdAt: e.CreatedAt, terminal: e.Terminal}
		reported[i].Withdrawn = withdrawn(e)
	}
	facts := slices.Concat(reported, unreported(append(r.own(c), r.expected(c)...), reported))
	withdrawDuplicates(facts)
	withdrawEstimates(facts)
	return r, facts
}

// LatestMilestone returns the last milestone of a [Journey] that has happened, or false if none
// has. One without a time is the latest only if none has a time.
func LatestMilestone(journey []Milestone) (latest Milestone, ok bool) {
	for _, m := range journey {
		if !m.Withdrawn && !m.Estimated && (!ok || !m.At.IsZero() || latest.At.IsZero()) {
			latest, ok = m, true
		}
	}
	return latest, ok
}

// NextMilestone returns the first milestone of a [Journey] that is expected and has not happened,
// or false if none is. Its time may have passed: then it is late, or its event is not reported yet.
// With the shipment included with the container, it can be the shipment's ETA.
func NextMilestone(journey []Milestone) (next Milestone, ok bool) {
	i := slices.IndexFunc(journey, func(m Milestone) bool { return m.Estimated && !m.Withdrawn })
	if i < 0 {
		return Milestone{}, false
	}
	return journey[i], true
}

// milestoneEvents returns the milestones and estimates of the container, each id once, in an order
// that does not depend on the order of events. If an id has several readings, a withdrawn one
// counts, then the one with the latest time.
func milestoneEvents(events []*TransportEvent, c *Container) []*TransportEvent {
	events = slices.DeleteFunc(slices.Clone(events), func(e *TransportEvent) bool {
		return e == nil || !strings.HasPrefix(string(e.Event), milestonePrefix) || isOfOtherContainer(e, c)
	})
	slices.SortStableFunc(events, func(a, b *TransportEvent) int {
		return cmp.Or(
			cmp.Compare(a.ID, b.ID),
			b.InvalidatedAt.utc().Compare(a.InvalidatedAt.utc()),
			b.Timestamp.utc().Compare(a.Timestamp.utc()),
			b.CreatedAt.utc().Compare(a.CreatedAt.utc()),
			cmp.Compare(b.LocationLOCODE, a.LocationLOCODE),
			cmp.Compare(b.Timezone, a.Timezone),
		)
	})
	return slices.CompactFunc(events, func(a, b *TransportEvent) bool { return a.ID != "" && a.ID == b.ID })
}

// replacedEvents returns the ids of the earlier versions of valid events.
func replacedEvents(events []*TransportEvent) map[string]bool {
	previous, replaced := map[string]string{}, map[string]bool{}
	for _, e := range events {
		previous[e.ID] = e.PreviousVersion.ID()
	}
	for _, e := range events {
		if !e.InvalidatedAt.IsZero() || replaced[e.ID] {
			continue
		}
		for id := e.PreviousVersion.ID(); id != "" && id != e.ID && !replaced[id]; id = previous[id] {
			replaced[id] = true
		}
	}
	return replaced
}

// Description returns the event in words, such as "vessel arrived" or "estimated: vessel arrived".
func (m Milestone) Description() string {
	name := strings.TrimPrefix(string(m.Event), milestonePrefix)
	name = strings.Replace(name, "estimated.", "estimated: ", 1)
	return strings.ReplaceAll(name, "_", " ")
}

// String returns a human-readable line, such as "2026-03-02 08:00 -08:00 vessel arrived, Los
// Angeles (USLAX)".
func (m Milestone) String() string {
	text := m.At.String() + " " + m.Description()
	switch {
	case m.Place != "" && m.LOCODE != "":
		text += ", " + m.Place + " (" + m.LOCODE + ")"
	case m.Place != "" || m.LOCODE != "":
		text += ", " + m.Place + m.LOCODE
	}
	if m.Withdrawn {
		text += " (withdrawn)"
	}
	return text
}

func isOfOtherContainer(e *TransportEvent, c *Container) bool {
	return c.ID != "" && e.Container.ID() != "" && e.Container.ID() != c.ID
}

func milestoneOf(e *TransportEvent) Milestone {
	m := Milestone{
		EventID: e.ID, Event: e.Event, At: e.Timestamp, Estimated: isEstimate(e.Event),
		LOCODE: e.LocationLOCODE, Place: placeName(e), Voyage: e.VoyageNumber, Source: e.DataSource,
	}
	if vessel, ok := e.Vessel.Value(); ok {
		m.VesselName = vessel.Name
	}
	return m
}

// placeName returns the name of the terminal or, if it is unknown, of the port or city.
func placeName(e *TransportEvent) string {
	if terminal, ok := e.Terminal.Value(); ok && terminal.Name != "" {
		return terminal.Name
	}
	if place, ok := e.Location.Value(); ok {
		return place.PlaceName()
	}
	return ""
}

// fact is a milestone with what decides whether another one reports the same.
type fact struct {
	Milestone
	where      spot
	createdAt  Time
	isKnown    bool             // reported by an event too
	attribute  string           // of the container or shipment with the same time; "" if there is none
	ofShipment bool             // reported for the whole shipment
	stage      stage            // what it proves; set by locate
	terminal   ToOne[*Terminal] // of the event

	preCarriage bool // by rail before the voyage
}

// ownTime is a recorded or estimated time of a container.
type ownTime struct {
	attribute string
	event     EventName
	at        Time
	stop      stop
}

// ownTimes returns the times of a container that ends at a stop, in the order of a journey.
func (c *Container) ownTimes(end stop) [15]ownTime {
	return [...]ownTime{
		{"empty_out_at", EventEmptyOut, c.EmptyOutAt, emptyPickup},
		{"pol_full_in_at", EventFullIn, c.POLFullInAt, portOfLading},
		{"pol_vessel_loaded_at", EventVesselLoaded, c.POLVesselLoadedAt, portOfLading},
		{"pol_vessel_departed_at", EventVesselDeparted, c.POLVesselDepartedAt, portOfLading},
		{"pod_arrived_at", EventVesselArrived, c.PODArrivedAt, portOfDischarge},
		{"pod_discharged_at", EventVesselDischarged, c.PODDischargedAt, portOfDischarge},
		{"pod_rail_loaded_at", EventRailLoaded, c.PODRailLoadedAt, portOfDischarge},
		{"pod_rail_departed_at", EventRailDeparted, c.PODRailDepartedAt, portOfDischarge},
		{"ind_eta_at", EventEstimatedArrivedAtInlandDestination, c.INDETA, inlandDestination},
		{"ind_ata_at", EventArrivedAtInlandDestination, c.INDATA, inlandDestination},
		{"ind_rail_unloaded_at", EventRailUnloaded, c.INDRailUnloadedAt, end},
		{"pod_full_out_at", EventFullOut, c.PODFullOutAt, portOfDischarge},
		{"final_destination_full_out_at", EventFullOut, c.FinalDestinationFullOutAt, end},
		{"delivered_at", EventDelivered, c.DeliveredAt, journeyEnd},
		{"empty_terminated_at", EventEmptyIn, c.EmptyTerminatedAt, journeyEnd},
	}
}

// own returns a fact for each of the container's own times that is not zero.
func (r *itinerary) own(c *Container) []fact {
	var facts []fact
	for _, t := range c.ownTimes(r.end) {
		if !t.at.IsZero() {
			m := Milestone{Event: t.event, At: t.at, Estimated: isEstimate(t.event)}
			facts = append(facts, fact{Milestone: m, where: r.spotAt(t.stop), attribute: t.attribute})
		}
	}
	return facts
}

// unreported returns the facts in own that no valid event reports. An event reports at most one of
// them, the nearest in time. An event without a time or stop receives that of the fact.
func unreported(own, reported []fact) []fact {
	for i := range reported {
		best, e := -1, &reported[i]
		for j, o := range own {
			if !e.Withdrawn && o.reportedBy(*e) && (best < 0 || o.timeFrom(*e) < own[best].timeFrom(*e)) {
				best = j
			}
		}
		if best >= 0 {
			own[best].isKnown, e.At, e.attribute = true, cmp.Or(e.At, own[best].At), own[best].attribute
			if !e.where.sure {
				e.where.stop, e.where.sure = own[best].where.stop, own[best].where.sure
			}
		}
	}
	return slices.DeleteFunc(own, func(o fact) bool { return o.isKnown })
}

// reportedBy reports whether event e reports the container's own fact f. If only the zones are
// known to be the same, the times must be within a day: ramps along a railway may share a zone.
func (f fact) reportedBy(e fact) bool {
	if f.Event != e.Event || sameTime(f.At, e.At) {
		return f.Event == e.Event
	}
	if !f.createdAt.IsZero() && !e.createdAt.IsZero() {
		return false // the newer one counts
	}
	near := f.where.compare(e.where)
	return near == samePlace || near == sameZone && f.timeFrom(e) < 24*time.Hour
}

// timeFrom returns how far apart the times are.
func (f fact) timeFrom(e fact) time.Duration {
	if sameTime(f.At, e.At) {
		return 0
	}
	return f.At.utc().Sub(e.At.utc()).Abs()
}

// compareMilestones orders milestones by time, and those at the same time in the usual order of a
// journey.
func compareMilestones(a, b Milestone) int {
	if a.At.IsZero() != b.At.IsZero() {
		if a.At.IsZero() {
			return 1
		}
		return -1
	}
	return cmp.Or(
		a.At.utc().Compare(b.At.utc()),
		cmp.Compare(usualOrder(a.Event), usualOrder(b.Event)),
		cmp.Compare(a.EventID, b.EventID),
		cmp.Compare(a.LOCODE, b.LOCODE),
	)
}

// usualOrder returns the position of an event in a usual journey. Unknown events are last.
func usualOrder(n EventName) int {
	if i := slices.Index(eventNames, n); i >= 0 {
		return i
	}
	return len(eventNames)
}

// byRail reports whether m is a rail event. The arrival at the inland destination is not one, since
// it may be by truck.
func (m Milestone) byRail() bool { return strings.HasPrefix(string(m.Event), railPrefix) }

func (m Milestone) leavesByRail() bool {
	return m.Event == EventRailLoaded || m.Event == EventRailDeparted
}

// hasTimes reports whether the container has times of milestones, or its shipment is included,
// which may have some.
func (c *Container) hasTimes() bool {
	times := c.ownTimes(portOfDischarge)
	_, included := c.Shipment.Value()
	return included || slices.ContainsFunc(times[:], func(t ownTime) bool { return !t.at.IsZero() })
}

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
