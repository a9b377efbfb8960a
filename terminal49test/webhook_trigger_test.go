package terminal49test_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestWebhookTrigger_ReportsTheDelivery(t *testing.T) {
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
		getAPI(t, srv, "/shipping_lines") // an endpoint may call the service
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "thanks")
	})
	srv = newServer(t, terminal49test.WithWebhookHandler(handler))
	checkReply(t, callAPI(t, srv, "POST", "/webhooks/trigger", body), 200, map[string]any{
		"succeeded": true, "error": nil, "status_code": 200.0, "response_body": "thanks", "url": "https://a.example/hooks?x=1",
		"request_headers/Content-Type": "application/json",
	})
	for _, status = range []int{206, 301, 500} {
		checkReply(t, callAPI(t, srv, "POST", "/webhooks/trigger", body), 200, map[string]any{
			"succeeded": false, "status_code": float64(status), "error": nil,
		})
	}
	if n := len(srv.WebhookNotifications()); n != 0 {
		t.Errorf("a sample created %d notifications", n)
	}
	srv.CheckViolations(t)

	for detail, body := range map[string]string{
		"url is required":        `{"event":"container.updated"}`,
		"url must be HTTPS":      `{"url":"http://a.example","event":"container.updated"}`,
		"event is required":      `{"url":"https://a.example"}`,
		"event is not supported": `{"url":"https://a.example","event":"email_submission.created"}`,
	} {
		a := callAPI(t, srv, "POST", "/webhooks/trigger", body)
		checkReply(t, a, 422, map[string]any{"errors/0/detail": detail})
		if a.has("errors/0/status") {
			t.Errorf("an error of trigger must have only a detail: %s", a.raw)
		}
	}
}

// Source: docs/service-containers.md#deliveries: receivers recognize a repeated delivery by the
// notification's id, so two samples have two.
func TestWebhookTrigger_EachSampleHasAnID(t *testing.T) {
	in := &recordingEndpoint{}
	srv := newServer(t, terminal49test.WithWebhookHandler(in))
	ids := map[string]bool{}
	for _, event := range []string{"container.updated", "container.updated", "tracking_request.succeeded", "document.extracted"} {
		checkReply(t, callAPI(t, srv, "POST", "/webhooks/trigger", `{"url":"https://a.example","event":"`+event+`"}`), 200, nil)
	}
	for _, body := range in.bodies {
		var sent struct {
			Data struct {
				ID         string
				Attributes struct{ ID string }
			}
			Links struct{ Self string }
		}
		if err := json.Unmarshal([]byte(body), &sent); err != nil {
			t.Fatal(err)
		}
		ids[sent.Data.ID] = true
		if sent.Data.Attributes.ID != sent.Data.ID || sent.Links.Self != "/v2/webhook_notifications/"+sent.Data.ID {
			t.Errorf("the sample names itself differently: %s", body)
		}
	}
	if len(ids) != 4 {
		t.Errorf("ids %v, want four", ids)
	}
}

// Without a transport nothing listens. A connection error is a result too.
func TestWebhookTrigger_WithoutEndpoint(t *testing.T) {
	const body = `{"url":"https://a.example","event":"tracking_request.failed"}`
	a := callAPI(t, newServer(t), "POST", "/webhooks/trigger", body)
	checkReply(t, a, 200, map[string]any{"succeeded": false, "status_code": nil, "response_body": nil, "response_headers": nil})
	if a.has("request_headers/X-T49-Webhook-Signature") {
		t.Error("signed without a secret")
	}
	broken := newServer(t, terminal49test.WithWebhookTransport(failingTransport{}))
	checkReply(t, callAPI(t, broken, "POST", "/webhooks/trigger", body), 200, map[string]any{"succeeded": false, "error": "connection refused"})
}

type failingTransport struct{}

func (failingTransport) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("connection refused")
}
