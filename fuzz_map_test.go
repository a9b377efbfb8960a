package terminal49_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/catalogue"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/internal/testkit/naive"
	"github.com/go-freight/terminal49/terminal49test"
)

// FuzzMap reads bytes as a map. The result is an error or a map that is written unchanged, and a
// point or a line has the coordinates that encoding/json reads.
func FuzzMap(f *testing.F) {
	f.Add([]byte(voyageMap))
	f.Add([]byte(testkit.NoRoute))
	for _, body := range testkit.Responses(f, testkit.CallsOf("map"), func(*terminal49test.Server, testkit.Call) {}) {
		f.Add(body)
	}
	for _, geometry := range []string{
		`{"type":"GeometryCollection","geometries":[null]}`, `{"type":"GeometryCollection"}`,
		`{"type":"Polygon","coordinates":[null]}`,
		`{"type":"LineString","coordinates":null}`, `{"type":"Point"}`, `{}`, `7`,
		`{"type":"Point","coordinates":[]}`, `{"type":"LineString","coordinates":[[1,2],null]}`, nested("Point", 150, 0),
		`{"type":"Point","coordinates":[-118.26,33.74,12]}`,
		`{"type":"LineString","coordinates":[[179.5,40.1],[-150.25,3.8e1],[1e-400,-0]]}`,
		`{"type":"LineString","coordinates":[]}`, `{"type":"Point","coordinates":[1e400,0]}`,
		`{"type":"Point","coordinates":[1e19,0]}`, `{"type":"LineString","coordinates":[[180,90],[181,91]]}`,
		`{"type":"Point","coordinates":[1],"coordinates":[1,2]}`,
	} {
		for _, kind := range slices.Sorted(maps.Keys(mapShapes)) {
			f.Add([]byte(`{"type":"FeatureCollection","features":[null,{"type":"Feature","id":1,"geometry":` + geometry +
				`,"properties":{"feature_type":"` + string(kind) + `","ports_sequence":1e9}}]}`))
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := terminal49.ReadMap(body)
		if err != nil {
			return
		}
		require.True(t, json.Valid(body))
		written, err := m.MarshalJSON()
		require.NoError(t, err)
		require.Equal(t, string(body), string(written))
		var again terminal49.ContainerMap
		require.NoError(t, again.UnmarshalJSON(written))
		require.Equal(t, m, &again)
		filed := len(m.Ports()) + len(m.PastLocations()) + len(m.EstimatedLegs()) + len(m.Unknown())
		require.LessOrEqual(t, filed, len(m.Features()))

		features, ok := naive.ReadObject(body).Once("features")
		sent, isList := naive.ReadList(features)
		if !ok || !isList {
			return
		}
		sent = slices.DeleteFunc(sent, func(raw json.RawMessage) bool { return string(raw) == "null" })
		require.Len(t, m.Features(), len(sent))
		for i, raw := range sent {
			got := m.Features()[i]
			require.Equal(t, string(raw), string(got.Raw()))
			requireProperties(t, raw, got, slices.Contains(m.Unknown(), got))
			kind, points, ok := naiveGeometry(raw)
			if !ok {
				continue
			}
			shape, line := shapeOf(got)
			switch wanted, known := mapShapes[got.Kind]; {
			case !known || wanted != kind || points == nil:
				require.Contains(t, m.Unknown(), got, "%s", raw)
			default:
				require.Equal(t, kind, shape, "%s", raw)
				require.Equal(t, points, line, "%s", raw)
			}
		}
	})
}

// mapShapes are the geometries that the service's features have.
var mapShapes = map[terminal49.MapFeatureKind]string{
	"port": "Point", "current_vessel": "Point",
	"past_vessel_locations": "LineString",
	"estimated_full_legs":   "LineString", "estimated_partial_leg": "LineString",
}

// shapeOf returns the geometry that was read.
func shapeOf(f *terminal49.MapFeature) (kind string, points []terminal49.Coordinates) {
	if f.Line != nil {
		return "LineString", f.Line
	}
	return "Point", []terminal49.Coordinates{f.Coordinates}
}

