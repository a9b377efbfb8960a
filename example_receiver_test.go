package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// A receiver in whole: it answers 200 once the callback has returned nil, and the service delivers again otherwise.
func ExampleNewWebhookHandler() {
	secret := terminal49.NewSecret("the Secret of the webhook")
	handler, err := terminal49.NewWebhookHandler(
		terminal49.WithWebhookSecrets(secret),
		terminal49.OnContainerUpdated(func(_ context.Context, n *terminal49.Notification, p *terminal49.ContainerUpdatedPayload) error {
			fmt.Println("changed:", p.Changes.Attributes())
			if container, included := n.Container.Value(); included {
				fmt.Println(container.Number, terminal49.PickupReadiness(container).Reason())
			}
			return nil
		}),
		terminal49.OnDelivery(func(_ context.Context, d terminal49.WebhookDelivery) {
			fmt.Println(d.Status, d.Outcome)
		}),
	)
	if err != nil {
		fmt.Println(err)
		return
	}

	// What the service would send:
	body := `{"data": {"id": "1", "type": "webhook_notification", "attributes": {"event": "container.updated"},
		"relationships": {"reference_object": {"data": {"id": "2", "type": "container_updated_event"}}}},
		"included": [
			{"id": "2", "type": "container_updated_event", "attributes": {"changeset": {"available_for_pickup": [false, true]}},
				"relationships": {"container": {"data": {"id": "3", "type": "container"}}}},
			{"id": "3", "type": "container", "attributes": {"number": "MSCU1234566", "available_for_pickup": true,
				"holds_at_pod_terminal": []}}]}`
	deliver := func(signature string) {
		r := httptest.NewRequest(http.MethodPost, "/terminal49", strings.NewReader(body))
		r.Header.Set(terminal49.WebhookSignatureHeader, signature)
		handler.ServeHTTP(httptest.NewRecorder(), r)
	}
	signature := terminal49test.SignWebhook(secret.Reveal(), []byte(body))
	deliver(signature)
	deliver(signature)
	deliver(terminal49test.SignWebhook("a guess", []byte(body)))
	// Output:
	// changed: [available_for_pickup]
	// MSCU1234566 Ready for pickup.
	// 200 handled
	// 200 duplicate
	// 401 unauthorized
}

// Shut the server down first, then the handler: callbacks may outlive their requests.
func ExampleWebhookHandler_Shutdown() {
	handler, err := terminal49.NewWebhookHandler(
		terminal49.WithWebhookSecrets(terminal49.NewSecret("s3cret")),
		terminal49.OnAny(func(context.Context, *terminal49.Notification) error { return nil }),
	)
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{Addr: ":8080", Handler: handler, ReadTimeout: 20 * time.Second}

	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	fmt.Println(errors.Join(server.Shutdown(ctx), handler.Shutdown(ctx)))
	// Output:
	// <nil>
}

// For those who have a server of their own around it.
func ExampleVerifyWebhook() {
	secrets := []terminal49.Secret{terminal49.NewSecret("the new one"), terminal49.NewSecret("the one before")}
	receive := func(r *http.Request) error {
		body, err := io.ReadAll(io.LimitReader(r.Body, terminal49.DefaultWebhookBodyLimit))
		if err != nil {
			return err
		}
		if err := terminal49.VerifyWebhook(body, r.Header.Get(terminal49.WebhookSignatureHeader), secrets...); err != nil {
			return err
		}
		n, err := terminal49.ParseNotification(body)
		if err != nil {
			return err
		}
		fmt.Println(n.Event, n.Event.Family())
		return nil
	}

	body := `{"data": {"id": "1", "type": "webhook_notification", "attributes": {"event": "container.transport.vessel_arrived"}}}`
	r := httptest.NewRequest(http.MethodPost, "/terminal49", strings.NewReader(body))
	r.Header.Set(terminal49.WebhookSignatureHeader, terminal49test.SignWebhook("the one before", []byte(body)))
	fmt.Println(receive(r))

	r = httptest.NewRequest(http.MethodPost, "/terminal49", strings.NewReader(body))
	fmt.Println(errors.Is(receive(r), terminal49.ErrSignatureMissing))
	// Output:
	// container.transport.vessel_arrived milestone
	// <nil>
	// true
}

