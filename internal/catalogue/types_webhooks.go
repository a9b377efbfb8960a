package catalogue

import "slices"

func webhookType() Type {
	return Type{
		Name:       "webhook",
		Attributes: []string{"url", "active", "events", "secret", "headers", "headers.name", "headers.value", "created_at"},
	}
}

func webhookNotificationType() Type {
	return Type{
		Name:       "webhook_notification",
		Attributes: []string{"id", "event", "delivery_status", "created_at", "version"},
		Relationships: []Relationship{
			one("webhook", "webhook"),
			one("reference_object", "tracking_request", "transport_event", "estimated_event", "container_created_event",
				"container_updated_event", "container_pod_terminal_changed_event"),
			one("document", "document"),
			// No sample has any, and their type is not documented.
			{Name: "webhook_notification_logs", Many: true},
		},
	}
}

func webhookEventCategoryType() Type {
	return Type{
		Name:       "webhook_event_category",
		Attributes: []string{"name", "events", "events.name", "events.description"},
	}
}

func estimatedEventType() Type {
	return Type{
		Name: "estimated_event",
		Attributes: []string{
			"event", "estimated_timestamp", "created_at", "location_locode", "timezone", "voyage_number", "data_source",
		},
		Relationships: []Relationship{one("shipment", "shipment"), one("port", "port"), one("vessel", "vessel")},
	}
}

func containerCreatedEventType() Type {
	return Type{
		Name: "container_created_event", Attributes: []string{"timestamp", "timezone"},
		Relationships: []Relationship{one("container", "container"), one("shipment", "shipment")},
	}
}

func containerUpdatedEventType() Type {
	return Type{
		Name: "container_updated_event", Attributes: []string{"changeset", "timestamp", "timezone", "data_source"},
		Relationships: []Relationship{
			one("container", "container"), one("terminal", "terminal"), one("shipment", "shipment"),
		},
	}
}

func containerPODTerminalChangedEventType() Type {
	return Type{
		Name: "container_pod_terminal_changed_event", Attributes: []string{"timestamp", "data_source"},
		Relationships: []Relationship{
			one("container", "container"), one("shipment", "shipment"), one("terminal", "terminal"),
		},
	}
}

// webhookEvents are the events of webhooks: those of transport events, others, and two that are
// planned.
func webhookEvents() []string {
	return slices.Concat(transportEvents(), []string{
		"tracking_request.succeeded", "tracking_request.failed", "tracking_request.awaiting_manifest",
		"tracking_request.tracking_stopped",
		"shipment.estimated.arrival",
		"container.created", "container.updated", "container.pod_terminal_changed",
		"document.extracted", "document.extraction_failed",
		"link.created", "email_submission.created",
	})
}
