package testkit

import (
	"context"
	"time"

	"github.com/go-freight/terminal49"
)

// OneParty is the response to a call that returns one party.
const OneParty = `{"data":{"id":"` + PartyID + `","type":"party","attributes":{"company_name":"Ümlaut & Sons"}}}`

// PartyCalls returns the calls of Parties.
func PartyCalls() []Call {
	const someParties = `{"data":[{"id":"` + PartyID + `","type":"party"}]}`
	params := &terminal49.PartyListParams{PageParams: terminal49.PageParams{PageNumber: 1, PageSize: 5}, Query: "söhne"}
	const query = "page[number]=1&page[size]=5&query=söhne"
	return []Call{
		{
			Op: "parties.list", Method: "GET", Path: "/parties", Query: query, Reply: someParties,
			Do: func(ctx context.Context, c *terminal49.Client) error { return First(c.Parties.List(ctx, params)) },
		},
		{
			Op: "parties.list", Method: "GET", Path: "/parties", Query: query, Reply: someParties,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(Drain(c.Parties.Pages(ctx, params)))
			},
		},
		{
			Op: "parties.list", Method: "GET", Path: "/parties", Query: "page[size]=100", Reply: someParties,
			Do: func(ctx context.Context, c *terminal49.Client) error { return First(Drain(c.Parties.All(ctx, nil))) },
		},
		{
			Op: "parties.create", Method: "POST", Path: "/parties", Reply: OneParty,
			Body: `{"data":{"type":"party","attributes":{"company_name":"Harbor Street Imports"}}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Parties.Create(ctx, terminal49.PartyFields{CompanyName: "Harbor Street Imports"}))
			},
		},
		{
			Op: "parties.get", Method: "GET", Path: "/parties/" + PartyID, Reply: OneParty,
			Do: func(ctx context.Context, c *terminal49.Client) error { return First(c.Parties.Get(ctx, PartyID)) },
		},
		{
			Op: "parties.update", Method: "PATCH", Path: "/parties/" + PartyID, Reply: OneParty,
			Body: `{"data":{"type":"party","id":"` + PartyID + `","attributes":{"company_name":"New Name"}}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Parties.Update(ctx, PartyID,
					terminal49.PartyFields{CompanyName: "New Name"}))
			},
		},
	}
}

// OnePartyRole is the response to a call that returns one party role.
const OnePartyRole = `{"data":{"id":"` + PartyRoleID + `","type":"party_role"}}`

// PartyRoleCalls returns the calls of the party roles of Shipments and Containers.
func PartyRoleCalls() []Call {
	const (
		some        = `{"data":[{"id":"` + PartyRoleID + `","type":"party_role"}]}`
		ofShipment  = "/shipments/" + ShipmentID + "/party_roles"
		ofContainer = "/containers/" + ContainerID + "/party_roles"
	)
	body := func(role string) string {
		return `{"data":{"type":"party_role","attributes":{"role":"` + role + `"},` +
			`"relationships":{"party":{"data":{"type":"party","id":"` + PartyID + `"}}}}}`
	}
	return []Call{
		{
			Op: "shipments.party_roles.list", Method: "GET", Path: ofShipment, Reply: some,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Shipments.PartyRoles(ctx, ShipmentID))
			},
		},
		{
			Op: "shipments.party_roles.add", Method: "POST", Path: ofShipment, Reply: OnePartyRole, Body: body("notify_party"),
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Shipments.AddPartyRole(ctx, ShipmentID, terminal49.PartyRoleNotifyParty, PartyID))
			},
		},
		{
			Op: "shipments.party_roles.remove", Method: "DELETE", Path: ofShipment + "/" + PartyRoleID,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return c.Shipments.RemovePartyRole(ctx, ShipmentID, PartyRoleID)
			},
		},
		{
			Op: "containers.party_roles.list", Method: "GET", Path: ofContainer, Reply: some,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Containers.PartyRoles(ctx, ContainerID))
			},
		},
		{
			Op: "containers.party_roles.add", Method: "POST", Path: ofContainer, Reply: OnePartyRole,
			Body: body("pickup_dray_carrier"),
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Containers.AddPartyRole(ctx, ContainerID, terminal49.PartyRolePickupDrayCarrier, PartyID))
			},
		},
		{
			Op: "containers.party_roles.remove", Method: "DELETE", Path: ofContainer + "/" + ContainerPartyRoleID,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return c.Containers.RemovePartyRole(ctx, ContainerID, ContainerPartyRoleID)
			},
		},
	}
}

// MeCalls returns the call of Me.
func MeCalls() []Call {
	return []Call{{
		Op: "me.get", Method: "GET", Path: "/me", Reply: `{"data":{"id":"` + PartyID + `","type":"credential"}}`,
		Do: func(ctx context.Context, c *terminal49.Client) error { return First(c.Me(ctx)) },
	}}
}

