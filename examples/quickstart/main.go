// Quickstart shows the main job in one run: it tracks a number, lists shipments, and shows for each
// container where it is, what is owed, the last free day and what to do.
//
//	go run ./examples/quickstart
//
// Without a token it starts a simulated service in this process and needs neither an account nor a
// network. With T49_API_TOKEN set it only reads from the real service, or from the one named by
// T49_API_BASE_URL.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// maxContainers limits the output for large accounts.
const maxContainers = 50

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		log.Fatal(plain(err.Error()))
	}
}

func run(ctx context.Context) error {
	if os.Getenv("T49_API_TOKEN") != "" {
		return readReal(ctx)
	}
	return simulate(ctx)
}

// readReal lists what the account has.
func readReal(ctx context.Context) error {
	client, err := terminal49.NewFromEnv(terminal49.WithUserAgent("quickstart"))
	if err != nil {
		return err
	}
	address := os.Getenv("T49_API_BASE_URL")
	if address == "" {
		address = terminal49.DefaultBaseURL
	}
	printText("Using %s with the token of T49_API_TOKEN, for reading only.", address)
	fmt.Println()
	return report(ctx, client, time.Now)
}

// simulate does the whole job with a simulated service whose clock runs an hour a second.
func simulate(ctx context.Context) error {
	service := terminal49test.NewServer(terminal49test.WithSpeed(time.Hour.Seconds()))
	defer service.Close()
	demo := service.SeedDemo()
	client, err := terminal49.New(service.Token, terminal49.WithBaseURL(service.URL))
	if err != nil {
		return err
	}
	fmt.Println("T49_API_TOKEN is not set: using a simulated service in this process, without a network.")
	fmt.Println()
	if err := track(ctx, client, demo.Untracked); err != nil {
		return err
	}
	return report(ctx, client, service.Now)
}

// track tracks a number and waits for the result at the carrier.
func track(ctx context.Context, client *terminal49.Client, number string) error {
	tracked, err := client.TrackingRequests.Track(ctx, number, nil)
	var undecided *terminal49.CarrierUndecidedError
	if errors.As(err, &undecided) {
		return fmt.Errorf("choose a shipping line: %v", undecided.Candidates())
	}
	if err != nil {
		return err
	}
	request := tracked.Request // nil only for a container that its bill of lading tracks
	printText("%s is a %s of %s.", number, strings.ReplaceAll(string(request.RequestType), "_", " "), request.SCAC)

	tracking, err := client.TrackingRequests.Wait(ctx, request.ID, &terminal49.WaitParams{
		MinInterval: 100 * time.Millisecond, // the simulated clock is fast; omit it otherwise
		OnPoll:      func(r *terminal49.TrackingRequest) { printText("Tracking request is %s.", r.Status) },
	})
	if err != nil {
		return err
	}
	printText("Found shipment %s.", tracking.Shipment.ID())
	fmt.Println()
	return nil
}

// report lists the shipments and then the containers, by a clock.
func report(ctx context.Context, client *terminal49.Client, now func() time.Time) error {
	fmt.Println("Shipments, newest first:")
	count := 0
	for shipment, err := range client.Shipments.All(ctx, nil) {
		if err != nil {
			return err
		}
		arrival := "ETA " + shipment.PODETA.String()
		if !shipment.PODATA.IsZero() {
			arrival = "arrived " + shipment.PODATA.String()
		}
		printText("  %-15s %-10s %s -> %s, %s", shipment.BillOfLadingNumber, shipment.ShippingLineShortName,
			shipment.PortOfLadingName, shipment.PortOfDischargeName, arrival)
		if count++; count == maxContainers {
			break // no further page is fetched
		}
	}
	fmt.Println()

	var table board
	params := &terminal49.ContainerListParams{Include: terminal49.AssessIncludes()}
	for container, err := range client.Containers.All(ctx, params) {
		if err != nil {
			return err
		}
		table.add(container, now())
		if table.len() == maxContainers {
			break
		}
	}
	return table.print(os.Stdout)
}
