package terminal49

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	vesselID  = "99999999-9999-4999-8999-999999999999"
	vesselIMO = "9074729"
	otherPort = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
	oneVessel = `{"data":{"id":"` + vesselID + `","type":"vessel"}}`
)

func vesselCalls() []call {
	from := time.Date(2025, 5, 20, 2, 0, 0, 0, time.FixedZone("", 2*60*60))
	to := time.Date(2025, 5, 24, 0, 0, 0, 0, time.UTC)
	leg := VesselLeg{PreviousPortID: portID, PortID: otherPort}
	return []call{
		{
			op: "vessels.get", method: "GET", path: "/vessels/" + vesselID, reply: oneVessel,
			do: func(ctx context.Context, c *Client) error { return first(c.Vessels.Get(ctx, vesselID, nil)) },
		},
		{
			op: "vessels.get", method: "GET", path: "/vessels/" + vesselID, reply: oneVessel,
			query: "show_positions[from_timestamp]=2025-05-20T00:00:00Z&show_positions[to_timestamp]=2025-05-24T00:00:00Z",
			do: func(ctx context.Context, c *Client) error {
				return first(c.Vessels.Get(ctx, vesselID, &VesselGetParams{PositionsFrom: from, PositionsTo: to}))
			},
		},
		{
			op: "vessels.get_by_imo", method: "GET", path: "/vessels/" + vesselIMO, reply: oneVessel,
			query: "show_positions[to_timestamp]=2025-05-24T00:00:00Z",
			do: func(ctx context.Context, c *Client) error {
				return first(c.Vessels.GetByIMO(ctx, vesselIMO, &VesselGetParams{PositionsTo: to}))
			},
		},
		{
			op: "vessels.get_by_imo", method: "GET", path: "/vessels/" + vesselIMO, reply: oneVessel,
			query: "show_positions[from_timestamp]=2025-05-20T00:00:00Z",
			do: func(ctx context.Context, c *Client) error {
				return first(c.Vessels.GetByIMO(ctx, vesselIMO, &VesselGetParams{PositionsFrom: from}))
			},
		},
		{
			op: "vessels.get_by_imo", method: "GET", path: "/vessels/" + vesselIMO, reply: oneVessel,
			do: func(ctx context.Context, c *Client) error { return first(c.Vessels.GetByIMO(ctx, vesselIMO, nil)) },
		},
		{
			op: "vessels.future_positions", method: "GET", path: "/vessels/" + vesselID + "/future_positions", reply: oneVessel,
			query: "port_id=" + otherPort + "&previous_port_id=" + portID,
			do: func(ctx context.Context, c *Client) error {
				return first(c.Vessels.FuturePositions(ctx, vesselID, leg))
			},
		},
		{
			op: "vessels.future_positions_with_coordinates", method: "GET", reply: oneVessel,
			path:  "/vessels/" + vesselID + "/future_positions_with_coordinates",
			query: "latitude=33.5&longitude=-0.000001&port_id=" + otherPort + "&previous_port_id=" + portID,
			do: func(ctx context.Context, c *Client) error {
				return first(c.Vessels.FuturePositionsFrom(ctx, vesselID, leg, Coordinates{Latitude: 33.5, Longitude: -0.000001}))
			},
		},
		{
			// The middle of the Gulf of Guinea is a place like any other.
			op: "vessels.future_positions_with_coordinates", method: "GET", reply: oneVessel,
			path:  "/vessels/" + vesselID + "/future_positions_with_coordinates",
			query: "latitude=0&longitude=0&port_id=" + otherPort + "&previous_port_id=" + portID,
			do: func(ctx context.Context, c *Client) error {
				return first(c.Vessels.FuturePositionsFrom(ctx, vesselID, leg, Coordinates{}))
			},
		},
	}
}

func TestVessels_Requests(t *testing.T) { testCalls(t, vesselCalls()) }

