package terminal49_test

import (
	"errors"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

func TestParties_Requests(t *testing.T) { testkit.TestCalls(t, testkit.PartyCalls()) }

func TestParties_Decode(t *testing.T) {
	party, err := testkit.NewClient(t, testkit.Answer(200, testkit.OneParty)).Parties.Get(t.Context(),
		testkit.PartyID, terminal49.WithStrictDecoding())
	require.NoError(t, err)
	require.Equal(t, testkit.PartyID, party.ID)
	require.Equal(t, "Ümlaut & Sons", party.CompanyName)

	unnamed := testkit.NewClient(t, testkit.Answer(200, `{"data":{"id":"`+testkit.PartyID+`","type":"party","attributes":{"company_name":null}}}`))
	party, err = unnamed.Parties.Get(t.Context(), testkit.PartyID)
	require.NoError(t, err)
	require.Empty(t, party.CompanyName)
}

func TestParties_ArgumentsAreCheckedBeforeSending(t *testing.T) {
	client := testkit.NewClient(t, testkit.NewFakeAPI())
	ctx := t.Context()
	for field, err := range map[string]error{
		"PageSize": testkit.First(client.Parties.List(ctx,
			&terminal49.PartyListParams{PageParams: terminal49.PageParams{PageSize: 101}})),
		"CompanyName": testkit.First(client.Parties.Create(ctx, terminal49.PartyCreate{CompanyName: " \t"})),
		"id":          testkit.First(client.Parties.Get(ctx, "Harbor Street Imports")),
		"party":       testkit.First(client.Parties.Update(ctx, testkit.PartyID, terminal49.PartyUpdate{})),
	} {
		testkit.RequireArgument(t, err, field)
	}
	for _, name := range []terminal49.Opt[string]{terminal49.Some(""), terminal49.Null[string]()} {
		testkit.RequireArgument(t,
			testkit.First(client.Parties.Update(ctx, testkit.PartyID, terminal49.PartyUpdate{CompanyName: name})),
			"CompanyName")
	}
}

func TestParties_ANameThatIsTaken(t *testing.T) {
	const taken = `{"errors":[{"status":"422","source":{"pointer":"/data/attributes/customer"},"title":"Unprocessable Entity","detail":"'ZZZZ' already exists in Account"}]}`
	_, err := testkit.NewClient(t, testkit.Answer(http.StatusUnprocessableEntity, taken)).Parties.Create(t.Context(),
		terminal49.PartyCreate{CompanyName: "ZZZZ"})
	require.ErrorIs(t, err, terminal49.ErrInvalid)
	var refused *terminal49.APIError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "/data/attributes/customer", refused.Errors[0].Pointer)
}

func TestPartyRoles_Requests(t *testing.T) { testkit.TestCalls(t, testkit.PartyRoleCalls()) }

// service-facts 14.6: 422 "taken" for a role that the party has; 422 with the code
// is_not_allowed_for_cargo for another role of a container; 422 with only a detail for an unknown
// role; 401 with only a detail for a party of another account.
func TestPartyRoles_ErrorsByMeaning(t *testing.T) {
	sentinels := map[string]error{
		"duplicate": terminal49.ErrDuplicate, "invalid": terminal49.ErrInvalid, "role": terminal49.ErrRoleNotAllowed,
		"unauthorized": terminal49.ErrUnauthorized, "forbidden": terminal49.ErrForbidden, "not found": terminal49.ErrNotFound,
	}
	for name, c := range map[string]struct {
		status int
		body   string
		want   []string
	}{
		"taken": {422, `{"errors":[{"status":"422","source":{"pointer":""},"title":"Unprocessable Entity","detail":"x","code":"taken"}]}`,
			[]string{"duplicate", "invalid"}},
		"cargo": {422, `{"errors":[{"status":"422","source":{"pointer":"/data/attributes/role"},"title":"x","code":"is_not_allowed_for_cargo"}]}`,
			[]string{"invalid", "role"}},
		"unknown role":  {422, `{"errors":[{"detail":"'captain' is not a valid role"}]}`, []string{"invalid"}},
		"foreign party": {401, `{"errors":[{"detail":"You are not authorized to perform this action"}]}`, []string{"forbidden"}},
		// The texts of service-facts 8, in either form.
		"token":            {401, `{"errors":[{"detail":"Invalid or missing API token."}]}`, []string{"unauthorized"}},
		"key":              {401, `{"errors":[{"detail":"Terminal49 API key could not be verified"}]}`, []string{"unauthorized"}},
		"full form":        {401, `{"errors":[{"status":"401","title":"Unauthorized","detail":"no"}]}`, []string{"unauthorized"}},
		"no body":          {401, ``, []string{"unauthorized"}},
		"unknown shipment": {404, ``, []string{"not found"}},
	} {
		t.Run(name, func(t *testing.T) {
			client := testkit.NewClient(t, testkit.Answer(c.status, c.body))
			role := terminal49.PartyRoleCreate{Role: terminal49.PartyRoleConsignee, PartyID: testkit.PartyID}
			_, err := client.Containers.AddPartyRole(t.Context(), testkit.ContainerID, role)
			var got []string
			for name, sentinel := range sentinels {
				if errors.Is(err, sentinel) {
					got = append(got, name)
				}
			}
			require.ElementsMatch(t, c.want, got, err)
		})
	}
	// Elsewhere a 401 is always about the token.
	_, err := testkit.NewClient(t, testkit.Answer(401, `{"errors":[{"detail":"not authorized"}]}`)).Parties.Get(t.Context(), testkit.PartyID)
	require.ErrorIs(t, err, terminal49.ErrUnauthorized)
}

