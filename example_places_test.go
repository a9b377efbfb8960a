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
	leg := terminal49.VesselLeg{PreviousPortID: vessel.Departure.ID, NextPortID: vessel.Arrival.ID}
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

// Create, rename and read a party. The company name is unique within the account.
func ExamplePartiesService() {
	_, _, client := simulation()
	ctx := context.Background()

	party, err := client.Parties.Create(ctx, terminal49.PartyFields{CompanyName: "Bay Bridge Coffee"})
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Parties.Create(ctx, terminal49.PartyFields{CompanyName: "Bay Bridge Coffee"})
	fmt.Println("duplicate:", errors.Is(err, terminal49.ErrDuplicate))

	rename := terminal49.PartyFields{CompanyName: "Bay Bridge Tea"}
	if _, err := client.Parties.Update(ctx, party.ID, rename); err != nil {
		log.Fatal(err)
	}
	party, err = client.Parties.Get(ctx, party.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("renamed:", party.CompanyName)
	// Output:
	// duplicate: true
	// renamed: Bay Bridge Tea
}

func ExamplePartiesService_All() {
	_, _, client := simulation()
	for party, err := range client.Parties.All(context.Background(), nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(party.CompanyName)
	}
	// Output:
	// Harbor Street Imports
	// Lakeside Home Goods
}

func ExamplePartiesService_Pages() {
	_, _, client := simulation()
	ctx := context.Background()
	params := &terminal49.PartyListParams{PageParams: terminal49.PageParams{PageSize: 1}}
	page, err := client.Parties.List(ctx, params) // one page
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(page.Items), "of", page.Total)
	for page, err := range client.Parties.Pages(ctx, params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(page.Items[0].CompanyName)
	}
	// Output:
	// 1 of 2
	// Harbor Street Imports
	// Lakeside Home Goods
}

// Search finds shipments, containers and tracking requests by number or reference.
func ExampleSearchService_Query() {
	_, _, client := simulation()
	hits, err := client.Search.Query(context.Background(), "PO-10231")
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range hits {
		switch hit.Kind() {
		case terminal49.SearchKindShipment:
			fmt.Println("shipment", hit.Number, "to", hit.PortOfDischargeName)
		case terminal49.SearchKindContainer:
			fmt.Println("container", hit.Number)
		case terminal49.SearchKindTrackingRequest:
			fmt.Println("tracking request", hit.Number, hit.Status)
		}
	}
	// Output:
	// shipment MAEU240711002 to Los Angeles
	// container MSKU7182411
	// container MSKU7182047
}

// List the shipping lines that cannot track by container number.
func ExampleShippingLinesService_List() {
	_, _, client := simulation()
	lines, err := client.ShippingLines.List(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, line := range lines {
		if !line.Supports(terminal49.RequestTypeContainer) {
			fmt.Println(line.SCAC, line.ShortName)
		}
	}
	// Output:
	// TEST Test
	// ZIMU ZIM
}

// Tracking requests take a shipping line's SCAC; Get takes its id.
func ExampleShippingLinesService_Get() {
	_, _, client := simulation()
	ctx := context.Background()
	for found, err := range client.ShippingLines.All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		if found.SCAC != "MAEU" {
			continue
		}
		line, err := client.ShippingLines.Get(ctx, found.ID)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(line.Name, line.AlternativeSCACs)
	}
	// Output: Maersk [SEAU]
}

// Assign a role for a shipment to a party. Several parties may have the same role.
func ExampleShipmentsService_AddPartyRole() {
	_, demo, client := simulation()
	ctx, shipment := context.Background(), demo.Shipments[0]
	var notified string
	for party, err := range client.Parties.All(ctx, &terminal49.PartyListParams{Query: "lakeside"}) {
		if err != nil {
			log.Fatal(err)
		}
		notified = party.ID
	}
	added, err := client.Shipments.AddPartyRole(ctx, shipment, terminal49.PartyRoleNotifyParty, notified)
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Shipments.AddPartyRole(ctx, shipment, terminal49.PartyRoleNotifyParty, notified)
	fmt.Println("duplicate:", errors.Is(err, terminal49.ErrDuplicate))

	roles, err := client.Shipments.PartyRoles(ctx, shipment)
	if err != nil {
		log.Fatal(err)
	}
	for _, role := range roles {
		party, _ := role.Party.Value()
		fmt.Println(role.Role, party.CompanyName)
	}
	fmt.Println("removed:", client.Shipments.RemovePartyRole(ctx, shipment, added.ID) == nil)
	// Output:
	// duplicate: true
	// notify_party Lakeside Home Goods
	// removed: true
}

