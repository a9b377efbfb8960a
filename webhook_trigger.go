package terminal49

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// WebhookTrigger asks for a sample delivery.
type WebhookTrigger struct {
	URL    string    // where to deliver: https
	Event  EventName // which sample
	Secret Secret    // signs the delivery; empty sends it unsigned
}

// WebhookTriggerResult is what came of a sample delivery.
type WebhookTriggerResult struct {
	URL             string      // as asked
	Succeeded       bool        // whether the endpoint answered 200, 201, 202 or 204
	Error           string      // why it failed; "" if it did not
	StatusCode      Opt[int]    // the endpoint's answer; null if there was none
	RequestHeaders  http.Header // as sent to the endpoint, the signature among them
	RequestBody     string      // as sent to the endpoint
	ResponseHeaders http.Header // nil if there was no answer
	ResponseBody    string      // "" if there was no answer
}

func (t WebhookTrigger) validate() error {
	switch {
	case !isHTTPS(t.URL):
		return &ArgumentError{Field: "URL", Problem: notHTTPS}
	case t.Event == "":
		return &ArgumentError{Field: "Event", Problem: "must name an event, such as EventContainerUpdated"}
	}
	return nil
}

type triggerBody struct {
	URL    string    `json:"url"`
	Event  EventName `json:"event"`
	Secret string    `json:"secret,omitempty"`
}

func (t WebhookTrigger) body() triggerBody { return triggerBody{t.URL, t.Event, t.Secret.Reveal()} }

type triggerReply struct {
	URL             string       `json:"url"`
	Succeeded       bool         `json:"succeeded"`
	Error           string       `json:"error"`
	StatusCode      Opt[int]     `json:"status_code"`
	RequestHeaders  looseHeaders `json:"request_headers"`
	RequestBody     string       `json:"request_body"`
	ResponseHeaders looseHeaders `json:"response_headers"`
	ResponseBody    string       `json:"response_body"`
}

func (r triggerReply) result() WebhookTriggerResult {
	return WebhookTriggerResult{
		URL: r.URL, Succeeded: r.Succeeded, Error: r.Error, StatusCode: r.StatusCode,
		RequestHeaders: http.Header(r.RequestHeaders), RequestBody: r.RequestBody,
		ResponseHeaders: http.Header(r.ResponseHeaders), ResponseBody: r.ResponseBody,
	}
}

// looseHeaders reads an object of headers. The service says no more of their values than that there are some.
type looseHeaders http.Header

func (h *looseHeaders) UnmarshalJSON(data []byte) error {
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil || object == nil {
		return err
	}
	header := http.Header{}
	for name, value := range object {
		values, many := value.([]any)
		if !many {
			values = []any{value}
		}
		for _, v := range values {
			if v != nil {
				header.Add(name, fmt.Sprint(v))
			}
		}
	}
	*h = looseHeaders(header)
	return nil
}