func TestPartyRoles_ArgumentsAreCheckedBeforeSending(t *testing.T) {
	client, ctx := testkit.NewClient(t, testkit.NewFakeAPI()), t.Context()
	role := terminal49.PartyRoleCreate{Role: terminal49.PartyRoleConsignee, PartyID: testkit.PartyID}
	for field, err := range map[string]error{
		"id":      testkit.First(client.Shipments.AddPartyRole(ctx, "MAEU1", role)),
		"Role":    testkit.First(client.Shipments.AddPartyRole(ctx, testkit.ShipmentID, terminal49.PartyRoleCreate{PartyID: testkit.PartyID})),
		"PartyID": testkit.First(client.Shipments.AddPartyRole(ctx, testkit.ShipmentID, terminal49.PartyRoleCreate{Role: "shipper"})),
		"roleID":  client.Shipments.RemovePartyRole(ctx, testkit.ShipmentID, "consignee"),
	} {
		testkit.RequireArgument(t, err, field)
	}
}

// service-facts 14.6: the flag adds the relationship, the include value embeds roles and parties.
// An older service has neither: it ignores the flag and, like any unknown include, rejects the
// value.
func TestPartyRoles_OfAShipment(t *testing.T) {
	roles := func(t *testing.T, older bool, params *terminal49.ShipmentGetParams) (*terminal49.Shipment, error) {
		var options []terminal49test.Option
		if older {
			options = append(options, terminal49test.WithoutAutumn2026())
		}
		srv := terminal49test.NewServer(append(options, terminal49test.WithoutSocket())...)
		defer srv.Close()
		testkit.AddNamedResources(srv)
		shipment, err := testkit.SimulatedClient(t, srv).Shipments.Get(t.Context(), testkit.ShipmentID, params)
		srv.CheckViolations(t)
		return shipment, err
	}
	flag := &terminal49.ShipmentGetParams{PartyRoles: true}
	include := &terminal49.ShipmentGetParams{Include: []terminal49.ShipmentInclude{terminal49.ShipmentIncludePartyRoles}}

	shipment, err := roles(t, false, nil)
	require.NoError(t, err)
	require.Equal(t, terminal49.RelationshipAbsent, shipment.PartyRoles.State())
	shipment, err = roles(t, false, flag)
	require.NoError(t, err)
	require.Equal(t, []string{testkit.PartyRoleID}, shipment.PartyRoles.IDs())
	require.Equal(t, terminal49.RelationshipLinked, shipment.PartyRoles.State())
	shipment, err = roles(t, false, include)
	require.NoError(t, err)
	found, complete := shipment.PartyRoles.Values()
	require.True(t, complete)
	party, ok := found[0].Party.Value()
	require.True(t, ok)
	require.Equal(t, "Ümlaut & Sons", party.CompanyName)
	require.Equal(t, terminal49.PartyRoleConsignee, found[0].Role)

	shipment, err = roles(t, true, flag)
	require.NoError(t, err)
	require.Equal(t, terminal49.RelationshipAbsent, shipment.PartyRoles.State())
	_, err = roles(t, true, include)
	require.ErrorIs(t, err, terminal49.ErrInvalid)
}

// service-facts 14.1: some copies of the documents lack these operations; 8: an unknown route is
// answered with an HTML page and 404.
func TestAutumn2026_AnOlderServiceHasNoSuchOperation(t *testing.T) {
	srv := terminal49test.NewServer(terminal49test.WithoutAutumn2026(), terminal49test.WithoutSocket())
	defer srv.Close()
	testkit.AddNamedResources(srv)
	client := testkit.SimulatedClient(t, srv)
	for _, call := range append(testkit.PartyRoleCalls(), testkit.MeCalls()...) {
		err := call.Do(t.Context(), client)
		require.ErrorIs(t, err, terminal49.ErrNotFound, call.Op)
		require.ErrorContains(t, err, "the service may not have this operation yet", call.Op)
	}
	srv.CheckViolations(t)

	// That a shipment does not exist is another matter.
	_, err := testkit.NewClient(t, testkit.Answer(404, `{"errors":[{"status":"404","title":"Not Found"}]}`)).
		Shipments.PartyRoles(t.Context(), testkit.ShipmentID)
	require.ErrorIs(t, err, terminal49.ErrNotFound)
	require.NotContains(t, err.Error(), "may not have")
}

// service-facts 14.6: query is a part of the company name in any case; some services ignore it.
func TestParties_QueryIsCheckedByTheClientToo(t *testing.T) {
	for name, options := range map[string][]terminal49test.Option{
		"new": nil, "older": {terminal49test.WithoutAutumn2026()},
	} {
		t.Run(name, func(t *testing.T) {
			srv := terminal49test.NewServer(append(options, terminal49test.WithoutSocket())...)
			defer srv.Close()
			for _, company := range []string{"Söhne & Co", "Other", "Die SÖHNE"} {
				srv.AddParty(terminal49test.Party{CompanyName: company})
			}
			client, params := testkit.SimulatedClient(t, srv), &terminal49.PartyListParams{Query: " söhne "}
			var all, paged []string
			for party, err := range client.Parties.All(t.Context(), params) {
				require.NoError(t, err)
				all = append(all, party.CompanyName)
			}
			for page, err := range client.Parties.Pages(t.Context(), params) {
				require.NoError(t, err)
				for _, party := range page.Items {
					paged = append(paged, party.CompanyName)
				}
			}
			page, err := client.Parties.List(t.Context(), params)
			require.NoError(t, err)
			require.Equal(t, []string{"Söhne & Co", "Die SÖHNE"}, all)
			require.Equal(t, all, paged)
			require.Len(t, page.Items, 2)
			srv.CheckViolations(t)
		})
	}
}

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
