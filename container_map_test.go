package terminal49_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestContainerMap_Requests(t *testing.T) { testkit.TestCalls(t, testkit.CallsOf("map")) }

func TestContainerMap_IsRefusedBeforeSending(t *testing.T) {
	testkit.RequireArgument(t, testkit.First(testkit.NewClient(t, testkit.NewFakeAPI()).Containers.Map(t.Context(), "MSCU1234566")), "id")
}

// voyageMap is a voyage with a transshipment whose second leg is under way, in no order.
const voyageMap = `{"type":"FeatureCollection","features":[
	{"type":"Feature","geometry":{"type":"LineString","coordinates":[[179.5,40.1],[-150.25,38],[-118.26,33.74]]},"properties":{
		"feature_type":"estimated_partial_leg","ports_sequence":2,"current_port_id":"p2","next_port_id":"p3","point_count":364}},
	{"type":"Feature","geometry":{"type":"Point","coordinates":[-118.26,33.74]},"properties":{
		"feature_type":"port","ports_sequence":3,"ports_total":3,"location_id":"p3","location_type":"Port","name":"Los Angeles",
		"state_abbr":"CA","state":"California","country_code":"US","country":"United States","time_zone":"America/Los_Angeles",
		"inbound_eta_at":"2025-12-31T08:00:00Z","inbound_ata_at":null,"outbound_etd_at":null,"outbound_atd_at":null,
		"label":"POD","updated_at":"2025-12-11T09:01:08Z"}},
	{"type":"Feature","geometry":{"type":"LineString","coordinates":[[121.47,31.22],[129.04,35.1]]},"properties":{
		"feature_type":"past_vessel_locations","ports_sequence":1,"vessel_id":"v1","start_time":"2025-11-08T00:44:52Z",
		"end_time":"2025-11-15T16:00:00Z","point_count":546,"outbound_atd_at":"2025-11-08T00:44:52Z",
		"inbound_ata_at":"2025-11-15T16:00:00Z","inbound_eta_at":null}},
	{"type":"Feature","geometry":{"type":"LineString","coordinates":[[129.04,35.1],[179.5,40.1]]},"properties":{
		"feature_type":"past_vessel_locations","ports_sequence":2,"vessel_id":"v2","start_time":"2025-11-19T16:00:00Z",
		"end_time":"2026-01-07T05:00:00Z","point_count":1402,"outbound_atd_at":"2025-11-19T16:00:00Z",
		"inbound_ata_at":null,"inbound_eta_at":"2025-12-31T08:00:00Z"}},
	{"type":"Feature","geometry":{"type":"Point","coordinates":[129.04,35.1]},"properties":{
		"feature_type":"port","ports_sequence":2,"ports_total":3,"location_id":"p2","location_type":"Port","name":"Busan",
		"state_abbr":null,"state":null,"country_code":"KR","country":"South Korea","time_zone":null,
		"inbound_ata_at":"2025-11-15T16:00:00Z","outbound_atd_at":"2025-11-19T16:00:00Z","label":"TS1","updated_at":null}},
	{"type":"Feature","geometry":{"type":"Point","coordinates":[179.5,40.1]},"properties":{
		"feature_type":"current_vessel","ports_sequence":2,"vessel_id":"v2","vessel_name":"NORTHERN JUBILEE","vessel_imo":"9708851",
		"voyage_number":null,"vessel_location_timestamp":"2025-12-11T11:46:03Z","vessel_location_heading":108,"vessel_location_speed":null,
		"departure_port_id":"p2","departure_port_name":"Busan","departure_port_state_abbr":null,"departure_port_state":null,
		"departure_port_country_code":"KR","departure_port_country":"South Korea","departure_port_label":"TS1",
		"departure_port_atd":"2025-11-19T16:00:00Z","departure_port_time_zone":"Asia/Seoul",
		"arrival_port_id":"p3","arrival_port_name":"Los Angeles","arrival_port_state_abbr":"CA","arrival_port_state":"California",
		"arrival_port_country_code":"US","arrival_port_country":"United States","arrival_port_label":"POD",
		"arrival_port_eta":"2025-12-31T08:00:00Z","arrival_port_time_zone":"America/Los_Angeles"}},
	{"type":"Feature","geometry":{"type":"Point","coordinates":[121.47,31.22]},"properties":{
		"feature_type":"port","ports_sequence":1,"ports_total":3,"location_id":"p1","location_type":"Port","name":"Shanghai",
		"country_code":"CN","country":"China","time_zone":"Asia/Shanghai","outbound_etd_at":"2025-11-08T00:00:00Z",
		"outbound_atd_at":"2025-11-08T00:44:52Z","label":"POL"}},
	{"type":"Feature","geometry":{"type":"LineString","coordinates":[[-118.26,33.74],[-122.3,37.8]]},"properties":{
		"feature_type":"estimated_full_legs","ports_sequence":3,"previous_port_id":"p3","next_port_id":"p4","point_count":99}}]}`

