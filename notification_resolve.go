package terminal49

import (
	"context"
	"errors"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// Resolve fetches the resources that a delivery did not include, and returns a completed copy of n.
// It fetches nothing that is included. If the event or its relationships are missing it fetches the
// notification first, because only the notification links an event to its container.
//
// A resource that no longer exists stays linked. After another failure Resolve returns the error
// and what it could complete. Fetched values are current, which may be later than the event.
//
// API: GET /webhook_notifications/{id}, then GET /containers/{id}, GET /shipments/{id}, GET
// /tracking_requests/{id}, GET /documents/{id}, GET /terminals/{id}, GET /ports/{id}, GET
// /metro_areas/{id} and GET /vessels/{id} as needed. Errors: *ArgumentError, ErrFeatureNotEnabled,
// *APIError.
func (s *WebhooksService) Resolve(ctx context.Context, n *Notification, opts ...CallOption) (*Notification, error) {
	if n == nil || n.Payload == nil {
		return nil, &ArgumentError{Op: "webhooks.resolve", Field: "n", Problem: "must be a notification of ParseNotification"}
	}
	return s.resolver(opts).complete(ctx, n)
}

func (s *WebhooksService) resolver(opts []CallOption) *resolver {
	return &resolver{client: s.client, opts: opts, fetched: map[jsonapi.Ref]any{}}
}

// resolver completes notifications. It fetches each resource once.
type resolver struct {
	client  *Client
	opts    []CallOption
	fetched map[jsonapi.Ref]any
}

func (r *resolver) complete(ctx context.Context, n *Notification) (*Notification, error) {
	full := *n
	full.Payload = copyOf(n.Payload)
	var errs []error
	if full.isMinimal() && !n.Recovered {
		errs = append(errs, r.refetch(ctx, &full))
	}
	errs = append(errs, r.payload(ctx, &full), r.container(ctx, &full))
	errs = append(errs, fetch(r, &full.Shipment, func(id string) (*Shipment, error) {
		return r.client.Shipments.Get(ctx, id, nil, r.opts...)
	}), fetch(r, &full.Terminal, func(id string) (*Terminal, error) {
		return r.client.Terminals.Get(ctx, id, r.opts...)
	}), fetch(r, &full.Vessel, func(id string) (*Vessel, error) {
		return r.client.Vessels.Get(ctx, id, nil, r.opts...)
	}), r.location(ctx, &full))
	full.fillFromContainer()
	return &full, errors.Join(errs...)
}

// isMinimal reports whether the event is missing or has neither its shipment nor its container. A
// tracking request or document is fetched by its id.
func (n *Notification) isMinimal() bool {
	alone := n.Shipment.state == RelationshipAbsent && n.Container.state == RelationshipAbsent
	switch p := n.Payload.(type) {
	case *TrackingRequestPayload:
		return p.Request.Type() != "tracking_request"
	case *DocumentPayload:
		return p.Document.Type() != "document"
	case *UnknownPayload:
		return needsReference(p.Reference, alone)
	case *LinkPayload:
		return needsReference(p.Reference, alone)
	default:
		return alone
	}
}

// needsReference reports whether about is missing, or is an event without its relationships.
func needsReference(about ToOne[ReferenceObject], alone bool) bool {
	_, event := about.value.(*TransportEvent)
	return about.state != RelationshipIncluded || alone && event
}

func (r *resolver) refetch(ctx context.Context, n *Notification) error {
	include := []WebhookNotificationInclude{WebhookNotificationIncludeReferenceObject}
	read, err := r.client.WebhookNotifications.Get(ctx, n.ID, &WebhookNotificationGetParams{Include: include}, r.opts...)
	if err != nil {
		return ignoreNotFound(err)
	}
	again := Notification{raw: n.raw}
	again.fill(read)
	if read.Event == n.Event {
		n.Payload = again.Payload
	}
	better(&n.Shipment, again.Shipment)
	better(&n.Container, again.Container)
	better(&n.Location, again.Location)
	better(&n.Terminal, again.Terminal)
	better(&n.Vessel, again.Vessel)
	return nil
}

// better replaces have by other if other contains more.
func better[V any](have *ToOne[V], other ToOne[V]) {
	if have.state < other.state {
		*have = other
	}
}

func (r *resolver) payload(ctx context.Context, n *Notification) error {
	switch p := n.Payload.(type) {
	case *TrackingRequestPayload:
		err := fetchType(r, "tracking_request", &p.Request, func(id string) (*TrackingRequest, error) {
			return r.client.TrackingRequests.Get(ctx, id, nil, r.opts...)
		})
		if request, ok := p.Request.Value(); ok {
			better(&n.Shipment, request.Shipment)
		}
		return err
	case *DocumentPayload:
		err := fetchType(r, "document", &p.Document, func(id string) (*Document, error) {
			include := []DocumentInclude{DocumentIncludeExtraction, DocumentIncludeEmailSubmission}
			return r.client.Documents.Get(ctx, id, &DocumentGetParams{Include: include}, r.opts...)
		})
		if document, ok := p.Document.Value(); ok {
			better(&n.Shipment, onlyOne(document.Shipments))
			better(&n.Container, onlyOne(document.Containers))
		}
		return err
	default:
		return nil
	}
}

// container also completes the shipment and the terminal.
func (r *resolver) container(ctx context.Context, n *Notification) error {
	err := fetch(r, &n.Container, func(id string) (*Container, error) {
		return r.client.Containers.Get(ctx, id, &ContainerGetParams{Include: AssessIncludes()}, r.opts...)
	})
	if container, ok := n.Container.Value(); ok {
		if id := n.Shipment.ID(); id == "" || id == container.Shipment.ID() {
			better(&n.Shipment, container.Shipment)
		}
		if n.Terminal.state == RelationshipLinked && n.Terminal.ID() == container.PODTerminal.ID() {
			better(&n.Terminal, container.PODTerminal)
		}
	}
	return err
}

func (r *resolver) location(ctx context.Context, n *Notification) error {
	at := &n.Location
	if at.state != RelationshipLinked {
		return nil
	}
	switch at.ref.Type {
	case "port":
		port := ToOne[*Port]{ref: at.ref, state: at.state}
		err := fetch(r, &port, func(id string) (*Port, error) { return r.client.Ports.Get(ctx, id, r.opts...) })
		if v, ok := port.Value(); ok {
			at.value, at.state = v, RelationshipIncluded
		}
		return err
	case "metro_area":
		area := ToOne[*MetroArea]{ref: at.ref, state: at.state}
		err := fetch(r, &area, func(id string) (*MetroArea, error) { return r.client.MetroAreas.Get(ctx, id, r.opts...) })
		if v, ok := area.Value(); ok {
			at.value, at.state = v, RelationshipIncluded
		}
		return err
	}
	return nil
}

// fetchType is fetch for a relationship that may name a resource of another type.
func fetchType[T any](r *resolver, typ string, to *ToOne[*T], get func(id string) (*T, error)) error {
	if to.Type() != typ {
		return nil
	}
	return fetch(r, to, get)
}

// fetch turns a linked resource into an included one, unless it no longer exists.
func fetch[T any](r *resolver, to *ToOne[*T], get func(id string) (*T, error)) error {
	if to.state != RelationshipLinked {
		return nil
	}
	v, ok := r.fetched[to.ref].(*T)
	if !ok {
		var err error
		if v, err = get(to.ref.ID); err != nil {
			return ignoreNotFound(err)
		}
		r.fetched[to.ref] = v
	}
	to.value, to.state = v, RelationshipIncluded
	return nil
}

// ignoreNotFound returns nil for ErrNotFound, otherwise err.
func ignoreNotFound(err error) error {
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// copyOf copies the payloads that a resolver fills in, so that the original is not modified.
func copyOf(p Payload) Payload {
	switch p := p.(type) {
	case *TrackingRequestPayload:
		c := *p
		return &c
	case *DocumentPayload:
		c := *p
		return &c
	case *LastFreeDayPayload:
		c := *p
		return &c
	case *AppointmentPayload:
		c := *p
		return &c
	default:
		return p // not filled in
	}
}
