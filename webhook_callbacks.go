package terminal49

import "context"

// WebhookOption configures a [WebhookHandler]: a setting, or a callback such as [OnContainerUpdated].
//
// A callback returns nil once the notification is safe with you, in a database or a queue; only then the delivery is
// acknowledged. After an error, a panic or when its context's deadline has passed, the service delivers the
// notification again, and all callbacks for it run again. Callbacks run in the order they were given, the first error
// ends it, and deliveries run concurrently. An event without a callback is acknowledged. [OnDeadLetter] differs.
type WebhookOption interface{ applyWebhook(*webhookConfig) error }

type webhookOption func(*webhookConfig) error

func (o webhookOption) applyWebhook(c *webhookConfig) error { return o(c) }

// callback runs if the notification is for it.
type callback func(context.Context, *Notification) (called bool, err error)

func on(name string, isNil bool, f callback) WebhookOption {
	return webhookOption(func(c *webhookConfig) error {
		if isNil {
			return &ArgumentError{Field: name, Problem: "must not be nil; leave it out instead"}
		}
		c.callbacks = append(c.callbacks, f)
		return nil
	})
}

// onPayload calls f with payloads of one type, for the given events or, if there are none, for all.
func onPayload[P Payload](name string, f func(context.Context, *Notification, P) error, events ...EventName) WebhookOption {
	return on(name, f == nil, func(ctx context.Context, n *Notification) (bool, error) {
		p, ok := n.Payload.(P)
		if !ok || len(events) > 0 && !isKnown(n.Event, events) {
			return false, nil
		}
		return true, f(ctx, n, p)
	})
}

// OnTrackingSucceeded is called when the service found what a tracking request asked for.
func OnTrackingSucceeded(f func(context.Context, *Notification, *TrackingRequestPayload) error) WebhookOption {
	return onPayload("OnTrackingSucceeded", f, EventTrackingRequestSucceeded)
}

// OnTrackingFailed is called when the service gave a tracking request up.
func OnTrackingFailed(f func(context.Context, *Notification, *TrackingRequestPayload) error) WebhookOption {
	return onPayload("OnTrackingFailed", f, EventTrackingRequestFailed)
}

// OnTrackingAwaitingManifest is called when the shipping line does not know a number yet and is asked daily.
func OnTrackingAwaitingManifest(f func(context.Context, *Notification, *TrackingRequestPayload) error) WebhookOption {
	return onPayload("OnTrackingAwaitingManifest", f, EventTrackingRequestAwaitingManifest)
}

// OnTrackingStopped is called when a shipment is no longer tracked.
func OnTrackingStopped(f func(context.Context, *Notification, *TrackingRequestPayload) error) WebhookOption {
	return onPayload("OnTrackingStopped", f, EventTrackingRequestTrackingStopped)
}

// OnMilestone is called when something happened to a container on its way.
func OnMilestone(f func(context.Context, *Notification, *MilestonePayload) error) WebhookOption {
	return onPayload("OnMilestone", f)
}

// OnEstimate is called when something is expected at another time than before.
func OnEstimate(f func(context.Context, *Notification, *EstimatePayload) error) WebhookOption {
	return onPayload("OnEstimate", f)
}

// OnContainerCreated is called when a container was added to a shipment.
func OnContainerCreated(f func(context.Context, *Notification, *ContainerCreatedPayload) error) WebhookOption {
	return onPayload("OnContainerCreated", f)
}

// OnContainerUpdated is called when holds, fees, availability or the like of a container changed.
func OnContainerUpdated(f func(context.Context, *Notification, *ContainerUpdatedPayload) error) WebhookOption {
	return onPayload("OnContainerUpdated", f)
}

// OnTerminalChanged is called when a container goes to another terminal at its port of discharge.
func OnTerminalChanged(f func(context.Context, *Notification, *TerminalChangedPayload) error) WebhookOption {
	return onPayload("OnTerminalChanged", f)
}

// OnLastFreeDayChanged is called when a last free day of a container changed.
func OnLastFreeDayChanged(f func(context.Context, *Notification, *LastFreeDayPayload) error) WebhookOption {
	return onPayload("OnLastFreeDayChanged", f)
}

// OnAppointmentChanged is called when the pickup appointment of a container changed.
func OnAppointmentChanged(f func(context.Context, *Notification, *AppointmentPayload) error) WebhookOption {
	return onPayload("OnAppointmentChanged", f)
}

// OnDocumentExtracted is called when the contents of a document are there.
func OnDocumentExtracted(f func(context.Context, *Notification, *DocumentPayload) error) WebhookOption {
	return onPayload("OnDocumentExtracted", f, EventDocumentExtracted)
}

// OnDocumentExtractionFailed is called when the contents of a document could not be extracted.
func OnDocumentExtractionFailed(f func(context.Context, *Notification, *DocumentPayload) error) WebhookOption {
	return onPayload("OnDocumentExtractionFailed", f, EventDocumentExtractionFailed)
}

// OnUnknown is called for events that this version does not know, and for those that were only announced so far.
func OnUnknown(f func(context.Context, *Notification, *UnknownPayload) error) WebhookOption {
	return onPayload("OnUnknown", f)
}

// OnAny is called for every notification, also for those that another callback is called for.
func OnAny(f func(context.Context, *Notification) error) WebhookOption {
	return on("OnAny", f == nil, func(ctx context.Context, n *Notification) (bool, error) { return true, f(ctx, n) })
}
