package guides_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// store keeps one JSON document per container, as a table of your database would.
type store map[string][]byte

func compare(kept store, container *terminal49.Container) error {
	if text, ok := kept[container.ID]; ok {
		var before terminal49.Container
		if err := json.Unmarshal(text, &before); err != nil {
			return err
		}
		for _, attribute := range terminal49.DiffContainers(&before, container).Attributes() {
			fmt.Println(container.Number, "changed:", attribute)
		}
	}
	text, err := json.Marshal(container)
	if err != nil {
		return err
	}
	kept[container.ID] = text
	return nil
}

// alert prints what a dispatcher has to know about a shipment since the last run.
func alert(before, after *terminal49.Shipment) {
	number, changes := after.BillOfLadingNumber, terminal49.DiffShipments(before, after)
	if slip, ok := changes.PODETA.Slip(); ok && slip.Abs() >= 6*time.Hour {
		fmt.Println(number, "arrives", slip.Abs(), changes.PODETA.Move(), "at", after.PODETA)
	}
	if changes.VesselChanged() {
		fmt.Println(number, "comes with another vessel:", after.PODVesselName)
	}
	if !changes.LineTrackingStoppedAt.New.IsZero() {
		fmt.Println(number, "is no longer tracked:", after.LineTrackingStoppedReason)
	}
	for _, id := range changes.ContainersAdded {
		fmt.Println(number, "has a new container:", id)
	}
}

func Example_nightlyJob() {
	service, demo, client := simulation()
	kept := store{}
	night := func() {
		for container, err := range client.Containers.All(context.Background(), nil, terminal49.WithRateLimitShare(0.6)) {
			if err != nil {
				log.Fatal(err)
			}
			if err := compare(kept, container); err != nil {
				log.Fatal(err)
			}
		}
	}
	night()
	fmt.Println("a day and a half later")
	service.Advance(36 * time.Hour)
	service.UpdateContainer(containerOf(service, demo.Shipments[1]), func(c *terminal49test.Container) {
		c.Holds, c.AvailableForPickup = nil, terminal49test.Bool(true)
	})
	night()
	// Output:
	// a day and a half later
	// CMAU4716554 changed: fees_at_pod_terminal
	// MEDU3309188 changed: available_for_pickup
	// MEDU3309188 changed: holds_at_pod_terminal
}

func Example_slippedShipments() {
	service, demo, client := simulation()
	id := demo.Shipments[4]
	before, err := client.Shipments.Get(context.Background(), id, nil)
	if err != nil {
		log.Fatal(err)
	}
	vessel := service.AddVessel(terminal49test.Vessel{Name: "UMM SALAL", IMO: "9525857"})
	service.UpdateShipment(id, func(s *terminal49test.Shipment) {
		s.PODETA, s.PODVessel = s.PODETA.Add(30*time.Hour), vessel
	})
	after, err := client.Shipments.Get(context.Background(), id, nil)
	if err != nil {
		log.Fatal(err)
	}
	alert(before, after)
	stopped, err := client.Shipments.StopTracking(context.Background(), id)
	if err != nil {
		log.Fatal(err)
	}
	alert(after, stopped)
	// Output:
	// EGLV240803771 arrives 30h0m0s later at 2024-07-12 12:04 -07:00
	// EGLV240803771 comes with another vessel: UMM SALAL
	// EGLV240803771 is no longer tracked: cancelled_by_user
}
