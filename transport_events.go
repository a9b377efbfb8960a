package terminal49

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// TransportEvent is a milestone of a container, an estimate, or a change of a deadline or
// appointment. The service may report the same milestone again under another id and withdraw the
// earlier event.
type TransportEvent struct {
	Resource

	Event          EventName  // event
	Timestamp      Time       // timestamp: when it happened or is expected or, for a change of Value, was noticed; zone Timezone
	Timezone       string     // timezone: IANA name of the place; "" if unknown
	LocationLOCODE string     // location_locode: UN/LOCODE; "" if unknown
	VoyageNumber   string     // voyage_number
	DataSource     DataSource // data_source: who reported the event
	CreatedAt      Time       // created_at, UTC
	Value          Time       // value: the new last free day or appointment; zone Timezone; zero for other events
	ValueTimestamp Time       // value_timestamp, UTC: when Value was reported
	InvalidatedAt  Time       // invalidated_at, UTC: when the event was withdrawn; zero if it is valid

	Shipment        ToOne[*Shipment]       // shipment
	Container       ToOne[*Container]      // container
	Vessel          ToOne[*Vessel]         // vessel
	Location        ToOne[Place]           // location: a port or a metro area
	Terminal        ToOne[*Terminal]       // terminal: may be a rail terminal
	SourceEvent     ToOne[*RawEvent]       // source_event
	PreviousVersion ToOne[*TransportEvent] // previous_version
}

// DataSource identifies who reported an event.
type DataSource string

// The values of DataSource.
const (
	SourceShippingLine   DataSource = "shipping_line"
	SourceTerminal       DataSource = "terminal"
	SourceRail           DataSource = "rail"
	SourceAIS            DataSource = "ais" // vessel positions
	SourceCalculation    DataSource = "t49_calculation"
	SourceOperationsTeam DataSource = "t49_operations_team"
	SourceUserInput      DataSource = "user_input"
	SourcePierPass       DataSource = "pierpass" // only for changes of the terminal
)

var dataSources = []DataSource{
	SourceShippingLine, SourceTerminal, SourceRail, SourceAIS, SourceCalculation, SourceOperationsTeam, SourceUserInput,
	SourcePierPass,
}

// Known reports whether s is one of the constants of this version. Unknown values are kept
// unchanged.
func (s DataSource) Known() bool { return isKnown(s, dataSources) }

// TransportEventInclude is a relationship that a response can include.
type TransportEventInclude string

// The values of TransportEventInclude.
const (
	TransportEventIncludeShipment  TransportEventInclude = "shipment"
	TransportEventIncludeContainer TransportEventInclude = "container"
	TransportEventIncludeVessel    TransportEventInclude = "vessel"
	TransportEventIncludeLocation  TransportEventInclude = "location"
	TransportEventIncludeTerminal  TransportEventInclude = "terminal"
)

func (*TransportEvent) table() *jsonapi.Type[*TransportEvent] { return transportEventTable }

var transportEventTable = jsonapi.NewType(jsonapi.Spec[*TransportEvent]{
	Identify: func(e *TransportEvent, id jsonapi.Identity) { e.identify(id) },
	Finish:   func(e *TransportEvent) { pairZone(e.Timezone, &e.Timestamp, &e.Value) },
	Attributes: []jsonapi.Field[*TransportEvent]{
		textField("event", func(e *TransportEvent) *EventName { return &e.Event }),
		timeField("created_at", func(e *TransportEvent) *Time { return &e.CreatedAt }),
		textField("voyage_number", func(e *TransportEvent) *string { return &e.VoyageNumber }),
		timeField("timestamp", func(e *TransportEvent) *Time { return &e.Timestamp }),
		textField("data_source", func(e *TransportEvent) *DataSource { return &e.DataSource }),
		textField("location_locode", func(e *TransportEvent) *string { return &e.LocationLOCODE }),
		textField("timezone", func(e *TransportEvent) *string { return &e.Timezone }),
		timeField("value", func(e *TransportEvent) *Time { return &e.Value }),
		timeField("value_timestamp", func(e *TransportEvent) *Time { return &e.ValueTimestamp }),
		timeField("invalidated_at", func(e *TransportEvent) *Time { return &e.InvalidatedAt }),
	},
	Relationships: []jsonapi.Field[*TransportEvent]{
		relationshipField("shipment", func(e *TransportEvent) *ToOne[*Shipment] { return &e.Shipment }),
		relationshipField("container", func(e *TransportEvent) *ToOne[*Container] { return &e.Container }),
		relationshipField("vessel", func(e *TransportEvent) *ToOne[*Vessel] { return &e.Vessel }),
		relationshipField("location", func(e *TransportEvent) *ToOne[Place] { return &e.Location }),
		relationshipField("terminal", func(e *TransportEvent) *ToOne[*Terminal] { return &e.Terminal }),
		relationshipField("source_event", func(e *TransportEvent) *ToOne[*RawEvent] { return &e.SourceEvent }),
		relationshipField("previous_version", func(e *TransportEvent) *ToOne[*TransportEvent] { return &e.PreviousVersion }),
	},
})

