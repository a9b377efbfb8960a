package terminal49test

import (
	"net/http"
	"strings"
)

// triggerWebhook delivers a sample and reports the result, always with status 200. Only an invalid
// request is refused.
func (x *exchange) triggerWebhook() reply {
	var to, event, secret string
	x.attribute("url", &to)
	x.attribute("event", &event)
	x.attribute("secret", &secret)
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
		x.attribute("sample", &sample)
	}
	id := x.w.ids.next("triggered_notification") // a receiver takes each as a notification of its own
	body := appendJSON(nil, samplePayload(id, event, sample.DocumentType, x.now))
	req, err := newDelivery(to, body, secret)
	if err != nil {
		return triggerRefused("url is invalid")
	}
	result := object{{"url", to}}
	resp, responseBody, err := x.deliver(req)
	sent := member{"request_headers", headerObject(req.Header)}
	if err != nil {
		return jsonReply(200, append(result, member{"succeeded", false}, member{"error", err.Error()}, member{"status_code", nil},
			sent, member{"request_body", string(body)}, member{"response_headers", nil}, member{"response_body", nil}))
	}
	return jsonReply(200, append(result, member{"succeeded", isDelivered(resp.StatusCode)}, member{"error", nil},
		member{"status_code", resp.StatusCode}, sent, member{"request_body", string(body)},
		member{"response_headers", headerObject(resp.Header)}, member{"response_body", string(responseBody)}))
}

func triggerRefused(detail string) reply {
	return errorReply(ShapeDetailOnly, problem{status: 422, detail: detail})
}

func headerObject(h http.Header) object {
	o := object{}
	for _, name := range sortedKeys(h) {
		o = append(o, member{name, strings.Join(h[name], ", ")})
	}
	return o
}
