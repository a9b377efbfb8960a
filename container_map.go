package terminal49

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// ContainerMap is what to draw on a map of a container's voyage: a GeoJSON feature collection. The methods give its
// features by kind, with their properties typed. Without a known route there are no features.
//
// encoding/json writes a map that [ContainersService.Map] returned as the service sent it, so that it can go to a
// browser as it is. The FeatureCollection is what package geojson makes of it: its numbers are float64, its points have
// no height, and the Geometry is nil of a geometry collection or of one without coordinates.
//
// An answer with more than 10,000 features is refused, and so is one of more than 2 MiB unless [WithMaxResponseBytes]
// sets another bound: that has room for 50,000 points.
//
// Points are longitude first, as GeoJSON has them, in WGS 84. Lines are simplified, and may cross the 180th meridian.
type ContainerMap struct {
	*geojson.FeatureCollection

	sent    json.RawMessage
	ports   []*MapPort
	vessel  *MapVessel
	past    []*MapPastLocations
	legs    []*MapLeg
	partial *MapLeg
	unknown []*geojson.Feature
}

// maxMap bounds the body of a map unless the caller set a bound, and maxFeatures what is in it: encoding/json and the
// library make some fifty times its length of points, and more of features.
const (
	maxMap      = 2 << 20
	maxFeatures = 10_000
)

// Map returns what to draw on a map of the container's voyage: its ports, where the vessel has been and is, and where
// it will go. Positions change about every quarter of an hour; the service asks not to fetch a map more than once an
// hour.
//
// There is no method for the service's older GET /containers/{id}/route: it has been withdrawn, is gone from the
// OpenAPI document, and answers 404. This map has what it told.
//
// API: GET /containers/{id}/map_geojson. Rate bucket: default. Errors: ErrFeatureNotEnabled, ErrNotFound.
func (s *ContainersService) Map(ctx context.Context, id string, opts ...CallOption) (*ContainerMap, error) {
	e := get("containers.map_geojson", "/containers/{id}/map_geojson", containerArg(id))
	call, err := s.client.call(e.Op, opts)
	if err != nil {
		return nil, err
	}
	call.policy.MaxBody = cmp.Or(call.policy.MaxBody, maxMap)
	result, err := e.send(ctx, s.client, call)
	if err != nil {
		return nil, err
	}
	report := s.client.warnings(ctx, e.Op, call)
	m, err := readMap(result.Body, jsonapi.Options{Strict: call.strict, Report: report.add})
	if err == nil {
		err = report.err()
	}
	if err != nil {
		return nil, &DecodeError{Op: e.Op, Status: result.Status, Err: what(err, result), Warnings: report.kept}
	}
	return m, nil
}

// Ports returns the ports of the voyage, from the port of lading to the port of discharge.
func (m *ContainerMap) Ports() []*MapPort { return m.ports }

// CurrentVessel returns the vessel that carries the container, false unless it is at sea and its position known.
func (m *ContainerMap) CurrentVessel() (vessel *MapVessel, atSea bool) {
	return m.vessel, m.vessel != nil
}

// PastLocations returns the ways the vessels have come so far, in the order of the voyage.
func (m *ContainerMap) PastLocations() []*MapPastLocations { return m.past }

// EstimatedLegs returns the legs not yet begun, in the order of the voyage.
func (m *ContainerMap) EstimatedLegs() []*MapLeg { return m.legs }

// EstimatedPartialLeg returns the rest of the leg under way, from where CurrentVessel is; false like that.
func (m *ContainerMap) EstimatedPartialLeg() (leg *MapLeg, atSea bool) {
	return m.partial, m.partial != nil
}

// Unknown returns the features that this version has no method for: of a kind it does not know, or without the
// geometry of their kind, such as a port without coordinates.
func (m *ContainerMap) Unknown() []*geojson.Feature { return m.unknown }

// MarshalJSON returns the map as the service sent it, whatever was done to its features since; to write those, marshal
// the FeatureCollection.
func (m ContainerMap) MarshalJSON() ([]byte, error) {
	if m.sent == nil { // not from the service
		return json.Marshal(m.FeatureCollection)
	}
	return m.sent, nil
}

// readMap sorts the features of a collection by their kind.
func readMap(body []byte, o jsonapi.Options) (*ContainerMap, error) {
	all, err := readCollection(body)
	if err != nil {
		return nil, err
	}
	m := &ContainerMap{FeatureCollection: all, sent: bytes.Clone(body)}
	for _, f := range all.Features {
		if f == nil {
			continue
		}
		if known, err := m.add(f, o); err != nil {
			return nil, err
		} else if !known {
			m.unknown = append(m.unknown, f)
		}
	}
	// The service promises no order.
	slices.SortStableFunc(m.ports, func(a, b *MapPort) int { return cmp.Compare(a.PortsSequence, b.PortsSequence) })
	slices.SortStableFunc(m.past, func(a, b *MapPastLocations) int { return cmp.Compare(a.PortsSequence, b.PortsSequence) })
	slices.SortStableFunc(m.legs, func(a, b *MapLeg) int { return cmp.Compare(a.PortsSequence, b.PortsSequence) })
	for _, p := range m.past {
		m.pairZones(p)
	}
	return m, nil
}

