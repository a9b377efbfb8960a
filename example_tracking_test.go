package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// Track needs nothing but a number. When the service is not sure of the shipping line, somebody must be.
func ExampleTrackingRequestsService_Track() {
	service, _, client := simulation()
	service.Script("SHA7781234", terminal49test.Journey{Inference: &terminal49test.Inference{
		NumberType: "bill_of_lading", SCAC: "EGLV", Confidence: 0.81, OtherCandidates: []terminal49test.CarrierCandidate{{SCAC: "ONEY", Confidence: 0.74}},
	}})
	ctx := context.Background()

	request, err := client.TrackingRequests.Track(ctx, "SHA7781234", &terminal49.TrackParams{
		ReferenceNumbers: []string{"PO-10301"},
		Confirm: func(_ context.Context, guess *terminal49.Inference) (string, error) {
			for _, line := range guess.Carrier.Candidates {
				fmt.Printf("%s %.0f %%\n", line.Name, 100*line.Confidence)
			}
			return "ONEY", nil // what the person chose
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(request.SCAC, request.RequestType, request.Status)
	// Output:
	// Evergreen 81 %
	// Ocean Network Express 74 %
	// ONEY bill_of_lading pending
}

// Without somebody to ask, the error carries the candidates.
func ExampleCarrierUndecidedError() {
	service, _, client := simulation()
	service.Script("99887766", terminal49test.Journey{Inference: &terminal49test.Inference{NumberType: "booking", SCAC: "YMLU", Confidence: 0.4}})
	_, err := client.TrackingRequests.Track(context.Background(), "99887766", nil)
	var undecided *terminal49.CarrierUndecidedError
	if errors.As(err, &undecided) {
		fmt.Println(undecided.Inference.Carrier.Decision, undecided.Candidates()[0].Name)
	}
	// Output: no_prediction Yang Ming
}

func ExampleTrackingRequestsService_Infer() {
	_, demo, client := simulation()
	guess, err := client.TrackingRequests.Infer(context.Background(), demo.Untracked)
	if err != nil {
		fmt.Println(err)
		return
	}
	line, _ := guess.Carrier.Selected.Get()
	fmt.Println(guess.NumberType, guess.Carrier.Decision, line.SCAC)
	// Output: bill_of_lading auto_select HLCU
}

// Create is for callers who know the shipping line and the kind of number.
func ExampleTrackingRequestsService_Create() {
	_, demo, client := simulation()
	request, err := client.TrackingRequests.Create(context.Background(), terminal49.TrackingRequestCreate{
		RequestType: terminal49.RequestBillOfLading, RequestNumber: demo.Untracked, SCAC: "HLCU",
		ReferenceNumbers: []string{"PO-10299"}, ShipmentTags: []string{"fall"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(request.Status, request.Shipment.State())
	// Output: pending null
}

// FindOrCreate may be repeated: after a crash, by two workers at once, after an answer that got lost.
func ExampleTrackingRequestsService_FindOrCreate() {
	service, demo, client := simulation()
	service.Fault(terminal49test.Fault{Operation: "tracking_requests.create", Kind: terminal49test.FaultDrop, Acted: true})
	ctx := context.Background()
	request, err := client.TrackingRequests.Prepare(ctx, demo.Untracked, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 2 {
		_, created, err := client.TrackingRequests.FindOrCreate(ctx, request)
		fmt.Println("created:", created, err)
	}
	// Output:
	// created: true <nil>
	// created: false <nil>
}

// Prepare infers without creating, so that somebody can look at it first.
func ExampleTrackingRequestsService_Prepare() {
	_, demo, client := simulation()
	request, err := client.TrackingRequests.Prepare(context.Background(), demo.Untracked, nil)
	fmt.Println(request.RequestType, request.SCAC, err)
	// Output: bill_of_lading HLCU <nil>
}

func ExampleTrackingRequestsService_Wait() {
	service, demo, client := simulation()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	request, err := client.TrackingRequests.Track(ctx, demo.Untracked, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	request, err = client.TrackingRequests.Wait(ctx, request.ID, &terminal49.WaitParams{
		MinInterval: time.Millisecond, // leave it out with the real service
		OnPoll: func(r *terminal49.TrackingRequest) {
			fmt.Println(r.Status)
			service.Advance(time.Minute)
		},
	})
	var failed *terminal49.TrackingFailedError
	switch {
	case errors.As(err, &failed):
		fmt.Println("failed:", failed.Reason(), "permanent:", failed.Permanent())
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
	fmt.Println(errors.As(err, &failed), failed.Reason(), failed.Permanent())
	// Output: true not_found true
}

func ExampleTrackingRequestsService_Get() {
	service, _, client := simulation()
	id := service.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU240799001", SCAC: "MAEU"})
	request, err := client.TrackingRequests.Get(context.Background(), id, nil)
	fmt.Println(request.RequestNumber, request.Status, err)
	// Output: MAEU240799001 pending <nil>
}

func ExampleTrackingRequestsService_Update() {
	service, _, client := simulation()
	id := service.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU240799001", SCAC: "MAEU"})
	request, err := client.TrackingRequests.Update(context.Background(), id, terminal49.TrackingRequestUpdate{
		ReferenceNumber: terminal49.Some("PO-10310"),
	})
	fmt.Println(request.ReferenceNumbers, err)
	// Output: [PO-10310] <nil>
}

func ExampleTrackingRequestsService_List() {
	_, _, client := simulation()
	page, err := client.TrackingRequests.List(context.Background(), &terminal49.TrackingRequestListParams{SCAC: "EGLV"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, request := range page.Items {
		fmt.Println(request.RequestNumber, request.Status)
	}
	// Output: EGLV240803771 created
}

func ExampleTrackingRequestsService_Pages() {
	_, _, client := simulation()
	for page, err := range client.TrackingRequests.Pages(context.Background(), nil) {
		fmt.Println(len(page.Items), err)
	}
	// Output: 6 <nil>
}

// What failed this week and may work later.
func ExampleTrackingRequestsService_All() {
	service, _, client := simulation()
	for number, reason := range map[string]string{"MAEU1000001": "not_found", "MAEU1000002": "shipping_line_unreachable"} {
		service.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: number, SCAC: "MAEU", Status: "failed", FailedReason: reason})
	}
	params := &terminal49.TrackingRequestListParams{Status: terminal49.TrackingFailed, CreatedFrom: service.Now().AddDate(0, 0, -7)}
	for request, err := range client.TrackingRequests.All(context.Background(), params) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if request.FailedReason.Temporary() {
			fmt.Println(request.RequestNumber, request.FailedReason)
		}
	}
	// Output: MAEU1000002 shipping_line_unreachable
}

// Containers are found by number with a filter; their id is what all other calls take.
func ExampleContainersService_All() {
	_, _, client := simulation()
	params := &terminal49.ContainerListParams{Number: "MSKU7182047"}
	for container, err := range client.Containers.All(context.Background(), params) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(container.Number, container.CurrentStatus, container.PickupLFD)
	}
	// Output: MSKU7182047 available 2024-07-04 00:00 PDT
}

func ExampleContainersService_List() {
	_, _, client := simulation()
	page, err := client.Containers.List(context.Background(), &terminal49.ContainerListParams{PageParams: terminal49.PageParams{PageSize: 3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(page.Items), "of", page.Total, "more:", page.HasNext())
	// Output: 3 of 8 more: true
}

func ExampleContainersService_Pages() {
	_, _, client := simulation()
	params := &terminal49.ContainerListParams{PageParams: terminal49.PageParams{PageSize: 5}}
	for page, err := range client.Containers.Pages(context.Background(), params) {
		fmt.Println(len(page.Items), err)
	}
	// Output:
	// 5 <nil>
	// 3 <nil>
}

// aContainer is the id of the demo's first container.
func aContainer(service *terminal49test.Server, demo terminal49test.Demo) string {
	return service.ContainerIDs(demo.Shipments[0])[0]
}

func ExampleContainersService_Get() {
	service, demo, client := simulation()
	container, err := client.Containers.Get(context.Background(), aContainer(service, demo), &terminal49.ContainerGetParams{
		Include: []terminal49.ContainerInclude{terminal49.ContainerIncludePickupFacility, terminal49.ContainerIncludeShipment},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if terminal, ok := container.PickupFacility.Value(); ok {
		fmt.Println(container.Number, "stands at", terminal.Nickname, container.LocationAtPODTerminal)
	}
	fmt.Println("discharged", container.PODDischargedAt)
	// Output:
	// MSKU7182047 stands at WBCT Y4-117-C
	// discharged 2024-06-30 06:00 PDT
}

func ExampleContainersService_Update() {
	service, demo, client := simulation()
	container, err := client.Containers.Update(context.Background(), aContainer(service, demo), terminal49.ContainerUpdate{
		ReferenceNumbers: terminal49.Some([]string{"PO-10231", "DOCK-7"}),
	})
	fmt.Println(container.ReferenceNumbers, err)
	// Output: [PO-10231 DOCK-7] <nil>
}

// Refreshing is for the moment before a truck is sent.
func ExampleContainersService_Refresh() {
	service, demo, client := simulation()
	message, err := client.Containers.Refresh(context.Background(), aContainer(service, demo))
	if errors.Is(err, terminal49.ErrFeatureNotEnabled) {
		fmt.Println("the account has to do without")
		return
	}
	fmt.Println(message, err)
	// Output: Started refresh for Shipping line, Terminal <nil>
}

// Events come in no order: sort them by their time.
func ExampleContainersService_TransportEvents() {
	service, demo, client := simulation()
	events, err := client.Containers.TransportEvents(context.Background(), aContainer(service, demo), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	slices.SortFunc(events, func(a, b *terminal49.TransportEvent) int {
		at, _ := a.Timestamp.Instant()
		bt, _ := b.Timestamp.Instant()
		return at.Compare(bt)
	})
	for _, event := range events {
		switch event.Event {
		case terminal49.EventVesselDeparted, terminal49.EventVesselArrived, terminal49.EventVesselDischarged:
			fmt.Println(event.LocationLOCODE, event.Event, event.Timestamp)
		}
	}
	// Output:
	// CNSHA container.transport.vessel_departed 2024-06-12 15:00 CST
	// USLAX container.transport.vessel_arrived 2024-06-29 18:00 PDT
	// USLAX container.transport.vessel_discharged 2024-06-30 06:00 PDT
}

func ExampleContainersService_RawEvents() {
	service, demo, client := simulation()
	events, err := client.Containers.RawEvents(context.Background(), aContainer(service, demo))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, event := range events {
		if event.Event == terminal49.RawVesselDischarged {
			fmt.Printf("%q at %s\n", event.OriginalEvent, event.LocationName)
		}
	}
	// Output: "Vessel discharged" at Los Angeles
}
