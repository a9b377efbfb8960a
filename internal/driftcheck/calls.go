package main

import (
	"context"
	"maps"

	"github.com/go-freight/terminal49"
)

// anyID is an id for the calls. The examples are returned for any id.
const anyID = "00000000-0000-4000-8000-000000000000"

// allCalls returns a call for every operation, by name.
func allCalls() map[string]func(*terminal49.Client) error {
	calls := cargoCalls()
	maps.Copy(calls, customFieldCalls())
	maps.Copy(calls, documentCalls())
	maps.Copy(calls, webhookCalls())
	return calls
}

// cargoCalls returns the calls of shipments, containers, tracking requests, places, vessels,
// parties and search.
func cargoCalls() map[string]func(*terminal49.Client) error {
	ctx := context.Background()
	return map[string]func(*terminal49.Client) error{
		"shipments.list": func(c *terminal49.Client) error { return errOf(c.Shipments.List(ctx, nil)) },
		"shipments.get":  func(c *terminal49.Client) error { return errOf(c.Shipments.Get(ctx, anyID, nil)) },
		"shipments.update": func(c *terminal49.Client) error {
			change := terminal49.ShipmentUpdate{Tags: terminal49.Some([]string{"tag"})}
			return errOf(c.Shipments.Update(ctx, anyID, change))
		},
		"shipments.stop_tracking": func(c *terminal49.Client) error { return errOf(c.Shipments.StopTracking(ctx, anyID)) },
		"shipments.resume_tracking": func(c *terminal49.Client) error {
			return errOf(c.Shipments.ResumeTracking(ctx, anyID))
		},
		"tracking_requests.create": func(c *terminal49.Client) error {
			request := terminal49.TrackingRequestCreate{RequestNumber: "1", RequestType: terminal49.RequestTypeBillOfLading, SCAC: "TEST"}
			return errOf(c.TrackingRequests.Create(ctx, request))
		},
		"tracking_requests.list": func(c *terminal49.Client) error { return errOf(c.TrackingRequests.List(ctx, nil)) },
		"tracking_requests.get": func(c *terminal49.Client) error {
			return errOf(c.TrackingRequests.Get(ctx, anyID, nil))
		},
		"tracking_requests.update": func(c *terminal49.Client) error {
			change := terminal49.TrackingRequestUpdate{ReferenceNumber: terminal49.Some("1")}
			return errOf(c.TrackingRequests.Update(ctx, anyID, change))
		},
		"tracking_requests.infer": func(c *terminal49.Client) error { return errOf(c.TrackingRequests.Infer(ctx, "1")) },
		"containers.list":         func(c *terminal49.Client) error { return errOf(c.Containers.List(ctx, nil)) },
		"containers.get":          func(c *terminal49.Client) error { return errOf(c.Containers.Get(ctx, anyID, nil)) },
		"containers.update": func(c *terminal49.Client) error {
			change := terminal49.ContainerUpdate{ReferenceNumbers: terminal49.Some([]string{"1"})}
			return errOf(c.Containers.Update(ctx, anyID, change))
		},
		"containers.refresh": func(c *terminal49.Client) error { return errOf(c.Containers.Refresh(ctx, anyID)) },
		"containers.transport_events": func(c *terminal49.Client) error {
			return errOf(c.Containers.TransportEvents(ctx, anyID, nil))
		},
		"containers.raw_events":  func(c *terminal49.Client) error { return errOf(c.Containers.RawEvents(ctx, anyID)) },
		"shipping_lines.list":    func(c *terminal49.Client) error { return errOf(c.ShippingLines.List(ctx)) },
		"containers.map_geojson": func(c *terminal49.Client) error { return errOf(c.Containers.Map(ctx, anyID)) },
		"ports.get":              func(c *terminal49.Client) error { return errOf(c.Ports.Get(ctx, anyID)) },
		"metro_areas.get":        func(c *terminal49.Client) error { return errOf(c.MetroAreas.Get(ctx, anyID)) },
		"terminals.get":          func(c *terminal49.Client) error { return errOf(c.Terminals.Get(ctx, anyID)) },
		"vessels.get":            func(c *terminal49.Client) error { return errOf(c.Vessels.Get(ctx, anyID, nil)) },
		"vessels.get_by_imo": func(c *terminal49.Client) error {
			return errOf(c.Vessels.GetByIMO(ctx, "9811000", nil))
		},
		"vessels.future_positions": func(c *terminal49.Client) error {
			leg := terminal49.VesselLeg{PreviousPortID: anyID, NextPortID: anyID}
			return errOf(c.Vessels.FuturePositions(ctx, anyID, leg))
		},
		"vessels.future_positions_with_coordinates": func(c *terminal49.Client) error {
			leg := terminal49.VesselLeg{PreviousPortID: anyID, NextPortID: anyID}
			return errOf(c.Vessels.FuturePositionsFrom(ctx, anyID, leg, terminal49.Coordinates{}))
		},
		"parties.list": func(c *terminal49.Client) error { return errOf(c.Parties.List(ctx, nil)) },
		"parties.create": func(c *terminal49.Client) error {
			return errOf(c.Parties.Create(ctx, terminal49.PartyFields{CompanyName: "1"}))
		},
		"parties.get": func(c *terminal49.Client) error { return errOf(c.Parties.Get(ctx, anyID)) },
		"parties.update": func(c *terminal49.Client) error {
			change := terminal49.PartyFields{CompanyName: "1"}
			return errOf(c.Parties.Update(ctx, anyID, change))
		},
		"search.query":       func(c *terminal49.Client) error { return errOf(c.Search.Query(ctx, "1")) },
		"shipping_lines.get": func(c *terminal49.Client) error { return errOf(c.ShippingLines.Get(ctx, anyID)) },
	}
}

// errOf returns the error of a call.
func errOf[V any](_ V, err error) error { return err }
