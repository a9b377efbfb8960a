package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/go-freight/terminal49"
)

// A port is found by its id or its UN/LOCODE.
func ExamplePortsService_Get() {
	_, _, client := simulation()
	ctx := context.Background()
	port, err := client.Ports.Get(ctx, "USLAX")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(port.Name, port.TimeZone, port.Terminals.Len(), "terminals")
	// Output: Los Angeles America/Los_Angeles 2 terminals
}

func ExampleTerminalsService_Get() {
	_, _, client := simulation()
	ctx := context.Background()
	port, err := client.Ports.Get(ctx, "USLAX")
	if err != nil {
		log.Fatal(err)
	}
	for _, id := range port.Terminals.IDs() {
		terminal, err := client.Terminals.Get(ctx, id)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(terminal.Nickname, "rail ramp:", terminal.IsRail())
	}
	// Output:
	// WBCT rail ramp: false
	// APMT LA rail ramp: false
}

// A metro area is an inland destination, found by its id or its UN/LOCODE.
func ExampleMetroAreasService_Get() {
	_, _, client := simulation()
	area, err := client.MetroAreas.Get(context.Background(), "USCHI")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(area.Name, area.StateAbbr, area.TimeZone)
	// Output: Chicago IL America/Chicago
}

func ExampleVesselsService_GetByIMO() {
	_, _, client := simulation()
	vessel, err := client.Vessels.GetByIMO(context.Background(), "9708851", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(vessel.Name, "was seen", vessel.PositionTimestamp)
	// Output: NORTHERN JUBILEE was seen 2024-07-01 20:00 UTC
}

// Past positions need the Routing Data feature.
func ExampleVesselsService_Get() {
	service, _, client := simulation()
	ctx := context.Background()
	vessel, err := client.Vessels.GetByIMO(ctx, "9708851", nil)
	if err != nil {
		log.Fatal(err)
	}
	vessel, err = client.Vessels.Get(ctx, vessel.ID, &terminal49.VesselGetParams{
		PositionsFrom: service.Now().Add(-24 * time.Hour), PositionsTo: service.Now(),
	})
	switch {
	case errors.Is(err, terminal49.ErrFeatureNotEnabled):
		fmt.Println("the account has no Routing Data")
	case err != nil:
		log.Fatal(err)
	default:
		fmt.Println(vessel.Name, len(vessel.Positions), "positions in the last day")
	}
	// Output: NORTHERN JUBILEE 25 positions in the last day
}

// The map of a container names the vessel it is on and the leg it is sailing.
func ExampleVesselsService_FuturePositions() {
	service, demo, client := simulation()
	ctx := context.Background()
	m, err := client.Containers.Map(ctx, containerOf(service, demo.Shipments[4]))
	if err != nil {
		log.Fatal(err)
	}
	vessel, atSea := m.CurrentVessel()
	if !atSea {
		return
	}
	leg := terminal49.VesselLeg{PreviousPortID: vessel.Departure.ID, PortID: vessel.Arrival.ID}
	ahead, err := client.Vessels.FuturePositions(ctx, vessel.VesselID, leg)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("arrives", ahead.Positions[len(ahead.Positions)-1].Timestamp)

	// The same from another position, such as a newer one of your own.
	position := terminal49.Coordinates{Latitude: 40.2, Longitude: -170}
	ahead, err = client.Vessels.FuturePositionsFrom(ctx, vessel.VesselID, leg, position)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("from", ahead.Positions[0].Latitude, ahead.Positions[0].Longitude)
	// Output:
	// arrives 2024-07-11 13:04 UTC
	// from 40.2 -170
}
