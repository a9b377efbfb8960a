package terminal49test_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

const webhookBody = `{"data":{"type":"webhook","attributes":{"url":"https://example.com/t49","active":true,"events":["container.updated"],` +
	`"headers":[{"name":"X-Api-Key","value":"sesame"}]}}}`

// allEvents asks the service what a webhook can be called for.
func allEvents(t testing.TB, srv *terminal49test.Server) []string {
	t.Helper()
	var events []string
	for _, category := range get(t, srv, "/webhooks/events").list("data") {
		for _, e := range (answer{doc: category}).list("attributes/events") {
			name, _ := answer{doc: e}.at("name").(string)
			events = append(events, name)
		}
	}
	return events
}

// told gives the events of the notifications in the order they came about.
func told(srv *terminal49test.Server) []string {
	var events []string
	for _, n := range srv.WebhookNotifications() {
		events = append(events, n.Event)
	}
	return events
}

func TestWebhookOperations(t *testing.T) {
	srv := quiet(t)
	created := call(t, srv, "POST", "/webhooks", webhookBody)
	want(t, created, 201, map[string]any{
		"data/type": "webhook", "data/attributes/url": "https://example.com/t49", "data/attributes/active": true,
		"data/attributes/events/0": "container.updated", "data/attributes/headers/0/name": "X-Api-Key",
		"data/attributes/headers/0/value": "sesame", "data/attributes/created_at": "2024-07-01T12:00:00Z",
	})
	id, _ := created.at("data/id").(string)
	secret, _ := created.at("data/attributes/secret").(string)
	if len(secret) != 32 {
		t.Errorf("secret %q, want 32 characters", secret)
	}
	want(t, get(t, srv, "/webhooks/"+id), 200, map[string]any{"data/id": id, "data/attributes/secret": secret})
	other := srv.AddWebhook(terminal49test.Webhook{URL: "http://old.example.com", Events: []string{"container.created"}, Inactive: true})

	list := get(t, srv, "/webhooks?page[number]=1&page[size]=1")
	want(t, list, 200, map[string]any{"data/0/id": other, "data/0/attributes/active": false, "data/0/attributes/headers": nil})
	if list.has("meta") || !list.has("links/next") {
		t.Errorf("the list has links and no meta: %s", list.raw)
	}

	update := `{"data":{"type":"webhook","id":"` + id + `","attributes":{"active":false,"events":["container.created"],"headers":[]}}}`
	want(t, call(t, srv, "PATCH", "/webhooks/"+id, update), 200, map[string]any{
		"data/attributes/active": false, "data/attributes/events/0": "container.created", "data/attributes/headers": nil,
		"data/attributes/url": "https://example.com/t49", "data/attributes/secret": secret,
	})

	gone := call(t, srv, "DELETE", "/webhooks/"+id, "")
	if gone.status != 200 || gone.raw != "" {
		t.Errorf("deleting gave %d %q, want 200 without a body", gone.status, gone.raw)
	}
	for _, method := range []string{"GET", "DELETE"} {
		want(t, call(t, srv, method, "/webhooks/"+id, ""), 404, map[string]any{"errors/0/title": "Not Found"})
	}
	want(t, call(t, srv, "PATCH", "/webhooks/"+id, update), 404, nil)
	want(t, get(t, srv, "/webhooks/ips"), 200, map[string]any{"webhook_notification_ips/0": "35.222.62.171"})
	srv.CheckViolations(t)
}

