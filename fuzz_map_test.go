package terminal49_test

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/internal/testkit/naive"
)

// FuzzMap reads bytes as a map. The result is an error or a map that is written unchanged, and a
// point or a line has the coordinates that encoding/json reads.
func FuzzMap(f *testing.F) {
	f.Add([]byte(voyageMap))
	f.Add([]byte(testkit.NoRoute))
	for _, body := range testkit.Responses(f, testkit.MapCalls(), func(*terminal49test.Server, testkit.Call) {}) {
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
		`{"type":"Point","coordinates":[1],"coordinates":[1,2]}`,
	} {
		for _, kind := range terminal49.MapFeatureTypes() {
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
			requireProperties(t, raw, got)
			kind, points, ok := naiveGeometry(raw)
			if !ok {
				continue
			}
			shape, line := shapeOf(got)
			switch wanted, known := mapShapes[got.FeatureType()]; {
			case !known || wanted != kind || points == nil:
				require.IsType(t, &terminal49.UnknownMapFeature{}, got, "%s", raw)
			default:
				require.Equal(t, kind, shape, "%s", raw)
				require.Equal(t, points, line, "%s", raw)
			}
		}
	})
}

// mapShapes are the geometries that the service's features have.
var mapShapes = map[terminal49.MapFeatureType]string{
	terminal49.MapFeaturePort: "Point", terminal49.MapFeatureCurrentVessel: "Point",
	terminal49.MapFeaturePastVesselLocations: "LineString",
	terminal49.MapFeatureEstimatedFullLegs:   "LineString", terminal49.MapFeatureEstimatedPartialLeg: "LineString",
}

// shapeOf returns the geometry that was read.
func shapeOf(f terminal49.MapFeature) (kind string, points []terminal49.Coordinates) {
	switch f := f.(type) {
	case *terminal49.MapPort:
		return "Point", []terminal49.Coordinates{f.Coordinates}
	case *terminal49.MapVessel:
		return "Point", []terminal49.Coordinates{f.Coordinates}
	case *terminal49.MapPastLocations:
		return "LineString", f.Line
	case *terminal49.MapLeg:
		return "LineString", f.Line
	}
	return "", nil
}

// requireProperties compares the properties that determine the type of a feature with a second
// reading, unless they are repeated.
func requireProperties(t *testing.T, feature json.RawMessage, got terminal49.MapFeature) {
	t.Helper()
	raw, ok := naive.ReadObject(feature).Once("properties")
	properties := naive.ReadObject(raw)
	if !ok || properties == nil {
		return
	}
	if !properties.Repeats("feature_type") {
		require.Equal(t, properties.Text("feature_type"), string(got.FeatureType()), "%s", feature)
	}
	if port, ok := got.(*terminal49.MapPort); ok && !properties.Repeats("name", "ports_sequence", "time_zone") {
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
// false for all others. There are no points if one of them lacks a coordinate, because a missing
// coordinate must not be read as 0.
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
			if !ok || err != nil || math.IsInf(f, 0) {
				return "", nil, false
			}
			*to = f
		}
		points = append(points, p)
	}
	return kind, points, true
}
