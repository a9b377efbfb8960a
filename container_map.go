package terminal49

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// ContainerMap is a map of a container's voyage. Its methods return the features to draw by
// kind. A container without a known route has no features.
//
// encoding/json writes a map as the service sent it, which is a GeoJSON feature collection that a
// browser can draw, and reads it back. The features must not be modified.
type ContainerMap struct {
	raw      json.RawMessage
	features []*MapFeature
	ports    []*MapFeature
	vessel   *MapFeature
	past     []*MapFeature
	legs     []*MapFeature
	partial  *MapFeature
	unknown  []*MapFeature
}

// Map returns the map of a container's voyage: its ports, and the past, current and estimated
// positions of its vessels. Positions change about every 15 minutes; the service asks clients to
// fetch a map at most once an hour.
//
// A response with more than 10,000 features, or with more than 2 MiB (about 50,000 points) unless
// [WithMaxResponseBytes] sets another limit, fails with a [*DecodeError].
//
// API: GET /containers/{id}/map_geojson. Errors: ErrFeatureNotEnabled, ErrNotFound.
func (s *ContainersService) Map(ctx context.Context, id string, opts ...CallOption) (m *ContainerMap, err error) {
	made := s.client.call(newEndpoint(operation.ContainersMapGeoJSON, containerArg(id)), opts)
	made.policy.MaxBody = cmp.Or(made.policy.MaxBody, maxMap)
	ctx, call := made.begin(ctx)
	defer func() { call.finish(err) }()
	result, err := made.do(ctx)
	if err != nil {
		return nil, err
	}
	report := made.warnings(ctx)
	m, err = readMap(result.Body, jsonapi.Options{Strict: made.strict, Report: report.receiver(), Context: ctx})
	if err = cmp.Or(err, report.end()); err != nil {
		return nil, made.unreadable(result, err, report.all()...)
	}
	return m, nil
}

// Ports returns the ports of the voyage, from the port of lading to the port of discharge.
func (m *ContainerMap) Ports() []*MapFeature { return m.ports }

// CurrentVessel returns the vessel that carries the container. It reports false if the vessel is
// not at sea or its position is unknown.
func (m *ContainerMap) CurrentVessel() (vessel *MapFeature, atSea bool) {
	return m.vessel, m.vessel != nil
}

// PastLocations returns the routes that vessels have sailed so far, in the order of the voyage.
func (m *ContainerMap) PastLocations() []*MapFeature { return m.past }

// EstimatedLegs returns the legs that have not begun, in the order of the voyage.
func (m *ContainerMap) EstimatedLegs() []*MapFeature { return m.legs }

// EstimatedPartialLeg returns the rest of the current leg, which begins at CurrentVessel. It
// reports false if CurrentVessel does.
func (m *ContainerMap) EstimatedPartialLeg() (leg *MapFeature, atSea bool) {
	return m.partial, m.partial != nil
}

// Unknown returns the features that no other method returns, in the order in which the service sent
// them: those of an unknown kind, and those without the geometry of their kind, such as a port
// without coordinates or with some outside the earth. Only their Kind and Raw are set.
func (m *ContainerMap) Unknown() []*MapFeature { return m.unknown }

// Raw returns the GeoJSON as the service sent it.
func (m *ContainerMap) Raw() json.RawMessage { return m.raw }

// SplitGeoJSON returns the features as a GeoJSON feature collection in which lines are cut at the
// 180th meridian, as RFC 7946 section 3.1.9 asks: such a line is a MultiLineString of the parts
// that [MapLine.Split] returns. Without it, a line across the Pacific is drawn around the rest of
// the world. Other features are as the service sent them.
func (m *ContainerMap) SplitGeoJSON() (json.RawMessage, error) {
	features := []any{}
	for _, f := range m.features {
		split, err := splitFeature(f)
		if err != nil {
			return nil, fmt.Errorf("terminal49: container map: %w", err)
		}
		features = append(features, split)
	}
	return json.Marshal(map[string]any{"type": "FeatureCollection", "features": features})
}

func splitFeature(f *MapFeature) (any, error) {
	parts := f.Line.Split()
	if len(parts) < 2 {
		return f.Raw(), nil
	}
	members, lines := map[string]json.RawMessage{}, make([][][2]float64, len(parts))
	for i, part := range parts {
		for _, at := range part {
			lines[i] = append(lines[i], [2]float64{at.Longitude, at.Latitude})
		}
	}
	err := json.Unmarshal(f.Raw(), &members)
	if err == nil {
		members["geometry"], err = json.Marshal(map[string]any{"type": "MultiLineString", "coordinates": lines})
	}
	return members, err
}

// MapLine is a line on a [ContainerMap], which may cross the 180th meridian.
type MapLine []Coordinates

