package terminal49test_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// newClient returns a client of the simulated service.
func newClient(srv *terminal49test.Server) *terminal49.Client {
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()))
	if err != nil {
		log.Fatal(err)
	}
	return client
}

// This module's client, used with the simulated service.
func Example_client() {
	srv := terminal49test.NewServer()
	defer srv.Close()
	shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU240711002", ShippingLine: "MAEU", PortOfDischarge: "USLAX"})
	srv.AddContainer(terminal49test.Container{
		Shipment: shipment, Number: terminal49test.ContainerNumber("MSKU", 718204),
		AvailableForPickup: terminal49test.Bool(true), CurrentStatus: "available",
		Holds: []terminal49test.Hold{{Name: "VACIS", Status: "pending"}},
	})
	for container, err := range newClient(srv).Containers.All(context.Background(), nil) {
		if err != nil {
			fmt.Println(err)
			return
		}
		readiness := terminal49.PickupReadiness(container)
		fmt.Println(container.Number, readiness.State, readiness.Warnings)
	}
	fmt.Println("violations:", srv.Violations())
	// Output:
	// MSKU7182047 ready [pending_holds]
	// violations: []
}

// A preset journey, read through the client while the simulated clock moves.
func ExampleServer_Script_client() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
	srv.Script("HLCUSHA2406118", terminal49test.DemurrageJourney())
	id := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "HLCUSHA2406118", SCAC: "HLCU"})
	srv.Advance(time.Minute)
	tracking, _ := srv.TrackingRequest(id)
	container := srv.ContainerIDs(tracking.Shipment)[0]
	for range 2 {
		container, err := newClient(srv).Containers.Get(context.Background(), container, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		amount, currency, _ := terminal49.SumFees(container.Fees).Owed()
		fmt.Println(amount, currency)
		srv.Advance(24 * time.Hour)
	}
	// Output:
	// 555 USD
	// 740 USD
}

// The client waits as long as the service demands; the test checks what was sent.
func ExampleServer_Requests() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket())
	srv.AddFault(terminal49test.Fault{
		Operation: "shipping_lines.list", Status: 429, RetryAfter: terminal49test.RetryAfterSeconds(0),
	})
	_, err := newClient(srv).ShippingLines.List(context.Background())
	fmt.Println(err)
	for _, r := range srv.Requests() {
		fmt.Println(r.Method, r.Path, r.Status)
	}
	// Output:
	// <nil>
	// GET /v2/shipping_lines 429
	// GET /v2/shipping_lines 200
}