func TestVessels_ArgumentsAreCheckedBeforeSending(t *testing.T) {
	client, ctx := newClient(t, newFakeAPI()), t.Context()
	leg := VesselLeg{PreviousPortID: portID, PortID: otherPort}
	now := time.Now()
	requireArgument(t, first(client.Vessels.Get(ctx, vesselIMO, nil)), "id")
	for _, imo := range []string{"", "IMO9074729", "907472", "90747290", "907472x", "+907472"} {
		requireArgument(t, first(client.Vessels.GetByIMO(ctx, imo, nil)), "imo")
	}
	requireArgument(t, first(client.Vessels.Get(ctx, vesselID, &VesselGetParams{PositionsFrom: now, PositionsTo: now.Add(-1)})), "PositionsTo")
	requireArgument(t, first(client.Vessels.FuturePositions(ctx, "MAERSK ALABAMA", leg)), "id")
	requireArgument(t, first(client.Vessels.FuturePositions(ctx, vesselID, VesselLeg{PreviousPortID: portID})), "PortID")
	requireArgument(t, first(client.Vessels.FuturePositions(ctx, vesselID, VesselLeg{PreviousPortID: "USLAX", PortID: portID})), "PreviousPortID")
	for field, from := range map[string]Coordinates{
		"Latitude": {Latitude: 90.1}, "Longitude": {Longitude: math.NaN()},
	} {
		requireArgument(t, first(client.Vessels.FuturePositionsFrom(ctx, vesselID, leg, from)), field)
	}
	requireArgument(t, first(client.Vessels.FuturePositionsFrom(ctx, vesselID, VesselLeg{}, Coordinates{})), "PortID")
}

func TestVessels_Decode(t *testing.T) {
	const ship = `{"data":{"id":"v","type":"vessel","attributes":{"name":"EVER GIVEN","imo":"9811000","mmsi":"353136000",
		"latitude":25.29845,"longitude":121.217,"nautical_speed_knots":0,"navigational_heading_degrees":194,
		"position_timestamp":"2023-07-28T14:01:37Z","positions":[
			{"latitude":1.477285,"longitude":104.535533333,"heading":51,"timestamp":"2025-05-23T19:14:22Z","estimated":false},
			{"latitude":1.5,"longitude":104.6,"heading":null,"timestamp":"2025-05-23T19:15:22Z","estimated":true}]}}}`
	got, err := newClient(t, answer(200, ship)).Vessels.GetByIMO(t.Context(), "9811000", nil, WithStrictDecoding())
	require.NoError(t, err)
	utc := func(s string) Time {
		at, err := time.Parse(time.RFC3339, s)
		require.NoError(t, err)
		return NewTime(at, "")
	}
	got.Resource = Resource{}
	require.Equal(t, &Vessel{
		Name: "EVER GIVEN", IMO: "9811000", MMSI: "353136000", Latitude: Some(25.29845), Longitude: Some(121.217),
		SpeedKnots: Some(0.0), HeadingDegrees: Some(194.0), PositionTimestamp: utc("2023-07-28T14:01:37Z"),
		Positions: []Position{
			{Latitude: Some(1.477285), Longitude: Some(104.535533333), Heading: Some(51.0), Timestamp: utc("2025-05-23T19:14:22Z")},
			{Latitude: Some(1.5), Longitude: Some(104.6), Heading: Null[float64](), Timestamp: utc("2025-05-23T19:15:22Z"), Estimated: true},
		},
	}, got)

	const unseen = `{"data":{"id":"v","type":"vessel","attributes":{"name":"GHOST","imo":null,"latitude":null,"position_timestamp":null}}}`
	got, err = newClient(t, answer(200, unseen)).Vessels.Get(t.Context(), vesselID, nil)
	require.NoError(t, err)
	require.Empty(t, got.IMO)
	require.True(t, got.Latitude.IsNull())
	require.True(t, got.PositionTimestamp.IsZero())
	require.Nil(t, got.Positions, "positions that were not asked for are not an empty list")
}

const routingMissing = `{"errors":[{"status":"403","source":null,"title":"Forbidden","detail":"Routing data feature is not enabled for this account"}]}`

func TestVessels_RoutingDataIsAFeature(t *testing.T) {
	client, ctx := newClient(t, answer(403, routingMissing)), t.Context()
	leg := VesselLeg{PreviousPortID: portID, PortID: otherPort}
	for name, err := range map[string]error{
		"positions":        first(client.Vessels.Get(ctx, vesselID, &VesselGetParams{PositionsFrom: time.Now()})),
		"by IMO":           first(client.Vessels.GetByIMO(ctx, vesselIMO, &VesselGetParams{PositionsFrom: time.Now()})),
		"future":           first(client.Vessels.FuturePositions(ctx, vesselID, leg)),
		"future from here": first(client.Vessels.FuturePositionsFrom(ctx, vesselID, leg, Coordinates{})),
		"map":              first(client.Containers.Map(ctx, containerID)),
	} {
		require.ErrorIs(t, err, ErrFeatureNotEnabled, name)
		require.NotErrorIs(t, err, ErrNotFound, name)
	}
}
