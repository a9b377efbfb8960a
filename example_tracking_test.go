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

// Track a number and wait until its shipment is known. Running this twice creates one tracking
// request.
func ExampleTrackingRequestsService_Track() {
	service, demo, client := simulation()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	tracked, err := client.TrackingRequests.Track(ctx, demo.Untracked, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tracked.Request.SCAC, tracked.Request.RequestType, tracked.Result)

	service.Advance(time.Minute) // the simulated time that the shipping line takes
	request, err := client.TrackingRequests.Wait(ctx, tracked.Request.ID, nil)
	if err != nil {
		log.Fatal(err)
	}
	if shipment, ok := request.Shipment.Value(); ok {
		fmt.Println(shipment.BillOfLadingNumber, "to", shipment.PortOfDischargeName)
	}
	// Output:
	// HLCU bill_of_lading created
	// HLCUSHA2406118 to New York / New Jersey
}

// Confirm decides when the service is not sure of the shipping line.
func ExampleTrackParams() {
	service, _, client := simulation()
	service.Script("SHA7781234", terminal49test.Journey{Inference: &terminal49test.Inference{
		NumberType: "bill_of_lading", SCAC: "EGLV", Confidence: 0.81,
		OtherCandidates: []terminal49test.CarrierCandidate{{SCAC: "ONEY", Confidence: 0.74}},
	}})

	tracked, err := client.TrackingRequests.Track(context.Background(), "SHA7781234", &terminal49.TrackParams{
		ReferenceNumbers: []string{"PO-10301"},
		Confirm: func(_ context.Context, guess *terminal49.Inference) (string, error) {
			for _, line := range guess.Carrier.Candidates {
				fmt.Printf("%s %.0f %%\n", line.Name, 100*line.Confidence)
			}
			return "ONEY", nil // the user's choice
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tracked.Request.SCAC, tracked.Request.RequestType, tracked.Request.Status)
	// Output:
	// Evergreen 81 %
	// Ocean Network Express 74 %
	// ONEY bill_of_lading pending
}

// TrackAll tracks a list of numbers within the rate limits and yields one outcome per number.
func ExampleTrackingRequestsService_TrackAll() {
	_, _, client := simulation()
	numbers := []string{"MAEU240711301", "MSKU7182047", "MSKU7182048", "99887766", "MAEU240711301"}

	for outcome := range client.TrackingRequests.TrackAll(context.Background(), terminal49.NumbersToTrack(numbers...), nil) {
		switch outcome.Result {
		case terminal49.TrackResultCreated, terminal49.TrackResultExisting, terminal49.TrackResultFoundAfterUnknown:
			fmt.Println(outcome.Number, outcome.Result, "at", outcome.Request.SCAC)
		case terminal49.TrackResultContainerTracked:
			fmt.Println(outcome.Number, "is tracked by its bill of lading")
		case terminal49.TrackResultNeedsConfirmation:
			fmt.Println(outcome.Number, "has", len(outcome.Candidates), "candidates")
		case terminal49.TrackResultInvalid:
			fmt.Println(outcome.Number, "is invalid") // the reason is outcome.Reason
		default:
			fmt.Println(outcome.Number, "failed:", outcome.Err)
		}
	}
	// Output:
	// MAEU240711301 created at MAEU
	// MSKU7182047 is tracked by its bill of lading
	// MSKU7182048 is invalid
	// 99887766 has 0 candidates
	// MAEU240711301 existing at MAEU
}

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

// A number names a piece of equipment. Each of its tracked voyages is a separate container.
func ExampleContainersService_FindByNumber() {
	_, _, client := simulation()
	params := &terminal49.ContainerGetParams{
		Include: []terminal49.ContainerInclude{terminal49.ContainerIncludePODTerminal},
	}
	found, err := client.Containers.FindByNumber(context.Background(), "msku 718204-7", params)
	if err != nil {
		log.Fatal(err)
	}
	for _, container := range found {
		terminal, _ := container.PODTerminal.Value()
		fmt.Println(container.Number, container.CurrentStatus, "at", terminal.Nickname)
	}
	// Output: MSKU7182047 available at WBCT
}

// What a dispatcher must collect this week at one port. The filters are newer than the service's
// published description: the client reports one that the service ignores.
func ExampleContainersService_All() {
	_, _, client := simulation()
	params := &terminal49.ContainerListParams{
		Include: []terminal49.ContainerInclude{terminal49.ContainerIncludeShipment}, // so that PODCode is checked
		Filter: terminal49.ContainerFilter{
			PODCode:       []string{"USLAX", "USLGB"},
			CurrentStatus: []terminal49.ContainerStatus{terminal49.StatusAvailable},
			PickupLFD: terminal49.DateRange{
				From: terminal49.Date{Year: 2024, Month: time.July, Day: 1},
				To:   terminal49.Date{Year: 2024, Month: time.July, Day: 5},
			},
		},
		Sort: []terminal49.ContainerSort{terminal49.ContainerSortPickupLFD},
	}
	for container, err := range client.Containers.All(context.Background(), params) {
		var ignored *terminal49.FilterIgnoredError
		if errors.As(err, &ignored) {
			log.Fatalf("filter on this side instead: the service does not have %s", ignored.Filter)
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(container.Number, container.PickupLFD)
	}
	// Output:
	// MSKU7182411 2024-07-04 00:00 -07:00
	// MSKU7182047 2024-07-04 00:00 -07:00
}

// Watch polls with growing intervals and yields what changed since the reading that was kept.
func ExampleContainersService_Watch() {
	service, demo, client := simulation()
	ctx := context.Background()
	id := containerOf(service, demo.Shipments[1])
	stored, err := client.Containers.Get(ctx, id, nil)
	if err != nil {
		log.Fatal(err)
	}
	service.UpdateContainer(id, func(c *terminal49test.Container) { // meanwhile, at the terminal
		c.Holds, c.AvailableForPickup = nil, terminal49test.Bool(true)
	})

	for change, err := range client.Containers.Watch(ctx, id, &terminal49.ContainerWatchParams{LastReading: stored}) {
		if err != nil {
			log.Fatal(err)
		}
		meaning := change.Changes()
		for _, hold := range meaning.Holds {
			fmt.Println(change.After.Number, "hold", hold.Old.Name, hold.Kind)
		}
		if meaning.BecameReady() {
			fmt.Println(change.After.Number, "can be picked up")
			break
		}
	}
	// Output:
	// MEDU3309188 hold customs cleared
	// MEDU3309188 can be picked up
}

// The map needs the Routing Data feature.
func ExampleContainersService_Map() {
	service, demo, client := simulation()
	m, err := client.Containers.Map(context.Background(), containerOf(service, demo.Shipments[4]))
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
	// POL Shanghai: in -, out 2024-06-24 03:04 +08:00
	// TS1 Busan: in 2024-06-28 04:04 +09:00, out 2024-06-30 04:04 +09:00
	// POD Los Angeles: in -, out -
	// NORTHERN JUBILEE is due in Los Angeles on 2024-07-11 06:04 -07:00
}
