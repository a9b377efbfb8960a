package board

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

// drawnMap returns the map of a port and of a line of positions.
func drawnMap(t *testing.T, port string, line ...string) *terminal49.ContainerMap {
	const feature = `{"type":"Feature","properties":{"feature_type":"%s"},"geometry":{"type":"%s","coordinates":%s}}`
	m := new(terminal49.ContainerMap)
	text := fmt.Sprintf(`{"type":"FeatureCollection","features":[`+feature+`,`+feature+`]}`, "port", "Point", port,
		"past_vessel_locations", "LineString", "["+strings.Join(line, ",")+"]")
	require.NoError(t, json.Unmarshal([]byte(text), m))
	return m
}

// around is a line that goes around the earth many times.
func around(points int) (line []string) {
	for i := range points {
		line = append(line, fmt.Sprintf("[%d,1]", i%3*120-120))
	}
	return line
}

// A map costs little, wherever its coordinates are and however many: the land is repeated a few
// times, and a line of ten times the points is drawn with as many.
func TestDraw_IsBounded(t *testing.T) {
	const mostText = 600_000 // most of it is the land
	long := drawnMap(t, "[0,0]", strings.Split(strings.Repeat("[1,1] [2,2] ", 50_000)[:12*50_000-1], " ")...)
	for name, m := range map[string]*terminal49.ContainerMap{
		"far":             drawnMap(t, "[1e6,0]", "[0,0]", "[1,1]"),
		"farther":         drawnMap(t, "[1e19,0]", "[0,0]", "[1,1]"),
		"line":            drawnMap(t, "[0,0]", "[0,0]", "[1e9,1]"),
		"line, farther":   drawnMap(t, "[0,0]", "[0,0]", "[1e27,1]"),
		"north":           drawnMap(t, "[0,1e300]", "[0,0]", "[1,-1e300]"),
		"around, 9 times": drawnMap(t, "[0,0]", around(27)...),
		"around, often":   drawnMap(t, "[0,0]", around(30_000)...),
		"long":            long,
	} {
		svg := string(draw(t.Context(), m))
		require.LessOrEqual(t, strings.Count(svg, "<use "), 25, name)
		require.Less(t, len(svg), mostText, name)
		require.NotContains(t, svg, "NaN", name)
	}
	require.Contains(t, string(draw(t.Context(), drawnMap(t, "[0,0]", around(27)...))), "<use ", "it is drawn")
	require.Contains(t, string(draw(t.Context(), long)), `L2.00 -2.00"/>`, "the end of a long line is drawn")
}

// The picture stands by itself: it does not rely on the bounds of the client.
func TestDraw_OffTheEarth(t *testing.T) {
	for _, degrees := range []float64{1e4, 1e6, 1e19, -1e27, 1e308, math.MaxFloat64, math.Inf(1), math.NaN()} {
		d := newDrawing(0)
		d.line("past", terminal49.MapLine{{Longitude: 1}, {Longitude: degrees}}, 1)
		d.place("port", terminal49.Coordinates{Longitude: degrees}, 0, "nowhere")
		svg := string(d.svg(nil))
		require.LessOrEqual(t, strings.Count(svg, "<use "), 25, degrees)
		require.NotRegexp(t, "NaN|Inf", svg, degrees)
	}
}

// Nothing is drawn for a visitor who left.
func TestDraw_EndsWithItsContext(t *testing.T) {
	left, leave := context.WithCancel(t.Context())
	leave()
	require.Empty(t, draw(left, drawnMap(t, "[0,0]", "[0,0]", "[1,1]")))
}
