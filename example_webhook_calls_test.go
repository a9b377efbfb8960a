package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// Ensure can run at every start: it creates the webhook, or adjusts the one that has the URL.
func ExampleWebhooksService_Ensure() {
	service, _, client := simulation()
	const url = "https://example.com/terminal49"
	for _, events := range [][]terminal49.EventName{
		{terminal49.EventContainerUpdated},
		{terminal49.EventContainerUpdated, terminal49.EventTrackingRequestFailed},
	} {
		hook, err := client.Webhooks.Ensure(context.Background(), url, events, terminal49.WithUnstable(terminal49.UnstableNoRivalCheck)) // nobody else creates it
		if err != nil {
			log.Fatal(err)
		}
		stored, _ := service.Webhook(hook.ID)
		fmt.Println(hook.Active, stored.Events)
	}
	// Output:
	// true [container.updated]
	// true [container.updated tracking_request.failed]
}

func ExampleWebhooksService_List() {
	service, _, client := simulation()
	service.AddWebhook(terminal49test.Webhook{URL: "https://example.com/terminal49"})
	page, err := client.Webhooks.List(context.Background(), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(page.Items), page.Items[0].URL)
	// Output: 1 https://example.com/terminal49
}

// The service deactivates a webhook whose deliveries fail.
func ExampleWebhooksService_All() {
	service, _, client := simulation()
	service.AddWebhook(terminal49test.Webhook{URL: "https://example.com/imports"})
	service.AddWebhook(terminal49test.Webhook{URL: "https://example.com/rail", Inactive: true})
	for hook, err := range client.Webhooks.All(context.Background(), nil) {
		if err != nil {
			log.Fatal(err)
		}
		if !hook.Active {
			fmt.Println("not delivered:", hook.URL)
		}
	}
	// Output: not delivered: https://example.com/rail
}

func ExampleWebhooksService_Get() {
	service, _, client := simulation()
	id := service.AddWebhook(terminal49test.Webhook{URL: "https://example.com/terminal49", Events: []string{"container.updated"}})
	hook, err := client.Webhooks.Get(context.Background(), id)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hook.URL, hook.Events)
	// Output: https://example.com/terminal49 [container.updated]
}

// The service deactivated the webhook. Activate it again.
func ExampleWebhooksService_Update() {
	service, _, client := simulation()
	id := service.AddWebhook(terminal49test.Webhook{URL: "https://example.com/terminal49", Inactive: true})
	hook, err := client.Webhooks.Update(context.Background(), id, terminal49.WebhookUpdate{Active: terminal49.Some(true)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("active:", hook.Active)
	// Output: active: true
}

func ExampleWebhooksService_Delete() {
	service, _, client := simulation()
	id := service.AddWebhook(terminal49test.Webhook{URL: "https://example.com/terminal49"})
	ctx := context.Background()
	if err := client.Webhooks.Delete(ctx, id); err != nil {
		log.Fatal(err)
	}
	_, err := client.Webhooks.Get(ctx, id)
	fmt.Println("deleted:", errors.Is(err, terminal49.ErrNotFound))
	// Output: deleted: true
}

// The addresses from which deliveries come, for a firewall.
func ExampleWebhooksService_IPs() {
	_, _, client := simulation()
	ips, err := client.Webhooks.IPs(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(ips.Addresses) > 0, ips.Contains(ips.Addresses[0]))
	// Output: true true
}

func ExampleWebhookNotificationsService_List() {
	service, _, client := simulation()
	service.AddWebhookNotification(terminal49test.WebhookNotification{Event: "container.updated", DeliveryStatus: "succeeded"})
	page, err := client.WebhookNotifications.List(context.Background(), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Total, page.Items[0].Event, page.Items[0].DeliveryStatus)
	// Output: 1 container.updated succeeded
}

func ExampleWebhookNotificationsService_Get() {
	service, _, client := simulation()
	id := service.AddWebhookNotification(terminal49test.WebhookNotification{Event: "container.updated", DeliveryStatus: "failed"})
	notification, err := client.WebhookNotifications.Get(context.Background(), id, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(notification.Event, notification.DeliveryStatus)
	// Output: container.updated failed
}
