package terminal49

import (
	"encoding/json"
	"slices"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// MapFeatureType is the type of a feature on a [ContainerMap], its property feature_type.
type MapFeatureType string

// The values of MapFeatureType.
const (
	MapFeaturePort                MapFeatureType = "port"
	MapFeatureCurrentVessel       MapFeatureType = "current_vessel"
	MapFeaturePastVesselLocations MapFeatureType = "past_vessel_locations"
	MapFeatureEstimatedFullLegs   MapFeatureType = "estimated_full_legs" // one leg, despite the plural
	MapFeatureEstimatedPartialLeg MapFeatureType = "estimated_partial_leg"
)

var mapFeatureTypes = []MapFeatureType{
	MapFeaturePort, MapFeatureCurrentVessel, MapFeaturePastVesselLocations, MapFeatureEstimatedFullLegs,
	MapFeatureEstimatedPartialLeg,
}

// Known reports whether t is one of the constants of this version. Unknown values are kept
// unchanged.
func (t MapFeatureType) Known() bool { return isKnown(t, mapFeatureTypes) }

// MapFeature is a feature on a [ContainerMap]: a *[MapPort], *[MapVessel], *[MapPastLocations],
// *[MapLeg] or *[UnknownMapFeature].
type MapFeature interface {
	FeatureType() MapFeatureType // feature_type
	Raw() json.RawMessage        // the GeoJSON feature as the service sent it
	isMapFeature()
}

// sentFeature is the common part of all features.
type sentFeature struct {
	raw *json.RawMessage // a pointer, so that fmt does not print the bytes
}

// Raw returns the GeoJSON feature as the service sent it, including members unknown to this
// version. It is nil for a feature that did not come from the service.
func (f sentFeature) Raw() json.RawMessage {
	if f.raw == nil {
		return nil
	}
	return *f.raw
}

func (sentFeature) isMapFeature() {}

// MapPort is a port of the voyage.
type MapPort struct {
	sentFeature
	Coordinates Coordinates // geometry

	PortsSequence int    // ports_sequence: from 1, the port of lading, to PortsTotal, the port of discharge
	PortsTotal    int    // ports_total
	LocationID    string // location_id: a port id, as required by VesselLeg
	LocationType  string // location_type: "Port"
	Name          string // name
	StateAbbr     string // state_abbr
	State         string // state
	CountryCode   string // country_code: two letters
	Country       string // country: its name
	TimeZone      string // time_zone: IANA name
	Label         string // label: "POL", "POD" or, for transshipments, "TS1", "TS2" and so on
	InboundETA    Time   // inbound_eta_at: zone TimeZone
	InboundATA    Time   // inbound_ata_at: zone TimeZone
	OutboundETD   Time   // outbound_etd_at: zone TimeZone
	OutboundATD   Time   // outbound_atd_at: zone TimeZone
	UpdatedAt     Time   // updated_at, UTC
}

// FeatureType returns [MapFeaturePort].
func (*MapPort) FeatureType() MapFeatureType { return MapFeaturePort }

// MapVessel is a vessel at sea that carries the container.
type MapVessel struct {
	sentFeature
	Coordinates Coordinates // geometry

	PortsSequence int          // ports_sequence: of the departure port
	VesselID      string       // vessel_id
	Name          string       // vessel_name
	IMO           string       // vessel_imo
	VoyageNumber  string       // voyage_number: "" if unknown
	SeenAt        Time         // vessel_location_timestamp, UTC
	Heading       Opt[float64] // vessel_location_heading: degrees, 0 is north, 90 is east
	SpeedKnots    Opt[float64] // vessel_location_speed
	Departure     MapPortOfLeg // departure_port_*; At is the actual time of departure
	Arrival       MapPortOfLeg // arrival_port_*; At is the estimated time of arrival
}

// FeatureType returns [MapFeatureCurrentVessel].
func (*MapVessel) FeatureType() MapFeatureType { return MapFeatureCurrentVessel }

// MapPortOfLeg is the port at one end of the leg of a [MapVessel]. Its fields are empty if the port
// is unknown.
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

// MapPastLocations is the route of a vessel on one leg so far.
type MapPastLocations struct {
	sentFeature
	Line []Coordinates // geometry: simplified; may cross the 180th meridian, see SplitLine

	PortsSequence int    // ports_sequence: of the departure port
	VesselID      string // vessel_id
	Start         Time   // start_time, UTC
	End           Time   // end_time, UTC; may be in the future while the vessel is at sea
	PointCount    int    // point_count: before simplification, so often more than in Line
	OutboundATD   Time   // outbound_atd_at: zone of the departure port
	InboundATA    Time   // inbound_ata_at: zone of the arrival port
	InboundETA    Time   // inbound_eta_at: zone of the arrival port
}

// FeatureType returns [MapFeaturePastVesselLocations].
func (*MapPastLocations) FeatureType() MapFeatureType { return MapFeaturePastVesselLocations }

// MapLeg is the estimated route of a vessel: a future leg, or the rest of the current leg.
type MapLeg struct {
	sentFeature
	Line []Coordinates // geometry: simplified; may cross the 180th meridian, see SplitLine

	Partial        bool   // feature_type: whether it is the rest of the current leg
	PortsSequence  int    // ports_sequence: of the departure port
	PreviousPortID string // previous_port_id, or current_port_id of a current leg: the departure port
	NextPortID     string // next_port_id: the arrival port
	PointCount     int    // point_count: before simplification, so often more than in Line
}

// FeatureType returns [MapFeatureEstimatedPartialLeg] if Partial is set, and
// [MapFeatureEstimatedFullLegs] otherwise.
func (l *MapLeg) FeatureType() MapFeatureType {
	if l.Partial {
		return MapFeatureEstimatedPartialLeg
	}
	return MapFeatureEstimatedFullLegs
}

// UnknownMapFeature is a feature of a type unknown to this version, or without the geometry of its
// type, such as a port without coordinates. It keeps what was sent.
type UnknownMapFeature struct {
	sentFeature
	Type       MapFeatureType  // feature_type: "" if there is none
	Geometry   json.RawMessage // nil or null if there is none
	Properties json.RawMessage // nil or null if there are none
}

// FeatureType returns Type.
func (f *UnknownMapFeature) FeatureType() MapFeatureType { return f.Type }

// mapTables are the tables of the features' properties. They are made for each map instead of being
// package variables, so that only programs that read maps link them.
type mapTables struct {
	port   *jsonapi.Members[*MapPort]
	vessel *jsonapi.Members[*MapVessel]
	past   *jsonapi.Members[*MapPastLocations]
	leg    *jsonapi.Members[*MapLeg]
}

func newMapTables() *mapTables {
	return &mapTables{mapPortMembers(), mapVesselMembers(), mapPastMembers(), mapLegMembers()}
}

// typed returns a feature as a value of its type.
func (c *featureCollection) typed(f *geoFeature) (MapFeature, error) {
	if f.err != nil {
		return nil, f.err
	}
	raw := f.raw
	sent := sentFeature{&raw}
	switch kind := f.featureType; {
	case kind == MapFeaturePort && f.point != nil:
		p := &MapPort{sentFeature: sent, Coordinates: f.point[0]}
		err := readProperties(f, c.tables.port, p, c.options)
		pairZone(p.TimeZone, &p.InboundETA, &p.InboundATA, &p.OutboundETD, &p.OutboundATD)
		return p, err
	case kind == MapFeatureCurrentVessel && f.point != nil:
		v := &MapVessel{sentFeature: sent, Coordinates: f.point[0]}
		err := readProperties(f, c.tables.vessel, v, c.options)
		pairZone(v.Departure.TimeZone, &v.Departure.At)
		pairZone(v.Arrival.TimeZone, &v.Arrival.At)
		return v, err
	case kind == MapFeaturePastVesselLocations && f.line != nil:
		p := &MapPastLocations{sentFeature: sent, Line: f.line}
		return p, readProperties(f, c.tables.past, p, c.options)
	case (kind == MapFeatureEstimatedFullLegs || kind == MapFeatureEstimatedPartialLeg) && f.line != nil:
		l := &MapLeg{sentFeature: sent, Line: f.line, Partial: kind == MapFeatureEstimatedPartialLeg}
		return l, readProperties(f, c.tables.leg, l, c.options)
	default:
		return &UnknownMapFeature{sentFeature: sent, Type: kind, Geometry: f.geometry, Properties: f.properties}, nil
	}
}

// readProperties reads the properties of a feature into v.
func readProperties[P any](f *geoFeature, members *jsonapi.Members[P], v P, o jsonapi.Options) error {
	return jsonapi.DecodeObject(f.properties, jsonapi.Identity{Type: string(f.featureType)}, members, v, o)
}

//go:noinline
func intField[P any](name string, at func(P) *int) jsonapi.Field[P] {
	return jsonapi.UntypedField[P](name, func(d *jsonapi.Decoder, v any) { *at(v.(P)), _ = d.Int() }, nil)
}

func mapPortMembers() *jsonapi.Members[*MapPort] {
	return jsonapi.NewMembers(
		ignoredField[*MapPort]("feature_type"),
		intField("ports_sequence", func(p *MapPort) *int { return &p.PortsSequence }),
		intField("ports_total", func(p *MapPort) *int { return &p.PortsTotal }),
		textField("location_id", func(p *MapPort) *string { return &p.LocationID }),
		textField("location_type", func(p *MapPort) *string { return &p.LocationType }),
		textField("name", func(p *MapPort) *string { return &p.Name }),
		textField("state_abbr", func(p *MapPort) *string { return &p.StateAbbr }),
		textField("state", func(p *MapPort) *string { return &p.State }),
		textField("country_code", func(p *MapPort) *string { return &p.CountryCode }),
		textField("country", func(p *MapPort) *string { return &p.Country }),
		textField("time_zone", func(p *MapPort) *string { return &p.TimeZone }),
		textField("label", func(p *MapPort) *string { return &p.Label }),
		timeField("inbound_eta_at", func(p *MapPort) *Time { return &p.InboundETA }),
		timeField("inbound_ata_at", func(p *MapPort) *Time { return &p.InboundATA }),
		timeField("outbound_etd_at", func(p *MapPort) *Time { return &p.OutboundETD }),
		timeField("outbound_atd_at", func(p *MapPort) *Time { return &p.OutboundATD }),
		timeField("updated_at", func(p *MapPort) *Time { return &p.UpdatedAt }),
	)
}

func mapVesselMembers() *jsonapi.Members[*MapVessel] {
	return jsonapi.NewMembers(slices.Concat(
		[]jsonapi.Field[*MapVessel]{
			ignoredField[*MapVessel]("feature_type"),
			intField("ports_sequence", func(v *MapVessel) *int { return &v.PortsSequence }),
			textField("vessel_id", func(v *MapVessel) *string { return &v.VesselID }),
			textField("vessel_name", func(v *MapVessel) *string { return &v.Name }),
			textField("vessel_imo", func(v *MapVessel) *string { return &v.IMO }),
			textField("voyage_number", func(v *MapVessel) *string { return &v.VoyageNumber }),
			timeField("vessel_location_timestamp", func(v *MapVessel) *Time { return &v.SeenAt }),
			optFloatField("vessel_location_heading", func(v *MapVessel) *Opt[float64] { return &v.Heading }),
			optFloatField("vessel_location_speed", func(v *MapVessel) *Opt[float64] { return &v.SpeedKnots }),
		},
		portOfLegFields("departure_port_", "atd", func(v *MapVessel) *MapPortOfLeg { return &v.Departure }),
		portOfLegFields("arrival_port_", "eta", func(v *MapVessel) *MapPortOfLeg { return &v.Arrival }),
	)...)
}

// portOfLegFields returns the rows of the port at one end of a vessel's leg.
func portOfLegFields(prefix, suffix string, port func(*MapVessel) *MapPortOfLeg) []jsonapi.Field[*MapVessel] {
	return []jsonapi.Field[*MapVessel]{
		textField(prefix+"id", func(v *MapVessel) *string { return &port(v).ID }),
		textField(prefix+"name", func(v *MapVessel) *string { return &port(v).Name }),
		textField(prefix+"state_abbr", func(v *MapVessel) *string { return &port(v).StateAbbr }),
		textField(prefix+"state", func(v *MapVessel) *string { return &port(v).State }),
		textField(prefix+"country_code", func(v *MapVessel) *string { return &port(v).CountryCode }),
		textField(prefix+"country", func(v *MapVessel) *string { return &port(v).Country }),
		textField(prefix+"label", func(v *MapVessel) *string { return &port(v).Label }),
		timeField(prefix+suffix, func(v *MapVessel) *Time { return &port(v).At }),
		textField(prefix+"time_zone", func(v *MapVessel) *string { return &port(v).TimeZone }),
	}
}

func mapPastMembers() *jsonapi.Members[*MapPastLocations] {
	return jsonapi.NewMembers(
		ignoredField[*MapPastLocations]("feature_type"),
		intField("ports_sequence", func(p *MapPastLocations) *int { return &p.PortsSequence }),
		textField("vessel_id", func(p *MapPastLocations) *string { return &p.VesselID }),
		timeField("start_time", func(p *MapPastLocations) *Time { return &p.Start }),
		timeField("end_time", func(p *MapPastLocations) *Time { return &p.End }),
		intField("point_count", func(p *MapPastLocations) *int { return &p.PointCount }),
		timeField("outbound_atd_at", func(p *MapPastLocations) *Time { return &p.OutboundATD }),
		timeField("inbound_ata_at", func(p *MapPastLocations) *Time { return &p.InboundATA }),
		timeField("inbound_eta_at", func(p *MapPastLocations) *Time { return &p.InboundETA }),
	)
}

func mapLegMembers() *jsonapi.Members[*MapLeg] {
	return jsonapi.NewMembers(
		ignoredField[*MapLeg]("feature_type"),
		intField("ports_sequence", func(l *MapLeg) *int { return &l.PortsSequence }),
		textField("previous_port_id", func(l *MapLeg) *string { return &l.PreviousPortID }),
		textField("current_port_id", func(l *MapLeg) *string { return &l.PreviousPortID }),
		textField("next_port_id", func(l *MapLeg) *string { return &l.NextPortID }),
		intField("point_count", func(l *MapLeg) *int { return &l.PointCount }),
	)
}
