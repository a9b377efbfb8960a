package terminal49test

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// Vessel is a ship. Without Positions, its position follows from the voyage of the shipment that
// departed on it last.
type Vessel struct {
	ID         string         `json:"id,omitzero"` // "" generates one
	Name       string         `json:"name,omitzero"`
	IMO        string         `json:"imo,omitzero"`
	MMSI       string         `json:"mmsi,omitzero"`
	Positions  []Position     `json:"positions,omitzero"` // nil derives them from its voyages; empty means never located
	Attributes map[string]any `json:"attributes,omitzero"`
}

// Position is the position of a vessel at one time.
type Position struct {
	Timestamp  time.Time `json:"timestamp"`
	Latitude   float64   `json:"latitude"`
	Longitude  float64   `json:"longitude"`
	Heading    float64   `json:"heading,omitzero"`              // degrees from north
	SpeedKnots float64   `json:"nautical_speed_knots,omitzero"` // nautical miles per hour
}

// AddVessel adds a vessel and returns its id.
func (s *Server) AddVessel(v Vessel) string {
	return withWorld(s, func(w *world) string {
		v.ID, v.Positions = w.identify(v.ID, "vessel"), slices.Clone(v.Positions)
		w.vessels.Put(v.ID, &v)
		return v.ID
	})
}

// UpdateVessel changes a vessel in place and reports whether the id exists.
func (s *Server) UpdateVessel(id string, change func(*Vessel)) bool {
	change = calling(s, change)
	return withWorld(s, func(w *world) bool { return updateRow(&w.vessels, id, change) })
}

func (w *world) renderVessel(v *Vessel) wire.Resource {
	at := wire.Object{
		{"latitude", nil}, {"longitude", nil}, {"nautical_speed_knots", nil}, {"navigational_heading_degrees", nil},
		{"position_timestamp", nil},
	}
	if f, ok := w.latestFix(v); ok {
		at = wire.Object{
			{"latitude", f.lat}, {"longitude", f.lon}, {"nautical_speed_knots", f.knots},
			{"navigational_heading_degrees", f.heading}, {"position_timestamp", f.time},
		}
	}
	attributes := append(wire.Object{{"name", v.Name}, {"imo", wire.OrNull(v.IMO)}, {"mmsi", wire.OrNull(v.MMSI)}}, at...)
	return wire.Resource{Ref: wire.Ref{Kind: "vessel", ID: v.ID}, Attributes: attributes.With(v.Attributes)}
}

// getVessel accepts an id or an IMO number. The latest position is available to every account, as
// at the live service; past positions need the Routing Data feature.
func (x *exchange) getVessel() service.Reply {
	const fromName, toName = "show_positions[from_timestamp]", "show_positions[to_timestamp]"
	wantsPositions := x.Query.Has(fromName) || x.Query.Has(toName)
	if r := x.requireRouting(); wantsPositions && r != nil {
		return *r
	}
	v := x.w.vessel(cmp.Or(x.Args["imo"], x.Args["id"]))
	if v == nil {
		return service.NotFound()
	}
	if !wantsPositions {
		return x.one(200, wire.Ref{Kind: "vessel", ID: v.ID})
	}
	to := x.timeParameter(toName, x.Now)
	from := x.timeParameter(fromName, x.Now.Add(-7*day24))
	if to.After(x.Now) {
		to = x.Now
	}
	positions := []wire.Object{}
	for _, f := range x.w.vesselFixes(v, from, to) {
		positions = append(positions, f.object(false))
	}
	return x.vesselReply(v, positions)
}

// timeParameter reads a query parameter with a date and time.
func (x *exchange) timeParameter(name string, byDefault time.Time) time.Time {
	if !x.Query.Has(name) {
		return byDefault
	}
	t, err := time.Parse(time.RFC3339, x.Query.Get(name))
	if err != nil {
		x.Violate("%s must be an ISO 8601 date and time", name)
		return byDefault
	}
	return t.UTC()
}

func (x *exchange) vesselReply(v *Vessel, positions []wire.Object) service.Reply {
	r := x.w.renderVessel(v)
	r.Attributes = append(r.Attributes, wire.Member{"positions", positions})
	return service.JSONReply(200, wire.Object{{"data", r}, {"links", wire.Object{{"self", x.Self()}}}})
}

