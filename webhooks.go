package terminal49

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/internal/operation"
)

// Webhook is one of your endpoints, to which the service delivers notifications of events.
//
// The service may deactivate a webhook after repeated failures. [WebhooksService.Update] activates
// it again. Events that happen while a webhook is inactive are not delivered later.
//
//t49:resource webhook
type Webhook struct {
	Resource

	URL       string          `t49:"url"`              // https; that of an old webhook may be http
	Active    bool            `t49:"active"`           // whether notifications are delivered
	Events    []EventName     `t49:"events"`           // those that are delivered
	Secret    Secret          `t49:"secret,unwritten"` // made by the service, signs every delivery; Secret.Reveal and Raw show it
	Headers   []WebhookHeader `t49:"headers"`          // sent with every delivery; nil if not reported
	CreatedAt Time            `t49:"created_at"`       // UTC
}

// WebhookHeader is a header that the service sends with every delivery, such as a password of your
// endpoint. The service capitalises the name. The value is never printed, like any [Secret].
type WebhookHeader struct {
	Name  string `t49:"name"`
	Value Secret `t49:"value,unwritten"`
}

// WebhookEventCategory is a group of events that the account can subscribe to. Its ID is a slug
// such as "tracking-request-events".
//
//t49:resource webhook_event_category
type WebhookEventCategory struct {
	Resource

	Name   string         `t49:"name"` // such as "Tracking Request Events"
	Events []WebhookEvent `t49:"events"`
}

// WebhookEvent is an event that the account can subscribe to.
type WebhookEvent struct {
	Name        EventName `t49:"name"`
	Description string    `t49:"description"` // human-readable, in English
}

// WebhookIPs are the addresses that the service delivers from.
type WebhookIPs struct {
	Addresses   []netip.Addr
	Prefixes    []netip.Prefix // ranges, such as 192.0.2.0/24; the service has not listed any so far
	Unreadable  []string       // entries that are neither, as sent; nil if there are none
	LastUpdated Time           // UTC; zero if missing or unreadable
}

