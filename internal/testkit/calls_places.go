package testkit

import (
	"time"

	"github.com/go-freight/terminal49"
)

// OneParty is the response to a call that returns one party.
const OneParty = `{"data":{"id":"` + PartyID + `","type":"party","attributes":{"company_name":"Ümlaut & Sons"}}}`

// partyCalls returns the calls of Parties.
func partyCalls() []func(on) error {
	params := &terminal49.PartyListParams{PageParams: terminal49.PageParams{PageNumber: 1, PageSize: 5}, Query: "söhne"}
	return []func(on) error{
		func(c on) error { return First(c.Parties.List(c.ctx, params)) },
		func(c on) error { return First(Drain(c.Parties.Pages(c.ctx, params))) },
		func(c on) error { return First(Drain(c.Parties.All(c.ctx, nil))) },
		func(c on) error {
			return First(c.Parties.Create(c.ctx, terminal49.PartyFields{CompanyName: "Harbor Street Imports"}))
		},
		func(c on) error { return First(c.Parties.Get(c.ctx, PartyID)) },
		func(c on) error {
			return First(c.Parties.Update(c.ctx, PartyID,
				terminal49.PartyFields{CompanyName: "New Name"}))
		},
	}
}

// OnePartyRole is the response to a call that returns one party role.
const OnePartyRole = `{"data":{"id":"` + PartyRoleID + `","type":"party_role"}}`

// partyRoleCalls returns the calls of the party roles of Shipments and Containers.
func partyRoleCalls() []func(on) error {
	return []func(on) error{
		func(c on) error { return First(c.Shipments.PartyRoles(c.ctx, ShipmentID)) },
		func(c on) error {
			return First(c.Shipments.AddPartyRole(c.ctx, ShipmentID, terminal49.PartyRoleNotifyParty, PartyID))
		},
		func(c on) error { return c.Shipments.RemovePartyRole(c.ctx, ShipmentID, PartyRoleID) },
		func(c on) error { return First(c.Containers.PartyRoles(c.ctx, ContainerID)) },
		func(c on) error {
			return First(c.Containers.AddPartyRole(c.ctx, ContainerID, terminal49.PartyRolePickupDrayCarrier, PartyID))
		},
		func(c on) error { return c.Containers.RemovePartyRole(c.ctx, ContainerID, ContainerPartyRoleID) },
	}
}

// meCalls returns the call of Me.
func meCalls() []func(on) error {
	return []func(on) error{func(c on) error { return First(c.Me(c.ctx)) }}
}

// placeCalls returns the calls of Ports, MetroAreas and Terminals.
func placeCalls() []func(on) error {
	return []func(on) error{
		func(c on) error { return First(c.Ports.Get(c.ctx, PortID)) },
		func(c on) error { return First(c.Ports.Get(c.ctx, "USLAX")) },
		func(c on) error { return First(c.MetroAreas.Get(c.ctx, "USCHI")) },
		func(c on) error { return First(c.MetroAreas.Get(c.ctx, MetroID)) },
		func(c on) error { return First(c.Terminals.Get(c.ctx, TerminalID)) },
	}
}

// searchCalls returns the calls of Search.
func searchCalls() []func(on) error {
	return []func(on) error{func(c on) error { return First(c.Search.Query(c.ctx, "PO 7 & Söhne")) }}
}

// OneVessel is the response to a call that returns one vessel.
const OneVessel = `{"data":{"id":"` + VesselID + `","type":"vessel"}}`

// vesselCalls returns the calls of Vessels.
func vesselCalls() []func(on) error {
	from := time.Date(2025, 5, 20, 2, 0, 0, 0, time.FixedZone("", 2*60*60))
	to := time.Date(2025, 5, 24, 0, 0, 0, 0, time.UTC)
	leg := terminal49.VesselLeg{PreviousPortID: PortID, NextPortID: OtherPortID}
	return []func(on) error{
		func(c on) error { return First(c.Vessels.Get(c.ctx, VesselID, nil)) },
		func(c on) error {
			return First(c.Vessels.Get(c.ctx, VesselID, &terminal49.VesselGetParams{PositionsFrom: from, PositionsTo: to}))
		},
		func(c on) error {
			return First(c.Vessels.GetByIMO(c.ctx, VesselIMO, &terminal49.VesselGetParams{PositionsTo: to}))
		},
		func(c on) error {
			return First(c.Vessels.GetByIMO(c.ctx, VesselIMO, &terminal49.VesselGetParams{PositionsFrom: from}))
		},
		func(c on) error { return First(c.Vessels.GetByIMO(c.ctx, VesselIMO, nil)) },
		func(c on) error { return First(c.Vessels.FuturePositions(c.ctx, VesselID, leg)) },
		func(c on) error {
			return First(c.Vessels.FuturePositionsFrom(c.ctx, VesselID, leg,
				terminal49.Coordinates{Latitude: 33.5, Longitude: -0.000001}))
		},
		// Latitude and longitude 0 are valid coordinates.
		func(c on) error {
			return First(c.Vessels.FuturePositionsFrom(c.ctx, VesselID, leg, terminal49.Coordinates{}))
		},
	}
}
