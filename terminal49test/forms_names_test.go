package terminal49test_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/internal/forms"
)

// The members of a resource's form are the attributes and relationships that a response has. The
// exceptions are references whose name is shorter here, and what a response does not have.
func TestForms_HaveTheServicesNames(t *testing.T) {
	srv := newServer(t, terminal49test.WithWebhookHandler(nil))
	srv.SeedDemo()
	srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: []string{"container.updated"}})
	srv.AddWebhookNotification(terminal49test.WebhookNotification{Event: "container.updated"})
	srv.AddDocument(terminal49test.Document{FileName: "a.pdf", Parent: "b"})
	shipment := srv.AddShipment(terminal49test.Shipment{})
	srv.AddPartyRole(terminal49test.PartyRole{Role: "consignee", Shipment: shipment})
	srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "po", Options: []terminal49test.CustomFieldOption{{Label: "One"}}})
	if _, err := srv.AddCustomField(terminal49test.CustomField{Entity: shipment, APISlug: "po", Value: "1"}); err != nil {
		t.Fatal(err)
	}
	sent := map[string][]string{}
	for r := range srv.Snapshot() {
		var res struct{ Attributes, Relationships map[string]any }
		if err := json.Unmarshal(r.JSON, &res); err != nil {
			t.Fatal(err)
		}
		for _, members := range []map[string]any{res.Attributes, res.Relationships} {
			for name := range members {
				sent[r.Type] = append(sent[r.Type], name)
			}
		}
	}
	for kind, c := range map[string]struct {
		form   any
		others []string
	}{
		"container":       {terminal49test.Container{}, nil},
		"shipment":        {terminal49test.Shipment{}, []string{"shipping_line", "customer", "pod_vessel"}},
		"transport_event": {terminal49test.TransportEvent{}, nil},
		"raw_event":       {terminal49test.RawEvent{}, nil},
		"tracking_request": {terminal49test.TrackingRequest{}, []string{
			"shipment", "auto_detect_vocc_scac", "initial_custom_fields", // of a request to create one
		}},
		"vessel":                  {terminal49test.Vessel{}, []string{"positions"}}, // of GET /vessels/{id}
		"port":                    {terminal49test.Port{}, nil},
		"metro_area":              {terminal49test.MetroArea{}, nil},
		"terminal":                {terminal49test.Terminal{}, []string{"metro_area", "as_rail"}},
		"shipping_line":           {terminal49test.ShippingLine{}, []string{"container_prefixes"}},
		"party":                   {terminal49test.Party{}, nil},
		"party_role":              {terminal49test.PartyRole{}, []string{"shipment", "container"}},
		"custom_field":            {terminal49test.CustomField{}, nil},
		"custom_field_definition": {terminal49test.CustomFieldDefinition{}, []string{"shared"}},
		"custom_field_option":     {terminal49test.CustomFieldOption{}, nil},
		"document": {terminal49test.Document{}, []string{
			"content", "containers", "start_page", "end_page", "rotation", "discarded", "events",
			"payload", "extracted_data_manual", "schema_version", "extracted_at", // of its representation
		}},
		"email_submission":     {terminal49test.EmailSubmission{}, []string{"body", "references", "in_reply_to", "content_type", "user"}},
		"webhook":              {terminal49test.Webhook{}, nil},
		"webhook_notification": {terminal49test.WebhookNotification{}, []string{"reference_type", "reference_id"}},
	} {
		if sent[kind] == nil {
			t.Errorf("no %s was sent", kind)
		}
		for _, name := range forms.Names(reflect.TypeOf(c.form)) {
			known := append(sent[kind], c.others...)
			if known = append(known, "id", "attributes"); !slices.Contains(known, name) {
				t.Errorf("%s has no %s", kind, name)
			}
		}
		for _, name := range c.others {
			if slices.Contains(sent[kind], name) {
				t.Errorf("%s has %s, which is not an exception", kind, name)
			}
		}
	}
}