// EstimatedEvent reports a new estimate for a shipment, such as its arrival. Notifications of
// EventShipmentEstimatedArrival refer to it.
type EstimatedEvent struct {
	Resource

	Event              EventName  // event
	EstimatedTimestamp Time       // estimated_timestamp: when the event is expected; zone Timezone
	Timezone           string     // timezone: IANA name of the place; "" if unknown
	LocationLOCODE     string     // location_locode: UN/LOCODE; "" if unknown
	VoyageNumber       string     // voyage_number
	DataSource         DataSource // data_source: who reported the estimate
	CreatedAt          Time       // created_at, UTC: when the estimate was made

	Shipment ToOne[*Shipment] // shipment
	Port     ToOne[*Port]     // port
	Vessel   ToOne[*Vessel]   // vessel
}

var estimatedEventTable = jsonapi.NewType(jsonapi.Spec[*EstimatedEvent]{
	Identify: func(e *EstimatedEvent, id jsonapi.Identity) { e.identify(id) },
	Finish:   func(e *EstimatedEvent) { pairZone(e.Timezone, &e.EstimatedTimestamp) },
	Attributes: []jsonapi.Field[*EstimatedEvent]{
		timeField("created_at", func(e *EstimatedEvent) *Time { return &e.CreatedAt }),
		timeField("estimated_timestamp", func(e *EstimatedEvent) *Time { return &e.EstimatedTimestamp }),
		textField("event", func(e *EstimatedEvent) *EventName { return &e.Event }),
		textField("location_locode", func(e *EstimatedEvent) *string { return &e.LocationLOCODE }),
		textField("timezone", func(e *EstimatedEvent) *string { return &e.Timezone }),
		textField("voyage_number", func(e *EstimatedEvent) *string { return &e.VoyageNumber }),
		textField("data_source", func(e *EstimatedEvent) *DataSource { return &e.DataSource }),
	},
	Relationships: []jsonapi.Field[*EstimatedEvent]{
		relationshipField("shipment", func(e *EstimatedEvent) *ToOne[*Shipment] { return &e.Shipment }),
		relationshipField("port", func(e *EstimatedEvent) *ToOne[*Port] { return &e.Port }),
		relationshipField("vessel", func(e *EstimatedEvent) *ToOne[*Vessel] { return &e.Vessel }),
	},
})

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

// onlyStops are the stops of milestones that happen at one place by definition.
var onlyStops = map[EventName]stop{
	EventEmptyOut: emptyPickup, EventDelivered: journeyEnd, EventEmptyIn: journeyEnd,
	EventArrivedAtInlandDestination: inlandDestination, EventEstimatedArrivedAtInlandDestination: inlandDestination,
}

// usualStops are the stops of milestones whose place is not known otherwise.
var usualStops = map[EventName]stop{
	EventFullIn: portOfLading, EventVesselLoaded: portOfLading, EventVesselDeparted: portOfLading,
	EventEstimatedVesselDeparted: portOfLading, EventEstimatedVesselArrived: portOfDischarge,
	EventVesselArrived: portOfDischarge, EventVesselBerthed: portOfDischarge, EventVesselDischarged: portOfDischarge,
}

