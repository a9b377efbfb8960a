package webhook_test

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// A callback that puts every notification into a queue. Raw is the delivery as it was signed.
func ExampleOnAny() {
	queue := make(chan []byte, 100)
	handler, err := webhook.NewHandler(
		webhook.WithSecrets(terminal49.NewSecret("s3cret")),
		webhook.OnAny(func(ctx context.Context, n *webhook.Notification) error {
			select {
			case queue <- n.Raw():
				return nil
			case <-ctx.Done():
				return ctx.Err() // the service delivers again
			}
		}),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	srv := terminal49test.NewServer(terminal49test.WithSpeed(0), terminal49test.WithWebhookHandler(handler))
	defer srv.Close()
	srv.AddWebhook(terminal49test.Webhook{
		URL: "https://example.com/terminal49", Secret: "s3cret", Events: []string{"container.updated"},
	})
	container := srv.AddContainer(terminal49test.Container{Number: "MSCU1234566"})
	srv.UpdateContainer(container, func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(true) })
	srv.Advance(time.Minute)

	n, err := webhook.ParseNotification(<-queue)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(n.Event)
	// Output:
	// container.updated
}

func ExampleOnContainerUpdated() {
	handler, err := webhook.NewHandler(
		webhook.WithSecrets(terminal49.NewSecret("s3cret")),
		webhook.OnContainerUpdated(func(_ context.Context, n *webhook.Notification, p *webhook.ContainerUpdatedPayload) error {
			if _, changed := p.Changeset.AvailableForPickup(); changed {
				container, _ := n.Container.Value()
				available, known := container.Availability()
				fmt.Println(container.Number, "available:", available, "known:", known)
			}
			return nil
		}),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	srv := terminal49test.NewServer(terminal49test.WithSpeed(0), terminal49test.WithWebhookHandler(handler))
	defer srv.Close()
	srv.AddWebhook(terminal49test.Webhook{
		URL: "https://example.com/terminal49", Secret: "s3cret", Events: []string{"container.updated"},
	})
	container := srv.AddContainer(terminal49test.Container{Number: "MSCU1234566"})
	srv.UpdateContainer(container, func(c *terminal49test.Container) {
		c.AvailableForPickup = terminal49test.Bool(true)
	})
	srv.Advance(time.Minute)
	// Output:
	// MSCU1234566 available: true known: true
}

// The callback gets the container as it is, whatever the notification's copy of it says.
func ExampleOnContainer() {
	var handler http.Handler
	srv := terminal49test.NewServer(terminal49test.WithSpeed(0), terminal49test.WithWebhookHandler(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) })))
	defer srv.Close()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL))
	if err != nil {
		fmt.Println(err)
		return
	}
	handler, err = webhook.NewHandler(
		webhook.WithSecrets(terminal49.NewSecret("s3cret")),
		webhook.OnContainer(client, nil, func(_ context.Context, n *webhook.Notification, container *terminal49.Container) error {
			available, known := container.Availability()
			fmt.Println(n.Event, container.Number, "available:", available, "known:", known)
			return nil // stored
		}),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	srv.AddWebhook(terminal49test.Webhook{
		URL: "https://example.com/terminal49", Secret: "s3cret", Events: []string{"container.updated"},
	})
	container := srv.AddContainer(terminal49test.Container{Number: "MSCU1234566"})
	srv.UpdateContainer(container, func(c *terminal49test.Container) {
		c.AvailableForPickup = terminal49test.Bool(true)
	})
	srv.Advance(time.Minute)
	// Output:
	// container.updated MSCU1234566 available: true known: true
}

