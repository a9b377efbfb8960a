package terminal49test_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/terminal49test"
)

func newServerWithShipments(t testing.TB, shipments int) *terminal49test.Server {
	srv := newServer(t)
	for i := range shipments {
		s := srv.AddShipment(terminal49test.Shipment{
			BillOfLadingNumber: fmt.Sprintf("MAEU%09d", i), ShippingLine: "MAEU", PortOfLading: "CNSHA", PortOfDischarge: "USLAX", PODTerminal: "WBCT"})
		srv.AddContainer(terminal49test.Container{Number: terminal49test.ContainerNumber("MSKU", i), Shipment: s})
	}
	return srv
}

func TestPaging_LinksByPage(t *testing.T) {
	srv := newServerWithShipments(t, 65)
	for _, c := range []struct {
		query string
		rows  int
		links string // names of the links present
	}{
		{"", 30, "current last next self"},
		{"?page[number]=2", 30, "current first last next prev self"},
		{"?page[number]=3", 5, "current first last prev self"},
		{"?page[number]=4", 0, "current self"},
		{"?page[size]=100", 65, "current self"},
		{"?q=nothing", 0, "current self"},
	} {
		a := getAPI(t, srv, "/shipments"+c.query)
		var names []string
		links := a.at("links").(map[string]any)
		for _, name := range []string{"current", "first", "last", "next", "prev", "self"} {
			if links[name] != nil {
				names = append(names, name)
			}
		}
		if got := strings.Join(names, " "); got != c.links || len(links) != len(names) || len(a.list("data")) != c.rows {
			t.Errorf("%q: %d rows and links %q, want %d and %q", c.query, len(a.list("data")), got, c.rows, c.links)
		}
		checkReply(t, a, 200, map[string]any{"meta/size": float64(c.rows)})
	}
	srv.CheckViolations(t)
}

func TestPaging_LinkFormat(t *testing.T) {
	srv := newServerWithShipments(t, 65)
	query := "?include=containers%2Cpod_terminal&q=maeu0000&page%5Bsize%5D=20"
	a := getAPI(t, srv, "/shipments"+query)
	checkReply(t, a, 200, map[string]any{
		"links/self":    srv.URL + "/shipments" + query,
		"links/current": srv.URL + "/shipments?include=containers,pod_terminal&q=maeu0000&page[number]=1&page[size]=20",
		"links/next":    srv.URL + "/shipments?include=containers,pod_terminal&q=maeu0000&page[number]=2&page[size]=20",
		"links/last":    srv.URL + "/shipments?include=containers,pod_terminal&q=maeu0000&page[number]=4&page[size]=20",
	})
	next := getAPI(t, srv, strings.TrimPrefix(a.at("links/next").(string), srv.URL))
	if a.at("data/0/id") == next.at("data/0/id") || next.at("data/0/id") == nil {
		t.Error("the next link leads to the same page")
	}
	srv.CheckViolations(t)
}

// A page has at most 50 containers: docs/service.md#page-sizes.
func TestPaging_SizeIsCapped(t *testing.T) {
	srv := newServerWithShipments(t, 120)
	for path, most := range map[string]int{"/shipments": 100, "/containers": 50} {
		if n := len(getAPI(t, srv, path+"?page[size]=500").list("data")); n != most {
			t.Errorf("%d rows of %s, want %d", n, path, most)
		}
	}
	a := getAPI(t, srv, "/containers?page[size]=100")
	checkReply(t, a, 200, map[string]any{"meta/total": 120.0})
	if a.has("meta/size") {
		t.Error("containers must have no meta size")
	}
	for _, query := range []string{"?page[size]=0", "?page[size]=x", "?page[number]=0", "?page[number]=-1"} {
		checkReply(t, getAPI(t, srv, "/containers"+query), 200, map[string]any{"links/self": srv.URL + "/containers" + query})
	}
	if n := len(srv.Violations()); n != 6 {
		t.Errorf("%d violations, want 6: %v", n, srv.Violations())
	}
}

func TestPaging_MetaByOperation(t *testing.T) {
	srv := newServer(t)
	demo := srv.SeedDemo()
	container := srv.ContainerIDs(demo.Shipments[0])[0]
	for _, path := range []string{"/shipping_lines", "/containers/" + container + "/transport_events", "/containers/" + container + "/raw_events"} {
		if a := getAPI(t, srv, path); a.has("meta") {
			t.Errorf("%s has meta", path)
		}
	}
	if a := getAPI(t, srv, "/containers/"+container+"/raw_events"); a.has("links") || !a.has("included") {
		t.Error("raw events must have included and no links")
	}
	a := getAPI(t, srv, "/tracking_requests?page[size]=4")
	checkReply(t, a, 200, map[string]any{"meta/size": 4.0, "meta/total": 6.0, "meta/pagination/current": 1.0,
		"meta/pagination/next": 2.0, "meta/pagination/last": 2.0, "meta/pagination/records": 6.0})
	if b := getAPI(t, srv, "/tracking_requests?page[size]=4&page[number]=2"); b.has("meta/pagination/next") {
		t.Error("the last page has a next one")
	}
	empty := newServer(t)
	checkReply(t, getAPI(t, empty, "/tracking_requests"), 200, map[string]any{"meta/size": 0.0, "meta/pagination/records": 0.0})
	if getAPI(t, empty, "/tracking_requests").has("meta/pagination/last") {
		t.Error("an empty list has no last page")
	}
}

func TestPaging_ShippingLinesAdvertiseASecondPage(t *testing.T) {
	srv := newServer(t)
	first := getAPI(t, srv, "/shipping_lines")
	next, _ := first.at("links/next").(string)
	if !strings.Contains(next, "page[number]=2") {
		t.Fatalf("no second page advertised: %v", first.at("links"))
	}
	srv.CheckViolations(t)
	second := getAPI(t, srv, strings.TrimPrefix(next, srv.URL))
	if a, b := len(first.list("data")), len(second.list("data")); a != b || a < 10 {
		t.Errorf("%d lines, then %d, want the whole list twice", a, b)
	}
	if second.has("links/next") || len(srv.Violations()) == 0 {
		t.Error("the advertised page must be a violation and have no next link")
	}
}

func TestTransportEvents_AreUnsorted(t *testing.T) {
	srv := newServer(t)
	container := srv.ContainerIDs(srv.SeedDemo().Shipments[0])[0]
	last, sorted := "", true
	rows := getAPI(t, srv, "/containers/"+container+"/transport_events").list("data")
	for _, r := range rows {
		at := r.(map[string]any)["attributes"].(map[string]any)["timestamp"].(string)
		sorted, last = sorted && at >= last, at
	}
	if sorted || len(rows) < 10 {
		t.Errorf("%d events in order of time, want another order", len(rows))
	}
}
