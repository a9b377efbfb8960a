package terminal49test_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

const webhookBody = `{"data":{"type":"webhook","attributes":{"url":"https://example.com/t49","active":true,"events":["container.updated"],` +
	`"headers":[{"name":"X-Api-Key","value":"sesame"}]}}}`

// allEvents returns the events that the service offers.
func allEvents(t testing.TB, srv *terminal49test.Server) []string {
	t.Helper()
	var events []string
	for _, category := range getAPI(t, srv, "/webhooks/events").list("data") {
		for _, e := range (testReply{doc: category}).list("attributes/events") {
			name, _ := testReply{doc: e}.at("name").(string)
			events = append(events, name)
		}
	}
	return events
}

func TestWebhooks_Operations(t *testing.T) {
	srv := newServer(t)
	created := callAPI(t, srv, "POST", "/webhooks", webhookBody)
	checkReply(t, created, 201, map[string]any{
		"data/type": "webhook", "data/attributes/url": "https://example.com/t49", "data/attributes/active": true,
		"data/attributes/events/0": "container.updated", "data/attributes/headers/0/name": "X-Api-Key",
		"data/attributes/headers/0/value": "sesame", "data/attributes/created_at": "2024-07-01T12:00:00Z",
	})
	id, _ := created.at("data/id").(string)
	secret, _ := created.at("data/attributes/secret").(string)
	if len(secret) != 32 {
		t.Errorf("secret %q, want 32 characters", secret)
	}
	checkReply(t, getAPI(t, srv, "/webhooks/"+id), 200, map[string]any{"data/id": id, "data/attributes/secret": secret})
	other := srv.AddWebhook(terminal49test.Webhook{URL: "http://old.example.com", Events: []string{"container.created"}, Inactive: true})

	list := getAPI(t, srv, "/webhooks?page[number]=1&page[size]=1")
	checkReply(t, list, 200, map[string]any{"data/0/id": other, "data/0/attributes/active": false, "data/0/attributes/headers": nil})
	if list.has("meta") || !list.has("links/next") {
		t.Errorf("the list must have links and no meta: %s", list.raw)
	}

	update := `{"data":{"type":"webhook","id":"` + id + `","attributes":{"active":false,"events":["container.created"],"headers":[]}}}`
	checkReply(t, callAPI(t, srv, "PATCH", "/webhooks/"+id, update), 200, map[string]any{
		"data/attributes/active": false, "data/attributes/events/0": "container.created", "data/attributes/headers": nil,
		"data/attributes/url": "https://example.com/t49", "data/attributes/secret": secret,
	})

	gone := callAPI(t, srv, "DELETE", "/webhooks/"+id, "")
	if gone.status != 200 || gone.raw != "" {
		t.Errorf("the deletion returned %d %q, want 200 without a body", gone.status, gone.raw)
	}
	for _, method := range []string{"GET", "DELETE"} {
		checkReply(t, callAPI(t, srv, method, "/webhooks/"+id, ""), 404, map[string]any{"errors/0/title": "Not Found"})
	}
	checkReply(t, callAPI(t, srv, "PATCH", "/webhooks/"+id, update), 404, nil)
	checkReply(t, getAPI(t, srv, "/webhooks/ips"), 200, map[string]any{"webhook_notification_ips/0": "35.222.62.171"})
	srv.CheckViolations(t)
}

func TestWebhooks_Refusals(t *testing.T) {
	cases := []struct{ name, attributes, pointer, violation string }{
		{"no url", `"active":true,"events":["container.updated"]`, "/data/attributes/url", "url"},
		{"no events", `"url":"https://a.example","active":true`, "/data/attributes/events", "events"},
		{"empty events", `"url":"https://a.example","active":true,"events":[]`, "/data/attributes/events", "at least one"},
		{"null url", `"url":null,"active":true,"events":["container.updated"]`, "/data/attributes/url", "null"},
		{"null headers", `"url":"https://a.example","active":true,"events":["container.updated"],"headers":null`, "/data/attributes/headers", "null"},
		{"not https", `"url":"http://a.example","active":true,"events":["container.updated"]`, "/data/attributes/url", "https"},
		{"twice", `"url":"https://a.example","active":true,"events":["container.updated","container.updated"]`, "/data/attributes/events", "twice"},
		{"unknown", `"url":"https://a.example","active":true,"events":["container.melted"]`, "/data/attributes/events", "not an event"},
		{"planned", `"url":"https://a.example","active":true,"events":["email_submission.created"]`, "/data/attributes/events", ""},
		{"not the account's", `"url":"https://a.example","active":true,"events":["document.extracted"]`, "/data/attributes/events", ""},
		{"under its other name", `"url":"https://a.example","active":true,"events":["document_representation.created"]`, "/data/attributes/events", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			srv := newServer(t, terminal49test.WithoutWebhookEvents("document.extracted"))
			a := callAPI(t, srv, "POST", "/webhooks", `{"data":{"type":"webhook","attributes":{`+c.attributes+`}}}`)
			checkReply(t, a, 422, map[string]any{"errors/0/source/pointer": c.pointer})
			violations := srv.Violations()
			switch {
			case c.violation == "" && len(violations) > 0:
				t.Errorf("violations %v, want none for an existing event", violations)
			case c.violation != "" && (len(violations) != 1 || !strings.Contains(violations[0].Problem, c.violation)):
				t.Errorf("violations %v, want one about %q", violations, c.violation)
			}
		})
	}
}

