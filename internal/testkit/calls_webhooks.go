package testkit

import (
	"context"

	"github.com/go-freight/terminal49"
)

// NotificationCalls returns the calls of WebhookNotifications.
func NotificationCalls() []Call {
	const (
		oneNotification  = `{"data":{"id":"` + NotificationID + `","type":"webhook_notification"}}`
		someNotification = `{"data":[{"id":"` + NotificationID + `","type":"webhook_notification"}]}`
		everything       = "include=reference_object&page[number]=1&page[size]=5"
	)
	includes := []terminal49.WebhookNotificationInclude{terminal49.WebhookNotificationIncludeReferenceObject}
	params := func() *terminal49.WebhookNotificationListParams {
		return &terminal49.WebhookNotificationListParams{PageParams: terminal49.PageParams{PageNumber: 1,
			PageSize: 5}, Include: includes}
	}
	return []Call{
		{
			Op: "webhook_notifications.list", Method: "GET", Path: "/webhook_notifications", Query: everything,
			Reply: someNotification,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.WebhookNotifications.List(ctx, params()))
			},
		},
		{
			Op: "webhook_notifications.list", Method: "GET", Path: "/webhook_notifications", Query: everything,
			Reply: someNotification,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(Drain(c.WebhookNotifications.Pages(ctx, params())))
			},
		},
		{
			Op: "webhook_notifications.list", Method: "GET", Path: "/webhook_notifications", Query: "page[size]=100",
			Reply: someNotification,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(Drain(c.WebhookNotifications.All(ctx, nil)))
			},
		},
		{
			Op: "webhook_notifications.get", Method: "GET", Path: "/webhook_notifications/" + NotificationID,
			Reply: oneNotification,
			Query: "include=reference_object",
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.WebhookNotifications.Get(ctx, NotificationID,
					&terminal49.WebhookNotificationGetParams{Include: includes}))
			},
		},
		{
			Op: "webhook_notifications.get", Method: "GET", Path: "/webhook_notifications/" + NotificationID,
			Reply: oneNotification,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.WebhookNotifications.Get(ctx, NotificationID, nil))
			},
		},
		{
			Op: "webhook_notifications.examples", Method: "GET", Path: "/webhook_notifications/examples",
			Query: "event=container.transport.full_out", Reply: oneNotification,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.WebhookNotifications.Examples(ctx, terminal49.EventFullOut))
			},
		},
	}
}

