package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

// listed selects the texts of the first argument, a JSON array.
const listed = "(select value from jsonb_array_elements_text($1::jsonb))"

// oneOfListed is the condition that a column has one of the texts. In Postgres it is in a form that
// uses the index of the column, whatever the database knows of the table.
func (d *Store) oneOfListed() string {
	if d.Dialect == sqlstore.Postgres {
		return " = any(array" + listed + ")"
	}
	return " in " + listed
}

// zonesOf returns the zones of the containers among resources that are about to be written, from
// the database, and from events that are written after them.
func (t *Tx) zonesOf(ctx context.Context, list, events []*model.Resource) (model.OriginZones, error) {
	z := model.OriginZones{Lading: map[string]string{}, Gates: map[string][]*model.Resource{}}
	var shipments, gates []string
	for _, res := range list {
		if res.Type != "container" || !model.ReportsAny(res, model.OriginTimes...) {
			continue
		}
		if of, ok := res.One("shipment"); ok {
			shipments = append(shipments, of.ID)
		}
		if model.ReportsAny(res, model.OriginTimes[:2]...) {
			gates = append(gates, res.ID)
		}
	}
	if err := t.ladingOf(ctx, z, shipments); err != nil {
		return z, err
	}
	return z, t.gatesOf(ctx, z, gates, events)
}

// ladingOf adds the zones of stored shipments.
func (t *Tx) ladingOf(ctx context.Context, z model.OriginZones, shipments []string) error {
	if len(shipments) == 0 {
		return nil
	}
	rows, err := t.query(ctx, "select id, pol_timezone from t49.shipments where id in "+listed, string(model.Encode(shipments)))
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
		z.Lading[id] = zone.String
	}
	return rows.Err()
}

// gatesOf adds the events at the gates of containers: those that are stored, then others.
func (t *Tx) gatesOf(ctx context.Context, z model.OriginZones, containers []string, others []*model.Resource) error {
	if len(containers) == 0 {
		return nil
	}
	events, err := t.resources(ctx, `
select raw from t49.transport_events
where event in (`+gateEvents+`) and container_id in `+listed, string(model.Encode(containers)))
	for _, event := range append(events, others...) {
		z.AddGate(event)
	}
	return err
}

const gateEvents = "'" + string(terminal49.EventEmptyOut) + "', '" + string(terminal49.EventFullIn) + "'"

// rezone corrects the zones of stored containers after new or changed resources have been written:
// a shipment may be stored after its containers, and an event long after both.
func (t *Tx) rezone(ctx context.Context, changed []*model.Resource) error {
	var shipments, gates []string
	for _, res := range changed {
		if res.Type == "shipment" {
			shipments = append(shipments, res.ID)
		} else if of, ok := model.GateOf(res); ok {
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

// otherZones returns the containers whose stored zones differ from those of their shipments or
// events.
func (t *Tx) otherZones(ctx context.Context, shipments, gates []string) (list []*model.Resource, err error) {
	if len(shipments) > 0 {
		list, err = t.resources(ctx, `
select c.raw from t49.containers c join t49.shipments s on s.id = c.shipment_id
where s.id in `+listed+` and (
  coalesce(c.pol_vessel_loaded_at, c.pol_vessel_departed_at) is not null
    and (s.pol_timezone is null or c.pol_timezone is distinct from s.pol_timezone)
  or coalesce(c.pol_vessel_loaded_at, c.pol_vessel_departed_at) is null and s.pol_timezone is not null
    and coalesce(c.pol_vessel_loaded_at_local, c.pol_vessel_departed_at_local) is not null)`, string(model.Encode(shipments)))
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
    `+at(terminal49.EventFullIn, "pol_full_in_at", "pol_full_in_timezone")+`))`, string(model.Encode(gates)))
	return append(list, more...), err
}

// rezoneOne writes the columns of a container that depend on the zones of its shipment and events.
func (t *Tx) rezoneOne(ctx context.Context, res *model.Resource, z model.OriginZones) error {
	values, _ := schema.ContainerTable.Row(t.db.Dialect, res, z) // odd members were reported when it was written
	var set []string
	args := []any{res.ID}
	for i, name := range schema.ContainerTable.ColumnNames() {
		if slices.Contains(schema.OriginColumns, name) {
			args = append(args, values[i])
			set = append(set, fmt.Sprintf("%s = $%d", name, len(args)))
		}
	}
	_, err := t.exec(ctx, "update t49.containers set "+strings.Join(set, ", ")+" where id = $1", args...)
	return err
}

// resources reads stored resources. The statement selects only raw.
func (t *Tx) resources(ctx context.Context, statement string, args ...any) (list []*model.Resource, err error) {
	rows, err := t.query(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	return scanResources(rows)
}

// scanResources reads resources from the only column, and closes rows. Those whose JSON is damaged
// are left out: verify finds them.
func scanResources(rows *sql.Rows) (list []*model.Resource, err error) {
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		var raw []byte
		if err := rows.Scan(&raw); err != nil {
			return nil, err
		}
		if res, err := model.Parse(raw); err == nil {
			list = append(list, res)
		}
	}
	return list, rows.Err()
}
