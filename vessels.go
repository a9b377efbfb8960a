package terminal49

import "github.com/go-freight/terminal49/internal/jsonapi"

// Vessel is a ship. Position and speed may need the Routing Data feature.
type Vessel struct {
	Resource

	Name              string       // name
	IMO               string       // imo: "" if unknown
	MMSI              string       // mmsi: "" if unknown
	Latitude          Opt[float64] // latitude: degrees north
	Longitude         Opt[float64] // longitude: degrees east
	SpeedKnots        Opt[float64] // nautical_speed_knots
	HeadingDegrees    Opt[float64] // navigational_heading_degrees: 0 is north, 90 is east
	PositionTimestamp Time         // position_timestamp, UTC
	Positions         []Position   // positions: nil unless asked for
}

// Position is where a vessel was, or is expected to be, at a moment.
type Position struct {
	Latitude  Opt[float64] // degrees north
	Longitude Opt[float64] // degrees east
	Heading   Opt[float64] // degrees: 0 is north, 90 is east
	Timestamp Time         // UTC
	Estimated bool         // true for a position that was not measured
}

var vesselTable = jsonapi.NewType(jsonapi.Spec[Vessel]{
	Identify: func(v *Vessel, id jsonapi.Identity) { v.identify(id) },
	Attributes: []jsonapi.Field[Vessel]{
		text("name", func(v *Vessel) *string { return &v.Name }),
		text("imo", func(v *Vessel) *string { return &v.IMO }),
		text("mmsi", func(v *Vessel) *string { return &v.MMSI }),
		optFloat("latitude", func(v *Vessel) *Opt[float64] { return &v.Latitude }),
		optFloat("longitude", func(v *Vessel) *Opt[float64] { return &v.Longitude }),
		optFloat("nautical_speed_knots", func(v *Vessel) *Opt[float64] { return &v.SpeedKnots }),
		optFloat("navigational_heading_degrees", func(v *Vessel) *Opt[float64] { return &v.HeadingDegrees }),
		moment("position_timestamp", func(v *Vessel) *Time { return &v.PositionTimestamp }),
		list("positions", positionMembers, func(v *Vessel) *[]Position { return &v.Positions }),
	},
})

var positionMembers = jsonapi.NewMembers(
	optFloat("latitude", func(p *Position) *Opt[float64] { return &p.Latitude }),
	optFloat("longitude", func(p *Position) *Opt[float64] { return &p.Longitude }),
	optFloat("heading", func(p *Position) *Opt[float64] { return &p.Heading }),
	moment("timestamp", func(p *Position) *Time { return &p.Timestamp }),
	flag("estimated", func(p *Position) *bool { return &p.Estimated }),
)