// WebhookCalls returns the calls of Webhooks.
func WebhookCalls() []Call {
	const (
		oneWebhook  = `{"data":{"id":"` + WebhookID + `","type":"webhook"}}`
		someWebhook = `{"data":[{"id":"` + WebhookID + `","type":"webhook"}]}`
		paging      = "page[number]=2&page[size]=10"
	)
	params := func() *terminal49.WebhookListParams {
		return &terminal49.WebhookListParams{PageParams: terminal49.PageParams{PageNumber: 2, PageSize: 10}}
	}
	update := func(u terminal49.WebhookUpdate) func(context.Context, *terminal49.Client) error {
		return func(ctx context.Context, c *terminal49.Client) error {
			return First(c.Webhooks.Update(ctx, WebhookID, u))
		}
	}
	updateBody := func(attributes string) string {
		return `{"data":{"type":"webhook","id":"` + WebhookID + `","attributes":{` + attributes + `}}}`
	}
	headers := []terminal49.WebhookHeader{{Name: "X-Api-Key", Value: terminal49.NewSecret(HeaderValue)}, {Name: "x-empty"}}
	const headersBody = `"headers":[{"name":"X-Api-Key","value":"` + HeaderValue + `"},{"name":"x-empty","value":""}]`
	return []Call{
		{
			Op: "webhooks.list", Method: "GET", Path: "/webhooks", Query: paging, Reply: someWebhook,
			Do: func(ctx context.Context, c *terminal49.Client) error { return First(c.Webhooks.List(ctx, params())) },
		},
		{
			Op: "webhooks.list", Method: "GET", Path: "/webhooks", Query: paging, Reply: someWebhook,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(Drain(c.Webhooks.Pages(ctx, params())))
			},
		},
		{
			Op: "webhooks.list", Method: "GET", Path: "/webhooks", Query: "page[size]=100", Reply: someWebhook,
			Do: func(ctx context.Context, c *terminal49.Client) error { return First(Drain(c.Webhooks.All(ctx, nil))) },
		},
		{
			Op: "webhooks.create", Method: "POST", Path: "/webhooks", Reply: oneWebhook,
			Body: `{"data":{"type":"webhook","attributes":{"url":"` + EndpointURL +
				`","events":["container.updated","tracking_request.failed"],` +
				`"active":true,` + headersBody + `}}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Webhooks.Create(ctx, terminal49.WebhookCreate{
					URL: EndpointURL, Events: []terminal49.EventName{terminal49.EventContainerUpdated,
						terminal49.EventTrackingRequestFailed}, Headers: headers,
				}))
			},
		},
		{
			Op: "webhooks.create", Method: "POST", Path: "/webhooks", Reply: oneWebhook,
			Body: `{"data":{"type":"webhook","attributes":{"url":"` + EndpointURL +
				`","events":["container.created"],"active":false}}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Webhooks.Create(ctx, terminal49.WebhookCreate{
					URL: EndpointURL, Events: []terminal49.EventName{terminal49.EventContainerCreated}, Inactive: true,
				}))
			},
		},
		{
			Op: "webhooks.get", Method: "GET", Path: "/webhooks/" + WebhookID, Reply: oneWebhook,
			Do: func(ctx context.Context, c *terminal49.Client) error { return First(c.Webhooks.Get(ctx, WebhookID)) },
		},
		{
			Op: "webhooks.update", Method: "PATCH", Path: "/webhooks/" + WebhookID, Reply: oneWebhook,
			Body: updateBody(`"url":"` + EndpointURL + `","events":["container.created"],"active":false,` + headersBody),
			Do: update(terminal49.WebhookUpdate{
				URL:    terminal49.Some(EndpointURL),
				Events: terminal49.Some([]terminal49.EventName{terminal49.EventContainerCreated}),
				Active: terminal49.Some(false), Headers: terminal49.Some(headers),
			}),
		},
		{ // unset fields are omitted
			Op: "webhooks.update", Method: "PATCH", Path: "/webhooks/" + WebhookID, Reply: oneWebhook,
			Body: updateBody(`"active":true`), Do: update(terminal49.WebhookUpdate{Active: terminal49.Some(true)}),
		},
		{
			Op: "webhooks.update", Method: "PATCH", Path: "/webhooks/" + WebhookID, Reply: oneWebhook,
			Body: updateBody(`"headers":[]`),
			Do:   update(terminal49.WebhookUpdate{Headers: terminal49.Some([]terminal49.WebhookHeader{})}),
		},
		{
			Op: "webhooks.delete", Method: "DELETE", Path: "/webhooks/" + WebhookID,
			Do: func(ctx context.Context, c *terminal49.Client) error { return c.Webhooks.Delete(ctx, WebhookID) },
		},
		{
			Op: "webhooks.events", Method: "GET", Path: "/webhooks/events", Reply: `{"data":[]}`,
			Do: func(ctx context.Context, c *terminal49.Client) error { return First(c.Webhooks.Events(ctx)) },
		},
		{
			Op: "webhooks.ips", Method: "GET", Path: "/webhooks/ips", Reply: `{}`,
			Do: func(ctx context.Context, c *terminal49.Client) error { return First(c.Webhooks.IPs(ctx)) },
		},
		{
			Op: "webhooks.trigger", Method: "POST", Path: "/webhooks/trigger", Reply: `{}`,
			Body: `{"url":"` + EndpointURL + `","event":"container.updated","secret":"` + WebhookSecret + `"}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Webhooks.Trigger(ctx, terminal49.WebhookTrigger{
					URL: EndpointURL, Event: terminal49.EventContainerUpdated, Secret: terminal49.NewSecret(WebhookSecret),
				}))
			},
		},
		{
			Op: "webhooks.trigger", Method: "POST", Path: "/webhooks/trigger", Reply: `{}`,
			Body: `{"url":"` + EndpointURL + `","event":"container.created"}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Webhooks.Trigger(ctx,
					terminal49.WebhookTrigger{URL: EndpointURL, Event: terminal49.EventContainerCreated}))
			},
		},
		{ // only the later names of document events have a sample
			Op: "webhooks.trigger", Method: "POST", Path: "/webhooks/trigger", Reply: `{}`,
			Body: `{"url":"` + EndpointURL + `","event":"document_representation.created","sample":{"document_type":"delivery_order"}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Webhooks.Trigger(ctx, terminal49.WebhookTrigger{
					URL: EndpointURL, Event: terminal49.EventDocumentRepresentationCreated, DocumentType: "delivery_order",
				}))
			},
		},
	}
}
