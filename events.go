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
