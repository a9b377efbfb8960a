package terminal49

import (
	"context"
	"math"
	"strconv"
	"time"

	"github.com/go-freight/terminal49/internal/operation"
)

// Vessel is a ship. Its position and speed are null if the vessel has not been located, and may be
// null if the account does not have the Routing Data feature. A coordinate outside the earth, such
// as a ship's 181 for an unknown place, is missing: see [Hooks].OnDecodeWarning.
//
//t49:resource vessel
type Vessel struct {
	Resource

	Name              string           `t49:"name"`
	IMO               string           `t49:"imo"`                          // "" if unknown
	MMSI              string           `t49:"mmsi"`                         // "" if unknown
	Latitude          Opt[float64]     `t49:"latitude,read=readLatitude"`   // degrees north
	Longitude         Opt[float64]     `t49:"longitude,read=readLongitude"` // degrees east
	SpeedKnots        Opt[float64]     `t49:"nautical_speed_knots"`
	HeadingDegrees    Opt[float64]     `t49:"navigational_heading_degrees"` // 0 is north, 90 is east
	PositionTimestamp Time             `t49:"position_timestamp"`           // UTC
	Positions         []VesselPosition `t49:"positions"`                    // nil unless requested
}

// VesselPosition is the actual or predicted position of a vessel at one time.
type VesselPosition struct {
	Latitude  Opt[float64] `t49:"latitude,read=readLatitude"`   // degrees north
	Longitude Opt[float64] `t49:"longitude,read=readLongitude"` // degrees east
	Heading   Opt[float64] `t49:"heading"`                      // degrees: 0 is north, 90 is east
	Timestamp Time         `t49:"timestamp"`                    // UTC
	Estimated bool         `t49:"estimated"`                    // whether the position was calculated rather than measured
}

// VesselGetParams selects the positions to return with a vessel. Nil and the zero value select
// none; the latest is in the fields of Vessel in any case.
type VesselGetParams struct {
	// PositionsFrom and PositionsTo select the positions between two times. If only one of them is
	// set, the other defaults to seven days ago or now. Positions are a paid feature.
	PositionsFrom, PositionsTo time.Time
}

// VesselLeg is the leg of a voyage for which positions are predicted. Both ports are required. They
// are ids, such as the LocationID of a port on a map, not UN/LOCODEs.
type VesselLeg struct {
	PreviousPortID string // the port that the vessel departed from
	NextPortID     string // the port that it is bound for
}

// Coordinates are a location on the earth.
type Coordinates struct {
	Latitude  float64 // degrees north, -90 to 90
	Longitude float64 // degrees east, -180 to 180
}

// VesselsService reads vessels and their positions.
type VesselsService service

// Get returns one vessel by its id, with the Positions that params select. Positions need the
// Routing Data feature.
//
// API: GET /vessels/{id}. Errors: ErrFeatureNotEnabled, ErrNotFound.
func (s *VesselsService) Get(ctx context.Context, id string, params *VesselGetParams, opts ...CallOption) (*Vessel, error) {
	arg := uuidArg(id).hint("use GetByIMO for an IMO number")
	return fetchOne[Vessel](ctx, s.client, newEndpoint(operation.VesselsGet, arg).with(params), opts)
}

// GetByIMO is like Get, but takes the IMO number of the vessel, seven digits.
//
// API: GET /vessels/{imo}. Errors: ErrFeatureNotEnabled, ErrNotFound.
func (s *VesselsService) GetByIMO(ctx context.Context, imo string, params *VesselGetParams, opts ...CallOption) (*Vessel, error) {
	return fetchOne[Vessel](ctx, s.client, newEndpoint(operation.VesselsGetByIMO, imoArg(imo)).with(params), opts)
}

// FuturePositions returns a vessel with its predicted Positions on a leg of its voyage, one per
// minute. Two weeks at sea are about 20,000 positions.
//
// API: GET /vessels/{id}/future_positions. Errors: ErrFeatureNotEnabled, ErrNotFound.
func (s *VesselsService) FuturePositions(ctx context.Context, id string, leg VesselLeg, opts ...CallOption) (*Vessel, error) {
	e := newEndpoint(operation.VesselsFuturePositions, uuidArg(id)).with(&leg)
	return fetchOne[Vessel](ctx, s.client, e, opts)
}

// FuturePositionsFrom is like FuturePositions, but predicts from the given location instead of the
// last known position of the vessel.
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
		a.problem = `must be seven digits, such as "9811000", without the prefix "IMO"`
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
	for _, port := range []argument{uuidArg(l.NextPortID).named("NextPortID"), uuidArg(l.PreviousPortID).named("PreviousPortID")} {
		if port.problem != "" {
			q.reject(port.name, port.problem)
		}
	}
	q.setText("port_id", l.NextPortID)
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
	degrees("latitude", "Latitude", l.from.Latitude, maxLatitude)
	degrees("longitude", "Longitude", l.from.Longitude, maxLongitude)
}
