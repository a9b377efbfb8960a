package terminal49test

func webhookRoutes() []route {
	pages := []string{"page[number]", "page[size]"}
	webhook := &bodyRule{kind: "webhook", attributes: []string{"url", "events", "active", "headers"}}
	return []route{
		{op: "webhooks.events", method: "GET", path: "/webhooks/events", bucket: "default",
			handle: requireWebhooks((*exchange).listWebhookEvents)},
		{op: "webhooks.ips", method: "GET", path: "/webhooks/ips", bucket: "default",
			handle: requireWebhooks((*exchange).listWebhookIPs)},
		{op: "webhooks.trigger", method: "POST", path: "/webhooks/trigger", bucket: "default",
			body: &bodyRule{attributes: []string{"url", "event", "secret", "sample"}}, handle: requireWebhooks((*exchange).triggerWebhook)},
		{op: "webhooks.list", method: "GET", path: "/webhooks", bucket: "default", query: pages,
			handle: requireWebhooks((*exchange).listWebhooks)},
		{op: "webhooks.create", method: "POST", path: "/webhooks", bucket: "default", body: webhook,
			handle: requireWebhooks((*exchange).createWebhook)},
		{op: "webhooks.get", method: "GET", path: "/webhooks/{id}", bucket: "default",
			handle: requireWebhooks((*exchange).getWebhook)},
		{op: "webhooks.update", method: "PATCH", path: "/webhooks/{id}", bucket: "default", body: webhook,
			handle: requireWebhooks((*exchange).updateWebhook)},
		{op: "webhooks.delete", method: "DELETE", path: "/webhooks/{id}", bucket: "default",
			handle: requireWebhooks((*exchange).deleteWebhook)},

		{op: "webhook_notifications.examples", method: "GET", path: "/webhook_notifications/examples", bucket: "default",
			query: []string{"event"}, handle: requireWebhooks((*exchange).exampleNotification)},
		{op: "webhook_notifications.list", method: "GET", path: "/webhook_notifications", bucket: "default",
			query: append([]string{"include"}, pages...), handle: requireWebhooks((*exchange).listNotifications)},
		{op: "webhook_notifications.get", method: "GET", path: "/webhook_notifications/{id}", bucket: "default",
			query: []string{"include"}, handle: requireWebhooks((*exchange).getNotification)},
	}
}
