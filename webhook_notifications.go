package terminal49

import (
	"context"
	"iter"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// WebhookNotification is a message that the service sent, or will send, to a webhook: this event happened to that.
type WebhookNotification struct {
	Resource

	Event          EventName      // event
	DeliveryStatus DeliveryStatus // delivery_status: as of this answer; a delivered copy may say anything
	CreatedAt      Time           // created_at, UTC
	Version        string         // version: of the payload; document events only

	Webhook         ToOne[*Webhook]          // webhook: never included
	ReferenceObject ToOne[ReferenceObject]   // reference_object: what the event is about; absent for document events
	Document        ToOne[*Document]         // document: in its place for document events
	Logs            ToMany[*UnknownResource] // webhook_notification_logs: empty so far; the service does not describe them
}

// DeliveryStatus says what became of a notification.
type DeliveryStatus string

const (
	DeliveryPending   DeliveryStatus = "pending" // on its way, or to be tried again
	DeliverySucceeded DeliveryStatus = "succeeded"
	DeliveryFailed    DeliveryStatus = "failed" // given up after 12 retries
)

var deliveryStatuses = []DeliveryStatus{DeliveryPending, DeliverySucceeded, DeliveryFailed}

// Known reports whether s is one of the constants of this version. Unknown values are kept as they came.
func (s DeliveryStatus) Known() bool { return isKnown(s, deliveryStatuses) }

// ReferenceObject is what a notification is about: a *[TrackingRequest], *[TransportEvent], *[EstimatedEvent],
// *[ContainerCreatedEvent], *[ContainerUpdatedEvent], *[ContainerPODTerminalChangedEvent], *[Document] or
// *[EmailSubmission], or a *[UnknownResource] for anything that this version does not know. Switch on the type.
type ReferenceObject interface{ isReferenceObject() }

func (*TrackingRequest) isReferenceObject()                  {}
func (*TransportEvent) isReferenceObject()                   {}
func (*EstimatedEvent) isReferenceObject()                   {}
func (*ContainerCreatedEvent) isReferenceObject()            {}
func (*ContainerUpdatedEvent) isReferenceObject()            {}
func (*ContainerPODTerminalChangedEvent) isReferenceObject() {}
func (*Document) isReferenceObject()                         {}
func (*EmailSubmission) isReferenceObject()                  {}
func (*UnknownResource) isReferenceObject()                  {}

// WebhookNotificationInclude names a relation that comes along with notifications.
type WebhookNotificationInclude string

// WebhookNotificationIncludeReferenceObject asks for what the notification is about.
const WebhookNotificationIncludeReferenceObject WebhookNotificationInclude = "reference_object"

// WebhookNotificationListParams narrows a list of notifications. The service has no filter for them.
type WebhookNotificationListParams struct {
	PageParams
	Include []WebhookNotificationInclude
}

// WebhookNotificationGetParams says what comes along with one notification.
type WebhookNotificationGetParams struct {
	Include []WebhookNotificationInclude
}

// WebhookNotificationsService reads what was sent to webhooks, for instance after your endpoint was down. The service
// offers them to accounts that have the feature; every call fails with ErrFeatureNotEnabled for the others.
type WebhookNotificationsService service

// List returns one page of notifications.
//
// API: GET /webhook_notifications. Rate bucket: default. Errors: *ArgumentError, ErrFeatureNotEnabled.
func (s *WebhookNotificationsService) List(ctx context.Context, params *WebhookNotificationListParams, opts ...CallOption) (*Page[WebhookNotification], error) {
	e := newEndpoint(operation.WebhookNotificationsList).with(params)
	return fetchPage[WebhookNotification](ctx, s.client, e, opts)
}

// Pages walks the pages of notifications.
//
// API: GET /webhook_notifications. Rate bucket: default. Errors: *ArgumentError, ErrFeatureNotEnabled, ErrPagination.
func (s *WebhookNotificationsService) Pages(ctx context.Context, params *WebhookNotificationListParams, opts ...CallOption) iter.Seq2[*Page[WebhookNotification], error] {
	e := newEndpoint(operation.WebhookNotificationsList).with(params)
	return pagesOf[WebhookNotification](ctx, s.client, e, opts)
}

// All walks all notifications, fetching pages as they are needed.
//
// API: GET /webhook_notifications. Rate bucket: default. Errors: *ArgumentError, ErrFeatureNotEnabled, ErrPagination.
func (s *WebhookNotificationsService) All(ctx context.Context, params *WebhookNotificationListParams, opts ...CallOption) iter.Seq2[*WebhookNotification, error] {
	e := newEndpoint(operation.WebhookNotificationsList).with(params)
	return allOf[WebhookNotification](ctx, s.client, e, opts)
}

// Get returns one notification.
//
// API: GET /webhook_notifications/{id}. Rate bucket: default. Errors: ErrFeatureNotEnabled, ErrNotFound.
func (s *WebhookNotificationsService) Get(ctx context.Context, id string, params *WebhookNotificationGetParams, opts ...CallOption) (*WebhookNotification, error) {
	e := newEndpoint(operation.WebhookNotificationsGet, uuidArg(id)).with(params)
	return fetchOne[WebhookNotification](ctx, s.client, e, opts)
}

// Examples returns samples of what is sent for an event, with what a delivery includes; in practice it is one sample.
//
// API: GET /webhook_notifications/examples. Rate bucket: default. Errors: *ArgumentError, ErrFeatureNotEnabled, ErrInvalid.
func (s *WebhookNotificationsService) Examples(ctx context.Context, event EventName, opts ...CallOption) ([]*WebhookNotification, error) {
	e := newEndpoint(operation.WebhookNotificationsExamples).with(&exampleParams{event}).unpaged()
	return collectAll(allOf[WebhookNotification](ctx, s.client, e.check(slugArg("event", string(event))), opts))
}

type exampleParams struct{ event EventName }

func (p *exampleParams) query(q *query) { q.setText("event", string(p.event)) }

func (p *WebhookNotificationListParams) query(q *query) {
	p.PageParams.query(q)
	q.setList("include", toStrings(p.Include))
}

func (p *WebhookNotificationGetParams) query(q *query) { q.setList("include", toStrings(p.Include)) }

func (*WebhookNotification) table() *jsonapi.Type[WebhookNotification] {
	return webhookNotificationTable
}

var webhookNotificationTable = jsonapi.NewType(jsonapi.Spec[WebhookNotification]{
	Identify: func(n *WebhookNotification, id jsonapi.Identity) { n.identify(id) },
	Attributes: []jsonapi.Field[WebhookNotification]{
		ignoredField[WebhookNotification]("id"),
		textField("event", func(n *WebhookNotification) *EventName { return &n.Event }),
		textField("delivery_status", func(n *WebhookNotification) *DeliveryStatus { return &n.DeliveryStatus }),
		timeField("created_at", func(n *WebhookNotification) *Time { return &n.CreatedAt }),
		textField("version", func(n *WebhookNotification) *string { return &n.Version }),
	},
	Relationships: []jsonapi.Field[WebhookNotification]{
		relationshipField("reference_object", func(n *WebhookNotification) *ToOne[ReferenceObject] { return &n.ReferenceObject }),
		relationshipField("webhook", func(n *WebhookNotification) *ToOne[*Webhook] { return &n.Webhook }),
		relationshipField("webhook_notification_logs", func(n *WebhookNotification) *ToMany[*UnknownResource] { return &n.Logs }),
		relationshipField("document", func(n *WebhookNotification) *ToOne[*Document] { return &n.Document }),
	},
})
