package terminal49_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPlaces_Requests(t *testing.T) { testkit.TestCalls(t, testkit.CallsOf("places")) }

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

// RFC 7946 section 4: degrees of WGS 84, of which latitude has 90 and longitude 180 either way.
// Vessels report 91 and 181 where they do not know their place (ITU-R M.1371, message 1).
var coordinates = []struct {
	sent      string
	lat, long bool // whether it is a latitude, and a longitude
}{
	{"0", true, true}, {"-0.0", true, true}, {"90", true, true}, {"-90", true, true}, {"9e1", true, true},
	{"90.000001", false, true}, {"91", false, true}, {"-91", false, true}, {"180", false, true}, {"-180", false, true},
	{"180.000001", false, false}, {"181", false, false}, {"-181", false, false}, {"360", false, false},
	{"1e9", false, false}, {"1e19", false, false}, {"-1e27", false, false}, {"1e308", false, false},
	{"9223372036854775807", false, false}, {"292277026596", false, false},
	{"1e400", false, false}, {"-1e400", false, false}, {"1e-400", true, true},
}

// warned returns a client that answers body, and the warnings of its calls.
func warned(t *testing.T, body string) (*terminal49.Client, *[]terminal49.DecodeWarning) {
	list := new([]terminal49.DecodeWarning)
	return testkit.NewClient(t, testkit.Answer(200, body), terminal49.WithHooks(terminal49.Hooks{
		OnDecodeWarning: func(_ context.Context, w terminal49.DecodeWarning) { *list = append(*list, w) },
	})), list
}

// A coordinate outside the earth is unknown, with a warning, wherever it is read.
func TestCoordinates_OutsideTheEarthAreUnknown(t *testing.T) {
	for _, row := range coordinates {
		for _, quoted := range []bool{false, true} {
			sent := row.sent
			if quoted {
				sent = `"` + sent + `"`
			}
			attributes := `{"latitude":` + sent + `,"longitude":` + sent + `}`
			for typ, read := range map[string]func(*terminal49.Client) (lat, long terminal49.Opt[float64]){
				"vessel": func(c *terminal49.Client) (lat, long terminal49.Opt[float64]) {
					v, err := c.Vessels.Get(t.Context(), testkit.LineID, nil)
					require.NoError(t, err)
					return v.Latitude, v.Longitude
				},
				"port": func(c *terminal49.Client) (lat, long terminal49.Opt[float64]) {
					p, err := c.Ports.Get(t.Context(), testkit.PortID)
					require.NoError(t, err)
					return p.Latitude, p.Longitude
				},
				"metro_area": func(c *terminal49.Client) (lat, long terminal49.Opt[float64]) {
					m, err := c.MetroAreas.Get(t.Context(), testkit.PortID)
					require.NoError(t, err)
					return m.Latitude, m.Longitude
				},
				"vessel's positions": func(c *terminal49.Client) (lat, long terminal49.Opt[float64]) {
					v, err := c.Vessels.Get(t.Context(), testkit.LineID, nil)
					require.NoError(t, err)
					require.Len(t, v.Positions, 1)
					return v.Positions[0].Latitude, v.Positions[0].Longitude
				},
			} {
				id, members := testkit.PortID, attributes
				switch typ {
				case "vessel":
					id = testkit.LineID
				case "vessel's positions":
					id, members, typ = testkit.LineID, `{"positions":[`+attributes+`]}`, "vessel"
				}
				client, warnings := warned(t, `{"data":{"id":"`+id+`","type":"`+typ+`","attributes":`+members+`}}`)
				lat, long := read(client)
				want := 0
				for coordinate, known := range map[*terminal49.Opt[float64]]bool{&lat: row.lat, &long: row.long} {
					_, got := coordinate.Get()
					require.Equal(t, known, got, "%s: %s", typ, sent)
					if !known {
						want++
					}
				}
				require.Len(t, *warnings, want, "%s: %s", typ, sent)
			}
		}
	}
}

