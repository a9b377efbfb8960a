package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// failures meets each kind of error that a caller distinguishes.
func failures(ctx context.Context, a *account) error {
	_, err := a.client.Containers.Get(ctx, "MSKU7182047", nil)
	var argument *terminal49.ArgumentError
	if !errors.As(err, &argument) {
		return fmt.Errorf("a container number was taken for an id: %w", err)
	}
	say("%v", argument)

	_, err = a.client.Shipments.Get(ctx, "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d", nil)
	var refused *terminal49.APIError
	if !errors.Is(err, terminal49.ErrNotFound) || !errors.As(err, &refused) {
		return fmt.Errorf("an unknown shipment: %w", err)
	}
	say("status %d of %s", refused.StatusCode, refused.Op)

	a.service.AddFault(terminal49test.Fault{Operation: "shipping_lines.list", Status: http.StatusServiceUnavailable, Times: 2})
	var response terminal49.Response
	if _, err := a.client.ShippingLines.List(ctx, terminal49.WithResponse(&response)); err != nil {
		return err
	}
	say("two failures of the service took %d attempts", response.Attempts)

	a.service.AddFault(terminal49test.Fault{
		Operation: "parties.create", Kind: terminal49test.FaultDrop, Acted: true,
	})
	_, err = a.client.Parties.Create(ctx, terminal49.PartyFields{CompanyName: "Lost and Found"})
	if !terminal49.IsOutcomeUnknown(err) {
		return fmt.Errorf("a lost response: %w", err)
	}
	say("a write without a response has an unknown outcome")
	return nil
}