func TestContainerMap_IsDecoded(t *testing.T) {
	m, err := testkit.NewClient(t, testkit.Answer(200, voyageMap)).Containers.Map(t.Context(), testkit.ContainerID, terminal49.WithStrictDecoding())
	require.NoError(t, err)
	require.Len(t, m.Features(), 8)
	require.Empty(t, m.Unknown())
	at := func(s, zone string) terminal49.Time {
		instant, err := time.Parse(time.RFC3339, s)
		require.NoError(t, err)
		return terminal49.NewTime(instant, zone)
	}
	const la, shanghai = "America/Los_Angeles", "Asia/Shanghai"

	require.Len(t, m.Ports(), 3)
	var labels []string
	for _, p := range m.Ports() {
		labels = append(labels, p.Label)
	}
	require.Equal(t, []string{"POL", "TS1", "POD"}, labels)
	pod := *m.Ports()[2]
	require.Equal(t, "port", propertiesOf(t, &pod)["feature_type"])
	pod.Forget()
	require.Equal(t, terminal49.MapFeature{
		Kind: terminal49.MapPort, Coordinates: terminal49.Coordinates{Longitude: -118.26, Latitude: 33.74}, PortsSequence: 3, PortsTotal: 3, LocationID: "p3", LocationType: "Port", Name: "Los Angeles",
		StateAbbr: "CA", State: "California", CountryCode: "US", Country: "United States", TimeZone: la, Label: "POD",
		InboundETA: at("2025-12-31T08:00:00Z", la), UpdatedAt: at("2025-12-11T09:01:08Z", ""),
	}, pod)
	require.Equal(t, at("2025-11-08T00:44:52Z", shanghai), m.Ports()[0].OutboundATD)
	_, known := m.Ports()[1].InboundATA.Instant()
	require.False(t, known, "without a zone the digits are a wall clock")

	vessel, atSea := m.CurrentVessel()
	require.True(t, atSea)
	v := *vessel
	v.Forget()
	require.Equal(t, terminal49.MapFeature{
		Kind: terminal49.MapVessel, Coordinates: terminal49.Coordinates{Longitude: 179.5, Latitude: 40.1}, PortsSequence: 2, VesselID: "v2", Name: "NORTHERN JUBILEE", IMO: "9708851",
		SeenAt: at("2025-12-11T11:46:03Z", ""), Heading: terminal49.Some(108.0), SpeedKnots: terminal49.Null[float64](),
		Departure: terminal49.MapPortOfLeg{
			ID: "p2", Name: "Busan", CountryCode: "KR", Country: "South Korea", Label: "TS1",
			At: at("2025-11-19T16:00:00Z", "Asia/Seoul"), TimeZone: "Asia/Seoul",
		},
		Arrival: terminal49.MapPortOfLeg{
			ID: "p3", Name: "Los Angeles", StateAbbr: "CA", State: "California", CountryCode: "US", Country: "United States",
			Label: "POD", At: at("2025-12-31T08:00:00Z", la), TimeZone: la,
		},
	}, v)

	require.Len(t, m.PastLocations(), 2)
	past := *m.PastLocations()[0]
	past.Forget()
	require.Equal(t, terminal49.MapFeature{
		Kind: terminal49.MapPastLocations, Line: terminal49.MapLine{{Longitude: 121.47, Latitude: 31.22}, {Longitude: 129.04, Latitude: 35.1}}, PortsSequence: 1, VesselID: "v1", PointCount: 546,
		Start: at("2025-11-08T00:44:52Z", ""), End: at("2025-11-15T16:00:00Z", ""),
		OutboundATD: at("2025-11-08T00:44:52Z", shanghai),
		InboundATA:  terminal49.NewWallTime(time.Date(2025, 11, 15, 16, 0, 0, 0, time.UTC)), // Busan has no zone
	}, past)
	require.Equal(t, at("2025-12-31T08:00:00Z", la), m.PastLocations()[1].InboundETA)

	require.Len(t, m.EstimatedLegs(), 1)
	leg := *m.EstimatedLegs()[0]
	leg.Forget()
	require.Equal(t, terminal49.MapFeature{
		Kind:          terminal49.MapLeg,
		Line:          terminal49.MapLine{{Longitude: -118.26, Latitude: 33.74}, {Longitude: -122.3, Latitude: 37.8}},
		PortsSequence: 3, PreviousPortID: "p3", NextPortID: "p4", PointCount: 99,
	}, leg)
	partial, atSea := m.EstimatedPartialLeg()
	require.True(t, atSea)
	require.Equal(t, terminal49.MapPartialLeg, partial.Kind)
	require.Equal(t, "p2", partial.PreviousPortID)
	require.Equal(t, vessel.Coordinates, partial.Line[0])

	var kinds []terminal49.MapFeatureKind
	for _, f := range m.Features() {
		kinds = append(kinds, f.Kind)
	}
	require.Equal(t, []terminal49.MapFeatureKind{
		"estimated_partial_leg", "port", "past_vessel_locations", "past_vessel_locations",
		"port", "current_vessel", "port", "estimated_full_legs",
	}, kinds, "in the order sent")

	again, err := json.Marshal(m)
	require.NoError(t, err)
	require.JSONEq(t, voyageMap, string(again), "a map is written as it was sent")
	require.Equal(t, voyageMap, string(m.Raw()))
}

