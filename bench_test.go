package terminal49

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/testkit/naive"
)

// The page that both benchmarks read: 100 shipments with 2 containers each, and the ports and
// terminals they share.
const (
	benchShipments  = 100
	benchContainers = 2
	benchPorts      = 12
	benchTerminals  = 10
)

// pageMaker writes a page as the service does: members in the service's order, null for unknown
// values.
type pageMaker struct{ random *rand.Rand }

type members = map[string]any

func (m pageMaker) id() string {
	return fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", m.random.Uint32(), m.random.Uint32()&0xffff,
		m.random.Uint32()&0xfff, m.random.Uint32()&0xfff, m.random.Uint64()&0xffffffffffff)
}

func (m pageMaker) when() string {
	return fmt.Sprintf("2026-%02d-%02dT%02d:%02d:00Z", 1+m.random.IntN(12), 1+m.random.IntN(28), m.random.IntN(24),
		m.random.IntN(60))
}

func (m pageMaker) ids(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = m.id()
	}
	return ids
}

func to(typ, id string) members { return members{"data": members{"id": id, "type": typ}} }

func toMany(typ string, ids []string) members {
	refs := make([]members, len(ids))
	for i, id := range ids {
		refs[i] = members{"id": id, "type": typ}
	}
	return members{"data": refs}
}

func (m pageMaker) page() []byte {
	ports, terminals := m.ids(benchPorts), m.ids(benchTerminals)
	var data, included []json.RawMessage
	for range benchShipments {
		id, containers := m.id(), m.ids(benchContainers)
		data = append(data, m.shipment(id, containers, ports, terminals))
		for _, c := range containers {
			included = append(included, m.container(c, id, terminals))
		}
	}
	for _, id := range ports {
		included = append(included, ordered(id, "port", [][2]any{
			{"id", id}, {"name", "Port of Los Angeles"}, {"code", "USLAX"}, {"state_abbr", "CA"}, {"city", "Los Angeles"},
			{"country_code", "US"}, {"latitude", "33.75"}, {"longitude", "-118.26"}, {"time_zone", "America/Los_Angeles"},
		}, members{}))
	}
	for _, id := range terminals {
		included = append(included, ordered(id, "terminal", [][2]any{
			{"id", id}, {"nickname", "TraPac"}, {"name", "TraPac LAX"}, {"firms_code", "Y258"}, {"smdg_code", nil},
			{"bic_facility_code", nil}, {"street", nil}, {"city", "Los Angeles"}, {"state", nil}, {"state_abbr", "CA"},
			{"zip", nil}, {"country", "US"}, {"facility_type", "ocean_terminal"},
		}, members{"port": to("port", ports[0])}))
	}
	body, err := json.Marshal(members{
		"data": data, "included": included, "meta": members{"size": benchShipments, "total": 4211},
		"links": members{"self": "https://api.terminal49.com/v2/shipments?include=containers",
			"next": "https://api.terminal49.com/v2/shipments?page[number]=2&page[size]=100"},
	})
	if err != nil {
		panic(err)
	}
	return body
}

// ordered writes a resource with its attributes in the given order, which maps would not keep.
func ordered(id, typ string, attributes [][2]any, relationships members) json.RawMessage {
	text := fmt.Sprintf(`{"id":%q,"type":%q,"attributes":{`, id, typ)
	for i, a := range attributes {
		if i > 0 {
			text += ","
		}
		value, _ := json.Marshal(a[1])
		text += fmt.Sprintf("%q:%s", a[0], value)
	}
	related, _ := json.Marshal(relationships)
	return json.RawMessage(text + `},"relationships":` + string(related) + `,"links":{"self":"/v2/` + typ + `s/` +
		id + `"}}`)
}

