package terminal49_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

func TestPlaces_Requests(t *testing.T) { testkit.TestCalls(t, testkit.PlaceCalls()) }

func TestPlaces_ArgumentsAreCheckedBeforeSending(t *testing.T) {
	client := testkit.NewClient(t, testkit.NewFakeAPI())
	for _, id := range []string{"", "USLA", "USLAXX", "uslax", "US/AX", "Los Angeles", testkit.PortID + "0"} {
		testkit.RequireArgument(t, testkit.First(client.Ports.Get(t.Context(), id)), "idOrLOCODE")
		testkit.RequireArgument(t, testkit.First(client.MetroAreas.Get(t.Context(), id)), "idOrLOCODE")
	}
	testkit.RequireArgument(t, testkit.First(client.Terminals.Get(t.Context(), "Z901")), "id")
}

// The service sends coordinates as numbers or as strings, for all kinds of places.
func TestPlaces_DecodePort(t *testing.T) {
	const port = `{"data":{"id":"p","type":"port","attributes":{"id":"p","name":"Los Angeles","code":"USLAX","state_abbr":"CA",
		"city":"Los Angeles","country_code":"US","time_zone":"America/Los_Angeles","latitude":"33.74","longitude":-118.26},
		"relationships":{"terminals":{"data":[{"id":"t","type":"terminal"}]}}},"links":{"self":"https://x.test/v2/ports/USLAX"}}`
	got, err := testkit.NewClient(t, testkit.Answer(200, port)).Ports.Get(t.Context(), "USLAX",
		terminal49.WithStrictDecoding())
	require.NoError(t, err)
	require.Equal(t, "p", got.ID)
	require.Equal(t, []string{"t"}, got.Terminals.IDs())
	got.Resource, got.Terminals = terminal49.Resource{}, terminal49.ToMany[*terminal49.Terminal]{}
	require.Equal(t, &terminal49.Port{
		Name: "Los Angeles", LOCODE: "USLAX", City: "Los Angeles", StateAbbr: "CA", CountryCode: "US",
		TimeZone: "America/Los_Angeles", Latitude: terminal49.Some(33.74), Longitude: terminal49.Some(-118.26),
	}, got)

	const bare = `{"data":{"id":"p","type":"port","attributes":{"name":"Nowhere","city":null,"latitude":null,"longitude":"north"}}}`
	got, err = testkit.NewClient(t, testkit.Answer(200, bare)).Ports.Get(t.Context(), "XXABC")
	require.NoError(t, err)
	require.True(t, got.Latitude.IsNull())
	require.True(t, got.Longitude.IsZero(), "what is not a number is omitted")
	require.Equal(t, terminal49.RelationshipAbsent, got.Terminals.State())
}

func TestPlaces_DecodeMetroArea(t *testing.T) {
	const area = `{"data":{"id":"m","type":"metro_area","attributes":{"id":"m","name":"Chicago","code":"USCHI","state_abbr":"IL",
		"country_code":"US","time_zone":"America/Chicago","latitude":"41.88","longitude":"-87.63"}}}`
	got, err := testkit.NewClient(t, testkit.Answer(200, area)).MetroAreas.Get(t.Context(), "USCHI",
		terminal49.WithStrictDecoding())
	require.NoError(t, err)
	got.Resource = terminal49.Resource{}
	require.Equal(t, &terminal49.MetroArea{
		Name: "Chicago", LOCODE: "USCHI", StateAbbr: "IL", CountryCode: "US", TimeZone: "America/Chicago",
		Latitude: terminal49.Some(41.88), Longitude: terminal49.Some(-87.63),
	}, got)
}

