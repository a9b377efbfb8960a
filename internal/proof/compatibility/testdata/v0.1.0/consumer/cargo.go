package main

import (
	"context"
	"fmt"

	"github.com/go-freight/terminal49"
)

// shipmentGetter is what label needs; a test can pass a fake of three lines.
type shipmentGetter interface {
	Get(
		context.Context, string, *terminal49.ShipmentGetParams, ...terminal49.CallOption,
	) (*terminal49.Shipment, error)
}

// label returns the bill of lading and the route of a shipment.
func label(ctx context.Context, shipments shipmentGetter, id string) (string, error) {
	shipment, err := shipments.Get(ctx, id, &terminal49.ShipmentGetParams{Include: []terminal49.ShipmentInclude{
		terminal49.ShipmentIncludePortOfDischarge, terminal49.ShipmentIncludeDestination,
	}})
	if err != nil {
		return "", err
	}
	to := "unknown"
	if place, ok := shipment.Destination.Value(); ok {
		switch place := place.(type) {
		case *terminal49.Port:
			to = place.LOCODE
		case *terminal49.MetroArea:
			to = place.Name
		}
	}
	return shipment.BillOfLadingNumber + " to " + to, nil
}

// cargo reads shipments and containers, page by page and one by one.
func cargo(ctx context.Context, a *account) error {
	text, err := label(ctx, a.client.Shipments, a.demo.Shipments[5])
	if err != nil {
		return err
	}
	say("%s", text)

	count := 0
	for _, err := range a.client.Shipments.All(ctx, nil, terminal49.WithPrefetch(2)) {
		if err != nil {
			return err
		}
		count++
	}
	var response terminal49.Response
	page, err := a.client.Containers.List(ctx, &terminal49.ContainerListParams{
		PageParams: terminal49.PageParams{PageSize: 3},
	}, terminal49.WithResponse(&response))
	if err != nil {
		return err
	}
	say("shipments: %d; containers: %v, more pages: %t, attempts: %d", count, page.Total, page.HasNext(), response.Attempts)

	pages := 0
	for _, err := range a.client.Containers.Pages(ctx, &terminal49.ContainerListParams{
		PageParams: terminal49.PageParams{PageSize: 5},
	}) {
		if err != nil {
			return err
		}
		pages++
	}
	id := page.Items[0].ID
	events, err := a.client.Containers.TransportEvents(ctx, id, nil)
	if err != nil {
		return err
	}
	raw, err := a.client.Containers.RawEvents(ctx, id)
	if err != nil {
		return err
	}
	say("pages of 5: %d; of the newest container, events: %d, as the carrier sent them: %d", pages, len(events), len(raw))

	shipment, err := a.client.Shipments.Update(ctx, a.demo.Shipments[0], terminal49.ShipmentUpdate{
		Tags: terminal49.Some([]string{"urgent"}),
	})
	if err != nil {
		return err
	}
	container, err := a.client.Containers.Get(ctx, id, nil, terminal49.WithRawJSON())
	if err != nil {
		return err
	}
	if len(container.Raw()) == 0 {
		return fmt.Errorf("container %s has no raw JSON", id)
	}
	say("tags: %v; references: %v", shipment.Tags, shipment.ReferenceNumbers)
	return nil
}
