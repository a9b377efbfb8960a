package webhook

import "github.com/go-freight/terminal49"

// eventFamily groups the events whose notifications have the same payload type.
type eventFamily string

// The families of the events.
const (
	familyUnknown          eventFamily = ""                      // an event unknown to this version
	familyTrackingRequest  eventFamily = "tracking_request"      // about a *TrackingRequest
	familyMilestone        eventFamily = "milestone"             // about a *TransportEvent that has happened
	familyEstimate         eventFamily = "estimate"              // about a *TransportEvent or *EstimatedEvent
	familyContainerCreated eventFamily = "container_created"     // about a *ContainerCreatedEvent
	familyContainerUpdated eventFamily = "container_updated"     // about a *ContainerUpdatedEvent
	familyTerminalChanged  eventFamily = "pod_terminal_changed"  // about a *ContainerPODTerminalChangedEvent
	familyLastFreeDay      eventFamily = "last_free_day_changed" // about a *TransportEvent; its Value is the new day
	familyAppointment      eventFamily = "appointment_changed"   // about a *TransportEvent; its Value is the new time
	familyDocument         eventFamily = "document"              // about a *Document
	familyLink             eventFamily = "link"                  // about a link of a document, in an undocumented form
	familyEmailSubmission  eventFamily = "email_submission"      // planned
)

// familyOf returns the family of an event, or familyUnknown for one unknown to this version.
func familyOf(event terminal49.EventName) eventFamily {
	switch event {
	case terminal49.EventTrackingRequestSucceeded, terminal49.EventTrackingRequestFailed, terminal49.EventTrackingRequestAwaitingManifest,
		terminal49.EventTrackingRequestTrackingStopped:
		return familyTrackingRequest
	case terminal49.EventShipmentEstimatedArrival, terminal49.EventEstimatedVesselDeparted, terminal49.EventEstimatedVesselArrived,
		terminal49.EventEstimatedArrivedAtInlandDestination:
		return familyEstimate
	case terminal49.EventContainerCreated:
		return familyContainerCreated
	case terminal49.EventContainerUpdated:
		return familyContainerUpdated
	case terminal49.EventContainerPODTerminalChanged:
		return familyTerminalChanged
	case terminal49.EventPickupLFDChanged, terminal49.EventPickupLFDLineChanged, terminal49.EventPickupLFDTerminalChanged, terminal49.EventPickupLFDRailChanged:
		return familyLastFreeDay
	case terminal49.EventPickupAppointmentChanged:
		return familyAppointment
	case terminal49.EventDocumentExtracted, terminal49.EventDocumentExtractionFailed,
		terminal49.EventDocumentRepresentationCreated, terminal49.EventDocumentRepresentationFailed:
		return familyDocument
	case terminal49.EventLinkCreated:
		return familyLink
	case terminal49.EventEmailSubmissionCreated:
		return familyEmailSubmission
	}
	if event.Known() { // the other events of a journey
		return familyMilestone
	}
	return familyUnknown
}
