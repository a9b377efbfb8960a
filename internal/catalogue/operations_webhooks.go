package catalogue

func webhookOperations() []Operation {
	const get, post, patch, del = "GET", "POST", "PATCH", "DELETE"
	webhook := []string{"url", "events", "active", "headers", "headers.name", "headers.value"}
	notification := []string{"reference_object"}
	return []Operation{
		{Name: "webhooks.list", Method: get, Path: "/webhooks", Resource: "webhook", Query: paged()},
		{Name: "webhooks.create", Method: post, Path: "/webhooks", Resource: "webhook", Body: webhook},
		{Name: "webhooks.get", Method: get, Path: "/webhooks/{id}", Resource: "webhook"},
		{Name: "webhooks.update", Method: patch, Path: "/webhooks/{id}", Resource: "webhook", Body: webhook},
		{Name: "webhooks.delete", Method: del, Path: "/webhooks/{id}"},
		{Name: "webhooks.events", Method: get, Path: "/webhooks/events", Resource: "webhook_event_category"},
		{Name: "webhooks.ips", Method: get, Path: "/webhooks/ips"},
		{Name: "webhooks.trigger", Method: post, Path: "/webhooks/trigger", Body: []string{"url", "event", "secret"}},

		{
			Name: "webhook_notifications.list", Method: get, Path: "/webhook_notifications", Resource: "webhook_notification",
			Query: paged("include"), Includes: notification,
		},
		{
			Name: "webhook_notifications.get", Method: get, Path: "/webhook_notifications/{id}", Resource: "webhook_notification",
			Query: []string{"include"}, Includes: notification,
		},
		{
			Name: "webhook_notifications.examples", Method: get, Path: "/webhook_notifications/examples",
			Resource: "webhook_notification", Query: []string{"event"},
		},
	}
}
