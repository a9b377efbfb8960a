package testkit

import (
	"context"

	"github.com/go-freight/terminal49"
)

// The responses to a call that returns one, and to one that returns a list.
const (
	OneContainer  = `{"data":{"id":"` + ContainerID + `","type":"container"}}`
	SomeContainer = `{"data":[{"id":"` + ContainerID + `","type":"container"}]}`
)

// ContainerCalls returns the calls of Containers except Map.
func ContainerCalls() []Call {
	const everything = "filter[customer_id]=" + PartyID + "&filter[customer_name]=Ümlaut & Sons&filter[number]=MSCU1234566" +
		"&include=shipment,pod_terminal,pickup_facility,transport_events,raw_events&page[number]=1&page[size]=1"
	const newestFirst = "&sort=-created_at" // an order that does not change during a walk
	params := func() *terminal49.ContainerListParams {
		return &terminal49.ContainerListParams{
			PageParams: terminal49.PageParams{PageNumber: 1, PageSize: 1},
			Include: []terminal49.ContainerInclude{
				terminal49.ContainerIncludeShipment, terminal49.ContainerIncludePODTerminal,
				terminal49.ContainerIncludePickupFacility,
				terminal49.ContainerIncludeTransportEvents, terminal49.ContainerIncludeRawEvents,
			},
			Number: "MSCU1234566", CustomerID: PartyID, CustomerName: "Ümlaut & Sons",
		}
	}
	update := terminal49.ContainerUpdate{ReferenceNumbers: terminal49.Some([]string{"PO 1"})}
	const updateBody = `{"data":{"type":"container","id":"` + ContainerID + `","attributes":{"ref_numbers":["PO 1"]}}}`
	return []Call{
		{
			Op: "containers.list", Method: "GET", Path: "/containers", Query: everything, Reply: SomeContainer,
			Do: func(ctx context.Context, c *terminal49.Client) error { return First(c.Containers.List(ctx, params())) },
		},
		{
			Op: "containers.list", Method: "GET", Path: "/containers", Query: everything + newestFirst, Reply: SomeContainer,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(Drain(c.Containers.Pages(ctx, params())))
			},
		},
		{
			Op: "containers.list", Method: "GET", Path: "/containers", Query: everything + newestFirst, Reply: SomeContainer,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(Drain(c.Containers.All(ctx, params())))
			},
		},
		{
			Op: "containers.get", Method: "GET", Path: "/containers/" + ContainerID, Reply: OneContainer,
			Query: "include=shipment,shipment.port_of_lading",
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Containers.Get(ctx, ContainerID, &terminal49.ContainerGetParams{
					Include: []terminal49.ContainerInclude{terminal49.ContainerIncludeShipment, "shipment.port_of_lading"},
				}))
			},
		},
		{
			Op: "containers.get", Method: "GET", Path: "/containers/" + ContainerID, Reply: OneContainer,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Containers.Get(ctx, ContainerID, nil))
			},
		},
		{
			Op: "containers.update", Method: "PATCH", Path: "/containers", Body: updateBody, Reply: OneContainer,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Containers.Update(ctx, ContainerID, update))
			},
		},
		{
			Op: "containers.refresh", Method: "PATCH", Path: "/containers/" + ContainerID + "/refresh",
			Reply: `{"message":"ok"}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Containers.Refresh(ctx, ContainerID))
			},
		},
		{
			Op: "containers.transport_events", Method: "GET", Path: "/containers/" + ContainerID + "/transport_events",
			Query: "include=shipment,container,vessel,location,terminal", Reply: `{"data":[]}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Containers.TransportEvents(ctx, ContainerID,
					&terminal49.TransportEventListParams{Include: []terminal49.TransportEventInclude{
						terminal49.TransportEventIncludeShipment, terminal49.TransportEventIncludeContainer,
						terminal49.TransportEventIncludeVessel,
						terminal49.TransportEventIncludeLocation, terminal49.TransportEventIncludeTerminal,
					}}))
			},
		},
		{
			Op: "containers.raw_events", Method: "GET", Path: "/containers/" + ContainerID + "/raw_events",
			Reply: `{"data":[]}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Containers.RawEvents(ctx, ContainerID))
			},
		},
	}
}

// NoRoute is a map without features.
const NoRoute = `{"type":"FeatureCollection","features":[]}`

// MapCalls returns the calls of Containers.Map.
func MapCalls() []Call {
	return []Call{{
		Op: "containers.map_geojson", Method: "GET", Path: "/containers/" + ContainerID + "/map_geojson", Reply: NoRoute,
		Do: func(ctx context.Context, c *terminal49.Client) error {
			return First(c.Containers.Map(ctx, ContainerID))
		},
	}}
}