// propertiesOf returns the properties of a feature as the service sent them.
func propertiesOf(t *testing.T, f *terminal49.MapFeature) map[string]any {
	t.Helper()
	var sent struct{ Properties map[string]any }
	require.NoError(t, json.Unmarshal(f.Raw(), &sent))
	return sent.Properties
}

// A map is fetched once an hour at most, so a program keeps it, perhaps as JSON.
func TestContainerMap_IsReadBackFromJSON(t *testing.T) {
	m, err := testkit.NewClient(t, testkit.Answer(200, voyageMap)).Containers.Map(t.Context(), testkit.ContainerID)
	require.NoError(t, err)
	type kept struct {
		Map   terminal49.ContainerMap
		Maybe *terminal49.ContainerMap
	}
	written, err := json.Marshal(kept{Map: *m, Maybe: m})
	require.NoError(t, err)
	var again kept
	require.NoError(t, json.Unmarshal(written, &again))
	require.Equal(t, again.Map, *again.Maybe)
	require.Len(t, again.Map.Features(), len(m.Features()))
	for i, port := range again.Map.Ports() {
		same := *port
		same.Forget() // the white space of the JSON differs
		want := *m.Ports()[i]
		want.Forget()
		require.Equal(t, want, same)
	}
	require.Equal(t, m.PastLocations()[0].OutboundATD, again.Map.PastLocations()[0].OutboundATD, "with its zone")

	written, err = json.Marshal(kept{})
	require.NoError(t, err)
	require.JSONEq(t, `{"Map":null,"Maybe":null}`, string(written))
	var empty kept
	require.NoError(t, json.Unmarshal(written, &empty))
	require.Equal(t, kept{}, empty)
	require.ErrorContains(t, json.Unmarshal([]byte(`{"data":[]}`), &again.Map), "terminal49: container map: it is not a feature collection")
}

func TestContainerMap_WithoutARoute(t *testing.T) {
	m, err := testkit.NewClient(t, testkit.Answer(200, testkit.NoRoute)).Containers.Map(t.Context(), testkit.ContainerID)
	require.NoError(t, err)
	require.Empty(t, m.Features())
	require.Empty(t, m.Ports())
	require.Empty(t, m.PastLocations())
	require.Empty(t, m.EstimatedLegs())
	_, atSea := m.CurrentVessel()
	require.False(t, atSea)
	_, atSea = m.EstimatedPartialLeg()
	require.False(t, atSea)
	again, err := json.Marshal(m)
	require.NoError(t, err)
	require.JSONEq(t, testkit.NoRoute, string(again))
}

