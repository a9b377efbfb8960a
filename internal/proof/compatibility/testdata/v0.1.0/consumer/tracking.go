package main

import (
	"context"
	"fmt"
	"slices"
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
		if line.Supports(terminal49.RequestBillOfLading) {
			supported++
		}
	}
	say("shipping lines with bills of lading: %d", supported)

	request, err := a.client.TrackingRequests.Prepare(ctx, a.demo.Untracked, &terminal49.TrackParams{})
	if err != nil {
		return err
	}
	request.ReferenceNumbers = []string{"PO-10299"}
	tracking, result, err := a.client.TrackingRequests.FindOrCreate(ctx, request)
	if err != nil {
		return err
	}
	tracking, err = a.client.TrackingRequests.Wait(ctx, tracking.ID, &terminal49.WaitParams{
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
	say("%s of %s, %s, containers: %d", tracking.RequestNumber, tracking.SCAC, result, shipment.Containers.Len())

	numbers := []string{a.demo.Untracked, "not a number"}
	for outcome := range a.client.TrackingRequests.TrackAll(ctx, slices.Values(numbers), &terminal49.TrackAllParams{Concurrency: 2}) {
		say("%q: %s", outcome.Number, outcome.Result)
	}
	return nil
}
