package terminal49

import (
	"slices"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// EventName names an event. Transport events and webhook notifications share these names.
type EventName string

// The events that both transport events and webhooks report.
const (
	EventEmptyOut                            EventName = "container.transport.empty_out"
	EventFullIn                              EventName = "container.transport.full_in"
	EventVesselLoaded                        EventName = "container.transport.vessel_loaded"
	EventVesselDeparted                      EventName = "container.transport.vessel_departed"
	EventTransshipmentArrived                EventName = "container.transport.transshipment_arrived"
	EventTransshipmentDischarged             EventName = "container.transport.transshipment_discharged"
	EventTransshipmentLoaded                 EventName = "container.transport.transshipment_loaded"
	EventTransshipmentDeparted               EventName = "container.transport.transshipment_departed"
	EventFeederArrived                       EventName = "container.transport.feeder_arrived"
	EventFeederDischarged                    EventName = "container.transport.feeder_discharged"
	EventFeederLoaded                        EventName = "container.transport.feeder_loaded"
	EventFeederDeparted                      EventName = "container.transport.feeder_departed"
	EventVesselArrived                       EventName = "container.transport.vessel_arrived"
	EventVesselBerthed                       EventName = "container.transport.vessel_berthed"
	EventVesselDischarged                    EventName = "container.transport.vessel_discharged"
	EventAvailable                           EventName = "container.transport.available"
	EventNotAvailable                        EventName = "container.transport.not_available"
	EventFullOut                             EventName = "container.transport.full_out"
	EventDelivered                           EventName = "container.transport.delivered"
	EventEmptyIn                             EventName = "container.transport.empty_in"
	EventRailLoaded                          EventName = "container.transport.rail_loaded"
	EventRailDeparted                        EventName = "container.transport.rail_departed"
	EventRailArrived                         EventName = "container.transport.rail_arrived"
	EventRailUnloaded                        EventName = "container.transport.rail_unloaded"
	EventArrivedAtInlandDestination          EventName = "container.transport.arrived_at_inland_destination"
	EventEstimatedVesselDeparted             EventName = "container.transport.estimated.vessel_departed"
	EventEstimatedVesselArrived              EventName = "container.transport.estimated.vessel_arrived"
	EventEstimatedArrivedAtInlandDestination EventName = "container.transport.estimated.arrived_at_inland_destination"
	EventPickupLFDChanged                    EventName = "container.pickup_lfd.changed"
	EventPickupLFDLineChanged                EventName = "container.pickup_lfd_line.changed"
	EventPickupLFDTerminalChanged            EventName = "container.pickup_lfd_terminal.changed"
	EventPickupLFDRailChanged                EventName = "container.pickup_lfd_rail.changed"
	EventPickupAppointmentChanged            EventName = "container.pickup_appointment.changed"
)

// The events that only webhooks report.
const (
	EventTrackingRequestSucceeded        EventName = "tracking_request.succeeded"
	EventTrackingRequestFailed           EventName = "tracking_request.failed"
	EventTrackingRequestAwaitingManifest EventName = "tracking_request.awaiting_manifest"
	EventTrackingRequestTrackingStopped  EventName = "tracking_request.tracking_stopped"
	EventShipmentEstimatedArrival        EventName = "shipment.estimated.arrival"
	EventContainerCreated                EventName = "container.created"
	EventContainerUpdated                EventName = "container.updated"
	EventContainerPODTerminalChanged     EventName = "container.pod_terminal_changed"
	EventDocumentExtracted               EventName = "document.extracted"
	EventDocumentExtractionFailed        EventName = "document.extraction_failed"
	EventLinkCreated                     EventName = "link.created" // a document was linked to a shipment or container

	EventEmailSubmissionCreated EventName = "email_submission.created" // planned
)

// Other names of EventDocumentExtracted and EventDocumentExtractionFailed. The published OpenAPI
// file has only the first pair, several later documents only these. [WebhooksService.Events]
// returns those available to the account, and [WebhooksService.Ensure] tries both.
const (
	EventDocumentRepresentationCreated EventName = "document_representation.created"
	EventDocumentRepresentationFailed  EventName = "document_representation.failed"
)

// EventSSLLFDChanged is a transport event about the shipping line's last free day, without a value
// or a zone where it was seen. No list of the service has it, so [WebhookEvents] leaves it out.
const EventSSLLFDChanged EventName = "container.ssl_lfd.changed"

// eventNames are the names of transport events, in the order of a journey.
var eventNames = []EventName{
	EventEmptyOut, EventFullIn, EventVesselLoaded, EventVesselDeparted, EventTransshipmentArrived,
	EventTransshipmentDischarged, EventTransshipmentLoaded, EventTransshipmentDeparted, EventFeederArrived,
	EventFeederDischarged, EventFeederLoaded, EventFeederDeparted, EventVesselArrived, EventVesselBerthed,
	EventVesselDischarged, EventAvailable, EventNotAvailable, EventFullOut, EventDelivered, EventEmptyIn,
	EventRailLoaded, EventRailDeparted, EventRailArrived, EventRailUnloaded, EventArrivedAtInlandDestination,
	EventEstimatedVesselDeparted, EventEstimatedVesselArrived, EventEstimatedArrivedAtInlandDestination,
	EventPickupLFDChanged, EventPickupLFDLineChanged, EventPickupLFDTerminalChanged, EventPickupLFDRailChanged,
	EventPickupAppointmentChanged,
}

var webhookOnlyEvents = []EventName{
	EventTrackingRequestSucceeded, EventTrackingRequestFailed, EventTrackingRequestAwaitingManifest,
	EventTrackingRequestTrackingStopped, EventShipmentEstimatedArrival, EventContainerCreated, EventContainerUpdated,
	EventContainerPODTerminalChanged, EventDocumentExtracted, EventDocumentExtractionFailed, EventLinkCreated,
}

var otherDocumentEvents = []EventName{EventDocumentRepresentationCreated, EventDocumentRepresentationFailed}

// documentEvents are both names of each document event.
var documentEvents = [...][2]EventName{
	{EventDocumentExtracted, EventDocumentRepresentationCreated},
	{EventDocumentExtractionFailed, EventDocumentRepresentationFailed},
}

// Known reports whether n is one of the constants of this version. Unknown values are kept
// unchanged.
func (n EventName) Known() bool {
	return isKnown(n, eventNames) || isKnown(n, webhookOnlyEvents) || isKnown(n, otherDocumentEvents) || n == EventSSLLFDChanged || n.Planned()
}

// WebhookEvents returns the events known to this version that a webhook can subscribe to: the 43
// that the service documents, and EventLinkCreated, which only its changelog names. It leaves out
// the planned event and the other names of the document events, because a webhook with both names
// may receive each document twice. Prefer [WebhooksService.Events], which returns the events that
// are available to the account.
func WebhookEvents() []EventName { return slices.Concat(webhookOnlyEvents, eventNames) }

// Planned reports whether the service has announced the event but does not send it yet.
func (n EventName) Planned() bool { return n == EventEmailSubmissionCreated }

// ContainerCreatedEvent reports that a container was added to a shipment. Notifications of
// EventContainerCreated refer to it.
type ContainerCreatedEvent struct {
	Resource

	Timestamp Time   // timestamp: when the service noticed the container; zone Timezone
	Timezone  string // timezone: IANA name; "Etc/UTC" in samples

	Container ToOne[*Container] // container
	Shipment  ToOne[*Shipment]  // shipment
}

// ContainerUpdatedEvent reports what changed in a container. Notifications of EventContainerUpdated
// refer to it.
type ContainerUpdatedEvent struct {
	Resource

	Changeset  Changeset  // changeset: such as {"available_for_pickup": [false, true]}; empty if not sent
	Timestamp  Time       // timestamp: when the service noticed the change; zone Timezone
	Timezone   string     // timezone: IANA name; "" if unknown
	DataSource DataSource // data_source: who reported the change

	Container ToOne[*Container] // container
	Terminal  ToOne[*Terminal]  // terminal: the source of the data; so far always the POD terminal
	Shipment  ToOne[*Shipment]  // shipment: may be absent
}

// ContainerPODTerminalChangedEvent reports that a container's terminal at the port of discharge
// changed. It is an advance notice while the container is on the vessel and an off-dock move after
// it has landed. Notifications of EventContainerPODTerminalChanged refer to it.
type ContainerPODTerminalChangedEvent struct {
	Resource

	Timestamp  Time       // timestamp, UTC: when the change was recorded
	DataSource DataSource // data_source: who reported the change, such as DataSourcePierPass

	Container ToOne[*Container] // container
	Shipment  ToOne[*Shipment]  // shipment
	Terminal  ToOne[*Terminal]  // terminal: the new one
}

func (e *ContainerCreatedEvent) members(m *jsonapi.Members) {
	m.Add("timestamp", &e.Timestamp)
	m.Add("timezone", &e.Timezone)
}

func (e *ContainerCreatedEvent) relationships(m *jsonapi.Members) {
	m.Add("container", &e.Container)
	m.Add("shipment", &e.Shipment)
}

func (e *ContainerCreatedEvent) finish() {
	pairZone(e.Timezone, &e.Timestamp)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (e ContainerCreatedEvent) MarshalJSON() ([]byte, error) { return marshalResource(&e) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (e *ContainerCreatedEvent) UnmarshalJSON(data []byte) error { return unmarshalResource(data, e) }

func (e *ContainerUpdatedEvent) members(m *jsonapi.Members) {
	m.Add("changeset", &e.Changeset)
	m.Add("timestamp", &e.Timestamp)
	m.Add("timezone", &e.Timezone)
	m.Add("data_source", &e.DataSource)
}

func (e *ContainerUpdatedEvent) relationships(m *jsonapi.Members) {
	m.Add("container", &e.Container)
	m.Add("terminal", &e.Terminal)
	m.Add("shipment", &e.Shipment)
}

func (e *ContainerUpdatedEvent) finish() {
	pairZone(e.Timezone, &e.Timestamp)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (e ContainerUpdatedEvent) MarshalJSON() ([]byte, error) { return marshalResource(&e) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (e *ContainerUpdatedEvent) UnmarshalJSON(data []byte) error { return unmarshalResource(data, e) }

func (e *ContainerPODTerminalChangedEvent) members(m *jsonapi.Members) {
	m.Add("timestamp", &e.Timestamp)
	m.Add("data_source", &e.DataSource)
}

func (e *ContainerPODTerminalChangedEvent) relationships(m *jsonapi.Members) {
	m.Add("container", &e.Container)
	m.Add("shipment", &e.Shipment)
	m.Add("terminal", &e.Terminal)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (e ContainerPODTerminalChangedEvent) MarshalJSON() ([]byte, error) { return marshalResource(&e) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (e *ContainerPODTerminalChangedEvent) UnmarshalJSON(data []byte) error {
	return unmarshalResource(data, e)
}

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
	DataSourceShippingLine   DataSource = "shipping_line"
	DataSourceTerminal       DataSource = "terminal"
	DataSourceRail           DataSource = "rail"
	DataSourceAIS            DataSource = "ais" // vessel positions
	DataSourceCalculation    DataSource = "t49_calculation"
	DataSourceOperationsTeam DataSource = "t49_operations_team"
	DataSourceUserInput      DataSource = "user_input"
	DataSourcePierPass       DataSource = "pierpass" // only for changes of the terminal
)

var dataSources = []DataSource{
	DataSourceShippingLine, DataSourceTerminal, DataSourceRail, DataSourceAIS, DataSourceCalculation, DataSourceOperationsTeam, DataSourceUserInput,
	DataSourcePierPass,
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

// RawEvent is an event as the carrier reported it, before the service interpreted it. The service
// has deprecated raw events; prefer [TransportEvent].
type RawEvent struct {
	Resource

	// Event is event: that of the [EventName] without "container.transport.", such as
	// "vessel_discharged", or "positioned_in", "positioned_out", "arrived_at_destination",
	// "vgm_received" (verified gross mass), "carrier_release" or "customs_release"; "" if the service
	// has no name for it.
	Event            string
	OriginalEvent    string     // original_event: the carrier's wording
	Timestamp        Time       // timestamp: actual or estimated; zone Timezone
	Estimated        bool       // estimated: whether the event is still expected
	ActualOn         Time       // actual_on: calendar day, deprecated
	EstimatedOn      Time       // estimated_on: calendar day, deprecated
	ActualAt         Time       // actual_at: zone Timezone, deprecated
	EstimatedAt      Time       // estimated_at: zone Timezone, deprecated
	WillOccurAt      Time       // will_occur_at: zone Timezone
	InvalidatedAt    Time       // invalidated_at, UTC: when the event was withdrawn; zero if it is valid
	Timezone         string     // timezone: IANA name of the place; "" means that the times are its wall clock
	CreatedAt        Time       // created_at, UTC
	LocationName     string     // location_name: the carrier's wording
	LocationLOCODE   string     // location_locode: UN/LOCODE; "" if unknown
	VesselName       string     // vessel_name
	VesselIMO        string     // vessel_imo
	VoyageNumber     string     // voyage_number
	Index            Opt[int]   // index: position among the container's events
	DataSource       DataSource // data_source
	DataProviderName string     // data_provider_name, such as "COSCO"
	DataProviderCode string     // data_provider_code, such as "COSU"

	Location  ToOne[Place]      // location: a port or a metro area
	Vessel    ToOne[*Vessel]    // vessel
	Container ToOne[*Container] // container
	Terminal  ToOne[*Terminal]  // terminal
}

func (e *RawEvent) members(m *jsonapi.Members) {
	m.Add("event", &e.Event)
	m.Add("original_event", &e.OriginalEvent)
	m.Add("timestamp", &e.Timestamp)
	m.Add("estimated", &e.Estimated)
	m.Add("actual_on", &e.ActualOn)
	m.Add("estimated_on", &e.EstimatedOn)
	m.Add("actual_at", &e.ActualAt)
	m.Add("estimated_at", &e.EstimatedAt)
	m.Add("will_occur_at", &e.WillOccurAt)
	m.Add("invalidated_at", &e.InvalidatedAt)
	m.Add("timezone", &e.Timezone)
	m.Add("created_at", &e.CreatedAt)
	m.Add("location_name", &e.LocationName)
	m.Add("location_locode", &e.LocationLOCODE)
	m.Add("vessel_name", &e.VesselName)
	m.Add("vessel_imo", &e.VesselIMO)
	m.Add("voyage_number", &e.VoyageNumber)
	m.Add("index", &e.Index)
	m.Add("data_source", &e.DataSource)
	m.Add("data_provider_name", &e.DataProviderName)
	m.Add("data_provider_code", &e.DataProviderCode)
}

func (e *RawEvent) relationships(m *jsonapi.Members) {
	m.Add("location", &e.Location)
	m.Add("vessel", &e.Vessel)
	m.Add("container", &e.Container)
	m.Add("terminal", &e.Terminal)
}

func (e *RawEvent) finish() {
	pairZone(e.Timezone, &e.Timestamp, &e.ActualAt, &e.EstimatedAt, &e.WillOccurAt)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (e RawEvent) MarshalJSON() ([]byte, error) { return marshalResource(&e) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (e *RawEvent) UnmarshalJSON(data []byte) error { return unmarshalResource(data, e) }