// requireProperties compares the properties that determine the type of a feature with a second
// reading, unless they are repeated.
func requireProperties(t *testing.T, feature json.RawMessage, got *terminal49.MapFeature, unknown bool) {
	t.Helper()
	raw, ok := naive.ReadObject(feature).Once("properties")
	properties := naive.ReadObject(raw)
	if !ok || properties == nil {
		return
	}
	if !properties.Repeats("feature_type") {
		require.Equal(t, properties.Text("feature_type"), string(got.Kind), "%s", feature)
	}
	_, isVessel := properties.Once("vessel_name") // a vessel's Name
	if port := got; port.Kind == terminal49.MapPort && !unknown && !isVessel && !properties.Repeats("name", "ports_sequence", "time_zone", "vessel_name") {
		require.Equal(t, properties.Text("name"), port.Name, "%s", feature)
		require.Equal(t, properties.Text("time_zone"), port.TimeZone, "%s", feature)
		sequence, _ := properties.Once("ports_sequence")
		switch n, v := naive.ReadInt(sequence); v {
		case naive.MustBeThis:
			require.Equal(t, n, port.PortsSequence, "%s", feature)
		case naive.MustBeEmpty:
			require.Zero(t, port.PortsSequence, "%s", feature)
		}
	}
}

// naiveGeometry reads the points of a feature that is a point or a line, without repeated members;
// false for all others. There are no points if one of them lacks a coordinate or is outside the
// earth.
func naiveGeometry(feature json.RawMessage) (kind string, points []terminal49.Coordinates, ok bool) {
	raw, ok := naive.ReadObject(feature).Once("geometry")
	geometry := naive.ReadObject(raw)
	if !ok || geometry == nil {
		return "", nil, false
	}
	coordinates, ok := geometry.Once("coordinates")
	list, isList := naive.ReadList(coordinates)
	kindRaw, once := geometry.Once("type")
	if !ok || !isList || !once || len(geometry) != 2 || len(list) == 0 {
		return "", nil, false
	}
	kind, _ = naive.ReadText(kindRaw)
	switch kind {
	case "Point":
		list = []json.RawMessage{coordinates}
	case "LineString":
	default:
		return "", nil, false
	}
	for _, position := range list {
		numbers, _ := naive.ReadList(position)
		if len(numbers) < 2 || string(numbers[0]) == "null" || string(numbers[1]) == "null" {
			return kind, nil, true
		}
		var p terminal49.Coordinates
		for i, to := range []*float64{&p.Longitude, &p.Latitude} {
			digits, ok := naive.ReadNumber(numbers[i])
			f, err := strconv.ParseFloat(digits, 64)
			if !ok || err != nil && !math.IsInf(f, 0) {
				return "", nil, false
			}
			if math.Abs(f) > [...]float64{180, 90}[i] {
				return kind, nil, true // it is not on the earth
			}
			*to = f
		}
		points = append(points, p)
	}
	return kind, points, true
}

// The seeds of the fuzz targets are made when a target starts, so that they follow the simulator
// and the tables.

// seedDocuments returns a response of the simulator to each call, a sample of each webhook event,
// each resource type with all its members, and every value of every enumeration.
func seedDocuments(t testing.TB, list []terminal49.DocumentReader, known terminal49.DocumentShapes) [][]byte {
	bodies := testkit.Responses(t, testkit.EveryCall(), func(*terminal49test.Server, testkit.Call) {})
	for _, event := range terminal49.WebhookEvents() {
		bodies = append(bodies, testkit.SampleDelivery(t, event))
	}
	var whole []string
	for _, r := range list {
		whole = append(whole, fmt.Sprintf(`{"id":"1","type":%q,"links":{"self":"/v2/x"},"attributes":%s,"relationships":%s}`,
			r.Name, sampleObject(r.Type, known, known[r.Type].Attributes),
			sampleObject(r.Type, known, known[r.Type].Relationships)))
	}
	for _, resource := range whole {
		bodies = append(bodies, []byte(`{"data":[`+resource+`],"links":{"next":"n"},"meta":{"size":1,"total":"2"}}`))
	}
	bodies = append(bodies, []byte(`{"data":null,"included":[`+strings.Join(whole, ",")+`]}`))
	for _, enum := range catalogue.Enums() {
		path := strings.Split(enum.Name, ".")
		var resources []string
		for i, value := range enum.Values {
			inner := fmt.Sprintf(`{%q:%q}`, path[len(path)-1], value)
			forms := []string{inner}
			if len(path) == 3 { // in an object, or in a list of objects
				forms = []string{fmt.Sprintf(`{%q:%s}`, path[1], inner), fmt.Sprintf(`{%q:[%s]}`, path[1], inner)}
			}
			for j, attributes := range forms {
				resources = append(resources,
					fmt.Sprintf(`{"id":"%d-%d","type":%q,"attributes":%s}`, i, j, path[0], attributes))
			}
		}
		bodies = append(bodies, []byte(`{"data":[],"included":[`+strings.Join(resources, ",")+`]}`))
	}
	// Long inputs are slow to mutate and check, and contain nothing that the others do not.
	return slices.DeleteFunc(bodies, func(body []byte) bool { return len(body) > 16<<10 })
}