// A position on a map is known whole or not at all, and so is a line. The rest of the map is read.
func TestCoordinates_OutsideTheEarthOnAMap(t *testing.T) {
	for _, row := range coordinates {
		for position, known := range map[string]bool{"[" + row.sent + ",0]": row.long, "[0," + row.sent + "]": row.lat} {
			for kind, coordinates := range map[string]string{
				"port": position, "current_vessel": position, "past_vessel_locations": "[[1,2]," + position + ",[3,4]]",
				"estimated_full_legs": "[" + position + "]", "estimated_partial_leg": "[[1,2]," + position + "]",
			} {
				shape := "LineString"
				if kind == "port" || kind == "current_vessel" {
					shape = "Point"
				}
				body := feature(kind, `{"type":"`+shape+`","coordinates":`+coordinates+`}`)
				client, warnings := warned(t, body)
				m, err := client.Containers.Map(t.Context(), testkit.ContainerID)
				require.NoError(t, err, body)
				require.Len(t, m.Features(), 1)
				if known {
					require.Empty(t, m.Unknown(), body)
					require.Empty(t, *warnings, body)
					continue
				}
				require.Len(t, m.Unknown(), 1, body)
				require.Len(t, *warnings, 1, body)
				require.Equal(t, "features.geometry.coordinates", (*warnings)[0].Field)
				again, err := json.Marshal(m)
				require.NoError(t, err)
				require.Equal(t, body, string(again), "it is kept as it was sent")
			}
		}
	}
}

func TestVessels_Requests(t *testing.T) { testkit.TestCalls(t, testkit.CallsOf("vessels")) }

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
			terminal49.VesselLeg{PreviousPortID: testkit.PortID})), "NextPortID")
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
			terminal49.Coordinates{})), "NextPortID")
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

// A SCAC has four characters (docs/service-tracking.md#carrier-codes), alternative_scacs are
// further ones that tracking requests accept, and every line has a name and a short name. The names
// are the lines' own.
func TestSearchShippingLines_RanksNamesAndCodes(t *testing.T) {
	lines := []*terminal49.ShippingLine{
		{SCAC: "ZIMU", Name: "ZIM Integrated Shipping Services", ShortName: "ZIM"},
		{SCAC: "COSU", Name: "COSCO Shipping Lines", ShortName: "COSCO"},
		{SCAC: "ONEY", Name: "Ocean Network Express", ShortName: "ONE"},
		nil,
		{SCAC: "MAEU", Name: "Maersk", ShortName: "Maersk", AlternativeSCACs: []string{"SEAU", "MCPU"}},
		{SCAC: "MSCU", Name: "Mediterranean Shipping Company", ShortName: "MSC", AlternativeSCACs: []string{"MEDU"}},
		{SCAC: "SEAU", Name: "Sealand", ShortName: "Sealand"},
		{SCAC: "HLCU", Name: "Hapag-Lloyd", ShortName: "Hapag"},
		{SCAC: "SUDU", Name: "Hamburg Süd", ShortName: "Hamburg Süd"},
		{SCAC: "CMDU", Name: "CMA CGM", ShortName: "CMA CGM"},
	}
	for _, row := range []struct{ text, want, best string }{
		{"maeu", "MAEU", "MAEU"},
		{"MEDU", "MSCU", "MSCU"},
		{"SEAU", "SEAU MAEU", "SEAU"}, // its own code before the alternative one of another line
		{"one", "ONEY", "ONEY"},
		{"hapag lloyd", "HLCU", "HLCU"},
		{"HapagLloyd", "HLCU", "HLCU"},
		{" cma-cgm ", "CMDU", "CMDU"},
		{"cgm", "CMDU", "CMDU"},
		{"shipping", "COSU MSCU ZIMU", ""}, // ambiguous
		{"mediterranean shipping", "MSCU", "MSCU"},
		{"express ocean", "ONEY", "ONEY"},
		{"ha", "HLCU SUDU", ""},
		{"süd", "SUDU", "SUDU"},
		{"work", "ONEY", "ONEY"},
		{"ma", "MAEU CMDU", "MAEU"},
		{"evergreen", "", ""},
		{"", "", ""},
		{" - ", "", ""},
	} {
		random := rand.New(rand.NewPCG(49, 7))
		for range 20 { // the order of the list does not matter
			random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
			var found []string
			for _, m := range terminal49.SearchShippingLines(lines, row.text) {
				found = append(found, m.SCAC)
			}
			require.Equal(t, row.want, strings.Join(found, " "), "%q", row.text)
			best, ok := terminal49.BestShippingLine(lines, row.text)
			require.Equal(t, row.best != "", ok, "%q", row.text)
			if ok {
				require.Equal(t, row.best, best.SCAC, "%q", row.text)
			} else {
				require.Nil(t, best)
			}
		}
	}
}

