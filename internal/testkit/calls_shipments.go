package testkit

import "github.com/go-freight/terminal49"

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

// shipmentCalls returns the calls of Shipments.
func shipmentCalls() []func(on) error {
	return []func(on) error{
		func(c on) error { return First(c.Shipments.List(c.ctx, AllShipmentParams())) },
		// nil params select the service's defaults
		func(c on) error { return First(c.Shipments.List(c.ctx, nil)) },
		func(c on) error {
			return First(c.Shipments.List(c.ctx, &terminal49.ShipmentListParams{TrackingStopped: terminal49.Some(true)}))
		},
		func(c on) error { return First(Drain(c.Shipments.Pages(c.ctx, AllShipmentParams()))) },
		func(c on) error { return First(Drain(c.Shipments.All(c.ctx, AllShipmentParams()))) },
		func(c on) error { return First(c.Shipments.Get(c.ctx, ShipmentID, nil)) },
		func(c on) error {
			return First(c.Shipments.Get(c.ctx, ShipmentID,
				&terminal49.ShipmentGetParams{Include: []terminal49.ShipmentInclude{"containers.pod_terminal"}}))
		},
		// the include value implies the flag
		func(c on) error {
			return First(c.Shipments.Get(c.ctx, ShipmentID,
				&terminal49.ShipmentGetParams{Include: []terminal49.ShipmentInclude{terminal49.ShipmentIncludePartyRoles}}))
		},
		func(c on) error {
			return First(c.Shipments.Update(c.ctx, ShipmentID, terminal49.ShipmentUpdate{
				ReferenceNumbers: terminal49.Some([]string{"PO 1", "PO 2"}), Tags: terminal49.Some([]string{}),
			}))
		},
		// an empty list clears, even a nil one; unset fields are omitted
		func(c on) error {
			return First(c.Shipments.Update(c.ctx, ShipmentID,
				terminal49.ShipmentUpdate{Tags: terminal49.Some[[]string](nil)}))
		},
		func(c on) error { return First(c.Shipments.StopTracking(c.ctx, ShipmentID)) },
		func(c on) error { return First(c.Shipments.ResumeTracking(c.ctx, ShipmentID)) },
	}
}