// sampleObject returns an object with every member that a type reads.
func sampleObject(typ reflect.Type, known terminal49.DocumentShapes, members map[string]int) string {
	var parts []string
	for name, field := range members {
		parts = append(parts, fmt.Sprintf(`%q:%s`, name, sampleValue(typ.Field(field).Type, known, len(parts))))
	}
	slices.Sort(parts)
	return "{" + strings.Join(parts, ",") + "}"
}

func sampleValue(typ reflect.Type, known terminal49.DocumentShapes, n int) string {
	if members, ok := known[typ]; ok {
		return sampleObject(typ, known, members.Attributes)
	}
	switch reflect.Zero(typ).Interface().(type) {
	case terminal49.Time:
		return fmt.Sprintf("%q", terminal49.SeedTimes()[n%len(terminal49.SeedTimes())])
	case terminal49.Secret:
		return `"secret"`
	case terminal49.CustomFieldValue:
		return `1840.250000`
	case terminal49.ProvidedData:
		return `{"pickup_lfd":true,"pickup_lfd_notes":"n"}`
	case terminal49.Changeset:
		return `{"available_for_pickup":[null,true]}`
	case json.RawMessage:
		return `{"a":[1,{"b":null}]}`
	case decimal.Decimal:
		return `150.10`
	case terminal49.ToOne[terminal49.Place]:
		return `{"data":{"id":"1","type":"metro_area"}}`
	case terminal49.ToOne[terminal49.ReferenceObject], terminal49.ToOne[terminal49.CustomFieldEntity]:
		return `{"data":{"id":"1","type":"container"}}`
	}
	switch {
	case typ.Kind() == reflect.Pointer:
		return sampleValue(typ.Elem(), known, n)
	case typ.Kind() == reflect.String:
		return `"t\u00e9xt \ud83d\ude00\n"`
	case typ.Kind() == reflect.Bool:
		return `true`
	case typ.Kind() == reflect.Float64:
		return `1.5`
	case typ.Kind() == reflect.Int:
		return `"2"`
	case typ.Kind() == reflect.Slice:
		return `[` + sampleValue(typ.Elem(), known, n) + `,null]`
	case strings.HasPrefix(typ.Name(), "Opt["):
		return sampleValue(typ.Field(0).Type, known, n)
	case strings.HasPrefix(typ.Name(), "ToMany["):
		return `{"data":[{"id":"1","type":"` + wireType(typ.Field(1).Type.Elem().Elem()) + `"}]}`
	default: // ToOne
		return `{"data":{"id":"1","type":"` + wireType(typ.Field(2).Type.Elem()) + `"},"links":{"related":"/x"}}`
	}
}

// Fuzzing hardly finds a type that is in no seed.
func TestFuzz_SeedsShowEveryType(t *testing.T) {
	list, known := terminal49.DocumentReaders(t)
	seeds := seedDocuments(t, list, known)
	all := string(bytes.Join(seeds, nil))
	for _, typ := range catalogue.Types() {
		if !typ.Withdrawn {
			require.Contains(t, all, `"type":"`+typ.Name+`"`)
		}
	}
	for _, enum := range catalogue.Enums() {
		for _, value := range enum.Values {
			require.Contains(t, all, fmt.Sprintf("%q", value), enum.Name)
		}
	}
	t.Logf("figure: fuzzing of documents starts from %d seeds with every resource type and every value of every enumeration", len(seeds))
}
