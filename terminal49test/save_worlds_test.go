package terminal49test_test

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// savedWorlds are the worlds of the tests of Save.
var savedWorlds = map[string]func(t testing.TB) *terminal49test.Server{
	"empty": func(t testing.TB) *terminal49test.Server { return newServer(t) },
	"demo": func(t testing.TB) *terminal49test.Server {
		srv := newServer(t)
		srv.SeedDemo()
		srv.Advance(90 * time.Minute)
		return srv
	},
	"journeys":      journeysWorld,
	"traffic":       trafficWorld,
	"synthetic":     syntheticWorld,
	"webhooks":      webhooksWorld,
	"documents":     documentsWorld,
	"custom fields": customFieldsWorld,
	"moved":         movedWorld,
	"odd values":    oddWorld,
}

// journeysWorld has each of the package's journeys twice: under way, and not tracked yet.
func journeysWorld(t testing.TB) *terminal49test.Server {
	srv := newServer(t)
	journeys := []terminal49test.Journey{
		terminal49test.DefaultJourney(), terminal49test.ReadyJourney(), terminal49test.CustomsHoldJourney(), terminal49test.NotReleasedJourney(),
		terminal49test.DemurrageJourney(), terminal49test.OnShipJourney(), terminal49test.RailJourney(),
		{Outcome: terminal49test.OutcomeFailed, FailedAttempts: 3}, {Outcome: terminal49test.OutcomeAwaitingManifest, ManifestAfter: 50 * time.Hour},
		{FailedAttempts: 6, Inference: &terminal49test.Inference{SCAC: "MAEU", Confidence: 0.99}}, {FailedAttempts: 20},
	}
	for i, journey := range journeys {
		for k := range 2 {
			number := fmt.Sprintf("MAEU24071100%d%02d", k, i)
			srv.Script(number, journey)
			if k == 0 {
				srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: number, SCAC: "MAEU"})
			}
		}
	}
	srv.Advance(26 * time.Hour)
	for i := range journeys { // the loaded world tracks these
		srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: fmt.Sprintf("MAEU240711001%02d", i), SCAC: "MAEU"})
	}
	shipment, _ := findShipment(srv, "MAEU24071100000")
	callAPI(t, srv, "PATCH", "/shipments/"+shipment+"/stop_tracking", "")
	return srv
}

func findShipment(srv *terminal49test.Server, number string) (id string, ok bool) {
	for r := range srv.Snapshot("shipment") {
		var s struct {
			Attributes struct {
				Number string `json:"bill_of_lading_number"`
			}
		}
		if json.Unmarshal(r.JSON, &s) == nil && s.Attributes.Number == number {
			return r.ID, true
		}
	}
	return "", false
}

func trafficWorld(t testing.TB) *terminal49test.Server {
	srv := newServer(t, terminal49test.WithSeed(7))
	srv.SeedTraffic(12)
	srv.AddWebhook(allEventsWebhook())
	srv.Advance(50 * time.Hour)
	return srv
}

func syntheticWorld(t testing.TB) *terminal49test.Server {
	srv := newServer(t, terminal49test.WithSyntheticContainers(40), terminal49test.WithMergedShipmentsKept())
	srv.AddWebhook(allEventsWebhook())
	ids := srv.TouchContainers(30, 48*time.Hour)
	first, _ := srv.Container(ids[0])
	second, _ := srv.Container(ids[1])
	srv.Advance(24 * time.Hour)
	srv.RemoveContainer(ids[2])
	srv.MergeShipments(first.Shipment, second.Shipment)
	srv.UpdateShipment(second.Shipment, func(s *terminal49test.Shipment) { s.BillOfLadingNumber = "MAEU240711002" })
	third, _ := srv.Container(ids[4])
	callAPI(t, srv, "PATCH", "/shipments/"+third.Shipment+"/stop_tracking", "")
	srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.full_out", Container: ids[4], Timestamp: srv.Now()})
	return srv
}

func allEventsWebhook() terminal49test.Webhook {
	return terminal49test.Webhook{URL: "https://hooks.example/t49", Secret: "a secret", Headers: []terminal49test.WebhookHeader{{Name: "X-Test", Value: "<1>"}},
		Events: []string{
			"tracking_request.succeeded", "tracking_request.failed", "container.updated", "container.created", "container.pod_terminal_changed",
			"shipment.estimated.arrival", "container.transport.vessel_arrived", "container.transport.available", "container.pickup_lfd.changed",
			"document.extracted", "document_representation.created", "link.created",
		}}
}

