package terminal49

import (
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

func (e *TransportEvent) members(m *jsonapi.Members) {
	m.Add("event", &e.Event)
	m.Add("created_at", &e.CreatedAt)
	m.Add("voyage_number", &e.VoyageNumber)
	m.Add("timestamp", &e.Timestamp)
	m.Add("data_source", &e.DataSource)
	m.Add("location_locode", &e.LocationLOCODE)
	m.Add("timezone", &e.Timezone)
	m.Add("value", &e.Value)
	m.Add("value_timestamp", &e.ValueTimestamp)
	m.Add("invalidated_at", &e.InvalidatedAt)
}

func (e *TransportEvent) relationships(m *jsonapi.Members) {
	m.Add("shipment", &e.Shipment)
	m.Add("container", &e.Container)
	m.Add("vessel", &e.Vessel)
	m.Add("location", &e.Location)
	m.Add("terminal", &e.Terminal)
	m.Add("source_event", &e.SourceEvent)
	m.Add("previous_version", &e.PreviousVersion)
}

func (e *TransportEvent) finish() {
	pairZone(e.Timezone, &e.Timestamp, &e.Value)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (e TransportEvent) MarshalJSON() ([]byte, error) { return marshalResource(&e) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (e *TransportEvent) UnmarshalJSON(data []byte) error { return unmarshalResource(data, e) }

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

func (e *EstimatedEvent) members(m *jsonapi.Members) {
	m.Add("created_at", &e.CreatedAt)
	m.Add("estimated_timestamp", &e.EstimatedTimestamp)
	m.Add("event", &e.Event)
	m.Add("location_locode", &e.LocationLOCODE)
	m.Add("timezone", &e.Timezone)
	m.Add("voyage_number", &e.VoyageNumber)
	m.Add("data_source", &e.DataSource)
}

func (e *EstimatedEvent) relationships(m *jsonapi.Members) {
	m.Add("shipment", &e.Shipment)
	m.Add("port", &e.Port)
	m.Add("vessel", &e.Vessel)
}

func (e *EstimatedEvent) finish() {
	pairZone(e.Timezone, &e.EstimatedTimestamp)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (e EstimatedEvent) MarshalJSON() ([]byte, error) { return marshalResource(&e) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (e *EstimatedEvent) UnmarshalJSON(data []byte) error { return unmarshalResource(data, e) }