func TestWebhooks_NotEnabled(t *testing.T) {
	srv := newServer(t, terminal49test.WithoutWebhooks())
	id := srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example", Events: []string{"container.updated"}})
	for _, c := range []struct{ method, path, body string }{
		{"GET", "/webhooks", ""}, {"POST", "/webhooks", webhookBody}, {"GET", "/webhooks/" + id, ""},
		{"PATCH", "/webhooks/" + id, webhookBody}, {"DELETE", "/webhooks/" + id, ""}, {"GET", "/webhooks/events", ""},
		{"GET", "/webhooks/ips", ""}, {"POST", "/webhooks/trigger", `{"url":"https://a.example","event":"container.updated"}`},
		{"GET", "/webhook_notifications", ""}, {"GET", "/webhook_notifications/" + id, ""},
		{"GET", "/webhook_notifications/examples?event=container.updated", ""},
	} {
		checkReply(t, callAPI(t, srv, c.method, c.path, c.body), 403, map[string]any{"errors/0/title": "API access not enabled"})
	}
	srv.CheckViolations(t)
}

func TestWebhookEvents_Offered(t *testing.T) {
	srv := newServer(t)
	events := allEvents(t, srv)
	if n := len(slices.Compact(slices.Sorted(slices.Values(events)))); n != 44 || len(events) != 44 {
		t.Errorf("%d events, %d of them different, want 44", len(events), n)
	}
	checkReply(t, getAPI(t, srv, "/webhooks/events"), 200, map[string]any{
		"data/0/id": "tracking-request-events", "data/0/type": "webhook_event_category",
		"data/0/attributes/name": "Tracking Request Events", "data/0/attributes/events/0/name": "tracking_request.succeeded",
	})
	fewer := newServer(t, terminal49test.WithoutWebhookEvents("document.extracted", "document.extraction_failed", "link.created"))
	if events := allEvents(t, fewer); len(events) != 41 || slices.Contains(events, "document.extracted") {
		t.Errorf("%d events without documents, want 41", len(events))
	}
	if last := len(getAPI(t, fewer, "/webhooks/events").list("data")); last != 8 {
		t.Errorf("%d categories, want 8 without the empty one", last)
	}
}

// The service documents active as required and with the default true. Its own client leaves it out.
func TestWebhooks_WithoutActive(t *testing.T) {
	srv := newServer(t)
	a := callAPI(t, srv, "POST", "/webhooks", `{"data":{"type":"webhook","attributes":{"url":"https://a.example","events":["container.updated"]}}}`)
	checkReply(t, a, 201, map[string]any{"data/attributes/active": true})
	if found := srv.Violations(); len(found) != 1 || !strings.Contains(found[0].Problem, `"active" is missing`) {
		t.Errorf("violations %q, want one about active", found)
	}
}

// Versions of the service's reference pages have either name of the document events, and its
// changelog of 2026-05-11 has link.created.
func TestWebhooks_AcceptBothNamesOfDocumentEvents(t *testing.T) {
	srv := newServer(t)
	const events = `["document.extracted","document.extraction_failed","document_representation.created","document_representation.failed","link.created"]`
	a := callAPI(t, srv, "POST", "/webhooks", `{"data":{"type":"webhook","attributes":{"url":"https://a.example","active":true,"events":`+events+`}}}`)
	checkReply(t, a, 201, map[string]any{"data/attributes/events/3": "document_representation.failed"})
	checkReply(t, getAPI(t, srv, "/webhook_notifications/examples?event=document_representation.created"), 200, map[string]any{
		"data/relationships/reference_object/data/type": "document", "data/relationships/webhook/data/type": "webhook",
		"included/0/type": "document", "included/2/type": "document_representation",
	})
	failed := getAPI(t, srv, "/webhook_notifications/examples?event=document_representation.failed")
	checkReply(t, failed, 200, map[string]any{
		"included/0/attributes/document_type": "unknown", "included/0/relationships/last_document_representation/data": nil,
	})
	srv.CheckViolations(t)
}

// The changelog of 2026-05-11: link.created means that a document got linked.
func TestLinkCreated_OnlyOfALinkedDocument(t *testing.T) {
	srv := newServer(t)
	srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MEDUSH4081712"})
	srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example", Events: []string{"document.extracted", "link.created"}})
	for _, file := range []string{"arrival_notice.pdf", "MEDUSH4081712.pdf"} {
		srv.AddDocument(terminal49test.Document{FileName: file})
		srv.Advance(time.Minute)
	}
	var events []string
	for _, n := range srv.WebhookNotifications() {
		events = append(events, n.Event)
	}
	if want := []string{"document.extracted", "document.extracted", "link.created"}; !slices.Equal(events, want) {
		t.Errorf("events %q, want %q", events, want)
	}
}
