package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// desk is a program that uses the client: it sends trucks.
type desk struct {
	containers interface {
		Get(context.Context, string, *terminal49.ContainerGetParams, ...terminal49.CallOption) (*terminal49.Container, error)
	}
	poll time.Duration
}

var errLeft = errors.New("somebody else has it")

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

// newDesk wires the program to a simulated service that runs on the clock of the test's bubble.
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

// The terminal clears the hold and releases the container; days pass in no time at all.
func TestDeskWaitsForTheRelease(t *testing.T) {
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

// An hour of trouble at the service does not lose the container.
func TestDeskOutlastsTrouble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		desk, service := newDesk(t)
		id := service.AddContainer(terminal49test.Container{
			Number: "MSKU7182047", AvailabilityKnown: true, AvailableForPickup: terminal49test.Bool(true),
		})
		service.Fault(terminal49test.Fault{Operation: "containers.get", Times: 2, Status: 503, RetryAfter: terminal49test.RetryAfterSeconds(time.Minute)})
		if _, err := desk.dispatch(t.Context(), id); err != nil {
			t.Error(err)
		}
		if n := len(service.Requests()); n != 3 {
			t.Errorf("%d requests", n)
		}
	})
}

func TestDeskComesTooLate(t *testing.T) {
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
