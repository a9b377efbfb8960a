package terminal49test_test

import (
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