// Unknown features are kept, and the rest is still read.
func TestContainerMap_KeepsWhatItDoesNotKnow(t *testing.T) {
	const odd = `{"type":"FeatureCollection","generated_by":"t49","features":[null,
		{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]},"properties":{"feature_type":"storm","name":"X"}},
		{"type":"Feature","geometry":null,"properties":{"feature_type":"port","name":"Nowhere"}},
		{"type":"Feature","geometry":{"type":"LineString","coordinates":[[0,0],[1,1]]},"properties":{"feature_type":"port"}},
		{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"feature_type":7}},
		{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":null},
		{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]},"properties":{"feature_type":"past_vessel_locations",
			"ports_sequence":5,"outbound_atd_at":"2025-11-08T00:44:52Z","start_time":"yesterday","berth":"7"}}]}`
	var warned []terminal49.DecodeWarning
	client := testkit.NewClient(t, testkit.Answer(200, odd), terminal49.WithHooks(terminal49.Hooks{OnDecodeWarning: func(_ context.Context, w terminal49.DecodeWarning) { warned = append(warned, w) }}))
	m, err := client.Containers.Map(t.Context(), testkit.ContainerID)
	require.NoError(t, err)
	require.Len(t, m.Unknown(), 5)
	require.Len(t, m.Features(), 6, "a null is not a feature")
	storm := m.Unknown()[0]
	require.Contains(t, string(storm.Raw()), `{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}`)
	require.Equal(t, "X", propertiesOf(t, storm)["name"])
	require.Contains(t, string(m.Raw()), `"generated_by":"t49"`)
	require.Equal(t, terminal49.MapFeatureKind("storm"), storm.Kind)
	require.False(t, storm.Kind.Known())
	require.True(t, m.Unknown()[1].Kind.Known(), "it has no geometry")

	past := m.PastLocations()[0]
	require.Equal(t, "7", propertiesOf(t, past)["berth"])
	require.True(t, past.Start.IsZero())
	require.Equal(t, []terminal49.DecodeWarning{{Op: "containers.map_geojson", ResourceType: "past_vessel_locations", ResourceID: "", Field: "properties.start_time", Problem: "not a time"}}, warned)
	_, err = past.OutboundATD.Local()
	require.ErrorIs(t, err, terminal49.ErrNoZone, "no port reports the zone")

	var unread *terminal49.DecodeError
	require.ErrorAs(t, testkit.First(client.Containers.Map(t.Context(), testkit.ContainerID, terminal49.WithStrictDecoding())), &unread)
	require.Len(t, unread.Warnings, 3, "the time, and the members that are not known: RFC 7946 has no generated_by")
}

func TestContainerMap_ThatIsNotAMap(t *testing.T) {
	for body, problem := range map[string]string{
		``:                     "it is empty",
		`<html></html>`:        "web page",
		`{"data":[]}`:          "not a feature collection",
		`{"type":"FeatureColl`: "JSON",
		`{"type":"Feature"}`:   "not a feature collection",
		`[1]`:                  "",
		`{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":["x"]}}]}`:                "feature 1: its coordinates are not lists of numbers",
		`{"type":"FeatureCollection","features":[null,{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],{}]}}]}`: "feature 2: its coordinates are not lists of numbers",
		`{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"LineString","coordinates":{}}}]}`:              "its coordinates are not lists of numbers",
		`{"type":"FeatureCollection","features":[{"type":"Feature","geometry":7}]}`:                                                   "its geometry is not an object",
		`{"type":"FeatureCollection","features":[{"type":"Feature","properties":[]}]}`:                                                "its properties are not an object",
		`{"type":"FeatureCollection","features":[{"type":"Point"}]}`:                                                                  "it is not a feature",
		`{"type":"FeatureCollection","features":[7]}`:                                                                                 "it is not a feature",
		`{"type":"FeatureCollection","features":{}}`:                                                                                  "its features are not a list",
		`{"type":"FeatureCollection","features":[]} {}`:                                                                               "JSON",
		`{"type":"FeatureCollection","features":[` + strings.Repeat("null,", 10_000) + `null]}`:                                       "it has more than 10000 features",
	} {
		_, err := testkit.NewClient(t, testkit.Answer(200, body)).Containers.Map(t.Context(), testkit.ContainerID)
		var unread *terminal49.DecodeError
		require.ErrorAs(t, err, &unread, body)
		require.ErrorContains(t, err, problem, body)
	}
	require.ErrorIs(t, testkit.First(testkit.NewClient(t, testkit.Answer(404, ``)).Containers.Map(t.Context(), testkit.ContainerID)), terminal49.ErrNotFound)
}

