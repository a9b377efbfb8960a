package mirror

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

// view describes a view with the columns of a table of DataSync.
type view struct {
	name    string
	columns []viewColumn
	from    string
}

// viewColumn is a column of a view: its DataSync type is text, integer or timestamp, which is in
// UTC. The page of the documentation shows where it is from.
type viewColumn struct{ name, typ, sql, from string }

// dataSyncViews are the views with the columns of DataSync's tables, by its public documentation.
func dataSyncViews(d sqlstore.Dialect) []view {
	f := forms{d}
	return []view{f.shipments(), f.containers(), f.trackingRequests(), f.transportEvents(), f.transferStatus()}
}

// forms are the expressions that differ between databases.
type forms struct{ dialect sqlstore.Dialect }

func (f forms) pick(sqlite, postgres string) string {
	if f.dialect == sqlstore.SQLite {
		return sqlite
	}
	return postgres
}

// utc is an instant as a timestamp in UTC.
func (f forms) utc(x string) string {
	return f.pick("strftime('%Y-%m-%d %H:%M:%S', "+x+")", x+" at time zone 'UTC'")
}

func textAs(name, sql string) viewColumn { return viewColumn{name, "text", sql, sql} }

func integerAs(name, sql, from string) viewColumn {
	return viewColumn{name, "integer", "cast(" + sql + " as integer)", from}
}

func (f forms) timeAs(name, sql string) viewColumn {
	return viewColumn{name, "timestamp", f.utc(sql), sql}
}

// is sets what the page shows.
func (c viewColumn) is(from string) viewColumn {
	c.from = from
	return c
}

// moment is a time and its wall clock: two expressions, and where they are from.
type moment struct{ at, local, from string }

func columnPair(name string) moment { return moment{name, name + "_local", name} }

// eventPair is the time of the valid event of a name that was made last. A subquery costs nothing
// in queries that do not need it. It is evaluated for each row; for a join, Postgres would hash all
// events.
func eventPair(alias, event string) moment {
	found := func(column string) string {
		return fmt.Sprintf(`(select e.%s from t49.transport_events e
    where e.container_id = c.id and e.event = 'container.transport.%s' and e.invalidated_at is null and e.deleted_at is null
    order by e.created_at desc, e.id desc limit 1)`, column, event)
	}
	return moment{found("timestamp"), found("timestamp_local"), alias + ".timestamp"}
}

// pair is a time and its wall clock, from the first source that has either.
func (f forms) pair(name string, sources ...moment) []viewColumn {
	last := len(sources) - 1
	at, local, from := sources[last].at, sources[last].local, sources[last].from
	for _, s := range slices.Backward(sources[:last]) {
		has := fmt.Sprintf("case when %s is not null or %s is not null then ", s.at, s.local)
		at, local, from = has+s.at+" else "+at+" end", has+s.local+" else "+local+" end", s.from+" or "+from
	}
	if last > 0 {
		at = "(" + at + ")"
	}
	return []viewColumn{f.timeAs(name, at).is(from), textAs(name+"_local", padded(local)).is(from)}
}

// padded is a wall clock with a time of day: midnight for a calendar day. It names the wall clock
// once, because it may be a subquery.
func padded(local string) string { return "substr(" + local + " || ' 00:00:00', 1, 19)" }

func yes(is string) string {
	return "case when " + is + " then 'Yes' when not " + is + " then 'No' end"
}

// customer is the party that a tracking request of the shipment was made for.
const customer = `(select r.customer_id from t49.tracking_requests r where r.shipment_id = s.id and r.customer_id is not null and r.deleted_at is null
    order by r.created_at desc, r.id desc limit 1)`

