package terminal49test

import "github.com/go-freight/terminal49/terminal49test/internal/service"

func webhookRoutes() []operation {
	pages := []string{"page[number]", "page[size]"}
	webhook := &service.BodyRule{Kind: "webhook", Attributes: []string{"url", "events", "active", "headers"}}
	return []operation{
		{service.Route{Op: "webhooks.events", Method: "GET", Path: "/webhooks/events", Bucket: "default"}, requireWebhooks((*exchange).listWebhookEvents)},
		{service.Route{Op: "webhooks.ips", Method: "GET", Path: "/webhooks/ips", Bucket: "default"}, requireWebhooks((*exchange).listWebhookIPs)},
		{service.Route{Op: "webhooks.trigger", Method: "POST", Path: "/webhooks/trigger", Bucket: "default",
			Body: &service.BodyRule{Attributes: []string{"url", "event", "secret", "sample"}}}, requireWebhooks((*exchange).triggerWebhook)},
		{service.Route{Op: "webhooks.list", Method: "GET", Path: "/webhooks", Bucket: "default", Query: pages}, requireWebhooks((*exchange).listWebhooks)},
		{service.Route{Op: "webhooks.create", Method: "POST", Path: "/webhooks", Bucket: "default", Body: webhook}, requireWebhooks((*exchange).createWebhook)},
		{service.Route{Op: "webhooks.get", Method: "GET", Path: "/webhooks/{id}", Bucket: "default"}, requireWebhooks((*exchange).getWebhook)},
		{service.Route{Op: "webhooks.update", Method: "PATCH", Path: "/webhooks/{id}", Bucket: "default", Body: webhook}, requireWebhooks((*exchange).updateWebhook)},
		{service.Route{Op: "webhooks.delete", Method: "DELETE", Path: "/webhooks/{id}", Bucket: "default"}, requireWebhooks((*exchange).deleteWebhook)},

		{service.Route{Op: "webhook_notifications.examples", Method: "GET", Path: "/webhook_notifications/examples", Bucket: "default",
			Query: []string{"event"}}, requireWebhooks((*exchange).exampleNotification)},
		{service.Route{Op: "webhook_notifications.list", Method: "GET", Path: "/webhook_notifications", Bucket: "default",
			Query: append([]string{"include"}, pages...)}, requireWebhooks((*exchange).listNotifications)},
		{service.Route{Op: "webhook_notifications.get", Method: "GET", Path: "/webhook_notifications/{id}", Bucket: "default",
			Query: []string{"include"}}, requireWebhooks((*exchange).getNotification)},
	}
}