// The names are those of RFC 7946, section 3, and of the service (docs/service-containers.md#map).
func TestContainerMap_WarningsNameTheMember(t *testing.T) {
	const whole = `{"type":"FeatureCollection","features":[`
	for body, field := range map[string]string{
		`{"type":[],"features":[]}`:                                                       "type",
		`{"type":"FeatureCollection","features":{}}`:                                      "features",
		whole + `{"type":"Feature","geometry":null},7]}`:                                  "features",
		whole + `{"type":[]}]}`:                                                           "features.type",
		whole + `{"type":"Feature","geometry":7}]}`:                                       "features.geometry",
		whole + `{"type":"Feature","geometry":{"type":[]}}]}`:                             "features.geometry.type",
		whole + `{"type":"Feature","properties":7}]}`:                                     "features.properties",
		whole + `{"type":"Feature","properties":{"feature_type":[]}}]}`:                   "features.properties.feature_type",
		whole + `{"type":"Feature","geometry":{"type":"Point","coordinates":["x",0]}}]}`:  "features.geometry.coordinates",
		whole + `{"type":"Feature","geometry":{"type":"LineString","coordinates":[7]}}]}`: "features.geometry.coordinates",
	} {
		client := testkit.NewClient(t, testkit.Answer(200, body), terminal49.WithStrictDecoding())
		var unread *terminal49.DecodeError
		require.ErrorAs(t, testkit.First(client.Containers.Map(t.Context(), testkit.ContainerID)), &unread, body)
		require.NotEmpty(t, unread.Warnings, body)
		require.Equal(t, field, unread.Warnings[0].Field, body)
	}
}

// feature is a map with one feature of this kind and geometry.
func feature(kind, geometry string) string {
	return `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":` + geometry + `,"properties":{"feature_type":"` + kind + `"}}]}`
}

// Missing coordinates are not read as 0, 0.
func TestContainerMap_FeatureWithoutCoordinates(t *testing.T) {
	for kind, geometries := range map[string][]string{
		"port": {
			`{"type":"Point","coordinates":[]}`, `{"type":"Point","coordinates":[7]}`, `{"type":"Point","coordinates":[null,null]}`,
			`{"type":"Point","coordinates":[7,null]}`, `{"type":"Point","coordinates":null}`, `{"type":"Point"}`,
			`{"type":"GeometryCollection","geometries":[null]}`, `{"type":"GeometryCollection","coordinates":[1,2]}`,
		},
		"current_vessel": {`{"type":"Point","coordinates":[]}`},
		"estimated_partial_leg": {
			`{"type":"LineString","coordinates":[[1,2],null]}`, `{"type":"LineString","coordinates":[[1],[3,4]]}`,
			`{"type":"LineString","coordinates":[[1,2],[null,4]]}`, `{"type":"LineString","coordinates":[]}`,
		},
	} {
		for _, geometry := range geometries {
			m, err := testkit.NewClient(t, testkit.Answer(200, feature(kind, geometry))).Containers.Map(t.Context(), testkit.ContainerID)
			require.NoError(t, err, geometry)
			require.Len(t, m.Unknown(), 1, geometry)
			require.Contains(t, string(m.Unknown()[0].Raw()), geometry)
			again, err := json.Marshal(m)
			require.NoError(t, err)
			require.JSONEq(t, feature(kind, geometry), string(again))
		}
	}
	m, err := testkit.NewClient(t, testkit.Answer(200, feature("port", `{"type":"Point","coordinates":[0,0]}`))).Containers.Map(t.Context(), testkit.ContainerID)
	require.NoError(t, err)
	require.Len(t, m.Ports(), 1, "zeros that were sent are a place")
}