// Contains reports whether addr is one of the addresses or in one of the ranges. An IPv4 address
// mapped to IPv6 (::ffff:192.0.2.1) counts as the IPv4 address.
func (ips WebhookIPs) Contains(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	return slices.Contains(ips.Addresses, addr) ||
		slices.ContainsFunc(ips.Prefixes, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// WebhookTriggerResult is the outcome of a sample delivery.
type WebhookTriggerResult struct {
	URL             string      // as requested
	Succeeded       bool        // whether the endpoint answered 200, 201, 202 or 204
	Error           string      // why it failed; "" if it succeeded
	StatusCode      Opt[int]    // of the endpoint's response; null if there was none
	RequestHeaders  http.Header // as sent to the endpoint, including the signature
	RequestBody     string      // as sent to the endpoint
	ResponseHeaders http.Header // nil if there was no response
	ResponseBody    string      // "" if there was no response
}

// WebhookListParams selects a page of webhooks.
type WebhookListParams struct{ PageParams }

// WebhookTrigger is a request for a sample delivery.
type WebhookTrigger struct {
	URL    string    // the endpoint: https
	Event  EventName // the event of the sample
	Secret Secret    // signs the delivery; if empty, it is unsigned

	// DocumentType is the type of the sample's document, a code of Documents.Types. Only the events
	// of a document's extraction use it. It is in several documents later than the published
	// OpenAPI file, and most likely released; an older service may ignore or reject it.
	DocumentType string
}

// WebhooksService manages webhooks. They are a feature of the account; without it every call fails
// with [ErrFeatureNotEnabled].
type WebhooksService service

// List returns one page of webhooks. The service does not report their total.
//
// API: GET /webhooks. Errors: *ArgumentError, ErrFeatureNotEnabled.
func (s *WebhooksService) List(ctx context.Context, params *WebhookListParams, opts ...CallOption) (*Page[Webhook], error) {
	return fetchPage[Webhook](ctx, s.client, newEndpoint(operation.WebhooksList).with(params), opts)
}

// Pages iterates over the pages of webhooks.
//
// API: GET /webhooks. Errors: *ArgumentError, ErrFeatureNotEnabled, ErrPagination.
func (s *WebhooksService) Pages(ctx context.Context, params *WebhookListParams, opts ...CallOption) iter.Seq2[*Page[Webhook], error] {
	return pagesOf[Webhook](ctx, s.client, newEndpoint(operation.WebhooksList).with(params), opts)
}

// All iterates over all webhooks and fetches pages as needed.
//
// API: GET /webhooks. Errors: *ArgumentError, ErrFeatureNotEnabled, ErrPagination.
func (s *WebhooksService) All(ctx context.Context, params *WebhookListParams, opts ...CallOption) iter.Seq2[*Webhook, error] {
	return allOf[Webhook](ctx, s.client, newEndpoint(operation.WebhooksList).with(params), opts)
}

// Create creates a webhook and returns it with its Secret. It fails with [ErrInvalid] for an event
// that is not available to the account; see [WebhooksService.Events].
//
// API: POST /webhooks. Errors: *ArgumentError, ErrFeatureNotEnabled, ErrInvalid.
func (s *WebhooksService) Create(ctx context.Context, create WebhookCreate, opts ...CallOption) (*Webhook, error) {
	attributes := create.attributes()
	e := newEndpoint(operation.WebhooksCreate).resource("webhook", "", attributes)
	return fetchOne[Webhook](ctx, s.client, attributes.concealing(e), opts)
}

// Get returns one webhook, with its Secret.
//
// API: GET /webhooks/{id}. Errors: ErrFeatureNotEnabled, ErrNotFound.
func (s *WebhooksService) Get(ctx context.Context, id string, opts ...CallOption) (*Webhook, error) {
	return fetchOne[Webhook](ctx, s.client, newEndpoint(operation.WebhooksGet, uuidArg(id)), opts)
}

// Update changes a webhook and returns the result. The Secret does not change.
//
// API: PATCH /webhooks/{id}. Errors: *ArgumentError, ErrFeatureNotEnabled, ErrNotFound, ErrInvalid.
func (s *WebhooksService) Update(ctx context.Context, id string, update WebhookUpdate, opts ...CallOption) (*Webhook, error) {
	attributes := update.attributes()
	e := newEndpoint(operation.WebhooksUpdate, uuidArg(id)).resource("webhook", id, attributes)
	return fetchOne[Webhook](ctx, s.client, attributes.concealing(e), opts)
}

// Delete deletes a webhook.
//
// API: DELETE /webhooks/{id}. Errors: ErrFeatureNotEnabled, ErrNotFound.
func (s *WebhooksService) Delete(ctx context.Context, id string, opts ...CallOption) error {
	return fetchNothing(ctx, s.client, newEndpoint(operation.WebhooksDelete, uuidArg(id)), opts)
}

// Events returns the events that the account can subscribe to, by category. They depend on the
// features of the account: without document processing, for example, there are no document events.
//
// API: GET /webhooks/events. Errors: ErrFeatureNotEnabled.
func (s *WebhooksService) Events(ctx context.Context, opts ...CallOption) ([]*WebhookEventCategory, error) {
	return Collect(allOf[WebhookEventCategory](ctx, s.client, newEndpoint(operation.WebhooksEvents).unpaged(), opts))
}

// IPs returns the addresses that the service delivers from, for a firewall. Entries that are not
// addresses are in Unreadable; if there are no others, IPs returns a [*DecodeError].
//
// API: GET /webhooks/ips. Errors: ErrFeatureNotEnabled.
func (s *WebhooksService) IPs(ctx context.Context, opts ...CallOption) (WebhookIPs, error) {
	reply, err := fetchPlain[ipsReply](ctx, s.client, newEndpoint(operation.WebhooksIPs), opts)
	return reply.WebhookIPs, err
}

// Trigger makes the service deliver a sample of an event to a URL once, without a webhook, and
// returns the outcome. A failed delivery is not an error; check Succeeded.
//
// API: POST /webhooks/trigger. Errors: *ArgumentError, ErrFeatureNotEnabled, ErrInvalid.
func (s *WebhooksService) Trigger(ctx context.Context, trigger WebhookTrigger, opts ...CallOption) (WebhookTriggerResult, error) {
	e := newEndpoint(operation.WebhooksTrigger).reject(trigger.validate()).plainBody(trigger.body())
	reply, err := fetchPlain[triggerReply](ctx, s.client, e.concealing(trigger.Secret), opts)
	return reply.result(), err
}

func (p *WebhookListParams) query(q *query) { p.PageParams.query(q) }

// eventNamesOf distinguishes nil from empty.
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

// ipsReply keeps the valid entries, because one invalid entry must not block all deliveries.
type ipsReply struct {
	WebhookIPs
	_ struct{} `known:"webhook_notification_ips,last_updated"`
}

var errNoIPs = errors.New("webhook_notification_ips: must contain at least one address")

func (r *ipsReply) UnmarshalJSON(data []byte) error {
	var wire struct {
		Entries     []json.RawMessage `json:"webhook_notification_ips"`
		LastUpdated json.RawMessage   `json:"last_updated"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return err
	}
	*r = ipsReply{}
	for _, entry := range wire.Entries {
		r.add(entry)
	}
	if len(r.Unreadable) > 0 && len(r.Addresses)+len(r.Prefixes) == 0 {
		return errNoIPs
	}
	if len(wire.LastUpdated) > 0 && json.Unmarshal(wire.LastUpdated, &r.LastUpdated) != nil {
		r.LastUpdated = Time{}
	}
	return nil
}

func (r *ipsReply) add(entry json.RawMessage) {
	s := string(entry)
	if entry[0] == '"' {
		_ = json.Unmarshal(entry, &s) // cannot fail: the list is valid JSON
	}
	if addr, err := netip.ParseAddr(s); err == nil {
		r.Addresses = append(r.Addresses, addr.Unmap().WithZone(""))
		return
	}
	prefix, err := netip.ParsePrefix(s)
	if err == nil && prefix.Addr().Is4In6() && prefix.Bits() >= 96 {
		prefix = netip.PrefixFrom(prefix.Addr().Unmap(), prefix.Bits()-96)
	}
	if err != nil || prefix.Bits() == 0 { // a prefix of 0 bits would contain every address
		r.Unreadable = append(r.Unreadable, s)
		return
	}
	r.Prefixes = append(r.Prefixes, prefix.Masked())
}

func (t WebhookTrigger) validate() error {
	switch {
	case !isHTTPS(t.URL):
		return &ArgumentError{Field: "URL", Problem: notHTTPS}
	case t.Event == "":
		return &ArgumentError{Field: "Event", Problem: "must be an event, such as EventContainerUpdated"}
	}
	return nil
}

type triggerBody struct {
	URL    string    `json:"url"`
	Event  EventName `json:"event"`
	Secret string    `json:"secret,omitempty"`
	Sample sample    `json:"sample,omitzero"`
}

type sample struct {
	DocumentType string `json:"document_type"`
}

func (t WebhookTrigger) body() triggerBody {
	return triggerBody{t.URL, t.Event, t.Secret.Reveal(), sample{t.DocumentType}}
}

type triggerReply struct {
	URL             string       `json:"url"`
	Succeeded       bool         `json:"succeeded"`
	Error           string       `json:"error"`
	StatusCode      Opt[int]     `json:"status_code"`
	RequestHeaders  looseHeaders `json:"request_headers"`
	RequestBody     string       `json:"request_body"`
	ResponseHeaders looseHeaders `json:"response_headers"`
	ResponseBody    string       `json:"response_body"`
}

func (r triggerReply) result() WebhookTriggerResult {
	return WebhookTriggerResult{
		URL: r.URL, Succeeded: r.Succeeded, Error: r.Error, StatusCode: r.StatusCode,
		RequestHeaders: http.Header(r.RequestHeaders), RequestBody: r.RequestBody,
		ResponseHeaders: http.Header(r.ResponseHeaders), ResponseBody: r.ResponseBody,
	}
}

// looseHeaders reads an object of headers. The service does not document the type of their values.
type looseHeaders http.Header

func (h *looseHeaders) UnmarshalJSON(data []byte) error {
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil || object == nil {
		return err
	}
	header := http.Header{}
	for name, value := range object {
		values, many := value.([]any)
		if !many {
			values = []any{value}
		}
		for _, v := range values {
			if v != nil {
				header.Add(name, fmt.Sprint(v))
			}
		}
	}
	*h = looseHeaders(header)
	return nil
}

// WebhookCreate are the attributes of a new webhook. The service chooses its Secret.
type WebhookCreate struct {
	URL      string          // the endpoint: https
	Events   []EventName     // the events to deliver: at least one, each once
	Headers  []WebhookHeader // sent with every delivery; may be empty
	Inactive bool            // create it inactive
}

// WebhookUpdate is a change to a webhook. Unset fields are not changed.
type WebhookUpdate struct {
	URL     Opt[string]          // https
	Events  Opt[[]EventName]     // replaces the list: at least one, each once
	Active  Opt[bool]            // activates or deactivates deliveries
	Headers Opt[[]WebhookHeader] // replaces the list; an empty one removes all headers
}

// webhookAttributes is the wire form of both, with the revealed values of the headers.
type webhookAttributes struct {
	URL     Opt[string]          `json:"url,omitzero"`
	Events  Opt[[]EventName]     `json:"events,omitzero"`
	Active  Opt[bool]            `json:"active,omitzero"`
	Headers Opt[[]webhookHeader] `json:"headers,omitzero"`
}

type webhookHeader struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (c WebhookCreate) attributes() webhookAttributes {
	a := webhookAttributes{URL: Some(c.URL), Events: Some(c.Events), Active: Some(!c.Inactive)}
	if len(c.Headers) > 0 {
		a.Headers = Some(revealed(c.Headers))
	}
	return a
}

func (u WebhookUpdate) attributes() webhookAttributes {
	a := webhookAttributes{URL: u.URL, Events: u.Events, Active: u.Active}
	if headers, ok := u.Headers.Get(); ok {
		a.Headers = Some(revealed(headers))
	} else if u.Headers.IsNull() {
		a.Headers = Null[[]webhookHeader]()
	}
	return a
}

func revealed(headers []WebhookHeader) []webhookHeader {
	plain := make([]webhookHeader, len(headers))
	for i, h := range headers {
		plain[i] = webhookHeader{h.Name, h.Value.Reveal()}
	}
	return plain
}

// validate checks the fields that are set.
func (a webhookAttributes) validate() error {
	if field, problem := a.problem(); problem != "" {
		return &ArgumentError{Field: field, Problem: problem}
	}
	return nil
}

func (a webhookAttributes) problem() (field, problem string) {
	switch {
	case a.URL.IsNull():
		return "URL", "must not be null; delete the webhook or set Active to false"
	case a.Events.IsNull():
		return "Events", "must not be null; delete the webhook or set Active to false"
	case a.Active.IsNull():
		return "Active", "must be true or false"
	case a.Headers.IsNull():
		return "Headers", "must not be null; an empty list removes all headers"
	}
	if to, ok := a.URL.Get(); ok && !isHTTPS(to) {
		return "URL", notHTTPS
	}
	if events, ok := a.Events.Get(); ok {
		if problem := eventsProblem(events); problem != "" {
			return "Events", problem
		}
	}
	return "Headers", headersProblem(a.Headers.Or(nil))
}

// signatureHeader is SignatureHeader of package webhook.
const signatureHeader = "X-T49-Webhook-Signature"

const notHTTPS = `must be an https URL such as "https://example.com/terminal49"`

func isHTTPS(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Hostname() != ""
}

// eventsProblem accepts unknown names, because the service adds events without notice.
func eventsProblem(events []EventName) string {
	if len(events) == 0 {
		return "must have at least one event; Webhooks.Events lists those of the account"
	}
	seen := map[EventName]bool{}
	for _, event := range events {
		switch {
		case event == "":
			return "must not have an empty name"
		case seen[event]:
			return fmt.Sprintf("must not have %q twice", event)
		}
		seen[event] = true
	}
	return ""
}

// headersProblem never quotes a value, nor an invalid name, which may be "Name: value".
func headersProblem(headers []webhookHeader) string {
	for i, h := range headers {
		switch {
		case !headerName.MatchString(h.Name):
			return fmt.Sprintf("must have a valid HTTP header name at [%d]", i)
		case strings.EqualFold(h.Name, signatureHeader):
			return fmt.Sprintf("must not have the name %q, which carries the signature", h.Name)
		case !isHeaderText(h.Value):
			return fmt.Sprintf("must have printable ASCII on one line as the value of %q", h.Name)
		}
	}
	return ""
}

// concealing returns an endpoint whose errors have the values of the headers removed, in case a
// response repeats them.
func (a webhookAttributes) concealing(e endpoint) endpoint {
	for _, h := range a.Headers.Or(nil) {
		e = e.concealing(NewSecret(h.Value))
	}
	return e
}
