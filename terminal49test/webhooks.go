package terminal49test

import (
	"bytes"
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// Webhook is an endpoint that the service calls when subscribed events happen.
type Webhook struct {
	ID         string          `json:"id,omitzero"` // "" generates one
	URL        string          `json:"url,omitzero"`
	Events     []string        `json:"events,omitzero"` // such as "container.updated"
	Inactive   bool            `json:"active,omitzero" form:"inverted"`
	Secret     string          `json:"secret,omitzero"` // "" generates one
	Headers    []WebhookHeader `json:"headers,omitzero"`
	CreatedAt  time.Time       `json:"created_at,omitzero"` // zero means now
	Attributes map[string]any  `json:"attributes,omitzero"`
}

// WebhookHeader is a header that is sent with every delivery.
type WebhookHeader struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// webhookStore holds webhooks, notifications and deliveries.
type webhookStore struct {
	deliveryQueue
	webhooks      state.Table[Webhook]
	notifications state.Table[WebhookNotification]
	changeEvents  state.Table[changeEvent]
}

// AddWebhook adds a webhook and returns its id. Its URL and events are not checked.
func (s *Server) AddWebhook(h Webhook) string {
	return withWorld(s, func(w *world) string { return w.addWebhook(h) })
}

// UpdateWebhook changes a webhook in place and reports whether the id exists.
func (s *Server) UpdateWebhook(id string, change func(*Webhook)) bool {
	change = calling(s, change)
	return withWorld(s, func(w *world) bool { return updateRow(&w.webhooks, id, change) })
}

// Webhook returns a copy of a webhook and whether the id exists.
func (s *Server) Webhook(id string) (h Webhook, ok bool) {
	ok = s.UpdateWebhook(id, func(found *Webhook) { h = found.clone() })
	return h, ok
}

func (w *world) addWebhook(h Webhook) string {
	h = h.clone()
	h.ID = w.identify(h.ID, "webhook")
	h.CreatedAt = w.orNow(h.CreatedAt)
	h.Secret = cmp.Or(h.Secret, strings.ReplaceAll(w.ids.Next("webhook_secret"), "-", ""))
	w.webhooks.Put(h.ID, &h)
	return h.ID
}

func (h Webhook) clone() Webhook {
	h.Events, h.Headers, h.Attributes = slices.Clone(h.Events), slices.Clone(h.Headers), maps.Clone(h.Attributes)
	return h
}

func (x *exchange) listWebhooks() service.Reply {
	rows := newestFirst("webhook", x.w.webhooks.All(), func(h *Webhook) (string, time.Time) { return h.ID, h.CreatedAt })
	return x.page(rows, 25, metaNone)
}

func (x *exchange) getWebhook() service.Reply {
	return x.one(200, wire.Ref{Kind: "webhook", ID: x.Args["id"]})
}

func (x *exchange) createWebhook() service.Reply {
	h := Webhook{CreatedAt: x.Now}
	for _, name := range []string{"url", "active", "events"} {
		if _, sent := x.Data.Attributes[name]; sent {
			continue
		}
		if x.Violate("attribute %q is missing", name); name != "active" { // it is required and has a default
			return service.BlankAttribute(name)
		}
	}
	if r := x.readWebhook(&h); r != nil {
		return *r
	}
	return x.one(201, wire.Ref{Kind: "webhook", ID: x.w.addWebhook(h)})
}

func (x *exchange) updateWebhook() service.Reply {
	h := x.w.webhooks.Get(x.Args["id"])
	if h == nil {
		return service.NotFound()
	}
	changed := h.clone()
	if r := x.readWebhook(&changed); r != nil {
		return *r
	}
	*h = changed
	return x.one(200, wire.Ref{Kind: "webhook", ID: h.ID})
}

// deleteWebhook responds with status 200 and no body.
func (x *exchange) deleteWebhook() service.Reply {
	if x.w.webhooks.Get(x.Args["id"]) == nil {
		return service.NotFound()
	}
	x.w.webhooks.Remove(x.Args["id"])
	return service.Reply{Status: 200, Header: http.Header{}}
}

// readWebhook applies the attributes in the body.
func (x *exchange) readWebhook(h *Webhook) *service.Reply {
	for _, name := range []string{"url", "active", "events", "headers"} {
		if raw, sent := x.Data.Attributes[name]; sent && bytes.Equal(raw, []byte("null")) {
			x.Violate("attribute %q is null", name)
			r := service.BlankAttribute(name)
			return &r
		}
	}
	if x.Attribute("url", &h.URL) && !isHTTPS(h.URL) {
		x.Violate("url must be an https URL")
		return service.Unprocessable("/data/attributes/url", "url must be HTTPS")
	}
	active := !h.Inactive
	x.Attribute("active", &active)
	h.Inactive = !active
	if events := []string(nil); x.Attribute("events", &events) {
		if r := x.checkEvents(events); r != nil {
			return r
		}
		h.Events = events
	}
	if _, sent := x.Data.Attributes["headers"]; sent {
		h.Headers = nil
		x.Attribute("headers", &h.Headers)
	}
	return nil
}

func (x *exchange) checkEvents(events []string) *service.Reply {
	const pointer = "/data/attributes/events"
	if len(events) == 0 {
		x.Violate("events must contain at least one event")
		r := service.BlankAttribute("events")
		return &r
	}
	for i, event := range events {
		switch {
		case slices.Contains(events[:i], event):
			x.Violate("events contains %q twice", event)
			return service.Unprocessable(pointer, "events must be unique")
		case !x.isOffered(event):
			x.checkEventName(event)
			return service.Unprocessable(pointer, event+" is not included in the list of events")
		}
	}
	return nil
}

func isHTTPS(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Host != ""
}

// listWebhookIPs returns the addresses in the service's documentation.
func (x *exchange) listWebhookIPs() service.Reply {
	return service.JSONReply(200, wire.Object{
		{"webhook_notification_ips", []string{"35.222.62.171", "3.230.67.145", "44.217.15.129"}},
		{"last_updated", "2023-10-17T21:23:16Z"},
	})
}

func (w *world) renderWebhook(h *Webhook) wire.Resource {
	var headers any
	if len(h.Headers) > 0 {
		list := []wire.Object{}
		for _, header := range h.Headers {
			list = append(list, wire.Object{{"name", header.Name}, {"value", header.Value}})
		}
		headers = list
	}
	return wire.Resource{Ref: wire.Ref{Kind: "webhook", ID: h.ID}, Attributes: wire.Object{
		{"url", h.URL}, {"active", !h.Inactive}, {"events", wire.NonNil(h.Events)}, {"secret", h.Secret}, {"headers", headers},
		{"created_at", h.CreatedAt},
	}.With(h.Attributes)}
}
