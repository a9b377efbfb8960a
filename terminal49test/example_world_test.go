package terminal49test_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// Half of the notifications are never delivered. The service's log has all of them.
func ExampleWithWebhookNoise() {
	endpoint := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithWebhookHandler(endpoint),
		terminal49test.WithWebhookNoise(terminal49test.WebhookNoise{Lost: 0.5}))
	defer srv.Close()
	srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: []string{"container.created"}})
	for serial := range 6 {
		srv.AddContainer(terminal49test.Container{Number: terminal49test.ContainerNumber("MSKU", serial)})
	}
	srv.Advance(time.Minute)
	for _, n := range srv.WebhookNotifications() {
		fmt.Println(n.Event, n.DeliveryStatus)
	}
	// Output:
	// container.created pending
	// container.created succeeded
	// container.created pending
	// container.created pending
	// container.created succeeded
	// container.created pending
}

// Containers and tracking requests of a merged shipment move; the shipment itself is gone.
func ExampleServer_MergeShipments() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket())
	defer srv.Close()
	from := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1"})
	into := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU2"})
	container := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", Shipment: from})

	fmt.Println(srv.MergeShipments(from, into))
	_, exists := srv.Shipment(from)
	moved, _ := srv.Container(container)
	fmt.Println(exists, moved.Shipment == into)
	// Output:
	// true
	// false true
}

// A removed container is answered 404, and its shipment does not name it any more.
func ExampleServer_RemoveContainer() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket())
	defer srv.Close()
	shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1"})
	container := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", Shipment: shipment})
	srv.RemoveContainer(container)

	resp, err := srv.HTTPClient().Do(newRequest(srv, "GET", "/containers/"+container, ""))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	fmt.Println(resp.StatusCode, len(srv.ContainerIDs(shipment)))
	// Output:
	// 404 0
}

// A million containers, which take no memory until they change.
func ExampleWithSyntheticContainers() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSyntheticContainers(1_000_000))
	defer srv.Close()
	srv.TouchContainers(100, time.Hour) // 100 of them change within an hour
	srv.Advance(time.Hour)

	resp, err := srv.HTTPClient().Do(newRequest(srv, "GET", "/shipments?include=containers&page[size]=100&page[number]=4000", ""))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	var page struct {
		Data, Included []json.RawMessage
		Meta           struct{ Total int }
	}
	if err := json.NewDecoder(resp.Body).Decode(&page); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(page.Data), len(page.Included), page.Meta.Total)
	// Output:
	// 100 250 400000
}

// A demonstration with 200 shipments. On the usual clock, such as with WithSpeed(3600), it moves by
// itself; here two days pass at once.
func ExampleServer_SeedTraffic() {
	events := map[string]int{}
	endpoint := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var body struct {
			Data struct{ Attributes struct{ Event string } }
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			fmt.Println(err)
		}
		events[body.Data.Attributes.Event]++
	})
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithWebhookHandler(endpoint),
		terminal49test.WithStart(time.Date(2026, time.June, 1, 0, 0, 0, 0, time.UTC)), terminal49test.WithSpeed(0))
	defer srv.Close()
	srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: []string{"container.updated", "tracking_request.succeeded"}})
	shipments := srv.SeedTraffic(200)
	srv.Advance(48 * time.Hour)

	fmt.Println(len(shipments) > 150, events["container.updated"] > 20, events["tracking_request.succeeded"] > 2)
	// Output:
	// true true true
}
