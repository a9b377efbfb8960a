// Package webhook receives the notifications that Terminal49 delivers to your endpoint. A [Handler]
// verifies the signature of the raw body, parses it, and calls your callbacks once per
// notification, however often the service delivers it.
//
//	handler, err := webhook.NewHandler(
//		webhook.WithSecrets(secret), // the Secret of the webhook; client.Webhooks.Ensure returns it
//		webhook.OnContainer(client, nil, store),
//	)
//	if err != nil {
//		return err
//	}
//	return handler.ListenAndServe(ctx, ":8080")
//
//	func store(
//		ctx context.Context, n *webhook.Notification, container *terminal49.Container,
//	) error {
//		return db.Put(ctx, container.ID, container) // nil acknowledges; an error asks again
//	}
//
// [OnContainer] reads the container again; the other callbacks get what the delivery contains.
// [Handler.Shutdown] waits for running callbacks, and [Handler.Handle] takes a notification that
// did not arrive by HTTP, such as one that [Recover] found. [Resolve] fetches what a delivery does
// not include. [WithDedupe] shares the memory of handled notifications between processes,
// [OnlyFrom] admits only the addresses that the service delivers from, and [Verify] is for servers
// that do the rest themselves. Webhooks are managed with client.Webhooks of package terminal49.
package webhook
