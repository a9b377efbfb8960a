package terminal49test_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// demo is a seeded service on a clock that only Advance moves.
func demo(t *testing.T, opts ...terminal49test.Option) (*terminal49test.Server, terminal49test.Demo, *terminal49.Client) {
	t.Helper()
	start := time.Date(2026, time.March, 2, 16, 0, 0, 0, time.UTC)
	opts = append([]terminal49test.Option{
		terminal49test.WithoutSocket(), terminal49test.WithStart(start), terminal49test.WithSpeed(0),
		terminal49test.WithoutRateLimits(),
	}, opts...)
	srv := terminal49test.NewServer(opts...)
	t.Cleanup(srv.Close)
	t.Cleanup(func() { srv.CheckViolations(t) })
	return srv, srv.SeedDemo(), testkit.SimulatedClient(t, srv)
}

func TestSimulator_Parties(t *testing.T) {
	_, _, client := demo(t)
	ctx := t.Context()
	made, err := client.Parties.Create(ctx, terminal49.PartyFields{CompanyName: "Bay Bridge Coffee"})
	require.NoError(t, err)
	require.Equal(t, "party", made.Type)
	_, err = client.Parties.Create(ctx, terminal49.PartyFields{CompanyName: "bay bridge coffee"})
	require.ErrorIs(t, err, terminal49.ErrInvalid)
	require.ErrorContains(t, err, "already exists")

	renamed, err := client.Parties.Update(ctx, made.ID,
		terminal49.PartyFields{CompanyName: "Bay Bridge Tea"})
	require.NoError(t, err)
	require.Equal(t, "Bay Bridge Tea", renamed.CompanyName)
	_, err = client.Parties.Update(ctx, made.ID, terminal49.PartyFields{CompanyName: "Lakeside Home Goods"})
	require.ErrorIs(t, err, terminal49.ErrInvalid)
	got, err := client.Parties.Get(ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, "Bay Bridge Tea", got.CompanyName)

	page, err := client.Parties.List(ctx, &terminal49.PartyListParams{PageParams: terminal49.PageParams{PageSize: 2}})
	require.NoError(t, err)
	require.Equal(t, terminal49.Some(3), page.Total)
	require.True(t, page.HasNext())
	all, err := testkit.Drain(client.Parties.All(ctx,
		&terminal49.PartyListParams{PageParams: terminal49.PageParams{PageSize: 2}}))
	require.NoError(t, err)
	require.Len(t, all, 3)

	_, err = client.Parties.Get(ctx, testkit.PartyID)
	require.ErrorIs(t, err, terminal49.ErrNotFound)
}

func TestSimulator_Places(t *testing.T) {
	_, world, client := demo(t)
	ctx := t.Context()
	byCode, err := client.Ports.Get(ctx, "USLAX")
	require.NoError(t, err)
	require.Equal(t, terminal49.Some(33.74), byCode.Latitude)
	require.Equal(t, 2, byCode.Terminals.Len())
	byID, err := client.Ports.Get(ctx, byCode.ID)
	require.NoError(t, err)
	byID.AsOf = byCode.AsOf // another request
	require.Equal(t, byCode, byID)
	area, err := client.MetroAreas.Get(ctx, "USCHI")
	require.NoError(t, err)
	require.Equal(t, "America/Chicago", area.TimeZone)
	_, err = client.MetroAreas.Get(ctx, "USLAX")
	require.ErrorIs(t, err, terminal49.ErrNotFound, "a port is not a metro area")

	byRail, err := client.Shipments.Get(ctx, world.Shipments[5], nil)
	require.NoError(t, err)
	ramp, err := client.Terminals.Get(ctx, byRail.DestinationTerminal.ID())
	require.NoError(t, err)
	require.True(t, ramp.IsRail())
	_, err = client.Terminals.Get(ctx, testkit.TerminalID)
	require.ErrorIs(t, err, terminal49.ErrNotFound)
}

// onShip is the container at sea in the demo world, with its map.
func onShip(t *testing.T, srv *terminal49test.Server, world terminal49test.Demo,
	client *terminal49.Client) (id string, m *terminal49.ContainerMap) {
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

	// A day later the vessel has moved.
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
	require.JSONEq(t, `{"type":"FeatureCollection","features":[]}`, string(m.Raw()), "no shipment, no route")
	_, err = client.Containers.Map(ctx, testkit.PartyID)
	require.ErrorIs(t, err, terminal49.ErrNotFound)
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
	tracked, err := client.Vessels.Get(ctx, plain.ID,
		&terminal49.VesselGetParams{PositionsFrom: from, PositionsTo: srv.Now()})
	require.NoError(t, err)
	require.Len(t, tracked.Positions, 7, "one per hour, including both ends")
	require.False(t, tracked.Positions[0].Estimated)
	week, err := client.Vessels.Get(ctx, plain.ID, &terminal49.VesselGetParams{PositionsTo: srv.Now()})
	require.NoError(t, err)
	require.Len(t, week.Positions, 7*24+1, "the service defaults to a week")
}

