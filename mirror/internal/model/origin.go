package model

import (
	"encoding/json"
	"slices"

	"github.com/go-freight/terminal49"
)

// OriginZones are the zones that containers do not have themselves: that of the port of lading,
// which the shipment has, and those of the gates at origin, which the transport events have. The
// zero value has none.
type OriginZones struct {
	Lading map[string]string      // pol_timezone of a shipment, by its id; "" if the service does not know it
	Gates  map[string][]*Resource // events at the gates, by the id of their container
}

// OriginTimes are the attributes of a container that need zones.
var OriginTimes = []string{"empty_out_at", "pol_full_in_at", "pol_vessel_loaded_at", "pol_vessel_departed_at"}

// ReportsAny reports whether a resource has any of the attributes, other than null.
func ReportsAny(r *Resource, attributes ...string) bool {
	return slices.ContainsFunc(attributes, func(name string) bool {
		sent := r.Attributes[name]
		return len(sent) > 0 && string(sent) != "null"
	})
}

// AddGate adds an event at a gate at origin. If an event is added several times, the first version
// is used.
func (z OriginZones) AddGate(event *Resource) {
	of, ok := GateOf(event)
	if !ok || slices.ContainsFunc(z.Gates[of.ID], func(e *Resource) bool { return e.ID == event.ID }) {
		return
	}
	z.Gates[of.ID] = append(z.Gates[of.ID], event)
}

// GateOf returns the container of an event at a gate at origin, and false for other resources.
func GateOf(event *Resource) (of Ref, ok bool) {
	switch string(event.Attributes["event"]) {
	case `"` + string(terminal49.EventEmptyOut) + `"`, `"` + string(terminal49.EventFullIn) + `"`:
		return event.One("container")
	}
	return Ref{}, false
}

// Pair sets the zones of the times of a container at origin.
func (z OriginZones) Pair(c *terminal49.Container, res *Resource) {
	zone, known := z.Lading[c.Shipment.ID()]
	gates := z.Gates[c.ID]
	switch {
	case !known && len(gates) == 0 || !ReportsAny(res, OriginTimes...):
	case zone != "" && len(gates) == 0: // nearly all
		c.POLVesselLoadedAt, c.POLVesselDepartedAt = atPlace(c.POLVesselLoadedAt, zone), atPlace(c.POLVesselDepartedAt, zone)
	default:
		z.pairAs(c, res, zone, known)
	}
}

func atPlace(t terminal49.Time, zone string) terminal49.Time {
	if at, known := t.Instant(); known {
		return terminal49.NewTime(at, zone)
	}
	return t
}

// pairAs sets the zones by the client's own rule, which also covers wall clocks and several events.
// It decodes a document with the members that the rule needs, and copies the times.
func (z OriginZones) pairAs(c *terminal49.Container, res *Resource, lading string, known bool) {
	var included []json.RawMessage
	linked := map[string]Relationship{}
	if known {
		of := Ref{Type: "shipment", ID: c.Shipment.ID()}
		linked["shipment"] = Relationship{Data: Encode(of)}
		included = append(included, ObjectJSON(of, map[string]json.RawMessage{"pol_timezone": Encode(lading)}, nil))
	}
	events := []Ref{} // null would not be a list
	for _, e := range z.Gates[c.ID] {
		events = append(events, e.Ref)
		included = append(included, ObjectJSON(e.Ref, someAttributes(e, "event", "timestamp", "timezone", "invalidated_at"), nil))
	}
	linked["transport_events"] = Relationship{Data: Encode(events)}
	document := Encode(map[string]any{"data": ObjectJSON(res.Ref, someAttributes(res, OriginTimes...), linked), "included": included})
	at := new(terminal49.Container)
	if err := at.UnmarshalJSON(document); err == nil { // otherwise the zones stay unreported
		c.EmptyOutAt, c.POLFullInAt = at.EmptyOutAt, at.POLFullInAt
		c.POLVesselLoadedAt, c.POLVesselDepartedAt = at.POLVesselLoadedAt, at.POLVesselDepartedAt
	}
}

// someAttributes returns some attributes of a resource.
func someAttributes(r *Resource, names ...string) map[string]json.RawMessage {
	some := map[string]json.RawMessage{}
	for _, name := range names {
		if sent, ok := r.Attributes[name]; ok {
			some[name] = sent
		}
	}
	return some
}
