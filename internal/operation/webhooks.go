package operation

import "net/http"

// Webhooks.
var (
	WebhooksList = Operation{
		Name: "webhooks.list", Method: http.MethodGet, Path: "/webhooks", Resource: "webhook",
		Bucket: BucketDefault, Retry: Read,
	}
	WebhooksCreate = Operation{
		Name: "webhooks.create", Method: http.MethodPost, Path: "/webhooks", Resource: "webhook",
		Bucket: BucketDefault, Retry: Write,
	}
	WebhooksGet = Operation{
		Name: "webhooks.get", Method: http.MethodGet, Path: "/webhooks/{id}", Resource: "webhook",
		Bucket: BucketDefault, Retry: Read,
	}
	WebhooksUpdate = Operation{
		Name: "webhooks.update", Method: http.MethodPatch, Path: "/webhooks/{id}", Resource: "webhook",
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
		Bucket: BucketDefault, Retry: Write, Plain: true,
	}
)

// Notifications of webhooks.
var (
	WebhookNotificationsList = Operation{
		Name: "webhook_notifications.list", Method: http.MethodGet, Path: "/webhook_notifications",
		Resource: "webhook_notification",
		Includes: []string{"reference_object"},
		Bucket:   BucketDefault, Retry: Read,
	}
	WebhookNotificationsGet = Operation{
		Name: "webhook_notifications.get", Method: http.MethodGet, Path: "/webhook_notifications/{id}",
		Resource: "webhook_notification",
		Includes: []string{"reference_object"},
		Bucket:   BucketDefault, Retry: Read,
	}
	WebhookNotificationsExamples = Operation{
		Name: "webhook_notifications.examples", Method: http.MethodGet, Path: "/webhook_notifications/examples",
		Resource: "webhook_notification",
		Bucket:   BucketDefault, Retry: Read,
	}
)

// webhooks returns the operations of webhooks and notifications.
func webhooks() []Operation {
	return []Operation{
		WebhooksList, WebhooksCreate, WebhooksGet, WebhooksUpdate, WebhooksDelete,
		WebhooksEvents, WebhooksIPs, WebhooksTrigger, WebhookNotificationsList,
		WebhookNotificationsGet, WebhookNotificationsExamples,
	}
}
