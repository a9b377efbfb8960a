package board

import (
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/go-freight/terminal49"
)

// coast is the outline of all land, as the data of an SVG path: x is the longitude, y the latitude
// with its sign reversed.
//
//go:embed coast/coast.svgpath
var coast string

// drawing is a map of a voyage. Its lines go on beyond 180 degrees where the voyage crosses the
// antimeridian, and the land is drawn once for each turn of the globe that they touch.
type drawing struct {
	b    strings.Builder
	last float64 // longitude at which the line before ended

	left, right, top, bottom float64
}

// The service decides where a voyage goes and of how many points a line is. A picture that would be
// wider than these turns of the globe, either way, is not drawn.
const (
	mostTurns  = 10
	mostPoints = 5_000 // of all lines, in addition to their ends
)

// stroke is a line to draw.
type stroke struct {
	class string
	line  terminal49.MapLine
}

func newDrawing(longitude float64) *drawing {
	return &drawing{last: longitude, left: math.Inf(1), right: math.Inf(-1), top: math.Inf(1), bottom: math.Inf(-1)}
}

// draw returns a map as SVG; "" if there is nothing to draw, or ctx has ended.
func draw(ctx context.Context, m *terminal49.ContainerMap) template.HTML {
	ports := m.Ports()
	if len(ports) == 0 {
		return ""
	}
	d := newDrawing(ports[0].Coordinates.Longitude)
	strokes, points := strokesOf(m)
	for _, s := range strokes {
		if ctx.Err() != nil {
			return ""
		}
		d.line(s.class, s.line, 1+points/mostPoints)
	}
	center := (d.left + d.right) / 2
	if math.IsNaN(center) || math.IsInf(center, 0) {
		center = d.last
	}
	for _, port := range ports {
		d.place("port", port.Coordinates, center, port.Label+" "+port.Name)
	}
	if vessel, atSea := m.CurrentVessel(); atSea {
		d.place("vessel", vessel.Coordinates, center, vessel.Name)
	}
	return d.svg(ports)
}

// strokesOf returns the lines of a map, and how many points they have.
func strokesOf(m *terminal49.ContainerMap) (strokes []stroke, points int) {
	for _, past := range m.PastLocations() {
		strokes = append(strokes, stroke{"past", past.Line})
	}
	if leg, ok := m.EstimatedPartialLeg(); ok {
		strokes = append(strokes, stroke{"expected", leg.Line})
	}
	for _, leg := range m.EstimatedLegs() {
		strokes = append(strokes, stroke{"expected", leg.Line})
	}
	for _, s := range strokes {
		points += len(s.line)
	}
	return strokes, points
}

// line adds every step-th point of a line, and its end. The line goes on where the one before
// ended.
func (d *drawing) line(class string, line terminal49.MapLine, step int) {
	var data strings.Builder
	for i, at := range line.Unwrap(d.last) {
		d.last = at.Longitude
		if i%step > 0 && i < len(line)-1 {
			continue
		}
		command := "L"
		if i == 0 {
			command = "M"
		}
		fmt.Fprintf(&data, "%s%.2f %.2f", command, at.Longitude, -at.Latitude)
		d.extend(at.Longitude, -at.Latitude)
	}
	if data.Len() > 0 {
		fmt.Fprintf(&d.b, `<path class="%s" d="%s"/>`, class, data.String())
	}
}

// place adds a point with its name, on the turn of the globe that is nearest to the voyage.
func (d *drawing) place(class string, at terminal49.Coordinates, center float64, name string) {
	x, y := at.Longitude+360*math.Round((center-at.Longitude)/360), -at.Latitude
	d.extend(x, y)
	side := `x=".8em"`
	if x > center { // the name is on the side where there is room for it
		side = `x="-.8em" text-anchor="end"`
	}
	fmt.Fprintf(&d.b, `<g class="%s" transform="translate(%.2f %.2f)"><circle r=".4em"/><text %s y=".35em">%s</text></g>`,
		class, x, y, side, template.HTMLEscapeString(name))
}

func (d *drawing) extend(x, y float64) {
	d.left, d.right = min(d.left, x), max(d.right, x)
	d.top, d.bottom = min(d.top, y), max(d.bottom, y)
}

// margin is around the voyage, in degrees.
const margin = 8

func (d *drawing) svg(ports []*terminal49.MapFeature) template.HTML {
	if far := max(-d.left, d.right); !(far <= 360*mostTurns) { // true for NaN too
		return ""
	}
	left, top := d.left-margin, max(d.top-margin, -85)
	width, height := d.right-d.left+2*margin, min(d.bottom+margin, 85)-top
	if least := width / 3; height < least { // a flat map is hard to read
		top, height = max(top-(least-height)/2, -85), least
	}
	var b strings.Builder
	// Names and points have the same size on every map: a part of its width.
	fmt.Fprintf(&b, `<svg class="map" viewBox="%.2f %.2f %.2f %.2f" font-size="%.3f" role="img" aria-label="%s">`,
		left, top, width, height, width/80, template.HTMLEscapeString(route(ports)))
	fmt.Fprintf(&b, `<defs><path id="land" d="%s"/></defs>`, strings.TrimSpace(coast))
	// The outline has a little of the next turn, and the browser may show more than the view box.
	for turn := math.Floor((left+180)/360) - 1; turn <= math.Floor((left+width+180)/360)+1; turn++ {
		fmt.Fprintf(&b, `<use class="land" href="#land" x="%.0f"/>`, 360*turn)
	}
	b.WriteString(d.b.String() + `</svg>`)
	return template.HTML(b.String()) // what the service sent is escaped
}

// route describes the map for those who do not see it.
func route(ports []*terminal49.MapFeature) string {
	names := make([]string, len(ports))
	for i, p := range ports {
		names[i] = p.Name
	}
	return "Route: " + strings.Join(names, ", ")
}