func TestWebhooksThatAreRefused(t *testing.T) {
	cases := []struct{ name, attributes, pointer, violation string }{
		{"no url", `"active":true,"events":["container.updated"]`, "/data/attributes/url", "url"},
		{"no active", `"url":"https://a.example","events":["container.updated"]`, "/data/attributes/active", "active"},
		{"no events", `"url":"https://a.example","active":true`, "/data/attributes/events", "events"},
		{"empty events", `"url":"https://a.example","active":true,"events":[]`, "/data/attributes/events", "at least one"},
		{"null url", `"url":null,"active":true,"events":["container.updated"]`, "/data/attributes/url", "null"},
		{"null headers", `"url":"https://a.example","active":true,"events":["container.updated"],"headers":null`, "/data/attributes/headers", "null"},
		{"not https", `"url":"http://a.example","active":true,"events":["container.updated"]`, "/data/attributes/url", "https"},
		{"twice", `"url":"https://a.example","active":true,"events":["container.updated","container.updated"]`, "/data/attributes/events", "twice"},
		{"unknown", `"url":"https://a.example","active":true,"events":["container.melted"]`, "/data/attributes/events", "no event"},
		{"planned", `"url":"https://a.example","active":true,"events":["email_submission.created"]`, "/data/attributes/events", ""},
		{"not the account's", `"url":"https://a.example","active":true,"events":["document.extracted"]`, "/data/attributes/events", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			srv := quiet(t, terminal49test.WithoutWebhookEvents("document.extracted"))
			a := call(t, srv, "POST", "/webhooks", `{"data":{"type":"webhook","attributes":{`+c.attributes+`}}}`)
			want(t, a, 422, map[string]any{"errors/0/source/pointer": c.pointer})
			violations := srv.Violations()
			switch {
			case c.violation == "" && len(violations) > 0:
				t.Errorf("violations %v, want none: the name is a real one", violations)
			case c.violation != "" && (len(violations) != 1 || !strings.Contains(violations[0].What, c.violation)):
				t.Errorf("violations %v, want one about %q", violations, c.violation)
			}
		})
	}
}

func TestWebhooksNotEnabled(t *testing.T) {
	srv := quiet(t, terminal49test.WithoutWebhooks())
	id := srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example", Events: []string{"container.updated"}})
	for _, c := range []struct{ method, path, body string }{
		{"GET", "/webhooks", ""}, {"POST", "/webhooks", webhookBody}, {"GET", "/webhooks/" + id, ""},
		{"PATCH", "/webhooks/" + id, webhookBody}, {"DELETE", "/webhooks/" + id, ""}, {"GET", "/webhooks/events", ""},
		{"GET", "/webhooks/ips", ""}, {"POST", "/webhooks/trigger", `{"url":"https://a.example","event":"container.updated"}`},
		{"GET", "/webhook_notifications", ""}, {"GET", "/webhook_notifications/" + id, ""},
		{"GET", "/webhook_notifications/examples?event=container.updated", ""},
	} {
		want(t, call(t, srv, c.method, c.path, c.body), 403, map[string]any{"errors/0/title": "API access not enabled"})
	}
	srv.CheckViolations(t)
}

func TestWebhookEventsOnOffer(t *testing.T) {
	srv := quiet(t)
	events := allEvents(t, srv)
	if n := len(slices.Compact(slices.Sorted(slices.Values(events)))); n != 43 || len(events) != 43 {
		t.Errorf("%d events, %d of them different, want 43", len(events), n)
	}
	want(t, get(t, srv, "/webhooks/events"), 200, map[string]any{
		"data/0/id": "tracking-request-events", "data/0/type": "webhook_event_category",
		"data/0/attributes/name": "Tracking Request Events", "data/0/attributes/events/0/name": "tracking_request.succeeded",
	})
	fewer := quiet(t, terminal49test.WithoutWebhookEvents("document.extracted", "document.extraction_failed"))
	if events := allEvents(t, fewer); len(events) != 41 || slices.Contains(events, "document.extracted") {
		t.Errorf("%d events without documents, want 41", len(events))
	}
	if last := len(get(t, fewer, "/webhooks/events").list("data")); last != 8 {
		t.Errorf("%d categories, want 8: an empty one is not shown", last)
	}
}

