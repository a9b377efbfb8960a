package mirror

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
)

// zones are the zones that containers do not have themselves: that of the port of lading, which
// the shipment has, and those of the gates at origin, which the transport events have. The zero
// value has none.
type zones struct {
	lading map[string]string      // pol_timezone of a shipment, by its id; "" if the service does not know it
	gates  map[string][]*resource // events at the gates, by the id of their container
}

// listed are the texts of the first argument, a list in JSON.
const listed = "(select value from jsonb_array_elements_text($1::jsonb))"

// originTimes are the attributes of a container that need zones.
var originTimes = []string{"empty_out_at", "pol_full_in_at", "pol_vessel_loaded_at", "pol_vessel_departed_at"}

// zonesOf returns the zones of the containers among resources that are about to be written, from
// the database, and from events that are written after them.
func (t *tx) zonesOf(ctx context.Context, list, events []*resource) (zones, error) {
	z := zones{map[string]string{}, map[string][]*resource{}}
	var shipments, gates []string
	for _, res := range list {
		if res.Type != "container" || !res.reportsAny(originTimes...) {
			continue
		}
		if of := res.to("shipment"); of != nil {
			shipments = append(shipments, of.ID)
		}
		if res.reportsAny(originTimes[:2]...) {
			gates = append(gates, res.ID)
		}
	}
	if err := t.ladingOf(ctx, z, shipments); err != nil {
		return z, err
	}
	return z, t.gatesOf(ctx, z, gates, events)
}

// reportsAny reports whether a resource has any of the attributes, other than null.
func (r *resource) reportsAny(attributes ...string) bool {
	return slices.ContainsFunc(attributes, func(name string) bool {
		sent := r.Attributes[name]
		return len(sent) > 0 && string(sent) != "null"
	})
}

// ladingOf adds the zones of stored shipments.
func (t *tx) ladingOf(ctx context.Context, z zones, shipments []string) error {
	if len(shipments) == 0 {
		return nil
	}
	rows, err := t.query(ctx, "select id, pol_timezone from t49.shipments where id in "+listed, string(encode(shipments)))
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		var id string
		var zone sql.NullString
		if err := rows.Scan(&id, &zone); err != nil {
			return err
		}
		z.lading[id] = zone.String
	}
	return rows.Err()
}

// gatesOf adds the events at the gates of containers: those that are stored, then others.
func (t *tx) gatesOf(ctx context.Context, z zones, containers []string, others []*resource) error {
	if len(containers) == 0 {
		return nil
	}
	events, err := t.resources(ctx, `
select raw from t49.transport_events
where event in (`+gateEvents+`) and container_id in `+listed, string(encode(containers)))
	for _, event := range append(events, others...) {
		z.addGate(event)
	}
	return err
}

// addGate adds an event at a gate at origin. The first of several versions counts.
func (z zones) addGate(event *resource) {
	of := gateOf(event)
	if of == nil || slices.ContainsFunc(z.gates[of.ID], func(e *resource) bool { return e.ID == event.ID }) {
		return
	}
	z.gates[of.ID] = append(z.gates[of.ID], event)
}

// gateOf returns the container of an event at a gate at origin, and nil for other resources.
func gateOf(event *resource) *ref {
	switch string(event.Attributes["event"]) {
	case `"` + string(terminal49.EventEmptyOut) + `"`, `"` + string(terminal49.EventFullIn) + `"`:
		return event.to("container")
	}
	return nil
}

const gateEvents = "'" + string(terminal49.EventEmptyOut) + "', '" + string(terminal49.EventFullIn) + "'"

// rezone corrects the zones of stored containers after other resources, which are new or changed,
// have been written: a shipment may be stored after its containers, and an event long after both.
func (t *tx) rezone(ctx context.Context, changed []*resource) error {
	var shipments, gates []string
	for _, res := range changed {
		if res.Type == "shipment" {
			shipments = append(shipments, res.ID)
		} else if of := gateOf(res); of != nil {
			gates = append(gates, of.ID)
		}
	}
	list, err := t.otherZones(ctx, shipments, gates)
	if err != nil || len(list) == 0 {
		return err
	}
	z, err := t.zonesOf(ctx, list, nil)
	if err != nil {
		return err
	}
	for _, res := range list {
		if err := t.rezoneOne(ctx, res, z); err != nil {
			return err
		}
	}
	return nil
}