// An alternative code that two lines have leaves open which one is meant; the same line twice does
// not.
func TestBestShippingLine_AmbiguousCodes(t *testing.T) {
	a := &terminal49.ShippingLine{SCAC: "AAAA", Name: "A", ShortName: "A", AlternativeSCACs: []string{"WXYZ"}}
	b := &terminal49.ShippingLine{SCAC: "BBBB", Name: "B", ShortName: "B", AlternativeSCACs: []string{"WXYZ"}}
	_, ok := terminal49.BestShippingLine([]*terminal49.ShippingLine{a, b}, "WXYZ")
	assert.False(t, ok)
	best, ok := terminal49.BestShippingLine([]*terminal49.ShippingLine{a, a}, "WXYZ")
	assert.True(t, ok)
	assert.Same(t, a, best)
}

// The service ignores a search (docs/service.md#other-filters), so the list is fetched once.
func TestSearchShippingLines_NeedsOneRequest(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		lines, err := testkit.SimulatedClient(t, srv).ShippingLines.List(t.Context())
		require.NoError(t, err)
		for _, line := range lines {
			for _, text := range append([]string{line.SCAC, line.Name, line.ShortName}, line.AlternativeSCACs...) {
				best, ok := terminal49.BestShippingLine(lines, text)
				require.True(t, ok, "%s: %s", text, fmt.Sprint(terminal49.SearchShippingLines(lines, text)))
				require.Equal(t, line.SCAC, best.SCAC, text)
			}
		}
		require.Len(t, srv.Requests(), 1)
	})
}

func TestShippingLines_Requests(t *testing.T) {
	testkit.TestCalls(t, testkit.CallsOf("shipping_lines"))
}

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
	require.True(t, line.Supports(terminal49.RequestTypeBillOfLading))
	require.False(t, line.Supports(terminal49.RequestTypeBookingNumber))
	require.True(t, line.Supports(terminal49.RequestTypeContainer))
	require.False(t, line.Supports("telex"))
	line = terminal49.ShippingLine{BookingNumberTrackingSupport: true}
	require.True(t, line.Supports(terminal49.RequestTypeBookingNumber))
	require.False(t, line.Supports(terminal49.RequestTypeContainer))
}

func TestSearch_Requests(t *testing.T) { testkit.TestCalls(t, testkit.CallsOf("search")) }

func TestSearch_ForNothingIsRefusedBeforeSending(t *testing.T) {
	testkit.RequireArgument(t,
		testkit.First(testkit.NewClient(t, testkit.NewFakeAPI()).Search.Query(t.Context(), " ")), "text")
}