func (f forms) shipments() view {
	return view{"shipments", []viewColumn{
		textAs("shipment_id", "s.id"),
		textAs("shipping_line_scac", "s.shipping_line_scac"),
		textAs("shipping_line_name", "s.shipping_line_name"),
		textAs("bill_of_lading_number", "s.bill_of_lading_number"),
		textAs("normalized_number", "s.normalized_number"),
		textAs("reference_numbers", "s.ref_numbers_text").is("s.ref_numbers"),
		textAs("tags", "s.tags_text").is("s.tags"),
		textAs("customer_id", customer).is("customer_id of the newest of tracking_requests that has one"),
		textAs("customer_name", "s.customer_name"),
		textAs("pol_locode", "s.port_of_lading_locode"),
		textAs("pod_locode", "s.port_of_discharge_locode"),
		textAs("pod_terminal_firms_code", "pt.firms_code"),
		textAs("destination_locode", "s.destination_locode"),
		textAs("destination_terminal_firms_code", "dt.firms_code"),
		f.timeAs("pol_atd_at", "s.pol_atd_at"),
		f.timeAs("pol_etd_at", "s.pol_etd_at"),
		f.timeAs("pod_eta_at", "s.pod_eta_at"),
		f.timeAs("pod_arrived_at", "s.pod_ata_at"),
		textAs("pod_voyage_number", "s.pod_voyage_number"),
		textAs("pod_vessel_name", "s.pod_vessel_name"),
		textAs("pod_vessel_imo", "s.pod_vessel_imo"),
		f.timeAs("line_tracking_last_succeeded_at", "s.line_tracking_last_succeeded_at"),
		f.timeAs("line_tracking_stopped_at", "s.line_tracking_stopped_at"),
		textAs("line_tracking_stopped_reason", "s.line_tracking_stopped_reason"),
		f.timeAs("created_at", "s.created_at"),
		f.timeAs("updated_at", "s.changed_at"),
	}, `
from t49.shipments s
left join t49.terminals pt on pt.id = s.pod_terminal_id
left join t49.terminals dt on dt.id = s.destination_terminal_id
where s.deleted_at is null`}
}

// place are the columns of a port or a metro area p, with what the shipment has of it.
func place(prefix, p, shipment, zone string) []viewColumn {
	code := fmt.Sprintf("coalesce(s.%s_locode, %s.code)", shipment, p)
	return []viewColumn{
		textAs(prefix+"_country_code", fmt.Sprintf("coalesce(%s.country_code, substr(%s, 1, 2))", p, code)).is(p + ".country_code or the first letters of s." + shipment + "_locode"),
		textAs(prefix+"_locode", code),
		textAs(prefix+"_city", fmt.Sprintf("coalesce(%s.city, %[1]s.name, s.%s_name)", p, shipment)),
		textAs(prefix+"_timezone", zone),
	}
}

func facility(prefix, t string) []viewColumn {
	return []viewColumn{
		textAs(prefix+"_firms_code", t+".firms_code"), textAs(prefix+"_nickname", t+".nickname"), textAs(prefix+"_name", t+".name"),
	}
}

const (
	equipmentType = `case c.equipment_type when 'dry' then 'Dry' when 'reefer' then 'Reefer' when 'open top' then 'Open Top'
    when 'flat rack' then 'Flat Rack' when 'hard top' then 'Hard Top' when 'bulk' then 'Bulk' when 'tank' then 'Tank' else coalesce(c.equipment_type, 'unknown') end`
	equipmentHeight = `case c.equipment_height when 'standard' then 'Standard' when 'high_cube' then 'High Cube' else coalesce(c.equipment_height, 'unknown') end`
)

