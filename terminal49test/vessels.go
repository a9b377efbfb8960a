package terminal49test

import (
	"cmp"
	"slices"
	"strconv"
	"time"
)

// Vessel is a ship. Where it is follows from the shipment that left on it last, unless Positions says it.
type Vessel struct {
	ID         string // "" for one from the seed
	Name, IMO  string
	MMSI       string
	Positions  []VesselPosition // nil to go by its shipments; empty if it was never seen
	Attributes map[string]any
}

// VesselPosition is where a ship was at a moment.
type VesselPosition struct {
	At                  time.Time
	Latitude, Longitude float64
	Heading, Knots      float64 // degrees from north, nautical miles per hour
}

// AddVessel adds a ship and returns its id.
func (s *Server) AddVessel(v Vessel) string {
	return withWorld(s, func(w *world) string {
		v.ID, v.Positions = w.identify(v.ID, "vessel"), slices.Clone(v.Positions)
		w.vessels.put(v.ID, &v)
		return v.ID
	})
}

// UpdateVessel changes a ship in place and reports whether there is one with that id.
func (s *Server) UpdateVessel(id string, change func(*Vessel)) bool {
	return withWorld(s, func(w *world) bool { return updateRow(&w.vessels, id, change) })
}

func (w *world) renderVessel(v *Vessel) resource {
	at := object{
		{"latitude", nil}, {"longitude", nil}, {"nautical_speed_knots", nil}, {"navigational_heading_degrees", nil},
		{"position_timestamp", nil},
	}
	if f, ok := w.latestFix(v); ok {
		at = object{
			{"latitude", f.lat}, {"longitude", f.lon}, {"nautical_speed_knots", f.knots},
			{"navigational_heading_degrees", f.heading}, {"position_timestamp", f.time},
		}
	}
	attributes := append(object{{"name", v.Name}, {"imo", orNull(v.IMO)}, {"mmsi", orNull(v.MMSI)}}, at...)
	return resource{ref: ref{"vessel", v.ID}, attributes: attributes.with(v.Attributes)}
}

// getVessel answers by id and by IMO number. The latest position is there for every account, as it is live; the past
// ones are a paid feature.
func (x *exchange) getVessel() reply {
	const fromName, toName = "show_positions[from_timestamp]", "show_positions[to_timestamp]"
	asked := x.query.Has(fromName) || x.query.Has(toName)
	if r := x.requireRouting(); asked && r != nil {
		return *r
	}
	v := x.w.vessel(cmp.Or(x.args["imo"], x.args["id"]))
	if v == nil {
		return notFound()
	}
	if !asked {
		return x.one(200, ref{"vessel", v.ID})
	}
	to := x.timeParameter(toName, x.now)
	from := x.timeParameter(fromName, x.now.Add(-7*day24))
	if to.After(x.now) {
		to = x.now
	}
	positions := []object{}
	for _, f := range x.w.vesselFixes(v, from, to) {
		positions = append(positions, f.object(false))
	}
	return x.vesselReply(v, positions)
}

// moment reads a query parameter that is a date and time.
func (x *exchange) timeParameter(name string, byDefault time.Time) time.Time {
	if !x.query.Has(name) {
		return byDefault
	}
	t, err := time.Parse(time.RFC3339, x.query.Get(name))
	if err != nil {
		x.violate("%s must be an ISO 8601 date and time", name)
		return byDefault
	}
	return t.UTC()
}

func (x *exchange) vesselReply(v *Vessel, positions []object) reply {
	r := x.w.renderVessel(v)
	r.attributes = append(r.attributes, member{"positions", positions})
	return jsonReply(200, object{{"data", r.object()}, {"links", object{{"self", x.self()}}}})
}

func (f positionFix) object(estimated bool) object {
	return object{
		{"latitude", f.lat}, {"longitude", f.lon}, {"heading", f.heading}, {"timestamp", f.time}, {"estimated", estimated},
	}
}

// futurePositions begin where the ship is, if it is on that leg, else at the port it comes from.
func (x *exchange) futurePositions() reply {
	return x.futureReply(func(v *Vessel, from, _ portCall) (point, *reply) {
		calls := x.w.voyageOf(v, x.now)
		if f, ok := x.w.latestFix(v); ok && len(calls) > 0 && f.atSea && calls[f.leg].port == from.port {
			return f.point, nil
		}
		return from.at, nil
	})
}

// futurePositionsFrom begin where the request says.
func (x *exchange) futurePositionsFrom() reply {
	return x.futureReply(func(_ *Vessel, _, _ portCall) (point, *reply) {
		lat, bad := x.degreesParameter("latitude", 90)
		lon, worse := x.degreesParameter("longitude", 180)
		return point{lat, lon}, cmp.Or(bad, worse)
	})
}

func (x *exchange) degreesParameter(name string, most float64) (float64, *reply) {
	v, err := strconv.ParseFloat(x.query.Get(name), 64)
	if err != nil || !(v >= -most && v <= most) {
		x.violate("%s must be degrees", name)
		return 0, x.missingParameter(name)
	}
	return v, nil
}

func (x *exchange) missingParameter(parameter string) *reply {
	r := errorReply(ShapeFull, problem{
		status: 400, title: "Bad Request", parameter: parameter, detail: "param is missing or the value is empty: " + parameter,
	})
	return &r
}

// future answers with a position for every minute from now until the arrival. start says where they begin.
func (x *exchange) futureReply(start func(v *Vessel, from, to portCall) (point, *reply)) reply {
	if r := x.requireRouting(); r != nil {
		return *r
	}
	for _, name := range []string{"port_id", "previous_port_id"} {
		if x.query.Get(name) == "" {
			x.violate("query parameter %q is required", name)
			return *x.missingParameter(name)
		}
	}
	v := x.w.vessels.get(x.args["id"])
	from, to := x.w.ports.get(x.query.Get("previous_port_id")), x.w.ports.get(x.query.Get("port_id"))
	if v == nil || from == nil || to == nil {
		return notFound()
	}
	a, okA := x.w.callAt(from.ID, "")
	b, okB := x.w.callAt(to.ID, "")
	positions := []object{}
	if at, r := start(v, a, b); r != nil {
		return *r
	} else if okA && okB {
		positions = x.positionsEachMinute(at, b.at, x.remainingTime(v, at, a, b))
	}
	return x.vesselReply(v, positions)
}

// timeLeft is how long a ship takes to a port: as is estimated for the voyage it is on, else as long as ships usually do.
func (x *exchange) remainingTime(v *Vessel, at point, from, to portCall) time.Duration {
	calls := x.w.voyageOf(v, x.now)
	for i := 1; i < len(calls); i++ {
		if calls[i-1].port == from.port && calls[i].port == to.port && calls[i].eta.After(x.now) {
			return calls[i].eta.Sub(x.now)
		}
	}
	return sailingTime(at, to.at)
}

// minutes is a way in steps of a minute.
func (x *exchange) positionsEachMinute(from, to point, takes time.Duration) []object {
	list := []object{}
	begin := x.now.Truncate(time.Minute)
	for t := time.Duration(0); t <= takes; t += time.Minute {
		part := 1.0
		if takes > 0 {
			part = float64(t) / float64(takes)
		}
		at := pointBetween(from, to, part)
		f := positionFix{point: at, time: begin.Add(t), heading: courseBetween(at, to)}
		list = append(list, f.object(true))
	}
	return list
}

// vesselRef and terminalRef turn what a test wrote (an id or a code) into the reference that goes out.
func (w *world) vesselRef(key string) ref {
	if v := w.vessel(key); v != nil {
		return ref{"vessel", v.ID}
	}
	return ref{}
}
