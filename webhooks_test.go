package terminal49

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	webhookID      = "77777777-7777-4777-8777-777777777771"
	notificationID = "77777777-7777-4777-8777-777777777772"
	endpointURL    = "https://example.com/t49?tenant=7"

	headerValue   = "sesame-open-up"
	webhookSecret = "5ecre7-of-the-webhook"
)

func webhookCalls() []call {
	const (
		oneWebhook  = `{"data":{"id":"` + webhookID + `","type":"webhook"}}`
		someWebhook = `{"data":[{"id":"` + webhookID + `","type":"webhook"}]}`
		paging      = "page[number]=2&page[size]=10"
	)
	params := func() *WebhookListParams { return &WebhookListParams{PageParams{PageNumber: 2, PageSize: 10}} }
	update := func(u WebhookUpdate) func(context.Context, *Client) error {
		return func(ctx context.Context, c *Client) error { return first(c.Webhooks.Update(ctx, webhookID, u)) }
	}
	updateBody := func(attributes string) string {
		return `{"data":{"type":"webhook","id":"` + webhookID + `","attributes":{` + attributes + `}}}`
	}
	headers := []WebhookHeader{{Name: "X-Api-Key", Value: NewSecret(headerValue)}, {Name: "x-empty"}}
	const headersBody = `"headers":[{"name":"X-Api-Key","value":"` + headerValue + `"},{"name":"x-empty","value":""}]`
	return []call{
		{
			op: "webhooks.list", method: "GET", path: "/webhooks", query: paging, reply: someWebhook,
			do: func(ctx context.Context, c *Client) error { return first(c.Webhooks.List(ctx, params())) },
		},
		{
			op: "webhooks.list", method: "GET", path: "/webhooks", query: paging, reply: someWebhook,
			do: func(ctx context.Context, c *Client) error { return first(drain(c.Webhooks.Pages(ctx, params()))) },
		},
		{
			op: "webhooks.list", method: "GET", path: "/webhooks", query: "page[size]=100", reply: someWebhook,
			do: func(ctx context.Context, c *Client) error { return first(drain(c.Webhooks.All(ctx, nil))) },
		},
		{
			op: "webhooks.create", method: "POST", path: "/webhooks", reply: oneWebhook,
			body: `{"data":{"type":"webhook","attributes":{"url":"` + endpointURL + `","events":["container.updated","tracking_request.failed"],` +
				`"active":true,` + headersBody + `}}}`,
			do: func(ctx context.Context, c *Client) error {
				return first(c.Webhooks.Create(ctx, WebhookCreate{
					URL: endpointURL, Events: []EventName{EventContainerUpdated, EventTrackingRequestFailed}, Headers: headers,
				}))
			},
		},
		{
			op: "webhooks.create", method: "POST", path: "/webhooks", reply: oneWebhook,
			body: `{"data":{"type":"webhook","attributes":{"url":"` + endpointURL + `","events":["container.created"],"active":false}}}`,
			do: func(ctx context.Context, c *Client) error {
				return first(c.Webhooks.Create(ctx, WebhookCreate{
					URL: endpointURL, Events: []EventName{EventContainerCreated}, Inactive: true,
				}))
			},
		},
		{
			op: "webhooks.get", method: "GET", path: "/webhooks/" + webhookID, reply: oneWebhook,
			do: func(ctx context.Context, c *Client) error { return first(c.Webhooks.Get(ctx, webhookID)) },
		},
		{
			op: "webhooks.update", method: "PATCH", path: "/webhooks/" + webhookID, reply: oneWebhook,
			body: updateBody(`"url":"` + endpointURL + `","events":["container.created"],"active":false,` + headersBody),
			do: update(WebhookUpdate{
				URL: Some(endpointURL), Events: Some([]EventName{EventContainerCreated}), Active: Some(false), Headers: Some(headers),
			}),
		},
		{ // what is not mentioned stays out
			op: "webhooks.update", method: "PATCH", path: "/webhooks/" + webhookID, reply: oneWebhook,
			body: updateBody(`"active":true`), do: update(WebhookUpdate{Active: Some(true)}),
		},
		{
			op: "webhooks.update", method: "PATCH", path: "/webhooks/" + webhookID, reply: oneWebhook,
			body: updateBody(`"headers":[]`), do: update(WebhookUpdate{Headers: Some([]WebhookHeader{})}),
		},
		{
			op: "webhooks.delete", method: "DELETE", path: "/webhooks/" + webhookID,
			do: func(ctx context.Context, c *Client) error { return c.Webhooks.Delete(ctx, webhookID) },
		},
		{
			op: "webhooks.events", method: "GET", path: "/webhooks/events", reply: `{"data":[]}`,
			do: func(ctx context.Context, c *Client) error { return first(c.Webhooks.Events(ctx)) },
		},
		{
			op: "webhooks.ips", method: "GET", path: "/webhooks/ips", reply: `{}`,
			do: func(ctx context.Context, c *Client) error { return first(c.Webhooks.IPs(ctx)) },
		},
		{
			op: "webhooks.trigger", method: "POST", path: "/webhooks/trigger", reply: `{}`,
			body: `{"url":"` + endpointURL + `","event":"container.updated","secret":"` + webhookSecret + `"}`,
			do: func(ctx context.Context, c *Client) error {
				return first(c.Webhooks.Trigger(ctx, WebhookTrigger{
					URL: endpointURL, Event: EventContainerUpdated, Secret: NewSecret(webhookSecret),
				}))
			},
		},
		{
			op: "webhooks.trigger", method: "POST", path: "/webhooks/trigger", reply: `{}`,
			body: `{"url":"` + endpointURL + `","event":"container.created"}`,
			do: func(ctx context.Context, c *Client) error {
				return first(c.Webhooks.Trigger(ctx, WebhookTrigger{URL: endpointURL, Event: EventContainerCreated}))
			},
		},
	}
}

