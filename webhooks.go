package terminal49

import (
	"context"
	"iter"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// Webhook is an endpoint of yours that the service calls when something happens.
//
// The service may switch a webhook off after repeated failures: Active is false then, and [WebhooksService.Update]
// switches it on again. Nothing is sent later for what happened meanwhile.
type Webhook struct {
	Resource

	URL       string          // url: https; old ones may be http
	Active    bool            // active: whether anything is delivered
	Events    []EventName     // events: what it is called for
	Secret    Secret          // secret: made by the service, signs every delivery; its Reveal tells it, and so does Raw
	Headers   []WebhookHeader // headers: sent along with every delivery; nil if not reported
	CreatedAt Time            // created_at, UTC
}

// WebhookHeader is a header that the service sends along with deliveries, such as a password of your endpoint. The
// service capitalises the name. Like any [Secret] the value is never printed.
type WebhookHeader struct {
	Name  string
	Value Secret
}

// WebhookEventCategory groups the events that the account can subscribe to. Its ID is a word such as
// "tracking-request-events".
type WebhookEventCategory struct {
	Resource

	Name   string         // name: such as "Tracking Request Events"
	Events []WebhookEvent // events
}

// WebhookEvent is an event that the account can subscribe to.
type WebhookEvent struct {
	Name        EventName
	Description string // the service's words
}

// WebhookListParams chooses a page of webhooks.
type WebhookListParams struct{ PageParams }

// WebhooksService manages webhooks. The service offers them to accounts that have the feature; every call fails with
// ErrFeatureNotEnabled for the others.
type WebhooksService service

// List returns one page of webhooks. The service does not say how many there are.
//
// API: GET /webhooks. Rate bucket: default. Errors: *ArgumentError, ErrFeatureNotEnabled.
func (s *WebhooksService) List(ctx context.Context, params *WebhookListParams, opts ...CallOption) (*Page[Webhook], error) {
	return fetchPage[Webhook](ctx, s.client, newEndpoint(operation.WebhooksList).with(params), opts)
}

// Pages walks the pages of webhooks.
//
// API: GET /webhooks. Rate bucket: default. Errors: *ArgumentError, ErrFeatureNotEnabled, ErrPagination.
func (s *WebhooksService) Pages(ctx context.Context, params *WebhookListParams, opts ...CallOption) iter.Seq2[*Page[Webhook], error] {
	return pagesOf[Webhook](ctx, s.client, newEndpoint(operation.WebhooksList).with(params), opts)
}

// All walks all webhooks, fetching pages as they are needed.
//
// API: GET /webhooks. Rate bucket: default. Errors: *ArgumentError, ErrFeatureNotEnabled, ErrPagination.
func (s *WebhooksService) All(ctx context.Context, params *WebhookListParams, opts ...CallOption) iter.Seq2[*Webhook, error] {
	return allOf[Webhook](ctx, s.client, newEndpoint(operation.WebhooksList).with(params), opts)
}

// Create makes a webhook and returns it with its Secret. It fails with ErrInvalid for an event that the account does
// not have; see [WebhooksService.Events].
//
// API: POST /webhooks. Rate bucket: default. Errors: *ArgumentError, ErrFeatureNotEnabled, ErrInvalid.
func (s *WebhooksService) Create(ctx context.Context, create WebhookCreate, opts ...CallOption) (*Webhook, error) {
	attributes := create.attributes()
	e := newEndpoint(operation.WebhooksCreate).resource("webhook", "", attributes)
	return fetchOne[Webhook](ctx, s.client, attributes.concealing(e), opts)
}

// Get returns one webhook, with its Secret.
//
// API: GET /webhooks/{id}. Rate bucket: default. Errors: ErrFeatureNotEnabled, ErrNotFound.
func (s *WebhooksService) Get(ctx context.Context, id string, opts ...CallOption) (*Webhook, error) {
	return fetchOne[Webhook](ctx, s.client, newEndpoint(operation.WebhooksGet, uuidArg(id)), opts)
}

// Update changes a webhook and returns it as it is afterwards. Its Secret stays the same.
//
// API: PATCH /webhooks/{id}. Rate bucket: default. Errors: *ArgumentError, ErrFeatureNotEnabled, ErrNotFound, ErrInvalid.
func (s *WebhooksService) Update(ctx context.Context, id string, update WebhookUpdate, opts ...CallOption) (*Webhook, error) {
	attributes := update.attributes()
	e := newEndpoint(operation.WebhooksUpdate, uuidArg(id)).resource("webhook", id, attributes)
	return fetchOne[Webhook](ctx, s.client, attributes.concealing(e), opts)
}

// Delete removes a webhook.
//
// API: DELETE /webhooks/{id}. Rate bucket: default. Errors: ErrFeatureNotEnabled, ErrNotFound.
func (s *WebhooksService) Delete(ctx context.Context, id string, opts ...CallOption) error {
	return fetchNothing(ctx, s.client, newEndpoint(operation.WebhooksDelete, uuidArg(id)), opts)
}

// Events returns the events that this account can subscribe to, in categories. Which ones these are depends on the
// account's features: without document processing, for instance, there are no document events.
//
// API: GET /webhooks/events. Rate bucket: default. Errors: ErrFeatureNotEnabled.
func (s *WebhooksService) Events(ctx context.Context, opts ...CallOption) ([]*WebhookEventCategory, error) {
	return collectAll(allOf[WebhookEventCategory](ctx, s.client, newEndpoint(operation.WebhooksEvents).unpaged(), opts))
}

// IPs returns the addresses that the service delivers from, for a firewall's list. Entries that are no addresses are
// told as Unreadable; if nothing else is in the list, it is a [*DecodeError].
//
// API: GET /webhooks/ips. Rate bucket: default. Errors: ErrFeatureNotEnabled.
func (s *WebhooksService) IPs(ctx context.Context, opts ...CallOption) (WebhookIPs, error) {
	reply, err := fetchPlain[ipsReply](ctx, s.client, newEndpoint(operation.WebhooksIPs), opts)
	return WebhookIPs(reply), err
}

// Trigger makes the service send a sample of an event to a URL, once, and returns what came of it. No webhook is made.
// A delivery that failed is no error: look at Succeeded.
//
// API: POST /webhooks/trigger. Rate bucket: default. Errors: *ArgumentError, ErrFeatureNotEnabled, ErrInvalid.
func (s *WebhooksService) Trigger(ctx context.Context, trigger WebhookTrigger, opts ...CallOption) (WebhookTriggerResult, error) {
	e := newEndpoint(operation.WebhooksTrigger).reject(trigger.validate()).plainBody(trigger.body())
	reply, err := fetchPlain[triggerReply](ctx, s.client, e.concealing(trigger.Secret), opts)
	return reply.result(), err
}

func (p *WebhookListParams) query(q *query) { p.PageParams.query(q) }

func (*Webhook) table() *jsonapi.Type[Webhook] { return webhookTable }
func (*WebhookEventCategory) table() *jsonapi.Type[WebhookEventCategory] {
	return webhookEventCategoryTable
}

var webhookTable = jsonapi.NewType(jsonapi.Spec[Webhook]{
	Identify: func(w *Webhook, id jsonapi.Identity) { w.identify(id) },
	Attributes: []jsonapi.Field[Webhook]{
		textField("url", func(w *Webhook) *string { return &w.URL }),
		boolField("active", func(w *Webhook) *bool { return &w.Active }),
		{Name: "events", Read: func(d *jsonapi.Decoder, w *Webhook) { w.Events = eventNamesOf(d.Strings()) }},
		concealed("secret", func(w *Webhook) *Secret { return &w.Secret }),
		listField("headers", webhookHeaderMembers, func(w *Webhook) *[]WebhookHeader { return &w.Headers }),
		timeField("created_at", func(w *Webhook) *Time { return &w.CreatedAt }),
	},
})

var webhookHeaderMembers = jsonapi.NewMembers(
	textField("name", func(h *WebhookHeader) *string { return &h.Name }),
	concealed("value", func(h *WebhookHeader) *Secret { return &h.Value }),
)

var webhookEventCategoryTable = jsonapi.NewType(jsonapi.Spec[WebhookEventCategory]{
	Identify: func(c *WebhookEventCategory, id jsonapi.Identity) { c.identify(id) },
	Attributes: []jsonapi.Field[WebhookEventCategory]{
		textField("name", func(c *WebhookEventCategory) *string { return &c.Name }),
		listField("events", webhookEventMembers, func(c *WebhookEventCategory) *[]WebhookEvent { return &c.Events }),
	},
})

var webhookEventMembers = jsonapi.NewMembers(
	textField("name", func(e *WebhookEvent) *EventName { return &e.Name }),
	textField("description", func(e *WebhookEvent) *string { return &e.Description }),
)

func concealed[T any](name string, at func(*T) *Secret) jsonapi.Field[T] {
	return jsonapi.Field[T]{Name: name, Read: func(d *jsonapi.Decoder, v *T) {
		if s, ok := d.String(); ok {
			*at(v) = NewSecret(s)
		}
	}}
}

// eventNamesOf keeps nil and empty apart.
func eventNamesOf(names []string) []EventName {
	if names == nil {
		return nil
	}
	events := make([]EventName, len(names))
	for i, name := range names {
		events[i] = EventName(name)
	}
	return events
}
