package schema

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/sqlstore"
)

// elsewhere are the fields of the client's types that have no column, and why.
var elsewhere = map[string]string{
	"Shipment.Containers":       "containers.shipment_id",
	"Shipment.PartyRoles":       "the mirror does not ask for them",
	"Container.TransportEvents": "transport_events.container_id",
	"Container.RawEvents":       "deprecated, and the mirror does not ask for them",
	"Port.Terminals":            "terminals.port_id",
	"Vessel.Positions":          "the mirror does not ask for them",
	"CustomField.UpdatedAt":     "in the column raw alone",
}

// samples are JSON of the kinds of fields.
var samples = []string{
	`"2026-03-02T16:00:00Z"`, `true`, `7`, `["x"]`, `{"type":"container","id":"x"}`, `[{"type":"container","id":"x"}]`,
	`[{"name":"customs","type":"exam","status":"hold","amount":7}]`, `{"pickup_lfd":true}`, `{"pickup_lfd":[null,"x"]}`,
	`{"line":{"current":"2026-03-02T16:00:00Z"}}`,
}

// The catalogue lists the attributes, the client's types have them, and each is in a column.
func TestRow_HasEveryField(t *testing.T) {
	for wire, of := range map[string]json.Marshaler{
		"shipment": new(terminal49.Shipment), "container": new(terminal49.Container),
		"tracking_request": new(terminal49.TrackingRequest), "transport_event": new(terminal49.TransportEvent),
		"estimated_event": new(terminal49.EstimatedEvent), "container_updated_event": new(terminal49.ContainerUpdatedEvent),
		"container_created_event":              new(terminal49.ContainerCreatedEvent),
		"container_pod_terminal_changed_event": new(terminal49.ContainerPODTerminalChangedEvent),
		"port":                                 new(terminal49.Port), "metro_area": new(terminal49.MetroArea),
		"terminal": new(terminal49.Terminal), "vessel": new(terminal49.Vessel), "party": new(terminal49.Party),
		"shipping_line": new(terminal49.ShippingLine), "document": new(terminal49.Document),
		"custom_field": new(terminal49.CustomField),
	} {
		typ := reflect.TypeOf(of).Elem()
		for _, field := range fieldsOf(typ) {
			v := reflect.New(typ)
			v.Elem().FieldByName("ID").SetString("1")
			v.Elem().FieldByName("Type").SetString(wire)
			empty := rowOf(t, v.Interface())
			require.True(t, fill(v.Elem().FieldByIndex(field.Index)), "a sample for %s.%s", typ, field.Name)
			require.NotEqual(t, empty, rowOf(t, v.Interface()), "%s.%s is in no column", typ, field.Name)
		}
	}
}

// fieldsOf returns the fields of a client's type that need a column, those of Deadlines too.
func fieldsOf(typ reflect.Type) (fields []reflect.StructField) {
	for _, field := range reflect.VisibleFields(typ) {
		switch {
		case len(field.Index) > 1 || field.Anonymous || !field.IsExported() || elsewhere[typ.Name()+"."+field.Name] != "":
		case field.Type == reflect.TypeFor[terminal49.ImportDeadlines]():
			for _, deadline := range reflect.VisibleFields(field.Type) {
				deadline.Index = append(field.Index[:1:1], deadline.Index...)
				fields = append(fields, deadline)
			}
		default:
			fields = append(fields, field)
		}
	}
	return fields
}

// fill sets a field to any value but the zero value.
func fill(field reflect.Value) bool {
	for _, sample := range samples {
		if json.Unmarshal([]byte(sample), field.Addr().Interface()) == nil && !field.IsZero() {
			return true
		}
		field.SetZero()
	}
	return false
}

func rowOf(t testing.TB, v any) []any {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	values, err := valuesOf(t, string(data), model.OriginZones{})
	require.NoError(t, err)
	return values
}

func valuesOf(t testing.TB, data string, z model.OriginZones) ([]any, error) {
	t.Helper()
	res := resourceFrom(t, data)
	values, err := TableOf(res.Type).Row(sqlstore.SQLite, res, z)
	require.Len(t, values, len(TableOf(res.Type).ColumnNames()))
	return values, err
}

func resourceFrom(t testing.TB, data string) *model.Resource {
	t.Helper()
	res := new(model.Resource)
	require.NoError(t, json.Unmarshal([]byte(data), res))
	return res
}

// columns returns the values of a row by column, without null.
func columns(t testing.TB, data string, z model.OriginZones) (map[string]any, error) {
	t.Helper()
	values, err := valuesOf(t, data, z)
	named := map[string]any{}
	for i, name := range TableOf(resourceFrom(t, data).Type).ColumnNames() {
		if values[i] != nil {
			named[name] = values[i]
		}
	}
	return named, err
}