func TestWebhookRequests(t *testing.T) { testCalls(t, webhookCalls()) }

const fullWebhook = `{"data":{"id":"` + webhookID + `","type":"webhook","attributes":{"url":"http://example.com","active":true,
	"events":["container.updated","container.melted"],"secret":"` + webhookSecret + `",
	"headers":[{"name":"X-Api-Key","value":"` + headerValue + `"}],"created_at":"2020-06-05T19:06:13Z"}}}`

func TestWebhookIsRead(t *testing.T) {
	client := newClient(t, answer(http.StatusOK, fullWebhook), WithStrictDecoding())
	w, err := client.Webhooks.Get(t.Context(), webhookID)
	require.NoError(t, err)
	require.Equal(t, webhookID, w.ID)
	require.Equal(t, "http://example.com", w.URL) // only what is sent must be https
	require.True(t, w.Active)
	require.Equal(t, []EventName{EventContainerUpdated, "container.melted"}, w.Events)
	require.Equal(t, webhookSecret, w.Secret.Reveal())
	require.Len(t, w.Headers, 1)
	require.Equal(t, "X-Api-Key", w.Headers[0].Name)
	require.Equal(t, headerValue, w.Headers[0].Value.Reveal())
	require.Equal(t, "2020-06-05 19:06 UTC", w.CreatedAt.String())
}

func TestWebhookWithoutMembers(t *testing.T) {
	for name, attributes := range map[string]string{
		"missing": `{}`,
		"null":    `{"url":null,"active":null,"events":null,"secret":null,"headers":null,"created_at":null}`,
		"odd":     `{"url":{},"active":"yes","events":"all","secret":[],"headers":[null,7],"created_at":"soon"}`,
	} {
		t.Run(name, func(t *testing.T) {
			client := newClient(t, answer(http.StatusOK, `{"data":{"id":"`+webhookID+`","type":"webhook","attributes":`+attributes+`}}`))
			w, err := client.Webhooks.Get(t.Context(), webhookID)
			require.NoError(t, err)
			require.Equal(t, webhookID, w.ID)
			require.Empty(t, w.URL)
			require.False(t, w.Active)
			require.Empty(t, w.Events)
			require.True(t, w.Secret.IsZero())
			for _, h := range w.Headers { // what is no header object stands there as one of which nothing is known
				require.Empty(t, h.Name)
				require.True(t, h.Value.IsZero())
			}
			require.True(t, w.CreatedAt.IsZero())
		})
	}
}

