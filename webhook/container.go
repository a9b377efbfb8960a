package webhook

import (
	"context"
	"errors"

	"github.com/go-freight/terminal49"
)

// OnContainer is called with the container of a notification, as the service returns it to a
// request that is sent after the notification arrived: the notification's own copy may be older
// than what you keep. Store what you get. It is not called if the notification is not about one
// container, or if the container no longer exists. Nil params include what [terminal49.Assess]
// needs; see [terminal49.AssessIncludes].
//
// API: GET /containers/{id}, and before it GET /webhook_notifications/{id} if the delivery does not
// name its container.
func OnContainer(
	client *terminal49.Client, params *terminal49.ContainerGetParams,
	f func(context.Context, *Notification, *terminal49.Container) error,
) Option {
	return setting("OnContainer", "must have a client and a function", client != nil && f != nil, func(c *config) {
		c.callbacks = append(c.callbacks, func(ctx context.Context, n *Notification) (bool, error) {
			container, err := readContainer(ctx, client, n, params)
			if container == nil || err != nil {
				return err != nil, err
			}
			return true, f(ctx, n, container)
		})
	})
}

// readContainer returns nil if the notification is not about one container that exists.
func readContainer(
	ctx context.Context, client *terminal49.Client, n *Notification, params *terminal49.ContainerGetParams,
) (*terminal49.Container, error) {
	id := n.Container.ID()
	if id == "" && mayBeOfContainer(n) {
		full, err := Resolve(ctx, client, n)
		if err != nil {
			return nil, err
		}
		id = full.Container.ID()
	}
	if id == "" {
		return nil, nil
	}
	if params == nil {
		params = &terminal49.ContainerGetParams{Include: terminal49.AssessIncludes()}
	}
	container, err := client.Containers.Get(ctx, id, params)
	if errors.Is(err, terminal49.ErrNotFound) {
		return nil, nil
	}
	return container, err
}

// mayBeOfContainer reports whether a delivery that names neither its container nor its shipment may
// be about a container all the same.
func mayBeOfContainer(n *Notification) bool {
	switch n.Payload.(type) {
	case *TrackingRequestPayload, *DocumentPayload:
		return false
	}
	return n.Container.State() == terminal49.RelationshipAbsent && n.Shipment.State() == terminal49.RelationshipAbsent
}