// An empty text is absent, null and empty lists differ, instants are in UTC, wall clocks in the
// zone of the place.
func TestRow_OfAContainer(t *testing.T) {
	got, err := columns(t, mirrortest.SampleContainer, model.OriginZones{})
	require.NoError(t, err)
	require.Equal(t, map[string]any{
		"shipment_id": "s1", "pod_terminal_id": "t1", "number": "TGHU6578122", "ref_numbers": json.RawMessage(`["PO 1"]`),
		"equipment_length": 40, "equipment_type": "flat rack", "weight_in_lbs": 46694.5, "availability_known": true,
		"ref_numbers_text":      "PO 1",
		"holds_at_pod_terminal": json.RawMessage(`[{"name":"customs","status":"hold"}]`), "fees_at_pod_terminal": json.RawMessage(`[]`),
		"customs_hold":     "Hold",
		"import_deadlines": json.RawMessage(`{"pickup_lfd_terminal":"2026-03-02T08:00:00Z","pickup_lfd_rail":null}`),
		"pickup_lfd":       "2026-03-02T08:00:00.000000Z", "pickup_lfd_local": "2026-03-02 00:00:00",
		"pickup_lfd_terminal": "2026-03-02T08:00:00.000000Z", "pickup_lfd_terminal_local": "2026-03-02 00:00:00",
		"ind_eta_at_local": "2026-03-09 10:30:00", // the zone is null: the digits are the wall clock, the instant is unknown
		"pod_arrived_at":   "2026-02-20T03:15:00.000000Z", "pod_arrived_at_local": "2026-02-19 19:15:00",
		"empty_out_at": "2026-01-30T20:00:00.000000Z", "pol_vessel_loaded_at": "2026-02-01T20:00:00.000000Z", // the zones are not reported
		"created_at": "2026-01-15T12:00:00.000000Z", "terminal_checked_at": "2026-02-28T00:00:00.250000Z",
		"pod_timezone": "America/Los_Angeles",
	}, got)
}

// Pol_timezone of the shipment applies to the loading, the zone of the event to
// the gate.
func TestRow_ZonesOfOrigin(t *testing.T) {
	shanghai := model.OriginZones{Lading: map[string]string{"s1": "Asia/Shanghai"}}
	got, err := columns(t, mirrortest.SampleContainer, shanghai)
	require.NoError(t, err)
	require.Equal(t, "2026-02-02 04:00:00", got["pol_vessel_loaded_at_local"])
	require.Equal(t, "2026-02-01T20:00:00.000000Z", got["pol_vessel_loaded_at"])
	require.Equal(t, "Asia/Shanghai", got["pol_timezone"])
	require.NotContains(t, got, "empty_out_at_local", "a gate may be far from the port")

	unknown := model.OriginZones{
		Lading: map[string]string{"s1": ""},
		Gates: map[string][]*model.Resource{"c1": {resourceFrom(t, `{"id":"e1","type":"transport_event","attributes":{
			"event":"container.transport.empty_out","timestamp":"2026-01-30T20:00:00Z","timezone":"Asia/Urumqi"}}`)}},
	}
	got, err = columns(t, mirrortest.SampleContainer, unknown)
	require.NoError(t, err)
	require.Equal(t, "2026-02-01 20:00:00", got["pol_vessel_loaded_at_local"])
	require.NotContains(t, got, "pol_vessel_loaded_at", "a wall clock without a zone has no instant")
	require.Equal(t, "2026-01-31 02:00:00", got["empty_out_at_local"])
	require.Equal(t, "Asia/Urumqi", got["empty_out_timezone"])
}

// A last free day may be a calendar day, or a time in either of two zones.
func TestRow_DaysWithoutATime(t *testing.T) {
	const zoned = `{"id":"c","type":"container","attributes":{"pod_timezone":"America/Los_Angeles","final_destination_timezone":"America/Chicago",`
	for lfd, local := range map[string]any{
		"2026-03-02":           "2026-03-02",
		"2026-03-02T18:00:00Z": "2026-03-02", // the same day at both
		"2026-03-02T07:00:00Z": nil,          // another day at each
		"2026-03-02T06:00:00Z": "2026-03-02 00:00:00",
	} {
		got, err := columns(t, zoned+`"pickup_lfd":"`+lfd+`"}}`, model.OriginZones{})
		require.NoError(t, err)
		require.Equal(t, local, got["pickup_lfd_local"], lfd)
	}
}