func TestSimulator_FuturePositions(t *testing.T) {
	srv, world, client := demo(t)
	ctx := t.Context()
	_, m := onShip(t, srv, world, client)
	ports := m.Ports()
	leg := terminal49.VesselLeg{PreviousPortID: ports[1].LocationID, NextPortID: ports[2].LocationID}
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

	here := terminal49.Coordinates{Latitude: 33.5, Longitude: -119}
	near, err := client.Vessels.FuturePositionsFrom(ctx, vessel.VesselID, leg, here)
	require.NoError(t, err)
	require.Equal(t, terminal49.Some(33.5), near.Positions[0].Latitude)
	require.Equal(t, terminal49.Some(-119.0), near.Positions[0].Longitude)

	leg.NextPortID = testkit.PartyID
	_, err = client.Vessels.FuturePositions(ctx, vessel.VesselID, leg)
	require.ErrorIs(t, err, terminal49.ErrNotFound)
}

func TestSimulator_WithoutRouting(t *testing.T) {
	srv, world, client := demo(t, terminal49test.WithoutRouting())
	ctx := t.Context()
	vessel, err := client.Vessels.GetByIMO(ctx, "9708851", nil)
	require.NoError(t, err, "the latest position does not need the feature")
	require.NotEmpty(t, vessel.Latitude.String())
	leg := terminal49.VesselLeg{PreviousPortID: testkit.PortID, NextPortID: testkit.OtherPortID}
	for name, err := range map[string]error{
		"positions": testkit.First(client.Vessels.Get(ctx, vessel.ID,
			&terminal49.VesselGetParams{PositionsFrom: srv.Now()})),
		"future":      testkit.First(client.Vessels.FuturePositions(ctx, vessel.ID, leg)),
		"future from": testkit.First(client.Vessels.FuturePositionsFrom(ctx, vessel.ID, leg, terminal49.Coordinates{})),
		"map":         testkit.First(client.Containers.Map(ctx, srv.ContainerIDs(world.Shipments[0])[0])),
	} {
		require.ErrorIs(t, err, terminal49.ErrFeatureNotEnabled, name)
	}
}

func TestSimulator_Search(t *testing.T) {
	srv, world, client := demo(t)
	ctx := t.Context()
	kinds := func(text string) []terminal49.SearchKind {
		hits, err := client.Search.Query(ctx, text)
		require.NoError(t, err)
		var list []terminal49.SearchKind
		for _, h := range hits {
			list = append(list, h.Kind())
		}
		return list
	}
	// The shipment, its two containers and its request have the reference; the request is omitted
	// because of the shipment.
	require.Equal(t, []terminal49.SearchKind{terminal49.SearchKindShipment, terminal49.SearchKindContainer, terminal49.SearchKindContainer}, kinds("po-10231"))
	hits, err := client.Search.Query(ctx, "MAEU240711002")
	require.NoError(t, err)
	require.Len(t, hits, 1)
	require.Equal(t, world.Shipments[0], hits[0].ID)
	require.Equal(t, terminal49.Some(2), hits[0].ContainersCount)
	require.Empty(t, kinds("no such number"))

	pending, err := client.TrackingRequests.Create(ctx, terminal49.TrackingRequestCreate{
		RequestNumber: "MAEU555000111", RequestType: terminal49.RequestTypeBillOfLading, SCAC: "MAEU",
	})
	require.NoError(t, err)
	hits, err = client.Search.Query(ctx, "555000111")
	require.NoError(t, err)
	require.Len(t, hits, 1)
	require.Equal(t, pending.ID, hits[0].ID)
	require.Equal(t, terminal49.TrackingPending, hits[0].Status)

	for range 40 {
		srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "BULK"})
	}
	require.Len(t, kinds("BULK"), terminal49.MaxSearchHits)
}

func TestSimulator_SearchErrorHasNoTitle(t *testing.T) {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket())
	defer srv.Close()
	client := testkit.SimulatedClient(t, srv)
	err := client.Do(context.Background(), terminal49.Request{Method: "GET", Path: "/search"}, nil)
	require.ErrorIs(t, err, terminal49.ErrInvalid)
	require.ErrorContains(t, err, "Query parameter is required")
}