// An example says as much as the service's own samples do: some include nothing, some an event without relationships.
func TestWebhookExamples(t *testing.T) {
	srv := quiet(t)
	const none, bare = "none", "bare"
	special := map[string]string{
		"container.transport.available": none, "container.transport.not_available": none, "container.transport.delivered": none,
		"container.transport.estimated.vessel_departed": bare, "container.transport.estimated.vessel_arrived": bare,
		"container.pickup_lfd_terminal.changed": bare, "container.pickup_lfd_rail.changed": bare,
		"container.pickup_appointment.changed": bare,
		"tracking_request.succeeded":           "container shipment tracking_request",
		"tracking_request.failed":              "tracking_request",
		"tracking_request.awaiting_manifest":   "tracking_request",
		"tracking_request.tracking_stopped":    "shipment tracking_request",
		"container.transport.empty_out":        "container port shipment transport_event",
		"container.transport.vessel_loaded":    "container port shipment transport_event vessel",
		"container.transport.rail_arrived":     "container metro_area shipment terminal transport_event",
		"container.transport.full_out":         "container port shipment terminal transport_event",
		"shipment.estimated.arrival":           "estimated_event port shipment",
		"document.extracted":                   "document document_representation email_submission",
		"container.created":                    "container container_created_event shipment",
		"container.updated":                    "container container_updated_event port shipment terminal",
		"container.pod_terminal_changed":       "container container_pod_terminal_changed_event shipment terminal",
	}
	for _, event := range allEvents(t, srv) {
		t.Run(event, func(t *testing.T) {
			a := get(t, srv, "/webhook_notifications/examples?event="+event)
			want(t, a, 200, map[string]any{
				"data/type": "webhook_notification", "data/attributes/event": event, "data/attributes/delivery_status": "pending",
			})
			if a.at("data/id") != a.at("data/attributes/id") {
				t.Errorf("the id is repeated among the attributes: %s", a.raw)
			}
			about := "reference_object"
			if strings.HasPrefix(event, "document.") {
				about = "document"
			}
			if a.at("data/relationships/"+about+"/data/id") == nil {
				t.Errorf("nothing is referred to: %s", a.raw)
			}
			kinds := []string{}
			for _, r := range a.list("included") {
				kind, _ := answer{doc: r}.at("type").(string)
				kinds = append(kinds, kind)
			}
			slices.Sort(kinds)
			got := strings.Join(slices.Compact(kinds), " ")
			switch expected := special[event]; {
			case expected == none && a.has("included"):
				t.Errorf("there should be no included member: %s", a.raw)
			case expected == bare && (got != "transport_event" || a.has("included/0/relationships")):
				t.Errorf("only the event without relationships should be included: %s", a.raw)
			case expected != "" && expected != none && expected != bare && got != expected:
				t.Errorf("included are %q, want %q", got, expected)
			}
		})
	}
	srv.CheckViolations(t)

	for _, path := range []string{"", "?event=container.melted", "?event=link.created"} {
		a := get(t, srv, "/webhook_notifications/examples"+path)
		want(t, a, 400, map[string]any{"errors/0/source/parameter": "event", "errors/0/detail": nil})
	}
}

func TestWhatTheWorldDoesIsTold(t *testing.T) {
	srv := quiet(t)
	before := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU100200300", SCAC: "MAEU"})
	srv.Advance(time.Minute)
	id := srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example", Events: allEvents(t, srv)})
	some := srv.AddWebhook(terminal49test.Webhook{URL: "https://b.example", Events: []string{"container.updated"}})
	off := srv.AddWebhook(terminal49test.Webhook{URL: "https://c.example", Events: allEvents(t, srv), Inactive: true})
	if n := len(srv.WebhookNotifications()); n != 0 {
		t.Fatalf("%d notifications of what happened before there were webhooks", n)
	}

	srv.Script("MSCU555000111", terminal49test.Journey{Steps: []terminal49test.Step{
		{After: time.Hour, Do: terminal49test.Departed(72 * time.Hour)},
		{After: 2 * time.Hour, Do: terminal49test.HoldPlaced(terminal49test.Hold{Name: "customs"})},
		{After: 3 * time.Hour, Do: terminal49test.LFD("terminal", 4)},
		{After: 4 * time.Hour, Do: terminal49test.Appointment(24 * time.Hour)},
		{After: 5 * time.Hour, Do: terminal49test.TrackingStopped("booking_cancelled")},
	}, Containers: []terminal49test.Container{{Number: "MSCU1234566"}}})
	srv.Script("MSCU555000222", terminal49test.Journey{Outcome: terminal49test.OutcomeFailed})
	srv.Script("MSCU555000333", terminal49test.Journey{Outcome: terminal49test.OutcomeAwaitingManifest})
	for _, number := range []string{"MSCU555000111", "MSCU555000222", "MSCU555000333"} {
		srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: number, SCAC: "MSCU"})
	}
	srv.Advance(5 * time.Second)
	for _, n := range srv.WebhookNotifications() {
		if n.DeliveryStatus != "pending" {
			t.Errorf("%s is %s at once", n.Event, n.DeliveryStatus)
		}
	}
	srv.Advance(6 * time.Hour)

	var first, second []string
	for _, n := range srv.WebhookNotifications() {
		switch n.Webhook {
		case id:
			first = append(first, n.Event)
		case some:
			second = append(second, n.Event)
		case off:
			t.Errorf("the webhook that is switched off was told of %s", n.Event)
		}
		if n.DeliveryStatus != "succeeded" {
			t.Errorf("%s is still %s", n.Event, n.DeliveryStatus)
		}
		if n.ReferenceID == before {
			t.Errorf("told of a request that was there before: %s", n.Event)
		}
	}
	expected := []string{
		"container.created", "tracking_request.succeeded", "tracking_request.failed", "tracking_request.awaiting_manifest",
		"container.transport.vessel_departed", "container.transport.estimated.vessel_arrived", "shipment.estimated.arrival",
		"container.updated",
		"container.pickup_lfd_terminal.changed", "container.pickup_lfd.changed", "container.updated",
		"container.pickup_appointment.changed", "container.updated",
		"tracking_request.tracking_stopped",
	}
	slices.Sort(first) // one thing may be told before another of the same moment
	slices.Sort(expected)
	if !slices.Equal(first, expected) {
		t.Errorf("told %q\nwant %q", first, expected)
	}
	if !slices.Equal(second, []string{"container.updated", "container.updated", "container.updated"}) {
		t.Errorf("the other webhook was told %q", second)
	}
	srv.CheckViolations(t)
}

