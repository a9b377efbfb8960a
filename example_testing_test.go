package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// Test code that uses the client against a simulated service. Violations lists what the service
// does not document.
func Example_testing() {
	service := terminal49test.NewServer(terminal49test.WithoutSocket())
	service.AddContainer(terminal49test.Container{
		Number: "MSKU7182047", AvailabilityKnown: true, AvailableForPickup: terminal49test.Bool(false),
		Holds: []terminal49test.Hold{{Name: "customs"}},
	})
	client, err := terminal49.New(service.Token,
		terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()))
	if err != nil {
		log.Fatal(err)
	}

	containers, err := client.Containers.FindByNumber(context.Background(), "MSKU7182047", nil) // your code
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(terminal49.PickupReadiness(containers[0]).State)
	fmt.Println(len(service.Requests()), "request,", len(service.Violations()), "violations")
	// Output:
	// blocked
	// 1 request, 0 violations
}

// If code depends only on the method that it needs, a fake takes three lines.
func Example_interface() {
	_, demo, client := simulation()
	fmt.Println(label(context.Background(), client.Shipments, demo.Shipments[1]))
	fmt.Println(label(context.Background(), fakeShipments{}, "any"))
	// Output:
	// MSCU240988417 (MSC) <nil>
	// FAKE123 (Fake Line) <nil>
}

// shipmentGetter is all that label needs. *terminal49.ShipmentsService implements it, and so does a
// fake.
type shipmentGetter interface {
	Get(context.Context, string, *terminal49.ShipmentGetParams, ...terminal49.CallOption) (*terminal49.Shipment, error)
}

func label(ctx context.Context, shipments shipmentGetter, id string) (string, error) {
	s, err := shipments.Get(ctx, id, nil)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s (%s)", s.BillOfLadingNumber, s.ShippingLineShortName), nil
}

type fakeShipments struct{}

func (fakeShipments) Get(
	context.Context, string, *terminal49.ShipmentGetParams, ...terminal49.CallOption,
) (*terminal49.Shipment, error) {
	return &terminal49.Shipment{BillOfLadingNumber: "FAKE123", ShippingLineShortName: "Fake Line"}, nil
}

// desk is a program that uses the client to send trucks.
type desk struct {
	containers interface {
		Get(context.Context, string, *terminal49.ContainerGetParams, ...terminal49.CallOption) (*terminal49.Container, error)
	}
	poll time.Duration
}

var errLeft = errors.New("the container has left")

// dispatch waits until the container can be picked up and returns the day by which it must be.
func (d desk) dispatch(ctx context.Context, id string) (terminal49.Date, error) {
	for {
		container, err := d.containers.Get(ctx, id, nil)
		if err != nil {
			return terminal49.Date{}, fmt.Errorf("container %s: %w", id, err)
		}
		readiness := terminal49.PickupReadiness(container)
		switch {
		case readiness.Left:
			return terminal49.Date{}, errLeft
		case readiness.Ready():
			day, _ := container.PickupLFD.Date()
			return day, nil
		}
		select {
		case <-ctx.Done():
			return terminal49.Date{}, ctx.Err()
		case <-time.After(d.poll):
		}
	}
}

// newDesk connects the program to a simulated service that runs on the clock of the test's bubble.
func newDesk(t *testing.T) (desk, *terminal49test.Server) {
	t.Helper()
	service := terminal49test.NewServer(terminal49test.WithoutSocket())
	client, err := terminal49.New(service.Token,
		terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()))
	if err != nil {
		t.Fatal(err)
	}
	return desk{client.Containers, time.Hour}, service
}

// The hold is cleared and the container released after 40 hours of the bubble's clock.
func TestDesk_WaitsForTheRelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		desk, service := newDesk(t)
		service.Script("MAEU240711002", terminal49test.Journey{
			Elapsed: time.Hour, // discharged before tracking begins
			Steps: []terminal49test.Step{
				{After: 0, Do: terminal49test.VesselDischarged("B-14")},
				{After: 0, Do: terminal49test.HoldPlaced(terminal49test.Hold{Name: "customs"})},
				{After: 0, Do: terminal49test.Available(false)},
				{After: 30 * time.Hour, Do: terminal49test.HoldCleared("customs")},
				{After: 40 * time.Hour, Do: terminal49test.Available(true)},
				{After: 40 * time.Hour, Do: terminal49test.PickupLFD("terminal", 3)},
			},
		})
		tracking := service.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU240711002", SCAC: "MAEU"})
		time.Sleep(time.Minute)
		request, _ := service.TrackingRequest(tracking)
		id := service.ContainerIDs(request.Shipment)[0]

		start := time.Now()
		day, err := desk.dispatch(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(start); waited < 38*time.Hour || waited > 41*time.Hour {
			t.Errorf("a truck is sent after %v", waited)
		}
		if want := terminal49.DateOf(time.Now().In(terminalClock(t)).AddDate(0, 0, 3)); day != want {
			t.Errorf("last free day %v, want %v", day, want)
		}
		service.CheckViolations(t)
	})
}

// The client retries while the service is unavailable.
func TestDesk_OutlastsAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		desk, service := newDesk(t)
		id := service.AddContainer(terminal49test.Container{
			Number: "MSKU7182047", AvailabilityKnown: true, AvailableForPickup: terminal49test.Bool(true),
		})
		service.Fault(terminal49test.Fault{
			Operation: "containers.get", Times: 2, Status: 503, RetryAfter: terminal49test.RetryAfterSeconds(time.Minute),
		})
		if _, err := desk.dispatch(t.Context(), id); err != nil {
			t.Error(err)
		}
		if n := len(service.Requests()); n != 3 {
			t.Errorf("%d requests", n)
		}
	})
}

func TestDesk_ComesTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		desk, service := newDesk(t)
		id := service.AddContainer(terminal49test.Container{Number: "MSKU7182047", PODFullOutAt: time.Now()})
		if _, err := desk.dispatch(t.Context(), id); !errors.Is(err, errLeft) {
			t.Errorf("got %v", err)
		}
	})
}

func terminalClock(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}
