package terminal49

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// addNamedPlaces adds what partyCalls, placeCalls and vesselCalls ask for by id. The ports are near each other: the way
// between them is told minute by minute.
func addNamedPlaces(srv *terminal49test.Server) {
	srv.AddPort(terminal49test.Port{ID: portID, Code: "USOAK", Name: "Oakland", CountryCode: "US", Latitude: "37.8", Longitude: "-122.3"})
	srv.AddPort(terminal49test.Port{ID: otherPort, Code: "USRCH", Name: "Richmond", CountryCode: "US", Latitude: "37.9", Longitude: "-122.4"})
	srv.AddMetroArea(terminal49test.MetroArea{ID: metroID, Code: "USMEM", Name: "Memphis", CountryCode: "US"})
	srv.AddTerminal(terminal49test.Terminal{ID: terminalID, Name: "Pier One", Nickname: "P1", Port: "USOAK"})
	srv.AddVessel(terminal49test.Vessel{ID: vesselID, Name: "ANY SHIP", IMO: vesselIMO})
}

// demo is a seeded service on a clock that only Advance moves.
func demo(t *testing.T, opts ...terminal49test.Option) (*terminal49test.Server, terminal49test.Demo, *Client) {
	t.Helper()
	start := time.Date(2026, time.March, 2, 16, 0, 0, 0, time.UTC)
	opts = append([]terminal49test.Option{
		terminal49test.WithoutSocket(), terminal49test.WithStart(start), terminal49test.WithSpeed(0), terminal49test.WithoutRateLimits(),
	}, opts...)
	srv := terminal49test.NewServer(opts...)
	t.Cleanup(srv.Close)
	t.Cleanup(func() { srv.CheckViolations(t) })
	return srv, srv.SeedDemo(), simClient(t, srv)
}

func TestSimulator_Parties(t *testing.T) {
	_, _, client := demo(t)
	ctx := t.Context()
	made, err := client.Parties.Create(ctx, PartyCreate{CompanyName: "Bay Bridge Coffee"})
	require.NoError(t, err)
	require.Equal(t, "party", made.Type)
	_, err = client.Parties.Create(ctx, PartyCreate{CompanyName: "bay bridge coffee"})
	require.ErrorIs(t, err, ErrInvalid)
	require.ErrorContains(t, err, "already exists")

	renamed, err := client.Parties.Update(ctx, made.ID, PartyUpdate{CompanyName: Some("Bay Bridge Tea")})
	require.NoError(t, err)
	require.Equal(t, "Bay Bridge Tea", renamed.CompanyName)
	_, err = client.Parties.Update(ctx, made.ID, PartyUpdate{CompanyName: Some("Lakeside Home Goods")})
	require.ErrorIs(t, err, ErrInvalid)
	got, err := client.Parties.Get(ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, "Bay Bridge Tea", got.CompanyName)

	page, err := client.Parties.List(ctx, &PartyListParams{PageParams{PageSize: 2}})
	require.NoError(t, err)
	require.Equal(t, Some(3), page.Total)
	require.True(t, page.HasNext())
	all, err := drain(client.Parties.All(ctx, &PartyListParams{PageParams{PageSize: 2}}))
	require.NoError(t, err)
	require.Len(t, all, 3)

	_, err = client.Parties.Get(ctx, partyID)
	require.ErrorIs(t, err, ErrNotFound)
}

func TestSimulator_Places(t *testing.T) {
	_, world, client := demo(t)
	ctx := t.Context()
	byCode, err := client.Ports.Get(ctx, "USLAX")
	require.NoError(t, err)
	require.Equal(t, Some(33.74), byCode.Latitude)
	require.Equal(t, 2, byCode.Terminals.Len())
	byID, err := client.Ports.Get(ctx, byCode.ID)
	require.NoError(t, err)
	require.Equal(t, byCode, byID)
	area, err := client.MetroAreas.Get(ctx, "USCHI")
	require.NoError(t, err)
	require.Equal(t, "America/Chicago", area.TimeZone)
	_, err = client.MetroAreas.Get(ctx, "USLAX")
	require.ErrorIs(t, err, ErrNotFound, "a port is no metro area")

	byRail, err := client.Shipments.Get(ctx, world.Shipments[5], nil)
	require.NoError(t, err)
	ramp, err := client.Terminals.Get(ctx, byRail.DestinationTerminal.ID())
	require.NoError(t, err)
	require.True(t, ramp.IsRail())
	_, err = client.Terminals.Get(ctx, terminalID)
	require.ErrorIs(t, err, ErrNotFound)
}

