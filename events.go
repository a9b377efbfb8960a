package terminal49

import (
	"slices"
)

// EventName names an event. Transport events and webhook notifications share these names.
//
//t49:enum
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

// documentEvents are both names of each document event.
var documentEvents = [...][2]EventName{
	{EventDocumentExtracted, EventDocumentRepresentationCreated},
	{EventDocumentExtractionFailed, EventDocumentRepresentationFailed},
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
//
//t49:resource container_created_event
type ContainerCreatedEvent struct {
	Resource

	Timestamp Time   `t49:"timestamp,zone=timezone"` // when the service noticed the container
	Timezone  string `t49:"timezone"`                // IANA name; "Etc/UTC" in samples

	Container ToOne[*Container] `t49:"container"`
	Shipment  ToOne[*Shipment]  `t49:"shipment"`
}

// ContainerUpdatedEvent reports what changed in a container. Notifications of EventContainerUpdated
// refer to it.
//
//t49:resource container_updated_event
type ContainerUpdatedEvent struct {
	Resource

	Changeset  Changeset  `t49:"changeset"`               // such as {"available_for_pickup": [false, true]}; empty if not sent
	Timestamp  Time       `t49:"timestamp,zone=timezone"` // when the service noticed the change
	Timezone   string     `t49:"timezone"`                // IANA name; "" if unknown
	DataSource DataSource `t49:"data_source"`             // who reported the change

	Container ToOne[*Container] `t49:"container"`
	Terminal  ToOne[*Terminal]  `t49:"terminal"` // the source of the data; so far always the POD terminal
	Shipment  ToOne[*Shipment]  `t49:"shipment"` // may be absent
}

// ContainerPODTerminalChangedEvent reports that a container's terminal at the port of discharge
// changed. It is an advance notice while the container is on the vessel and an off-dock move after
// it has landed. Notifications of EventContainerPODTerminalChanged refer to it.
//
//t49:resource container_pod_terminal_changed_event
type ContainerPODTerminalChangedEvent struct {
	Resource

	Timestamp  Time       `t49:"timestamp"`   // UTC: when the change was recorded
	DataSource DataSource `t49:"data_source"` // who reported the change, such as DataSourcePierPass

	Container ToOne[*Container] `t49:"container"`
	Shipment  ToOne[*Shipment]  `t49:"shipment"`
	Terminal  ToOne[*Terminal]  `t49:"terminal"` // the new one
}

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (e *ContainerPODTerminalChangedEvent) UnmarshalJSON(data []byte) error {
	return unmarshalResource(data, e)
}

// TransportEvent is a milestone of a container, an estimate, or a change of a deadline or
// appointment. The service may report the same milestone again under another id and withdraw the
// earlier event.
//
//t49:resource transport_event
type TransportEvent struct {
	Resource

	Event          EventName  `t49:"event"`
	Timestamp      Time       `t49:"timestamp,zone=timezone"` // when it happened or is expected or, for a change of Value, was noticed
	Timezone       string     `t49:"timezone"`                // IANA name of the place; "" if unknown
	LocationLOCODE string     `t49:"location_locode"`         // UN/LOCODE; "" if unknown
	VoyageNumber   string     `t49:"voyage_number"`
	DataSource     DataSource `t49:"data_source"`         // who reported the event
	CreatedAt      Time       `t49:"created_at"`          // UTC
	Value          Time       `t49:"value,zone=timezone"` // the new last free day or appointment; zero for other events
	ValueTimestamp Time       `t49:"value_timestamp"`     // UTC: when Value was reported
	InvalidatedAt  Time       `t49:"invalidated_at"`      // UTC: when the event was withdrawn; zero if it is valid

	Shipment        ToOne[*Shipment]       `t49:"shipment"`
	Container       ToOne[*Container]      `t49:"container"`
	Vessel          ToOne[*Vessel]         `t49:"vessel"`
	Location        ToOne[Place]           `t49:"location,types=port|metro_area"`        // a port or a metro area
	Terminal        ToOne[*Terminal]       `t49:"terminal,types=terminal|rail_terminal"` // may be a rail terminal
	SourceEvent     ToOne[*RawEvent]       `t49:"source_event"`
	PreviousVersion ToOne[*TransportEvent] `t49:"previous_version"`
}

// DataSource identifies who reported an event.
//
//t49:enum
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

// EstimatedEvent reports a new estimate for a shipment, such as its arrival. Notifications of
// EventShipmentEstimatedArrival refer to it.
//
//t49:resource estimated_event
type EstimatedEvent struct {
	Resource

	Event              EventName  `t49:"event"`
	EstimatedTimestamp Time       `t49:"estimated_timestamp,zone=timezone"` // when the event is expected
	Timezone           string     `t49:"timezone"`                          // IANA name of the place; "" if unknown
	LocationLOCODE     string     `t49:"location_locode"`                   // UN/LOCODE; "" if unknown
	VoyageNumber       string     `t49:"voyage_number"`
	DataSource         DataSource `t49:"data_source"` // who reported the estimate
	CreatedAt          Time       `t49:"created_at"`  // UTC: when the estimate was made

	Shipment ToOne[*Shipment] `t49:"shipment"`
	Port     ToOne[*Port]     `t49:"port"`
	Vessel   ToOne[*Vessel]   `t49:"vessel"`
}

// RawEvent is an event as the carrier reported it, before the service interpreted it. The service
// has deprecated raw events; prefer [TransportEvent].
//
//t49:resource raw_event
type RawEvent struct {
	Resource

	// Event is event: that of the [EventName] without "container.transport.", such as
	// "vessel_discharged", or "positioned_in", "positioned_out", "arrived_at_destination",
	// "vgm_received" (verified gross mass), "carrier_release" or "customs_release"; "" if the service
	// has no name for it.
	Event            string     `t49:"event"`
	OriginalEvent    string     `t49:"original_event"`             // the carrier's wording
	Timestamp        Time       `t49:"timestamp,zone=timezone"`    // actual or estimated
	Estimated        bool       `t49:"estimated"`                  // whether the event is still expected
	ActualOn         Time       `t49:"actual_on"`                  // calendar day, deprecated
	EstimatedOn      Time       `t49:"estimated_on"`               // calendar day, deprecated
	ActualAt         Time       `t49:"actual_at,zone=timezone"`    // deprecated
	EstimatedAt      Time       `t49:"estimated_at,zone=timezone"` // deprecated
	WillOccurAt      Time       `t49:"will_occur_at,zone=timezone"`
	InvalidatedAt    Time       `t49:"invalidated_at"`  // UTC: when the event was withdrawn; zero if it is valid
	Timezone         string     `t49:"timezone"`        // IANA name of the place; "" means that the times are its wall clock
	CreatedAt        Time       `t49:"created_at"`      // UTC
	LocationName     string     `t49:"location_name"`   // the carrier's wording
	LocationLOCODE   string     `t49:"location_locode"` // UN/LOCODE; "" if unknown
	VesselName       string     `t49:"vessel_name"`
	VesselIMO        string     `t49:"vessel_imo"`
	VoyageNumber     string     `t49:"voyage_number"`
	Index            Opt[int]   `t49:"index"` // position among the container's events
	DataSource       DataSource `t49:"data_source"`
	DataProviderName string     `t49:"data_provider_name"` // such as "COSCO"
	DataProviderCode string     `t49:"data_provider_code"` // such as "COSU"

	Location  ToOne[Place]      `t49:"location,types=port|metro_area"` // a port or a metro area
	Vessel    ToOne[*Vessel]    `t49:"vessel"`
	Container ToOne[*Container] `t49:"container"`
	Terminal  ToOne[*Terminal]  `t49:"terminal"`
}
