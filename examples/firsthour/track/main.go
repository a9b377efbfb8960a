// Track is a program of docs/first-hour.md: it tracks a number and waits for the shipping line.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/go-freight/terminal49"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, numbers []string) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Minute) // a shipping line takes minutes, sometimes hours
	defer cancel()
	client, err := terminal49.NewFromEnv()
	if err != nil {
		return err
	}
	for _, number := range numbers {
		tracked, err := client.TrackingRequests.Track(ctx, number, nil)
		if err != nil {
			return err // a *CarrierUndecidedError has the candidates
		}
		if tracked.Container != nil { // its bill of lading tracks it already
			fmt.Println(number, tracked.Result)
			continue
		}
		fmt.Println(number, tracked.Result, "with", tracked.Request.SCAC)
		request, err := client.TrackingRequests.Wait(ctx, tracked.Request.ID, nil)
		if err != nil {
			return err // a *TrackingFailedError if the shipping line does not know the number
		}
		if shipment, ok := request.Shipment.Value(); ok {
			fmt.Println(shipment.BillOfLadingNumber, "arrives in", shipment.PortOfDischargeName)
		}
	}
	return nil
}
