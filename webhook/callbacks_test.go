package webhook_test

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/webhook"
)

// Each callback is called for its own events only.
func TestCallbacks_ReceiveOnlyTheirEvents(t *testing.T) {
	var got []string
	called := func(name string) { got = append(got, name) }
	h := testkit.NewHandler(t,
		webhook.OnTrackingSucceeded(func(context.Context, *webhook.Notification, *webhook.TrackingRequestPayload) error {
			called("succeeded")
			return nil
		}),
		webhook.OnTrackingFailed(func(context.Context, *webhook.Notification, *webhook.TrackingRequestPayload) error {
			called("failed")
			return nil
		}),
		webhook.OnTrackingAwaitingManifest(func(context.Context, *webhook.Notification, *webhook.TrackingRequestPayload) error {
			called("awaiting")
			return nil
		}),
		webhook.OnTrackingStopped(func(context.Context, *webhook.Notification, *webhook.TrackingRequestPayload) error {
			called("stopped")
			return nil
		}),
		webhook.OnMilestone(func(context.Context, *webhook.Notification, *webhook.MilestonePayload) error {
			called("milestone")
			return nil
		}),
		webhook.OnEstimateChanged(func(context.Context, *webhook.Notification, *webhook.EstimatePayload) error {
			called("estimate")
			return nil
		}),
		webhook.OnContainerCreated(func(context.Context, *webhook.Notification, *webhook.ContainerCreatedPayload) error {
			called("created")
			return nil
		}),
		webhook.OnContainerUpdated(func(context.Context, *webhook.Notification, *webhook.ContainerUpdatedPayload) error {
			called("updated")
			return nil
		}),
		webhook.OnTerminalChanged(func(context.Context, *webhook.Notification, *webhook.TerminalChangedPayload) error {
			called("terminal")
			return nil
		}),
		webhook.OnLastFreeDayChanged(func(context.Context, *webhook.Notification, *webhook.LastFreeDayPayload) error {
			called("lfd")
			return nil
		}),
		webhook.OnAppointmentChanged(func(context.Context, *webhook.Notification, *webhook.AppointmentPayload) error {
			called("appointment")
			return nil
		}),
		webhook.OnDocumentExtracted(func(context.Context, *webhook.Notification, *webhook.DocumentPayload) error {
			called("extracted")
			return nil
		}),
		webhook.OnDocumentExtractionFailed(func(context.Context, *webhook.Notification, *webhook.DocumentPayload) error {
			called("not extracted")
			return nil
		}),
		webhook.OnLinkCreated(func(context.Context, *webhook.Notification, *webhook.LinkPayload) error {
			called("link")
			return nil
		}),
		webhook.OnUnknown(func(context.Context, *webhook.Notification, *webhook.UnknownPayload) error {
			called("unknown")
			return nil
		}),
		webhook.OnAny(func(context.Context, *webhook.Notification) error { called("any"); return nil }),
	)
	special := map[terminal49.EventName]string{
		terminal49.EventTrackingRequestSucceeded: "succeeded", terminal49.EventTrackingRequestFailed: "failed",
		terminal49.EventTrackingRequestAwaitingManifest: "awaiting", terminal49.EventTrackingRequestTrackingStopped: "stopped",
		terminal49.EventDocumentExtracted: "extracted", terminal49.EventDocumentExtractionFailed: "not extracted",
		terminal49.EventDocumentRepresentationCreated: "extracted", terminal49.EventDocumentRepresentationFailed: "not extracted",
	}
	callbacks := map[string]string{
		"MilestonePayload": "milestone", "EstimatePayload": "estimate", "ContainerCreatedPayload": "created",
		"ContainerUpdatedPayload": "updated", "TerminalChangedPayload": "terminal", "LastFreeDayPayload": "lfd",
		"AppointmentPayload": "appointment", "LinkPayload": "link", "UnknownPayload": "unknown",
	}
	for i, event := range append(terminal49.WebhookEvents(), terminal49.EventDocumentRepresentationCreated,
		terminal49.EventDocumentRepresentationFailed, terminal49.EventEmailSubmissionCreated, "crane.sang") {
		got = nil
		n := testkit.ParsedDelivery(t, testkit.Delivered(event, "transport_event", "", ""))
		n.ID = fmt.Sprint(i)
		require.NoError(t, h.Handle(t.Context(), n))
		require.Equal(t, []string{cmp.Or(special[event], callbacks[reflect.TypeOf(n.Payload).Elem().Name()]), "any"}, got, event)
	}
}