func (m pageMaker) shipment(id string, containers, ports, terminals []string) json.RawMessage {
	return ordered(id, "shipment", [][2]any{
		{"created_at", m.when()}, {"ref_numbers", []string{"PO-" + m.id()[:8], "SO-" + m.id()[:8]}},
		{"tags", []string{"priority"}},
		{"bill_of_lading_number", "MAEU" + m.id()[:8]}, {"normalized_number", m.id()[:8]},
		{"shipping_line_scac", "MAEU"}, {"shipping_line_name", "Maersk"}, {"shipping_line_short_name", "Maersk"},
		{"customer_name", "Harbor Furniture Imports"},
		{"port_of_lading_locode", "CNYTN"}, {"port_of_lading_name", "Yantian"},
		{"port_of_discharge_locode", "USLAX"}, {"port_of_discharge_name", "Los Angeles"},
		{"pod_vessel_name", "MAERSK ESSEX"}, {"pod_vessel_imo", "9458092"}, {"pod_voyage_number", "612E"},
		{"destination_locode", nil}, {"destination_name", nil}, {"destination_timezone", nil},
		{"destination_ata_at", nil}, {"destination_eta_at", nil},
		{"pol_etd_at", nil}, {"pol_atd_at", m.when()}, {"pol_original_etd_at", m.when()}, {"pol_timezone", "Asia/Shanghai"},
		{"pod_eta_at", m.when()}, {"pod_original_eta_at", m.when()}, {"pod_ata_at", nil},
		{"pod_timezone", "America/Los_Angeles"},
		{"line_tracking_last_attempted_at", m.when()}, {"line_tracking_last_succeeded_at", m.when()},
		{"line_tracking_stopped_at", nil}, {"line_tracking_stopped_reason", nil},
	}, members{
		"port_of_lading":    to("port", ports[m.random.IntN(len(ports))]),
		"port_of_discharge": to("port", ports[m.random.IntN(len(ports))]),
		"pod_terminal":      to("terminal", terminals[m.random.IntN(len(terminals))]), "destination": members{"data": nil},
		"destination_terminal": members{"data": nil}, "line_tracking_stopped_by_user": members{"data": nil},
		"containers": toMany("container", containers),
	})
}

func (m pageMaker) container(id, shipment string, terminals []string) json.RawMessage {
	return ordered(id, "container", [][2]any{
		{"number", fmt.Sprintf("TCLU%07d", m.random.IntN(10_000_000))}, {"seal_number", m.id()[:8]},
		{"created_at", m.when()},
		{"ref_numbers", []string{}}, {"pod_arrived_at", m.when()}, {"pod_discharged_at", m.when()},
		{"final_destination_full_out_at", nil},
		{"holds_at_pod_terminal", []members{{"name": "customs", "status": "hold", "description": "CBP EXAM"}}},
		{"available_for_pickup", false}, {"equipment_type", "dry"}, {"equipment_length", 40},
		{"equipment_height", "high_cube"},
		{"weight_in_lbs", 53502}, {"pod_full_out_at", nil}, {"empty_terminated_at", nil}, {"terminal_checked_at", m.when()},
		{"fees_at_pod_terminal", []members{{"type": "demurrage", "amount": 450.25, "currency_code": "USD"}}},
		{"pickup_lfd", "2026-03-08T08:00:00Z"}, {"pickup_appointment_at", nil}, {"pod_full_out_chassis_number", nil},
		{"location_at_pod_terminal", "Yard Grounded"}, {"pod_last_tracking_request_at", m.when()},
		{"shipment_last_tracking_request_at", m.when()},
		{"availability_known", true}, {"pod_timezone", "America/Los_Angeles"}, {"final_destination_timezone", nil},
		{"empty_terminated_timezone", "America/Los_Angeles"},
		{"pod_rail_carrier_scac", nil}, {"ind_rail_carrier_scac", nil}, {"pod_rail_loaded_at", nil},
		{"pod_rail_departed_at", nil},
		{"ind_eta_at", nil}, {"ind_ata_at", nil}, {"ind_rail_unloaded_at", nil}, {"ind_facility_lfd_on", nil},
		{"import_deadlines", members{"pickup_lfd_terminal": "2026-03-08T08:00:00Z", "pickup_lfd_rail": nil,
			"pickup_lfd_line": nil}},
		{"current_status", "not_available"},
	}, members{
		"shipment": to("shipment", shipment), "pickup_facility": members{"data": nil},
		"pod_terminal":     to("terminal", terminals[m.random.IntN(len(terminals))]),
		"transport_events": toMany("transport_event", m.ids(10)), "raw_events": toMany("raw_event", m.ids(11)),
	})
}

func benchPage() []byte { return pageMaker{rand.New(rand.NewPCG(1, 2))}.page() }

