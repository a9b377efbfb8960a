package terminal49

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-freight/terminal49/internal/conceal"
	"github.com/go-freight/terminal49/internal/jsonapi"
)

// Notification is a delivery to a webhook, understood: which event happened, to what, and as much about it as the
// service sent along. How much that is differs by event; the relationships tell honestly. Some deliveries name neither
// shipment nor container; [WebhooksService.Resolve] fetches what is missing.
type Notification struct {
	ID        string    // of the notification: the same for every delivery of it
	Event     EventName // as sent, also if this version does not know it
	CreatedAt Time      // UTC; deliveries may overtake each other, so compare this or the payload's times
	WebhookID string    // "" if not told, as for document events
	Recovered bool      // made by [WebhooksService.Recover] after a delivery had failed, from what is true now

	Payload Payload // what the event is about; never nil

	// Around it. Whatever the service did not name is absent, whatever it only named is linked.
	Shipment  ToOne[*Shipment]
	Container ToOne[*Container]
	Location  ToOne[Place] // where it happened: a port or a metro area
	Terminal  ToOne[*Terminal]
	Vessel    ToOne[*Vessel]

	// Warnings name the values that could not be understood and were left empty.
	Warnings []DecodeWarning

	raw conceal.Value[json.RawMessage] // may hold secrets
}

// Raw returns the delivery's body, nil for a recovered notification. Do not change it.
func (n *Notification) Raw() json.RawMessage {
	return n.raw.Get()
}

// ErrNotNotification means that a body is no notification: it is not JSON, not a JSON:API document with one resource,
// or the resource is no webhook_notification or names no id or no event. An event that this version does not know is no error.
var ErrNotNotification = errors.New("terminal49: webhook: the body is not a notification")

// ParseNotification reads the body of a delivery. Verify it first, with [VerifyWebhook]; [WebhookHandler] does both.
// The error is [ErrNotNotification] and never quotes the body.
func ParseNotification(body []byte) (*Notification, error) {
	return parseNotification(append([]byte(nil), body...), registry)
}

// parseNotification keeps body.
func parseNotification(body []byte, types *jsonapi.Registry) (*Notification, error) {
	n := &Notification{raw: conceal.New(json.RawMessage(body))}
	items, doc, err := jsonapi.Decode(body, webhookNotificationTable, jsonapi.Options{
		Types: types, Report: func(w jsonapi.Warning) {
			n.Warnings = append(n.Warnings, DecodeWarning{"webhook", w.ResourceType, w.ResourceID, w.Field, w.Problem})
		},
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrNotNotification, err)
	case !doc.HasData || len(items) != 1:
		return nil, fmt.Errorf("%w: it holds %d resources; one was due", ErrNotNotification, len(items))
	case items[0].Type != "webhook_notification":
		return nil, fmt.Errorf("%w: its data is of another type", ErrNotNotification)
	case items[0].ID == "":
		return nil, fmt.Errorf("%w: it has no id", ErrNotNotification)
	case items[0].Event == "":
		return nil, fmt.Errorf("%w: it names no event", ErrNotNotification)
	}
	n.tell(items[0])
	return n, nil
}

// tell fills n from a notification, whether delivered or read.
func (n *Notification) tell(from *WebhookNotification) {
	n.ID, n.Event, n.CreatedAt, n.WebhookID = from.ID, from.Event, from.CreatedAt, from.Webhook.ID()
	about := from.ReferenceObject
	if about.state < RelationshipLinked && from.Document.state >= RelationshipLinked {
		about = ToOne[ReferenceObject]{ref: from.Document.ref, state: from.Document.state}
		if document, ok := from.Document.Value(); ok {
			about.value = document
		}
	}
	n.Payload = newPayload(n.Event, about, n.Raw())
	n.surround(about)
	n.finish()
}

// surround finds what the reference object says about its surroundings.
func (n *Notification) surround(about ToOne[ReferenceObject]) {
	value, _ := about.Value()
	switch v := value.(type) {
	case *TrackingRequest:
		n.Shipment = v.Shipment
	case *TransportEvent:
		n.Shipment, n.Container, n.Location, n.Terminal, n.Vessel = v.Shipment, v.Container, v.Location, v.Terminal, v.Vessel
	case *EstimatedEvent:
		n.Shipment, n.Vessel, n.Location = v.Shipment, v.Vessel, placeOf(v.Port)
	case *ContainerCreatedEvent:
		n.Shipment, n.Container = v.Shipment, v.Container
	case *ContainerUpdatedEvent:
		n.Shipment, n.Container, n.Terminal = v.Shipment, v.Container, v.Terminal
	case *ContainerPODTerminalChangedEvent:
		n.Shipment, n.Container, n.Terminal = v.Shipment, v.Container, v.Terminal
	}
}

// finish fills what follows from the rest, once more after the rest was completed.
func (n *Notification) finish() {
	if container, ok := n.Container.Value(); ok {
		if n.Shipment.state == RelationshipAbsent {
			n.Shipment = container.Shipment // the event may leave it to the container
		}
		if p, ok := n.Payload.(interface{ fromContainer(*Container) }); ok {
			p.fromContainer(container)
		}
	}
}

func placeOf(port ToOne[*Port]) ToOne[Place] {
	place := ToOne[Place]{ref: port.ref, state: port.state}
	if p, ok := port.Value(); ok {
		place.value = p
	}
	return place
}