// Split cuts the line where it crosses the 180th meridian: one part ends at longitude 180 or -180
// and the next begins at the other, at the same latitude, as RFC 7946 section 3.1.9 asks. It keeps
// every point; one at the meridian may change the sign of its longitude. Longitudes are between
// -180 and 180. A line that does not cross is one part.
func (l MapLine) Split() []MapLine {
	line := slices.Clone(l)
	for i := range line {
		line[i].Longitude = math.Remainder(line[i].Longitude, 360)
	}
	setSides(line)
	var parts []MapLine
	start := 0
	for i := 1; i < len(line); i++ {
		if turns(line[i-1].Longitude, line[i].Longitude) == 0 {
			continue
		}
		end := Coordinates{Longitude: math.Copysign(180, line[i-1].Longitude)}
		end.Latitude = latitudeAt(line[i-1], line[i], end.Longitude)
		part := slices.Clone(line[start:i])
		if part[len(part)-1] != end {
			part = append(part, end)
		}
		parts, start = append(parts, part), i-1
		line[start] = Coordinates{Longitude: -end.Longitude, Latitude: end.Latitude}
	}
	if len(line) > 0 {
		parts = append(parts, line[start:])
	}
	return parts
}

// setSides sets the side of each point at the 180th meridian to that of the point before it, or,
// for the first such points, of the point after them, so that a line that only touches the meridian
// is not cut.
func setSides(line MapLine) {
	first := slices.IndexFunc(line, func(at Coordinates) bool { return math.Abs(at.Longitude) < 180 })
	side := 180.0
	if len(line) > 0 {
		side = line[max(first, 0)].Longitude
	}
	for i := range line {
		if math.Abs(line[i].Longitude) == 180 && side != 0 {
			line[i].Longitude = math.Copysign(180, side)
		}
		side = line[i].Longitude
	}
}

// latitudeAt returns the latitude at which the straight line from a to b crosses the 180th
// meridian. side is the meridian's longitude on the side of a, 180 or -180.
func latitudeAt(a, b Coordinates, side float64) float64 {
	part := (side - a.Longitude) / (b.Longitude + 2*side - a.Longitude)
	return a.Latitude + part*(b.Latitude-a.Latitude)
}

// Unwrap returns the line with longitudes that continue beyond 180 and -180 instead of jumping, for
// map libraries such as Leaflet and Mapbox. The longitude of the first point is within 180 degrees
// of near: pass the last longitude of the previous line, or the centre of the map. Each longitude
// differs from the original one by a multiple of 360.
func (l MapLine) Unwrap(near float64) MapLine {
	line := slices.Clone(l)
	shift := 0.0
	for i, at := range line {
		shift += turns(near, at.Longitude)
		line[i].Longitude += 360 * shift
		near = at.Longitude
	}
	return line
}

// turns returns the number of whole turns to add to a longitude that follows another one, so that
// they are at most 180 degrees apart.
func turns(from, to float64) float64 {
	if math.Abs(from-to) <= 180 {
		return 0
	}
	return math.Round((from - to) / 360)
}

// MarshalJSON returns the GeoJSON as the service sent it, and null for the zero ContainerMap.
func (m ContainerMap) MarshalJSON() ([]byte, error) { return m.raw.MarshalJSON() }

// UnmarshalJSON reads the result of MarshalJSON. It applies the limit on features of
// [ContainersService.Map].
func (m *ContainerMap) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	read, err := readMap(data, jsonapi.Options{})
	if err != nil {
		return fmt.Errorf("terminal49: container map: %w", err)
	}
	*m = *read
	return nil
}

// maxMap is the default limit of the body of a map. maxFeatures limits its features, because in a
// hostile body a feature of a few bytes takes far more memory.
const (
	maxMap      = 2 << 20
	maxFeatures = 10_000
)

// readMap reads a GeoJSON feature collection.
func readMap(body []byte, o jsonapi.Options) (*ContainerMap, error) {
	m := &ContainerMap{raw: bytes.Clone(body)} // the features keep parts of it
	c := featureCollection{options: o, table: jsonapi.NewTable(model{}, new(MapFeature))}
	o = c.named(o)
	d := jsonapi.NewDecoder(m.raw, "", o.Report).With(o)
	c.read(d)
	if err := d.End(); err != nil {
		return nil, err
	}
	if c.kind != "FeatureCollection" {
		return nil, errors.New("it is not a feature collection")
	}
	if c.err != nil {
		return nil, c.err
	}
	m.features = c.features
	m.sort()
	return m, nil
}

// sort groups the features by type, in the order of the voyage: the service documents no order.
func (m *ContainerMap) sort() {
	for _, f := range m.features {
		switch {
		case !f.known:
			m.unknown = append(m.unknown, f)
		case f.Kind == MapPort:
			m.ports = append(m.ports, f)
		case f.Kind == MapVessel:
			m.vessel = f
		case f.Kind == MapPastLocations:
			m.past = append(m.past, f)
		case f.Kind == MapLeg:
			m.legs = append(m.legs, f)
		default:
			m.partial = f
		}
	}
	for _, list := range [][]*MapFeature{m.ports, m.past, m.legs} {
		slices.SortStableFunc(list, func(a, b *MapFeature) int { return cmp.Compare(a.PortsSequence, b.PortsSequence) })
	}
	for _, p := range m.past {
		m.pairZones(p)
	}
}

// pairZones pairs the times of p with the time zones of the ports at its ends.
func (m *ContainerMap) pairZones(p *MapFeature) {
	markZoneUnreported(&p.OutboundATD, &p.InboundATA, &p.InboundETA)
	for _, port := range m.ports {
		switch port.PortsSequence {
		case p.PortsSequence:
			pairZone(port.TimeZone, &p.OutboundATD)
		case p.PortsSequence + 1:
			pairZone(port.TimeZone, &p.InboundATA, &p.InboundETA)
		}
	}
}
