package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/go-freight/terminal49"
)

// Create, rename and read a party. The company name is unique within the account.
func ExamplePartiesService() {
	_, _, client := simulation()
	ctx := context.Background()

	party, err := client.Parties.Create(ctx, terminal49.PartyCreate{CompanyName: "Bay Bridge Coffee"})
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Parties.Create(ctx, terminal49.PartyCreate{CompanyName: "Bay Bridge Coffee"})
	fmt.Println("duplicate:", errors.Is(err, terminal49.ErrDuplicate))

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

// List the shipping lines that cannot track by container number.
func ExampleShippingLinesService_List() {
	_, _, client := simulation()
	lines, err := client.ShippingLines.List(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, line := range lines {
		if !line.Supports(terminal49.RequestContainer) {
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
