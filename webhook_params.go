package terminal49

import (
	"fmt"
	"net/url"
	"strings"
)

// WebhookCreate are the attributes of a new webhook. The service chooses its Secret.
type WebhookCreate struct {
	URL      string          // the endpoint: https
	Events   []EventName     // the events to deliver: at least one, each once
	Headers  []WebhookHeader // sent with every delivery; may be empty
	Inactive bool            // create it inactive
}

// WebhookUpdate is a change to a webhook. Unset fields are not changed.
type WebhookUpdate struct {
	URL     Opt[string]          // https
	Events  Opt[[]EventName]     // replaces the list: at least one, each once
	Active  Opt[bool]            // activates or deactivates deliveries
	Headers Opt[[]WebhookHeader] // replaces the list; an empty one removes all headers
}

// webhookAttributes is the wire form of both, with the revealed values of the headers.
type webhookAttributes struct {
	URL     Opt[string]          `json:"url,omitzero"`
	Events  Opt[[]EventName]     `json:"events,omitzero"`
	Active  Opt[bool]            `json:"active,omitzero"`
	Headers Opt[[]webhookHeader] `json:"headers,omitzero"`
}

type webhookHeader struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (c WebhookCreate) attributes() webhookAttributes {
	a := webhookAttributes{URL: Some(c.URL), Events: Some(c.Events), Active: Some(!c.Inactive)}
	if len(c.Headers) > 0 {
		a.Headers = Some(revealed(c.Headers))
	}
	return a
}

func (u WebhookUpdate) attributes() webhookAttributes {
	a := webhookAttributes{URL: u.URL, Events: u.Events, Active: u.Active}
	if headers, ok := u.Headers.Get(); ok {
		a.Headers = Some(revealed(headers))
	} else if u.Headers.IsNull() {
		a.Headers = Null[[]webhookHeader]()
	}
	return a
}

func revealed(headers []WebhookHeader) []webhookHeader {
	plain := make([]webhookHeader, len(headers))
	for i, h := range headers {
		plain[i] = webhookHeader{h.Name, h.Value.Reveal()}
	}
	return plain
}

// validate checks the fields that are set.
func (a webhookAttributes) validate() error {
	if field, problem := a.problem(); problem != "" {
		return &ArgumentError{Field: field, Problem: problem}
	}
	return nil
}

func (a webhookAttributes) problem() (field, problem string) {
	switch {
	case a.URL.IsNull():
		return "URL", "must not be null; delete the webhook or set Active to false"
	case a.Events.IsNull():
		return "Events", "must not be null; delete the webhook or set Active to false"
	case a.Active.IsNull():
		return "Active", "must be true or false"
	case a.Headers.IsNull():
		return "Headers", "must not be null; an empty list removes all headers"
	}
	if to, ok := a.URL.Get(); ok && !isHTTPS(to) {
		return "URL", notHTTPS
	}
	if events, ok := a.Events.Get(); ok {
		if problem := eventsProblem(events); problem != "" {
			return "Events", problem
		}
	}
	return "Headers", headersProblem(a.Headers.Or(nil))
}

// signatureHeader is SignatureHeader of package webhook.
const signatureHeader = "X-T49-Webhook-Signature"

const notHTTPS = `must be an https URL such as "https://example.com/terminal49"`

func isHTTPS(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Hostname() != ""
}

// eventsProblem accepts unknown names, because the service adds events without notice.
func eventsProblem(events []EventName) string {
	if len(events) == 0 {
		return "must have at least one event; Webhooks.Events lists those of the account"
	}
	seen := map[EventName]bool{}
	for _, event := range events {
		switch {
		case event == "":
			return "must not have an empty name"
		case seen[event]:
			return fmt.Sprintf("must not have %q twice", event)
		}
		seen[event] = true
	}
	return ""
}

// headersProblem never quotes a value, nor an invalid name, which may be "Name: value".
func headersProblem(headers []webhookHeader) string {
	for i, h := range headers {
		switch {
		case !headerName.MatchString(h.Name):
			return fmt.Sprintf("must have a valid HTTP header name at [%d]", i)
		case strings.EqualFold(h.Name, signatureHeader):
			return fmt.Sprintf("must not have the name %q, which carries the signature", h.Name)
		case !isHeaderText(h.Value):
			return fmt.Sprintf("must have printable ASCII on one line as the value of %q", h.Name)
		}
	}
	return ""
}

// concealing returns an endpoint whose errors have the values of the headers removed, in case a
// response repeats them.
func (a webhookAttributes) concealing(e endpoint) endpoint {
	for _, h := range a.Headers.Or(nil) {
		e = e.concealing(NewSecret(h.Value))
	}
	return e
}