// onShip is the container at sea in the demo world, with its map.
func onShip(t *testing.T, srv *terminal49test.Server, world terminal49test.Demo, client *Client) (id string, m *ContainerMap) {
	t.Helper()
	id = srv.ContainerIDs(world.Shipments[4])[0]
	m, err := client.Containers.Map(t.Context(), id)
	require.NoError(t, err)
	require.Empty(t, m.Unknown())
	return id, m
}

func TestSimulator_Voyage(t *testing.T) {
	srv, world, client := demo(t)
	ctx := t.Context()
	id, m := onShip(t, srv, world, client)
	require.Len(t, m.Ports(), 3)
	require.Equal(t, "TS1", m.Ports()[1].Label)
	require.Len(t, m.PastLocations(), 2)
	require.Empty(t, m.EstimatedLegs())
	vessel, atSea := m.CurrentVessel()
	require.True(t, atSea)
	require.Equal(t, "Busan", vessel.Departure.Name)
	require.Equal(t, "Los Angeles", vessel.Arrival.Name)
	partial, ok := m.EstimatedPartialLeg()
	require.True(t, ok)
	require.Equal(t, vessel.Coordinates, partial.Line[0])
	require.Equal(t, m.Ports()[2].Coordinates, partial.Line[len(partial.Line)-1])
	day, ok := m.Ports()[0].OutboundATD.Date()
	require.True(t, ok)
	require.Equal(t, "2026-02-22", day.String())

	// A day later the vessel is further on.
	srv.Advance(24 * time.Hour)
	_, later := onShip(t, srv, world, client)
	moved, _ := later.CurrentVessel()
	require.NotEqual(t, vessel.Coordinates, moved.Coordinates)

	srv.Advance(30 * 24 * time.Hour)
	m, err := client.Containers.Map(ctx, id)
	require.NoError(t, err)
	_, atSea = m.CurrentVessel()
	require.False(t, atSea, "the vessel has arrived")
	require.False(t, m.Ports()[2].InboundATA.IsZero())
	require.Len(t, m.PastLocations(), 2)

	bare := srv.AddContainer(terminal49test.Container{Number: "MSCU1234566"})
	m, err = client.Containers.Map(ctx, bare)
	require.NoError(t, err)
	require.Empty(t, m.Features(), "no shipment, no route")
	_, err = client.Containers.Map(ctx, partyID)
	require.ErrorIs(t, err, ErrNotFound)
}

func TestSimulator_Positions(t *testing.T) {
	srv, _, client := demo(t)
	ctx := t.Context()
	plain, err := client.Vessels.GetByIMO(ctx, "9708851", nil)
	require.NoError(t, err)
	require.Nil(t, plain.Positions)
	seen, ok := plain.PositionTimestamp.Instant()
	require.True(t, ok)
	require.Less(t, srv.Now().Sub(seen), 15*time.Minute)

	from := srv.Now().Add(-6 * time.Hour)
	tracked, err := client.Vessels.Get(ctx, plain.ID, &VesselGetParams{PositionsFrom: from, PositionsTo: srv.Now()})
	require.NoError(t, err)
	require.Len(t, tracked.Positions, 7, "one an hour, both ends included")
	require.False(t, tracked.Positions[0].Estimated)
	week, err := client.Vessels.Get(ctx, plain.ID, &VesselGetParams{PositionsTo: srv.Now()})
	require.NoError(t, err)
	require.Len(t, week.Positions, 7*24+1, "the service goes back a week by itself")
}

