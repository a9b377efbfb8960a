package terminal49

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// FuzzMap reads bytes as a map. Whatever comes, that ends in a map that is written as it came, or in an error; and a point
// or a line that encoding/json reads as numbers is where those numbers say.
func FuzzMap(f *testing.F) {
	f.Add([]byte(voyageMap))
	f.Add([]byte(noRoute))
	for _, body := range answersOf(f, mapCalls(), func(*terminal49test.Server, call) {}) {
		f.Add(body)
	}
	for _, geometry := range []string{
		`{"type":"GeometryCollection","geometries":[null]}`, `{"type":"GeometryCollection"}`, `{"type":"Polygon","coordinates":[null]}`,
		`{"type":"LineString","coordinates":null}`, `{"type":"Point"}`, `{}`, `7`,
		`{"type":"Point","coordinates":[]}`, `{"type":"LineString","coordinates":[[1,2],null]}`, nested("Point", 150, 0),
		`{"type":"Point","coordinates":[-118.26,33.74,12]}`, `{"type":"LineString","coordinates":[[179.5,40.1],[-150.25,3.8e1],[1e-400,-0]]}`,
		`{"type":"LineString","coordinates":[]}`, `{"type":"Point","coordinates":[1e400,0]}`, `{"type":"Point","coordinates":[1],"coordinates":[1,2]}`,
	} {
		for _, kind := range MapFeatureTypes() {
			f.Add([]byte(`{"type":"FeatureCollection","features":[null,{"type":"Feature","id":1,"geometry":` + geometry +
				`,"properties":{"feature_type":"` + string(kind) + `","ports_sequence":1e9}}]}`))
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := ReadMap(body)
		if err != nil {
			return
		}
		require.True(t, json.Valid(body))
		written, err := m.MarshalJSON()
		require.NoError(t, err)
		require.Equal(t, string(body), string(written))
		var again ContainerMap
		require.NoError(t, again.UnmarshalJSON(written))
		require.Equal(t, m, &again)
		filed := len(m.Ports()) + len(m.PastLocations()) + len(m.EstimatedLegs()) + len(m.Unknown())
		require.LessOrEqual(t, filed, len(m.Features()))

		features, ok := readObject(body).once("features")
		sent, isList := readList(features)
		if !ok || !isList {
			return
		}
		sent = slices.DeleteFunc(sent, func(raw json.RawMessage) bool { return string(raw) == "null" })
		require.Len(t, m.Features(), len(sent))
		for i, raw := range sent {
			got := m.Features()[i]
			require.Equal(t, string(raw), string(got.Raw()))
			requireProperties(t, raw, got)
			kind, points, ok := naiveGeometry(raw)
			if !ok {
				continue
			}
			shape, line := shapeOf(got)
			switch wanted, known := mapShapes[got.FeatureType()]; {
			case !known || wanted != kind || points == nil:
				require.IsType(t, &UnknownMapFeature{}, got, "%s", raw)
			default:
				require.Equal(t, kind, shape, "%s", raw)
				require.Equal(t, points, line, "%s", raw)
			}
		}
	})
}

// mapShapes are the geometries that the service's features have.
var mapShapes = map[MapFeatureType]string{
	MapFeaturePort: "Point", MapFeatureCurrentVessel: "Point", MapFeaturePastVesselLocations: "LineString",
	MapFeatureEstimatedFullLegs: "LineString", MapFeatureEstimatedPartialLeg: "LineString",
}

// shapeOf returns the geometry that was read.
func shapeOf(f MapFeature) (kind string, points []Coordinates) {
	switch f := f.(type) {
	case *MapPort:
		return "Point", []Coordinates{f.Coordinates}
	case *MapVessel:
		return "Point", []Coordinates{f.Coordinates}
	case *MapPastLocations:
		return "LineString", f.Line
	case *MapLeg:
		return "LineString", f.Line
	}
	return "", nil
}

// requireProperties compares the properties that decide what a feature is with a second reading, where they came once.
func requireProperties(t *testing.T, feature json.RawMessage, got MapFeature) {
	t.Helper()
	raw, ok := readObject(feature).once("properties")
	properties := readObject(raw)
	if !ok || properties == nil {
		return
	}
	if !properties.repeats("feature_type") {
		require.Equal(t, properties.text("feature_type"), string(got.FeatureType()), "%s", feature)
	}
	if port, ok := got.(*MapPort); ok && !properties.repeats("name", "ports_sequence", "time_zone") {
		require.Equal(t, properties.text("name"), port.Name, "%s", feature)
		require.Equal(t, properties.text("time_zone"), port.TimeZone, "%s", feature)
		sequence, _ := properties.once("ports_sequence")
		switch n, v := readInt(sequence); v {
		case mustBeThis:
			require.Equal(t, n, port.PortsSequence, "%s", feature)
		case mustBeEmpty:
			require.Zero(t, port.PortsSequence, "%s", feature)
		}
	}
}

// naiveGeometry reads the points of a feature that is a point or a line and says so once; false for all else. There are no
// points if one of them lacks a coordinate: nothing may be made of such a feature, least of all a place off Africa.
func naiveGeometry(feature json.RawMessage) (kind string, points []Coordinates, ok bool) {
	raw, ok := readObject(feature).once("geometry")
	geometry := readObject(raw)
	if !ok || geometry == nil {
		return "", nil, false
	}
	coordinates, ok := geometry.once("coordinates")
	list, isList := readList(coordinates)
	kindRaw, once := geometry.once("type")
	if !ok || !isList || !once || len(geometry) != 2 || len(list) == 0 {
		return "", nil, false
	}
	kind, _ = readText(kindRaw)
	switch kind {
	case "Point":
		list = []json.RawMessage{coordinates}
	case "LineString":
	default:
		return "", nil, false
	}
	for _, position := range list {
		numbers, _ := readList(position)
		if len(numbers) < 2 || string(numbers[0]) == "null" || string(numbers[1]) == "null" {
			return kind, nil, true
		}
		var p Coordinates
		for i, to := range []*float64{&p.Longitude, &p.Latitude} {
			digits, ok := readNumber(numbers[i])
			f, err := strconv.ParseFloat(digits, 64)
			if !ok || err != nil || math.IsInf(f, 0) {
				return "", nil, false
			}
			*to = f
		}
		points = append(points, p)
	}
	return kind, points, true
}
