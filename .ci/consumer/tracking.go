package main

import (
	"context"
	"fmt"
	"time"

	"github.com/go-freight/terminal49"
)

// track follows a number from its carrier to its shipment.
func track(ctx context.Context, a *account) error {
	supported := 0
	for line, err := range a.client.ShippingLines.All(ctx) {
		if err != nil {
			return err
		}
		if line.Supports(terminal49.RequestTypeBillOfLading) {
			supported++
		}
	}
	say("shipping lines with bills of lading: %d", supported)

	tracked, err := a.client.TrackingRequests.Track(ctx, a.demo.Untracked, &terminal49.TrackParams{
		ReferenceNumbers: []string{"PO-10299"},
	})
	if err != nil {
		return err
	}
	tracking, err := a.client.TrackingRequests.Wait(ctx, tracked.Request.ID, &terminal49.WaitParams{
		MinInterval: time.Millisecond,
		OnPoll:      func(*terminal49.TrackingRequest) { a.service.Advance(time.Minute) },
	})
	if err != nil {
		return err
	}
	shipment, ok := tracking.Shipment.Value()
	if !ok {
		return fmt.Errorf("the shipment of %s is %v", tracking.RequestNumber, tracking.Shipment.State())
	}
	say("%s of %s, %s, containers: %d", tracking.RequestNumber, tracking.SCAC, tracked.Result, shipment.Containers.Len())

	numbers := []string{a.demo.Untracked, "not a number"}
	for outcome := range a.client.TrackingRequests.TrackAll(ctx, terminal49.NumbersToTrack(numbers...), &terminal49.TrackAllParams{Concurrency: 2}) {
		say("%q: %s", outcome.Number, outcome.Result)
	}
	return nil
}
