package terminal49_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

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
