package terminal49test_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// track tracks a number whose journey is scripted, and returns its first container a while later.
func track(srv *terminal49test.Server, journey terminal49test.Journey, later time.Duration) *terminal49.Container {
	srv.Script("HLCUSHA2406118", journey)
	id := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "HLCUSHA2406118", SCAC: "HLCU"})
	srv.Advance(later)
	tracking, _ := srv.TrackingRequest(id)
	container, err := newClient(srv).Containers.Get(context.Background(), srv.ContainerIDs(tracking.Shipment)[0], &terminal49.ContainerGetParams{
		Include: []terminal49.ContainerInclude{terminal49.ContainerIncludeTransportEvents},
	})
	if err != nil {
		log.Fatal(err)
	}
	return container
}

// The situation in which each of the preset journeys is found.
func ExampleJourney_presets() {
	for _, preset := range []struct {
		name    string
		journey terminal49test.Journey
	}{
		{"default", terminal49test.DefaultJourney()}, {"ready", terminal49test.ReadyJourney()},
		{"customs hold", terminal49test.CustomsHoldJourney()}, {"not released", terminal49test.NotReleasedJourney()},
		{"demurrage", terminal49test.DemurrageJourney()}, {"on ship", terminal49test.OnShipJourney()}, {"rail", terminal49test.RailJourney()},
	} {
		noon := time.Date(2026, 3, 9, 19, 0, 0, 0, time.UTC) // in Los Angeles: days are counted there
		srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0), terminal49test.WithStart(noon))
		container := track(srv, preset.journey, time.Minute)
		verdict := terminal49.Assess(container, srv.Now(), terminal49.VerdictOptions{})
		fmt.Println(preset.name, "-", verdict.Situation, verdict.Urgency)
	}
	// Output:
	// default - at_sea unknown
	// ready - ready imminent
	// customs hold - held none
	// not released - not_released unknown
	// demurrage - pay_first overdue
	// on ship - at_sea unknown
	// rail - at_sea unknown
}

// A journey of one's own, from the empty container to its return.
func ExampleJourney() {
	hour := func(n int) time.Duration { return time.Duration(n) * time.Hour }
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
	container := track(srv, terminal49test.Journey{
		Shipment: terminal49test.Shipment{PortOfLading: "CNSHA", PortOfDischarge: "USLAX", PODTerminal: "WBCT", PODVessel: "9708851"},
		Steps: []terminal49test.Step{
			{After: hour(0), Do: terminal49test.EmptyOut()}, {After: hour(1), Do: terminal49test.FullIn()},
			{After: hour(2), Do: terminal49test.VesselLoaded()}, {After: hour(3), Do: terminal49test.VesselDeparted(hour(10))},
			{After: hour(4), Do: terminal49test.Milestone("transshipment_arrived", "KRPUS")}, {After: hour(5), Do: terminal49test.PODETA(hour(12))},
			{After: hour(20), Do: terminal49test.VesselArrived()}, {After: hour(21), Do: terminal49test.VesselDischarged("Y4-117-C")},
			{After: hour(22), Do: terminal49test.PickupLFD("terminal", 3)}, {After: hour(22), Do: terminal49test.PickupLFDAt("line", "", 4, 0)},
			{After: hour(22), Do: terminal49test.FeePosted(terminal49test.Fee{Type: "exam", Amount: 80})},
			{After: hour(22), Do: terminal49test.FeeAccrues(terminal49test.Fee{Type: "demurrage", Amount: 185})},
			{After: hour(23), Do: terminal49test.FeeCleared("exam")}, {After: hour(23), Do: terminal49test.FeeCleared("demurrage")},
			{After: hour(23), Do: terminal49test.Available(true)}, {After: hour(24), Do: terminal49test.PickupAppointment(hour(5))},
			{After: hour(30), Do: terminal49test.FullOut("TSXZ412873")}, {After: hour(50), Do: terminal49test.EmptyIn()},
		},
	}, hour(60))
	for _, milestone := range terminal49.Journey(container, terminal49.JourneyOptions{}) {
		fmt.Println(milestone.Event)
	}
	fmt.Println(container.CurrentStatus)
	// Output:
	// container.transport.empty_out
	// container.transport.full_in
	// container.transport.vessel_loaded
	// container.transport.vessel_departed
	// container.transport.transshipment_arrived
	// container.transport.vessel_arrived
	// container.transport.vessel_discharged
	// container.transport.available
	// container.transport.full_out
	// container.transport.empty_in
	// empty_returned
}

