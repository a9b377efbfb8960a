// Package mirrortest holds what the tests of the mirror share: signed deliveries, a simulated
// service, and the switch between a sample of a proof and the whole.
package mirrortest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// WebhookSecret signs the deliveries of [SignedRequest].
const WebhookSecret = "whsec-5ec4e7"

// Scale returns all if the environment variable PROOF is whole, and sample otherwise.
func Scale[T any](sample, all T) T {
	if os.Getenv("PROOF") == "whole" {
		return all
	}
	return sample
}

// Simulated runs test in a synctest bubble against a service of its own, on the bubble's clock. It
// fails if the client does anything that the service does not document.
func Simulated(t *testing.T, test func(*testing.T, *terminal49test.Server)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket())
		defer srv.Close()
		test(t, srv)
		srv.CheckViolations(t)
	})
}

// Received returns the requests of one operation.
func Received(srv *terminal49test.Server, op string) []terminal49test.Request {
	return slices.DeleteFunc(srv.Requests(), func(r terminal49test.Request) bool { return r.Operation != op })
}

// Serve returns the response of h to r.
func Serve(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// SignedRequest returns a delivery of body, signed with [WebhookSecret].
func SignedRequest(body []byte) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "https://example.com/t49", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Terminal49 Webhook Bot")
	r.Header.Set(webhook.SignatureHeader, terminal49test.SignWebhook(WebhookSecret, body))
	return r
}

// Delivered returns the body of a delivery of the notification n-1, which includes its reference
// object.
func Delivered(event terminal49.EventName, kind, attributes, relationships string, included ...string) []byte {
	about := fmt.Sprintf(`{"id":"ref","type":%q,"attributes":{%s},"relationships":{%s}}`, kind, attributes, relationships)
	return fmt.Appendf(nil, `{"data":{"id":"n-1","type":"webhook_notification","attributes":{"id":"n-1","event":%q,`+
		`"delivery_status":"succeeded","created_at":"2024-07-01T12:00:00Z"},"relationships":{"reference_object":{"data":{"id":"ref","type":%q}},`+
		`"webhook":{"data":{"id":"w-1","type":"webhook"}}}},"included":[%s]}`, event, kind,
		strings.Join(append(included, about), ","))
}

// Numbered returns the body of a delivery with an id of its own for each i.
func Numbered(i int) []byte {
	return bytes.ReplaceAll(Delivered(terminal49.EventContainerUpdated, "container_updated_event", "", ""),
		[]byte("n-1"), fmt.Appendf(nil, "n-%d", i))
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
