package main

import "slices"

func allowedWebhooks() []allowed {
	const (
		announced = "the service has announced it and does not send it yet"
		inSample  = "in the service's samples of notifications"
		live      = "live since the changelog of 2026-05-11, which documents neither its payload nor its reference"
		otherName = "another name of a document event, in later versions of the service's reference pages"
	)
	return slices.Concat(
		allowEach("attribute webhook", "in the document's own example of a created webhook", "created_at"),
		allowEach("attribute webhook_notification", inSample, "id", "version"),
		allowEach("relationship webhook_notification", inSample, "webhook_notification_logs", "document"),
		allowEach("relationship webhook_notification.reference_object", inSample,
			"container_created_event", "container_pod_terminal_changed_event"),
		allowEach("relationship container_updated_event", inSample, "shipment"),
		allowEach("relationship webhook_notification.reference_object",
			"in later versions of the service's reference pages, for document events", "document"),
		allowEach("enum EventName", announced, "email_submission.created"),
		allowEach("enum EventName", live, "link.created"),
		allowEach("enum EventName", otherName, "document_representation.created", "document_representation.failed"),
	)
}