func TestNotificationOperations(t *testing.T) {
	srv := quiet(t)
	shipment := srv.AddShipment(terminal49test.Shipment{Number: "MSCU1", PortOfDischarge: "USLAX", PODTerminal: "WBCT"})
	container := srv.AddContainer(terminal49test.Container{Number: "MSCU1234566", Shipment: shipment})
	hook := srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example", Events: allEvents(t, srv)})
	srv.UpdateContainer(container, func(c *terminal49test.Container) {
		c.Holds = []terminal49test.Hold{{Name: "customs", Description: "CBP"}}
		c.AvailableForPickup = terminal49test.Bool(false)
	})
	srv.UpdateContainer(container, func(c *terminal49test.Container) { c.SealNumber = "not told about" })
	srv.UpdateContainer(container, func(c *terminal49test.Container) { c.PODTerminal = "APMT LA" })
	srv.UpdateShipment(shipment, func(s *terminal49test.Shipment) { s.PODETAAt = start.Add(24 * time.Hour) })
	srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.full_out", Container: container, At: start})
	old := terminal49test.TransportEvent{Event: "container.transport.full_in", Container: container, CreatedAt: start.Add(-time.Hour)}
	srv.AddTransportEvent(old) // reported before there was a webhook
	if got, expected := told(srv), []string{
		"container.updated", "container.pod_terminal_changed", "container.updated", "shipment.estimated.arrival",
		"container.transport.full_out",
	}; !slices.Equal(got, expected) {
		t.Fatalf("told %q, want %q", got, expected)
	}

	list := get(t, srv, "/webhook_notifications?include=reference_object&page[size]=100")
	want(t, list, 200, map[string]any{
		"meta/total": 5.0, "meta/pagination/records": 5.0,
		"data/0/attributes/event": "container.transport.full_out", "data/0/relationships/webhook/data/id": hook,
		"data/1/relationships/reference_object/data/type": "estimated_event",
		"included/1/type": "estimated_event",
		"included/1/attributes/estimated_timestamp":  "2024-07-02T12:00:00Z",
		"included/1/attributes/timezone":             "America/Los_Angeles",
		"included/1/attributes/location_locode":      "USLAX",
		"included/3/type":                            "container_pod_terminal_changed_event",
		"included/3/relationships/shipment/data/id":  shipment,
		"included/4/type":                            "container_updated_event",
		"included/4/relationships/container/data/id": container,
	})
	first := srv.WebhookNotifications()[0]
	one := get(t, srv, "/webhook_notifications/"+first.ID+"?include=reference_object")
	want(t, one, 200, map[string]any{"data/id": first.ID, "data/attributes/id": first.ID})
	changes, err := json.Marshal(one.at("included/0/attributes/changeset"))
	const expected = `{"available_for_pickup":[null,false],` +
		`"holds_at_pod_terminal":[[],[{"description":"CBP","name":"customs","status":"hold"}]]}`
	if err != nil || string(changes) != expected {
		t.Errorf("changeset %s, want %s", changes, expected)
	}
	want(t, get(t, srv, "/webhook_notifications/nope"), 404, nil)

	srv.UpdateWebhookNotification(first.ID, func(n *terminal49test.WebhookNotification) { n.DeliveryStatus = "failed" })
	srv.Advance(time.Minute)
	want(t, get(t, srv, "/webhook_notifications/"+first.ID), 200, map[string]any{"data/attributes/delivery_status": "failed"})
	srv.CheckViolations(t)

	want(t, get(t, srv, "/webhook_notifications?include=container"), 400, map[string]any{"errors/0/source/parameter": "include"})
}