// BenchmarkDecodeShipmentsPage reads the page with this package: typed, with zones and
// relationships resolved.
func BenchmarkDecodeShipmentsPage(b *testing.B) {
	body, types := benchPage(), registry
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		shipments, _, err := jsonapi.Decode[Shipment](body, jsonapi.Options{Types: types})
		if err != nil || len(shipments) != benchShipments {
			b.Fatalf("%d shipments, %v", len(shipments), err)
		}
	}
}

// canned is a transport whose responses have itself as their body.
type canned []byte

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(c)), ContentLength: int64(len(c)),
		Request: r,
	}, nil
}

// BenchmarkListShipmentsPage reads the page through the public API, without a network.
func BenchmarkListShipmentsPage(b *testing.B) {
	body := benchPage()
	client, err := New("benchmark-key", WithoutRateLimits(), WithHTTPClient(&http.Client{Transport: canned(body)}))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		page, err := client.Shipments.List(b.Context(), nil)
		if err != nil || len(page.Items) != benchShipments {
			b.Fatalf("%v", err)
		}
	}
}

// BenchmarkValidShipmentsPage checks the same bytes with encoding/json.
func BenchmarkValidShipmentsPage(b *testing.B) {
	body := benchPage()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if !json.Valid(body) {
			b.Fatal("not JSON")
		}
	}
}

// BenchmarkSkipShipmentsPage walks the same bytes with the same tokenizer and keeps nothing: the
// bound.
func BenchmarkSkipShipmentsPage(b *testing.B) {
	body := benchPage()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if err := jsonapi.Skip(body); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkNaiveShipmentsPage reads the same bytes with encoding/json into plain structs, resolving
// nothing.
func BenchmarkNaiveShipmentsPage(b *testing.B) {
	body := benchPage()
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		var page naive.Page
		if err := json.Unmarshal(body, &page); err != nil || len(page.Data) != benchShipments {
			b.Fatalf("%d shipments, %v", len(page.Data), err)
		}
	}
}

// walkLatency is the time that the service of BenchmarkWalk takes for a page.
const walkLatency = 20 * time.Millisecond

// walkPages returns a list of 100 pages of 100 shipments, each with its ids and links.
func walkPages(origin string) [][]byte {
	m, pages := pageMaker{rand.New(rand.NewPCG(1, 2))}, make([][]byte, 100)
	ports, terminals := m.ids(benchPorts), m.ids(benchTerminals)
	for i := range pages {
		data := make([]json.RawMessage, benchShipments)
		for k := range data {
			data[k] = m.shipment(m.id(), m.ids(benchContainers), ports, terminals)
		}
		link := func(n int) string { return fmt.Sprintf("%s/shipments?page[number]=%d&page[size]=100", origin, n) }
		links := members{"current": link(i + 1), "last": link(len(pages))}
		if i+1 < len(pages) {
			links["next"] = link(i + 2)
		}
		pages[i], _ = json.Marshal(members{"data": data, "links": links,
			"meta": members{"size": benchShipments, "total": benchShipments * len(pages)}})
	}
	return pages
}

// BenchmarkWalk walks 10,000 shipments over the loopback interface, one page after another and four
// ahead: the ratio of the two is the gain of WithPrefetch.
func BenchmarkWalk(b *testing.B) {
	var pages [][]byte
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		number, _ := strconv.Atoi(r.URL.Query().Get(pageNumber))
		time.Sleep(walkLatency)
		_, _ = w.Write(pages[max(number, 1)-1])
	}))
	defer srv.Close()
	pages = walkPages(srv.URL)
	client, err := New("benchmark-key", WithBaseURL(srv.URL), WithoutRateLimits())
	if err != nil {
		b.Fatal(err)
	}
	for _, opts := range [][]CallOption{nil, {WithPrefetch(4)}} {
		b.Run([]string{"sequential", "prefetch=4"}[len(opts)], func(b *testing.B) {
			for b.Loop() {
				items, err := Collect(client.Shipments.All(b.Context(), nil, opts...))
				if err != nil || len(items) != benchShipments*len(pages) {
					b.Fatalf("%d shipments, %v", len(items), err)
				}
			}
		})
	}
}
