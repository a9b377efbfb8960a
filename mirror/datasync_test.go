package mirror

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/terminal49test"
)

// dataSyncColumns are the columns of DataSync's tables in their order, from its documentation
// . "x+L" is a timestamp x and a text x_local; a number is of that type.
var dataSyncColumns = map[string]string{
	"shipments": `shipment_id shipping_line_scac shipping_line_name bill_of_lading_number normalized_number reference_numbers tags
		customer_id customer_name pol_locode pod_locode pod_terminal_firms_code destination_locode destination_terminal_firms_code
		pol_atd_at:timestamp pol_etd_at:timestamp pod_eta_at:timestamp pod_arrived_at:timestamp pod_voyage_number pod_vessel_name
		pod_vessel_imo line_tracking_last_succeeded_at:timestamp line_tracking_stopped_at:timestamp line_tracking_stopped_reason
		created_at:timestamp updated_at:timestamp`,
	"containers": `container_id container_number shipment_id shipment_bill_of_lading_number shipment_normalized_number
		shipment_reference_numbers container_reference_numbers shipment_tags customer_id customer_name shipping_line_scac
		shipping_line_name pol_country_code pol_locode pol_city pol_timezone pod_country_code pod_locode pod_city pod_timezone
		pod_terminal_firms_code pod_terminal_nickname pod_terminal_name ind_country_code ind_locode ind_city ind_timezone
		ind_terminal_firms_code ind_terminal_nickname ind_terminal_name empty_out_at+L full_in_at+L pol_loaded_at+L pol_etd_at+L
		pol_atd_at+L pod_eta_at+L pod_arrived_at+L pod_berthed_at+L pod_discharged_at+L pod_last_free_day_on+L
		ssl_last_free_day_on+L pod_pickup_appointment_at+L pod_full_out_at+L pod_rail_carrier_scac pod_rail_loaded_at+L
		pod_rail_departed_at+L ind_rail_carrier_scac ind_eta_at+L ind_arrived_at+L ind_rail_unloaded_at+L ind_last_free_day_on+L
		ind_full_out_at+L empty_terminated_at+L fees_at_pod_terminal demurrage_at_pod_terminal holds_at_pod_terminal
		freight_hold_at_pod_terminal customs_hold_at_pod_terminal usda_hold_at_pod_terminal tmf_hold_at_pod_terminal
		other_hold_at_pod_terminal location_at_pod_terminal availability_known available_for_pickup equipment_length:integer
		equipment_type equipment_height equipment weight_in_lbs:integer seal_number pod_full_out_chassis_number pod_voyage_number
		pod_vessel_name pod_vessel_imo terminal_checked_at:timestamp line_tracking_last_succeeded_at:timestamp
		line_tracking_stopped_at:timestamp line_tracking_stopped_reason created_at:timestamp updated_at:timestamp`,
	"tracking_requests": `tracking_request_id request_number reference_numbers shipment_tags status failed_reason request_type scac
		shipment_id created_at:timestamp updated_at:timestamp`,
	"transport_events": `id event event_timestamp+L container_id container_number shipment_id shipment_number port_metro_id
		port_metro_locode port_metro_country_code port_metro_city port_metro_time_zone facility_id facility_firms_code
		facility_nickname facility_name vessel_id vessel_name vessel_imo vessel_mmsi voyage_number data_source_label
		invalidated_at:timestamp invalidation_reason previous_version_id created_at:timestamp updated_at:timestamp`,
	"_transfer_status": `data_model_name transfer_last_updated_at:timestamp`,
}

