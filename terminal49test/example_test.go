package terminal49test_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// newRequest builds a request like the code under test.
func newRequest(srv *terminal49test.Server, method, path, body string) *http.Request {
	req, err := http.NewRequest(method, srv.URL+path, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	req.Header.Set("Authorization", "Token "+srv.Token)
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Content-Type", "application/json")
	return req
}

func Example() {
	srv := terminal49test.NewServer()
	defer srv.Close()
	srv.AddContainer(terminal49test.Container{
		Number:             "MSKU7182047",
		AvailableForPickup: terminal49test.Bool(false),
		Holds:              []terminal49test.Hold{{Name: "customs"}},
	})

	resp, err := http.DefaultClient.Do(newRequest(srv, "GET", "/containers", ""))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	var page struct {
		Data []struct {
			Attributes struct {
				Number string
				Holds  []struct{ Name, Status string } `json:"holds_at_pod_terminal"`
			}
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&page); err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range page.Data {
		fmt.Println(c.Attributes.Number, c.Attributes.Holds)
	}
	fmt.Println("violations:", srv.Violations())
	// Output:
	// MSKU7182047 [{customs hold}]
	// violations: []
}

// Advance moves the simulated clock, on which journeys run.
func ExampleServer_Advance() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket())
	id := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU123456789", SCAC: "MAEU"})
	for range 5 {
		srv.Advance(7 * 24 * time.Hour)
		tracking, _ := srv.TrackingRequest(id)
		container, _ := srv.Container(srv.ContainerIDs(tracking.Shipment)[0])
		fmt.Println(container.CurrentStatus)
	}
	// Output:
	// on_ship
	// on_ship
	// available
	// picked_up
	// empty_returned
}

// A script sets what tracking a number leads to.
func ExampleServer_Script() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket())
	srv.Script("HLCUSHA2406118", terminal49test.Journey{
		Containers: []terminal49test.Container{{Number: "HLXU6104424"}},
		Elapsed:    time.Hour, // earlier steps have happened when tracking finds it
		Steps: []terminal49test.Step{
			{After: 0, Do: terminal49test.VesselDischarged("B-14")},
			{After: time.Hour, Do: terminal49test.HoldPlaced(terminal49test.Hold{Name: "freight"})},
			{After: 3 * time.Hour, Do: terminal49test.HoldCleared("freight")},
		},
	})
	id := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "HLCUSHA2406118", SCAC: "HLCU"})
	for range 2 {
		srv.Advance(90 * time.Minute)
		tracking, _ := srv.TrackingRequest(id)
		container, _ := srv.Container(srv.ContainerIDs(tracking.Shipment)[0])
		fmt.Println(container.Number, container.LocationAtPODTerminal, len(container.Holds))
	}
	// Output:
	// HLXU6104424 B-14 1
	// HLXU6104424 B-14 0
}

// A fault makes matching requests fail: here the first two of a list.
func ExampleServer_AddFault() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket())
	srv.AddFault(terminal49test.Fault{
		Operation: "shipments.list", Times: 2, Status: 503, RetryAfter: terminal49test.RetryAfterSeconds(time.Second),
	})
	for range 3 {
		resp, err := srv.HTTPClient().Do(newRequest(srv, "GET", "/shipments", ""))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(resp.StatusCode, resp.Header.Get("Retry-After"))
		_ = resp.Body.Close()
	}
	// Output:
	// 503 1
	// 503 1
	// 200
}

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
