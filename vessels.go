package terminal49

import (
	"context"
	"math"
	"strconv"
	"time"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// Vessel is a ship. Its current position and speed may be null for an account without the Routing Data feature, and
// are for a vessel that has not been seen.
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

// VesselGetParams says which of a vessel's positions come along. The zero value, like nil, asks for none: Vessel has the
// latest one anyway.
type VesselGetParams struct {
	// PositionsFrom and PositionsTo ask for the positions between two moments. With one of them set, the service fills
	// in the other: seven days ago, or now. Positions are a paid feature.
	PositionsFrom, PositionsTo time.Time
}

// VesselLeg is the part of a voyage that future positions are asked for. Both ports are needed. They are ids, such as
// the LocationID of a [MapPort]; a UN/LOCODE will not do.
type VesselLeg struct {
	PreviousPortID string // the port the vessel comes from
	PortID         string // the port it is bound for
}

// Coordinates are a place on the earth.
type Coordinates struct {
	Latitude  float64 // degrees north, -90 to 90
	Longitude float64 // degrees east, -180 to 180
}

// VesselsService reads vessels and their positions.
type VesselsService service

// Get returns one vessel by its id. With params it has the Positions asked for, which needs the Routing Data feature.
//
// API: GET /vessels/{id}. Errors: ErrFeatureNotEnabled, ErrNotFound.
func (s *VesselsService) Get(ctx context.Context, id string, params *VesselGetParams, opts ...CallOption) (*Vessel, error) {
	arg := uuidArg(id).hint("for an IMO number there is GetByIMO")
	return fetchOne[Vessel](ctx, s.client, newEndpoint(operation.VesselsGet, arg).with(params), opts)
}

// GetByIMO returns one vessel by its IMO number, seven digits. It is otherwise like Get.
//
// API: GET /vessels/{imo}. Errors: ErrFeatureNotEnabled, ErrNotFound.
func (s *VesselsService) GetByIMO(ctx context.Context, imo string, params *VesselGetParams, opts ...CallOption) (*Vessel, error) {
	return fetchOne[Vessel](ctx, s.client, newEndpoint(operation.VesselsGetByIMO, imoArg(imo)).with(params), opts)
}

// FuturePositions returns a vessel with the Positions it is expected to have on a leg of its voyage, one a minute: a
// fortnight at sea is some twenty thousand.
//
// API: GET /vessels/{id}/future_positions. Errors: ErrFeatureNotEnabled, ErrNotFound.
func (s *VesselsService) FuturePositions(ctx context.Context, id string, leg VesselLeg, opts ...CallOption) (*Vessel, error) {
	e := newEndpoint(operation.VesselsFuturePositions, uuidArg(id)).with(&leg)
	return fetchOne[Vessel](ctx, s.client, e, opts)
}

// FuturePositionsFrom is FuturePositions counted from a place you name rather than from where the service last saw the
// vessel.
//
// API: GET /vessels/{id}/future_positions_with_coordinates. Errors: ErrFeatureNotEnabled,
// ErrNotFound.
func (s *VesselsService) FuturePositionsFrom(ctx context.Context, id string, leg VesselLeg, from Coordinates, opts ...CallOption) (*Vessel, error) {
	e := newEndpoint(operation.VesselsFuturePositionsWithCoordinates, uuidArg(id))
	return fetchOne[Vessel](ctx, s.client, e.with(&legFrom{leg, from}), opts)
}

// imoLength is the length of an IMO number.
const imoLength = 7

func imoArg(imo string) argument {
	a := argument{name: "imo", value: imo}
	if _, err := strconv.ParseUint(imo, 10, 32); err != nil || len(imo) != imoLength {
		a.problem = `must be seven digits such as "9811000", without "IMO" in front`
	}
	return a
}

func (p *VesselGetParams) query(q *query) {
	if !p.PositionsTo.IsZero() && p.PositionsTo.Before(p.PositionsFrom) {
		q.reject("PositionsTo", "must not be before PositionsFrom")
	}
	q.setTime("show_positions[from_timestamp]", p.PositionsFrom)
	q.setTime("show_positions[to_timestamp]", p.PositionsTo)
}

func (l *VesselLeg) query(q *query) {
	for _, port := range []argument{uuidArg(l.PortID).named("PortID"), uuidArg(l.PreviousPortID).named("PreviousPortID")} {
		if port.problem != "" {
			q.reject(port.name, port.problem)
		}
	}
	q.setText("port_id", l.PortID)
	q.setText("previous_port_id", l.PreviousPortID)
}

// legFrom is the query of FuturePositionsFrom.
type legFrom struct {
	VesselLeg
	from Coordinates
}

func (l *legFrom) query(q *query) {
	l.VesselLeg.query(q)
	degrees := func(name, field string, value, most float64) {
		if !(math.Abs(value) <= most) { // false for NaN too
			q.reject(field, "must be degrees from -"+strconv.Itoa(int(most))+" to "+strconv.Itoa(int(most)))
		}
		q.setText(name, strconv.FormatFloat(value, 'f', -1, 64))
	}
	degrees("latitude", "Latitude", l.from.Latitude, 90)
	degrees("longitude", "Longitude", l.from.Longitude, 180)
}

func (*Vessel) table() *jsonapi.Type[Vessel] { return vesselTable }

var vesselTable = jsonapi.NewType(jsonapi.Spec[Vessel]{
	Identify: func(v *Vessel, id jsonapi.Identity) { v.identify(id) },
	Attributes: []jsonapi.Field[Vessel]{
		textField("name", func(v *Vessel) *string { return &v.Name }),
		textField("imo", func(v *Vessel) *string { return &v.IMO }),
		textField("mmsi", func(v *Vessel) *string { return &v.MMSI }),
		optFloatField("latitude", func(v *Vessel) *Opt[float64] { return &v.Latitude }),
		optFloatField("longitude", func(v *Vessel) *Opt[float64] { return &v.Longitude }),
		optFloatField("nautical_speed_knots", func(v *Vessel) *Opt[float64] { return &v.SpeedKnots }),
		optFloatField("navigational_heading_degrees", func(v *Vessel) *Opt[float64] { return &v.HeadingDegrees }),
		timeField("position_timestamp", func(v *Vessel) *Time { return &v.PositionTimestamp }),
		listField("positions", positionMembers, func(v *Vessel) *[]Position { return &v.Positions }),
	},
})

var positionMembers = jsonapi.NewMembers(
	optFloatField("latitude", func(p *Position) *Opt[float64] { return &p.Latitude }),
	optFloatField("longitude", func(p *Position) *Opt[float64] { return &p.Longitude }),
	optFloatField("heading", func(p *Position) *Opt[float64] { return &p.Heading }),
	timeField("timestamp", func(p *Position) *Time { return &p.Timestamp }),
	boolField("estimated", func(p *Position) *bool { return &p.Estimated }),
)