// itinerary holds what is known of a container's stops.
type itinerary struct {
	zones     [stops]string
	locodes   [stops][]string
	terminals [stops][]string
	end       stop // where a full container ends: the inland destination or, if there is none, the port
}

// itineraryOf returns what the container and its milestones say of the stops.
func itineraryOf(c *Container, events []*TransportEvent) *itinerary {
	shipment, ok := c.Shipment.Value()
	if !ok {
		shipment = &Shipment{}
	}
	r := &itinerary{end: inlandDestination}
	r.add(portOfLading, shipment.POLTimezone, shipment.PortOfLadingLOCODE)
	r.add(portOfDischarge, cmp.Or(c.PODTimezone, shipment.PODTimezone), shipment.PortOfDischargeLOCODE, c.PODTerminal)
	r.add(inlandDestination, cmp.Or(c.FinalDestinationTimezone, shipment.DestinationTimezone),
		shipment.DestinationLOCODE, c.PickupFacility, shipment.DestinationTerminal)
	if slices.Contains(r.locodes[portOfDischarge], shipment.DestinationLOCODE) || !r.isInland(c, events) {
		r.end = portOfDischarge
	}
	return r
}

// isInland reports whether anything indicates transport to an inland destination.
func (r *itinerary) isInland(c *Container, events []*TransportEvent) bool {
	return r.zones[inlandDestination] != "" || len(r.locodes[inlandDestination])+len(r.terminals[inlandDestination]) > 0 ||
		!c.FinalDestinationFullOutAt.IsZero() || !c.INDETA.IsZero() || !c.INDATA.IsZero() ||
		!c.INDRailUnloadedAt.IsZero() || !c.PODRailLoadedAt.IsZero() || !c.PODRailDepartedAt.IsZero() ||
		slices.ContainsFunc(events, func(e *TransportEvent) bool {
			return onlyStops[e.Event] == inlandDestination || strings.HasPrefix(string(e.Event), railPrefix)
		})
}

// add adds a stop. Terminals that belong to an earlier stop are ignored: a pickup facility may be
// the terminal at the port.
func (r *itinerary) add(s stop, zone, locode string, terminals ...ToOne[*Terminal]) {
	r.zones[s] = zone
	codes := []string{locode}
	for _, t := range terminals {
		if t.ID() == "" || s > portOfDischarge && slices.Contains(r.terminals[portOfDischarge], t.ID()) {
			continue
		}
		r.terminals[s] = append(r.terminals[s], t.ID())
		if terminal, ok := t.Value(); ok {
			codes = append(codes, terminal.locodes()...)
		}
	}
	r.locodes[s] = slices.DeleteFunc(codes, func(code string) bool { return code == "" })
}

// locodes returns the UN/LOCODEs of the terminal's port and metro area, or "" for each that is
// unknown.
func (t *Terminal) locodes() []string {
	var codes []string
	if port, ok := t.Port.Value(); ok {
		codes = append(codes, port.LOCODE)
	}
	if area, ok := t.MetroArea.Value(); ok {
		codes = append(codes, area.LOCODE)
	}
	return codes
}

// spot is where something happened, as far as it is known.
type spot struct {
	stop   stop
	sure   bool // false if stop only follows from what usually happens there
	locode string
	zone   string
}

// spotAt returns what is known of a stop.
func (r *itinerary) spotAt(s stop) spot {
	at := spot{stop: s, sure: true, zone: r.zones[s]}
	if codes := r.locodes[s]; len(codes) > 0 {
		at.locode = codes[0]
	}
	return at
}

// spotOf returns where an event happened.
func (r *itinerary) spotOf(e *TransportEvent) spot {
	at := spot{locode: e.LocationLOCODE, zone: e.Timezone}
	if place, ok := e.Location.Value(); ok {
		at.locode, at.zone = cmp.Or(at.locode, place.PlaceLOCODE()), cmp.Or(at.zone, place.PlaceTimeZone())
	}
	at.stop, at.sure = r.stopOf(e.Event, at.locode, e.Terminal.ID())
	return at
}