func TestSearch_Decode(t *testing.T) {
	const hits = `{"data":[
		{"id":"s","type":"search_result","attributes":{"entity_type":"shipment","number":"MEDUA1234567","shipment_id":null,"scac":"MSCU",
			"port_of_lading_name":"Shanghai","port_of_discharge_name":"Los Angeles","containers_count":3,"tracking_stopped":true,
			"tracking_stopped_reason":"cancelled_by_user","status":null,"failed_reason":null,"ref_numbers":["PO-1"],
			"created_at":"2026-01-15T10:30:00.000Z","updated_at":"2026-03-01T14:22:00.250Z"}},
		{"id":"c","type":"search_result","attributes":{"entity_type":"cargo","number":"MSCU1234567","shipment_id":"s","scac":null,
			"containers_count":null,"tracking_stopped":null,"ref_numbers":[]}},
		{"id":"r","type":"search_result","attributes":{"entity_type":"tracking_request","number":"X1","status":"failed","failed_reason":"not_found"}}],
		"links":{"self":"https://x.test/v2/search?query=m","current":"https://x.test/v2/search?query=m","next":"https://x.test/v2/search?query=m&page=2"}}`
	found, err := testkit.NewClient(t, testkit.Answer(200, hits)).Search.Query(t.Context(), "m",
		terminal49.WithStrictDecoding())
	require.NoError(t, err)
	require.Len(t, found, 3)

	s, c, r := found[0], found[1], found[2]
	require.Equal(t, terminal49.SearchKindShipment, s.Kind())
	require.Equal(t, "s", s.ID)
	s.Resource = terminal49.Resource{}
	require.Equal(t, &terminal49.SearchHit{
		EntityType: terminal49.SearchKindShipment, Number: "MEDUA1234567", SCAC: "MSCU", PortOfLadingName: "Shanghai",
		PortOfDischargeName: "Los Angeles", ContainersCount: terminal49.Some(3), TrackingStopped: terminal49.Some(true),
		TrackingStoppedReason: terminal49.StoppedCancelledByUser, ReferenceNumbers: []string{"PO-1"},
		CreatedAt: terminal49.NewTime(time.Date(2026, 1, 15, 10, 30, 0, 0, time.UTC), ""),
		UpdatedAt: terminal49.NewTime(time.Date(2026, 3, 1, 14, 22, 0, 250e6, time.UTC), ""),
	}, s)
	require.Equal(t, terminal49.SearchKindContainer, c.Kind())
	require.Equal(t, "s", c.ShipmentID)
	require.True(t, c.ContainersCount.IsNull())
	require.Equal(t, terminal49.SearchKindTrackingRequest, r.Kind())
	require.Equal(t, terminal49.TrackingFailed, r.Status)
	require.Equal(t, terminal49.FailedNotFound, r.FailedReason)
}

// The values are those of the example of GET /search in the service's OpenAPI document.
func TestSearch_HitsOfTheDocumentAreStored(t *testing.T) {
	const list = `[
		{"id":"abc12345-6789-40ef-9012-3456789abcde","type":"shipment","attributes":{"entity_type":"shipment","number":"MEDUA1234567",
			"shipment_id":null,"scac":"MSCU","port_of_lading_name":"Shanghai","port_of_discharge_name":"Los Angeles","containers_count":3,
			"tracking_stopped":false,"ref_numbers":["PO-2026-001"],"created_at":"2026-01-15T10:30:00.000Z","updated_at":"2026-03-01T14:22:00.000Z"}},
		{"id":"def45678-9012-43ab-9cde-f0123456789a","type":"cargo","attributes":{"entity_type":"cargo","number":"MSCU1234567",
			"shipment_id":"abc12345-6789-40ef-9012-3456789abcde","scac":"MSCU","containers_count":null,"ref_numbers":[]}}]`
	found, err := testkit.NewClient(t, testkit.Answer(200, `{"data":`+list+`}`)).Search.Query(t.Context(), "M")
	require.NoError(t, err)
	written, err := json.Marshal(found)
	require.NoError(t, err)
	for name, text := range map[string]string{"as sent": list, "as written": string(written)} {
		var read []terminal49.SearchHit
		require.NoError(t, json.Unmarshal([]byte(text), &read), name)
		require.Len(t, read, 2, name)
		require.Equal(t, terminal49.SearchKindShipment, read[0].Kind(), name)
		require.Equal(t, terminal49.Some(3), read[0].ContainersCount, name)
		require.Equal(t, terminal49.SearchKindContainer, read[1].Kind(), name)
		require.Equal(t, "abc12345-6789-40ef-9012-3456789abcde", read[1].ShipmentID, name)
	}
}

