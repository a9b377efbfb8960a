package testkit

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// NewHandler returns a receiver that accepts what SignedRequest signs.
func NewHandler(t testing.TB, opts ...webhook.Option) *webhook.Handler {
	t.Helper()
	h, err := webhook.NewHandler(append([]webhook.Option{webhook.WithSecrets(terminal49.NewSecret(WebhookSecret))},
		opts...)...)
	require.NoError(t, err)
	return h
}

// SignedRequest returns a delivery of body, signed with WebhookSecret.
func SignedRequest(body []byte) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "https://example.com/t49", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Terminal49 Webhook Bot")
	r.Header.Set(webhook.SignatureHeader, terminal49test.SignWebhook(WebhookSecret, body))
	return r
}

// Serve returns the response of h to r.
func Serve(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// Numbered returns the body of a delivery with an id of its own for each i.
func Numbered(i int) []byte {
	return bytes.ReplaceAll(Delivered(terminal49.EventContainerUpdated, "container_updated_event", "", ""),
		[]byte("n-1"), fmt.Appendf(nil, "n-%d", i))
}

// Counting returns a callback for every event, which increments n.
func Counting(n *atomic.Int64) webhook.Option {
	return webhook.OnAny(func(context.Context, *webhook.Notification) error { n.Add(1); return nil })
}

// SampleDelivery returns the body of the service's sample delivery for an event.
func SampleDelivery(t testing.TB, event terminal49.EventName) []byte {
	t.Helper()
	srv := terminal49test.NewServer(terminal49test.WithoutSocket())
	defer srv.Close()
	req, err := http.NewRequest(http.MethodGet, srv.URL+"/webhook_notifications/examples?event="+string(event), nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Token "+srv.Token)
	resp, err := srv.HTTPClient().Do(req)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, resp.StatusCode)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return body
}

// Delivered returns the body of a delivery: its reference object, and the other included resources.
func Delivered(event terminal49.EventName, kind, attributes, relationships string, included ...string) []byte {
	about := fmt.Sprintf(`{"id":"ref","type":%q,"attributes":{%s},"relationships":{%s}}`, kind, attributes, relationships)
	return fmt.Appendf(nil, `{"data":{"id":"n-1","type":"webhook_notification","attributes":{"id":"n-1","event":%q,`+
		`"delivery_status":"succeeded","created_at":"2024-07-01T12:00:00Z"},"relationships":{"reference_object":{"data":{"id":"ref","type":%q}},`+
		`"webhook":{"data":{"id":"w-1","type":"webhook"}}}},"included":[%s]}`, event, kind,
		strings.Join(append(included, about), ","))
}

// ParsedDelivery returns the notification in body.
func ParsedDelivery(t testing.TB, body []byte) *webhook.Notification {
	t.Helper()
	n, err := webhook.ParseNotification(body)
	require.NoError(t, err)
	return n
}

// Deliveries returns the sample delivery of each event, and bodies that are almost deliveries.
func Deliveries(t testing.TB) (bodies [][]byte) {
	for _, event := range terminal49.WebhookEvents() {
		bodies = append(bodies, SampleDelivery(t, event))
	}
	for _, body := range []string{
		`{"data":{"id":"a","type":"webhook_notification","attributes":{"event":"x.y"}}}`,
		`{"data":[{}],"included":[{"type":"transport_event","id":"a","relationships":{"container":{"data":{}}}}]}`,
		`{"data":{"id":7,"type":"webhook_notification","attributes":{"event":"document.extracted","event":"x"},"relationships":{"webhook":{"id":"w"}}}}`,
		`{"data":[{"id":"a","type":"webhook_notification","attributes":{"event":"x","created_at":"2026-03-02"}},null]}`, `{"data":null}`, `[]`, ``,
		`{"data":{"id":"a","type":"webhook"}}`,
		`{"data":{"id":"a","type":"webhook_notification","attributes":{"EVENT":"x"}}}`,
	} {
		bodies = append(bodies, []byte(body))
	}
	return bodies
}

// EventTexts returns the events as strings, as the simulator has them.
func EventTexts(events []terminal49.EventName) []string {
	texts := make([]string, len(events))
	for i, event := range events {
		texts[i] = string(event)
	}
	return texts
}