func (f positionFix) object(estimated bool) wire.Object {
	return wire.Object{
		{"latitude", f.lat}, {"longitude", f.lon}, {"heading", f.heading}, {"timestamp", f.time}, {"estimated", estimated},
	}
}

// futurePositions start at the vessel's position if it is on that leg, or else at the previous
// port.
func (x *exchange) futurePositions() service.Reply {
	return x.futureReply(func(v *Vessel, from, _ portCall) (point, *service.Reply) {
		calls := x.w.voyageOf(v, x.Now)
		if f, ok := x.w.latestFix(v); ok && len(calls) > 0 && f.atSea && calls[f.leg].port == from.port {
			return f.point, nil
		}
		return from.at, nil
	})
}

// futurePositionsFrom start at the requested coordinates.
func (x *exchange) futurePositionsFrom() service.Reply {
	return x.futureReply(func(_ *Vessel, _, _ portCall) (point, *service.Reply) {
		lat, latProblem := x.degreesParameter("latitude", 90)
		lon, lonProblem := x.degreesParameter("longitude", 180)
		return point{lat, lon}, cmp.Or(latProblem, lonProblem)
	})
}

func (x *exchange) degreesParameter(name string, most float64) (float64, *service.Reply) {
	v, err := strconv.ParseFloat(x.Query.Get(name), 64)
	if err != nil || !(v >= -most && v <= most) {
		x.Violate("%s must be degrees from -%g to %g", name, most, most)
		return 0, x.missingParameter(name)
	}
	return v, nil
}

func (x *exchange) missingParameter(parameter string) *service.Reply {
	r := service.Refusal(service.Problem{
		Status: 400, Title: "Bad Request", Parameter: parameter, Detail: "param is missing or the value is empty: " + parameter,
	})
	return &r
}

// futureReply responds with a position for every minute until the arrival, beginning at start.
func (x *exchange) futureReply(start func(v *Vessel, from, to portCall) (point, *service.Reply)) service.Reply {
	if r := x.requireRouting(); r != nil {
		return *r
	}
	for _, name := range []string{"port_id", "previous_port_id"} {
		if x.Query.Get(name) == "" {
			x.Violate("query parameter %q is required", name)
			return *x.missingParameter(name)
		}
	}
	v := x.w.vessels.Get(x.Args["id"])
	from, to := x.w.ports.Get(x.Query.Get("previous_port_id")), x.w.ports.Get(x.Query.Get("port_id"))
	if v == nil || from == nil || to == nil {
		return service.NotFound()
	}
	a, okA := x.w.callAt(from.ID, "")
	b, okB := x.w.callAt(to.ID, "")
	positions := []wire.Object{}
	if at, r := start(v, a, b); r != nil {
		return *r
	} else if okA && okB {
		way := seawayBetween(a.at, b.at).from(at)
		positions = x.positionsEachMinute(way, x.remainingTime(v, way, a, b))
	}
	return x.vesselReply(v, positions)
}

// remainingTime is the time until the vessel's ETA on this leg of its voyage, or else the usual
// time.
func (x *exchange) remainingTime(v *Vessel, way seaway, from, to portCall) time.Duration {
	calls := x.w.voyageOf(v, x.Now)
	for i := 1; i < len(calls); i++ {
		if calls[i-1].port == from.port && calls[i].port == to.port && calls[i].eta.After(x.Now) {
			return calls[i].eta.Sub(x.Now)
		}
	}
	return way.sailingTime()
}

// positionsEachMinute returns the positions on the way, one a minute.
func (x *exchange) positionsEachMinute(way seaway, takes time.Duration) []wire.Object {
	list := []wire.Object{}
	start := x.Now.Truncate(time.Minute)
	for t := time.Duration(0); t <= takes; t += time.Minute {
		part := 1.0
		if takes > 0 {
			part = float64(t) / float64(takes)
		}
		at, next := way.at(part)
		f := positionFix{point: at, time: start.Add(t), heading: courseBetween(at, way.points[next])}
		list = append(list, f.object(true))
	}
	return list
}

// vesselRef returns the reference of a vessel given by id or IMO number.
func (w *world) vesselRef(key string) wire.Ref {
	if v := w.vessel(key); v != nil {
		return wire.Ref{Kind: "vessel", ID: v.ID}
	}
	return wire.Ref{}
}