// A hit is named after its kind or with the usual type. The kind of a hit may be new; what is
// certainly another resource is refused.
func TestSearch_TypesOfStoredHits(t *testing.T) {
	for hit, want := range map[string]bool{
		`"type":"search_result","attributes":{"entity_type":"shipment"}`: true,
		`"type":"shipment","attributes":{"number":"M"}`:                  true,
		`"type":"cargo","attributes":{"number":"M"}`:                     true,
		`"type":"container","attributes":{"number":"M"}`:                 true,
		`"type":"tracking_request","attributes":{"number":"M"}`:          true,
		`"type":"vessel","attributes":{"entity_type":"vessel"}`:          true,
		`"type":"booking","attributes":{"number":"M"}`:                   true,
		`"type":"vessel","attributes":{"name":"M"}`:                      false,
		`"type":"webhook","attributes":{"url":"M"}`:                      false,
		`"type":"","attributes":{"entity_type":"shipment"}`:              false,
	} {
		var read []terminal49.SearchHit
		err := json.Unmarshal([]byte(`[{"id":"a",`+hit+`}]`), &read)
		require.Equal(t, want, err == nil, "%s: %v", hit, err)
	}
}

// The documentation has the kind in the resource type; the live service has it in the entity type.
func TestSearch_HitKind(t *testing.T) {
	for _, c := range []struct {
		entity terminal49.SearchKind
		typ    string
		want   terminal49.SearchKind
		known  bool
	}{
		{"cargo", "search_result", terminal49.SearchKindContainer, true},
		{"", "cargo", terminal49.SearchKindContainer, true},
		{"container", "search_result", terminal49.SearchKindContainer, true},
		{"", "shipment", terminal49.SearchKindShipment, true},
		{"tracking_request", "shipment", terminal49.SearchKindTrackingRequest, true},
		{"booking", "search_result", "booking", false},
	} {
		hit := terminal49.SearchHit{EntityType: c.entity, Resource: terminal49.Resource{Type: c.typ}}
		require.Equal(t, c.want, hit.Kind())
		require.Equal(t, c.known, hit.Kind().Known())
	}
}

// The dashboard's address takes any number as q.
func TestDashboardURL_EscapesTheNumber(t *testing.T) {
	for number, want := range map[string]string{
		"MSKU7182047":  "https://app.terminal49.com/shipments/find?q=MSKU7182047",
		" PO 7&8/ü#1 ": "https://app.terminal49.com/shipments/find?q=PO+7%268%2F%C3%BC%231",
	} {
		got, err := url.Parse(terminal49.DashboardURL(number))
		require.NoError(t, err)
		require.Equal(t, want, got.String())
		require.Equal(t, url.Values{"q": {strings.TrimSpace(number)}}, got.Query())
	}
	require.Empty(t, terminal49.DashboardURL(""))
	require.Empty(t, terminal49.DashboardURL(" "))
}

// The three states of a flag remain in JSON, as on the wire.
func TestProvidedData_JSON(t *testing.T) {
	const sent = `{"a":true,"a_notes":"n","b":false,"c":null,"d_notes":"only remarks"}`
	var p terminal49.ProvidedData
	require.NoError(t, json.Unmarshal([]byte(sent), &p))
	assert.Equal(t, terminal49.ProvidedData{
		"a": {Reported: terminal49.Some(true), Notes: "n"}, "b": {Reported: terminal49.Some(false)},
		"c": {Reported: terminal49.Null[bool]()}, "d": {Notes: "only remarks"},
	}, p)
	text, err := json.Marshal(p)
	require.NoError(t, err)
	assert.JSONEq(t, sent, string(text))
	_, listed := p["e"]
	assert.False(t, listed)
}
