package terminal49

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// MapFeatureKind is what a [MapFeature] shows.
type MapFeatureKind string

// The kinds of features.
const (
	MapPort          MapFeatureKind = "port"                  // a port of the voyage
	MapVessel        MapFeatureKind = "current_vessel"        // a vessel at sea that carries the container
	MapPastLocations MapFeatureKind = "past_vessel_locations" // the route of a vessel on one leg so far
	MapLeg           MapFeatureKind = "estimated_full_legs"   // the estimated route of one leg that has not begun
	MapPartialLeg    MapFeatureKind = "estimated_partial_leg" // that of the rest of the current leg
)

// Known reports whether k is one of the constants of this version. Unknown values are kept
// unchanged.
func (k MapFeatureKind) Known() bool { return k.onePoint() || k.line() }

func (k MapFeatureKind) onePoint() bool { return k == MapPort || k == MapVessel }

func (k MapFeatureKind) line() bool {
	return k == MapPastLocations || k == MapLeg || k == MapPartialLeg
}

// MapFeature is a feature on a [ContainerMap]. Kind determines which of its fields are set.
type MapFeature struct {
	raw   *json.RawMessage // a pointer, so that fmt does not print the bytes
	known bool             // whether it has the geometry of its kind

	Kind          MapFeatureKind // feature_type; "" if there is none
	Coordinates   Coordinates    // geometry of a port or vessel
	Line          MapLine        // geometry of a route or leg: simplified
	PointCount    int            // point_count: before simplification, so often more than in Line
	PortsSequence int            // ports_sequence: of the port, from 1, the port of lading, or of the departure port
	Name          string         // name or vessel_name: of a port or vessel
	VesselID      string         // vessel_id: of a vessel or past route

	// Of a port.
	PortsTotal   int    // ports_total: the PortsSequence of the port of discharge
	LocationID   string // location_id: a port id, as required by VesselLeg
	LocationType string // location_type: "Port"
	StateAbbr    string // state_abbr
	State        string // state
	CountryCode  string // country_code: two letters
	Country      string // country: its name
	TimeZone     string // time_zone: IANA name
	Label        string // label: "POL", "POD" or, for transshipments, "TS1", "TS2" and so on
	OutboundETD  Time   // outbound_etd_at: zone TimeZone
	UpdatedAt    Time   // updated_at, UTC

	// Of a port, in TimeZone, or of a past route, in the zone of the port at that end.
	InboundETA  Time // inbound_eta_at
	InboundATA  Time // inbound_ata_at
	OutboundATD Time // outbound_atd_at

	// Of a vessel.
	IMO          string       // vessel_imo
	VoyageNumber string       // voyage_number: "" if unknown
	SeenAt       Time         // vessel_location_timestamp, UTC
	Heading      Opt[float64] // vessel_location_heading: degrees, 0 is north, 90 is east
	SpeedKnots   Opt[float64] // vessel_location_speed
	Departure    MapPortOfLeg // departure_port_*; At is the actual time of departure
	Arrival      MapPortOfLeg // arrival_port_*; At is the estimated time of arrival

	// Of a past route.
	Start Time // start_time, UTC
	End   Time // end_time, UTC; may be in the future while the vessel is at sea

	// Of a leg.
	PreviousPortID string // previous_port_id, or current_port_id of a current leg: the departure port
	NextPortID     string // next_port_id: the arrival port
}

// MapPortOfLeg is the port at one end of the leg of a vessel on a map. Its fields are empty if the
// port is unknown.
type MapPortOfLeg struct {
	ID          string // _id
	Name        string // _name
	StateAbbr   string // _state_abbr
	State       string // _state
	CountryCode string // _country_code: two letters
	Country     string // _country: its name
	Label       string // _label, such as "POD"
	At          Time   // departure_port_atd or arrival_port_eta: zone TimeZone
	TimeZone    string // _time_zone: IANA name
}

// Raw returns the GeoJSON feature as the service sent it, including members unknown to this
// version. It is nil for a feature that did not come from the service.
func (f *MapFeature) Raw() json.RawMessage {
	if f.raw == nil {
		return nil
	}
	return *f.raw
}

