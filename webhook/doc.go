// Package webhook receives the notifications that Terminal49 delivers to your endpoint. A [Handler]
// verifies the signature of the raw body, parses it, and calls your callbacks once per
// notification, however often the service delivers it.
//
//	handler, err := webhook.NewHandler(
//		webhook.WithSecrets(secret), // the Secret of the webhook; client.Webhooks.Ensure returns it
//		webhook.OnContainerUpdated(updated),
//	)
//	if err != nil {
//		return err
//	}
//	http.Handle("/terminal49", handler)
//
//	func updated(
//		ctx context.Context, n *terminal49.Notification, p *terminal49.ContainerUpdatedPayload,
//	) error {
//		return queue.Put(ctx, n.ID, p.Changes) // nil acknowledges; an error requests another delivery
//	}
//
// [Handler.Shutdown] waits for running callbacks, and [Handler.Handle] takes a notification that
// did not arrive by HTTP, such as one that client.Webhooks.Recover found. [WithDedupe] shares the
// memory of handled notifications between processes, [OnlyFrom] admits only the addresses that the
// service delivers from, and [Verify] is for servers that do the rest themselves. Notifications,
// their payloads and the management of webhooks are in package terminal49.
package webhook