// receiver refuses two of three notifications.
func receiver(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if crc32.ChecksumIEEE(body)%3 != 0 {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

// webhooksWorld has deliveries that are planned, due, repeated and lost, and one whose receiver is
// asked while the world is saved.
func webhooksWorld(t testing.TB) *terminal49test.Server {
	srv := newServer(t, terminal49test.WithWebhookHandler(http.HandlerFunc(receiver)),
		terminal49test.WithWebhookNoise(terminal49test.WebhookNoise{DuplicateEvery: 3, DelayEvery: 4, Delay: time.Hour, Lost: 0.1, LostStatus: "succeeded"}))
	srv.AddWebhook(allEventsWebhook())
	gone := srv.AddWebhook(allEventsWebhook())
	srv.SeedDemo()
	srv.Script("MAEU24071100000", terminal49test.RailJourney())
	createRequest(t, srv, "MAEU24071100000", "MAEU")
	srv.Advance(30 * time.Minute)
	callAPI(t, srv, "DELETE", "/webhooks/"+gone, "")
	for _, id := range srv.ContainerIDs(srv.SeedDemo().Shipments[0]) { // due, because only Advance delivers
		srv.UpdateContainer(id, func(c *terminal49test.Container) { c.Holds = []terminal49test.Hold{{Name: "customs"}} })
	}
	return srv
}

func documentsWorld(t testing.TB) *terminal49test.Server {
	srv := newServer(t)
	srv.AddWebhook(allEventsWebhook())
	srv.SeedDemo()
	srv.ScriptDocument("late.pdf", terminal49test.DocumentScript{ClassifiedAfter: 3 * time.Hour, Payload: map[string]any{"b": 1, "a": []any{1.5}}})
	srv.ScriptDocument("failing.pdf", terminal49test.DocumentScript{Outcome: terminal49test.DocumentExtractionFailed})
	for _, name := range []string{"late.pdf", "failing.pdf", "arrival_notice_MAEU240711002.pdf"} {
		srv.AddDocument(terminal49test.Document{FileName: name, Content: []byte("%PDF\x00\xff" + name), FileContentType: "application/pdf"})
	}
	picture := srv.AddDocument(terminal49test.Document{FileName: "scan.png", Content: []byte("x"), FileContentType: "image/png", DocumentType: "arrival_notice"})
	callAPI(t, srv, "POST", "/documents/"+picture+"/rotate", `{"degrees":90}`)
	callAPI(t, srv, "POST", "/documents/"+picture+"/relink", "")
	manual := srv.AddDocument(terminal49test.Document{FileName: "manual.pdf", DocumentType: "arrival_notice"})
	callAPI(t, srv, "PATCH", "/documents/"+manual, `{"data":{"type":"document","id":"`+manual+`","attributes":{"extracted_data_manual":{"z":1e21,"tiny":1e-7,"a":"<b>","n":{"y":1,"x":2}}}}}`)
	srv.Advance(15 * time.Second)
	callAPI(t, srv, "POST", "/documents/"+manual+"/reextract", "")
	callAPI(t, srv, "DELETE", "/documents/"+picture, "")
	return srv
}

func customFieldsWorld(t testing.TB) *terminal49test.Server {
	srv := newServer(t, terminal49test.WithCustomFieldLimit(50))
	demo := srv.SeedDemo()
	party := srv.AddParty(terminal49test.Party{CompanyName: "Acme <Imports>"})
	position := 2
	values := map[string]any{
		"short_text": "a <b> & c", "number": "12.500", "date": "2024-07-01", "datetime": "2024-07-01T12:00:00Z", "boolean": true, "enum": "x",
		"enum_multi": []string{"x", "y"}, "reference": map[string]any{"type": "party", "id": party},
	}
	for kind, value := range values {
		srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{
			ID: "definition-" + kind, APISlug: kind, DisplayName: kind, DataType: kind, ReferenceType: map[bool]string{true: "party"}[kind == "reference"],
			Validation: map[string]any{"required": false, "max_length": 80}, DefaultValue: []any{1, "<"},
			Options: []terminal49test.CustomFieldOption{{Label: "X", Value: "x", Position: &position}, {Label: "Y", Value: "y"}},
		})
		if _, err := srv.AddCustomField(terminal49test.CustomField{ID: "value-" + kind, Entity: demo.Shipments[0], APISlug: kind, Value: value}); err != nil {
			t.Fatal(err)
		}
	}
	callAPI(t, srv, "POST", "/custom_field_definitions", `{"data":{"type":"custom_field_definition","attributes":{"entity_type":"Container",
		"api_slug":"note","display_name":"Note","data_type":"short_text","default_value":{"z":"<","a":1},"validation":{"z":1,"a":2}}}}`)
	srv.AddCustomField(terminal49test.CustomField{Entity: srv.ContainerIDs(demo.Shipments[0])[0], APISlug: "note", Value: nil})
	return srv
}

// movedWorld has resources that were removed, merged, moved and replaced.
func movedWorld(t testing.TB) *terminal49test.Server {
	srv := newServer(t)
	demo := srv.SeedDemo()
	party := srv.AddParty(terminal49test.Party{CompanyName: "Acme"})
	srv.AddPartyRole(terminal49test.PartyRole{Role: "consignee", Party: party, Shipment: demo.Shipments[0]})
	srv.RemoveContainer(srv.ContainerIDs(demo.Shipments[0])[0])
	srv.MergeShipments(demo.Shipments[5], demo.Shipments[4]) // journeys go on
	srv.MergeShipments(demo.Shipments[4], demo.Shipments[3])
	moved := srv.ContainerIDs(demo.Shipments[1])[0]
	srv.UpdateContainer(moved, func(c *terminal49test.Container) { c.Shipment = demo.Shipments[0] })
	srv.UpdateShipment(demo.Shipments[0], func(s *terminal49test.Shipment) { s.BillOfLadingNumber = "MSCU240988417" })
	replaced, _ := srv.Shipment(demo.Shipments[2])
	replaced.Tags = []string{"replaced"}
	srv.AddShipment(replaced)
	srv.AddContainer(terminal49test.Container{ID: moved, Number: "MSKU7182047", Shipment: demo.Shipments[2]})
	srv.AddContainer(terminal49test.Container{Number: "MSKU7182052"}) // of no shipment
	srv.AddFault(terminal49test.Fault{Operation: "shipments.get", Times: 3, RetryAfter: terminal49test.RetryAfterSeconds(time.Minute)})
	srv.AddFault(terminal49test.Fault{Operation: "containers.get", Times: -1, Skip: 2, Kind: terminal49test.FaultMembers, Members: map[string]any{"links": nil}})
	getAPI(t, srv, "/shipments/"+demo.Shipments[0])
	return srv
}

// oddWorld has values that a test sets and the service would not.
func oddWorld(t testing.TB) *terminal49test.Server {
	srv := newServer(t, terminal49test.WithIgnored("shipments.list", "page[size]", "q"), terminal49test.WithoutWebhookEvents("container.created"),
		terminal49test.WithReplicaLag(0, time.Minute))
	type ordered struct{ Z, A any }
	zone := time.FixedZone("", 5*3600+1800)
	line := srv.AddShippingLine(terminal49test.ShippingLine{SCAC: "ABCD", Name: "A < B"})
	shipment := srv.AddShipment(terminal49test.Shipment{
		BillOfLadingNumber: "abcd 1234-567", ShippingLine: line, ReferenceNumbers: []string{}, CreatedAt: time.Date(2024, 6, 1, 1, 2, 3, 4, zone), PODETA: start,
	})
	srv.AddContainer(terminal49test.Container{
		Number: "\u2028 \xff \"", Shipment: shipment, WeightPounds: 1e22, AvailableForPickup: terminal49test.Bool(false),
		Holds: []terminal49test.Hold{{Name: "customs", Attributes: map[string]any{"detail": ordered{1, "<"}}}}, Fees: []terminal49test.Fee{},
		Attributes: map[string]any{
			"release_statuses": ordered{[]int{1}, map[string]any{"b": 1, "a": 2}}, "big": 1e21, "small": 1e-7, "time": start.In(zone), "none": nil,
			"number": json.Number("1.50"), "raw": json.RawMessage(`{ "b" : "<" , "a" : 1e40 }`), "text": "<a>", "flag": true, "list": []string{"<"}, "empty": []any{},
		},
	})
	srv.AddVessel(terminal49test.Vessel{Name: "EMPTY", Positions: []terminal49test.Position{}})
	srv.AddVessel(terminal49test.Vessel{Name: "SEEN", IMO: "9000001", Positions: []terminal49test.Position{{Timestamp: start, Latitude: 1.25, SpeedKnots: 3}}})
	return srv
}
