package terminal49_test

import (
	"context"
	"fmt"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// A container number names equipment: each journey of it that was tracked is a container of its own.
func ExampleContainersService_FindByNumber() {
	_, _, client := simulation()
	found, err := client.Containers.FindByNumber(context.Background(), "msku 718204-7", &terminal49.ContainerGetParams{
		Include: []terminal49.ContainerInclude{terminal49.ContainerIncludePODTerminal},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, container := range found {
		fmt.Println(container.Number, container.CurrentStatus)
	}
	// Output:
	// MSKU7182047 available
}

// FindOrTrack can run twice: the second time it finds what the first one made.
func ExampleTrackingRequestsService_FindOrTrack() {
	_, demo, client := simulation()
	for range 2 {
		request, created, err := client.TrackingRequests.FindOrTrack(context.Background(), demo.Untracked, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(request.SCAC, request.Status, created)
	}
	// Output:
	// HLCU pending true
	// HLCU pending false
}

// What the service tried to deliver can be listed, and what it gave up on can be found.
func ExampleWebhookNotificationsService_Failed() {
	service, _, client := simulation()
	ctx := context.Background()
	webhook := service.AddWebhook(terminal49test.Webhook{URL: "https://example.com/terminal49", Events: []string{"container.updated"}})
	service.AddWebhookNotification(terminal49test.WebhookNotification{
		Webhook: webhook, Event: "container.updated", DeliveryStatus: "failed", CreatedAt: service.Now(),
	})

	for hook, err := range client.Webhooks.All(ctx, nil) {
		fmt.Println(hook.URL, err)
	}
	for page, err := range client.WebhookNotifications.Pages(ctx, nil) {
		fmt.Println(len(page.Items), "notification", err)
	}
	for notification, err := range client.WebhookNotifications.Failed(ctx, service.Now().Add(-time.Hour)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		again, err := client.WebhookNotifications.Get(ctx, notification.ID, nil)
		fmt.Println(again.Event, again.DeliveryStatus, err)
	}
	// Output:
	// https://example.com/terminal49 <nil>
	// 1 notification <nil>
	// container.updated failed <nil>
}