// However a webhook or what goes into one is printed, its secrets do not show.
func TestWebhookSecretsAreNotPrinted(t *testing.T) {
	w, err := newClient(t, answer(http.StatusOK, fullWebhook), WithRawJSON()).Webhooks.Get(t.Context(), webhookID)
	require.NoError(t, err)
	require.Contains(t, string(w.Raw()), webhookSecret) // asked for in so many words
	type wrapped struct{ w Webhook }                    // fmt calls no methods behind an unexported field
	headers := []WebhookHeader{{Name: "X-Api-Key", Value: NewSecret(headerValue)}}
	for _, v := range []any{
		w, *w, wrapped{*w}, []*Webhook{w}, map[string]Webhook{"w": *w}, w.Secret, &w.Secret, w.Headers,
		WebhookCreate{Headers: headers}, WebhookUpdate{Headers: Some(headers)}, struct{ u WebhookUpdate }{WebhookUpdate{Headers: Some(headers)}},
		WebhookTrigger{Secret: w.Secret},
	} {
		var printed bytes.Buffer
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			fmt.Fprintf(&printed, verb+"\n", v)
		}
		raw, err := json.Marshal(v)
		require.NoError(t, err)
		printed.Write(raw)
		slog.New(slog.NewTextHandler(&printed, nil)).Info("text", "value", v)
		slog.New(slog.NewJSONHandler(&printed, nil)).Info("json", "value", v)
		for _, secret := range []string{webhookSecret, headerValue, fmt.Sprintf("%x", webhookSecret), fmt.Sprintf("%x", headerValue)} {
			require.NotContains(t, printed.String(), secret, "%T", v)
		}
	}
}

// An answer that repeats what was sent brings no secret into an error.
func TestWebhookErrorsHideSecrets(t *testing.T) {
	echo := `{"errors":[{"status":"422","title":"Invalid","detail":"headers: ` + headerValue + `; secret: ` + webhookSecret + `"}]}`
	client := newClient(t, answer(http.StatusUnprocessableEntity, echo))
	headers := []WebhookHeader{{Name: "X", Value: NewSecret(headerValue)}, {Name: "Y", Value: NewSecret(webhookSecret)}}
	create := WebhookCreate{URL: endpointURL, Events: []EventName{EventContainerUpdated}, Headers: headers}
	_, err := client.Webhooks.Create(t.Context(), create)
	require.ErrorIs(t, err, ErrInvalid)
	require.NotContains(t, err.Error(), headerValue)
	require.NotContains(t, err.Error(), webhookSecret)
	_, err = client.Webhooks.Update(t.Context(), webhookID, WebhookUpdate{Headers: Some(headers)})
	require.ErrorIs(t, err, ErrInvalid)
	require.NotContains(t, fmt.Sprintf("%+v", err), headerValue)
	trigger := WebhookTrigger{URL: endpointURL, Event: EventContainerUpdated, Secret: NewSecret(webhookSecret)}
	_, err = client.Webhooks.Trigger(t.Context(), trigger)
	require.ErrorIs(t, err, ErrInvalid)
	require.NotContains(t, err.Error(), webhookSecret)
}

