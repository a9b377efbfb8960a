package terminal49

import (
	"encoding/json"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// The types of features, the property feature_type.
const (
	featurePort       = "port"
	featureVessel     = "current_vessel"
	featurePast       = "past_vessel_locations"
	featureFullLegs   = "estimated_full_legs" // one leg, despite the plural
	featurePartialLeg = "estimated_partial_leg"
)

// mapFeature is a feature on a [ContainerMap]: a *[MapPort], *[MapVessel], *[MapPastLocations],
// *[MapLeg] or *[UnknownMapFeature].
type mapFeature interface {
	Raw() json.RawMessage // the GeoJSON feature as the service sent it
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
	Line MapLine // geometry: simplified

	PortsSequence int    // ports_sequence: of the departure port
	VesselID      string // vessel_id
	Start         Time   // start_time, UTC
	End           Time   // end_time, UTC; may be in the future while the vessel is at sea
	PointCount    int    // point_count: before simplification, so often more than in Line
	OutboundATD   Time   // outbound_atd_at: zone of the departure port
	InboundATA    Time   // inbound_ata_at: zone of the arrival port
	InboundETA    Time   // inbound_eta_at: zone of the arrival port
}

// MapLeg is the estimated route of a vessel: a future leg, or the rest of the current leg.
type MapLeg struct {
	sentFeature
	Line MapLine // geometry: simplified

	Partial        bool   // feature_type: whether it is the rest of the current leg
	PortsSequence  int    // ports_sequence: of the departure port
	PreviousPortID string // previous_port_id, or current_port_id of a current leg: the departure port
	NextPortID     string // next_port_id: the arrival port
	PointCount     int    // point_count: before simplification, so often more than in Line
}

// UnknownMapFeature is a feature of a type unknown to this version, or without the geometry of its
// type, such as a port without coordinates or with one outside the earth. It keeps what was sent.
type UnknownMapFeature struct {
	sentFeature
	Type       string          // feature_type: "" if there is none
	Geometry   json.RawMessage // nil or null if there is none
	Properties json.RawMessage // nil or null if there are none
}

// mapTables are the tables of the features' properties. They are made for each map instead of being
// package variables, so that only programs that read maps link them.
type mapTables struct {
	port   jsonapi.Table
	vessel jsonapi.Table
	past   jsonapi.Table
	leg    jsonapi.Table
}

func newMapTables() *mapTables {
	return &mapTables{
		jsonapi.NewTable(model{}, new(MapPort)), jsonapi.NewTable(model{}, new(MapVessel)),
		jsonapi.NewTable(model{}, new(MapPastLocations)), jsonapi.NewTable(model{}, new(MapLeg)),
	}
}

// typed returns a feature as a value of its type.
func (c *featureCollection) typed(f *geoFeature) (mapFeature, error) {
	if f.err != nil {
		return nil, f.err
	}
	raw := f.raw
	sent := sentFeature{&raw}
	switch kind := f.featureType; {
	case kind == featurePort && f.point != nil:
		p := &MapPort{sentFeature: sent, Coordinates: f.point[0]}
		err := readProperties(f, c.tables.port, p, c.options)
		pairZone(p.TimeZone, &p.InboundETA, &p.InboundATA, &p.OutboundETD, &p.OutboundATD)
		return p, err
	case kind == featureVessel && f.point != nil:
		v := &MapVessel{sentFeature: sent, Coordinates: f.point[0]}
		err := readProperties(f, c.tables.vessel, v, c.options)
		pairZone(v.Departure.TimeZone, &v.Departure.At)
		pairZone(v.Arrival.TimeZone, &v.Arrival.At)
		return v, err
	case kind == featurePast && f.line != nil:
		p := &MapPastLocations{sentFeature: sent, Line: f.line}
		return p, readProperties(f, c.tables.past, p, c.options)
	case (kind == featureFullLegs || kind == featurePartialLeg) && f.line != nil:
		l := &MapLeg{sentFeature: sent, Line: f.line, Partial: kind == featurePartialLeg}
		return l, readProperties(f, c.tables.leg, l, c.options)
	default:
		return &UnknownMapFeature{sentFeature: sent, Type: kind, Geometry: f.geometry, Properties: f.properties}, nil
	}
}

// readProperties reads the properties of a feature into v.
func readProperties(f *geoFeature, members jsonapi.Table, v any, o jsonapi.Options) error {
	return jsonapi.DecodeObject(f.properties, jsonapi.Ref{Type: f.featureType}, members, v, o)
}

func (p *MapPort) members(m *jsonapi.Members) {
	m.Add("feature_type", nil)
	m.Add("ports_sequence", &p.PortsSequence)
	m.Add("ports_total", &p.PortsTotal)
	m.Add("location_id", &p.LocationID)
	m.Add("location_type", &p.LocationType)
	m.Add("name", &p.Name)
	m.Add("state_abbr", &p.StateAbbr)
	m.Add("state", &p.State)
	m.Add("country_code", &p.CountryCode)
	m.Add("country", &p.Country)
	m.Add("time_zone", &p.TimeZone)
	m.Add("label", &p.Label)
	m.Add("inbound_eta_at", &p.InboundETA)
	m.Add("inbound_ata_at", &p.InboundATA)
	m.Add("outbound_etd_at", &p.OutboundETD)
	m.Add("outbound_atd_at", &p.OutboundATD)
	m.Add("updated_at", &p.UpdatedAt)
}

func (v *MapVessel) members(m *jsonapi.Members) {
	m.Add("feature_type", nil)
	m.Add("ports_sequence", &v.PortsSequence)
	m.Add("vessel_id", &v.VesselID)
	m.Add("vessel_name", &v.Name)
	m.Add("vessel_imo", &v.IMO)
	m.Add("voyage_number", &v.VoyageNumber)
	m.Add("vessel_location_timestamp", &v.SeenAt)
	m.Add("vessel_location_heading", &v.Heading)
	m.Add("vessel_location_speed", &v.SpeedKnots)
	v.Departure.members(m, "departure_port_", "atd")
	v.Arrival.members(m, "arrival_port_", "eta")
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

func (p *MapPastLocations) members(m *jsonapi.Members) {
	m.Add("feature_type", nil)
	m.Add("ports_sequence", &p.PortsSequence)
	m.Add("vessel_id", &p.VesselID)
	m.Add("start_time", &p.Start)
	m.Add("end_time", &p.End)
	m.Add("point_count", &p.PointCount)
	m.Add("outbound_atd_at", &p.OutboundATD)
	m.Add("inbound_ata_at", &p.InboundATA)
	m.Add("inbound_eta_at", &p.InboundETA)
}

func (l *MapLeg) members(m *jsonapi.Members) {
	m.Add("feature_type", nil)
	m.Add("ports_sequence", &l.PortsSequence)
	m.Add("previous_port_id", &l.PreviousPortID)
	m.Add("current_port_id", &l.PreviousPortID)
	m.Add("next_port_id", &l.NextPortID)
	m.Add("point_count", &l.PointCount)
}
