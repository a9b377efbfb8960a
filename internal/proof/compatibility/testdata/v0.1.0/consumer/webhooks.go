package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// webhooks receives an update of a container, verifies one by hand, and recovers what was missed.
func webhooks(ctx context.Context, a *account) error {
	start := a.service.Now()
	hook, err := a.client.Webhooks.Ensure(ctx, "https://receiver.example/terminal49", []terminal49.EventName{
		terminal49.EventContainerUpdated,
	})
	if err != nil {
		return err
	}
	var handled atomic.Int32
	handler, err := webhook.NewHandler(
		webhook.WithSecrets(hook.Secret),
		webhook.WithTimeout(5*time.Second),
		webhook.WithDedupe(webhook.NewMemoryDedupe(1000), 24*time.Hour),
		webhook.OnContainerUpdated(func(
			_ context.Context, n *webhook.Notification, p *webhook.ContainerUpdatedPayload,
		) error {
			handled.Add(1)
			container, ok := n.Container.Value()
			if !ok {
				return fmt.Errorf("the container is %v", n.Container.State())
			}
			say("%s of %s: %v", n.Event, container.Number, p.Changeset.Attributes())
			return nil
		}),
		webhook.OnDelivery(func(_ context.Context, d webhook.Delivery) { say("answered %d %s", d.StatusCode, d.Outcome) }),
	)
	if err != nil {
		return err
	}
	only, err := webhook.OnlyFrom(a.client.Webhooks, &webhook.SourceParams{})
	if err != nil {
		return err
	}
	a.endpoint.Handle("/terminal49", only(handler))

	held := a.service.ContainerIDs(a.demo.Shipments[1])[0]
	a.service.UpdateContainer(held, func(c *terminal49test.Container) { c.Holds = nil })
	a.service.Advance(time.Minute)
	if handled.Load() == 0 {
		return fmt.Errorf("no notification was handled; deliveries: %d", len(a.service.WebhookDeliveries()))
	}

	body := a.service.WebhookDeliveries()[0].Body
	signature := terminal49test.SignWebhook(hook.Secret.Reveal(), body)
	if err := webhook.Verify(body, signature, hook.Secret); err != nil {
		return err
	}
	notification, err := webhook.ParseNotification(body)
	if err != nil {
		return err
	}

	examples, err := a.client.WebhookNotifications.Examples(ctx, notification.Event)
	if err != nil {
		return err
	}
	report, err := webhook.Recover(ctx, a.client, start, handler.Handle)
	if err != nil {
		return err
	}
	say("examples of %s: %d; failed deliveries: %d; secret: %v", notification.Event, len(examples), report.Found, hook.Secret)
	return handler.Shutdown(ctx)
}
