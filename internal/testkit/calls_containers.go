package testkit

import "github.com/go-freight/terminal49"

// The responses to a call that returns one, and to one that returns a list.
const (
	OneContainer  = `{"data":{"id":"` + ContainerID + `","type":"container"}}`
	SomeContainer = `{"data":[{"id":"` + ContainerID + `","type":"container"}]}`
)

// containerCalls returns the calls of Containers except Map.
func containerCalls() []func(on) error {
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
	return []func(on) error{
		func(c on) error { return First(c.Containers.List(c.ctx, params())) },
		func(c on) error { return First(Drain(c.Containers.Pages(c.ctx, params()))) },
		func(c on) error { return First(Drain(c.Containers.All(c.ctx, params()))) },
		func(c on) error {
			return First(c.Containers.Get(c.ctx, ContainerID, &terminal49.ContainerGetParams{
				Include: []terminal49.ContainerInclude{terminal49.ContainerIncludeShipment, "shipment.port_of_lading"},
			}))
		},
		func(c on) error { return First(c.Containers.Get(c.ctx, ContainerID, nil)) },
		func(c on) error { return First(c.Containers.Update(c.ctx, ContainerID, update)) },
		func(c on) error { return First(c.Containers.Refresh(c.ctx, ContainerID)) },
		func(c on) error {
			return First(c.Containers.TransportEvents(c.ctx, ContainerID,
				&terminal49.TransportEventListParams{Include: []terminal49.TransportEventInclude{
					terminal49.TransportEventIncludeShipment, terminal49.TransportEventIncludeContainer,
					terminal49.TransportEventIncludeVessel,
					terminal49.TransportEventIncludeLocation, terminal49.TransportEventIncludeTerminal,
				}}))
		},
		func(c on) error { return First(c.Containers.RawEvents(c.ctx, ContainerID)) },
	}
}

// NoRoute is a map without features.
const NoRoute = `{"type":"FeatureCollection","features":[]}`

// mapCalls returns the calls of Containers.Map.
func mapCalls() []func(on) error {
	return []func(on) error{func(c on) error { return First(c.Containers.Map(c.ctx, ContainerID)) }}
}
