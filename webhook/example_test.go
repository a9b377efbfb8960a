package webhook_test

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
	"github.com/go-freight/terminal49/webhook"
)

// A complete receiver. It answers 200 after the callback has returned nil; otherwise the service
// delivers again.
func ExampleNewHandler() {
	secret := terminal49.NewSecret("the Secret of the webhook")
	handler, err := webhook.NewHandler(
		webhook.WithSecrets(secret),
		webhook.OnContainerUpdated(func(_ context.Context, n *webhook.Notification, p *webhook.ContainerUpdatedPayload) error {
			fmt.Println("changed:", p.Changeset.Attributes())
			if container, included := n.Container.Value(); included {
				fmt.Println(container.Number, terminal49.Assess(container, time.Now(), terminal49.VerdictOptions{}).Situation)
			}
			return nil
		}),
		webhook.OnDelivery(func(_ context.Context, d webhook.Delivery) {
			fmt.Println(d.StatusCode, d.Outcome)
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
				"holds_at_pod_terminal": [], "terminal_checked_at": "2024-07-01T19:00:00Z"}}]}`
	deliver := func(signature string) {
		r := httptest.NewRequest(http.MethodPost, "/terminal49", strings.NewReader(body))
		r.Header.Set(webhook.SignatureHeader, signature)
		handler.ServeHTTP(httptest.NewRecorder(), r)
	}
	signature := terminal49test.SignWebhook(secret.Reveal(), []byte(body))
	deliver(signature)
	deliver(signature)
	deliver(terminal49test.SignWebhook("a guess", []byte(body)))
	// Output:
	// changed: [available_for_pickup]
	// MSCU1234566 stale
	// 200 handled
	// 200 duplicate
	// 401 unauthorized
}

// A server that ends with its context. A program would take it from signal.NotifyContext.
func ExampleHandler_ListenAndServe() {
	handler, err := webhook.NewHandler(
		webhook.WithSecrets(terminal49.NewSecret("s3cret")),
		webhook.OnAny(func(context.Context, *webhook.Notification) error { return nil }),
	)
	if err != nil {
		log.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(context.Background())
	time.AfterFunc(time.Millisecond, interrupt)
	fmt.Println(handler.ListenAndServe(ctx, "127.0.0.1:0"))
	// Output:
	// <nil>
}

// Handle takes notifications from elsewhere, such as a queue, and handles each once.
func ExampleHandler_Handle() {
	handler, err := webhook.NewHandler(
		webhook.WithSecrets(terminal49.NewSecret("s3cret")),
		webhook.OnAny(func(_ context.Context, n *webhook.Notification) error {
			fmt.Println("handling", n.ID, n.Event)
			return nil
		}),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	message := []byte(`{"data": {"id": "1", "type": "webhook_notification", "attributes": {"event": "container.created"}}}`)
	for range 2 { // a queue may deliver twice
		n, err := webhook.ParseNotification(message)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(handler.Handle(context.Background(), n))
	}
	// Output:
	// handling 1 container.created
	// <nil>
	// <nil>
}

// Verify is for servers that do not use a Handler.
func ExampleVerify() {
	secrets := []terminal49.Secret{terminal49.NewSecret("the new one"), terminal49.NewSecret("the one before")}
	receive := func(r *http.Request) error {
		body, err := io.ReadAll(io.LimitReader(r.Body, webhook.DefaultBodyLimit))
		if err != nil {
			return err
		}
		if err := webhook.Verify(body, r.Header.Get(webhook.SignatureHeader), secrets...); err != nil {
			return err
		}
		n, err := webhook.ParseNotification(body)
		if err != nil {
			return err
		}
		fmt.Printf("%s: a %T\n", n.Event, n.Payload)
		return nil
	}

	body := `{"data": {"id": "1", "type": "webhook_notification", "attributes": {"event": "container.transport.vessel_arrived"}}}`
	r := httptest.NewRequest(http.MethodPost, "/terminal49", strings.NewReader(body))
	r.Header.Set(webhook.SignatureHeader, terminal49test.SignWebhook("the one before", []byte(body)))
	fmt.Println(receive(r))

	r = httptest.NewRequest(http.MethodPost, "/terminal49", strings.NewReader(body))
	fmt.Println(errors.Is(receive(r), webhook.ErrSignatureMissing))
	// Output:
	// container.transport.vessel_arrived: a *webhook.MilestonePayload
	// <nil>
	// true
}

// The middleware admits only the addresses of the service, before the handler checks the signature.
func ExampleOnlyFrom() {
	srv := terminal49test.NewServer()
	defer srv.Close()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL))
	if err != nil {
		fmt.Println(err)
		return
	}
	only, err := webhook.OnlyFrom(client.Webhooks, nil)
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

// During a rotation the handler accepts the new and the previous secret.
func ExampleWithSecrets() {
	handler, err := webhook.NewHandler(
		webhook.WithSecrets(terminal49.NewSecret("new"), terminal49.NewSecret("previous")),
		webhook.OnAny(func(context.Context, *webhook.Notification) error { return nil }),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	body := `{"data": {"id": "1", "type": "webhook_notification", "attributes": {"event": "container.created"}}}`
	for _, secret := range []string{"new", "previous", "older"} {
		r, w := httptest.NewRequest(http.MethodPost, "/terminal49", strings.NewReader(body)), httptest.NewRecorder()
		r.Header.Set(webhook.SignatureHeader, terminal49test.SignWebhook(secret, []byte(body)))
		handler.ServeHTTP(w, r)
		fmt.Println(secret, w.Code)
	}
	// Output:
	// new 200
	// previous 200
	// older 401
}

// Handlers with the same store handle a notification once. Those of several processes need a store
// outside of them, such as Redis or an SQL database.
func ExampleWithDedupe() {
	store := webhook.NewMemoryDedupe(0)
	body := `{"data": {"id": "1", "type": "webhook_notification", "attributes": {"event": "container.created"}}}`
	for range 2 {
		handler, err := webhook.NewHandler(
			webhook.WithSecrets(terminal49.NewSecret("s3cret")),
			webhook.WithDedupe(store, 24*time.Hour),
			webhook.WithClaimLease(10*time.Second), // how long it stays claimed if this process dies
			webhook.OnAny(func(context.Context, *webhook.Notification) error { return nil }),
			webhook.OnDelivery(func(_ context.Context, d webhook.Delivery) { fmt.Println(d.Outcome) }),
		)
		if err != nil {
			fmt.Println(err)
			return
		}
		r := httptest.NewRequest(http.MethodPost, "/terminal49", strings.NewReader(body))
		r.Header.Set(webhook.SignatureHeader, terminal49test.SignWebhook("s3cret", []byte(body)))
		handler.ServeHTTP(httptest.NewRecorder(), r)
	}
	fmt.Println("remembered:", store.Len())
	// Output:
	// handled
	// duplicate
	// remembered: 1
}

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