func (f forms) containers() view {
	v := view{name: "containers", from: `
from t49.containers c
left join t49.shipments s on s.id = c.shipment_id
left join t49.ports pol on pol.id = s.port_of_lading_id
left join t49.ports pod on pod.id = s.port_of_discharge_id
left join t49.ports ind on ind.id = s.destination_id
left join t49.terminals pt on pt.id = coalesce(c.pod_terminal_id, s.pod_terminal_id)
left join t49.terminals it on it.id = s.destination_terminal_id
where c.deleted_at is null`}
	add := func(columns ...viewColumn) { v.columns = append(v.columns, columns...) }
	add(
		textAs("container_id", "c.id"),
		textAs("container_number", "c.number"),
		textAs("shipment_id", "c.shipment_id"),
		textAs("shipment_bill_of_lading_number", "s.bill_of_lading_number"),
		textAs("shipment_normalized_number", "s.normalized_number"),
		textAs("shipment_reference_numbers", "s.ref_numbers_text").is("s.ref_numbers"),
		textAs("container_reference_numbers", "c.ref_numbers_text").is("c.ref_numbers"),
		textAs("shipment_tags", "s.tags_text").is("s.tags"),
		textAs("customer_id", customer).is("customer_id of the newest of tracking_requests that has one"),
		textAs("customer_name", "s.customer_name"),
		textAs("shipping_line_scac", "s.shipping_line_scac"),
		textAs("shipping_line_name", "s.shipping_line_name"),
	)
	add(place("pol", "pol", "port_of_lading", "s.pol_timezone")...)
	add(place("pod", "pod", "port_of_discharge", "coalesce(c.pod_timezone, s.pod_timezone)")...)
	add(facility("pod_terminal", "pt")...)
	add(place("ind", "ind", "destination", "coalesce(c.final_destination_timezone, s.destination_timezone)")...)
	add(facility("ind_terminal", "it")...)
	add(f.pair("empty_out_at", columnPair("c.empty_out_at"))...)
	add(f.pair("full_in_at", columnPair("c.pol_full_in_at"), eventPair("full_in", "full_in"))...)
	add(f.pair("pol_loaded_at", columnPair("c.pol_vessel_loaded_at"), eventPair("loaded", "vessel_loaded"))...)
	add(f.pair("pol_etd_at", columnPair("s.pol_etd_at"))...)
	add(f.pair("pol_atd_at", columnPair("s.pol_atd_at"), columnPair("c.pol_vessel_departed_at"))...)
	add(f.pair("pod_eta_at", columnPair("s.pod_eta_at"))...)
	add(f.pair("pod_arrived_at", columnPair("c.pod_arrived_at"), columnPair("s.pod_ata_at"))...)
	add(f.pair("pod_berthed_at", eventPair("berthed", "vessel_berthed"))...)
	add(f.pair("pod_discharged_at", columnPair("c.pod_discharged_at"))...)
	add(f.pair("pod_last_free_day_on", columnPair("c.pickup_lfd"))...)
	add(f.pair("ssl_last_free_day_on", columnPair("c.pickup_lfd_line"), columnPair("c.ssl_lfd"))...)
	add(f.pair("pod_pickup_appointment_at", columnPair("c.pickup_appointment_at"))...)
	add(f.pair("pod_full_out_at", columnPair("c.pod_full_out_at"))...)
	add(textAs("pod_rail_carrier_scac", "c.pod_rail_carrier_scac"))
	add(f.pair("pod_rail_loaded_at", columnPair("c.pod_rail_loaded_at"))...)
	add(f.pair("pod_rail_departed_at", columnPair("c.pod_rail_departed_at"))...)
	add(textAs("ind_rail_carrier_scac", "c.ind_rail_carrier_scac"))
	add(f.pair("ind_eta_at", columnPair("c.ind_eta_at"))...)
	add(f.pair("ind_arrived_at", columnPair("c.ind_ata_at"))...)
	add(f.pair("ind_rail_unloaded_at", columnPair("c.ind_rail_unloaded_at"))...)
	add(f.pair("ind_last_free_day_on", columnPair("c.ind_facility_lfd_on"), columnPair("c.pickup_lfd_rail"))...)
	add(f.pair("ind_full_out_at", columnPair("c.final_destination_full_out_at"))...)
	add(f.pair("empty_terminated_at", columnPair("c.empty_terminated_at"))...)
	add(
		textAs("fees_at_pod_terminal", "cast(c.fees_at_pod_terminal as text)").is("c.fees_at_pod_terminal"),
		textAs("demurrage_at_pod_terminal", "c.demurrage").is("sum of the demurrage in c.fees_at_pod_terminal"),
		textAs("holds_at_pod_terminal", "cast(c.holds_at_pod_terminal as text)").is("c.holds_at_pod_terminal"),
		textAs("freight_hold_at_pod_terminal", "c.freight_hold").is("c.holds_at_pod_terminal: Hold, Pending or null"),
		textAs("customs_hold_at_pod_terminal", "c.customs_hold").is("c.holds_at_pod_terminal: Hold, Pending or null"),
		textAs("usda_hold_at_pod_terminal", "c.usda_hold").is("c.holds_at_pod_terminal: Hold, Pending or null"),
		textAs("tmf_hold_at_pod_terminal", "c.tmf_hold").is("c.holds_at_pod_terminal: Hold, Pending or null"),
		textAs("other_hold_at_pod_terminal", "c.other_hold").is("c.holds_at_pod_terminal: Hold, Pending or null; any other name"),
		textAs("location_at_pod_terminal", "c.location_at_pod_terminal"),
		textAs("availability_known", yes("c.availability_known")).is("c.availability_known: Yes or No"),
		textAs("available_for_pickup", "case when c.availability_known then case when c.available_for_pickup then 'Yes' else 'No' end end").is("c.available_for_pickup: Yes or No; null unless availability is known"),
		integerAs("equipment_length", "c.equipment_length", "c.equipment_length"),
		textAs("equipment_type", equipmentType).is("c.equipment_type, such as Flat Rack or unknown"),
		textAs("equipment_height", equipmentHeight).is("c.equipment_height: High Cube, Standard or unknown"),
		textAs("equipment", "coalesce(cast(c.equipment_length as text) || ' ', '') || "+equipmentType+" || ' ' || "+equipmentHeight).is("length, type and height, such as 40 Dry High Cube"),
		integerAs("weight_in_lbs", "round(cast(c.weight_in_lbs as numeric))", "c.weight_in_lbs, rounded"),
		textAs("seal_number", "c.seal_number"),
		textAs("pod_full_out_chassis_number", "c.pod_full_out_chassis_number"),
		textAs("pod_voyage_number", "s.pod_voyage_number"),
		textAs("pod_vessel_name", "s.pod_vessel_name"),
		textAs("pod_vessel_imo", "s.pod_vessel_imo"),
		f.timeAs("terminal_checked_at", "c.terminal_checked_at"),
		f.timeAs("line_tracking_last_succeeded_at", "s.line_tracking_last_succeeded_at"),
		f.timeAs("line_tracking_stopped_at", "s.line_tracking_stopped_at"),
		textAs("line_tracking_stopped_reason", "s.line_tracking_stopped_reason"),
		f.timeAs("created_at", "c.created_at"),
		f.timeAs("updated_at", "c.changed_at"),
	)
	return v
}