func TestDataSync_HasItsColumns(t *testing.T) {
	t.Parallel()
	counts := map[string]int{"shipments": 26, "containers": 101, "tracking_requests": 11, "transport_events": 28, "_transfer_status": 2}
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := migrated(t, db)
		for name, columns := range dataSyncColumns {
			var want []dbColumn
			for _, c := range strings.Fields(columns) {
				c, paired := strings.CutSuffix(c, "+L")
				c, typ, _ := strings.Cut(c, ":")
				if paired {
					want = append(want, dbColumn{c, "timestamp"})
					c += "_local"
				}
				want = append(want, dbColumn{c, typ})
			}
			got := columnsOf(t, m, "datasync", name)
			require.Len(t, got, counts[name], name)
			for i := range got {
				require.Equal(t, want[i].name, got[i].name)
				if m.db.Dialect == sqlstore.Postgres { // a view of SQLite has no types
					typ, _, _ := strings.Cut(got[i].typ, " without time zone")
					require.Equal(t, cmp.Or(want[i].typ, "text"), typ, "%s.%s", name, got[i].name)
				}
			}
		}
	})
}

// dataSyncSample are resources with attributes of all kinds.
const dataSyncSample = `{"data":[
{"id":"s1","type":"shipment","attributes":{"bill_of_lading_number":"MAEU231812345","normalized_number":"231812345",
	"ref_numbers":["PO 2","PO 1"],"tags":["urgent","apparel"],"customer_name":"Acme","shipping_line_scac":"MAEU",
	"shipping_line_name":"Maersk","port_of_lading_locode":"CNSHA","port_of_lading_name":"Shanghai","port_of_discharge_locode":"USLAX",
	"port_of_discharge_name":"Los Angeles","destination_locode":"USCHI","destination_name":"Chicago","pol_timezone":"Asia/Shanghai",
	"pod_timezone":"America/Los_Angeles","destination_timezone":"America/Chicago","pol_atd_at":"2026-02-02T20:00:00Z",
	"pol_etd_at":"2026-02-01T16:00:00Z","pod_eta_at":null,"pod_ata_at":"2026-02-20T03:15:00Z","pod_vessel_name":"EVER GIVEN",
	"pod_vessel_imo":"9811000","pod_voyage_number":"012E","line_tracking_last_succeeded_at":"2026-03-01T01:02:03Z",
	"line_tracking_stopped_at":null,"created_at":"2026-01-15T12:00:00Z"},
	"relationships":{"port_of_lading":{"data":{"id":"p1","type":"port"}},"destination":{"data":{"id":"m1","type":"metro_area"}},
	"pod_terminal":{"data":{"id":"t1","type":"terminal"}},"destination_terminal":{"data":{"id":"t2","type":"rail_terminal"}}}},
{"id":"c1","type":"container","attributes":{"number":"TGHU6578122","ref_numbers":["A"],"equipment_length":40,"equipment_type":"flat rack",
	"equipment_height":"high_cube","weight_in_lbs":46694.7,"seal_number":"","availability_known":true,"available_for_pickup":false,
	"holds_at_pod_terminal":[{"name":"customs","status":"hold","description":"exam"},{"name":"freight","status":"pending"},
	{"name":"USDA","status":"pending"},{"name":"USDA","status":"hold"},{"name":"VACIS","status":"hold"}],
	"fees_at_pod_terminal":[{"type":"demurrage","amount":300,"currency_code":"USD"},{"type":"exam","amount":50},{"type":"demurrage","amount":125.5}],
	"pickup_lfd":"2026-03-02T08:00:00Z","pickup_appointment_at":"2026-03-01T17:30:00Z",
	"import_deadlines":{"pickup_lfd_terminal":"2026-03-02T08:00:00Z","pickup_lfd_line":"2026-03-03","pickup_lfd_rail":"2026-03-05T06:00:00Z"},
	"pod_timezone":"America/Los_Angeles","final_destination_timezone":"America/Chicago","pod_arrived_at":"2026-02-20T03:15:00Z",
	"pod_discharged_at":"2026-02-21T10:00:00Z","empty_out_at":"2026-01-30T20:00:00Z","pol_full_in_at":null,
	"pol_vessel_loaded_at":"2026-02-01T20:00:00Z","ind_eta_at":"2026-03-04T12:00:00Z","terminal_checked_at":"2026-02-28T00:00:00Z",
	"created_at":"2026-01-15T12:00:01Z"},"relationships":{"shipment":{"data":{"id":"s1","type":"shipment"}}}},
{"id":"c2","type":"container","attributes":{"number":"MSCU1234566","availability_known":false,"available_for_pickup":true,"weight_in_lbs":0,
	"ref_numbers":[],"holds_at_pod_terminal":[]}},
{"id":"p1","type":"port","attributes":{"name":"Shanghai","code":"CNSHA","city":"Pudong","country_code":"CN","time_zone":"Asia/Shanghai"}},
{"id":"m1","type":"metro_area","attributes":{"name":"Chicago","code":"USCHI","country_code":"US","time_zone":"America/Chicago"}},
{"id":"t1","type":"terminal","attributes":{"name":"Fenix Marine","nickname":"FMS","firms_code":"Z952"}},
{"id":"t2","type":"rail_terminal","attributes":{"name":"Logistics Park","nickname":"LPC","firms_code":"H572"}},
{"id":"v1","type":"vessel","attributes":{"name":"EVER GIVEN","imo":"9811000","mmsi":"353136000"}},
{"id":"r1","type":"tracking_request","attributes":{"request_number":"MAEU231812345","request_type":"bill_of_lading","scac":"MAEU","status":"created",
	"ref_numbers":["PO 2","PO 1"],"shipment_tags":["urgent","apparel"],"created_at":"2026-01-15T11:59:00Z","updated_at":"2026-01-15T12:00:00Z"},
	"relationships":{"tracked_object":{"data":{"id":"s1","type":"shipment"}},"customer":{"data":{"id":"party1","type":"party"}}}},
{"id":"e1","type":"transport_event","attributes":{"event":"container.transport.full_in","timestamp":"2026-01-31T02:00:00Z","timezone":"Asia/Shanghai",
	"location_locode":"CNSHA","data_source":"shipping_line","created_at":"2026-01-31T03:00:00Z","invalidated_at":"2026-02-01T00:00:00Z"},
	"relationships":{"container":{"data":{"id":"c1","type":"container"}}}},
{"id":"e2","type":"transport_event","attributes":{"event":"container.transport.full_in","timestamp":"2026-01-31T04:00:00Z","timezone":"Asia/Shanghai",
	"location_locode":"CNSHA","voyage_number":"012E","data_source":"shipping_line","created_at":"2026-02-01T00:00:00Z"},
	"relationships":{"container":{"data":{"id":"c1","type":"container"}},"location":{"data":{"id":"p1","type":"port"}},
	"vessel":{"data":{"id":"v1","type":"vessel"}},"terminal":{"data":{"id":"t1","type":"terminal"}},"previous_version":{"data":{"id":"e1","type":"transport_event"}}}},
{"id":"e3","type":"transport_event","attributes":{"event":"container.transport.vessel_berthed","timestamp":"2026-02-20T05:00:00Z","timezone":"America/Los_Angeles"},
	"relationships":{"container":{"data":{"id":"c1","type":"container"}}}},
{"id":"e4","type":"transport_event","attributes":{"event":"container.transport.estimated.vessel_arrived","timestamp":"2026-02-19T05:00:00Z"}}
]}`

