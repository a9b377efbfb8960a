package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// Track needs only a number, and can run twice: the second call finds what the first one created.
func ExampleTrackingRequestsService_Track() {
	_, demo, client := simulation()
	for range 2 {
		tracked, err := client.TrackingRequests.Track(context.Background(), demo.Untracked, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(tracked.Request.SCAC, tracked.Request.Status, tracked.Result)
	}
	// Output:
	// HLCU pending created
	// HLCU pending existing
}

// A container that its bill of lading tracks is found, not tracked a second time.
func ExampleTrackingRequestsService_Track_container() {
	_, _, client := simulation()
	tracked, err := client.TrackingRequests.Track(context.Background(), "MSKU7182047", nil)
	if err != nil {
		log.Fatal(err)
	}
	if tracked.Result == terminal49.TrackResultContainerTracked { // there is a Container, but no Request
		shipment, _ := tracked.Container.Shipment.Value()
		fmt.Println(tracked.Number, "is on", shipment.BillOfLadingNumber)
	}
	// Output: MSKU7182047 is on MAEU240711002
}

// Confirm decides when the service is not sure of the shipping line.
func ExampleTrackingRequestsService_Track_confirm() {
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

// Without Confirm, the error carries the candidates.
func ExampleCarrierUndecidedError() {
	service, _, client := simulation()
	service.Script("99887766", terminal49test.Journey{
		Inference: &terminal49test.Inference{NumberType: "booking", SCAC: "YMLU", Confidence: 0.4},
	})
	_, err := client.TrackingRequests.Track(context.Background(), "99887766", nil)
	var undecided *terminal49.CarrierUndecidedError
	if errors.As(err, &undecided) {
		fmt.Println(undecided.Inference.Carrier.Decision, undecided.Candidates()[0].Name)
	}
	// Output: no_prediction Yang Ming
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

// The rows of a file have more than a number. What a row lacks is inferred.
func ExampleTrackingRequestsService_TrackAll_rows() {
	_, _, client := simulation()
	rows := []terminal49.TrackingRequestCreate{
		{
			RequestNumber: "MAEU240711301", RequestType: terminal49.RequestTypeBillOfLading, SCAC: "MAEU",
			ReferenceNumbers: []string{"PO-20117"}, ShipmentTags: []string{"fall"},
		},
		{RequestNumber: "HLCU240655872", ReferenceNumbers: []string{"PO-20118"}},
	}
	for outcome := range client.TrackingRequests.TrackAll(context.Background(), slices.Values(rows), nil) {
		if outcome.Err != nil {
			fmt.Println(outcome.Number, outcome.Err)
			continue
		}
		fmt.Println(outcome.Number, outcome.Result, outcome.Request.SCAC, outcome.Request.ReferenceNumbers)
	}
	// Output:
	// MAEU240711301 created MAEU [PO-20117]
	// HLCU240655872 created HLCU [PO-20118]
}

// Infer predicts the kind of a number and its shipping line.
func ExampleTrackingRequestsService_Infer() {
	_, demo, client := simulation()
	guess, err := client.TrackingRequests.Infer(context.Background(), demo.Untracked)
	if err != nil {
		log.Fatal(err)
	}
	line, _ := guess.Carrier.Selected.Get()
	fmt.Println(guess.NumberType, guess.Carrier.Decision, line.SCAC)
	// Output: bill_of_lading auto_select HLCU
}

func ExampleTrackingRequestsService_Wait() {
	service, demo, client := simulation()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	tracked, err := client.TrackingRequests.Track(ctx, demo.Untracked, nil)
	if err != nil {
		log.Fatal(err)
	}
	request, err := client.TrackingRequests.Wait(ctx, tracked.Request.ID, &terminal49.WaitParams{
		MinInterval: time.Millisecond, // leave it out with the real service
		OnPoll: func(r *terminal49.TrackingRequest) {
			fmt.Println(r.Status)
			service.Advance(time.Minute)
		},
	})
	var failed *terminal49.TrackingFailedError
	switch {
	case errors.As(err, &failed):
		fmt.Println("failed:", failed.Reason(), "permanent:", failed.Reason().Permanent())
	case err != nil:
		fmt.Println(err)
	default:
		shipment, _ := request.Shipment.Value()
		fmt.Println(shipment.Containers.Len(), "containers")
	}
	// Output:
	// pending
	// created
	// 2 containers
}

func ExampleTrackingFailedError() {
	service, _, client := simulation()
	id := service.AddTrackingRequest(terminal49test.TrackingRequest{
		RequestNumber: "MAEU999999999", SCAC: "MAEU", Status: "failed", FailedReason: "not_found",
	})
	_, err := client.TrackingRequests.Wait(context.Background(), id, nil)
	var failed *terminal49.TrackingFailedError
	if errors.As(err, &failed) {
		fmt.Println(failed.Reason(), "permanent:", failed.Reason().Permanent())
	}
	// Output: not_found permanent: true
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

// The numbers of a sheet, in any spelling, with repetitions. Each has an outcome of its own.
func ExampleContainersService_FindByNumbers() {
	_, _, client := simulation()
	numbers := []string{"MSKU7182047", "medu 330918-8", "MSKU0000002", "total", "MSKU-7182047"}
	for found := range client.Containers.FindByNumbers(context.Background(), numbers, nil) {
		if found.Err != nil {
			fmt.Println(found.Number, "is not a container number")
			continue
		}
		for _, container := range found.Containers {
			fmt.Println(found.Number, container.CurrentStatus)
		}
		if len(found.Containers) == 0 {
			fmt.Println(found.Number, "is not tracked")
		}
	}
	// Output:
	// MSKU7182047 available
	// medu 330918-8 not_available
	// MSKU0000002 is not tracked
	// total is not a container number
	// MSKU-7182047 available
}

func ExampleContainersService_All() {
	_, _, client := simulation()
	params := &terminal49.ContainerListParams{Number: "MSKU7182047"}
	for container, err := range client.Containers.All(context.Background(), params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(container.Number, container.CurrentStatus, container.PickupLFD)
	}
	// Output: MSKU7182047 available 2024-07-04 00:00 -07:00
}

// What a dispatcher must collect this week at one port. The filters are newer than the service's
// published description: the client reports one that the service ignores.
func ExampleContainersService_All_filter() {
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

// How many containers wait at each terminal, in one request.
func ExampleContainersService_Summary() {
	_, _, client := simulation()
	summary, err := client.Containers.Summary(context.Background(), terminal49.GroupByPODTerminal, terminal49.DashboardDischarged())
	if err != nil {
		log.Fatal(err)
	}
	for _, group := range summary.Groups {
		fmt.Println(group.Label.Or("(terminal not known)"), group.Count)
	}
	fmt.Println("in all", summary.Total)
	// Output:
	// West Basin Container Terminal 2
	// Garden City Terminal 1
	// APM Terminals Los Angeles 1
	// Long Beach Container Terminal 1
	// in all 5
}

// An older service ignores filters that it does not have, and returns every container.
func ExampleFilterIgnoredError() {
	srv := terminal49test.NewServer(terminal49test.WithoutAutumn2026())
	defer srv.Close()
	srv.AddContainer(terminal49test.Container{Number: "MSKU7182047"}) // without holds
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL))
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Containers.List(context.Background(), &terminal49.ContainerListParams{
		Filter: terminal49.ContainerFilter{HasHolds: terminal49.Some(true)},
	})
	var ignored *terminal49.FilterIgnoredError
	fmt.Println(errors.As(err, &ignored), ignored.Filter)
	// Output: true filter[has_holds]
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

func ExampleSumContainerFees() {
	container := &terminal49.Container{
		Fees: []terminal49.Fee{},
		PODTerminal: terminal49.Included("7e4557b9-cc5a-4298-aaec-1a32e90202c9", &terminal49.Terminal{
			ProvidedData: terminal49.ProvidedData{"fees_at_pod_terminal": {Reported: terminal49.Some(false)}},
		}),
	}
	fmt.Println(terminal49.SumFees(container.Fees))
	fmt.Println(terminal49.SumContainerFees(container)) // the terminal never reports fees
	// Output:
	// no fees
	// fees not reported
}
