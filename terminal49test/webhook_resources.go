package terminal49test

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Webhook is an endpoint that the service calls when something happens.
type Webhook struct {
	ID         string // "" for one from the seed
	URL        string
	Events     []string // such as "container.updated"
	Inactive   bool
	Secret     string // "" for one from the seed
	Headers    []WebhookHeader
	CreatedAt  time.Time // zero for now
	Attributes map[string]any
}

// WebhookHeader is a header that goes along with every delivery.
type WebhookHeader struct{ Name, Value string }

// WebhookNotification says that an event was, or is to be, told to a webhook.
type WebhookNotification struct {
	ID             string // "" for one from the seed
	Event          string
	DeliveryStatus string    // "pending" (also for ""), "succeeded" or "failed"
	CreatedAt      time.Time // zero for now
	Webhook        string    // webhook id
	// ReferenceType and ReferenceID name what the event is about, such as a "transport_event" or a "document".
	ReferenceType, ReferenceID string
	Attributes                 map[string]any
}

// WithoutWebhooks takes webhooks away from the account: all their operations answer 403.
func WithoutWebhooks() Option { return func(c *config) { c.noWebhooks = true } }

// WithoutWebhookEvents takes events away from the account, as if it lacked the feature behind them: they are not on
// offer and no webhook can ask for them. Without it the account has every event that is live.
func WithoutWebhookEvents(names ...string) Option {
	return func(c *config) { c.noEvents = append(c.noEvents, names...) }
}

// WithWebhookTransport sets what carries a delivery to its endpoint. Unless it or WithWebhookHandler is given nothing is
// delivered, and POST /webhooks/trigger reports that it could not connect.
func WithWebhookTransport(rt http.RoundTripper) Option { return func(c *config) { c.deliveries = rt } }

// WithWebhookHandler delivers to h in the process, whatever the URL of a webhook.
func WithWebhookHandler(h http.Handler) Option { return WithWebhookTransport(toHandler{h}) }

// AddWebhook adds a webhook and returns its id. Its URL and events may be ones that the service would refuse.
func (s *Server) AddWebhook(h Webhook) string {
	return locked(s, func(w *world) string { return w.addWebhook(h) })
}

// AddWebhookNotification adds a notification and returns its id. It stays in its state.
func (s *Server) AddWebhookNotification(n WebhookNotification) string {
	return locked(s, func(w *world) string { return w.addNotification(n).ID })
}

// UpdateWebhook changes a webhook in place and reports whether there is one with that id.
func (s *Server) UpdateWebhook(id string, change func(*Webhook)) bool {
	return locked(s, func(w *world) bool { return update(&w.webhooks, id, change) })
}

// UpdateWebhookNotification changes a notification in place and reports whether there is one with that id.
func (s *Server) UpdateWebhookNotification(id string, change func(*WebhookNotification)) bool {
	return locked(s, func(w *world) bool { return update(&w.notifications, id, change) })
}

// Webhook gives a copy of a webhook as the world has it now, and whether there is one with that id.
func (s *Server) Webhook(id string) (h Webhook, ok bool) {
	ok = s.UpdateWebhook(id, func(found *Webhook) { h = found.clone() })
	return h, ok
}

// WebhookNotifications gives copies of all notifications in the order they came about.
func (s *Server) WebhookNotifications() []WebhookNotification {
	return locked(s, func(w *world) []WebhookNotification {
		var list []WebhookNotification
		for _, n := range w.notifications.all() {
			n := *n
			n.Attributes = maps.Clone(n.Attributes)
			list = append(list, n)
		}
		return list
	})
}

// webhookWorld is the part of the world that is about webhooks.
type webhookWorld struct {
	postOffice
	webhooks      table[Webhook]
	notifications table[WebhookNotification]
	news          table[news]
}

func (w *world) addWebhook(h Webhook) string {
	h = h.clone()
	h.ID = w.identify(h.ID, "webhook")
	h.CreatedAt = w.orNow(h.CreatedAt)
	h.Secret = cmp.Or(h.Secret, strings.ReplaceAll(w.ids.next("webhook_secret"), "-", ""))
	w.webhooks.put(h.ID, &h)
	return h.ID
}

func (w *world) addNotification(n WebhookNotification) *WebhookNotification {
	n.ID = w.identify(n.ID, "webhook_notification")
	n.CreatedAt = w.orNow(n.CreatedAt)
	n.DeliveryStatus = cmp.Or(n.DeliveryStatus, "pending")
	n.Attributes = maps.Clone(n.Attributes)
	w.notifications.put(n.ID, &n)
	return &n
}

func (h Webhook) clone() Webhook {
	h.Events, h.Headers, h.Attributes = slices.Clone(h.Events), slices.Clone(h.Headers), maps.Clone(h.Attributes)
	return h
}

func (w *world) renderWebhook(h *Webhook) resource {
	var headers any
	if len(h.Headers) > 0 {
		list := []object{}
		for _, header := range h.Headers {
			list = append(list, object{{"name", header.Name}, {"value", header.Value}})
		}
		headers = list
	}
	return resource{ref: ref{"webhook", h.ID}, attributes: object{
		{"url", h.URL}, {"active", !h.Inactive}, {"events", nonNil(h.Events)}, {"secret", h.Secret}, {"headers", headers},
		{"created_at", h.CreatedAt},
	}.with(h.Attributes)}
}

// renderNotification gives notifications about documents the form they have of their own.
func (w *world) renderNotification(n *WebhookNotification) resource {
	r := resource{ref: ref{"webhook_notification", n.ID}, attributes: object{
		{"id", n.ID}, {"event", n.Event}, {"delivery_status", n.DeliveryStatus}, {"created_at", n.CreatedAt},
	}}
	if n.ReferenceType == "document" {
		r.attributes = append(r.attributes, member{"version", "1.0"})
		r.relations = []relation{toOne("document", "document", n.ReferenceID)}
	} else {
		r.relations = []relation{
			toOne("reference_object", n.ReferenceType, n.ReferenceID), toOne("webhook", "webhook", n.Webhook),
			toMany("webhook_notification_logs", "", nil),
		}
	}
	r.attributes = r.attributes.with(n.Attributes)
	return r
}
