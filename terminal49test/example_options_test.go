package terminal49test_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// An account without the features that cost extra, and on which a program's errors can be tried.
func ExampleWithoutRouting() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithoutRouting(), terminal49test.WithoutRefresh(),
		terminal49test.WithoutDocuments(), terminal49test.WithoutWebhooks(), terminal49test.WithBrokenCustomFieldList())
	client, ctx := newClient(srv), context.Background()
	container := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047"})

	_, mapped := client.Containers.Map(ctx, container)
	_, refreshed := client.Containers.Refresh(ctx, container)
	_, documents := client.Documents.List(ctx, nil)
	_, webhooks := client.Webhooks.List(ctx, nil)
	for _, err := range []error{mapped, refreshed, documents, webhooks} {
		fmt.Println(errors.Is(err, terminal49.ErrForbidden))
	}
	_, fields := client.CustomFields.List(ctx, nil, terminal49.WithMaxAttempts(1))
	fmt.Println(errors.Is(fields, terminal49.ErrServer))
	// Output:
	// true
	// true
	// true
	// true
	// true
}

// An account that can subscribe to fewer events, and may have no values of custom fields.
func ExampleWithoutWebhookEvents() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithoutWebhookEvents("container.updated"),
		terminal49test.WithCustomFieldLimit(0))
	srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "buyer"})
	shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1"})
	client, ctx := newClient(srv), context.Background()

	_, err := client.Webhooks.Create(ctx, terminal49.WebhookCreate{
		URL: "https://example.com/terminal49", Events: []terminal49.EventName{terminal49.EventContainerUpdated},
	})
	fmt.Println(errors.Is(err, terminal49.ErrInvalid))
	_, err = client.Shipments.SetCustomField(ctx, shipment, "buyer", terminal49.CustomText("Ann"))
	fmt.Println(errors.Is(err, terminal49.ErrInvalid))
	// Output:
	// true
	// true
}

// A service with a token of its own, on an address that is known beforehand, with lower limits.
func ExampleWithListener() {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // a fixed port, such as 127.0.0.1:8051
	if err != nil {
		log.Fatal(err)
	}
	srv := terminal49test.NewServer(terminal49test.WithListener(listener), terminal49test.WithToken("a-key-of-the-test"),
		terminal49test.WithRateLimits(map[string]int{"default": 2}), terminal49test.WithLog(1))
	defer srv.Close()
	client, err := terminal49.New("a-key-of-the-test", terminal49.WithBaseURL("http://"+listener.Addr().String()+"/v2"),
		terminal49.WithoutRateLimits(), terminal49.WithMaxAttempts(1))
	if err != nil {
		log.Fatal(err)
	}
	for range 3 {
		_, err := client.ShippingLines.List(context.Background())
		fmt.Println(errors.Is(err, terminal49.ErrRateLimited))
	}
	fmt.Println(srv.RequestCount(), "requests,", len(srv.RequestsAfter(1)), "kept after the first")
	// Output:
	// false
	// false
	// true
	// 3 requests, 1 kept after the first
}

// A small world without limits: what is not added does not exist, and numbers are found at once.
func ExampleWithoutReferenceData() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithoutReferenceData(), terminal49test.WithoutRateLimits(),
		terminal49test.WithTrackingDelay(0))
	lines, err := newClient(srv).ShippingLines.List(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(lines), lines[0].SCAC)
	id := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU123456789", SCAC: "MAEU"})
	request, _ := srv.TrackingRequest(id)
	fmt.Println(request.Status)
	// Output:
	// 1 TEST
	// created
}