// PlaceCalls returns the calls of Ports, MetroAreas and Terminals.
func PlaceCalls() []Call {
	return []Call{
		{
			Op: "ports.get", Method: "GET", Path: "/ports/" + PortID,
			Reply: `{"data":{"id":"` + PortID + `","type":"port"}}`,
			Do:    func(ctx context.Context, c *terminal49.Client) error { return First(c.Ports.Get(ctx, PortID)) },
		},
		{
			Op: "ports.get", Method: "GET", Path: "/ports/USLAX", Reply: `{"data":{"id":"` + PortID + `","type":"port"}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error { return First(c.Ports.Get(ctx, "USLAX")) },
		},
		{
			Op: "metro_areas.get", Method: "GET", Path: "/metro_areas/USCHI",
			Reply: `{"data":{"id":"` + MetroID + `","type":"metro_area"}}`,
			Do:    func(ctx context.Context, c *terminal49.Client) error { return First(c.MetroAreas.Get(ctx, "USCHI")) },
		},
		{
			Op: "metro_areas.get", Method: "GET", Path: "/metro_areas/" + MetroID,
			Reply: `{"data":{"id":"` + MetroID + `","type":"metro_area"}}`,
			Do:    func(ctx context.Context, c *terminal49.Client) error { return First(c.MetroAreas.Get(ctx, MetroID)) },
		},
		{
			Op: "terminals.get", Method: "GET", Path: "/terminals/" + TerminalID,
			Reply: `{"data":{"id":"` + TerminalID + `","type":"terminal"}}`,
			Do:    func(ctx context.Context, c *terminal49.Client) error { return First(c.Terminals.Get(ctx, TerminalID)) },
		},
	}
}

// SearchCalls returns the calls of Search.
func SearchCalls() []Call {
	return []Call{{
		Op: "search.query", Method: "GET", Path: "/search", Query: "query=PO 7 & Söhne", Reply: `{"data":[]}`,
		Do: func(ctx context.Context, c *terminal49.Client) error {
			return First(c.Search.Query(ctx, "PO 7 & Söhne"))
		},
	}}
}

// OneVessel is the response to a call that returns one vessel.
const OneVessel = `{"data":{"id":"` + VesselID + `","type":"vessel"}}`

// VesselCalls returns the calls of Vessels.
func VesselCalls() []Call {
	from := time.Date(2025, 5, 20, 2, 0, 0, 0, time.FixedZone("", 2*60*60))
	to := time.Date(2025, 5, 24, 0, 0, 0, 0, time.UTC)
	leg := terminal49.VesselLeg{PreviousPortID: PortID, NextPortID: OtherPortID}
	return []Call{
		{
			Op: "vessels.get", Method: "GET", Path: "/vessels/" + VesselID, Reply: OneVessel,
			Do: func(ctx context.Context, c *terminal49.Client) error { return First(c.Vessels.Get(ctx, VesselID, nil)) },
		},
		{
			Op: "vessels.get", Method: "GET", Path: "/vessels/" + VesselID, Reply: OneVessel,
			Query: "show_positions[from_timestamp]=2025-05-20T00:00:00Z&show_positions[to_timestamp]=2025-05-24T00:00:00Z",
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Vessels.Get(ctx, VesselID, &terminal49.VesselGetParams{PositionsFrom: from, PositionsTo: to}))
			},
		},
		{
			Op: "vessels.get_by_imo", Method: "GET", Path: "/vessels/" + VesselIMO, Reply: OneVessel,
			Query: "show_positions[to_timestamp]=2025-05-24T00:00:00Z",
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Vessels.GetByIMO(ctx, VesselIMO, &terminal49.VesselGetParams{PositionsTo: to}))
			},
		},
		{
			Op: "vessels.get_by_imo", Method: "GET", Path: "/vessels/" + VesselIMO, Reply: OneVessel,
			Query: "show_positions[from_timestamp]=2025-05-20T00:00:00Z",
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Vessels.GetByIMO(ctx, VesselIMO, &terminal49.VesselGetParams{PositionsFrom: from}))
			},
		},
		{
			Op: "vessels.get_by_imo", Method: "GET", Path: "/vessels/" + VesselIMO, Reply: OneVessel,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Vessels.GetByIMO(ctx, VesselIMO, nil))
			},
		},
		{
			Op: "vessels.future_positions", Method: "GET", Path: "/vessels/" + VesselID + "/future_positions",
			Reply: OneVessel,
			Query: "port_id=" + OtherPortID + "&previous_port_id=" + PortID,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Vessels.FuturePositions(ctx, VesselID, leg))
			},
		},
		{
			Op: "vessels.future_positions_with_coordinates", Method: "GET", Reply: OneVessel,
			Path:  "/vessels/" + VesselID + "/future_positions_with_coordinates",
			Query: "latitude=33.5&longitude=-0.000001&port_id=" + OtherPortID + "&previous_port_id=" + PortID,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Vessels.FuturePositionsFrom(ctx, VesselID, leg,
					terminal49.Coordinates{Latitude: 33.5, Longitude: -0.000001}))
			},
		},
		{
			// Latitude and longitude 0 are valid coordinates.
			Op: "vessels.future_positions_with_coordinates", Method: "GET", Reply: OneVessel,
			Path:  "/vessels/" + VesselID + "/future_positions_with_coordinates",
			Query: "latitude=0&longitude=0&port_id=" + OtherPortID + "&previous_port_id=" + PortID,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Vessels.FuturePositionsFrom(ctx, VesselID, leg, terminal49.Coordinates{}))
			},
		},
	}
}
