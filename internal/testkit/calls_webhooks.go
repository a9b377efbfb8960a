package testkit

import "github.com/go-freight/terminal49"

// notificationCalls returns the calls of WebhookNotifications.
func notificationCalls() []func(on) error {
	includes := []terminal49.WebhookNotificationInclude{terminal49.WebhookNotificationIncludeReferenceObject}
	params := func() *terminal49.WebhookNotificationListParams {
		return &terminal49.WebhookNotificationListParams{PageParams: terminal49.PageParams{PageNumber: 1,
			PageSize: 5}, Include: includes}
	}
	return []func(on) error{
		func(c on) error { return First(c.WebhookNotifications.List(c.ctx, params())) },
		func(c on) error { return First(Drain(c.WebhookNotifications.Pages(c.ctx, params()))) },
		func(c on) error { return First(Drain(c.WebhookNotifications.All(c.ctx, nil))) },
		func(c on) error {
			return First(c.WebhookNotifications.Get(c.ctx, NotificationID,
				&terminal49.WebhookNotificationGetParams{Include: includes}))
		},
		func(c on) error { return First(c.WebhookNotifications.Get(c.ctx, NotificationID, nil)) },
		func(c on) error { return First(c.WebhookNotifications.Examples(c.ctx, terminal49.EventFullOut)) },
	}
}

// webhookCalls returns the calls of Webhooks.
func webhookCalls() []func(on) error {
	params := func() *terminal49.WebhookListParams {
		return &terminal49.WebhookListParams{PageParams: terminal49.PageParams{PageNumber: 2, PageSize: 10}}
	}
	update := func(u terminal49.WebhookUpdate) func(on) error {
		return func(c on) error { return First(c.Webhooks.Update(c.ctx, WebhookID, u)) }
	}
	headers := []terminal49.WebhookHeader{{Name: "X-Api-Key", Value: terminal49.NewSecret(HeaderValue)}, {Name: "x-empty"}}
	return []func(on) error{
		func(c on) error { return First(c.Webhooks.List(c.ctx, params())) },
		func(c on) error { return First(Drain(c.Webhooks.Pages(c.ctx, params()))) },
		func(c on) error { return First(Drain(c.Webhooks.All(c.ctx, nil))) },
		func(c on) error {
			return First(c.Webhooks.Create(c.ctx, terminal49.WebhookCreate{
				URL: EndpointURL, Events: []terminal49.EventName{terminal49.EventContainerUpdated,
					terminal49.EventTrackingRequestFailed}, Headers: headers,
			}))
		},
		func(c on) error {
			return First(c.Webhooks.Create(c.ctx, terminal49.WebhookCreate{
				URL: EndpointURL, Events: []terminal49.EventName{terminal49.EventContainerCreated}, Inactive: true,
			}))
		},
		func(c on) error { return First(c.Webhooks.Get(c.ctx, WebhookID)) },
		update(terminal49.WebhookUpdate{
			URL:    terminal49.Some(EndpointURL),
			Events: terminal49.Some([]terminal49.EventName{terminal49.EventContainerCreated}),
			Active: terminal49.Some(false), Headers: terminal49.Some(headers),
		}),
		// unset fields are omitted
		update(terminal49.WebhookUpdate{Active: terminal49.Some(true)}),
		update(terminal49.WebhookUpdate{Headers: terminal49.Some([]terminal49.WebhookHeader{})}),
		func(c on) error { return c.Webhooks.Delete(c.ctx, WebhookID) },
		func(c on) error { return First(c.Webhooks.Events(c.ctx)) },
		func(c on) error { return First(c.Webhooks.IPs(c.ctx)) },
		func(c on) error {
			return First(c.Webhooks.Trigger(c.ctx, terminal49.WebhookTrigger{
				URL: EndpointURL, Event: terminal49.EventContainerUpdated, Secret: terminal49.NewSecret(WebhookSecret),
			}))
		},
		func(c on) error {
			return First(c.Webhooks.Trigger(c.ctx,
				terminal49.WebhookTrigger{URL: EndpointURL, Event: terminal49.EventContainerCreated}))
		},
		// only the later names of document events have a sample
		func(c on) error {
			return First(c.Webhooks.Trigger(c.ctx, terminal49.WebhookTrigger{
				URL: EndpointURL, Event: terminal49.EventDocumentRepresentationCreated, DocumentType: "delivery_order",
			}))
		},
	}
}
