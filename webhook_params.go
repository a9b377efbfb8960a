package terminal49

import (
	"fmt"
	"net/url"
	"strings"
)

// WebhookCreate is a webhook to be made. The service makes up its secret.
type WebhookCreate struct {
	URL      string          // where to deliver: https
	Events   []EventName     // what to be called for: at least one, none twice
	Headers  []WebhookHeader // to send along with every delivery; may be empty
	Inactive bool            // make it switched off
}

// WebhookUpdate is a change to a webhook. What is not mentioned stays as it is.
type WebhookUpdate struct {
	URL     Opt[string]          // https
	Events  Opt[[]EventName]     // replaces the list: at least one, none twice
	Active  Opt[bool]            // switches deliveries off, or on again
	Headers Opt[[]WebhookHeader] // replaces the list; an empty one takes all headers away
}

// webhookAttributes is either of them as it is sent, with the values of the headers in the open.
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

// validate looks at what is mentioned.
func (a webhookAttributes) validate() error {
	if field, problem := a.problem(); problem != "" {
		return &ArgumentError{Field: field, Problem: problem}
	}
	return nil
}

func (a webhookAttributes) problem() (field, problem string) {
	switch {
	case a.URL.IsNull():
		return "URL", "cannot be cleared; delete the webhook, or set Active to false"
	case a.Events.IsNull():
		return "Events", "cannot be cleared; delete the webhook, or set Active to false"
	case a.Active.IsNull():
		return "Active", "must be true or false"
	case a.Headers.IsNull():
		return "Headers", "cannot be null; an empty list takes all headers away"
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

const notHTTPS = `must be an https URL such as "https://example.com/terminal49"`

func isHTTPS(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Hostname() != ""
}

// eventsProblem leaves open which names exist: the service adds some without notice.
func eventsProblem(events []EventName) string {
	if len(events) == 0 {
		return "must name at least one event; Webhooks.Events lists those of the account"
	}
	seen := map[EventName]bool{}
	for _, event := range events {
		switch {
		case event == "":
			return "holds an empty name"
		case seen[event]:
			return fmt.Sprintf("holds %q twice; name each event once", event)
		}
		seen[event] = true
	}
	return ""
}

// headersProblem never quotes a value, nor a name that is none: it may be "Name: value".
func headersProblem(headers []webhookHeader) string {
	for i, h := range headers {
		switch {
		case !headerName.MatchString(h.Name):
			return fmt.Sprintf("holds at [%d] a Name that no HTTP header can have", i)
		case strings.EqualFold(h.Name, WebhookSignatureHeader):
			return fmt.Sprintf("holds the name %q, which is the service's own: with two signatures a delivery has none", h.Name)
		case !isHeaderText(h.Value):
			return fmt.Sprintf("holds a value for %q that is not printable ASCII on one line", h.Name)
		}
	}
	return ""
}

// concealing keeps the values of the headers out of the errors of a call, should a response repeat
// them.
func (a webhookAttributes) concealing(e endpoint) endpoint {
	for _, h := range a.Headers.Or(nil) {
		e = e.concealing(NewSecret(h.Value))
	}
	return e
}