// readCollection reads GeoJSON, with geometries read by readGeometry.
func readCollection(body []byte) (*geojson.FeatureCollection, error) {
	if err := jsonapi.Skip(body); err != nil { // bounds the nesting
		return nil, err
	}
	count := 0
	if err := jsonapi.DecodeObject(body, jsonapi.Identity{}, featureCount, &count, jsonapi.Options{}); err != nil {
		return nil, err
	}
	if count > maxFeatures {
		return nil, fmt.Errorf("it holds more than %d features", maxFeatures)
	}
	var features []json.RawMessage
	all, err := without("features", body, &features, geojson.UnmarshalFeatureCollection)
	if err != nil {
		return nil, err
	}
	all.Features = make([]*geojson.Feature, len(features))
	for i, raw := range features {
		if isNull(raw) {
			continue
		}
		var geometry json.RawMessage
		f, err := without("geometry", raw, &geometry, geojson.UnmarshalFeature)
		if err != nil {
			return nil, err
		}
		if f.Geometry, err = readGeometry(geometry); err != nil {
			return nil, err
		}
		all.Features[i] = f
	}
	return all, nil
}

// featureCount counts the features before any is read: each costs far more than it is long.
var featureCount = jsonapi.NewMembers(jsonapi.Field[int]{Name: "features", Read: func(d *jsonapi.Decoder, n *int) {
	d.Array(func() {
		*n++
		d.Skip()
	})
}})

// without reads an object but for one member, which goes into apart.
func without[T any](name string, object []byte, apart any, read func([]byte) (T, error)) (v T, err error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(object, &members); err != nil {
		return v, err
	}
	if raw := members[name]; !isNull(raw) {
		if err := json.Unmarshal(raw, apart); err != nil {
			return v, err
		}
	}
	delete(members, name)
	rest, err := json.Marshal(members)
	if err != nil {
		return v, err
	}
	return read(rest)
}

// readGeometry reads a geometry, nil if it says of no place where it is. A geometry collection is not read, which no
// known feature has: the library reads all of it again on every level, and panics on a null in it.
func readGeometry(raw json.RawMessage) (orb.Geometry, error) {
	if isNull(raw) {
		return nil, nil
	}
	var g struct {
		Type        string          `json:"type"`
		Coordinates json.RawMessage `json:"coordinates"`
	}
	if err := json.Unmarshal(raw, &g); err != nil {
		return nil, err
	}
	if isNull(g.Coordinates) || g.Type == (orb.Collection{}).GeoJSONType() {
		return nil, nil
	}
	raw, err := json.Marshal(g) // and nothing else: "geometries" would be read whatever the type
	if err != nil {
		return nil, err
	}
	geometry, err := geojson.UnmarshalGeometry(raw)
	if err != nil {
		return nil, err
	}
	points := make([][2]*float64, 1) // pointers, because the library takes what is missing for 0
	switch geometry.Coordinates.(type) {
	case orb.Point:
		err = json.Unmarshal(g.Coordinates, &points[0])
	case orb.LineString:
		err = json.Unmarshal(g.Coordinates, &points)
	default:
		return geometry.Coordinates, nil
	}
	if len(points) == 0 || slices.ContainsFunc(points, func(p [2]*float64) bool { return p[0] == nil || p[1] == nil }) {
		return nil, err
	}
	return geometry.Coordinates, err
}

// isNull: null, or not there.
func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// add files a feature under its kind; false if it has none.
func (m *ContainerMap) add(f *geojson.Feature, o jsonapi.Options) (known bool, err error) {
	point, isPoint := f.Geometry.(orb.Point)
	line, isLine := f.Geometry.(orb.LineString)
	switch kind := featureType(f); {
	case kind == MapFeaturePort && isPoint:
		p := &MapPort{Feature: f, Point: point}
		m.ports = append(m.ports, p)
		err = readProperties(f, mapPortMembers, p, o)
		pairZone(p.TimeZone, &p.InboundETA, &p.InboundATA, &p.OutboundETD, &p.OutboundATD)
	case kind == MapFeatureCurrentVessel && isPoint:
		v := &MapVessel{Feature: f, Point: point}
		m.vessel = v
		err = readProperties(f, mapVesselMembers, v, o)
		pairZone(v.Departure.TimeZone, &v.Departure.At)
		pairZone(v.Arrival.TimeZone, &v.Arrival.At)
	case kind == MapFeaturePastVesselLocations && isLine:
		p := &MapPastLocations{Feature: f, Line: line}
		m.past = append(m.past, p)
		err = readProperties(f, mapPastMembers, p, o)
	case kind == MapFeatureEstimatedFullLegs && isLine:
		l := &MapLeg{Feature: f, Line: line}
		m.legs = append(m.legs, l)
		err = readProperties(f, mapLegMembers, l, o)
	case kind == MapFeatureEstimatedPartialLeg && isLine:
		m.partial = &MapLeg{Feature: f, Line: line}
		err = readProperties(f, mapLegMembers, m.partial, o)
	default:
		return false, nil
	}
	return true, err
}

// pairZones gives the times of a way to the ports at its ends, whose zones the port features tell.
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
