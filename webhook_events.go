package terminal49

import "slices"

// The events that are told by webhooks only. Those of transport events are told by webhooks too: all in all 43 events,
// and two that the service has announced.
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

	EventLinkCreated            EventName = "link.created"             // planned: a document was linked to a shipment or container
	EventEmailSubmissionCreated EventName = "email_submission.created" // planned: not live
)

var webhookOnlyEvents = []EventName{
	EventTrackingRequestSucceeded, EventTrackingRequestFailed, EventTrackingRequestAwaitingManifest,
	EventTrackingRequestTrackingStopped, EventShipmentEstimatedArrival, EventContainerCreated, EventContainerUpdated,
	EventContainerPODTerminalChanged, EventDocumentExtracted, EventDocumentExtractionFailed,
}

// WebhookEvents returns the 43 events that a webhook can be called for, as far as this version knows; the planned ones
// are not among them. What the account can really subscribe to, [WebhooksService.Events] tells.
func WebhookEvents() []EventName { return slices.Concat(webhookOnlyEvents, eventNames) }

// Planned reports whether the service has announced the event without sending it yet.
func (n EventName) Planned() bool { return n == EventLinkCreated || n == EventEmailSubmissionCreated }

// EventFamily groups the events whose notifications look alike.
type EventFamily string

const (
	FamilyUnknown          EventFamily = ""                      // an event that this version does not know
	FamilyTrackingRequest  EventFamily = "tracking_request"      // about a *TrackingRequest
	FamilyMilestone        EventFamily = "milestone"             // about a *TransportEvent: something happened
	FamilyEstimate         EventFamily = "estimate"              // about a *TransportEvent or *EstimatedEvent that lies ahead
	FamilyContainerCreated EventFamily = "container_created"     // about a *ContainerCreatedEvent
	FamilyContainerUpdated EventFamily = "container_updated"     // about a *ContainerUpdatedEvent
	FamilyTerminalChanged  EventFamily = "pod_terminal_changed"  // about a *ContainerPODTerminalChangedEvent
	FamilyLastFreeDay      EventFamily = "last_free_day_changed" // about a *TransportEvent with the new day as its Value
	FamilyAppointment      EventFamily = "appointment_changed"   // about a *TransportEvent with the new time as its Value
	FamilyDocument         EventFamily = "document"              // about a document
	FamilyLink             EventFamily = "link"                  // planned
	FamilyEmailSubmission  EventFamily = "email_submission"      // planned
)

// Family returns the family of the event, FamilyUnknown for an event that this version does not know.
func (n EventName) Family() EventFamily {
	switch n {
	case EventTrackingRequestSucceeded, EventTrackingRequestFailed, EventTrackingRequestAwaitingManifest, EventTrackingRequestTrackingStopped:
		return FamilyTrackingRequest
	case EventShipmentEstimatedArrival, EventEstimatedVesselDeparted, EventEstimatedVesselArrived, EventEstimatedArrivedAtInlandDestination:
		return FamilyEstimate
	case EventContainerCreated:
		return FamilyContainerCreated
	case EventContainerUpdated:
		return FamilyContainerUpdated
	case EventContainerPODTerminalChanged:
		return FamilyTerminalChanged
	case EventPickupLFDChanged, EventPickupLFDLineChanged, EventPickupLFDTerminalChanged, EventPickupLFDRailChanged:
		return FamilyLastFreeDay
	case EventPickupAppointmentChanged:
		return FamilyAppointment
	case EventDocumentExtracted, EventDocumentExtractionFailed:
		return FamilyDocument
	case EventLinkCreated:
		return FamilyLink
	case EventEmailSubmissionCreated:
		return FamilyEmailSubmission
	}
	if isKnown(n, eventNames) {
		return FamilyMilestone
	}
	return FamilyUnknown
}