// The older service, and each other reading of what its documents leave open.
func ExampleWithoutAutumn2026() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithoutAutumn2026(),
		terminal49test.WithMergedShipmentsKept(), terminal49test.WithoutInferenceIDs(), terminal49test.WithDirectUploadUnderVersion(),
		terminal49test.WithDuplicateDocuments(terminal49test.DuplicatesAccepted))
	client, ctx := newClient(srv), context.Background()
	from := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1"})
	srv.MergeShipments(from, srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU2"}))

	_, kept := client.Shipments.Get(ctx, from, nil)
	inference, err := client.TrackingRequests.Infer(ctx, "MSKU7182047")
	if err != nil {
		log.Fatal(err)
	}
	_, roles := client.Shipments.PartyRoles(ctx, from)
	fmt.Println(kept, inference.ID == "", errors.Is(roles, terminal49.ErrNotFound))
	for range 2 {
		_, err := client.Documents.Upload(ctx, terminal49.DocumentFile{FileName: "inv.pdf", Content: strings.NewReader("Invoice INV-1001")})
		fmt.Println(err)
	}
	// Output:
	// <nil> true true
	// <nil>
	// <nil>
}

// A service that does not have a filter answers with everything. The client notices.
func ExampleWithIgnored() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithIgnored("containers.list", "filter[has_holds]"))
	srv.AddContainer(terminal49test.Container{Number: "MSKU7182047"}) // without holds
	params := &terminal49.ContainerListParams{Filter: terminal49.ContainerFilter{HasHolds: terminal49.Some(true)}}
	_, err := newClient(srv).Containers.List(context.Background(), params)
	var ignored *terminal49.FilterIgnoredError
	fmt.Println(errors.As(err, &ignored))
	// Output: true
}

// Reads are of a replica that lags up to a minute behind. All states are kept to compare with.
func ExampleWithReplicaLag() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0),
		terminal49test.WithReplicaLag(1, time.Minute), terminal49test.WithHistory(), terminal49test.WithStart(time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC)))
	id := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", CurrentStatus: "grounded"})
	srv.Advance(time.Hour)
	srv.UpdateContainer(id, func(c *terminal49test.Container) { c.CurrentStatus = "available" })
	srv.Advance(time.Second)

	container, err := newClient(srv).Containers.Get(context.Background(), id, nil)
	if err != nil {
		log.Fatal(err)
	}
	now, _ := srv.Container(id)
	fmt.Println("read", container.CurrentStatus, "is", now.CurrentStatus, "states", len(srv.History("container", id)))
	// Output: read grounded is available states 2
}

// A test that runs for hours gets each state as it happens.
func ExampleWithHistoryFunc() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0),
		terminal49test.WithHistoryFunc(func(state terminal49test.State) {
			if state.Type == "party" { // must not call srv
				fmt.Println("removed:", state.Removed)
			}
		}))
	srv.AddParty(terminal49test.Party{CompanyName: "Bay Drayage"})
	// Output: removed: false
}

// Deliveries go through a transport of the test's own. One event is lost, and bodies have the data
// of the time of delivery.
func ExampleWithWebhookTransport() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithWebhookTransport(printer{}),
		terminal49test.WithLostWebhooks(func(n terminal49test.WebhookNotification) bool { return n.Event == "container.created" }),
		terminal49test.WithWebhookBodiesAtDelivery())
	defer srv.Close()
	srv.AddWebhook(terminal49test.Webhook{URL: "https://example.com/terminal49", Events: []string{"container.created", "container.updated"}})
	id := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047"})
	srv.UpdateContainer(id, func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(true) })
	srv.Advance(time.Minute)
	// Output: delivered to https://example.com/terminal49
}

// printer answers each delivery.
type printer struct{}

func (printer) RoundTrip(r *http.Request) (*http.Response, error) {
	fmt.Println("delivered to", r.URL)
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
}

// A response asks to wait until a date, or in words that no client understands.
func ExampleRetryAfterDate() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
	for _, after := range []terminal49test.RetryAfter{
		terminal49test.RetryAfterDate(time.Hour, http.TimeFormat), terminal49test.RetryAfterRaw("soon"),
	} {
		srv.AddFault(terminal49test.Fault{Status: http.StatusServiceUnavailable, RetryAfter: after})
		_, err := newClient(srv).ShippingLines.List(context.Background(), terminal49.WithMaxAttempts(1))
		var refused *terminal49.APIError
		wait, ok := time.Duration(0), errors.As(err, &refused)
		if ok {
			wait, ok = refused.RetryAfter.Get()
		}
		fmt.Println(wait.Round(time.Hour), ok)
	}
	// Output:
	// 1h0m0s true
	// 0s false
}