// walkPage writes a document as a page of a walk.
func walkPage(t *testing.T, m *Mirror, l *store.Lease, text string) {
	t.Helper()
	var d model.Document
	require.NoError(t, json.Unmarshal([]byte(text), &d))
	ticket, err := m.db.Draw(t.Context())
	require.NoError(t, err)
	require.NoError(t, m.db.Apply(t.Context(), l, "test", func(tx *store.Tx) error {
		return tx.Write(t.Context(), plan.Reading{Ticket: ticket, Until: ticket, Sent: time.Now(), Source: "walk"}, d.All())
	}))
}

// rowsOf returns the rows of a view by id, without null. Times are in the form of DataSync's texts.
func rowsOf(t *testing.T, m *Mirror, view string) map[string]map[string]any {
	t.Helper()
	rows, err := m.db.Pool.QueryContext(context.Background(), m.db.SQL("select * from datasync."+view))
	require.NoError(t, err)
	defer rows.Close() //nolint:errcheck // rows.Err has it
	names, err := rows.Columns()
	require.NoError(t, err)
	all := map[string]map[string]any{}
	for rows.Next() {
		values, at := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			at[i] = &values[i]
		}
		require.NoError(t, rows.Scan(at...))
		row := map[string]any{}
		for i, v := range values {
			if at, ok := v.(time.Time); ok {
				v = at.Format(time.DateTime)
			}
			if v != nil && names[i] != "updated_at" {
				row[names[i]] = v
			}
		}
		all[values[0].(string)] = row
	}
	require.NoError(t, rows.Err())
	return all
}

