package terminal49

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// WebhookNotification is a message that the service has delivered, or will deliver, to a webhook:
// an event and the resource it is about.
//
//t49:resource webhook_notification
type WebhookNotification struct {
	Resource `t49:"id,ignored"`

	Event          EventName      `t49:"event"`
	DeliveryStatus DeliveryStatus `t49:"delivery_status"` // as of this response; in a delivery it has no meaning
	CreatedAt      Time           `t49:"created_at"`      // UTC
	Version        string         `t49:"version"`         // version of the payload; document events only

	Webhook         ToOne[*Webhook]          `t49:"webhook"`                                                                                                                                                               // never included
	ReferenceObject ToOne[ReferenceObject]   `t49:"reference_object,types=tracking_request|transport_event|estimated_event|container_created_event|container_updated_event|container_pod_terminal_changed_event|document"` // what the event is about; may be absent for document events
	Document        ToOne[*Document]         `t49:"document"`                                                                                                                                                              // what a document event is about, if not in ReferenceObject
	Logs            ToMany[*UnknownResource] `t49:"webhook_notification_logs"`                                                                                                                                             // undocumented, empty so far
}

// DeliveryStatus is the state of a notification's delivery.
//
//t49:enum
type DeliveryStatus string

// The delivery statuses.
const (
	DeliveryPending   DeliveryStatus = "pending" // not delivered yet
	DeliverySucceeded DeliveryStatus = "succeeded"
	DeliveryFailed    DeliveryStatus = "failed" // after 12 retries
)

// ReferenceObject is the resource that a notification is about: a *[TrackingRequest],
// *[TransportEvent], *[EstimatedEvent], *[ContainerCreatedEvent], *[ContainerUpdatedEvent],
// *[ContainerPODTerminalChangedEvent], *[Document], *[EmailSubmission], *[Shipment] or
// *[Container], or an *[UnknownResource] for other types. Switch on the type.
type ReferenceObject interface{ isReferenceObject() }

func (*TrackingRequest) isReferenceObject()                  {}
func (*TransportEvent) isReferenceObject()                   {}
func (*EstimatedEvent) isReferenceObject()                   {}
func (*ContainerCreatedEvent) isReferenceObject()            {}
func (*ContainerUpdatedEvent) isReferenceObject()            {}
func (*ContainerPODTerminalChangedEvent) isReferenceObject() {}
func (*Document) isReferenceObject()                         {}
func (*EmailSubmission) isReferenceObject()                  {}
func (*Shipment) isReferenceObject()                         {}
func (*Container) isReferenceObject()                        {}
func (*UnknownResource) isReferenceObject()                  {}

// WebhookNotificationInclude is a relationship that a response can include.
type WebhookNotificationInclude string

// WebhookNotificationIncludeReferenceObject includes what the notification is about.
const WebhookNotificationIncludeReferenceObject WebhookNotificationInclude = "reference_object"

// WebhookNotificationListParams selects a page of notifications. The service has no filters for
// them.
type WebhookNotificationListParams struct {
	PageParams
	Include []WebhookNotificationInclude
}

// WebhookNotificationGetParams selects what a notification includes.
type WebhookNotificationGetParams struct {
	Include []WebhookNotificationInclude
}

// WebhookNotificationsService reads the notifications of webhooks, for example after an outage of
// your endpoint: Recover of package webhook reads what it missed. Webhooks are a feature of the
// account; without it every call fails with [ErrFeatureNotEnabled].
type WebhookNotificationsService service

// List returns one page of notifications.
//
// API: GET /webhook_notifications. Errors: *ArgumentError, ErrFeatureNotEnabled.
func (s *WebhookNotificationsService) List(ctx context.Context, params *WebhookNotificationListParams, opts ...CallOption) (*Page[WebhookNotification], error) {
	e := newEndpoint(operation.WebhookNotificationsList).with(params)
	return fetchPage[WebhookNotification](ctx, s.client, e, opts)
}

// Pages iterates over the pages of notifications.
//
// API: GET /webhook_notifications. Errors: *ArgumentError, ErrFeatureNotEnabled, ErrPagination.
func (s *WebhookNotificationsService) Pages(ctx context.Context, params *WebhookNotificationListParams, opts ...CallOption) iter.Seq2[*Page[WebhookNotification], error] {
	e := newEndpoint(operation.WebhookNotificationsList).with(params)
	return pagesOf[WebhookNotification](ctx, s.client, e, opts)
}

