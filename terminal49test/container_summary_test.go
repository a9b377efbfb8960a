package terminal49test_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/terminal49test"
)

// The form is the one that the service's own TypeScript SDK checks.
func TestSummary_Groups(t *testing.T) {
	srv := newServer(t)
	s := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1", ShippingLine: "MAEU", PortOfDischarge: "USLAX"})
	for i := range 3 {
		srv.AddContainer(terminal49test.Container{Number: terminal49test.ContainerNumber("MSKU", i), Shipment: s, CurrentStatus: "not_available"})
	}
	unknown := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "B2", ShippingLine: "QQQQ"})
	srv.AddContainer(terminal49test.Container{Number: "TGHU7654321", Shipment: unknown})
	srv.AddContainer(terminal49test.Container{Number: "TGHU7654337"})
	for query, want := range map[string]string{
		"group_by=current_status": `"data":[{"key":"not_available","label":"Not available","count":3},{"key":"new","label":"New","count":2}],` +
			`"meta":{"total":5,"group_by":"current_status","truncated":false}`,
		"group_by=port_of_discharge": `"data":[{"key":"USLAX","label":"Los Angeles","count":3},{"key":null,"label":null,"count":2}]`,
		"group_by=shipping_line":     `{"key":null,"label":null,"count":1},{"key":"QQQQ","label":null,"count":1}`,
		"group_by=current_status&filter[current_status]=new&filter[pod_code]=@not_exists": `"data":[{"key":"new","label":"New","count":2}],"meta":{"total":2,`,
		"group_by=pod_terminal&filter[number]=NONE0000000":                                `"data":[],"meta":{"total":0,`,
	} {
		if got := getAPI(t, srv, "/containers/summary?"+query); got.status != 200 || !strings.Contains(got.raw, want) {
			t.Errorf("%s: %d %s, want %s", query, got.status, got.raw, want)
		}
	}
	srv.CheckViolations(t)
}

// A service sends at most 200 groups.
func TestSummary_IsTruncated(t *testing.T) {
	srv := newServer(t)
	for i := range 201 {
		line := fmt.Sprintf("X%03d", i)
		s := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: line, ShippingLine: line})
		srv.AddContainer(terminal49test.Container{Number: terminal49test.ContainerNumber("MSKU", i), Shipment: s})
	}
	got := getAPI(t, srv, "/containers/summary?group_by=shipping_line")
	checkReply(t, got, 200, map[string]any{"meta/total": float64(201), "meta/truncated": true})
	if n := len(got.at("data").([]any)); n != 200 {
		t.Errorf("%d groups, want 200", n)
	}
}

// What the operation does not have is a violation, and so is what no service has.
func TestSummary_IsStrict(t *testing.T) {
	srv := newServer(t)
	for query, status := range map[string]int{
		"": 400, "group_by=vessel": 400, "group_by=current_status&include=shipment": 200, "group_by=current_status&page[size]=1": 200,
		"group_by=current_status&page[number]=1": 200, "group_by=current_status&sort=pickup_lfd": 200,
		"group_by=current_status&filter[colour]=red": 200, "group_by=current_status&filter[has_holds]=yes": 400,
	} {
		before := len(srv.Violations())
		checkReply(t, getAPI(t, srv, "/containers/summary?"+query), status, nil)
		if n := len(srv.Violations()) - before; n != 1 {
			t.Errorf("%q: %d violations, want 1", query, n)
		}
	}
}

// A service without the operation takes the path for that of a container.
func TestSummary_OfAnOlderService(t *testing.T) {
	srv := newServer(t, terminal49test.WithoutAutumn2026())
	checkReply(t, getAPI(t, srv, "/containers/summary?group_by=current_status"), 404, nil)
	srv.CheckViolations(t)
}

// It counts containers that are made when they are asked for, too.
func TestSummary_OfSyntheticContainers(t *testing.T) {
	srv := newServer(t, terminal49test.WithSyntheticContainers(600))
	listed := getAPI(t, srv, "/containers?page[size]=1&filter[current_status]=available").at("meta/total")
	got := getAPI(t, srv, "/containers/summary?group_by=current_status&filter[current_status]=available")
	checkReply(t, got, 200, map[string]any{"meta/total": listed, "data/0/key": "available", "data/0/count": listed})
}