func (f forms) trackingRequests() view {
	return view{"tracking_requests", []viewColumn{
		textAs("tracking_request_id", "r.id"),
		textAs("request_number", "r.request_number"),
		textAs("reference_numbers", "r.ref_numbers_text").is("r.ref_numbers"),
		textAs("shipment_tags", "r.shipment_tags_text").is("r.shipment_tags or r.tags"),
		textAs("status", "r.status"),
		textAs("failed_reason", "r.failed_reason"),
		textAs("request_type", "r.request_type"),
		textAs("scac", "r.scac"),
		textAs("shipment_id", "r.shipment_id"),
		f.timeAs("created_at", "r.created_at"),
		f.timeAs("updated_at", "r.updated_at"),
	}, `
from t49.tracking_requests r
where r.deleted_at is null`}
}

func (f forms) transportEvents() view {
	return view{"transport_events", []viewColumn{
		textAs("id", "e.id"),
		textAs("event", "e.event"),
		f.timeAs("event_timestamp", "e.timestamp"),
		textAs("event_timestamp_local", padded("e.timestamp_local")).is("e.timestamp"),
		textAs("container_id", "e.container_id"),
		textAs("container_number", "c.number"),
		textAs("shipment_id", "coalesce(e.shipment_id, c.shipment_id)"),
		textAs("shipment_number", "s.bill_of_lading_number"),
		textAs("port_metro_id", "e.location_id"),
		textAs("port_metro_locode", "coalesce(e.location_locode, p.code)"),
		textAs("port_metro_country_code", "coalesce(p.country_code, substr(coalesce(e.location_locode, p.code), 1, 2))").is("p.country_code or the first letters of e.location_locode"),
		textAs("port_metro_city", "coalesce(p.city, p.name)"),
		textAs("port_metro_time_zone", "coalesce(e.timezone, p.time_zone)"),
		textAs("facility_id", "e.terminal_id"),
		textAs("facility_firms_code", "t.firms_code"),
		textAs("facility_nickname", "t.nickname"),
		textAs("facility_name", "t.name"),
		textAs("vessel_id", "e.vessel_id"),
		textAs("vessel_name", "v.name"),
		textAs("vessel_imo", "v.imo"),
		textAs("vessel_mmsi", "v.mmsi"),
		textAs("voyage_number", "e.voyage_number"),
		textAs("data_source_label", "e.data_source"),
		f.timeAs("invalidated_at", "e.invalidated_at"),
		textAs("invalidation_reason", "cast(null as text)").is("null: the service does not report it"),
		textAs("previous_version_id", "e.previous_version_id"),
		f.timeAs("created_at", "e.created_at"),
		f.timeAs("updated_at", "e.changed_at"),
	}, `
from t49.transport_events e
left join t49.containers c on c.id = e.container_id
left join t49.shipments s on s.id = coalesce(e.shipment_id, c.shipment_id)
left join t49.ports p on p.id = e.location_id
left join t49.terminals t on t.id = e.terminal_id
left join t49.vessels v on v.id = e.vessel_id
where e.deleted_at is null and e.event not like 'container.transport.estimated.%'`}
}