// All iterates over all notifications and fetches pages as needed.
//
// API: GET /webhook_notifications. Errors: *ArgumentError, ErrFeatureNotEnabled, ErrPagination.
func (s *WebhookNotificationsService) All(ctx context.Context, params *WebhookNotificationListParams, opts ...CallOption) iter.Seq2[*WebhookNotification, error] {
	e := newEndpoint(operation.WebhookNotificationsList).with(params)
	return allOf[WebhookNotification](ctx, s.client, e, opts)
}

// Get returns one notification.
//
// API: GET /webhook_notifications/{id}. Errors: ErrFeatureNotEnabled, ErrNotFound.
func (s *WebhookNotificationsService) Get(ctx context.Context, id string, params *WebhookNotificationGetParams, opts ...CallOption) (*WebhookNotification, error) {
	e := newEndpoint(operation.WebhookNotificationsGet, uuidArg(id)).with(params)
	return fetchOne[WebhookNotification](ctx, s.client, e, opts)
}

// Examples returns samples of an event's notifications, with the resources that a delivery
// includes. The service has one sample per event.
//
// API: GET /webhook_notifications/examples. Errors: *ArgumentError, ErrFeatureNotEnabled,
// ErrInvalid.
func (s *WebhookNotificationsService) Examples(ctx context.Context, event EventName, opts ...CallOption) ([]*WebhookNotification, error) {
	e := newEndpoint(operation.WebhookNotificationsExamples).with(&exampleParams{event}).unpaged()
	return Collect(allOf[WebhookNotification](ctx, s.client, e.check(slugArg("event", string(event))), opts))
}

// Failed iterates over the notifications that were created since the given time and whose delivery
// has failed, with their reference objects included. Those without a readable creation time are
// included too. The API cannot filter by status, so Failed reads every page and stops early only if
// the list is newest-first.
//
// API: GET /webhook_notifications. Errors: ErrFeatureNotEnabled, ErrPagination.
func (s *WebhookNotificationsService) Failed(ctx context.Context, since time.Time, opts ...CallOption) iter.Seq2[*WebhookNotification, error] {
	include := []WebhookNotificationInclude{WebhookNotificationIncludeReferenceObject}
	params := &WebhookNotificationListParams{Include: include}
	return func(yield func(*WebhookNotification, error) bool) {
		order := newestFirst{before: since.Unix()}
		for page, err := range s.Pages(ctx, params, opts...) {
			if err != nil {
				yield(nil, err)
				return
			}
			for _, n := range page.Items {
				recent := n.CreatedAt.IsZero() || n.CreatedAt.seconds >= since.Unix()
				if recent && n.DeliveryStatus == DeliveryFailed && !yield(n, nil) {
					return
				}
			}
			if order.past(page.Items) {
				return
			}
		}
	}
}

// newestFirst checks whether a list is sorted newest-first, which the service does not document.
type newestFirst struct {
	before       int64 // in seconds; older notifications are not needed
	last         int64
	seen, sorted bool
	broken       bool
}

// past reports whether all items that follow must be older.
func (o *newestFirst) past(items []*WebhookNotification) bool {
	older := len(items) > 0
	for _, n := range items {
		if n.CreatedAt.IsZero() { // it may be at any position
			o.broken = true
		}
		at := n.CreatedAt.seconds
		if o.seen {
			o.broken = o.broken || at > o.last
			o.sorted = o.sorted || at < o.last
		}
		o.seen, o.last = true, at
		older = older && at < o.before
	}
	return older && o.sorted && !o.broken
}

// ErrNotNotification is returned when the body is not a notification: it is not a JSON:API document
// with one resource, or the resource is not a webhook_notification or has no id or event. An event
// unknown to this version is not an error.
var ErrNotNotification = errors.New("terminal49: webhook: the body is not a notification")

