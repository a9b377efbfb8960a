package terminal49

import (
	"encoding/json"

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
