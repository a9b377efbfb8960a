package terminal49

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/jsonapi"
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
		for _, kind := range mapFeatureTypes {
			f.Add([]byte(`{"type":"FeatureCollection","features":[null,{"type":"Feature","id":1,"geometry":` + geometry +
				`,"properties":{"feature_type":"` + string(kind) + `","ports_sequence":1e9}}]}`))
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := readMap(body, jsonapi.Options{})
		if err != nil {
			return
		}
		filed := len(m.Ports()) + len(m.PastLocations()) + len(m.EstimatedLegs()) + len(m.Unknown())
		require.LessOrEqual(t, filed, len(m.Features))
		written, err := m.MarshalJSON()
		require.NoError(t, err)
		require.Equal(t, string(body), string(written))
		_, err = json.Marshal(m.FeatureCollection)
		require.NoError(t, err)

		features, ok := readObject(body).once("features")
		sent, isList := readList(features)
		if !ok || !isList {
			return
		}
		require.Len(t, m.Features, len(sent))
		for i, raw := range sent {
			if m.Features[i] == nil {
				require.Equal(t, "null", string(raw))
				continue
			}
			kind, points, ok := naiveGeometry(raw)
			if !ok {
				continue
			}
			if points == nil {
				require.Nil(t, m.Features[i].Geometry, "%s", raw)
				continue
			}
			var got []orb.Point
			switch g := m.Features[i].Geometry.(type) {
			case orb.Point:
				got = []orb.Point{g}
			case orb.LineString:
				got = g
			default:
				t.Fatalf("%s of %d points became %T", kind, len(points), g)
			}
			require.Equal(t, points, got, "%s", raw)
			require.Equal(t, kind, m.Features[i].Geometry.GeoJSONType())
		}
	})
}

// naiveGeometry reads the points of a feature that is a point or a line and says so once; false for all else. There are no
// points if one of them lacks a coordinate: nothing may be made of such a feature, least of all a place off Africa.
func naiveGeometry(feature json.RawMessage) (kind string, points []orb.Point, ok bool) {
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
		var p orb.Point
		for i := range 2 {
			digits, ok := readNumber(numbers[i])
			f, err := strconv.ParseFloat(digits, 64)
			if !ok || err != nil || math.IsInf(f, 0) {
				return "", nil, false
			}
			p[i] = f
		}
		points = append(points, p)
	}
	return kind, points, true
}
