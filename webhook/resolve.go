package webhook

import (
	"context"
	"errors"

	"github.com/go-freight/terminal49"
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
func Resolve(ctx context.Context, client *terminal49.Client, n *Notification, opts ...terminal49.CallOption) (*Notification, error) {
	const op = "webhook.Resolve"
	switch {
	case ctx == nil:
		return nil, nilContext(op)
	case client == nil:
		return nil, nilClient(op)
	case n == nil || n.Payload == nil:
		return nil, invalid(op, "n", "must be a notification of ParseNotification")
	}
	return newResolver(client, opts).complete(ctx, n)
}

func newResolver(client *terminal49.Client, opts []terminal49.CallOption) *resolver {
	return &resolver{client: client, opts: opts, fetched: map[reference]any{}}
}

// reference names a resource.
type reference struct{ typ, id string }

// resolver completes notifications. It fetches each resource once.
type resolver struct {
	client  *terminal49.Client
	opts    []terminal49.CallOption
	fetched map[reference]any
}

func (r *resolver) complete(ctx context.Context, n *Notification) (*Notification, error) {
	full := *n
	full.Payload = copyOf(n.Payload)
	var errs []error
	if full.isMinimal() && !n.Recovered {
		errs = append(errs, r.refetch(ctx, &full))
	}
	errs = append(errs, r.payload(ctx, &full), r.container(ctx, &full))
	errs = append(errs, fetch(r, &full.Shipment, func(id string) (*terminal49.Shipment, error) {
		return r.client.Shipments.Get(ctx, id, nil, r.opts...)
	}), fetch(r, &full.Terminal, func(id string) (*terminal49.Terminal, error) {
		return r.client.Terminals.Get(ctx, id, r.opts...)
	}), fetch(r, &full.Vessel, func(id string) (*terminal49.Vessel, error) {
		return r.client.Vessels.Get(ctx, id, nil, r.opts...)
	}), r.location(ctx, &full))
	full.fillFromContainer()
	return &full, errors.Join(errs...)
}

// isMinimal reports whether the event is missing or has neither its shipment nor its container. A
// tracking request or document is fetched by its id.
func (n *Notification) isMinimal() bool {
	alone := n.Shipment.State() == terminal49.RelationshipAbsent && n.Container.State() == terminal49.RelationshipAbsent
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
func needsReference(about terminal49.ToOne[terminal49.ReferenceObject], alone bool) bool {
	value, _ := about.Value()
	_, event := value.(*terminal49.TransportEvent)
	return about.State() != terminal49.RelationshipIncluded || alone && event
}

func (r *resolver) refetch(ctx context.Context, n *Notification) error {
	include := []terminal49.WebhookNotificationInclude{terminal49.WebhookNotificationIncludeReferenceObject}
	read, err := r.client.WebhookNotifications.Get(ctx, n.ID, &terminal49.WebhookNotificationGetParams{Include: include}, r.opts...)
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
func better[V any](have *terminal49.ToOne[V], other terminal49.ToOne[V]) {
	if have.State() < other.State() {
		*have = other
	}
}

func (r *resolver) payload(ctx context.Context, n *Notification) error {
	switch p := n.Payload.(type) {
	case *TrackingRequestPayload:
		err := fetchType(r, "tracking_request", &p.Request, func(id string) (*terminal49.TrackingRequest, error) {
			return r.client.TrackingRequests.Get(ctx, id, nil, r.opts...)
		})
		if request, ok := p.Request.Value(); ok {
			better(&n.Shipment, request.Shipment)
		}
		return err
	case *DocumentPayload:
		err := fetchType(r, "document", &p.Document, func(id string) (*terminal49.Document, error) {
			include := []terminal49.DocumentInclude{terminal49.DocumentIncludeExtraction, terminal49.DocumentIncludeEmailSubmission}
			return r.client.Documents.Get(ctx, id, &terminal49.DocumentGetParams{Include: include}, r.opts...)
		})
		if document, ok := p.Document.Value(); ok {
			better(&n.Shipment, onlyOne("shipment", document.Shipments))
			better(&n.Container, onlyOne("container", document.Containers))
		}
		return err
	default:
		return nil
	}
}

// container also completes the shipment and the terminal.
func (r *resolver) container(ctx context.Context, n *Notification) error {
	err := fetch(r, &n.Container, func(id string) (*terminal49.Container, error) {
		return r.client.Containers.Get(ctx, id, &terminal49.ContainerGetParams{Include: terminal49.AssessIncludes()}, r.opts...)
	})
	if container, ok := n.Container.Value(); ok {
		if id := n.Shipment.ID(); id == "" || id == container.Shipment.ID() {
			better(&n.Shipment, container.Shipment)
		}
		if n.Terminal.State() == terminal49.RelationshipLinked && n.Terminal.ID() == container.PODTerminal.ID() {
			better(&n.Terminal, container.PODTerminal)
		}
	}
	return err
}

func (r *resolver) location(ctx context.Context, n *Notification) error {
	switch n.Location.Type() {
	case "port":
		return fetch(r, &n.Location, func(id string) (terminal49.Place, error) { return r.client.Ports.Get(ctx, id, r.opts...) })
	case "metro_area":
		return fetch(r, &n.Location, func(id string) (terminal49.Place, error) { return r.client.MetroAreas.Get(ctx, id, r.opts...) })
	}
	return nil
}

// fetchType is fetch for a relationship that may name a resource of another type.
func fetchType[V any](r *resolver, typ string, to *terminal49.ToOne[V], get func(id string) (V, error)) error {
	if to.Type() != typ {
		return nil
	}
	return fetch(r, to, get)
}

// fetch turns a linked resource into an included one, unless it no longer exists.
func fetch[V any](r *resolver, to *terminal49.ToOne[V], get func(id string) (V, error)) error {
	if to.State() != terminal49.RelationshipLinked {
		return nil
	}
	key := reference{to.Type(), to.ID()}
	v, ok := r.fetched[key].(V)
	if !ok {
		var err error
		if v, err = get(to.ID()); err != nil {
			return ignoreNotFound(err)
		}
		r.fetched[key] = v
	}
	*to = terminal49.Included(to.ID(), v)
	return nil
}

// ignoreNotFound returns nil for ErrNotFound, otherwise err.
func ignoreNotFound(err error) error {
	if errors.Is(err, terminal49.ErrNotFound) {
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
