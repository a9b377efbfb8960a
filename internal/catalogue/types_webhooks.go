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
			toOne("webhook", "webhook"),
			toOne("reference_object", "tracking_request", "transport_event", "estimated_event", "container_created_event",
				"container_updated_event", "container_pod_terminal_changed_event", "document"),
			toOne("document", "document"),
			// The service's samples have none, and it does not document their type.
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
		Relationships: []Relationship{toOne("shipment", "shipment"), toOne("port", "port"), toOne("vessel", "vessel")},
	}
}

func containerCreatedEventType() Type {
	return Type{
		Name: "container_created_event", Attributes: []string{"timestamp", "timezone"},
		Relationships: []Relationship{toOne("container", "container"), toOne("shipment", "shipment")},
	}
}

func containerUpdatedEventType() Type {
	return Type{
		Name: "container_updated_event", Attributes: []string{"changeset", "timestamp", "timezone", "data_source"},
		Relationships: []Relationship{
			toOne("container", "container"), toOne("terminal", "terminal"), toOne("shipment", "shipment"),
		},
	}
}

func containerPODTerminalChangedEventType() Type {
	return Type{
		Name: "container_pod_terminal_changed_event", Attributes: []string{"timestamp", "data_source"},
		Relationships: []Relationship{
			toOne("container", "container"), toOne("shipment", "shipment"), toOne("terminal", "terminal"),
		},
	}
}

// webhookEvents returns the events of webhooks: those of transport events and others, the document
// events under both of their names, and one that is only announced.
func webhookEvents() []string {
	return slices.Concat(transportEvents(), []string{
		"tracking_request.succeeded", "tracking_request.failed", "tracking_request.awaiting_manifest",
		"tracking_request.tracking_stopped",
		"shipment.estimated.arrival",
		"container.created", "container.updated", "container.pod_terminal_changed",
		"document.extracted", "document.extraction_failed",
		"document_representation.created", "document_representation.failed",
		"link.created", "email_submission.created",
	})
}
