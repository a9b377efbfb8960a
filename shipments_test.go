package terminal49

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	oneShipment  = `{"data":{"id":"` + shipmentID + `","type":"shipment"}}`
	someShipment = `{"data":[{"id":"` + shipmentID + `","type":"shipment"}]}`
)

func allShipmentParams() *ShipmentListParams {
	return &ShipmentListParams{
		PageParams: PageParams{PageNumber: 3, PageSize: 50},
		Include: []ShipmentInclude{
			ShipmentIncludeContainers, ShipmentIncludePODTerminal, ShipmentIncludePortOfLading,
			ShipmentIncludePortOfDischarge, ShipmentIncludeDestination, ShipmentIncludeDestinationTerminal,
		},
		Number: "MAEU123 4&5", TrackingStopped: Some(false), CustomerID: partyID, Query: "a=b",
	}
}

func shipmentCalls() []call {
	const everything = "filter[customer_id]=" + partyID + "&filter[tracking_stopped]=false" +
		"&include=containers,pod_terminal,port_of_lading,port_of_discharge,destination,destination_terminal" +
		"&number=MAEU123 4&5&page[number]=3&page[size]=50&q=a=b"
	return []call{
		{
			op: "shipments.list", method: "GET", path: "/shipments", query: everything, reply: someShipment,
			do: func(ctx context.Context, c *Client) error { return first(c.Shipments.List(ctx, allShipmentParams())) },
		},
		{ // a nil params asks for whatever the service gives
			op: "shipments.list", method: "GET", path: "/shipments", reply: someShipment,
			do: func(ctx context.Context, c *Client) error { return first(c.Shipments.List(ctx, nil)) },
		},
		{
			op: "shipments.list", method: "GET", path: "/shipments", query: "filter[tracking_stopped]=true", reply: someShipment,
			do: func(ctx context.Context, c *Client) error {
				return first(c.Shipments.List(ctx, &ShipmentListParams{TrackingStopped: Some(true)}))
			},
		},
		{
			op: "shipments.list", method: "GET", path: "/shipments", query: everything, reply: someShipment,
			do: func(ctx context.Context, c *Client) error {
				return first(drain(c.Shipments.Pages(ctx, allShipmentParams())))
			},
		},
		{
			op: "shipments.list", method: "GET", path: "/shipments", query: everything, reply: someShipment,
			do: func(ctx context.Context, c *Client) error {
				return first(drain(c.Shipments.All(ctx, allShipmentParams())))
			},
		},
		{
			op: "shipments.get", method: "GET", path: "/shipments/" + shipmentID, reply: oneShipment,
			do: func(ctx context.Context, c *Client) error { return first(c.Shipments.Get(ctx, shipmentID, nil)) },
		},
		{
			op: "shipments.get", method: "GET", path: "/shipments/" + shipmentID, query: "include=containers.pod_terminal", reply: oneShipment,
			do: func(ctx context.Context, c *Client) error {
				return first(c.Shipments.Get(ctx, shipmentID, &ShipmentGetParams{Include: []ShipmentInclude{"containers.pod_terminal"}}))
			},
		},
		{
			op: "shipments.update", method: "PATCH", path: "/shipments/" + shipmentID, reply: oneShipment,
			body: `{"data":{"type":"shipment","id":"` + shipmentID + `","attributes":{"ref_numbers":["PO 1","PO 2"],"tags":[]}}}`,
			do: func(ctx context.Context, c *Client) error {
				return first(c.Shipments.Update(ctx, shipmentID, ShipmentUpdate{
					ReferenceNumbers: Some([]string{"PO 1", "PO 2"}), Tags: Some([]string{}),
				}))
			},
		},
		{ // an empty list clears, also one that is nil; what is not mentioned stays out
			op: "shipments.update", method: "PATCH", path: "/shipments/" + shipmentID, reply: oneShipment,
			body: `{"data":{"type":"shipment","id":"` + shipmentID + `","attributes":{"tags":[]}}}`,
			do: func(ctx context.Context, c *Client) error {
				return first(c.Shipments.Update(ctx, shipmentID, ShipmentUpdate{Tags: Some[[]string](nil)}))
			},
		},
		{
			op: "shipments.stop_tracking", method: "PATCH", path: "/shipments/" + shipmentID + "/stop_tracking", reply: oneShipment,
			do: func(ctx context.Context, c *Client) error { return first(c.Shipments.StopTracking(ctx, shipmentID)) },
		},
		{
			op: "shipments.resume_tracking", method: "PATCH", path: "/shipments/" + shipmentID + "/resume_tracking", reply: oneShipment,
			do: func(ctx context.Context, c *Client) error { return first(c.Shipments.ResumeTracking(ctx, shipmentID)) },
		},
	}
}

func TestShipments_Requests(t *testing.T) { testCalls(t, shipmentCalls()) }

func TestShipments_ParamsAreNotChanged(t *testing.T) {
	params, before := allShipmentParams(), allShipmentParams()
	params.PageSize, before.PageSize = 0, 0 // All chooses a size of its own, elsewhere
	client := newClient(t, answer(200, someShipment))

	_, err := drain(client.Shipments.All(t.Context(), params))
	require.NoError(t, err)
	_, err = client.Shipments.List(t.Context(), params)
	require.NoError(t, err)
	require.Equal(t, before, params)
}
