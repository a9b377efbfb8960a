package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// hostileText has what a terminal interprets, and a line that looks like one of the log.
const hostileText = "a\r\ntime=2026 level=INFO msg=forged \x1b[2J\u009b31m\u202e\u200b\x00"

// Whatever a signed delivery contains, each event is one short line of characters that are shown.
func TestReceiver_LogsHostileDeliveries(t *testing.T) {
	for _, event := range []string{
		"container.updated", "tracking_request.succeeded", "tracking_request.failed",
		"container.transport.vessel_arrived", "container.pickup_lfd.changed", hostileText, strings.Repeat("x", 500_000), "",
	} {
		for _, id := range []string{hostileText, "../webhooks", strings.Repeat("y", 30_000), ""} {
			var out bytes.Buffer
			r := hostileReceiver(t, &out)
			body := hostileDelivery(t, event, id)
			req := httptest.NewRequest(http.MethodPost, "/terminal49", bytes.NewReader(body))
			req.Header.Set("X-T49-Webhook-Signature", terminal49test.SignWebhook("s", body))
			w := httptest.NewRecorder()
			r.handler.ServeHTTP(w, req)
			for line := range strings.Lines(out.String()) {
				line = strings.TrimSuffix(line, "\n")
				if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) ||
					!strings.HasPrefix(line, "time=20") || len(line) > 4000 {
					t.Errorf("%.20q, %.20q: the log has a line of %d bytes: %.200q", event, id, len(line), line)
				}
			}
		}
	}
}

func hostileReceiver(t *testing.T, out *bytes.Buffer) *receiver {
	t.Helper()
	service := terminal49test.NewServer()
	t.Cleanup(service.Close)
	client, err := terminal49.New(service.Token, terminal49.WithBaseURL(service.URL))
	if err != nil {
		t.Fatal(err)
	}
	r, err := newReceiver(client, time.Now, newLog(out, false), terminal49.NewSecret("s"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// hostileDelivery returns a delivery whose texts are all id.
func hostileDelivery(t *testing.T, event, id string) []byte {
	t.Helper()
	ref := func(kind string) any {
		return map[string]any{"data": map[string]any{"id": id, "type": kind}}
	}
	res := func(kind string) any {
		return map[string]any{"id": id, "type": kind, "attributes": map[string]any{
			"number": id, "bill_of_lading_number": id, "request_number": id, "failed_reason": id, "location_locode": id,
			"timestamp": id, "pod_eta_at": id, "event": id,
		}}
	}
	body, err := json.Marshal(map[string]any{
		"data": map[string]any{
			"id": "n" + id, "type": "webhook_notification",
			"attributes":    map[string]any{"event": event, "created_at": id, "changeset": map[string]any{id: []any{id, id}, "pickup_lfd": []any{id, id}}},
			"relationships": map[string]any{"reference_object": ref(kindOf(event)), "container": ref("container"), "shipment": ref("shipment")},
		},
		"included": []any{res("container"), res("shipment"), res("tracking_request"), res("transport_event"), res("container_updated_event")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func kindOf(event string) string {
	switch {
	case strings.HasPrefix(event, "tracking_request"):
		return "tracking_request"
	case strings.Contains(event, "transport"):
		return "transport_event"
	case event == "container.updated":
		return "container_updated_event"
	}
	return fmt.Sprintf("x%.10s", event)
}