// typed returns a feature with its properties, if it has the geometry of its kind.
func (c *featureCollection) typed(sent *geoFeature) (*MapFeature, error) {
	if sent.err != nil {
		return nil, sent.err
	}
	raw := sent.raw
	f := &MapFeature{raw: &raw, Kind: MapFeatureKind(sent.featureType)}
	switch {
	case f.Kind.onePoint() && sent.point != nil:
		f.Coordinates = sent.point[0]
	case f.Kind.line() && sent.line != nil:
		f.Line = sent.line
	default:
		return f, nil
	}
	f.known = true
	err := jsonapi.DecodeObject(sent.properties, jsonapi.Ref{Type: sent.featureType}, c.table, f, c.options)
	pairZone(f.Departure.TimeZone, &f.Departure.At)
	pairZone(f.Arrival.TimeZone, &f.Arrival.At)
	if f.Kind == MapPort {
		pairZone(f.TimeZone, &f.InboundETA, &f.InboundATA, &f.OutboundETD, &f.OutboundATD)
	}
	return f, err
}

func (f *MapFeature) members(m *jsonapi.Members) {
	m.Add("feature_type", nil)
	m.Add("ports_sequence", &f.PortsSequence)
	m.Add("ports_total", &f.PortsTotal)
	m.Add("location_id", &f.LocationID)
	m.Add("location_type", &f.LocationType)
	m.Add("name", &f.Name)
	m.Add("state_abbr", &f.StateAbbr)
	m.Add("state", &f.State)
	m.Add("country_code", &f.CountryCode)
	m.Add("country", &f.Country)
	m.Add("time_zone", &f.TimeZone)
	m.Add("label", &f.Label)
	m.Add("inbound_eta_at", &f.InboundETA)
	m.Add("inbound_ata_at", &f.InboundATA)
	m.Add("outbound_etd_at", &f.OutboundETD)
	m.Add("outbound_atd_at", &f.OutboundATD)
	m.Add("updated_at", &f.UpdatedAt)
	m.Add("vessel_id", &f.VesselID)
	m.Add("vessel_name", &f.Name)
	m.Add("vessel_imo", &f.IMO)
	m.Add("voyage_number", &f.VoyageNumber)
	m.Add("vessel_location_timestamp", &f.SeenAt)
	m.Add("vessel_location_heading", &f.Heading)
	m.Add("vessel_location_speed", &f.SpeedKnots)
	f.Departure.members(m, "departure_port_", "atd")
	f.Arrival.members(m, "arrival_port_", "eta")
	m.Add("start_time", &f.Start)
	m.Add("end_time", &f.End)
	m.Add("point_count", &f.PointCount)
	m.Add("previous_port_id", &f.PreviousPortID)
	m.Add("current_port_id", &f.PreviousPortID)
	m.Add("next_port_id", &f.NextPortID)
}

// members adds the members of the port at one end of a vessel's leg.
func (p *MapPortOfLeg) members(m *jsonapi.Members, prefix, suffix string) {
	m.Add(prefix+"id", &p.ID)
	m.Add(prefix+"name", &p.Name)
	m.Add(prefix+"state_abbr", &p.StateAbbr)
	m.Add(prefix+"state", &p.State)
	m.Add(prefix+"country_code", &p.CountryCode)
	m.Add(prefix+"country", &p.Country)
	m.Add(prefix+"label", &p.Label)
	m.Add(prefix+suffix, &p.At)
	m.Add(prefix+"time_zone", &p.TimeZone)
}

// featureCollection is a GeoJSON feature collection that is being read.
type featureCollection struct {
	options  jsonapi.Options
	table    jsonapi.Table // of the properties; made for each map, so that only programs that read maps link it
	member   string        // path of the member being read, for warnings
	kind     string
	features []*MapFeature
	count    int   // of all features, including null
	err      error // the first violation of GeoJSON
}

// named returns options whose warnings name the member being read.
func (c *featureCollection) named(o jsonapi.Options) jsonapi.Options {
	report := o.Report
	if report == nil {
		return o
	}
	o.Report = func(w jsonapi.Warning) {
		w.Field = cmp.Or(w.Field, c.member)
		report(w)
	}
	return o
}

func (c *featureCollection) read(d *jsonapi.Decoder) {
	d.Object(func(key []byte) {
		switch string(key) {
		case "type":
			c.member = "type"
			c.kind = readShortText(d)
		case "features":
			c.readFeatures(d)
		case "bbox":
			d.Skip()
		default:
			d.Unknown(key)
		}
	})
}

// readShortText returns a copy of its own, because a chunk for many strings would be wasted on a
// few short ones.
func readShortText(d *jsonapi.Decoder) string {
	b, _ := d.Bytes()
	return string(b)
}

func (c *featureCollection) readFeatures(d *jsonapi.Decoder) {
	c.member, c.features, c.count, c.err = "features", nil, 0, nil
	if d.Null() {
		return
	}
	if isList := d.Array(func() { c.readFeature(d) }); !isList && c.err == nil {
		c.err = errors.New("its features are not a list")
	}
}

