package main

import (
	"context"

	"github.com/go-freight/terminal49"
)

// webhookCalls returns the calls of webhooks and their notifications.
func webhookCalls() map[string]func(*terminal49.Client) error {
	const endpoint, event = "https://example.com/", terminal49.EventContainerUpdated
	ctx := context.Background()
	return map[string]func(*terminal49.Client) error{
		"webhooks.list": func(c *terminal49.Client) error { return errOf(c.Webhooks.List(ctx, nil)) },
		"webhooks.create": func(c *terminal49.Client) error {
			create := terminal49.WebhookCreate{URL: endpoint, Events: []terminal49.EventName{event}}
			return errOf(c.Webhooks.Create(ctx, create))
		},
		"webhooks.get": func(c *terminal49.Client) error { return errOf(c.Webhooks.Get(ctx, anyID)) },
		"webhooks.update": func(c *terminal49.Client) error {
			return errOf(c.Webhooks.Update(ctx, anyID, terminal49.WebhookUpdate{Active: terminal49.Some(true)}))
		},
		"webhooks.delete": func(c *terminal49.Client) error { return c.Webhooks.Delete(ctx, anyID) },
		"webhooks.events": func(c *terminal49.Client) error { return errOf(c.Webhooks.Events(ctx)) },
		"webhooks.ips":    func(c *terminal49.Client) error { return errOf(c.Webhooks.IPs(ctx)) },
		"webhooks.trigger": func(c *terminal49.Client) error {
			return errOf(c.Webhooks.Trigger(ctx, terminal49.WebhookTrigger{URL: endpoint, Event: event}))
		},
		"webhook_notifications.list": func(c *terminal49.Client) error { return errOf(c.WebhookNotifications.List(ctx, nil)) },
		"webhook_notifications.get": func(c *terminal49.Client) error {
			return errOf(c.WebhookNotifications.Get(ctx, anyID, nil))
		},
		"webhook_notifications.examples": func(c *terminal49.Client) error {
			return errOf(c.WebhookNotifications.Examples(ctx, event))
		},
	}
}