// DataSync's documentation: timestamps in UTC and local text, lists with commas, tags sorted, Yes
// and No, Hold and Pending, whole pounds and feet, a demurrage that is the sum.
func TestDataSync_HasItsValues(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		m, l := stored(t, db, srv)
		walkPage(t, m, l, dataSyncSample)
		require.Equal(t, map[string]map[string]any{"s1": {
			"shipment_id": "s1", "shipping_line_scac": "MAEU", "shipping_line_name": "Maersk", "bill_of_lading_number": "MAEU231812345",
			"normalized_number": "231812345", "reference_numbers": "PO 2,PO 1", "tags": "apparel,urgent", "customer_id": "party1",
			"customer_name": "Acme", "pol_locode": "CNSHA", "pod_locode": "USLAX", "pod_terminal_firms_code": "Z952",
			"destination_locode": "USCHI", "destination_terminal_firms_code": "H572", "pol_atd_at": "2026-02-02 20:00:00",
			"pol_etd_at": "2026-02-01 16:00:00", "pod_arrived_at": "2026-02-20 03:15:00", "pod_voyage_number": "012E",
			"pod_vessel_name": "EVER GIVEN", "pod_vessel_imo": "9811000", "line_tracking_last_succeeded_at": "2026-03-01 01:02:03",
			"created_at": "2026-01-15 12:00:00",
		}}, rowsOf(t, m, "shipments"))

		containers := rowsOf(t, m, "containers")
		require.JSONEq(t, `[{"type":"demurrage","amount":300,"currency_code":"USD"},{"type":"exam","amount":50},{"type":"demurrage","amount":125.5}]`,
			containers["c1"]["fees_at_pod_terminal"].(string))
		require.Contains(t, containers["c1"]["holds_at_pod_terminal"], "VACIS")
		delete(containers["c1"], "fees_at_pod_terminal")
		delete(containers["c1"], "holds_at_pod_terminal")
		require.Equal(t, map[string]any{
			"container_id": "c1", "container_number": "TGHU6578122", "shipment_id": "s1", "shipment_bill_of_lading_number": "MAEU231812345",
			"shipment_normalized_number": "231812345", "shipment_reference_numbers": "PO 2,PO 1", "container_reference_numbers": "A",
			"shipment_tags": "apparel,urgent", "customer_id": "party1", "customer_name": "Acme", "shipping_line_scac": "MAEU",
			"shipping_line_name": "Maersk", "pol_country_code": "CN", "pol_locode": "CNSHA", "pol_city": "Pudong", "pol_timezone": "Asia/Shanghai",
			"pod_country_code": "US", "pod_locode": "USLAX", "pod_city": "Los Angeles", "pod_timezone": "America/Los_Angeles",
			"pod_terminal_firms_code": "Z952", "pod_terminal_nickname": "FMS", "pod_terminal_name": "Fenix Marine",
			"ind_country_code": "US", "ind_locode": "USCHI", "ind_city": "Chicago", "ind_timezone": "America/Chicago",
			"ind_terminal_firms_code": "H572", "ind_terminal_nickname": "LPC", "ind_terminal_name": "Logistics Park",
			"empty_out_at": "2026-01-30 20:00:00",                                            // no event has the zone
			"full_in_at":   "2026-01-31 04:00:00", "full_in_at_local": "2026-01-31 12:00:00", // of the valid event
			"pol_loaded_at": "2026-02-01 20:00:00", "pol_loaded_at_local": "2026-02-02 04:00:00",
			"pol_etd_at": "2026-02-01 16:00:00", "pol_etd_at_local": "2026-02-02 00:00:00",
			"pol_atd_at": "2026-02-02 20:00:00", "pol_atd_at_local": "2026-02-03 04:00:00",
			"pod_arrived_at": "2026-02-20 03:15:00", "pod_arrived_at_local": "2026-02-19 19:15:00",
			"pod_berthed_at": "2026-02-20 05:00:00", "pod_berthed_at_local": "2026-02-19 21:00:00",
			"pod_discharged_at": "2026-02-21 10:00:00", "pod_discharged_at_local": "2026-02-21 02:00:00",
			"pod_last_free_day_on": "2026-03-02 08:00:00", "pod_last_free_day_on_local": "2026-03-02 00:00:00",
			"ssl_last_free_day_on_local": "2026-03-03 00:00:00", // only a day was sent
			"pod_pickup_appointment_at":  "2026-03-01 17:30:00", "pod_pickup_appointment_at_local": "2026-03-01 09:30:00",
			"ind_eta_at": "2026-03-04 12:00:00", "ind_eta_at_local": "2026-03-04 06:00:00",
			"ind_last_free_day_on": "2026-03-05 06:00:00", "ind_last_free_day_on_local": "2026-03-05 00:00:00",
			"demurrage_at_pod_terminal": "425.5", "freight_hold_at_pod_terminal": "Pending", "customs_hold_at_pod_terminal": "Hold",
			"usda_hold_at_pod_terminal": "Hold", "other_hold_at_pod_terminal": "Hold", "availability_known": "Yes", "available_for_pickup": "No",
			"equipment_length": int64(40), "equipment_type": "Flat Rack", "equipment_height": "High Cube", "equipment": "40 Flat Rack High Cube",
			"weight_in_lbs": int64(46695), "pod_voyage_number": "012E", "pod_vessel_name": "EVER GIVEN", "pod_vessel_imo": "9811000",
			"terminal_checked_at": "2026-02-28 00:00:00", "line_tracking_last_succeeded_at": "2026-03-01 01:02:03", "created_at": "2026-01-15 12:00:01",
		}, containers["c1"])
		require.Equal(t, map[string]any{
			"container_id": "c2", "container_number": "MSCU1234566", "availability_known": "No", // a weight of 0 is unknown
			"equipment_type": "unknown", "equipment_height": "unknown", "equipment": "unknown unknown", "holds_at_pod_terminal": "[]",
		}, containers["c2"], "availability without its feed means nothing")

		require.Equal(t, map[string]map[string]any{"r1": {
			"tracking_request_id": "r1", "request_number": "MAEU231812345", "reference_numbers": "PO 2,PO 1", "shipment_tags": "urgent,apparel",
			"status": "created", "request_type": "bill_of_lading", "scac": "MAEU", "shipment_id": "s1", "created_at": "2026-01-15 11:59:00",
		}}, rowsOf(t, m, "tracking_requests"))

		events := rowsOf(t, m, "transport_events")
		require.Len(t, events, 3, "without estimates")
		require.Equal(t, map[string]any{
			"id": "e2", "event": "container.transport.full_in", "event_timestamp": "2026-01-31 04:00:00", "event_timestamp_local": "2026-01-31 12:00:00",
			"container_id": "c1", "container_number": "TGHU6578122", "shipment_id": "s1", "shipment_number": "MAEU231812345",
			"port_metro_id": "p1", "port_metro_locode": "CNSHA", "port_metro_country_code": "CN", "port_metro_city": "Pudong",
			"port_metro_time_zone": "Asia/Shanghai", "facility_id": "t1", "facility_firms_code": "Z952", "facility_nickname": "FMS",
			"facility_name": "Fenix Marine", "vessel_id": "v1", "vessel_name": "EVER GIVEN", "vessel_imo": "9811000", "vessel_mmsi": "353136000",
			"voyage_number": "012E", "data_source_label": "shipping_line", "previous_version_id": "e1", "created_at": "2026-02-01 00:00:00",
		}, events["e2"])
		require.Equal(t, "2026-02-01 00:00:00", events["e1"]["invalidated_at"])
	})
}
