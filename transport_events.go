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

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (e EstimatedEvent) MarshalJSON() ([]byte, error) { return marshalResource(&e) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (e *EstimatedEvent) UnmarshalJSON(data []byte) error { return unmarshalResource(data, e) }
