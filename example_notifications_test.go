package terminal49_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

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

// List the notifications that the service gave up delivering, and read one of them.
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
