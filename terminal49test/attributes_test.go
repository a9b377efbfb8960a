package terminal49test_test

import (
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestAttributes_OfEveryType(t *testing.T) {
	srv := newServer(t)
	demo := srv.SeedDemo()
	rail := srv.ContainerIDs(demo.Shipments[5])[0]
	srv.Advance(365 * 24 * time.Hour)
	a := getAPI(t, srv, "/containers/"+rail+"?include=shipment.destination_terminal,shipment.destination,pod_terminal.port")
	checkReply(t, a, 200, map[string]any{
		"data/attributes/pod_timezone": "America/Los_Angeles", "data/attributes/final_destination_timezone": "America/Chicago",
		"data/attributes/pod_rail_carrier_scac": "BNSF", "data/attributes/current_status": "empty_returned",
	})
	for _, name := range []string{"empty_out_at", "pol_full_in_at", "pol_vessel_loaded_at", "pol_vessel_departed_at", "pod_arrived_at",
		"pod_discharged_at", "pod_rail_loaded_at", "pod_rail_departed_at", "ind_ata_at", "ind_rail_unloaded_at",
		"final_destination_full_out_at", "empty_terminated_at", "rail_last_tracking_request_at", "terminal_checked_at"} {
		if a.at("data/attributes/"+name) == nil {
			t.Errorf("%s is null after the rail journey", name)
		}
	}
	for _, name := range []string{"delivered_at", "ssl_lfd", "ind_facility_holds", "ind_facility_fees", "pod_full_out_at", "seal_number"} {
		if !a.has("data/attributes/"+name) || a.at("data/attributes/"+name) != nil {
			t.Errorf("%s must be null", name)
		}
	}
	var ramp, port map[string]any
	for _, r := range a.list("included") {
		o := r.(map[string]any)
		attrs := o["attributes"].(map[string]any)
		switch attrs["nickname"] {
		case "BNSF LPC":
			ramp = attrs
		}
		if attrs["code"] == "USLAX" {
			port = attrs
		}
	}
	if ramp["facility_type"] != "rail" || port["latitude"] != "33.74" {
		t.Errorf("ramp %v, port %v", ramp, port)
	}
}

func TestAttributes_Overridden(t *testing.T) {
	srv := newServer(t)
	id := srv.AddContainer(terminal49test.Container{Number: "MSKU1234565", Attributes: map[string]any{
		"weight_in_lbs": "41000", "holds_at_pod_terminal": nil, "brand_new": []int{1}}})
	a := getAPI(t, srv, "/containers/"+id)
	checkReply(t, a, 200, map[string]any{"data/attributes/weight_in_lbs": "41000", "data/attributes/holds_at_pod_terminal": nil, "data/attributes/brand_new/0": 1.0})
	if strings.Count(a.raw, "weight_in_lbs") != 1 {
		t.Errorf("an overridden attribute appears twice: %s", a.raw)
	}
}

// The members and the nested form of import_deadlines are those of the service's changelog entries
// of 2026-04, 2026-07-20 and 2026-08-10; the forms of the others are not documented.
func TestAttributes_OfHoldsAndDeadlines(t *testing.T) {
	srv := newServer(t)
	detail := map[string]any{"detail": "CARRIER RELEASE PENDING"}
	id := srv.AddContainer(terminal49test.Container{
		Number:     "MSKU1234565",
		Holds:      []terminal49test.Hold{{Name: "line", Attributes: detail}},
		Attributes: map[string]any{"release_statuses": []any{}, "inland_destination_eta_source_summary": "rail"},
		ImportDeadlines: terminal49test.Deadlines{Terminal: start, Attributes: map[string]any{
			"pod": map[string]any{"unified": map[string]any{"current_value": "2027-03-11T08:00:00Z", "current_selection": "facility"}},
		}},
	})
	detail["detail"] = "changed by the test after AddContainer"
	deadlines := "data/attributes/import_deadlines/"
	checkReply(t, getAPI(t, srv, "/containers/"+id), 200, map[string]any{
		"data/attributes/holds_at_pod_terminal/0/detail": "CARRIER RELEASE PENDING",
		"data/attributes/holds_at_pod_terminal/0/status": "hold",
		"data/attributes/release_statuses/0":             nil, "data/attributes/inland_destination_eta_source_summary": "rail",
		deadlines + "pickup_lfd_terminal": "2024-07-01T12:00:00Z", deadlines + "pod/unified/current_value": "2027-03-11T08:00:00Z",
	})
	if !srv.UpdateContainer(id, func(c *terminal49test.Container) { c.Attributes["release_statuses"] = nil }) {
		t.Fatal("the container is missing")
	}
	a := getAPI(t, srv, "/containers/"+id)
	if !a.has("data/attributes/release_statuses") || a.at("data/attributes/release_statuses") != nil {
		t.Errorf("release_statuses must be null: %s", a.raw)
	}
}

func TestSetAttribute_InAJourney(t *testing.T) {
	srv := newServer(t)
	srv.Script("MAEU123456789", terminal49test.Journey{
		Containers: []terminal49test.Container{{Number: "MSKU1234565"}},
		Steps:      []terminal49test.Step{{Do: terminal49test.SetAttribute("release_statuses", "cleared")}},
	})
	createRequest(t, srv, "MAEU123456789", "MAEU")
	srv.Advance(time.Hour)
	a := getAPI(t, srv, "/containers")
	checkReply(t, a, 200, map[string]any{"data/0/attributes/release_statuses": "cleared"})
}
