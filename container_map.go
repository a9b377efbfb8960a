package terminal49

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// ContainerMap is a map of a container's voyage. Its methods return the features to draw by type,
// with typed properties. A container without a known route has no features.
//
// encoding/json writes a map as the service sent it, which is a GeoJSON feature collection that a
// browser can draw, and reads it back. The features must not be modified.
type ContainerMap struct {
	raw      json.RawMessage
	features []MapFeature
	ports    []*MapPort
	vessel   *MapVessel
	past     []*MapPastLocations
	legs     []*MapLeg
	partial  *MapLeg
	unknown  []*UnknownMapFeature
}

// Map returns the map of a container's voyage: its ports, and the past, current and estimated
// positions of its vessels. Positions change about every 15 minutes; the service asks clients to
// fetch a map at most once an hour.
//
// A response with more than 10,000 features, or with more than 2 MiB (about 50,000 points) unless
// [WithMaxResponseBytes] sets another limit, fails with a [*DecodeError].
//
// API: GET /containers/{id}/map_geojson. Errors: ErrFeatureNotEnabled, ErrNotFound.
func (s *ContainersService) Map(ctx context.Context, id string, opts ...CallOption) (*ContainerMap, error) {
	made := s.client.call(newEndpoint(operation.ContainersMapGeoJSON, containerArg(id)), opts)
	made.policy.MaxBody = cmp.Or(made.policy.MaxBody, maxMap)
	result, err := made.do(ctx)
	if err != nil {
		return nil, err
	}
	report := made.warnings(ctx)
	m, err := readMap(result.Body, jsonapi.Options{Strict: made.strict, Report: report.add})
	if err = cmp.Or(err, report.err()); err != nil {
		return nil, made.unreadable(result, err, report.kept...)
	}
	return m, nil
}

// Features returns all features in the order in which the service sent them, which may differ from
// the order of the voyage.
func (m *ContainerMap) Features() []MapFeature { return m.features }

// Ports returns the ports of the voyage, from the port of lading to the port of discharge.
func (m *ContainerMap) Ports() []*MapPort { return m.ports }

// CurrentVessel returns the vessel that carries the container. It reports false if the vessel is
// not at sea or its position is unknown.
func (m *ContainerMap) CurrentVessel() (vessel *MapVessel, atSea bool) {
	return m.vessel, m.vessel != nil
}

// PastLocations returns the routes that vessels have sailed so far, in the order of the voyage.
func (m *ContainerMap) PastLocations() []*MapPastLocations { return m.past }

// EstimatedLegs returns the legs that have not begun, in the order of the voyage.
func (m *ContainerMap) EstimatedLegs() []*MapLeg { return m.legs }

// EstimatedPartialLeg returns the rest of the current leg, which begins at CurrentVessel. It
// reports false if CurrentVessel does.
func (m *ContainerMap) EstimatedPartialLeg() (leg *MapLeg, atSea bool) {
	return m.partial, m.partial != nil
}

// Unknown returns the features that no other method returns, in the order in which the service sent
// them.
func (m *ContainerMap) Unknown() []*UnknownMapFeature { return m.unknown }

// Raw returns the GeoJSON as the service sent it.
func (m *ContainerMap) Raw() json.RawMessage { return m.raw }

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

// maxMap is the default limit of the body of a map. maxFeatures limits the features in it, because
// a feature takes far more memory than its few bytes in a hostile body.
const (
	maxMap      = 2 << 20
	maxFeatures = 10_000
)

// readMap reads a GeoJSON feature collection.
func readMap(body []byte, o jsonapi.Options) (*ContainerMap, error) {
	m := &ContainerMap{raw: bytes.Clone(body)} // the features keep parts of it
	c := featureCollection{options: o}
	if err := jsonapi.DecodeObject(m.raw, jsonapi.Identity{}, collectionMembers, &c, jsonapi.Options{}); err != nil {
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
		switch f := f.(type) {
		case *MapPort:
			m.ports = append(m.ports, f)
		case *MapVessel:
			m.vessel = f
		case *MapPastLocations:
			m.past = append(m.past, f)
		case *MapLeg:
			if f.Partial {
				m.partial = f
			} else {
				m.legs = append(m.legs, f)
			}
		case *UnknownMapFeature:
			m.unknown = append(m.unknown, f)
		}
	}
	slices.SortStableFunc(m.ports, func(a, b *MapPort) int { return cmp.Compare(a.PortsSequence, b.PortsSequence) })
	slices.SortStableFunc(m.past, func(a, b *MapPastLocations) int { return cmp.Compare(a.PortsSequence, b.PortsSequence) })
	slices.SortStableFunc(m.legs, func(a, b *MapLeg) int { return cmp.Compare(a.PortsSequence, b.PortsSequence) })
	for _, p := range m.past {
		m.pairZones(p)
	}
}

// pairZones pairs the times of p with the time zones of the ports at its ends.
func (m *ContainerMap) pairZones(p *MapPastLocations) {
	untold(&p.OutboundATD, &p.InboundATA, &p.InboundETA)
	for _, port := range m.ports {
		switch port.PortsSequence {
		case p.PortsSequence:
			pairZone(port.TimeZone, &p.OutboundATD)
		case p.PortsSequence + 1:
			pairZone(port.TimeZone, &p.InboundATA, &p.InboundETA)
		}
	}
}

// featureCollection is a feature collection that is being read. err is the first violation of
// GeoJSON.
type featureCollection struct {
	kind     string
	features []MapFeature
	count    int // of all features, including null
	options  jsonapi.Options
	err      error
}