func TestWebhookArguments(t *testing.T) {
	ok := []EventName{EventContainerUpdated}
	create := func(w WebhookCreate) func(context.Context, *Client) error {
		return func(ctx context.Context, c *Client) error { return first(c.Webhooks.Create(ctx, w)) }
	}
	update := func(u WebhookUpdate) func(context.Context, *Client) error {
		return func(ctx context.Context, c *Client) error { return first(c.Webhooks.Update(ctx, webhookID, u)) }
	}
	trigger := func(w WebhookTrigger) func(context.Context, *Client) error {
		return func(ctx context.Context, c *Client) error { return first(c.Webhooks.Trigger(ctx, w)) }
	}
	header := func(name, value string) []WebhookHeader {
		return []WebhookHeader{{Name: name, Value: NewSecret(value)}}
	}
	cases := []struct {
		name, field, problem string
		do                   func(context.Context, *Client) error
	}{
		{"http", "URL", "https", create(WebhookCreate{URL: "http://example.com", Events: ok})},
		{"no URL", "URL", "https", create(WebhookCreate{Events: ok})},
		{"no host", "URL", "https", create(WebhookCreate{URL: "https:///t49", Events: ok})},
		{"port only", "URL", "https", create(WebhookCreate{URL: "https://:443", Events: ok})},
		{"broken URL", "URL", "https", create(WebhookCreate{URL: "https://exa mple.com", Events: ok})},
		{"no events", "Events", "at least one", create(WebhookCreate{URL: endpointURL})},
		{"empty event", "Events", "empty", create(WebhookCreate{URL: endpointURL, Events: []EventName{""}})},
		{"twice", "Events", `"container.updated" twice`, create(WebhookCreate{URL: endpointURL, Events: append(ok, ok...)})},
		{"header without a name", "Headers", "[0] a Name", create(WebhookCreate{URL: endpointURL, Events: ok, Headers: header("", "value")})},
		{"header name", "Headers", "[0] a Name", create(WebhookCreate{URL: endpointURL, Events: ok, Headers: header("X:Y", "value")})},
		{"all in the name", "Headers", "[0] a Name", create(WebhookCreate{URL: endpointURL, Events: ok, Headers: header("X-Key: "+headerValue, "")})},
		{"header value", "Headers", `"X"`, create(WebhookCreate{URL: endpointURL, Events: ok, Headers: header("X", headerValue+"\r\nA: b")})},
		{"nothing", "webhook", "at least one field", update(WebhookUpdate{})},
		{"new URL", "URL", "https", update(WebhookUpdate{URL: Some("http://example.com")})},
		{"null URL", "URL", "delete the webhook", update(WebhookUpdate{URL: Null[string]()})},
		{"null events", "Events", "Active", update(WebhookUpdate{Events: Null[[]EventName]()})},
		{"no events left", "Events", "at least one", update(WebhookUpdate{Events: Some([]EventName{})})},
		{"null active", "Active", "true or false", update(WebhookUpdate{Active: Null[bool]()})},
		{"null headers", "Headers", "empty list", update(WebhookUpdate{Headers: Null[[]WebhookHeader]()})},
		{"new header", "Headers", "[0] a Name", update(WebhookUpdate{Headers: Some(header("A B", "c"))})},
		{"trigger http", "URL", "https", trigger(WebhookTrigger{URL: "http://example.com", Event: EventContainerUpdated})},
		{"trigger nothing", "Event", "must name", trigger(WebhookTrigger{URL: endpointURL})},
		{"id", "id", "UUID", func(ctx context.Context, c *Client) error { return first(c.Webhooks.Get(ctx, "7")) }},
		{"id to delete", "id", "UUID", func(ctx context.Context, c *Client) error { return c.Webhooks.Delete(ctx, "") }},
		{"id to change", "id", "UUID", func(ctx context.Context, c *Client) error {
			return first(c.Webhooks.Update(ctx, "../webhooks", WebhookUpdate{Active: Some(true)}))
		}},
		{"page size", "PageSize", "1 to 100", func(ctx context.Context, c *Client) error {
			return first(c.Webhooks.List(ctx, &WebhookListParams{PageParams{PageSize: 101}}))
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			api := newFakeAPI()
			err := c.do(t.Context(), newClient(t, api))
			var argument *ArgumentError
			require.ErrorAs(t, err, &argument)
			require.Equal(t, c.field, argument.Field)
			require.Contains(t, argument.Problem, c.problem)
			require.NotContains(t, err.Error(), headerValue)
			require.NotEmpty(t, argument.Op)
			require.Empty(t, api.requests())
		})
	}
}

func TestWebhookEventCategories(t *testing.T) {
	const reply = `{"data":[{"id":"tracking-request-events","type":"webhook_event_category","attributes":{
		"name":"Tracking Request Events","events":[{"name":"tracking_request.succeeded","description":"Shipment created."},
		{"name":"tracking_request.melted","description":null}]}}],"links":{"next":"https://api.example.test/v2/webhooks/events?page[number]=2"}}`
	api := newFakeAPI()
	api.on("GET", "/webhooks/events", 200, reply)
	categories, err := newClient(t, api, WithStrictDecoding()).Webhooks.Events(t.Context())
	require.NoError(t, err)
	require.Len(t, api.requests(), 1, "the list comes whole")
	require.Len(t, categories, 1)
	require.Equal(t, "tracking-request-events", categories[0].ID)
	require.Equal(t, "Tracking Request Events", categories[0].Name)
	require.Equal(t, []WebhookEvent{
		{EventTrackingRequestSucceeded, "Shipment created."}, {"tracking_request.melted", ""},
	}, categories[0].Events)
}

