package terminal49test

import (
	"net/http"
	"strings"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// triggerWebhook delivers a sample and reports the result, always with status 200. Only an invalid
// request is refused.
func (x *exchange) triggerWebhook() service.Reply {
	var to, event, secret string
	x.Attribute("url", &to)
	x.Attribute("event", &event)
	x.Attribute("secret", &secret)
	detail := ""
	switch {
	case to == "":
		detail = "url is required"
	case !isHTTPS(to):
		detail = "url must be HTTPS"
	case event == "":
		detail = "event is required"
	case !x.isOffered(event):
		x.checkEventName(event)
		detail = "event is not supported"
	}
	if detail != "" {
		return triggerRefused(detail)
	}
	sample := struct {
		DocumentType string `json:"document_type"`
	}{}
	if x.s.config.autumn2026 {
		x.Attribute("sample", &sample)
	}
	id := x.w.ids.Next("triggered_notification") // a receiver takes each as a notification of its own
	body := wire.AppendJSON(nil, samplePayload(id, event, sample.DocumentType, x.Now))
	req, err := newDelivery(to, body, secret)
	if err != nil {
		return triggerRefused("url is invalid")
	}
	result := wire.Object{{"url", to}}
	resp, responseBody, err := x.deliver(req)
	sent := wire.Member{"request_headers", headerObject(req.Header)}
	if err != nil {
		return service.JSONReply(200, append(result, wire.Member{"succeeded", false}, wire.Member{"error", err.Error()}, wire.Member{"status_code", nil},
			sent, wire.Member{"request_body", string(body)}, wire.Member{"response_headers", nil}, wire.Member{"response_body", nil}))
	}
	return service.JSONReply(200, append(result, wire.Member{"succeeded", isDelivered(resp.StatusCode)}, wire.Member{"error", nil},
		wire.Member{"status_code", resp.StatusCode}, sent, wire.Member{"request_body", string(body)},
		wire.Member{"response_headers", headerObject(resp.Header)}, wire.Member{"response_body", string(responseBody)}))
}

func triggerRefused(detail string) service.Reply {
	return service.ErrorReply(service.ShapeDetailOnly, service.Problem{Status: 422, Detail: detail})
}

func headerObject(h http.Header) wire.Object {
	o := wire.Object{}
	for _, name := range state.SortedKeys(h) {
		o = append(o, wire.Member{name, strings.Join(h[name], ", ")})
	}
	return o
}