var collectionMembers = jsonapi.NewMembers(
	shortTextField("type", func(c *featureCollection) *string { return &c.kind }),
	jsonapi.Field[featureCollection]{Name: "features", Read: func(d *jsonapi.Decoder, c *featureCollection) { c.readFeatures(d) }},
)

func (c *featureCollection) readFeatures(d *jsonapi.Decoder) {
	c.features, c.count, c.err = nil, 0, nil
	if d.Null() {
		return
	}
	if isList := d.Array(func() { c.readFeature(d.Raw()) }); !isList && c.err == nil {
		c.err = errors.New("its features are not a list")
	}
}

func (c *featureCollection) readFeature(raw json.RawMessage) {
	if c.count++; c.count > maxFeatures && c.err == nil {
		c.err = fmt.Errorf("it has more than %d features", maxFeatures)
	}
	if c.err != nil || isNull(raw) {
		return
	}
	f := geoFeature{raw: raw}
	feature, err := f.read(c.options)
	if err != nil {
		c.err = fmt.Errorf("feature %d: %w", c.count, err)
		return
	}
	c.features = append(c.features, feature)
}

// isNull reports whether raw is null or missing.
func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// geoFeature is a GeoJSON feature as sent, with its location or route.
type geoFeature struct {
	raw, geometry, properties json.RawMessage

	kind  string
	point []Coordinates // of length 1; nil unless the geometry is a Point with both coordinates
	line  []Coordinates // nil unless it is a LineString whose points have both coordinates
	err   error
}

var geoFeatureMembers = jsonapi.NewMembers(
	shortTextField("type", func(f *geoFeature) *string { return &f.kind }),
	jsonapi.Field[geoFeature]{Name: "geometry", Read: func(d *jsonapi.Decoder, f *geoFeature) { f.readGeometry(d) }},
	jsonapi.Field[geoFeature]{Name: "properties", Read: func(d *jsonapi.Decoder, f *geoFeature) { f.properties = d.Raw() }},
)

// shortTextField is textField for one short string in an object, without the memory that textField
// reserves for many.
func shortTextField[T any, S ~string](name string, at func(*T) *S) jsonapi.Field[T] {
	return jsonapi.Field[T]{Name: name, Read: func(d *jsonapi.Decoder, v *T) {
		b, _ := d.Bytes()
		*at(v) = S(b)
	}}
}

// read reads the feature and returns it as a value of its type.
func (f *geoFeature) read(o jsonapi.Options) (MapFeature, error) {
	err := jsonapi.DecodeObject(f.raw, jsonapi.Identity{}, geoFeatureMembers, f, jsonapi.Options{})
	switch {
	case err != nil:
		return nil, err
	case f.kind != "Feature":
		return nil, errors.New("it is not a feature")
	case !isNull(f.properties) && f.properties[0] != '{':
		return nil, errors.New("its properties are not an object")
	case f.err != nil:
		return nil, f.err
	}
	return f.typed(o)
}

// geometry is a GeoJSON geometry as sent.
type geometry struct {
	kind        string
	coordinates json.RawMessage
}

var geometryMembers = jsonapi.NewMembers(
	shortTextField("type", func(g *geometry) *string { return &g.kind }),
	jsonapi.Field[geometry]{Name: "coordinates", Read: func(d *jsonapi.Decoder, g *geometry) { g.coordinates = d.Raw() }},
)

// readGeometry reads the geometries of the service's features. It does not read others, so they
// cost nothing.
func (f *geoFeature) readGeometry(d *jsonapi.Decoder) {
	f.geometry, f.point, f.line, f.err = d.Raw(), nil, nil, nil
	if isNull(f.geometry) {
		return
	}
	var g geometry
	d.Again(f.geometry, func() {
		if !jsonapi.ReadObject(d, geometryMembers, &g) {
			f.err = errors.New("its geometry is not an object")
		}
	})
	if isNull(g.coordinates) {
		return
	}
	var p positionReader
	switch g.kind {
	case "Point":
		d.Again(g.coordinates, func() { p.readPosition(d) })
		f.point = p.complete()
	case "LineString":
		d.Again(g.coordinates, func() { p.readLine(d) })
		f.line = p.complete()
	}
	f.err = cmp.Or(f.err, p.err)
}

// positionReader reads positions.
type positionReader struct {
	list []Coordinates
	gap  bool // a position lacks a coordinate
	err  error
}

// complete returns the positions, or nil if one of them lacks a coordinate, because a guessed
// position would be wrong.
func (p *positionReader) complete() []Coordinates {
	if p.gap {
		return nil
	}
	return p.list
}

var errCoordinates = errors.New("its coordinates are not lists of numbers")

func (p *positionReader) readLine(d *jsonapi.Decoder) {
	if !d.Elements(func() { p.readPosition(d) }) {
		p.err = errCoordinates
	}
}

// readPosition reads longitude and latitude, in this order, and ignores an altitude after them.
func (p *positionReader) readPosition(d *jsonapi.Decoder) {
	if d.Null() {
		p.gap = true
		return
	}
	var at Coordinates
	degrees := [...]*float64{&at.Longitude, &at.Latitude}
	read, n := 0, 0
	isList := d.Elements(func() {
		if n >= len(degrees) {
			d.Skip()
		} else if !d.Null() {
			value, ok := d.Float()
			if !ok {
				p.err = errCoordinates
			}
			*degrees[n] = value
			read++
		}
		n++
	})
	if !isList {
		p.err = errCoordinates
	}
	p.gap = p.gap || read < len(degrees)
	p.list = append(p.list, at)
}
