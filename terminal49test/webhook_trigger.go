package terminal49test

import (
	"net/http"
	"strings"
)

// triggerWebhook sends a sample and reports what came of it, always with 200. Only a request that makes no sense is
// refused.
func (x *exchange) triggerWebhook() reply {
	var to, event, secret string
	x.attribute("url", &to)
	x.attribute("event", &event)
	x.attribute("secret", &secret)
	problem := ""
	switch {
	case to == "":
		problem = "url is required"
	case !isHTTPS(to):
		problem = "url must be HTTPS"
	case event == "":
		problem = "event is required"
	case !x.isOffered(event):
		x.checkEventName(event)
		problem = "event is not supported"
	}
	if problem != "" {
		return triggerRefused(problem)
	}
	body := appendJSON(nil, samplePayload(event, x.now))
	req, err := newDelivery(to, body, secret)
	if err != nil {
		return triggerRefused("url is invalid")
	}
	result := object{{"url", to}}
	resp, answer, err := x.deliver(req)
	sent := member{"request_headers", headerObject(req.Header)}
	if err != nil {
		return jsonReply(200, append(result, member{"succeeded", false}, member{"error", err.Error()}, member{"status_code", nil},
			sent, member{"request_body", string(body)}, member{"response_headers", nil}, member{"response_body", nil}))
	}
	return jsonReply(200, append(result, member{"succeeded", isDelivered(resp.StatusCode)}, member{"error", nil},
		member{"status_code", resp.StatusCode}, sent, member{"request_body", string(body)},
		member{"response_headers", headerObject(resp.Header)}, member{"response_body", string(answer)}))
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
