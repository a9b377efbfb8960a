package terminal49_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

func TestVessels_Requests(t *testing.T) { testkit.TestCalls(t, testkit.VesselCalls()) }

func TestVessels_ArgumentsAreCheckedBeforeSending(t *testing.T) {
	client, ctx := testkit.NewClient(t, testkit.NewFakeAPI()), t.Context()
	leg := terminal49.VesselLeg{PreviousPortID: testkit.PortID, NextPortID: testkit.OtherPortID}
	now := time.Now()
	testkit.RequireArgument(t, testkit.First(client.Vessels.Get(ctx, testkit.VesselIMO, nil)), "id")
	for _, imo := range []string{"", "IMO9074729", "907472", "90747290", "907472x", "+907472"} {
		testkit.RequireArgument(t, testkit.First(client.Vessels.GetByIMO(ctx, imo, nil)), "imo")
	}
	testkit.RequireArgument(t,
		testkit.First(client.Vessels.Get(ctx, testkit.VesselID,
			&terminal49.VesselGetParams{PositionsFrom: now, PositionsTo: now.Add(-1)})), "PositionsTo")
	testkit.RequireArgument(t, testkit.First(client.Vessels.FuturePositions(ctx, "MAERSK ALABAMA", leg)), "id")
	testkit.RequireArgument(t,
		testkit.First(client.Vessels.FuturePositions(ctx, testkit.VesselID,
			terminal49.VesselLeg{PreviousPortID: testkit.PortID})), "PortID")
	testkit.RequireArgument(t,
		testkit.First(client.Vessels.FuturePositions(ctx, testkit.VesselID,
			terminal49.VesselLeg{PreviousPortID: "USLAX", NextPortID: testkit.PortID})), "PreviousPortID")
	for field, from := range map[string]terminal49.Coordinates{
		"Latitude": {Latitude: 90.1}, "Longitude": {Longitude: math.NaN()},
	} {
		testkit.RequireArgument(t,
			testkit.First(client.Vessels.FuturePositionsFrom(ctx, testkit.VesselID, leg, from)), field)
	}
	testkit.RequireArgument(t,
		testkit.First(client.Vessels.FuturePositionsFrom(ctx, testkit.VesselID, terminal49.VesselLeg{},
			terminal49.Coordinates{})), "PortID")
}

func TestVessels_Decode(t *testing.T) {
	const ship = `{"data":{"id":"v","type":"vessel","attributes":{"name":"EVER GIVEN","imo":"9811000","mmsi":"353136000",
		"latitude":25.29845,"longitude":121.217,"nautical_speed_knots":0,"navigational_heading_degrees":194,
		"position_timestamp":"2023-07-28T14:01:37Z","positions":[
			{"latitude":1.477285,"longitude":104.535533333,"heading":51,"timestamp":"2025-05-23T19:14:22Z","estimated":false},
			{"latitude":1.5,"longitude":104.6,"heading":null,"timestamp":"2025-05-23T19:15:22Z","estimated":true}]}}}`
	got, err := testkit.NewClient(t, testkit.Answer(200, ship)).Vessels.GetByIMO(t.Context(), "9811000", nil,
		terminal49.WithStrictDecoding())
	require.NoError(t, err)
	utc := func(s string) terminal49.Time {
		at, err := time.Parse(time.RFC3339, s)
		require.NoError(t, err)
		return terminal49.NewTime(at, "")
	}
	got.Resource = terminal49.Resource{}
	require.Equal(t, &terminal49.Vessel{
		Name: "EVER GIVEN", IMO: "9811000", MMSI: "353136000", Latitude: terminal49.Some(25.29845),
		Longitude:  terminal49.Some(121.217),
		SpeedKnots: terminal49.Some(0.0), HeadingDegrees: terminal49.Some(194.0),
		PositionTimestamp: utc("2023-07-28T14:01:37Z"),
		Positions: []terminal49.VesselPosition{
			{Latitude: terminal49.Some(1.477285), Longitude: terminal49.Some(104.535533333),
				Heading: terminal49.Some(51.0), Timestamp: utc("2025-05-23T19:14:22Z")},
			{Latitude: terminal49.Some(1.5), Longitude: terminal49.Some(104.6), Heading: terminal49.Null[float64](),
				Timestamp: utc("2025-05-23T19:15:22Z"), Estimated: true},
		},
	}, got)

	const unseen = `{"data":{"id":"v","type":"vessel","attributes":{"name":"GHOST","imo":null,"latitude":null,"position_timestamp":null}}}`
	got, err = testkit.NewClient(t, testkit.Answer(200, unseen)).Vessels.Get(t.Context(), testkit.VesselID, nil)
	require.NoError(t, err)
	require.Empty(t, got.IMO)
	require.True(t, got.Latitude.IsNull())
	require.True(t, got.PositionTimestamp.IsZero())
	require.Nil(t, got.Positions, "positions that were not requested are not an empty list")
}

const routingMissing = `{"errors":[{"status":"403","source":null,"title":"Forbidden","detail":"Routing data feature is not enabled for this account"}]}`

func TestVessels_RoutingDataIsAFeature(t *testing.T) {
	client, ctx := testkit.NewClient(t, testkit.Answer(403, routingMissing)), t.Context()
	leg := terminal49.VesselLeg{PreviousPortID: testkit.PortID, NextPortID: testkit.OtherPortID}
	for name, err := range map[string]error{
		"positions": testkit.First(client.Vessels.Get(ctx, testkit.VesselID,
			&terminal49.VesselGetParams{PositionsFrom: time.Now()})),
		"by IMO": testkit.First(client.Vessels.GetByIMO(ctx, testkit.VesselIMO,
			&terminal49.VesselGetParams{PositionsFrom: time.Now()})),
		"future": testkit.First(client.Vessels.FuturePositions(ctx, testkit.VesselID, leg)),
		"future from here": testkit.First(client.Vessels.FuturePositionsFrom(ctx, testkit.VesselID, leg,
			terminal49.Coordinates{})),
		"map": testkit.First(client.Containers.Map(ctx, testkit.ContainerID)),
	} {
		require.ErrorIs(t, err, terminal49.ErrFeatureNotEnabled, name)
		require.NotErrorIs(t, err, terminal49.ErrNotFound, name)
	}
}
