package terminal49_test

import (
	"context"
	"fmt"
	"net/http"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

func ExampleWebhooksService_Create() {
	srv := terminal49test.NewServer()
	defer srv.Close()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()

	webhook, err := client.Webhooks.Create(ctx, terminal49.WebhookCreate{
		URL:    "https://example.com/terminal49",
		Events: []terminal49.EventName{terminal49.EventContainerUpdated, terminal49.EventTrackingRequestFailed},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("active:", webhook.Active)
	fmt.Println("secret:", webhook.Secret, "of", len(webhook.Secret.Reveal()), "characters")

	// The service switches a webhook off that fails too often. Switch it on again:
	webhook, err = client.Webhooks.Update(ctx, webhook.ID, terminal49.WebhookUpdate{Active: terminal49.Some(true)})
	if err != nil {
		fmt.Println(err)
		return
	}
	again, err := client.Webhooks.Get(ctx, webhook.ID)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("called for:", again.Events)

	if err := client.Webhooks.Delete(ctx, webhook.ID); err != nil {
		fmt.Println(err)
		return
	}
	left, err := client.Webhooks.List(ctx, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("left:", len(left.Items))
	// Output:
	// active: true
	// secret: [secret] of 32 characters
	// called for: [container.updated tracking_request.failed]
	// left: 0
}

func ExampleWebhooksService_Events() {
	srv := terminal49test.NewServer()
	defer srv.Close()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()

	categories, err := client.Webhooks.Events(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, category := range categories[:2] {
		fmt.Println(category.Name)
		for _, event := range category.Events {
			fmt.Println("-", event.Name)
		}
	}

	ips, err := client.Webhooks.IPs(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("from", ips.Addresses)
	// Output:
	// Tracking Request Events
	// - tracking_request.succeeded
	// - tracking_request.failed
	// - tracking_request.awaiting_manifest
	// - tracking_request.tracking_stopped
	// Origin Events
	// - container.transport.empty_out
	// - container.transport.full_in
	// - container.transport.vessel_loaded
	// - container.transport.vessel_departed
	// from [35.222.62.171 3.230.67.145 44.217.15.129]
}

// A delivery that failed is no error: look at Succeeded.
func ExampleWebhooksService_Trigger() {
	broken := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	srv := terminal49test.NewServer(terminal49test.WithWebhookHandler(broken))
	defer srv.Close()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL))
	if err != nil {
		fmt.Println(err)
		return
	}

	result, err := client.Webhooks.Trigger(context.Background(), terminal49.WebhookTrigger{
		URL: "https://example.com/terminal49", Event: terminal49.EventContainerUpdated, Secret: terminal49.NewSecret("a test"),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("delivered:", result.Succeeded)
	fmt.Println("answered:", result.StatusCode)
	// Output:
	// delivered: false
	// answered: 418
}

func ExampleWebhookNotificationsService_All() {
	srv := terminal49test.NewServer()
	defer srv.Close()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL))
	if err != nil {
		fmt.Println(err)
		return
	}
	container := srv.AddContainer(terminal49test.Container{Number: "MSCU1234566"})
	srv.AddWebhook(terminal49test.Webhook{URL: "https://example.com", Events: []string{"container.updated"}})
	srv.UpdateContainer(container, func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(true) })

	for n, err := range client.WebhookNotifications.All(context.Background(), &terminal49.WebhookNotificationListParams{
		Include: []terminal49.WebhookNotificationInclude{terminal49.WebhookNotificationIncludeReferenceObject},
	}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		about, _ := n.ReferenceObject.Value()
		switch event := about.(type) {
		case *terminal49.ContainerUpdatedEvent:
			fmt.Println(n.Event, event.Changeset.Attributes())
		case *terminal49.TransportEvent:
			fmt.Println(n.Event, event.Timestamp)
		default:
			fmt.Println(n.Event)
		}
	}
	// Output:
	// container.updated [available_for_pickup]
}

func ExampleWebhookNotificationsService_Examples() {
	srv := terminal49test.NewServer()
	defer srv.Close()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL))
	if err != nil {
		fmt.Println(err)
		return
	}

	examples, err := client.WebhookNotifications.Examples(context.Background(), terminal49.EventShipmentEstimatedArrival)
	if err != nil {
		fmt.Println(err)
		return
	}
	if estimate, ok := examples[0].ReferenceObject.Value(); ok {
		fmt.Printf("%T\n", estimate)
	}
	// Output:
	// *terminal49.EstimatedEvent
}
