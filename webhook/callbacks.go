package webhook

import (
	"context"
	"slices"

	"github.com/go-freight/terminal49"
)

// callback handles a notification and reports whether it was for this callback.
type callback func(context.Context, *Notification) (called bool, err error)

// problemNil is the problem of a nil callback.
const problemNil = "must not be nil; omit the option instead"

func on(name string, isNil bool, f callback) Option {
	return setting(name, problemNil, !isNil, func(c *config) { c.callbacks = append(c.callbacks, f) })
}

// onPayload calls f for payloads of type P, for the given events or, without any, for all of them.
func onPayload[P Payload](
	name string, f func(context.Context, *Notification, P) error, events ...terminal49.EventName,
) Option {
	return on(name, f == nil, func(ctx context.Context, n *Notification) (bool, error) {
		p, ok := n.Payload.(P)
		if !ok || len(events) > 0 && !slices.Contains(events, n.Event) {
			return false, nil
		}
		return true, f(ctx, n, p)
	})
}

// OnTrackingSucceeded is called when a tracking request has found its shipment.
func OnTrackingSucceeded(f func(context.Context, *Notification, *TrackingRequestPayload) error) Option {
	return onPayload("OnTrackingSucceeded", f, terminal49.EventTrackingRequestSucceeded)
}

// OnTrackingFailed is called when a tracking request has failed.
func OnTrackingFailed(f func(context.Context, *Notification, *TrackingRequestPayload) error) Option {
	return onPayload("OnTrackingFailed", f, terminal49.EventTrackingRequestFailed)
}

// OnTrackingAwaitingManifest is called when the shipping line does not know a number yet. The
// service then checks with the line every day.
func OnTrackingAwaitingManifest(f func(context.Context, *Notification, *TrackingRequestPayload) error) Option {
	return onPayload("OnTrackingAwaitingManifest", f, terminal49.EventTrackingRequestAwaitingManifest)
}

// OnTrackingStopped is called when the service has stopped tracking a shipment.
func OnTrackingStopped(f func(context.Context, *Notification, *TrackingRequestPayload) error) Option {
	return onPayload("OnTrackingStopped", f, terminal49.EventTrackingRequestTrackingStopped)
}

// OnMilestone is called for milestones of a container, such as its discharge.
func OnMilestone(f func(context.Context, *Notification, *MilestonePayload) error) Option {
	return onPayload("OnMilestone", f)
}

// OnEstimateChanged is called when an estimated time of arrival or departure has changed.
func OnEstimateChanged(f func(context.Context, *Notification, *EstimatePayload) error) Option {
	return onPayload("OnEstimate", f)
}

// OnContainerCreated is called when a container was added to a shipment.
func OnContainerCreated(f func(context.Context, *Notification, *ContainerCreatedPayload) error) Option {
	return onPayload("OnContainerCreated", f)
}

// OnContainerUpdated is called when attributes of a container have changed, such as its holds, fees
// or availability.
func OnContainerUpdated(f func(context.Context, *Notification, *ContainerUpdatedPayload) error) Option {
	return onPayload("OnContainerUpdated", f)
}

// OnTerminalChanged is called when the terminal at a container's port of discharge has changed.
func OnTerminalChanged(f func(context.Context, *Notification, *TerminalChangedPayload) error) Option {
	return onPayload("OnTerminalChanged", f)
}

// OnLastFreeDayChanged is called when a last free day of a container has changed.
func OnLastFreeDayChanged(f func(context.Context, *Notification, *LastFreeDayPayload) error) Option {
	return onPayload("OnLastFreeDayChanged", f)
}

// OnAppointmentChanged is called when the pickup appointment of a container has changed.
func OnAppointmentChanged(f func(context.Context, *Notification, *AppointmentPayload) error) Option {
	return onPayload("OnAppointmentChanged", f)
}

// OnDocumentExtracted is called when the extraction of a document has succeeded, under either name
// of the event.
func OnDocumentExtracted(f func(context.Context, *Notification, *DocumentPayload) error) Option {
	return onPayload("OnDocumentExtracted", f, terminal49.EventDocumentExtracted, terminal49.EventDocumentRepresentationCreated)
}

// OnDocumentExtractionFailed is called when the extraction of a document has failed, under either
// name of the event.
func OnDocumentExtractionFailed(f func(context.Context, *Notification, *DocumentPayload) error) Option {
	return onPayload("OnDocumentExtractionFailed", f,
		terminal49.EventDocumentExtractionFailed, terminal49.EventDocumentRepresentationFailed)
}

// OnLinkCreated is called when a document was linked to a shipment or a container.
func OnLinkCreated(f func(context.Context, *Notification, *LinkPayload) error) Option {
	return onPayload("OnLinkCreated", f)
}

// OnUnknown is called for events unknown to this version, and for the planned one (see
// [terminal49.EventName.Planned]).
func OnUnknown(f func(context.Context, *Notification, *UnknownPayload) error) Option {
	return onPayload("OnUnknown", f)
}

// OnAny is called for every notification, in addition to other callbacks.
func OnAny(f func(context.Context, *Notification) error) Option {
	return on("OnAny", f == nil, func(ctx context.Context, n *Notification) (bool, error) { return true, f(ctx, n) })
}

// OnDeadLetter is called for deliveries that are signed but are not notifications. Without it they
// are acknowledged and visible only to [OnDelivery]. Keep the letter for investigation.
//
// Unlike a notification, a dead letter is answered 200 even if the callback fails, panics or times
// out; the service would deliver the same bytes again, and it deactivates webhooks that fail too
// often. [Delivery].Err then has both errors. A letter whose callback was not called, because the
// [DedupeStore] failed, was busy or took too long, is answered 500, and one that arrives after
// Shutdown 503: the service delivers it again.
func OnDeadLetter(f func(context.Context, DeadLetter) error) Option {
	return setting("OnDeadLetter", problemNil, f != nil, func(c *config) { c.onDeadLetter = f })
}

// OnDelivery is called for every request, after its outcome is known and before the response is
// written. It is also called, with StatusCode 0, once for a claim that was lost while a callback
// ran ([OutcomeClaimLost]), and once for an outcome that comes after all deliveries that waited for
// it were answered, as that of a callback that continued after the timeout. It must not block. If
// it panics, the request is answered all the same and the panic is discarded.
func OnDelivery(f func(context.Context, Delivery)) Option {
	return setting("OnDelivery", problemNil, f != nil, func(c *config) { c.onDelivery = f })
}