// A map is written as the service sent it, including what this package could not read.
func TestContainerMap_IsWrittenAsItWasSent(t *testing.T) {
	for _, sent := range []string{
		`{"type":"FeatureCollection","features":null}`,
		`{"type":"FeatureCollection","version":12345678901234567890,"features":[]}`,
		`{"type":"FeatureCollection","features":[{"type":"Feature","id":12345678901234567890,"geometry":{"type":"Point","coordinates":[1.50,2,30]},"properties":{}}]}`,
	} {
		m, err := testkit.NewClient(t, testkit.Answer(200, sent)).Containers.Map(t.Context(), testkit.ContainerID)
		require.NoError(t, err)
		for _, v := range []any{m, *m} {
			again, err := json.Marshal(v)
			require.NoError(t, err)
			require.Equal(t, sent, string(again))
		}
	}
	again, err := json.Marshal(&terminal49.ContainerMap{})
	require.NoError(t, err)
	require.Equal(t, `null`, string(again))
}

// Debug output of a feature is its fields, not its bytes.
func TestContainerMap_FeaturesPrintShort(t *testing.T) {
	m, err := testkit.NewClient(t, testkit.Answer(200, voyageMap)).Containers.Map(t.Context(), testkit.ContainerID)
	require.NoError(t, err)
	require.NotContains(t, fmt.Sprintf("%v %+v", m.Ports()[0], *m.Ports()[0]), "123 34 116") // {"t
	require.Nil(t, new(terminal49.MapFeature).Raw())
}

// nested is a geometry this many geometry collections deep, around one of this size.
func nested(kind string, depth, size int) string {
	return strings.Repeat(`{"type":"`+kind+`","coordinates":[1,2],"geometries":[`, depth) +
		`{"type":"Point","coordinates":[1,2` + strings.Repeat(",3", size/2) + `]}` + strings.Repeat(`]}`, depth)
}

// Nested collections are not parsed: no known feature has one.
func TestContainerMap_OfNestedGeometries(t *testing.T) {
	for _, kind := range []string{"GeometryCollection", "Point"} {
		m, err := terminal49.ReadMap([]byte(feature("storm", nested(kind, 95, 16))))
		require.NoError(t, err, kind)
		require.Len(t, m.Unknown(), 1, kind)
	}
	_, err := terminal49.ReadMap([]byte(feature("storm", nested("GeometryCollection", 100, 0))))
	require.ErrorContains(t, err, "at most 200 levels")
}