func TestTrigger(t *testing.T) {
	const body = `{"url":"https://a.example/hooks?x=1","event":"container.updated","secret":"s3cret"}`
	var srv *terminal49test.Server
	status := 200
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		payload, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if r.Method != "POST" || r.Host != "a.example" || r.RequestURI != "/hooks?x=1" || r.Header.Get("User-Agent") != "Terminal49 Webhook Bot" {
			t.Errorf("%s %s %s %v", r.Method, r.Host, r.RequestURI, r.Header)
		}
		if got, want := r.Header.Get("X-T49-Webhook-Signature"), terminal49test.SignWebhook("s3cret", payload); got != want {
			t.Errorf("signature %q, want %q", got, want)
		}
		get(t, srv, "/shipping_lines") // an endpoint may call the service
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "thanks")
	})
	srv = quiet(t, terminal49test.WithWebhookHandler(handler))
	want(t, call(t, srv, "POST", "/webhooks/trigger", body), 200, map[string]any{
		"succeeded": true, "error": nil, "status_code": 200.0, "response_body": "thanks", "url": "https://a.example/hooks?x=1",
		"request_headers/Content-Type": "application/json",
	})
	for _, status = range []int{206, 301, 500} {
		want(t, call(t, srv, "POST", "/webhooks/trigger", body), 200, map[string]any{
			"succeeded": false, "status_code": float64(status), "error": nil,
		})
	}
	if n := len(srv.WebhookNotifications()); n != 0 {
		t.Errorf("a test delivery left %d notifications", n)
	}
	srv.CheckViolations(t)

	for detail, body := range map[string]string{
		"url is required":        `{"event":"container.updated"}`,
		"url must be HTTPS":      `{"url":"http://a.example","event":"container.updated"}`,
		"event is required":      `{"url":"https://a.example"}`,
		"event is not supported": `{"url":"https://a.example","event":"link.created"}`,
	} {
		a := call(t, srv, "POST", "/webhooks/trigger", body)
		want(t, a, 422, map[string]any{"errors/0/detail": detail})
		if a.has("errors/0/status") {
			t.Errorf("an error of trigger has a detail and nothing else: %s", a.raw)
		}
	}
}

// Nobody is there unless the test says so, and a broken connection is an answer too.
func TestTriggerWithoutEndpoint(t *testing.T) {
	const body = `{"url":"https://a.example","event":"tracking_request.failed"}`
	a := call(t, quiet(t), "POST", "/webhooks/trigger", body)
	want(t, a, 200, map[string]any{"succeeded": false, "status_code": nil, "response_body": nil, "response_headers": nil})
	if a.has("request_headers/X-T49-Webhook-Signature") {
		t.Error("signed without a secret")
	}
	broken := quiet(t, terminal49test.WithWebhookTransport(refuse{}))
	want(t, call(t, broken, "POST", "/webhooks/trigger", body), 200, map[string]any{"succeeded": false, "error": "nobody home"})
}

type refuse struct{}

func (refuse) RoundTrip(*http.Request) (*http.Response, error) { return nil, errors.New("nobody home") }
