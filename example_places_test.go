package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// voyages is a simulated service with a seeded world, whose clock stands at noon of 2 March 2026 in Los Angeles.
func voyages(opts ...terminal49test.Option) (*terminal49test.Server, terminal49test.Demo, *terminal49.Client) {
	noon := time.Date(2026, time.March, 2, 20, 0, 0, 0, time.UTC)
	srv := terminal49test.NewServer(append(opts,
		terminal49test.WithoutSocket(), terminal49test.WithStart(noon), terminal49test.WithSpeed(0))...)
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()))
	if err != nil {
		log.Fatal(err)
	}
	return srv, srv.SeedDemo(), client
}

func ExamplePartiesService_Create() {
	srv, _, client := voyages()
	defer srv.Close()
	ctx := context.Background()

	party, err := client.Parties.Create(ctx, terminal49.PartyCreate{CompanyName: "Bay Bridge Coffee"})
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Parties.Create(ctx, terminal49.PartyCreate{CompanyName: "Bay Bridge Coffee"})
	fmt.Println("again:", errors.Is(err, terminal49.ErrInvalid))

	rename := terminal49.PartyUpdate{CompanyName: terminal49.Some("Bay Bridge Tea")}
	if _, err := client.Parties.Update(ctx, party.ID, rename); err != nil {
		log.Fatal(err)
	}
	party, err = client.Parties.Get(ctx, party.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("renamed:", party.CompanyName)
	// Output:
	// again: true
	// renamed: Bay Bridge Tea
}

func ExamplePartiesService_All() {
	srv, _, client := voyages()
	defer srv.Close()
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

func ExamplePartiesService_List() {
	srv, _, client := voyages()
	defer srv.Close()
	ctx := context.Background()
	params := &terminal49.PartyListParams{PageParams: terminal49.PageParams{PageSize: 1}}
	page, err := client.Parties.List(ctx, params)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d of %v\n", len(page.Items), page.Total)
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

func ExamplePortsService_Get() {
	srv, _, client := voyages()
	defer srv.Close()
	ctx := context.Background()
	port, err := client.Ports.Get(ctx, "USLAX")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(port.Name, port.TimeZone)
	for _, id := range port.Terminals.IDs() {
		terminal, err := client.Terminals.Get(ctx, id)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("-", terminal.Nickname)
	}
	// Output:
	// Los Angeles America/Los_Angeles
	// - WBCT
	// - APMT LA
}

func ExampleMetroAreasService_Get() {
	srv, _, client := voyages()
	defer srv.Close()
	area, err := client.MetroAreas.Get(context.Background(), "USCHI")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(area.Name, area.StateAbbr, area.TimeZone)
	// Output: Chicago IL America/Chicago
}

func ExampleVesselsService_GetByIMO() {
	srv, _, client := voyages()
	defer srv.Close()
	ctx := context.Background()
	vessel, err := client.Vessels.GetByIMO(ctx, "9708851", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(vessel.Name, "was seen", vessel.PositionTimestamp)

	// Where it has been is a paid feature.
	params := &terminal49.VesselGetParams{PositionsFrom: srv.Now().Add(-24 * time.Hour), PositionsTo: srv.Now()}
	vessel, err = client.Vessels.Get(ctx, vessel.ID, params)
	switch {
	case errors.Is(err, terminal49.ErrFeatureNotEnabled):
		fmt.Println("the account has no Routing Data")
	case err != nil:
		log.Fatal(err)
	default:
		fmt.Println(len(vessel.Positions), "positions in the last day")
	}
	// Output:
	// NORTHERN JUBILEE was seen 2026-03-02 20:00 UTC
	// 25 positions in the last day
}

func ExampleContainersService_Map() {
	srv, world, client := voyages()
	defer srv.Close()
	m, err := client.Containers.Map(context.Background(), srv.ContainerIDs(world.Shipments[4])[0])
	if errors.Is(err, terminal49.ErrFeatureNotEnabled) {
		fmt.Println("the account has no Routing Data")
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	for _, port := range m.Ports() {
		fmt.Printf("%s %s: in %v, out %v\n", port.Label, port.Name, port.InboundATA, port.OutboundATD)
	}
	if vessel, atSea := m.CurrentVessel(); atSea {
		fmt.Printf("%s is due in %s on %v\n", vessel.Name, vessel.Arrival.Name, vessel.Arrival.At)
	}
	// Output:
	// POL Shanghai: in -, out 2026-02-23 03:04 CST
	// TS1 Busan: in 2026-02-27 04:04 KST, out 2026-03-01 04:04 KST
	// POD Los Angeles: in -, out -
	// NORTHERN JUBILEE is due in Los Angeles on 2026-03-12 06:04 PDT
}

func ExampleVesselsService_FuturePositions() {
	srv, world, client := voyages()
	defer srv.Close()
	ctx := context.Background()
	m, err := client.Containers.Map(ctx, srv.ContainerIDs(world.Shipments[4])[0])
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
	fmt.Println("there on", ahead.Positions[len(ahead.Positions)-1].Timestamp)

	// The same from a place of your own, say one that the captain told you.
	told := terminal49.Coordinates{Latitude: 40.2, Longitude: -170}
	ahead, err = client.Vessels.FuturePositionsFrom(ctx, vessel.VesselID, leg, told)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("from", ahead.Positions[0].Latitude, ahead.Positions[0].Longitude)
	// Output:
	// there on 2026-03-12 13:04 UTC
	// from 40.2 -170
}

func ExampleSearchService_Query() {
	srv, _, client := voyages()
	defer srv.Close()
	hits, err := client.Search.Query(context.Background(), "PO-10231")
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range hits {
		switch hit.Kind() {
		case terminal49.SearchShipment:
			fmt.Println("shipment", hit.Number, "to", hit.PortOfDischargeName)
		case terminal49.SearchContainer:
			fmt.Println("container", hit.Number)
		case terminal49.SearchTrackingRequest:
			fmt.Println("tracking request", hit.Number, hit.Status)
		}
	}
	// Output:
	// shipment MAEU240711002 to Los Angeles
	// container MSKU7182411
	// container MSKU7182047
}