// stopOf returns the stop of an event, and whether its place proves it.
func (r *itinerary) stopOf(name EventName, locode, terminal string) (stop, bool) {
	if s, ok := onlyStops[name]; ok {
		return s, true
	}
	for s := range stops {
		if slices.Contains(r.locodes[s], locode) || slices.Contains(r.terminals[s], terminal) {
			return s, true
		}
	}
	usual := usualStops[name]
	if name == EventFullOut && r.end == portOfDischarge {
		usual = portOfDischarge
	}
	if locode != "" && len(r.locodes[usual]) > 0 {
		return unknownStop, false
	}
	return usual, false
}

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
	case zonesDiffer(at.zone, b.zone):
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
func zonesDiffer(a, b string) bool {
	if a == "" || b == "" || a == b {
		return false
	}
	placeA, errA := NewTime(time.Time{}, a).place()
	placeB, errB := NewTime(time.Time{}, b).place()
	if errA != nil || errB != nil {
		return false
	}
	for _, month := range []time.Month{time.January, time.July} {
		when := time.Date(2024, month, 1, 0, 0, 0, 0, time.UTC)
		_, offsetA := when.In(placeA).Zone()
		if _, offsetB := when.In(placeB).Zone(); offsetA != offsetB {
			return true
		}
	}
	return false
}

// overtakenBy are the milestones that overtake an estimate of a ship at the same place.
var overtakenBy = map[EventName][]EventName{
	EventEstimatedVesselDeparted: {EventVesselDeparted, EventTransshipmentDeparted, EventFeederDeparted},
	EventEstimatedVesselArrived: {
		EventVesselArrived, EventVesselBerthed, EventVesselDischarged, EventTransshipmentArrived,
		EventTransshipmentDischarged, EventFeederArrived, EventFeederDischarged,
	},
}

// estimateEnds are the stops from which on every milestone overtakes an estimate.
var estimateEnds = map[EventName]stop{
	EventEstimatedVesselDeparted: portOfDischarge, EventEstimatedVesselArrived: portOfDischarge,
	EventEstimatedArrivedAtInlandDestination: inlandDestination,
}

// reportedEarly are the milestones that do not prove that the container has reached its stop: a
// terminal reports availability before the arrival, and the destination may have several ramps.
var reportedEarly = map[stop][]EventName{
	portOfDischarge:   {EventAvailable, EventNotAvailable},
	inlandDestination: {EventAvailable, EventNotAvailable, EventRailLoaded, EventRailDeparted, EventRailArrived},
}

// withdrawEstimates withdraws the estimates that a newer one replaces or that have been overtaken.
// Whether one is newer is known only if both have a time of creation.
func withdrawEstimates(facts []fact) {
	valid := slices.DeleteFunc(slices.Clone(facts), func(f fact) bool { return f.Withdrawn })
	for i, f := range facts {
		facts[i].Withdrawn = f.Withdrawn || f.Estimated && slices.ContainsFunc(valid, f.isOvertakenBy)
	}
}

// isOvertakenBy reports whether g is a newer estimate than f, proves that f has happened, or is at
// a later stop. A port of transshipment proves nothing about the port of discharge.
func (f fact) isOvertakenBy(g fact) bool {
	here := f.where.compare(g.where) == samePlace
	if g.Estimated {
		return f.Event == g.Event && here && !f.createdAt.IsZero() && g.createdAt.utc().After(f.createdAt.utc())
	}
	if here && (isEstimateOf(f.Event, g.Event) || slices.Contains(overtakenBy[f.Event], g.Event)) {
		return true
	}
	end := estimateEnds[f.Event]
	return end != unknownStop && g.where.sure && g.where.stop >= end && !slices.Contains(reportedEarly[g.where.stop], g.Event)
}

func isEstimate(n EventName) bool { return strings.HasPrefix(string(n), estimatePrefix) }

func isEstimateOf(estimate, n EventName) bool {
	return strings.TrimPrefix(string(estimate), estimatePrefix) == strings.TrimPrefix(string(n), milestonePrefix)
}