// Containers that go on by rail, from an inland depot.
func ExampleRailLoaded() {
	hour := func(n int) time.Duration { return time.Duration(n) * time.Hour }
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
	container := track(srv, terminal49test.Journey{
		Shipment: terminal49test.Shipment{
			PortOfLading: "USLAX", PortOfDischarge: "USNYC", PODTerminal: "Maher", Destination: "USCHI", DestinationTerminal: "BNSF LPC",
		},
		Steps: []terminal49test.Step{
			{After: hour(0), Do: terminal49test.EmptyOutAt("USDAL")}, {After: hour(1), Do: terminal49test.FullInAt("USDAL")},
			{After: hour(20), Do: terminal49test.VesselDischarged("B-14")}, {After: hour(21), Do: terminal49test.RailLoaded("BNSF")},
			{After: hour(22), Do: terminal49test.RailDeparted(hour(48))}, {After: hour(70), Do: terminal49test.RailArrived()},
			{After: hour(71), Do: terminal49test.RailUnloaded()}, {After: hour(72), Do: terminal49test.TrackingStopped("all_containers_terminated")},
		},
	}, hour(80))
	fmt.Println(container.CurrentStatus, container.FinalDestinationTimezone)
	// Output: grounded America/Chicago
}

// A container on a train: its gate-out at the port is recorded, and that is not its pickup.
func ExamplePODFullOut() {
	hour := func(n int) time.Duration { return time.Duration(n) * time.Hour }
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
	container := track(srv, terminal49test.Journey{
		Shipment: terminal49test.Shipment{PortOfDischarge: "USLGB", PODTerminal: "LBCT", Destination: "USCHI", DestinationTerminal: "BNSF LPC"},
		Steps: []terminal49test.Step{
			{After: hour(20), Do: terminal49test.VesselDischarged("B-14")}, {After: hour(44), Do: terminal49test.RailLoaded("BNSF")},
			{After: hour(45), Do: terminal49test.PODFullOut()},
		},
	}, hour(50))
	fmt.Println(!container.PODFullOutAt.IsZero(), terminal49.Assess(container, srv.Now(), terminal49.VerdictOptions{}).Situation)
	// Output: true on_rail
}

// A container that its vessel left behind, which arrives a week later on another one.
func ExamplePODVessel() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
	container := track(srv, terminal49test.Journey{
		Shipment: terminal49test.Shipment{PODVessel: "9461398", PODVoyageNumber: "118E"},
		Steps: []terminal49test.Step{
			{After: 1 * time.Hour, Do: terminal49test.PODETA(240 * time.Hour)},
			{After: 2 * time.Hour, Do: terminal49test.PODVessel("9708851", "043E")}, {After: 2 * time.Hour, Do: terminal49test.PODETA(408 * time.Hour)},
		},
	}, 3*time.Hour)
	shipment, _ := srv.Shipment(container.Shipment.ID())
	fmt.Println(shipment.PODVessel, shipment.PODVoyageNumber, shipment.PODETA.Sub(shipment.PODOriginalETA))
	// Output: 9708851 043E 169h0m0s
}

// A status that contradicts the rest, and an attribute as it is sent, whatever the fields are.
func ExampleSetAttribute() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
	container := track(srv, terminal49test.Journey{Steps: []terminal49test.Step{
		{After: 0, Do: terminal49test.Status("picked_up")}, {After: 0, Do: terminal49test.SetAttribute("seal_number", "T-4412")},
	}}, time.Minute)
	fmt.Println(container.CurrentStatus, container.SealNumber)
	// Output: picked_up T-4412
}