func TestRow_OddMembersAreNull(t *testing.T) {
	got, err := columns(t, `{"id":"c","type":"container","attributes":{"number":"TGHU6578122","equipment_length":"long","pod_arrived_at":7},
		"relationships":{"shipment":{"data":"s1"},"pod_terminal":{"data":{"id":"t1","type":"terminal"}}}}`, model.OriginZones{})
	require.Equal(t, OddMembers{"equipment_length", "pod_arrived_at", "shipment"}, err)
	require.Equal(t, map[string]any{"number": "TGHU6578122", "pod_terminal_id": "t1"}, got)
}

// Postgres refuses NUL, surrogates without a pair and the year 0.
func TestRow_StaysWithinWhatPostgresStores(t *testing.T) {
	clean, err := model.ScrubResource(resourceFrom(t, `{"id":"c","type":"container","attributes":{"number":"T\u0000G","ref_numbers":["a\u0000b\ud800"],
		"release_statuses":{"x\u0000":1.50},"created_at":"0000-01-01T00:00:00Z"}}`))
	require.NoError(t, err)
	got, err := columns(t, string(clean.Raw), model.OriginZones{})
	require.NoError(t, err)
	require.Equal(t, map[string]any{
		"number": "T\uFFFDG", "ref_numbers": json.RawMessage(`["a�b�"]`), "ref_numbers_text": "a\uFFFDb\uFFFD",
		"release_statuses": json.RawMessage("{\"x\uFFFD\":1.50}"),
	}, got)
}

// What readers of whole tables need, by DataSync's words: lists with commas, Hold or Pending, a
// sum.
func TestRow_Summaries(t *testing.T) {
	of := func(attributes string) map[string]any {
		got, err := columns(t, `{"id":"c","type":"container","attributes":{`+attributes+`}}`, model.OriginZones{})
		require.NoError(t, err)
		return got
	}
	for holds, want := range map[string][5]any{
		`null`: {}, `[]`: {},
		`[{"name":"Freight","status":"pending"},{"name":"FREIGHT","status":"hold"}]`:      {"Hold"},
		`[{"name":"customs","status":"pending"},{"name":"tmf","status":"hold"}]`:          {nil, "Pending", nil, "Hold"},
		`[{"name":"USDA","status":"cleared"},{"name":"","status":"hold"}]`:                {4: "Hold"},
		`[{"name":"VACIS","status":"hold"},{"name":"x","status":"pending"},{"name":"y"}]`: {4: "Hold"},
		`[{"name":"x","status":"pending"},{"name":"freight","status":"HOLD"}]`:            {4: "Pending"},
	} {
		got := of(`"holds_at_pod_terminal":` + holds)
		require.Equal(t, want, [5]any{got["freight_hold"], got["customs_hold"], got["usda_hold"], got["tmf_hold"], got["other_hold"]}, holds)
	}
	for fees, want := range map[string]any{
		`null`: nil, `[]`: nil, `[{"type":"exam","amount":50}]`: nil,
		`[{"type":"demurrage","amount":0.1},{"type":"demurrage","amount":"0.2"},{"type":"total","amount":9}]`: "0.3",
		`[{"type":"demurrage","amount":null}]`: "0", `[{"type":"demurrage","amount":1300.50}]`: "1300.5",
	} {
		require.Equal(t, want, of(`"fees_at_pod_terminal":` + fees)["demurrage"], fees)
	}
	require.Equal(t, "b,a", of(`"ref_numbers":["b","","a"]`)["ref_numbers_text"])
	require.NotContains(t, of(`"ref_numbers":[""]`), "ref_numbers_text")
	s, err := columns(t, `{"id":"s","type":"shipment","attributes":{"tags":["b","","a","B"]}}`, model.OriginZones{})
	require.NoError(t, err)
	require.Equal(t, "B,a,b", s["tags_text"])
	for attributes, want := range map[string]any{`"shipment_tags":["x"],"tags":["y"]`: "x", `"tags":["z","y"]`: "z,y", `"shipment_tags":[],"tags":["y"]`: nil} {
		r, err := columns(t, `{"id":"r","type":"tracking_request","attributes":{`+attributes+`}}`, model.OriginZones{})
		require.NoError(t, err)
		require.Equal(t, want, r["shipment_tags_text"], attributes)
	}
}

// Every kind of resource has a table, and a table has facts only or none.
func TestTables_HaveTheKinds(t *testing.T) {
	n := 0
	for _, of := range Tables {
		for _, typ := range of.Types {
			n++
			require.True(t, model.IsKept(typ), typ)
			require.Equal(t, of.Facts(), model.IsFact(typ), typ)
			require.Same(t, of, TableOf(typ))
		}
	}
	require.Len(t, model.Kinds, n)
}
