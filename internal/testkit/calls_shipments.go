package testkit

import (
	"context"

	"github.com/go-freight/terminal49"
)

// The responses to a call that returns one, and to one that returns a list.
const (
	OneShipment  = `{"data":{"id":"` + ShipmentID + `","type":"shipment"}}`
	SomeShipment = `{"data":[{"id":"` + ShipmentID + `","type":"shipment"}]}`
)

// AllShipmentParams returns params with every field set.
func AllShipmentParams() *terminal49.ShipmentListParams {
	return &terminal49.ShipmentListParams{
		PageParams: terminal49.PageParams{PageNumber: 3, PageSize: 50},
		Include: []terminal49.ShipmentInclude{
			terminal49.ShipmentIncludeContainers, terminal49.ShipmentIncludePODTerminal,
			terminal49.ShipmentIncludePortOfLading,
			terminal49.ShipmentIncludePortOfDischarge, terminal49.ShipmentIncludeDestination,
			terminal49.ShipmentIncludeDestinationTerminal,
		},
		Number: "MAEU123 4&5", TrackingStopped: terminal49.Some(false), CustomerID: PartyID, Query: "a=b",
		PartyRoles: true,
	}
}

// ShipmentCalls returns the calls of Shipments.
func ShipmentCalls() []Call {
	const everything = "filter[customer_id]=" + PartyID + "&filter[tracking_stopped]=false" +
		"&flag[parties]=true&include=containers,pod_terminal,port_of_lading,port_of_discharge,destination,destination_terminal" +
		"&number=MAEU123 4&5&page[number]=3&page[size]=50&q=a=b"
	return []Call{
		{
			Op: "shipments.list", Method: "GET", Path: "/shipments", Query: everything, Reply: SomeShipment,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Shipments.List(ctx, AllShipmentParams()))
			},
		},
		{ // nil params select the service's defaults
			Op: "shipments.list", Method: "GET", Path: "/shipments", Reply: SomeShipment,
			Do: func(ctx context.Context, c *terminal49.Client) error { return First(c.Shipments.List(ctx, nil)) },
		},
		{
			Op: "shipments.list", Method: "GET", Path: "/shipments", Query: "filter[tracking_stopped]=true",
			Reply: SomeShipment,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Shipments.List(ctx, &terminal49.ShipmentListParams{TrackingStopped: terminal49.Some(true)}))
			},
		},
		{
			Op: "shipments.list", Method: "GET", Path: "/shipments", Query: everything, Reply: SomeShipment,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(Drain(c.Shipments.Pages(ctx, AllShipmentParams())))
			},
		},
		{
			Op: "shipments.list", Method: "GET", Path: "/shipments", Query: everything, Reply: SomeShipment,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(Drain(c.Shipments.All(ctx, AllShipmentParams())))
			},
		},
		{
			Op: "shipments.get", Method: "GET", Path: "/shipments/" + ShipmentID, Reply: OneShipment,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Shipments.Get(ctx, ShipmentID, nil))
			},
		},
		{
			Op: "shipments.get", Method: "GET", Path: "/shipments/" + ShipmentID,
			Query: "include=containers.pod_terminal", Reply: OneShipment,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Shipments.Get(ctx, ShipmentID,
					&terminal49.ShipmentGetParams{Include: []terminal49.ShipmentInclude{"containers.pod_terminal"}}))
			},
		},
		{ // the include value implies the flag
			Op: "shipments.get", Method: "GET", Path: "/shipments/" + ShipmentID,
			Query: "flag[parties]=true&include=party_roles.party", Reply: OneShipment,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Shipments.Get(ctx, ShipmentID,
					&terminal49.ShipmentGetParams{Include: []terminal49.ShipmentInclude{terminal49.ShipmentIncludePartyRoles}}))
			},
		},
		{
			Op: "shipments.update", Method: "PATCH", Path: "/shipments/" + ShipmentID, Reply: OneShipment,
			Body: `{"data":{"type":"shipment","id":"` + ShipmentID +
				`","attributes":{"ref_numbers":["PO 1","PO 2"],"tags":[]}}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Shipments.Update(ctx, ShipmentID, terminal49.ShipmentUpdate{
					ReferenceNumbers: terminal49.Some([]string{"PO 1", "PO 2"}), Tags: terminal49.Some([]string{}),
				}))
			},
		},
		{ // an empty list clears, even a nil one; unset fields are omitted
			Op: "shipments.update", Method: "PATCH", Path: "/shipments/" + ShipmentID, Reply: OneShipment,
			Body: `{"data":{"type":"shipment","id":"` + ShipmentID + `","attributes":{"tags":[]}}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Shipments.Update(ctx, ShipmentID,
					terminal49.ShipmentUpdate{Tags: terminal49.Some[[]string](nil)}))
			},
		},
		{
			Op: "shipments.stop_tracking", Method: "PATCH", Path: "/shipments/" + ShipmentID + "/stop_tracking",
			Reply: OneShipment,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Shipments.StopTracking(ctx, ShipmentID))
			},
		},
		{
			Op: "shipments.resume_tracking", Method: "PATCH", Path: "/shipments/" + ShipmentID + "/resume_tracking",
			Reply: OneShipment,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Shipments.ResumeTracking(ctx, ShipmentID))
			},
		},
	}
}
