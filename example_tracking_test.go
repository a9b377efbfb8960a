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

// An interrupted run resumes after the numbers that the caller has recorded as done.
func ExampleTrackingRequestsService_TrackAll_resume() {
	_, _, client := simulation()
	numbers := []string{"MAEU240711301", "MAEU240711302", "MAEU240711303", "MAEU240711304"}
	done := map[string]bool{"MAEU240711301": true, "MAEU240711303": true} // kept from the last run

	params := &terminal49.TrackAllParams{
		Concurrency: 4,
		Skip:        func(_ int, number string) bool { return done[number] },
		OnProgress:  func(p terminal49.TrackProgress) { fmt.Printf("%d of %d\n", p.Done(), len(numbers)) },
	}
	for outcome := range client.TrackingRequests.TrackAll(context.Background(), terminal49.NumbersToTrack(numbers...), params) {
		fmt.Println(outcome.Index, outcome.Number, outcome.Result)
	}
	// Output:
	// 1 of 4
	// 2 of 4
	// 3 of 4
	// 1 MAEU240711302 created
	// 4 of 4
	// 3 MAEU240711304 created
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

// Create is for callers who know the shipping line and the kind of number.
func ExampleTrackingRequestsService_Create() {
	_, demo, client := simulation()
	request, err := client.TrackingRequests.Create(context.Background(), terminal49.TrackingRequestCreate{
		RequestType: terminal49.RequestTypeBillOfLading, RequestNumber: demo.Untracked, SCAC: "HLCU",
		ReferenceNumbers: []string{"PO-10299"}, ShipmentTags: []string{"fall"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(request.Status, request.Shipment.State())
	// Output: pending null
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

// WaitAll reads many requests with each poll of the list.
func ExampleTrackingRequestsService_WaitAll() {
	service, _, client := simulation()
	var ids []string
	for _, request := range []terminal49test.TrackingRequest{
		{RequestNumber: "MAEU1000001", SCAC: "MAEU", Status: "created"},
		{RequestNumber: "MAEU1000002", SCAC: "MAEU", Status: "failed", FailedReason: "not_found"},
		{RequestNumber: "MAEU240711302", SCAC: "MAEU"},
	} {
		ids = append(ids, service.AddTrackingRequest(request))
	}
	params := &terminal49.WaitParams{
		MinInterval: time.Millisecond, // leave it out with the real service
		OnPoll:      func(*terminal49.TrackingRequest) { service.Advance(time.Minute) },
	}
	for outcome := range client.TrackingRequests.WaitAll(context.Background(), ids, params) {
		var failed *terminal49.TrackingFailedError
		switch {
		case errors.As(outcome.Err, &failed):
			fmt.Println(failed.Request.RequestNumber, "failed:", failed.Reason())
		case outcome.Err != nil:
			fmt.Println(outcome.ID, outcome.Err)
		default:
			fmt.Println(outcome.Request.RequestNumber, outcome.Request.Status)
		}
	}
	// Unordered output:
	// MAEU1000001 created
	// MAEU1000002 failed: not_found
	// MAEU240711302 created
}

func ExampleTrackingFailedError() {
	service, _, client := simulation()
	id := service.AddTrackingRequest(terminal49test.TrackingRequest{
		RequestNumber: "MAEU999999999", SCAC: "MAEU", Status: "failed", FailedReason: "not_found",
	})
	_, err := client.TrackingRequests.Wait(context.Background(), id, nil)
	var failed *terminal49.TrackingFailedError
	if errors.As(err, &failed) {
		fmt.Println(failed.Reason(), "permanent:", failed.Permanent())
	}
	// Output: not_found permanent: true
}

func ExampleTrackingRequestsService_Get() {
	service, _, client := simulation()
	id := service.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU240799001", SCAC: "MAEU"})
	request, err := client.TrackingRequests.Get(context.Background(), id, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(request.RequestNumber, request.Status)
	// Output: MAEU240799001 pending
}

func ExampleTrackingRequestsService_Update() {
	service, _, client := simulation()
	id := service.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU240799001", SCAC: "MAEU"})
	request, err := client.TrackingRequests.Update(context.Background(), id, terminal49.TrackingRequestUpdate{
		ReferenceNumber: terminal49.Some("PO-10310"),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(request.ReferenceNumbers)
	// Output: [PO-10310]
}

func ExampleTrackingRequestsService_List() {
	_, _, client := simulation()
	page, err := client.TrackingRequests.List(context.Background(), &terminal49.TrackingRequestListParams{SCAC: "EGLV"})
	if err != nil {
		log.Fatal(err)
	}
	for _, request := range page.Items {
		fmt.Println(request.RequestNumber, request.Status)
	}
	// Output: EGLV240803771 created
}

func ExampleTrackingRequestsService_Pages() {
	_, _, client := simulation()
	for page, err := range client.TrackingRequests.Pages(context.Background(), nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(page.Items), "requests")
	}
	// Output: 6 requests
}

// List what failed this week and may work later.
func ExampleTrackingRequestsService_All() {
	service, _, client := simulation()
	for number, reason := range map[string]string{
		"MAEU1000001": "not_found", "MAEU1000002": "shipping_line_unreachable",
	} {
		service.AddTrackingRequest(terminal49test.TrackingRequest{
			RequestNumber: number, SCAC: "MAEU", Status: "failed", FailedReason: reason,
		})
	}
	params := &terminal49.TrackingRequestListParams{
		Status: terminal49.TrackingFailed, CreatedFrom: service.Now().AddDate(0, 0, -7),
	}
	for request, err := range client.TrackingRequests.All(context.Background(), params) {
		if err != nil {
			log.Fatal(err)
		}
		if request.FailedReason.Temporary() {
			fmt.Println(request.RequestNumber, request.FailedReason)
		}
	}
	// Output: MAEU1000002 shipping_line_unreachable
}
