package operation

import "net/http"

// Webhooks.
var (
	WebhooksList = Operation{
		Name: "webhooks.list", Method: http.MethodGet, Path: "/webhooks", Resource: "webhook",
		Query:  []string{"page[number]", "page[size]"},
		Bucket: BucketDefault, Retry: Read,
	}
	WebhooksCreate = Operation{
		Name: "webhooks.create", Method: http.MethodPost, Path: "/webhooks", Resource: "webhook",
		Body:   []string{"url", "events", "active", "headers", "headers.name", "headers.value"},
		Bucket: BucketDefault, Retry: Write,
	}
	WebhooksGet = Operation{
		Name: "webhooks.get", Method: http.MethodGet, Path: "/webhooks/{id}", Resource: "webhook",
		Bucket: BucketDefault, Retry: Read,
	}
	WebhooksUpdate = Operation{
		Name: "webhooks.update", Method: http.MethodPatch, Path: "/webhooks/{id}", Resource: "webhook",
		Body:   []string{"url", "events", "active", "headers", "headers.name", "headers.value"},
		Bucket: BucketDefault, Retry: Idempotent,
	}
	WebhooksDelete = Operation{
		Name: "webhooks.delete", Method: http.MethodDelete, Path: "/webhooks/{id}",
		Bucket: BucketDefault, Retry: Idempotent,
	}
	WebhooksEvents = Operation{
		Name: "webhooks.events", Method: http.MethodGet, Path: "/webhooks/events",
		Resource: "webhook_event_category",
		Bucket:   BucketDefault, Retry: Read,
	}
	WebhooksIPs = Operation{
		Name: "webhooks.ips", Method: http.MethodGet, Path: "/webhooks/ips",
		Bucket: BucketDefault, Retry: Read,
	}
	// A repetition sends the sample again.
	WebhooksTrigger = Operation{
		Name: "webhooks.trigger", Method: http.MethodPost, Path: "/webhooks/trigger",
		Body:   []string{"url", "event", "secret", "sample", "sample.document_type"},
		Bucket: BucketDefault, Retry: Write, Plain: true,
	}
)

// Notifications of webhooks.
var (
	WebhookNotificationsList = Operation{
		Name: "webhook_notifications.list", Method: http.MethodGet, Path: "/webhook_notifications",
		Resource: "webhook_notification",
		Query:    []string{"page[number]", "page[size]", "include"},
		Includes: []string{"reference_object"},
		Bucket:   BucketDefault, Retry: Read,
	}
	WebhookNotificationsGet = Operation{
		Name: "webhook_notifications.get", Method: http.MethodGet, Path: "/webhook_notifications/{id}",
		Resource: "webhook_notification",
		Query:    []string{"include"},
		Includes: []string{"reference_object"},
		Bucket:   BucketDefault, Retry: Read,
	}
	WebhookNotificationsExamples = Operation{
		Name: "webhook_notifications.examples", Method: http.MethodGet, Path: "/webhook_notifications/examples",
		Resource: "webhook_notification",
		Query:    []string{"event"},
		Bucket:   BucketDefault, Retry: Read,
	}
)
