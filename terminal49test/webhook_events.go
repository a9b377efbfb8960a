package terminal49test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

type eventCategory struct {
	name   string
	events []string
}

// eventCategories lists the live events in the service's categories. The service does not document
// the category of link.created.
func eventCategories() []eventCategory {
	transport := func(names ...string) []string {
		for i := range names {
			names[i] = "container.transport." + names[i]
		}
		return names
	}
	return []eventCategory{
		{"Tracking Request Events", []string{
			"tracking_request.succeeded", "tracking_request.failed", "tracking_request.awaiting_manifest",
			"tracking_request.tracking_stopped",
		}},
		{"Origin Events", transport("empty_out", "full_in", "vessel_loaded", "vessel_departed")},
		{"Transshipment Events", transport("transshipment_arrived", "transshipment_discharged", "transshipment_loaded",
			"transshipment_departed")},
		{"Feeder Events", transport("feeder_arrived", "feeder_discharged", "feeder_loaded", "feeder_departed")},
		{"Destination Events", transport("vessel_arrived", "vessel_berthed", "vessel_discharged", "available", "not_available",
			"full_out", "delivered", "empty_in")},
		{"Rail Events", transport("rail_loaded", "rail_departed", "rail_arrived", "rail_unloaded",
			"arrived_at_inland_destination")},
		{"Estimate Events", append(transport("estimated.vessel_departed", "estimated.vessel_arrived",
			"estimated.arrived_at_inland_destination"), "shipment.estimated.arrival")},
		{"Container Events", []string{
			"container.created", "container.updated", "container.pod_terminal_changed", "container.pickup_lfd.changed",
			"container.pickup_lfd_line.changed", "container.pickup_lfd_terminal.changed", "container.pickup_lfd_rail.changed",
			"container.pickup_appointment.changed",
		}},
		{"Document Events", []string{"document.extracted", "document.extraction_failed", "link.created"}},
	}
}

func liveEvents() []string {
	var all []string
	for _, c := range eventCategories() {
		all = slices.Concat(all, c.events)
	}
	return all
}

// plannedEvents are announced but not sent yet.
func plannedEvents() []string { return []string{"email_submission.created"} }

// otherDocumentEvent returns the other name of a document event, "" if there is none. Two versions
// of the service's documentation use different names. Webhooks can subscribe to both; only the
// first is listed.
func otherDocumentEvent(event string) string {
	return map[string]string{
		"document.extracted": "document_representation.created", "document.extraction_failed": "document_representation.failed",
	}[event]
}

// knownEvents returns the live events under all of their names.
func knownEvents() []string {
	return append(liveEvents(), otherDocumentEvent("document.extracted"), otherDocumentEvent("document.extraction_failed"))
}

// isOffered reports whether the account can receive the event. Leaving out one name of a document
// event leaves out the other.
func (x *exchange) isOffered(event string) bool {
	left := func(no string) bool {
		return no == event || otherDocumentEvent(no) == event || otherDocumentEvent(event) == no
	}
	if !x.s.config.autumn2026 && strings.HasPrefix(event, "document_representation.") {
		return false
	}
	return slices.Contains(knownEvents(), event) && !slices.ContainsFunc(x.s.config.noEvents, left)
}

// checkEventName reports a violation for a name that is neither a live nor a planned event.
func (x *exchange) checkEventName(event string) {
	if !slices.Contains(knownEvents(), event) && !slices.Contains(plannedEvents(), event) {
		x.Violate("%q is not an event", event)
	}
}

func (x *exchange) listWebhookEvents() service.Reply {
	categories := []wire.Object{}
	for _, c := range eventCategories() {
		events := []wire.Object{}
		for _, name := range c.events {
			if x.isOffered(name) {
				events = append(events, wire.Object{{"name", name}, {"description", eventDescription(name)}})
			}
		}
		if len(events) > 0 {
			id := strings.ReplaceAll(strings.ToLower(c.name), " ", "-")
			categories = append(categories, wire.Object{
				{"id", id}, {"type", "webhook_event_category"}, {"attributes", wire.Object{{"name", c.name}, {"events", events}}},
			})
		}
	}
	return service.JSONReply(200, wire.Object{{"data", categories}})
}

// eventDescription derives a sentence from an event name.
func eventDescription(event string) string {
	family, what, _ := strings.Cut(event, ".")
	words := strings.NewReplacer(".", " ", "_", " ").Replace(strings.TrimPrefix(what, "transport."))
	return fmt.Sprintf("Sent for a %s: %s.", strings.ReplaceAll(family, "_", " "), words)
}
