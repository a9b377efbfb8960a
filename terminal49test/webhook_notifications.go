package terminal49test

import (
	"cmp"
	"maps"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// WebhookNotification is the notification of one event to one webhook.
type WebhookNotification struct {
	ID             string    `json:"id,omitzero"` // "" generates one
	Event          string    `json:"event,omitzero"`
	DeliveryStatus string    `json:"delivery_status,omitzero"` // "pending" (also for ""), "succeeded" or "failed"
	CreatedAt      time.Time `json:"created_at,omitzero"`      // zero means now
	Webhook        string    `json:"webhook,omitzero"`         // webhook id
	// ReferenceType and ReferenceID are the resource that the event is about, such as a
	// "transport_event" or a "document".
	ReferenceType string         `json:"reference_type,omitzero"`
	ReferenceID   string         `json:"reference_id,omitzero"`
	Attributes    map[string]any `json:"attributes,omitzero"`
}

// AddWebhookNotification adds a notification and returns its id. It is not delivered.
func (s *Server) AddWebhookNotification(n WebhookNotification) string {
	return withWorld(s, func(w *world) string { return w.addNotification(n).ID })
}

// UpdateWebhookNotification changes a notification in place and reports whether the id exists.
func (s *Server) UpdateWebhookNotification(id string, change func(*WebhookNotification)) bool {
	change = calling(s, change)
	return withWorld(s, func(w *world) bool { return updateRow(&w.notifications, id, change) })
}

// WebhookNotifications returns copies of all notifications, oldest first.
func (s *Server) WebhookNotifications() []WebhookNotification {
	return readWorld(s, func(w *world) []WebhookNotification {
		var list []WebhookNotification
		for _, n := range w.notifications.All() {
			n := *n
			n.Attributes = maps.Clone(n.Attributes)
			list = append(list, n)
		}
		return list
	})
}

func (w *world) addNotification(n WebhookNotification) *WebhookNotification {
	n.ID = w.identify(n.ID, "webhook_notification")
	n.CreatedAt = w.orNow(n.CreatedAt)
	n.DeliveryStatus = cmp.Or(n.DeliveryStatus, "pending")
	n.Attributes = maps.Clone(n.Attributes)
	w.replacesNotification(n.ID)
	w.notifications.Put(n.ID, &n)
	return &n
}

func (x *exchange) listNotifications() service.Reply {
	key := func(n *WebhookNotification) (string, time.Time) { return n.ID, n.CreatedAt }
	return x.page(newestFirst("webhook_notification", x.w.notifications.All(), key), 25, metaPagination)
}

func (x *exchange) getNotification() service.Reply {
	return x.one(200, wire.Ref{Kind: "webhook_notification", ID: x.Args["id"]})
}

// exampleNotification returns a single sample, although the service documents a list.
func (x *exchange) exampleNotification() service.Reply {
	event := x.Query.Get("event")
	if !x.isOffered(event) {
		x.checkEventName(cmp.Or(event, "(none)"))
		return service.ErrorReply(service.ShapeNullDetail, service.Problem{Status: 400, Title: "Bad Request", Parameter: "event"})
	}
	return service.JSONReply(200, samplePayload("", event, "", x.Now))
}

// refersTo returns the relationship that names what the notification is about: document.extracted
// and document.extraction_failed have one of their own.
func (n *WebhookNotification) refersTo() string {
	if n.ReferenceType == "document" && strings.HasPrefix(n.Event, "document.") {
		return "document"
	}
	return "reference_object"
}

// renderNotification uses the separate form of notifications about documents.
func (w *world) renderNotification(n *WebhookNotification) wire.Resource {
	r := wire.Resource{Ref: wire.Ref{Kind: "webhook_notification", ID: n.ID}, Attributes: wire.Object{
		{"id", n.ID}, {"event", n.Event}, {"delivery_status", n.DeliveryStatus}, {"created_at", n.CreatedAt},
	}}
	if n.refersTo() == "document" {
		r.Attributes = append(r.Attributes, wire.Member{"version", "1.0"})
		r.Relations = []wire.Relation{wire.ToOne("document", "document", n.ReferenceID)}
	} else {
		r.Relations = []wire.Relation{
			wire.ToOne("reference_object", n.ReferenceType, n.ReferenceID), wire.ToOne("webhook", "webhook", n.Webhook),
			wire.ToMany("webhook_notification_logs", "", nil),
		}
	}
	r.Attributes = r.Attributes.With(n.Attributes)
	return r
}

// payload is the body of a delivery. What it includes depends on the event.
func (w *world) payload(n *WebhookNotification) wire.Object {
	now := view{w: w}
	notification := w.renderNotification(n)
	doc := wire.Object{{"data", notification}}
	switch n.Event {
	case "container.transport.available", "container.transport.not_available", "container.transport.delivered":
	case "container.transport.estimated.vessel_departed", "container.transport.estimated.vessel_arrived",
		"container.pickup_lfd_terminal.changed", "container.pickup_lfd_rail.changed", "container.pickup_appointment.changed":
		included := []wire.Resource{}
		if event, ok := now.render(wire.Ref{Kind: n.ReferenceType, ID: n.ReferenceID}); ok {
			event.Relations = nil
			included = append(included, event)
		}
		doc = append(doc, wire.Member{"included", included})
	default:
		doc = append(doc, wire.Member{"included", now.collect([]wire.Resource{notification}, payloadIncludes(n))})
	}
	return append(doc, wire.Member{"links", wire.Object{{"self", "/v2/webhook_notifications/" + n.ID}}})
}

// payloadIncludes returns the include paths of a full delivery. Resources along a path are included
// too.
func payloadIncludes(n *WebhookNotification) []string {
	about := func(names ...string) []string {
		for i := range names {
			names[i] = "reference_object." + names[i]
		}
		return append([]string{"reference_object"}, names...)
	}
	switch n.ReferenceType {
	case "tracking_request":
		if n.Event == "tracking_request.succeeded" {
			return about("tracked_object.containers")
		}
		return about("tracked_object")
	case "estimated_event":
		return about("shipment", "port")
	case "container_created_event":
		return about("shipment", "container")
	case "container_updated_event":
		return about("shipment", "terminal.port", "container")
	case "container_pod_terminal_changed_event":
		return about("shipment", "container", "terminal")
	case "document":
		about := n.refersTo()
		return []string{about, about + ".email_submission", about + ".last_document_representation"}
	case "shipment", "container":
		return about()
	}
	return about("shipment", "container", "location", "terminal", "vessel")
}
