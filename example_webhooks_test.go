package terminal49_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"time"

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

	hook, err := client.Webhooks.Create(ctx, terminal49.WebhookCreate{
		URL:    "https://example.com/terminal49",
		Events: []terminal49.EventName{terminal49.EventContainerUpdated, terminal49.EventTrackingRequestFailed},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("active:", hook.Active)
	fmt.Println("secret:", hook.Secret, "of", len(hook.Secret.Reveal()), "characters")

	// The service deactivates a webhook that fails too often. Activate it again:
	hook, err = client.Webhooks.Update(ctx, hook.ID, terminal49.WebhookUpdate{Active: terminal49.Some(true)})
	if err != nil {
		fmt.Println(err)
		return
	}
	again, err := client.Webhooks.Get(ctx, hook.ID)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("events:", again.Events)

	if err := client.Webhooks.Delete(ctx, hook.ID); err != nil {
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
	// events: [container.updated tracking_request.failed]
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

// A failed delivery is not an error; check Succeeded.
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
	fmt.Println("status:", result.StatusCode)
	// Output:
	// delivered: false
	// status: 418
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

// A receiver of your own can read an event that is new to this version, and reach its container.
func ExampleParseWebhookNotification() {
	n, warnings, err := terminal49.ParseWebhookNotification([]byte(`{
		"data": {"id": "1", "type": "webhook_notification", "attributes": {"event": "container.weighed"},
			"relationships": {"reference_object": {"data": {"id": "2", "type": "weighing"}}}},
		"included": [
			{"id": "2", "type": "weighing", "relationships": {"container": {"data": {"id": "3", "type": "container"}}}},
			{"id": "3", "type": "container", "attributes": {"number": "MSCU1234566"}}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	if about, ok := n.ReferenceObject.Value(); ok {
		if unknown, ok := about.(*terminal49.UnknownResource); ok {
			container, _ := unknown.Container().Value()
			fmt.Println(n.Event, "of", container.Number, len(warnings), "warnings")
		}
	}
	// Output: container.weighed of MSCU1234566 0 warnings
}

func ExampleWebhooksService_Pages() {
	service, _, client := simulation()
	for _, path := range []string{"imports", "rail", "billing"} {
		service.AddWebhook(terminal49test.Webhook{URL: "https://example.com/" + path})
	}
	ctx := context.Background()
	params := &terminal49.WebhookListParams{PageParams: terminal49.PageParams{PageSize: 2}}
	for page, err := range client.Webhooks.Pages(ctx, params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(page.Items), "webhooks")
	}
	active := 0
	for webhook, err := range client.Webhooks.All(ctx, nil) { // the same without the pages
		if err != nil {
			log.Fatal(err)
		}
		if webhook.Active {
			active++
		}
	}
	fmt.Println(active, "active")
	// Output:
	// 2 webhooks
	// 1 webhooks
	// 3 active
}

// Read the delivery status of the account's notifications.
func ExampleWebhookNotificationsService_Pages() {
	service, _, client := simulation()
	for _, event := range []string{"container.updated", "tracking_request.succeeded"} {
		service.AddWebhookNotification(terminal49test.WebhookNotification{Event: event, DeliveryStatus: "succeeded"})
	}
	ctx := context.Background()
	page, err := client.WebhookNotifications.List(ctx, nil) // one page
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Total, "notifications")
	for page, err := range client.WebhookNotifications.Pages(ctx, nil) {
		if err != nil {
			log.Fatal(err)
		}
		for _, notification := range page.Items {
			fmt.Println(notification.Event, notification.DeliveryStatus)
		}
	}
	// Output:
	// 2 notifications
	// tracking_request.succeeded succeeded
	// container.updated succeeded
}

// List the notifications that the service no longer tries to deliver, and read one of them.
func ExampleWebhookNotificationsService_Failed() {
	service, _, client := simulation()
	service.AddWebhookNotification(terminal49test.WebhookNotification{
		Event: "container.updated", DeliveryStatus: "failed", CreatedAt: service.Now(),
	})
	ctx := context.Background()
	for failed, err := range client.WebhookNotifications.Failed(ctx, service.Now().Add(-time.Hour)) {
		if err != nil {
			log.Fatal(err)
		}
		notification, err := client.WebhookNotifications.Get(ctx, failed.ID, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(notification.Event, notification.DeliveryStatus)
	}
	// Output: container.updated failed
}
