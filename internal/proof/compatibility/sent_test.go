package compatibility_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// sent returns texts of the simulated service that programs store as they were sent, by the name of
// the file: a map, a document, and a notification of each payload.
func sent(t *testing.T) map[string]json.RawMessage {
	var body []byte
	endpoint := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { body, _ = io.ReadAll(r.Body) })
	srv := terminal49test.NewServer(terminal49test.WithSpeed(0), terminal49test.WithSeed(49), terminal49test.WithWebhookHandler(endpoint),
		terminal49test.WithStart(time.Date(2026, time.March, 2, 20, 0, 0, 0, time.UTC)))
	defer srv.Close()
	demo := srv.SeedDemo()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL))
	if err != nil {
		t.Fatal(err)
	}
	shipment, err := client.Shipments.Get(t.Context(), demo.Shipments[4], nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := client.Containers.Map(t.Context(), shipment.Containers.IDs()[0])
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]json.RawMessage{"ContainerMap": m.Raw(), "jsonapi.Relationship": []byte(`{"data":{"type":"party","id":"` + id("party") + `"}}`)}
	payloads := map[reflect.Type]bool{}
	for _, event := range terminal49.WebhookEvents() {
		if _, err := client.Webhooks.Trigger(t.Context(), terminal49.WebhookTrigger{URL: "https://receiver.example/", Event: event}); err != nil {
			t.Fatalf("%s: %v", event, err)
		}
		n, err := webhook.ParseNotification(body)
		if err != nil {
			t.Fatalf("%s: %v", event, err)
		}
		if payload := reflect.TypeOf(n.Payload); !payloads[payload] {
			payloads[payload] = true
			texts[fmt.Sprintf("webhook.Notification-%s", event)] = body
			texts["jsonapi.Document"], texts["jsonapi.Resource"] = body, dataOf(t, body)
		}
	}
	return texts
}

func dataOf(t *testing.T, document []byte) json.RawMessage {
	t.Helper()
	var read struct{ Data json.RawMessage }
	if err := json.Unmarshal(document, &read); err != nil {
		t.Fatal(err)
	}
	return read.Data
}