// A container has only one kind of role, the trucker that picks it up.
func ExampleContainersService_AddPartyRole() {
	service, demo, client := simulation()
	ctx, container := context.Background(), containerOf(service, demo.Shipments[0])
	trucker, err := client.Parties.Create(ctx, terminal49.PartyFields{CompanyName: "Bay Drayage"})
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Containers.AddPartyRole(ctx, container, terminal49.PartyRoleConsignee, trucker.ID)
	fmt.Println("not allowed:", errors.Is(err, terminal49.ErrRoleNotAllowed))

	_, err = client.Containers.AddPartyRole(ctx, container, terminal49.PartyRolePickupDrayCarrier, trucker.ID)
	if err != nil {
		log.Fatal(err)
	}
	roles, err := client.Containers.PartyRoles(ctx, container)
	if err != nil {
		log.Fatal(err)
	}
	for _, role := range roles {
		fmt.Println(role.Role, "removed:", client.Containers.RemovePartyRole(ctx, container, role.ID) == nil)
	}
	// Output:
	// not allowed: true
	// pickup_dray_carrier removed: true
}

func ExampleSearchShippingLines() {
	lines := []*terminal49.ShippingLine{ // from ShippingLines.List
		{SCAC: "MSCU", Name: "Mediterranean Shipping Company", ShortName: "MSC", AlternativeSCACs: []string{"MEDU"}},
		{SCAC: "COSU", Name: "COSCO Shipping Lines", ShortName: "COSCO"},
	}
	for _, match := range terminal49.SearchShippingLines(lines, "shipping") {
		fmt.Println(match.SCAC, match.ShortName)
	}
	// Output:
	// COSU COSCO
	// MSCU MSC
}

func ExampleBestShippingLine() {
	lines := []*terminal49.ShippingLine{ // from ShippingLines.List
		{SCAC: "MSCU", Name: "Mediterranean Shipping Company", ShortName: "MSC", AlternativeSCACs: []string{"MEDU"}},
		{SCAC: "COSU", Name: "COSCO Shipping Lines", ShortName: "COSCO"},
	}
	if line, ok := terminal49.BestShippingLine(lines, "medu"); ok {
		fmt.Println("track with", line.SCAC)
	}
	if _, ok := terminal49.BestShippingLine(lines, "shipping"); !ok {
		fmt.Println("which one?")
	}
	// Output:
	// track with MSCU
	// which one?
}

func ExampleShippingLinesService_All() {
	_, _, client := simulation()
	for line, err := range client.ShippingLines.All(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		if line.Supports(terminal49.RequestTypeContainer) {
			fmt.Println(line.SCAC, line.ShortName)
			break
		}
	}
	// Output: CMDU CMA CGM
}

// The rest of a leg from a position of your own, such as one that is newer than the service's.
func ExampleVesselsService_FuturePositionsFrom() {
	service, demo, client := simulation()
	ctx := context.Background()
	m, err := client.Containers.Map(ctx, containerOf(service, demo.Shipments[4]))
	if err != nil {
		log.Fatal(err)
	}
	vessel, _ := m.CurrentVessel()
	leg := terminal49.VesselLeg{PreviousPortID: vessel.Departure.ID, NextPortID: vessel.Arrival.ID}
	position := terminal49.Coordinates{Latitude: 40.2, Longitude: -170}
	ahead, err := client.Vessels.FuturePositionsFrom(ctx, vessel.VesselID, leg, position)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("from", ahead.Positions[0].Latitude, ahead.Positions[0].Longitude)
	// Output: from 40.2 -170
}
