package terminal49test

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

func (x *exchange) listWebhooks() reply {
	rows := newestFirst("webhook", x.w.webhooks.all(), func(h *Webhook) (string, time.Time) { return h.ID, h.CreatedAt })
	return x.page(rows, 25, metaNone)
}

func (x *exchange) getWebhook() reply { return x.one(200, ref{"webhook", x.args["id"]}) }

func (x *exchange) createWebhook() reply {
	h := Webhook{CreatedAt: x.now}
	for _, name := range []string{"url", "active", "events"} {
		if _, sent := x.data.Attributes[name]; !sent {
			x.violate("attribute %q is missing", name)
			return blank(name)
		}
	}
	if r := x.readWebhook(&h); r != nil {
		return *r
	}
	return x.one(201, ref{"webhook", x.w.addWebhook(h)})
}

func (x *exchange) updateWebhook() reply {
	h := x.w.webhooks.get(x.args["id"])
	if h == nil {
		return notFound()
	}
	changed := h.clone()
	if r := x.readWebhook(&changed); r != nil {
		return *r
	}
	*h = changed
	return x.one(200, ref{"webhook", h.ID})
}

// deleteWebhook answers 200 without a body.
func (x *exchange) deleteWebhook() reply {
	if x.w.webhooks.get(x.args["id"]) == nil {
		return notFound()
	}
	x.w.webhooks.remove(x.args["id"])
	return reply{status: 200, header: http.Header{}}
}

func blank(name string) reply {
	return fail(ShapeFull, problem{
		status: 422, title: "Unprocessable Entity", detail: name + " can't be blank", code: "blank",
		pointer: "/data/attributes/" + name,
	})
}

// readWebhook takes what the body mentions.
func (x *exchange) readWebhook(h *Webhook) *reply {
	for _, name := range []string{"url", "active", "events", "headers"} {
		if raw, sent := x.data.Attributes[name]; sent && bytes.Equal(raw, []byte("null")) {
			x.violate("attribute %q is null", name)
			r := blank(name)
			return &r
		}
	}
	if x.attribute("url", &h.URL) && !https(h.URL) {
		x.violate("url must be an https URL")
		return unprocessable("/data/attributes/url", "url must be HTTPS")
	}
	active := !h.Inactive
	x.attribute("active", &active)
	h.Inactive = !active
	if events := []string(nil); x.attribute("events", &events) {
		if r := x.checkEvents(events); r != nil {
			return r
		}
		h.Events = events
	}
	if _, sent := x.data.Attributes["headers"]; sent {
		h.Headers = nil
		x.attribute("headers", &h.Headers)
	}
	return nil
}

func (x *exchange) checkEvents(events []string) *reply {
	const pointer = "/data/attributes/events"
	if len(events) == 0 {
		x.violate("events must name at least one event")
		r := blank("events")
		return &r
	}
	for i, event := range events {
		switch {
		case slices.Contains(events[:i], event):
			x.violate("events holds %q twice", event)
			return unprocessable(pointer, "events must be unique")
		case !x.onOffer(event):
			x.checkEventName(event)
			return unprocessable(pointer, event+" is not included in the list of events")
		}
	}
	return nil
}

// onOffer reports whether the account can get the event.
func (x *exchange) onOffer(event string) bool {
	return slices.Contains(liveEvents(), event) && !slices.Contains(x.s.config.noEvents, event)
}

// checkEventName tells a name that nobody has heard of from an event that is planned, or that other accounts have.
func (x *exchange) checkEventName(event string) {
	if !slices.Contains(liveEvents(), event) && !slices.Contains(plannedEvents(), event) {
		x.violate("%q is no event", event)
	}
}

func https(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Host != ""
}

func (x *exchange) listWebhookEvents() reply {
	categories := []object{}
	for _, c := range eventCategories() {
		events := []object{}
		for _, name := range c.events {
			if x.onOffer(name) {
				events = append(events, object{{"name", name}, {"description", describe(name)}})
			}
		}
		if len(events) > 0 {
			id := strings.ReplaceAll(strings.ToLower(c.name), " ", "-")
			categories = append(categories, object{
				{"id", id}, {"type", "webhook_event_category"}, {"attributes", object{{"name", c.name}, {"events", events}}},
			})
		}
	}
	return jsonReply(200, object{{"data", categories}})
}

// describe makes a sentence of a name.
func describe(event string) string {
	family, what, _ := strings.Cut(event, ".")
	words := strings.NewReplacer(".", " ", "_", " ").Replace(strings.TrimPrefix(what, "transport."))
	return fmt.Sprintf("Sent for a %s: %s.", strings.ReplaceAll(family, "_", " "), words)
}

// listWebhookIPs gives the addresses in the service's documentation.
func (x *exchange) listWebhookIPs() reply {
	return jsonReply(200, object{
		{"webhook_notification_ips", []string{"35.222.62.171", "3.230.67.145", "44.217.15.129"}},
		{"last_updated", "2023-10-17T21:23:16Z"},
	})
}

func (x *exchange) listNotifications() reply {
	key := func(n *WebhookNotification) (string, time.Time) { return n.ID, n.CreatedAt }
	return x.page(newestFirst("webhook_notification", x.w.notifications.all(), key), 25, metaPagination)
}

func (x *exchange) getNotification() reply {
	return x.one(200, ref{"webhook_notification", x.args["id"]})
}

// exampleNotification gives a single sample although the service's documents speak of a list.
func (x *exchange) exampleNotification() reply {
	event := x.query.Get("event")
	if !x.onOffer(event) {
		x.checkEventName(cmp.Or(event, "(none)"))
		return fail(ShapeNullDetail, problem{status: 400, title: "Bad Request", parameter: "event"})
	}
	return jsonReply(200, samplePayload(event, x.now))
}