func TestWebhookIPs(t *testing.T) {
	const reply = `{"webhook_notification_ips":["35.222.62.171","2001:db8::1"],"last_updated":"2023-10-17T21:23:16Z"}`
	ips, err := newClient(t, answer(http.StatusOK, reply)).Webhooks.IPs(t.Context())
	require.NoError(t, err)
	require.Equal(t, []netip.Addr{netip.MustParseAddr("35.222.62.171"), netip.MustParseAddr("2001:db8::1")}, ips.Addresses)
	at, ok := ips.LastUpdated.Instant()
	require.True(t, ok)
	require.True(t, at.Equal(time.Date(2023, 10, 17, 21, 23, 16, 0, time.UTC)))
	for addr, want := range map[string]bool{
		"35.222.62.171": true, "::ffff:35.222.62.171": true, "2001:db8::1": true, "2001:db8::2": false, "35.222.62.172": false,
	} {
		require.Equal(t, want, ips.Contains(netip.MustParseAddr(addr)), addr)
	}
	require.False(t, WebhookIPs{}.Contains(netip.Addr{}))

	var unread *DecodeError
	_, err = newClient(t, answer(http.StatusOK, `{"webhook_notification_ips":["somewhere"]}`)).Webhooks.IPs(t.Context())
	require.ErrorAs(t, err, &unread, "an address that is lost would lock the service out")
}

func TestTriggerResult(t *testing.T) {
	for _, c := range []struct {
		name, reply string
		want        WebhookTriggerResult
	}{
		{"delivered", `{"url":"https://a.example","succeeded":true,"error":null,"status_code":200,
			"request_headers":{"Content-Type":"application/json","X-T49-Webhook-Signature":"abc123"},"request_body":"{}",
			"response_headers":{"content-type":"text/plain","set-cookie":["a=1","b=2"],"age":7,"etag":null},"response_body":"ok"}`,
			WebhookTriggerResult{
				URL: "https://a.example", Succeeded: true, StatusCode: Some(200), RequestBody: "{}", ResponseBody: "ok",
				RequestHeaders:  http.Header{"Content-Type": {"application/json"}, "X-T49-Webhook-Signature": {"abc123"}},
				ResponseHeaders: http.Header{"Content-Type": {"text/plain"}, "Set-Cookie": {"a=1", "b=2"}, "Age": {"7"}},
			}},
		{"failed", `{"url":"https://a.example","succeeded":false,"error":"timeout","status_code":null,"request_headers":{},
			"request_body":"{}","response_headers":null,"response_body":null,"new":1}`,
			WebhookTriggerResult{
				URL: "https://a.example", Error: "timeout", StatusCode: Null[int](), RequestBody: "{}", RequestHeaders: http.Header{},
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			trigger := WebhookTrigger{URL: "https://a.example", Event: EventContainerUpdated}
			got, err := newClient(t, answer(http.StatusOK, c.reply)).Webhooks.Trigger(t.Context(), trigger)
			require.NoError(t, err, "a delivery that failed is no error of the call")
			require.Equal(t, c.want, got)
		})
	}
}

// A webhook must not be made twice, nor a sample sent twice, because an answer was lost.
func TestWebhookWritesAreNotRepeated(t *testing.T) {
	sent := 0
	lost := roundTripper(func(*http.Request) (*http.Response, error) { sent++; return nil, errors.New("connection reset") })
	client := newClient(t, lost, WithRetry(RetryPolicy{MaxAttempts: 3, MinBackoff: time.Nanosecond, MaxBackoff: time.Nanosecond}))
	_, err := client.Webhooks.Create(t.Context(), WebhookCreate{URL: endpointURL, Events: []EventName{EventContainerUpdated}})
	require.True(t, IsOutcomeUnknown(err))
	_, err = client.Webhooks.Trigger(t.Context(), WebhookTrigger{URL: endpointURL, Event: EventContainerUpdated})
	require.True(t, IsOutcomeUnknown(err))
	require.Equal(t, 2, sent)
}