func TestSimulator_FuturePositions(t *testing.T) {
	srv, world, client := demo(t)
	ctx := t.Context()
	_, m := onShip(t, srv, world, client)
	ports := m.Ports()
	leg := VesselLeg{PreviousPortID: ports[1].LocationID, PortID: ports[2].LocationID}
	vessel, _ := m.CurrentVessel()
	ahead, err := client.Vessels.FuturePositions(ctx, vessel.VesselID, leg)
	require.NoError(t, err)
	require.Greater(t, len(ahead.Positions), 24*60)
	for i, p := range ahead.Positions[1:] {
		at, _ := p.Timestamp.Instant()
		before, _ := ahead.Positions[i].Timestamp.Instant()
		require.Equal(t, time.Minute, at.Sub(before))
		require.True(t, p.Estimated)
	}
	last := ahead.Positions[len(ahead.Positions)-1]
	require.InDelta(t, ports[2].Coordinates.Latitude, last.Latitude.Or(0), 0.01)

	here := Coordinates{Latitude: 33.5, Longitude: -119}
	near, err := client.Vessels.FuturePositionsFrom(ctx, vessel.VesselID, leg, here)
	require.NoError(t, err)
	require.Equal(t, Some(33.5), near.Positions[0].Latitude)
	require.Equal(t, Some(-119.0), near.Positions[0].Longitude)

	leg.PortID = partyID
	_, err = client.Vessels.FuturePositions(ctx, vessel.VesselID, leg)
	require.ErrorIs(t, err, ErrNotFound)
}

func TestSimulator_WithoutRouting(t *testing.T) {
	srv, world, client := demo(t, terminal49test.WithoutRouting())
	ctx := t.Context()
	vessel, err := client.Vessels.GetByIMO(ctx, "9708851", nil)
	require.NoError(t, err, "the latest position needs no feature")
	require.NotEmpty(t, vessel.Latitude.String())
	leg := VesselLeg{PreviousPortID: portID, PortID: otherPort}
	for name, err := range map[string]error{
		"positions":   first(client.Vessels.Get(ctx, vessel.ID, &VesselGetParams{PositionsFrom: srv.Now()})),
		"future":      first(client.Vessels.FuturePositions(ctx, vessel.ID, leg)),
		"future from": first(client.Vessels.FuturePositionsFrom(ctx, vessel.ID, leg, Coordinates{})),
		"map":         first(client.Containers.Map(ctx, srv.ContainerIDs(world.Shipments[0])[0])),
	} {
		require.ErrorIs(t, err, ErrFeatureNotEnabled, name)
	}
}

func TestSimulator_Search(t *testing.T) {
	srv, world, client := demo(t)
	ctx := t.Context()
	kinds := func(text string) []SearchKind {
		hits, err := client.Search.Query(ctx, text)
		require.NoError(t, err)
		var list []SearchKind
		for _, h := range hits {
			list = append(list, h.Kind())
		}
		return list
	}
	// The reference is on the shipment, its two containers and its request, which the shipment makes superfluous.
	require.Equal(t, []SearchKind{SearchShipment, SearchContainer, SearchContainer}, kinds("po-10231"))
	hits, err := client.Search.Query(ctx, "MAEU240711002")
	require.NoError(t, err)
	require.Len(t, hits, 1)
	require.Equal(t, world.Shipments[0], hits[0].ID)
	require.Equal(t, Some(2), hits[0].ContainersCount)
	require.Empty(t, kinds("no such number"))

	pending, err := client.TrackingRequests.Create(ctx, TrackingRequestCreate{
		RequestNumber: "MAEU555000111", RequestType: RequestBillOfLading, SCAC: "MAEU",
	})
	require.NoError(t, err)
	hits, err = client.Search.Query(ctx, "555000111")
	require.NoError(t, err)
	require.Len(t, hits, 1)
	require.Equal(t, pending.ID, hits[0].ID)
	require.Equal(t, TrackingPending, hits[0].Status)

	for range 40 {
		srv.AddShipment(terminal49test.Shipment{Number: "BULK"})
	}
	require.Len(t, kinds("BULK"), MaxSearchHits)
}

func TestSimulator_SearchErrorHasNoTitle(t *testing.T) {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket())
	defer srv.Close()
	client := simClient(t, srv)
	err := client.Do(context.Background(), Request{Method: "GET", Path: "/search"}, nil)
	require.ErrorIs(t, err, ErrInvalid)
	require.ErrorContains(t, err, "Query parameter is required")
}