func (c *featureCollection) readFeature(d *jsonapi.Decoder) {
	raw := d.Raw()
	c.count++
	switch {
	case c.err != nil:
		return
	case c.count > maxFeatures:
		c.err = fmt.Errorf("it has more than %d features", maxFeatures)
		return
	case isNull(raw):
		return
	}
	c.member = "features"
	f := geoFeature{raw: raw, member: &c.member}
	d.Again(raw, func() { f.read(d) })
	if d.Err() != nil {
		return
	}
	feature, err := c.typed(&f)
	if err != nil {
		c.err = fmt.Errorf("feature %d: %w", c.count, err)
		return
	}
	c.features = append(c.features, feature)
}

// isNull reports whether a value is null or missing.
func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// geoFeature is a GeoJSON feature that is being read.
type geoFeature struct {
	raw, geometry, properties json.RawMessage

	member      *string // of the collection
	kind        string
	featureType string
	point       []Coordinates // of length 1; nil unless the geometry is a Point with both coordinates
	line        []Coordinates // nil unless the geometry is a LineString whose points have both coordinates
	err         error
}

func (f *geoFeature) read(d *jsonapi.Decoder) {
	d.Object(func(key []byte) {
		switch string(key) {
		case "type":
			*f.member = "features.type"
			f.kind = readShortText(d)
		case "geometry":
			f.readGeometry(d)
		case "properties":
			f.readProperties(d)
		case "id", "bbox":
			d.Skip()
		default:
			d.UnknownIn("features.", key)
		}
	})
	if f.kind != "Feature" {
		f.err = errors.New("it is not a feature")
	}
}

// readProperties reads the type of the feature, which determines how the rest is read.
func (f *geoFeature) readProperties(d *jsonapi.Decoder) {
	*f.member, f.featureType, f.properties = "features.properties", "", d.Raw()
	if isNull(f.properties) {
		return
	}
	d.Again(f.properties, func() {
		if !d.Object(func(key []byte) {
			if string(key) == "feature_type" {
				*f.member = "features.properties.feature_type"
				f.featureType = readShortText(d)
				return
			}
			d.Skip()
		}) {
			f.err = errors.New("its properties are not an object")
		}
	})
}

// readGeometry reads the geometries of the service's features. It does not read others, so they
// cost nothing.
func (f *geoFeature) readGeometry(d *jsonapi.Decoder) {
	*f.member, f.geometry, f.point, f.line = "features.geometry", d.Raw(), nil, nil
	if isNull(f.geometry) {
		return
	}
	var kind string
	var coordinates json.RawMessage
	d.Again(f.geometry, func() {
		if !d.Object(func(key []byte) {
			switch string(key) {
			case "type":
				*f.member = "features.geometry.type"
				kind = readShortText(d)
			case "coordinates":
				coordinates = d.Raw()
			case "bbox", "geometries":
				d.Skip()
			default:
				d.UnknownIn("features.geometry.", key)
			}
		}) {
			f.err = errors.New("its geometry is not an object")
		}
	})
	if isNull(coordinates) {
		return
	}
	*f.member = "features.geometry.coordinates"
	var p positionReader
	switch kind {
	case "Point":
		d.Again(coordinates, func() { p.readPosition(d) })
		f.point = p.complete()
	case "LineString":
		d.Again(coordinates, func() { p.readLine(d) })
		f.line = p.complete()
	}
	f.err = cmp.Or(f.err, p.err)
}

// positionReader reads positions.
type positionReader struct {
	list []Coordinates
	gap  bool // a position lacks a coordinate, or has one outside the earth
	err  error
}

// complete returns the positions, or nil if one of them is unknown, because a guessed position
// would be wrong.
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

// mostDegrees are the limits of the coordinates, in the order of a position.
var mostDegrees = [...]float64{maxLongitude, maxLatitude}

// readPosition reads longitude and latitude, in this order, and ignores an altitude after them.
func (p *positionReader) readPosition(d *jsonapi.Decoder) {
	if d.Null() {
		p.gap = true
		return
	}
	var degrees [2]float64
	read, n := 0, 0
	if !d.Elements(func() {
		if n >= len(degrees) {
			d.Skip()
		} else if !d.Null() {
			value, ok, outside := d.Degrees(mostDegrees[n])
			if degrees[n] = value; ok {
				read++
			} else if !outside {
				p.err = errCoordinates
			}
		}
		n++
	}) {
		p.err = errCoordinates
	}
	p.gap = p.gap || read < len(degrees)
	p.list = append(p.list, Coordinates{Longitude: degrees[0], Latitude: degrees[1]})
}