// transferStatus shows when a page with rows of a table was last stored.
func (f forms) transferStatus() view {
	return view{"_transfer_status", []viewColumn{
		textAs("data_model_name", "m.name").is("name of the table"),
		f.timeAs("transfer_last_updated_at", "max(w.page_at)").is("when a page of it was last stored"),
	}, `
from (
  select 'shipments' as name, 'shipments' as scope union all
  select 'containers', 'shipments' union all
  select 'containers', 'containers' union all
  select 'tracking_requests', 'tracking_requests' union all
  select 'transport_events', 'containers'
) m
left join t49.walks w on w.scope = m.scope or w.scope like m.scope || '.%'
group by m.name`}
}

// lastSeen are the resources that pages of lists showed last.
func (f forms) lastSeen() string {
	each, texts := f.pick("json_each", "jsonb_each"), f.pick("json_each", "jsonb_array_elements_text")
	return fmt.Sprintf(`select k.key as kind, i.value as id, max(p.seen_at) as seen_at
from t49.pages p cross join %s(p.refs) k cross join %s(k.value) i group by k.key, i.value`, each, texts)
}

// createViews are the statements for all views.
func createViews(d sqlstore.Dialect) string {
	var b strings.Builder
	create := forms{d}.pick("create view if not exists", "create or replace view")
	b.WriteString(create + " t49.last_seen as\n" + forms{d}.lastSeen() + ";\n")
	for _, t := range schema.Tables {
		fmt.Fprintf(&b, "%s t49.live_%s as select * from t49.%[2]s where deleted_at is null;\n", create, t.Name)
	}
	for _, v := range dataSyncViews(d) {
		fmt.Fprintf(&b, "%s datasync.%s as select", create, v.name)
		for i, c := range v.columns {
			fmt.Fprintf(&b, "%s\n  %s as %s", strings.Repeat(",", min(i, 1)), c.sql, c.name)
		}
		b.WriteString(v.from + ";\n")
	}
	if d == sqlstore.SQLite {
		return strings.NewReplacer("t49.", "", "datasync.", "datasync_").Replace(b.String())
	}
	return b.String()
}
