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
	m, err = readMap(result.Body, jsonapi.Options{Strict: made.strict, Report: report.add})
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

// maxMap is the default limit of the body of a map. maxFeatures limits its features, because in a
// hostile body a feature of a few bytes takes far more memory.
const (
	maxMap      = 2 << 20
	maxFeatures = 10_000
)

// readMap reads a GeoJSON feature collection.
func readMap(body []byte, o jsonapi.Options) (*ContainerMap, error) {
	m := &ContainerMap{raw: bytes.Clone(body)} // the features keep parts of it
	c := featureCollection{options: o, tables: newMapTables()}
	d := jsonapi.NewDecoder(m.raw, "", nil).Strictly(c.named(o))
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