func ExampleOnMilestone() {
	handler, err := webhook.NewHandler(
		webhook.WithSecrets(terminal49.NewSecret("s3cret")),
		webhook.OnMilestone(func(_ context.Context, n *webhook.Notification, p *webhook.MilestonePayload) error {
			event, _ := p.Milestone.Value()
			fmt.Println(n.Event, "at", event.LocationLOCODE)
			return nil
		}),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	srv := terminal49test.NewServer(terminal49test.WithSpeed(0), terminal49test.WithWebhookHandler(handler))
	defer srv.Close()
	srv.AddWebhook(terminal49test.Webhook{
		URL: "https://example.com/terminal49", Secret: "s3cret", Events: []string{"container.transport.vessel_arrived"},
	})
	container := srv.AddContainer(terminal49test.Container{Number: "MSCU1234566"})
	srv.AddTransportEvent(terminal49test.TransportEvent{
		Event: "container.transport.vessel_arrived", Container: container, Location: "USLAX",
	})
	srv.Advance(time.Minute)
	// Output:
	// container.transport.vessel_arrived at USLAX
}

func ExampleOnLastFreeDayChanged() {
	handler, err := webhook.NewHandler(
		webhook.WithSecrets(terminal49.NewSecret("s3cret")),
		webhook.OnLastFreeDayChanged(func(_ context.Context, _ *webhook.Notification, p *webhook.LastFreeDayPayload) error {
			if day, ok := p.LastFreeDay.Date(); ok {
				fmt.Println("last free day of the", p.Source, "is", day)
			}
			return nil
		}),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	srv := terminal49test.NewServer(terminal49test.WithSpeed(0), terminal49test.WithWebhookHandler(handler))
	defer srv.Close()
	srv.AddWebhook(terminal49test.Webhook{
		URL: "https://example.com/terminal49", Secret: "s3cret", Events: []string{"container.pickup_lfd_terminal.changed"},
	})
	container := srv.AddContainer(terminal49test.Container{Number: "MSCU1234566"})
	srv.AddTransportEvent(terminal49test.TransportEvent{
		Event: "container.pickup_lfd_terminal.changed", Container: container, Location: "USLAX", Value: "2024-07-11T07:00:00Z",
	})
	srv.Advance(time.Minute)
	// Output:
	// last free day of the terminal is 2024-07-11
}

func ExampleOnTrackingFailed() {
	handler, err := webhook.NewHandler(
		webhook.WithSecrets(terminal49.NewSecret("s3cret")),
		webhook.OnTrackingFailed(func(_ context.Context, _ *webhook.Notification, p *webhook.TrackingRequestPayload) error {
			if request, included := p.Request.Value(); included {
				fmt.Println(request.RequestNumber, request.Status)
			}
			return nil
		}),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	srv := terminal49test.NewServer(terminal49test.WithSpeed(0), terminal49test.WithWebhookHandler(handler))
	defer srv.Close()
	srv.AddWebhook(terminal49test.Webhook{
		URL: "https://example.com/terminal49", Secret: "s3cret", Events: []string{"tracking_request.failed"},
	})
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = client.TrackingRequests.Create(context.Background(), terminal49.TrackingRequestCreate{
		RequestType: terminal49.RequestTypeBillOfLading, RequestNumber: "TEST-TR-FAILED", SCAC: "TEST",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	srv.Advance(time.Hour)
	// Output:
	// TEST-TR-FAILED failed
}

// One callback for each kind of notification. The service sends a sample of each.
func ExampleNewHandler_everyKind() {
	handler, err := webhook.NewHandler(
		webhook.WithSecrets(terminal49.NewSecret("s3cret")), webhook.WithBodyLimit(256<<10),
		webhook.OnTrackingSucceeded(func(_ context.Context, _ *webhook.Notification, p *webhook.TrackingRequestPayload) error {
			return show("tracked", p.Request.Type())
		}),
		webhook.OnTrackingAwaitingManifest(func(_ context.Context, _ *webhook.Notification, p *webhook.TrackingRequestPayload) error {
			return show("not on a manifest yet", p.Request.Type())
		}),
		webhook.OnTrackingStopped(func(_ context.Context, _ *webhook.Notification, p *webhook.TrackingRequestPayload) error {
			return show("not tracked any more", p.Request.Type())
		}),
		webhook.OnEstimateChanged(func(_ context.Context, _ *webhook.Notification, p *webhook.EstimatePayload) error {
			return show("a new estimate", p.Estimate.Type())
		}),
		webhook.OnContainerCreated(func(_ context.Context, n *webhook.Notification, _ *webhook.ContainerCreatedPayload) error {
			return show("a new container", n.Container.Type())
		}),
		webhook.OnTerminalChanged(func(_ context.Context, n *webhook.Notification, _ *webhook.TerminalChangedPayload) error {
			return show("another terminal", n.Container.Type())
		}),
		webhook.OnAppointmentChanged(func(_ context.Context, n *webhook.Notification, _ *webhook.AppointmentPayload) error {
			return show("an appointment", string(n.Event))
		}),
		webhook.OnDocumentExtracted(func(_ context.Context, n *webhook.Notification, _ *webhook.DocumentPayload) error {
			return show("a document was read", string(n.Event))
		}),
		webhook.OnDocumentExtractionFailed(func(_ context.Context, n *webhook.Notification, _ *webhook.DocumentPayload) error {
			return show("a document could not be read", string(n.Event))
		}),
		webhook.OnLinkCreated(func(_ context.Context, n *webhook.Notification, _ *webhook.LinkPayload) error {
			return show("a link", string(n.Event))
		}),
		webhook.OnUnknown(func(_ context.Context, n *webhook.Notification, _ *webhook.UnknownPayload) error {
			return show("unknown to this version", string(n.Event))
		}),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithWebhookHandler(handler))
	defer srv.Close()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, event := range []terminal49.EventName{
		terminal49.EventTrackingRequestSucceeded, terminal49.EventTrackingRequestAwaitingManifest,
		terminal49.EventTrackingRequestTrackingStopped, terminal49.EventShipmentEstimatedArrival,
		terminal49.EventContainerCreated, terminal49.EventContainerPODTerminalChanged,
		terminal49.EventPickupAppointmentChanged, terminal49.EventDocumentExtracted, terminal49.EventDocumentExtractionFailed,
	} {
		_, err := client.Webhooks.Trigger(context.Background(), terminal49.WebhookTrigger{
			URL: "https://example.com/terminal49", Event: event, Secret: terminal49.NewSecret("s3cret"),
		})
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// tracked tracking_request
	// not on a manifest yet tracking_request
	// not tracked any more tracking_request
	// a new estimate estimated_event
	// a new container container
	// another terminal container
	// an appointment container.pickup_appointment.changed
	// a document was read document.extracted
	// a document could not be read document.extraction_failed
}

func show(what, about string) error {
	fmt.Println(what, about)
	return nil
}
