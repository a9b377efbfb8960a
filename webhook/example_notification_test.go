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

func ExampleParseNotification() {
	n, err := webhook.ParseNotification([]byte(`{
		"data": {"id": "1", "type": "webhook_notification", "attributes": {"event": "container.pickup_lfd_terminal.changed"},
			"relationships": {"reference_object": {"data": {"id": "2", "type": "transport_event"}}}},
		"included": [{"id": "2", "type": "transport_event", "attributes": {"timestamp": "2024-07-05T17:20:00Z",
			"timezone": "America/Los_Angeles", "value": "2024-07-11T07:00:00Z"}}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	switch p := n.Payload.(type) {
	case *webhook.LastFreeDayPayload:
		day, _ := p.LastFreeDay.Date()
		fmt.Println("last free day by the", p.Source, "is now", day)
	case *webhook.UnknownPayload:
		fmt.Println("new to this program:", n.Event)
	}
	fmt.Println("the container is", n.Container.State()) // Resolve would find it
	// Output:
	// last free day by the terminal is now 2024-07-11
	// the container is absent
}

// After an outage, Recover handles the notifications that the service could not deliver.
func ExampleRecover() {
	srv := terminal49test.NewServer(terminal49test.WithSpeed(0), terminal49test.WithWebhookHandler(http.NotFoundHandler())) // an outage
	defer srv.Close()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, down := context.Background(), srv.Now()
	hook, err := client.Webhooks.Ensure(ctx, "https://example.com/terminal49",
		[]terminal49.EventName{terminal49.EventContainerUpdated}, terminal49.WithUnstable(terminal49.UnstableNoRivalCheck)) // nobody else creates it
	if err != nil {
		fmt.Println(err)
		return
	}
	container := srv.AddContainer(terminal49test.Container{Number: "MSCU1234566"})
	srv.UpdateContainer(container, func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(true) })
	srv.Advance(48 * time.Hour)

	handler, err := webhook.NewHandler(
		webhook.WithSecrets(hook.Secret),
		webhook.OnContainerUpdated(func(_ context.Context, n *webhook.Notification, _ *webhook.ContainerUpdatedPayload) error {
			now, _ := n.Container.Value()
			fmt.Println(n.Event, "of", now.Number, "recovered:", n.Recovered)
			return nil
		}),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 2 { // handled notifications are skipped
		report, err := webhook.Recover(ctx, client, down, handler.Handle)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("found", report.Found, "handled", report.Handled, "inactive webhooks", len(report.Inactive))
	}
	// Output:
	// container.updated of MSCU1234566 recovered: true
	// found 1 handled 1 inactive webhooks 0
	// found 1 handled 1 inactive webhooks 0
}

func ExampleResolve() {
	srv := terminal49test.NewServer()
	defer srv.Close()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL))
	if err != nil {
		fmt.Println(err)
		return
	}
	container := srv.AddContainer(terminal49test.Container{Number: "MSCU1234566"})
	srv.AddWebhook(terminal49test.Webhook{URL: "https://example.com/terminal49", Events: []string{"container.transport.available"}})
	srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.available", Container: container})

	// Deliveries of this event include nothing.
	body := fmt.Sprintf(`{"data": {"id": %q, "type": "webhook_notification", "attributes": {"event": "container.transport.available"}}}`,
		srv.WebhookNotifications()[0].ID)
	n, err := webhook.ParseNotification([]byte(body))
	if err != nil {
		fmt.Println(err)
		return
	}
	full, err := webhook.Resolve(context.Background(), client, n)
	if err != nil {
		fmt.Println(err)
		return
	}
	box, _ := full.Container.Value()
	fmt.Println("container:", n.Container.State(), "->", full.Container.State(), box.Number)
	// Output:
	// container: absent -> included MSCU1234566
}