// Rail ramps come in two forms.
func TestPlaces_DecodeTerminal(t *testing.T) {
	const ocean = `{"data":{"id":"t","type":"terminal","attributes":{"id":"t","nickname":"WBCT","name":"West Basin","firms_code":"Y258",
		"smdg_code":null,"bic_facility_code":null,"street":"2050 John S Gibson","city":"San Pedro","state":"California",
		"state_abbr":"CA","zip":"90731","country":"US","facility_type":"ocean_terminal",
		"provided_data":{"pickup_lfd":true,"pickup_lfd_notes":""}},"relationships":{"port":{"data":{"id":"p","type":"port"}}}}}`
	client := testkit.NewClient(t, testkit.Answer(200, ocean))
	got, err := client.Terminals.Get(t.Context(), testkit.TerminalID, terminal49.WithStrictDecoding())
	require.NoError(t, err)
	require.False(t, got.IsRail())
	require.Equal(t, "p", got.Port.ID())
	require.NotNil(t, got.ProvidedData)
	require.Equal(t, [9]string{"WBCT", "West Basin", "Y258", "2050 John S Gibson", "San Pedro", "California", "CA",
		"90731", "US"},
		[9]string{got.Nickname, got.Name, got.FIRMSCode, got.Street, got.City, got.State, got.StateAbbr, got.Zip,
			got.Country})

	for _, ramp := range []string{
		strings.Replace(ocean, "ocean_terminal", "rail", 1),
		`{"data":{"id":"r","type":"rail_terminal","attributes":{"name":"Ramp","nickname":"R1","firms_code":null,"city":"Chicago"},
			"relationships":{"port":{"data":null},"metro_area":{"data":{"id":"m","type":"metro_area"}}}}}`,
	} {
		got, err = testkit.NewClient(t, testkit.Answer(200, ramp)).Terminals.Get(t.Context(), testkit.TerminalID,
			terminal49.WithStrictDecoding())
		require.NoError(t, err)
		require.True(t, got.IsRail())
	}
}

func TestPlaces_NotFound(t *testing.T) {
	client := testkit.NewClient(t, testkit.Answer(404, `{"errors":[{"status":"404","title":"Not Found"}]}`))
	require.ErrorIs(t, testkit.First(client.Ports.Get(t.Context(), "XXABC")), terminal49.ErrNotFound)
}

func TestVessels_Requests(t *testing.T) { testkit.TestCalls(t, testkit.VesselCalls()) }

func TestVessels_ArgumentsAreCheckedBeforeSending(t *testing.T) {
	client, ctx := testkit.NewClient(t, testkit.NewFakeAPI()), t.Context()
	leg := terminal49.VesselLeg{PreviousPortID: testkit.PortID, PortID: testkit.OtherPortID}
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
			terminal49.VesselLeg{PreviousPortID: "USLAX", PortID: testkit.PortID})), "PreviousPortID")
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
		Positions: []terminal49.Position{
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
	leg := terminal49.VesselLeg{PreviousPortID: testkit.PortID, PortID: testkit.OtherPortID}
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

func TestShippingLines_Requests(t *testing.T) { testkit.TestCalls(t, testkit.ShippingLineCalls()) }

// The service advertises a second page that repeats the first.
func TestShippingLines_AreFetchedOnce(t *testing.T) {
	api := testkit.NewFakeAPI()
	api.OnPages("/shipping_lines", map[string]string{
		"": `{"data":[{"id":"a","type":"shipping_line","attributes":{"scac":"MAEU"}},{"id":"b","type":"shipping_line"}],
			"links":{"next":"https://api.example.test/proxy/v2/shipping_lines?page%5Bnumber%5D=2"}}`,
	})
	for _, opts := range [][]terminal49.CallOption{nil, {terminal49.WithPrefetch(3)}} {
		lines, err := testkit.NewClient(t, api).ShippingLines.List(t.Context(), opts...)
		require.NoError(t, err)
		require.Len(t, lines, 2)
		require.Equal(t, "MAEU", lines[0].SCAC)
	}
	require.Equal(t, []string{"", ""}, api.Queries())
}

func TestShippingLines_EmptyList(t *testing.T) {
	lines, err := testkit.NewClient(t, testkit.Answer(200, `{"data":[]}`)).ShippingLines.List(t.Context())
	require.NoError(t, err)
	require.NotNil(t, lines)
	require.Empty(t, lines)
}

func TestShippingLines_Supports(t *testing.T) {
	line := terminal49.ShippingLine{BillOfLadingTrackingSupport: true, ContainerNumberTrackingSupport: true}
	require.True(t, line.Supports(terminal49.RequestBillOfLading))
	require.False(t, line.Supports(terminal49.RequestBookingNumber))
	require.True(t, line.Supports(terminal49.RequestContainer))
	require.False(t, line.Supports("telex"))
	line = terminal49.ShippingLine{BookingNumberTrackingSupport: true}
	require.True(t, line.Supports(terminal49.RequestBookingNumber))
	require.False(t, line.Supports(terminal49.RequestContainer))
}
