package terminal49test

import (
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// mapPoints is about the number of points of a line: the service simplifies its lines.
const mapPoints = 40

// getMap responds with GeoJSON rather than a JSON:API document. Without known ports there are no
// features.
func (x *exchange) getMap() service.Reply {
	if r := x.requireRouting(); r != nil {
		return *r
	}
	c := x.w.containers.Get(x.Args["id"])
	if c == nil {
		return service.NotFound()
	}
	features := []wire.Object{}
	if s := x.w.shipments.Get(c.Shipment); s != nil {
		features = append(features, x.w.mapFeatures(s, x.w.portCalls(s, c.ID))...)
	}
	return service.JSONReply(200, wire.Object{{"type", "FeatureCollection"}, {"features", features}})
}

// mapFeatures returns the ports and, for each leg, the part sailed, the part ahead, or both.
func (w *world) mapFeatures(s *Shipment, calls []portCall) []wire.Object {
	var features []wire.Object
	now := w.now()
	for i, c := range calls {
		features = append(features, w.portFeature(s, calls, i))
		if i+1 == len(calls) {
			break
		}
		next := calls[i+1]
		if c.departed.IsZero() || c.departed.After(now) {
			features = append(features, legFeature("estimated_full_legs", "previous_port_id", i, c, next, c.way))
			continue
		}
		end, sailed := next.arrived, c.way
		if atSea := end.IsZero() || end.After(now); atSea {
			end = laterOf(now.Truncate(positionInterval), c.departed)
			f, _ := positionAt(calls, end)
			features = append(features, w.vesselFeature(s, i, c, next, f),
				legFeature("estimated_partial_leg", "current_port_id", i, c, next, c.way.from(f.point)))
			sailed = c.way.sailed(f.part)
		}
		features = append(features, w.pastFeature(s, i, calls, sailed, end))
	}
	return features
}

func (w *world) portFeature(s *Shipment, calls []portCall, i int) wire.Object {
	c := calls[i]
	return geoJSONFeature("Point", c.at.coordinates(), append(append(wire.Object{
		{"feature_type", "port"}, {"ports_sequence", i + 1}, {"ports_total", len(calls)}, {"location_id", c.port.ID},
		{"location_type", "Port"}}, c.port.mapProperties("")...), wire.Object{
		{"time_zone", wire.OrNull(c.port.TimeZone)}, {"inbound_eta_at", c.eta}, {"inbound_ata_at", c.arrived},
		{"outbound_etd_at", c.etd}, {"outbound_atd_at", c.departed}, {"label", c.label},
		{"updated_at", s.LineTrackingLastSucceededAt},
	}...))
}

func (w *world) vesselFeature(s *Shipment, i int, from, to portCall, f positionFix) wire.Object {
	var id, name, imo any
	if v := w.vessel(s.PODVessel); v != nil {
		id, name, imo = v.ID, v.Name, wire.OrNull(v.IMO)
	}
	o := wire.Object{
		{"feature_type", "current_vessel"}, {"ports_sequence", i + 1}, {"vessel_id", id}, {"vessel_name", name},
		{"vessel_imo", imo}, {"voyage_number", wire.OrNull(s.PODVoyageNumber)}, {"vessel_location_timestamp", f.time},
		{"vessel_location_heading", f.heading}, {"vessel_location_speed", f.knots}, {"departure_port_id", from.port.ID},
	}
	o = append(o, from.port.mapProperties("departure_port_")...)
	o = append(o, wire.Object{
		{"departure_port_label", from.label}, {"departure_port_atd", from.departed},
		{"departure_port_time_zone", wire.OrNull(from.port.TimeZone)}, {"arrival_port_id", to.port.ID},
	}...)
	o = append(o, to.port.mapProperties("arrival_port_")...)
	o = append(o, wire.Object{
		{"arrival_port_label", to.label}, {"arrival_port_eta", to.eta}, {"arrival_port_time_zone", wire.OrNull(to.port.TimeZone)},
	}...)
	return geoJSONFeature("Point", f.coordinates(), o)
}

// pastFeature is the part of a leg sailed, up to the arrival or the last position.
func (w *world) pastFeature(s *Shipment, i int, calls []portCall, sailed seaway, end time.Time) wire.Object {
	from, to := calls[i], calls[i+1]
	var vessel any
	if v := w.vessel(s.PODVessel); v != nil {
		vessel = v.ID
	}
	return geoJSONFeature("LineString", sailed.coordinates(), wire.Object{
		{"feature_type", "past_vessel_locations"}, {"ports_sequence", i + 1}, {"vessel_id", vessel},
		{"start_time", from.departed}, {"end_time", end}, {"point_count", len(fixesBetween(calls, from.departed, end, pathInterval))},
		{"outbound_atd_at", from.departed}, {"inbound_ata_at", to.arrived}, {"inbound_eta_at", to.eta},
	})
}

// legFeature is the part of a leg that is still ahead.
func legFeature(kind, fromName string, i int, from, to portCall, ahead seaway) wire.Object {
	line := ahead.coordinates()
	return geoJSONFeature("LineString", line, wire.Object{
		{"feature_type", kind}, {"ports_sequence", i + 1}, {fromName, from.port.ID}, {"next_port_id", to.port.ID},
		{"point_count", len(line)},
	})
}

func geoJSONFeature(geometry string, coordinates any, properties wire.Object) wire.Object {
	return wire.Object{
		{"type", "Feature"}, {"geometry", wire.Object{{"type", geometry}, {"coordinates", coordinates}}}, {"properties", properties},
	}
}

// coordinates is a GeoJSON position: longitude first.
func (p point) coordinates() []float64 { return []float64{p.lon, p.lat} }

// coordinates is a GeoJSON line.
func (way seaway) coordinates() [][]float64 {
	line := way.line()
	list := make([][]float64, len(line))
	for i, p := range line {
		list[i] = p.coordinates()
	}
	return list
}

// mapProperties are a port's properties on the map, with a name prefix.
func (p *Port) mapProperties(prefix string) wire.Object {
	return wire.Object{
		{prefix + "name", p.Name}, {prefix + "state_abbr", wire.OrNull(p.StateAbbr)}, {prefix + "state", wire.OrNull(stateName(p.StateAbbr))},
		{prefix + "country_code", wire.OrNull(p.CountryCode)}, {prefix + "country", wire.OrNull(countryName(p.CountryCode))},
	}
}

// stateName and countryName contain the places of the reference data.

func stateName(abbr string) string {
	return map[string]string{"CA": "California", "NY": "New York", "GA": "Georgia"}[abbr]
}

func countryName(code string) string {
	return map[string]string{
		"CN": "China", "VN": "Vietnam", "IN": "India", "KR": "South Korea", "SG": "Singapore", "NL": "Netherlands",
		"US": "United States",
	}[code]
}
