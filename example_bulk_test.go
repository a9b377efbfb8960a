package terminal49_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

func ExampleTrackingRequestsService_TrackAll() {
	service := terminal49test.NewServer() // the simulated service; leave WithBaseURL out for the real one
	defer service.Close()
	client, err := terminal49.New(service.Token, terminal49.WithBaseURL(service.URL))
	if err != nil {
		fmt.Println(err)
		return
	}
	numbers := []string{"MAEU240711301", "MSKU7182047", "MSKU7182048", "99887766", "MAEU240711301"}

	for outcome := range client.TrackingRequests.TrackAll(context.Background(), slices.Values(numbers), nil) {
		switch outcome.Result {
		case terminal49.TrackResultCreated, terminal49.TrackResultExisting:
			fmt.Println(outcome.Number, outcome.Result, "at", outcome.Request.SCAC)
		case terminal49.TrackResultNeedsConfirmation:
			fmt.Println(outcome.Number, "could belong to", len(outcome.Candidates), "lines")
		case terminal49.TrackResultInvalid:
			fmt.Println(outcome.Number, "is no good:", outcome.Reason)
		default:
			fmt.Println(outcome.Number, "failed:", outcome.Err)
		}
	}
	// Output:
	// MAEU240711301 created at MAEU
	// MSKU7182047 created at MAEU
	// MSKU7182048 is no good: the service considers its format invalid: The check digit does not match.
	// 99887766 could belong to 0 lines
	// MAEU240711301 existing at MAEU
}

// A run that was interrupted goes on where it was: the caller knows which numbers it has dealt with.
func ExampleTrackingRequestsService_TrackAll_resume() {
	service := terminal49test.NewServer()
	defer service.Close()
	client, err := terminal49.New(service.Token, terminal49.WithBaseURL(service.URL))
	if err != nil {
		fmt.Println(err)
		return
	}
	numbers := []string{"MAEU240711301", "MAEU240711302", "MAEU240711303", "MAEU240711304"}
	done := map[string]bool{"MAEU240711301": true, "MAEU240711303": true} // kept from the last run

	params := &terminal49.TrackAllParams{
		Concurrency: 4,
		Skip:        func(_ int, number string) bool { return done[number] },
		OnProgress:  func(p terminal49.TrackProgress) { fmt.Printf("%d of %d\n", p.Done(), len(numbers)) },
	}
	for outcome := range client.TrackingRequests.TrackAll(context.Background(), slices.Values(numbers), params) {
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

func ExampleContainersService_Watch() {
	service := terminal49test.NewServer()
	defer service.Close()
	client, err := terminal49.New(service.Token, terminal49.WithBaseURL(service.URL))
	if err != nil {
		fmt.Println(err)
		return
	}
	id := service.AddContainer(terminal49test.Container{
		Number: "MSKU7182047", AvailabilityKnown: true, AvailableForPickup: terminal49test.Bool(false),
		Holds: []terminal49test.Hold{{Name: "customs"}},
	})
	ctx := context.Background()
	stored, err := client.Containers.Get(ctx, id, nil) // as the caller saw it last
	if err != nil {
		fmt.Println(err)
		return
	}
	service.UpdateContainer(id, func(c *terminal49test.Container) { // meanwhile, at the terminal
		c.Holds, c.AvailableForPickup = nil, terminal49test.Bool(true)
	})

	for change, err := range client.Containers.Watch(ctx, id, &terminal49.ContainerWatchParams{Since: stored}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		meaning := change.Meaning()
		for _, hold := range meaning.Holds {
			fmt.Println(change.After.Number, "hold", hold.Old.Name, hold.Kind)
		}
		if meaning.BecameReady() {
			fmt.Println(change.After.Number, "can be picked up")
			break
		}
	}
	// Output:
	// MSKU7182047 hold customs cleared
	// MSKU7182047 can be picked up
}