// otherZones returns the containers that are stored with other zones than their shipments or their
// events have.
func (t *tx) otherZones(ctx context.Context, shipments, gates []string) (list []*resource, err error) {
	if len(shipments) > 0 {
		list, err = t.resources(ctx, `
select c.raw from t49.containers c join t49.shipments s on s.id = c.shipment_id
where s.id in `+listed+` and (
  coalesce(c.pol_vessel_loaded_at, c.pol_vessel_departed_at) is not null
    and (s.pol_timezone is null or c.pol_timezone is distinct from s.pol_timezone)
  or coalesce(c.pol_vessel_loaded_at, c.pol_vessel_departed_at) is null and s.pol_timezone is not null
    and coalesce(c.pol_vessel_loaded_at_local, c.pol_vessel_departed_at_local) is not null)`, string(encode(shipments)))
	}
	if len(gates) == 0 || err != nil {
		return list, err
	}
	at := func(event terminal49.EventName, time, zone string) string {
		return fmt.Sprintf("e.event = '%s' and (c.%s is not null or c.%[2]s_local is not null) and c.%s is distinct from\n      case when e.invalidated_at is null then e.timezone end", event, time, zone)
	}
	more, err := t.resources(ctx, `
select c.raw from t49.containers c where c.id in `+listed+` and exists (
  select 1 from t49.transport_events e where e.container_id = c.id and (
    `+at(terminal49.EventEmptyOut, "empty_out_at", "empty_out_timezone")+` or
    `+at(terminal49.EventFullIn, "pol_full_in_at", "pol_full_in_timezone")+`))`, string(encode(gates)))
	return append(list, more...), err
}

// rezoneOne writes the columns of a container that depend on zones that it does not have itself.
func (t *tx) rezoneOne(ctx context.Context, res *resource, z zones) error {
	values, _ := containerTable.row(t.database, res, z) // odd members were reported when it was written
	var set []string
	args := []any{res.ID}
	for i, name := range containerTable.columnNames() {
		if slices.Contains(originColumns, name) {
			args = append(args, values[i])
			set = append(set, fmt.Sprintf("%s = $%d", name, len(args)))
		}
	}
	_, err := t.exec(ctx, "update t49.containers set "+strings.Join(set, ", ")+" where id = $1", args...)
	return err
}

var originColumns = func() (names []string) {
	for _, time := range originTimes {
		names = append(names, time, time+"_local")
	}
	return append(names, "empty_out_timezone", "pol_full_in_timezone", "pol_timezone")
}()

// resources reads stored resources. The statement selects raw alone.
func (t *tx) resources(ctx context.Context, statement string, args ...any) (list []*resource, err error) {
	rows, err := t.query(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		var raw []byte
		if err := rows.Scan(&raw); err != nil {
			return nil, err
		}
		res := new(resource)
		if err := json.Unmarshal(raw, res); err != nil {
			return nil, err
		}
		list = append(list, res)
	}
	return list, rows.Err()
}

// pair sets the zones of the times of a container at origin.
func (z zones) pair(c *container, res *resource) {
	zone, known := z.lading[c.Shipment.ID()]
	gates := z.gates[c.ID]
	switch {
	case !known && len(gates) == 0 || !res.reportsAny(originTimes...):
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

// pairAs sets the zones by the client's own rule, which also knows of wall clocks and of several
// events: the client reads a document with what the rule needs.
func (z zones) pairAs(c *container, res *resource, lading string, known bool) {
	var included []json.RawMessage
	linked := map[string]relationship{}
	if known {
		of := ref{"shipment", c.Shipment.ID()}
		linked["shipment"] = relationship{encode(of)}
		included = append(included, object(of, map[string]json.RawMessage{"pol_timezone": encode(lading)}, nil))
	}
	events := []ref{} // null would not be a list
	for _, e := range z.gates[c.ID] {
		events = append(events, e.ref)
		included = append(included, object(e.ref, e.only("event", "timestamp", "timezone", "invalidated_at"), nil))
	}
	linked["transport_events"] = relationship{encode(events)}
	document := encode(map[string]any{"data": object(res.ref, res.only(originTimes...), linked), "included": included})
	if at, err := as[container]("", document); err == nil { // otherwise the zones stay unreported
		c.EmptyOutAt, c.POLFullInAt = at.EmptyOutAt, at.POLFullInAt
		c.POLVesselLoadedAt, c.POLVesselDepartedAt = at.POLVesselLoadedAt, at.POLVesselDepartedAt
	}
}

// only returns some attributes of a resource.
func (r *resource) only(names ...string) map[string]json.RawMessage {
	some := map[string]json.RawMessage{}
	for _, name := range names {
		if sent, ok := r.Attributes[name]; ok {
			some[name] = sent
		}
	}
	return some
}