func ExampleParseNotification() {
	n, err := terminal49.ParseNotification([]byte(`{
		"data": {"id": "1", "type": "webhook_notification", "attributes": {"event": "container.pickup_lfd_terminal.changed"},
			"relationships": {"reference_object": {"data": {"id": "2", "type": "transport_event"}}}},
		"included": [{"id": "2", "type": "transport_event", "attributes": {"timestamp": "2024-07-05T17:20:00Z",
			"timezone": "America/Los_Angeles", "value": "2024-07-11T07:00:00Z"}}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	switch p := n.Payload.(type) {
	case *terminal49.LastFreeDayPayload:
		day, _ := p.LastFreeDay.Date()
		fmt.Println("last free day by the", p.Source, "is now", day)
	case *terminal49.UnknownPayload:
		fmt.Println("new to this program:", n.Event)
	}
	fmt.Println("the container is", n.Container.State()) // Webhooks.Resolve would find it
	// Output:
	// last free day by the terminal is now 2024-07-11
	// the container is absent
}

// After an outage: what the service gave up delivering is handled after all.
func ExampleWebhooksService_Recover() {
	srv := terminal49test.NewServer(terminal49test.WithSpeed(0), terminal49test.WithWebhookHandler(http.NotFoundHandler())) // we are down
	defer srv.Close()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, down := context.Background(), srv.Now()
	webhook, err := client.Webhooks.Ensure(ctx, "https://example.com/terminal49", []terminal49.EventName{terminal49.EventContainerUpdated})
	if err != nil {
		fmt.Println(err)
		return
	}
	container := srv.AddContainer(terminal49test.Container{Number: "MSCU1234566"})
	srv.UpdateContainer(container, func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(true) })
	srv.Advance(48 * time.Hour)

	handler, err := terminal49.NewWebhookHandler(
		terminal49.WithWebhookSecrets(webhook.Secret),
		terminal49.OnContainerUpdated(func(_ context.Context, n *terminal49.Notification, _ *terminal49.ContainerUpdatedPayload) error {
			now, _ := n.Container.Value()
			fmt.Println(n.Event, "of", now.Number, "recovered:", n.Recovered)
			return nil
		}),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 2 { // what was handled is not handled again
		report, err := client.Webhooks.Recover(ctx, down, handler.Handle)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("found", report.Found, "handled", report.Handled, "webhooks off", len(report.Inactive))
	}
	// Output:
	// container.updated of MSCU1234566 recovered: true
	// found 1 handled 1 webhooks off 0
	// found 1 handled 1 webhooks off 0
}

func ExampleWebhooksService_Resolve() {
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
	n, err := terminal49.ParseNotification([]byte(body))
	if err != nil {
		fmt.Println(err)
		return
	}
	full, err := client.Webhooks.Resolve(context.Background(), n)
	if err != nil {
		fmt.Println(err)
		return
	}
	box, _ := full.Container.Value()
	fmt.Println("container:", n.Container.State(), "->", full.Container.State(), box.Number)
	// Output:
	// container: absent -> included MSCU1234566
}

// A first door before the signature: only the service's own addresses get through.
func ExampleWebhooksService_OnlyFromService() {
	srv := terminal49test.NewServer()
	defer srv.Close()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL))
	if err != nil {
		fmt.Println(err)
		return
	}
	only, err := client.Webhooks.OnlyFromService(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	handler := only(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))
	for _, peer := range []string{"35.222.62.171:4711", "198.51.100.7:4711"} {
		r, w := httptest.NewRequest(http.MethodPost, "/terminal49", nil), httptest.NewRecorder()
		r.RemoteAddr = peer
		handler.ServeHTTP(w, r)
		fmt.Println(peer, w.Code)
	}
	// Output:
	// 35.222.62.171:4711 200
	// 198.51.100.7:4711 403
}
