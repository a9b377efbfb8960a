package main

import "slices"

func allowedWebhooks() []allowed {
	const (
		announced = "the service has announced it and does not send it yet"
		inSample  = "in the service's samples of notifications"
	)
	return slices.Concat(
		each("attribute webhook", "in the document's own example of a created webhook", "created_at"),
		each("attribute webhook_notification", inSample, "id", "version"),
		each("relationship webhook_notification", inSample, "webhook_notification_logs", "document"),
		each("relationship webhook_notification.reference_object", inSample,
			"container_created_event", "container_pod_terminal_changed_event"),
		each("relationship container_updated_event", inSample, "shipment"),
		each("enum webhook.events", announced, "link.created", "email_submission.created"),
		each("enum webhook_notification.event", announced, "link.created", "email_submission.created"),
		each("enum estimated_event.event", "copied from the list of webhook events; no estimate is about a document",
			"document.extracted", "document.extraction_failed"),
	)
}