// ParseWebhookNotification parses the body of a delivery to a webhook. Use package webhook instead,
// which does this and sorts the content by event; this function is for a receiver of your own. It
// keeps body, which must not be modified. The Raw of each resource is set, and its AsOf is the
// notification's CreatedAt. The warnings name the values that could not be read, as in
// [Hooks].OnDecodeWarning. The error matches [ErrNotNotification] and never quotes the body.
func ParseWebhookNotification(body []byte) (*WebhookNotification, []DecodeWarning, error) {
	var warnings []DecodeWarning
	count := 0
	items, doc, err := jsonapi.Decode[WebhookNotification](body, jsonapi.Options{
		Types: registry, KeepRaw: true, Report: func(w jsonapi.Warning) {
			if count++; count <= mostWarnings {
				warnings = append(warnings, DecodeWarning{"webhook", w.ResourceType, w.ResourceID, w.Field, w.Problem})
			}
		},
	})
	if count > mostWarnings {
		warnings = append(warnings, DecodeWarning{Op: "webhook", Problem: moreThan(count)})
	}
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("%w: %w", ErrNotNotification, err)
	case !doc.HasData || len(items) != 1:
		return nil, nil, fmt.Errorf("%w: it has %d resources and must have 1", ErrNotNotification, len(items))
	case items[0].Type != "webhook_notification":
		return nil, nil, fmt.Errorf("%w: the type of its data must be webhook_notification", ErrNotNotification)
	case items[0].ID == "":
		return nil, nil, fmt.Errorf("%w: it has no id", ErrNotNotification)
	case items[0].Event == "":
		return nil, nil, fmt.Errorf("%w: it has no event", ErrNotNotification)
	}
	items[0].AsOf, _ = items[0].CreatedAt.Instant()
	for v := range doc.Index.All {
		resourceOf(v).AsOf = items[0].AsOf
	}
	return items[0], warnings, nil
}

type exampleParams struct{ event EventName }

func (p *exampleParams) query(q *query) { q.setText("event", string(p.event)) }

func (p *WebhookNotificationListParams) query(q *query) {
	p.PageParams.query(q)
	q.setList("include", toStrings(p.Include))
}

func (p *WebhookNotificationGetParams) query(q *query) { q.setList("include", toStrings(p.Include)) }

// resolved finds what a reference object of unknown type names.
func (n *WebhookNotification) resolved(ix *jsonapi.Index) {
	value, _ := n.ReferenceObject.Value()
	if unknown, ok := value.(*UnknownResource); ok {
		unknown.shipment, unknown.container = unknown.Shipment(), unknown.Container()
		unknown.shipment.resolve(ix)
		unknown.container.resolve(ix)
	}
}

// Shipment returns the shipment that Relationships names: that of its member "shipment", otherwise
// the only one in any of its members. It is absent if there is none or several, and included only
// if u is the reference object of a notification.
func (u *UnknownResource) Shipment() ToOne[*Shipment] {
	to := u.shipment
	if to.state == RelationshipAbsent {
		to.ref, to.state = u.named("shipment")
	}
	return to
}

// Container returns the container that Relationships names, like Shipment.
func (u *UnknownResource) Container() ToOne[*Container] {
	to := u.container
	if to.state == RelationshipAbsent {
		to.ref, to.state = u.named("container")
	}
	return to
}

// named returns the resource of the relationship that is named after its type, as in the events of
// the service, or else the only resource of that type in all relationships of u.
func (u *UnknownResource) named(typ string) (only jsonapi.Ref, state RelationshipState) {
	var sent map[string]linkage
	if json.Unmarshal(u.Relationships, &sent) != nil {
		return only, state
	}
	refs := sent[typ].of(typ)
	if len(refs) == 0 {
		for _, other := range sent {
			refs = append(refs, other.of(typ)...)
		}
	}
	for _, ref := range refs {
		if ref != refs[0] {
			return jsonapi.Ref{}, RelationshipAbsent
		}
		only, state = ref, RelationshipLinked
	}
	return only, state
}

// linkage is the data of a relationship of a resource of unknown type.
type linkage []jsonapi.Ref

func (l linkage) of(typ string) (refs []jsonapi.Ref) {
	for _, ref := range l {
		if ref.Type == typ && ref.ID != "" {
			refs = append(refs, ref)
		}
	}
	return refs
}

// UnmarshalJSON never fails, so that one odd relationship does not lose the others.
func (l *linkage) UnmarshalJSON(data []byte) error {
	var sent struct{ Data json.RawMessage }
	var one jsonapi.Ref
	if _ = json.Unmarshal(data, &sent); json.Unmarshal(sent.Data, &one) == nil {
		*l = linkage{one}
	} else {
		_ = json.Unmarshal(sent.Data, (*[]jsonapi.Ref)(l))
	}
	return nil
}