// BenchmarkContainerMap_OfNestedGeometries reads a quarter of a megabyte, once flat and once 95
// levels deep: the figures should be much the same.
func BenchmarkContainerMap_OfNestedGeometries(b *testing.B) {
	for _, depth := range []int{1, 95} {
		body := []byte(feature("storm", nested("GeometryCollection", depth, 1<<18)))
		b.Run(strconv.Itoa(depth), func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				if _, err := terminal49.ReadMap(body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// route returns a line of longitudes and latitudes.
func route(degrees ...float64) (line terminal49.MapLine) {
	for i := 0; i < len(degrees); i += 2 {
		line = append(line, terminal49.Coordinates{Longitude: degrees[i], Latitude: degrees[i+1]})
	}
	return line
}

// RFC 7946 section 3.1.9: the first row is its example, a line from 45 N, 170 E to 45 N, 170 W that
// is cut at 180 and -180. The latitudes of the others are those of a straight line, section 3.1.1.
func TestMapLine_SplitAtTheMeridian(t *testing.T) {
	type parts = []terminal49.MapLine
	for name, row := range map[string]struct {
		line terminal49.MapLine
		want parts
	}{
		"the example of the RFC":    {route(170, 45, -170, 45), parts{route(170, 45, 180, 45), route(-180, 45, -170, 45)}},
		"to the west":               {route(-170, 45, 170, 45), parts{route(-170, 45, -180, 45), route(180, 45, 170, 45)}},
		"a quarter of the way":      {route(175, 40, -165, 48), parts{route(175, 40, 180, 42), route(-180, 42, -165, 48)}},
		"there and back":            {route(170, 0, -170, 10, 170, 20), parts{route(170, 0, 180, 5), route(-180, 5, -170, 10, -180, 15), route(180, 15, 170, 20)}},
		"a point at 180":            {route(170, 0, 180, 7, -170, 9), parts{route(170, 0, 180, 7), route(-180, 7, -170, 9)}},
		"a point at -180":           {route(170, 0, -180, 7, -170, 9), parts{route(170, 0, 180, 7), route(-180, 7, -170, 9)}},
		"along the meridian":        {route(170, 0, 180, 7, -180, 8, -170, 9), parts{route(170, 0, 180, 7, 180, 8), route(-180, 8, -170, 9)}},
		"touching it":               {route(170, 0, -180, 7, 170, 9), parts{route(170, 0, 180, 7, 170, 9)}},
		"from 180 to the east":      {route(180, 1, -170, 9), parts{route(-180, 1, -170, 9)}},
		"from -180 to the west":     {route(-180, 1, 180, 2, 170, 9), parts{route(180, 1, 180, 2, 170, 9)}},
		"to 180 from the east":      {route(-170, 9, 180, 1), parts{route(-170, 9, -180, 1)}},
		"on the meridian only":      {route(-180, 1, 180, 2), parts{route(-180, 1, -180, 2)}},
		"half of the world":         {route(-90, 1, 90, 2), parts{route(-90, 1, 90, 2)}},
		"to the other side of zero": {route(0, 1, -180, 2), parts{route(0, 1, -180, 2)}},
		"over the pole":             {route(100, 90, -100, 90), parts{route(100, 90, 180, 90), route(-180, 90, -100, 90)}},
		"beyond 180 already":        {route(170, 45, 190, 45), parts{route(170, 45, 180, 45), route(-180, 45, -170, 45)}},
		"nowhere near":              {route(1, 2, -3, 4), parts{route(1, 2, -3, 4)}},
		"one point":                 {route(1, 2), parts{route(1, 2)}},
		"no point":                  {nil, nil},
	} {
		sent := append(terminal49.MapLine{}, row.line...)
		assert.Equal(t, row.want, row.line.Split(), name)
		assert.Equal(t, sent, append(terminal49.MapLine{}, row.line...), "%s: the line itself", name)
	}
}

func TestMapLine_UnwrapContinuesBeyondTheMeridian(t *testing.T) {
	for name, row := range map[string]struct {
		line terminal49.MapLine
		near float64
		want terminal49.MapLine
	}{
		"to the east":         {route(170, 45, -170, 46, -90, 1), 0, route(170, 45, 190, 46, 270, 1)},
		"to the west":         {route(-170, 45, 170, 46), 0, route(-170, 45, -190, 46)},
		"after another line":  {route(-170, 45, -120, 46), 190, route(190, 45, 240, 46)},
		"there and back":      {route(170, 0, -170, 10, 170, 20), 0, route(170, 0, 190, 10, 170, 20)},
		"at 180 with a sign":  {route(170, 0, -180, 7, -170, 9), 0, route(170, 0, 180, 7, 190, 9)},
		"twice around":        {route(0, 0, 120, 0, -120, 0, 0, 0, 120, 0, -120, 0), 0, route(0, 0, 120, 0, 240, 0, 360, 0, 480, 0, 600, 0)},
		"half of the world":   {route(-90, 1, 90, 2), 0, route(-90, 1, 90, 2)},
		"no crossing, no way": {route(1, 2, -3, 4), 0, route(1, 2, -3, 4)},
		"no point":            {nil, 0, nil},
	} {
		assert.Equal(t, row.want, row.line.Unwrap(row.near), name)
	}
}

// Any line, with points at the poles and at 180 and -180: no segment is longer than 180 degrees,
// every point is kept in its order, and the parts meet at the meridian.
func TestMapLine_SplitKeepsEveryPoint(t *testing.T) {
	random := rand.New(rand.NewPCG(49, 6))
	cuts := 0
	for range testkit.Scale(4_000, 100_000) {
		line := make(terminal49.MapLine, 1+random.IntN(6))
		for i := range line {
			line[i] = terminal49.Coordinates{Longitude: math.Round((random.Float64()-0.5)*360e5) / 1e5,
				Latitude: []float64{90, -90, 0, math.Round((random.Float64()-0.5)*180e5) / 1e5}[random.IntN(4)]}
			if random.IntN(4) == 0 {
				line[i].Longitude = []float64{180, -180, 179.99999, -179.99999, 0}[random.IntN(5)]
			}
		}
		parts, unwrapped := line.Split(), line.Unwrap(0)
		cuts += len(parts) - 1
		next := 0
		for p, part := range parts {
			require.True(t, len(part) > 1 || len(line) == 1, "%v: %v", line, parts)
			if p > 0 {
				last := parts[p-1][len(parts[p-1])-1]
				require.Equal(t, 180.0, math.Abs(last.Longitude), "%v: %v", line, parts)
				require.Equal(t, terminal49.Coordinates{Longitude: -last.Longitude, Latitude: last.Latitude}, part[0], "%v", line)
			}
			for i, at := range part {
				require.LessOrEqual(t, math.Abs(at.Longitude), 180.0)
				require.True(t, i == 0 || math.Abs(at.Longitude-part[i-1].Longitude) <= 180, "%v: %v", line, parts)
				if next < len(line) && isSamePlace(line[next], at) {
					next++
				}
			}
		}
		require.Equal(t, len(line), next, "%v: %v", line, parts)
		for i, at := range unwrapped {
			require.Equal(t, line[i].Latitude, at.Latitude)
			require.InDelta(t, 0, math.Remainder(at.Longitude-line[i].Longitude, 360), 1e-9)
			require.True(t, i == 0 || math.Abs(at.Longitude-unwrapped[i-1].Longitude) <= 180+1e-9, "%v: %v", line, unwrapped)
		}
	}
	require.NotZero(t, cuts)
}

// isSamePlace compares exactly, but for the sign of the 180th meridian.
func isSamePlace(a, b terminal49.Coordinates) bool {
	return a == b || a.Latitude == b.Latitude && math.Abs(a.Longitude) == 180 && a.Longitude == -b.Longitude
}

// The containers of the demo sail from Asia to America. RFC 7946 section 3.1.9: no line of the
// split map crosses the meridian; all features and properties are as they were sent.
func TestContainerMap_SplitGeoJSONOfTheDemo(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.SeedDemo()
		client, jumps, cuts := testkit.SimulatedClient(t, srv), 0, 0
		for c, err := range client.Containers.All(t.Context(), nil) {
			require.NoError(t, err)
			m, err := client.Containers.Map(t.Context(), c.ID)
			require.NoError(t, err)
			split, err := m.SplitGeoJSON()
			require.NoError(t, err)
			before, after := readGeoJSON(t, m.Raw()), readGeoJSON(t, split)
			require.Len(t, after, len(before))
			for i, f := range after {
				require.Equal(t, before[i].Properties, f.Properties)
				jumps += before[i].jumps(t)
				require.Zero(t, f.jumps(t))
				if f.Geometry.Type == "MultiLineString" {
					require.Equal(t, "LineString", before[i].Geometry.Type)
					cuts++
				} else {
					require.Equal(t, before[i], f)
				}
			}
		}
		require.NotZero(t, jumps)
		require.Equal(t, jumps, cuts, "each crosses once")
	})
}

func TestContainerMap_SplitGeoJSONWithoutFeatures(t *testing.T) {
	split, err := new(terminal49.ContainerMap).SplitGeoJSON()
	require.NoError(t, err)
	require.JSONEq(t, `{"type":"FeatureCollection","features":[]}`, string(split))
}

type geoJSON struct {
	Type       string
	Properties map[string]any
	Geometry   struct {
		Type        string
		Coordinates json.RawMessage
	}
}

func readGeoJSON(t *testing.T, data []byte) []geoJSON {
	t.Helper()
	var read struct {
		Type     string
		Features []geoJSON
	}
	require.NoError(t, json.Unmarshal(data, &read))
	require.Equal(t, "FeatureCollection", read.Type)
	return read.Features
}

// jumps returns the number of segments of more than 180 degrees.
func (f geoJSON) jumps(t *testing.T) (n int) {
	t.Helper()
	lines := make([][][2]float64, 1)
	switch f.Geometry.Type {
	case "LineString":
		require.NoError(t, json.Unmarshal(f.Geometry.Coordinates, &lines[0]))
	case "MultiLineString":
		require.NoError(t, json.Unmarshal(f.Geometry.Coordinates, &lines))
	}
	for _, line := range lines {
		for i := 1; i < len(line); i++ {
			if math.Abs(line[i][0]-line[i-1][0]) > 180 {
				n++
			}
		}
	}
	return n
}
