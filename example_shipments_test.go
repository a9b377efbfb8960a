package terminal49_test

import (
	"context"
	"fmt"
	"log"

	"github.com/go-freight/terminal49"
)

func ExampleShipmentsService_All() {
	_, _, client := simulation()
	params := &terminal49.ShipmentListParams{TrackingStopped: terminal49.Some(false)}
	for shipment, err := range client.Shipments.All(context.Background(), params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(shipment.BillOfLadingNumber, shipment.CustomerName, shipment.ReferenceNumbers)
		if shipment.ShippingLineSCAC == "CMDU" {
			break // no further page is fetched
		}
	}
	// Output:
	// COSU240377906 Lakeside Home Goods [PO-7733]
	// EGLV240803771 Harbor Street Imports [PO-10260]
	// CMDU240512339 Lakeside Home Goods [PO-7702]
}

func ExampleShipmentsService_All_filter() {
	_, _, client := simulation()
	params := &terminal49.ShipmentListParams{
		Filter: terminal49.ShipmentFilter{VoyageStatus: terminal49.VoyageOnShip, PODCode: []string{"USLAX", "USLGB"}},
		Sort:   terminal49.ShipmentSortPODArrival,
	}
	for shipment, err := range client.Shipments.All(context.Background(), params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(shipment.BillOfLadingNumber, shipment.PODETA)
	}
	// Output:
	// COSU240377906 2024-07-04 06:05 -07:00
	// EGLV240803771 2024-07-11 06:04 -07:00
}

func ExampleShipmentsService_List() {
	_, _, client := simulation()
	page, err := client.Shipments.List(context.Background(), &terminal49.ShipmentListParams{
		PageParams: terminal49.PageParams{PageSize: 4},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(page.Items), "of", page.Total, "more:", page.HasNext())
	// Output: 4 of 6 more: true
}

func ExampleShipmentsService_Pages() {
	_, _, client := simulation()
	params := &terminal49.ShipmentListParams{PageParams: terminal49.PageParams{PageSize: 4}}
	for page, err := range client.Shipments.Pages(context.Background(), params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(page.Items), "shipments")
	}
	// Output:
	// 4 shipments
	// 2 shipments
}

// A relationship has a value if its resource was included in the response.
func ExampleShipmentsService_Get() {
	_, demo, client := simulation()
	shipment, err := client.Shipments.Get(context.Background(), demo.Shipments[5], &terminal49.ShipmentGetParams{
		Include: []terminal49.ShipmentInclude{
			terminal49.ShipmentIncludePortOfDischarge, terminal49.ShipmentIncludeDestination,
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	if port, ok := shipment.PortOfDischarge.Value(); ok {
		fmt.Println(port.Name, port.LOCODE)
	}
	if place, ok := shipment.Destination.Value(); ok {
		switch p := place.(type) {
		case *terminal49.Port:
			fmt.Println("port", p.Name)
		case *terminal49.MetroArea:
			fmt.Println("inland", p.Name)
		}
	}
	fmt.Println("containers:", shipment.Containers.State())
	// Output:
	// Los Angeles USLAX
	// inland Chicago
	// containers: linked
}

// An update changes the fields that are set. The reference numbers are not set here and stay
// unchanged.
func ExampleShipmentsService_Update() {
	_, demo, client := simulation()
	shipment, err := client.Shipments.Update(context.Background(), demo.Shipments[0], terminal49.ShipmentUpdate{
		Tags: terminal49.Some([]string{"spring", "urgent"}),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(shipment.Tags, shipment.ReferenceNumbers)
	// Output: [spring urgent] [PO-10231]
}

// Stop the tracking of a shipment and resume it.
func ExampleShipmentsService_StopTracking() {
	_, demo, client := simulation()
	ctx := context.Background()
	shipment, err := client.Shipments.StopTracking(ctx, demo.Shipments[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("stopped", shipment.LineTrackingStoppedAt, shipment.LineTrackingStoppedReason)

	shipment, err = client.Shipments.ResumeTracking(ctx, demo.Shipments[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("tracked:", shipment.LineTrackingStoppedAt.IsZero())
	// Output:
	// stopped 2024-07-01 20:00 UTC cancelled_by_user
	// tracked: true
}

// What happened while tracking was stopped is not added later.
func ExampleShipmentsService_ResumeTracking() {
	_, demo, client := simulation()
	shipment, err := client.Shipments.ResumeTracking(context.Background(), demo.Shipments[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("tracked:", shipment.LineTrackingStoppedAt.IsZero())
	// Output: tracked: true
}

func ExampleAssessShipmentIncludes() {
	service, demo, client := simulation()
	params := &terminal49.ShipmentGetParams{Include: terminal49.AssessShipmentIncludes()}
	shipment, err := client.Shipments.Get(context.Background(), demo.Shipments[0], params)
	if err != nil {
		log.Fatal(err)
	}
	containers, _ := shipment.Containers.Values()
	for _, container := range containers {
		fmt.Println(container.Number, terminal49.Assess(container, service.Now(), terminal49.VerdictOptions{}).Situation)
	}
	// Output:
	// MSKU7182047 ready
	// MSKU7182411 ready
}
