package terminal49_test

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

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/stretchr/testify/require"
)

func TestWebhooks_Requests(t *testing.T) { testkit.TestCalls(t, testkit.CallsOf("webhooks")) }

const fullWebhook = `{"data":{"id":"` + testkit.WebhookID +
	`","type":"webhook","attributes":{"url":"http://example.com","active":true,
	"events":["container.updated","container.melted"],"secret":"` + testkit.WebhookSecret + `",
	"headers":[{"name":"X-Api-Key","value":"` + testkit.HeaderValue + `"}],"created_at":"2020-06-05T19:06:13Z"}}}`

func TestWebhooks_ReadEveryMember(t *testing.T) {
	client := testkit.NewClient(t, testkit.Answer(http.StatusOK, fullWebhook), terminal49.WithStrictDecoding())
	w, err := client.Webhooks.Get(t.Context(), testkit.WebhookID)
	require.NoError(t, err)
	require.Equal(t, testkit.WebhookID, w.ID)
	require.Equal(t, "http://example.com", w.URL) // only requests require https
	require.True(t, w.Active)
	require.Equal(t, []terminal49.EventName{terminal49.EventContainerUpdated, "container.melted"}, w.Events)
	require.Equal(t, testkit.WebhookSecret, w.Secret.Reveal())
	require.Len(t, w.Headers, 1)
	require.Equal(t, "X-Api-Key", w.Headers[0].Name)
	require.Equal(t, testkit.HeaderValue, w.Headers[0].Value.Reveal())
	require.Equal(t, "2020-06-05 19:06 UTC", w.CreatedAt.String())
}

func TestWebhooks_ReadMissingMembers(t *testing.T) {
	for name, attributes := range map[string]string{
		"missing": `{}`,
		"null":    `{"url":null,"active":null,"events":null,"secret":null,"headers":null,"created_at":null}`,
		"odd":     `{"url":{},"active":"yes","events":"all","secret":[],"headers":[null,7],"created_at":"soon"}`,
	} {
		t.Run(name, func(t *testing.T) {
			client := testkit.NewClient(t,
				testkit.Answer(http.StatusOK,
					`{"data":{"id":"`+testkit.WebhookID+`","type":"webhook","attributes":`+attributes+`}}`))
			w, err := client.Webhooks.Get(t.Context(), testkit.WebhookID)
			require.NoError(t, err)
			require.Equal(t, testkit.WebhookID, w.ID)
			require.Empty(t, w.URL)
			require.False(t, w.Active)
			require.Empty(t, w.Events)
			require.True(t, w.Secret.IsZero())
			for _, h := range w.Headers { // a malformed header is read as an empty one
				require.Empty(t, h.Name)
				require.True(t, h.Value.IsZero())
			}
			require.True(t, w.CreatedAt.IsZero())
		})
	}
}

// No way of printing a webhook or its arguments shows the secrets.
func TestWebhooks_PrintNoSecret(t *testing.T) {
	w, err := testkit.NewClient(t, testkit.Answer(http.StatusOK, fullWebhook),
		terminal49.WithRawJSON()).Webhooks.Get(t.Context(), testkit.WebhookID)
	require.NoError(t, err)
	require.Contains(t, string(w.Raw()), testkit.WebhookSecret) // explicitly requested
	type wrapped struct{ w terminal49.Webhook }                 // fmt calls no methods behind an unexported field
	headers := []terminal49.WebhookHeader{{Name: "X-Api-Key", Value: terminal49.NewSecret(testkit.HeaderValue)}}
	for _, v := range []any{
		w, *w, wrapped{*w}, []*terminal49.Webhook{w}, map[string]terminal49.Webhook{"w": *w}, w.Secret, &w.Secret, w.Headers,
		terminal49.WebhookCreate{Headers: headers}, terminal49.WebhookUpdate{Headers: terminal49.Some(headers)},
		struct{ u terminal49.WebhookUpdate }{terminal49.WebhookUpdate{Headers: terminal49.Some(headers)}},
		terminal49.WebhookTrigger{Secret: w.Secret},
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
		for _, secret := range []string{testkit.WebhookSecret, testkit.HeaderValue,
			fmt.Sprintf("%x", testkit.WebhookSecret), fmt.Sprintf("%x", testkit.HeaderValue)} {
			require.NotContains(t, printed.String(), secret, "%T", v)
		}
	}
}

// A response that repeats the request does not add a secret to an error.
func TestWebhooks_ErrorsHideSecrets(t *testing.T) {
	echo := `{"errors":[{"status":"422","title":"Invalid","detail":"headers: ` + testkit.HeaderValue + `; secret: ` +
		testkit.WebhookSecret + `"}]}`
	client := testkit.NewClient(t, testkit.Answer(http.StatusUnprocessableEntity, echo))
	headers := []terminal49.WebhookHeader{{Name: "X", Value: terminal49.NewSecret(testkit.HeaderValue)},
		{Name: "Y", Value: terminal49.NewSecret(testkit.WebhookSecret)}}
	create := terminal49.WebhookCreate{URL: testkit.EndpointURL,
		Events: []terminal49.EventName{terminal49.EventContainerUpdated}, Headers: headers}
	_, err := client.Webhooks.Create(t.Context(), create)
	require.ErrorIs(t, err, terminal49.ErrInvalid)
	require.NotContains(t, err.Error(), testkit.HeaderValue)
	require.NotContains(t, err.Error(), testkit.WebhookSecret)
	_, err = client.Webhooks.Update(t.Context(), testkit.WebhookID,
		terminal49.WebhookUpdate{Headers: terminal49.Some(headers)})
	require.ErrorIs(t, err, terminal49.ErrInvalid)
	require.NotContains(t, fmt.Sprintf("%+v", err), testkit.HeaderValue)
	trigger := terminal49.WebhookTrigger{URL: testkit.EndpointURL, Event: terminal49.EventContainerUpdated,
		Secret: terminal49.NewSecret(testkit.WebhookSecret)}
	_, err = client.Webhooks.Trigger(t.Context(), trigger)
	require.ErrorIs(t, err, terminal49.ErrInvalid)
	require.NotContains(t, err.Error(), testkit.WebhookSecret)
}

func TestWebhooks_RefuseInvalidArguments(t *testing.T) {
	ok := []terminal49.EventName{terminal49.EventContainerUpdated}
	create := func(w terminal49.WebhookCreate) func(context.Context, *terminal49.Client) error {
		return func(ctx context.Context, c *terminal49.Client) error { return testkit.First(c.Webhooks.Create(ctx, w)) }
	}
	update := func(u terminal49.WebhookUpdate) func(context.Context, *terminal49.Client) error {
		return func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.Webhooks.Update(ctx, testkit.WebhookID, u))
		}
	}
	trigger := func(w terminal49.WebhookTrigger) func(context.Context, *terminal49.Client) error {
		return func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.Webhooks.Trigger(ctx, w))
		}
	}
	header := func(name, value string) []terminal49.WebhookHeader {
		return []terminal49.WebhookHeader{{Name: name, Value: terminal49.NewSecret(value)}}
	}
	cases := []struct {
		name, field, problem string
		do                   func(context.Context, *terminal49.Client) error
	}{
		{"http", "URL", "https", create(terminal49.WebhookCreate{URL: "http://example.com", Events: ok})},
		{"no URL", "URL", "https", create(terminal49.WebhookCreate{Events: ok})},
		{"no host", "URL", "https", create(terminal49.WebhookCreate{URL: "https:///t49", Events: ok})},
		{"port only", "URL", "https", create(terminal49.WebhookCreate{URL: "https://:443", Events: ok})},
		{"broken URL", "URL", "https", create(terminal49.WebhookCreate{URL: "https://exa mple.com", Events: ok})},
		{"no events", "Events", "at least one", create(terminal49.WebhookCreate{URL: testkit.EndpointURL})},
		{"empty event", "Events", "empty",
			create(terminal49.WebhookCreate{URL: testkit.EndpointURL, Events: []terminal49.EventName{""}})},
		{"twice", "Events", `"container.updated" twice`,
			create(terminal49.WebhookCreate{URL: testkit.EndpointURL, Events: append(ok, ok...)})},
		{"header without a name", "Headers", "header name at [0]",
			create(terminal49.WebhookCreate{URL: testkit.EndpointURL, Events: ok, Headers: header("", "value")})},
		{"header name", "Headers", "header name at [0]",
			create(terminal49.WebhookCreate{URL: testkit.EndpointURL, Events: ok, Headers: header("X:Y", "value")})},
		{"all in the name", "Headers", "header name at [0]",
			create(terminal49.WebhookCreate{URL: testkit.EndpointURL, Events: ok,
				Headers: header("X-Key: "+testkit.HeaderValue, "")})},
		{"header value", "Headers", `"X"`,
			create(terminal49.WebhookCreate{URL: testkit.EndpointURL, Events: ok,
				Headers: header("X", testkit.HeaderValue+"\r\nA: b")})},
		{"nothing", "webhook", "at least one field", update(terminal49.WebhookUpdate{})},
		{"new URL", "URL", "https", update(terminal49.WebhookUpdate{URL: terminal49.Some("http://example.com")})},
		{"null URL", "URL", "delete the webhook", update(terminal49.WebhookUpdate{URL: terminal49.Null[string]()})},
		{"null events", "Events", "Active",
			update(terminal49.WebhookUpdate{Events: terminal49.Null[[]terminal49.EventName]()})},
		{"no events left", "Events", "at least one",
			update(terminal49.WebhookUpdate{Events: terminal49.Some([]terminal49.EventName{})})},
		{"null active", "Active", "true or false", update(terminal49.WebhookUpdate{Active: terminal49.Null[bool]()})},
		{"null headers", "Headers", "empty list",
			update(terminal49.WebhookUpdate{Headers: terminal49.Null[[]terminal49.WebhookHeader]()})},
		{"new header", "Headers", "header name at [0]",
			update(terminal49.WebhookUpdate{Headers: terminal49.Some(header("A B", "c"))})},
		{"trigger http", "URL", "https",
			trigger(terminal49.WebhookTrigger{URL: "http://example.com", Event: terminal49.EventContainerUpdated})},
		{"trigger nothing", "Event", "must be an event", trigger(terminal49.WebhookTrigger{URL: testkit.EndpointURL})},
		{"id", "id", "UUID", func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.Webhooks.Get(ctx, "7"))
		}},
		{"id to delete", "id", "UUID",
			func(ctx context.Context, c *terminal49.Client) error { return c.Webhooks.Delete(ctx, "") }},
		{"id to change", "id", "UUID", func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.Webhooks.Update(ctx, "../webhooks",
				terminal49.WebhookUpdate{Active: terminal49.Some(true)}))
		}},
		{"page size", "PageSize", "1 to 100", func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.Webhooks.List(ctx, &terminal49.WebhookListParams{terminal49.PageParams{PageSize: 101}}))
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			api := testkit.NewFakeAPI()
			err := c.do(t.Context(), testkit.NewClient(t, api))
			var argument *terminal49.ArgumentError
			require.ErrorAs(t, err, &argument)
			require.Equal(t, c.field, argument.Field)
			require.Contains(t, argument.Problem, c.problem)
			require.NotContains(t, err.Error(), testkit.HeaderValue)
			require.NotEmpty(t, argument.Op)
			require.Empty(t, api.Requests())
		})
	}
}

func TestWebhooks_EventCategories(t *testing.T) {
	const reply = `{"data":[{"id":"tracking-request-events","type":"webhook_event_category","attributes":{
		"name":"Tracking Request Events","events":[{"name":"tracking_request.succeeded","description":"Shipment created."},
		{"name":"tracking_request.melted","description":null}]}}],"links":{"next":"https://api.example.test/v2/webhooks/events?page[number]=2"}}`
	api := testkit.NewFakeAPI()
	api.On("GET", "/webhooks/events", 200, reply)
	categories, err := testkit.NewClient(t, api, terminal49.WithStrictDecoding()).Webhooks.Events(t.Context())
	require.NoError(t, err)
	require.Len(t, api.Requests(), 1, "the list has one page")
	require.Len(t, categories, 1)
	require.Equal(t, "tracking-request-events", categories[0].ID)
	require.Equal(t, "Tracking Request Events", categories[0].Name)
	require.Equal(t, []terminal49.WebhookEvent{
		{terminal49.EventTrackingRequestSucceeded, "Shipment created."}, {"tracking_request.melted", ""},
	}, categories[0].Events)
}

func TestWebhooks_IPs(t *testing.T) {
	const reply = `{"webhook_notification_ips":["35.222.62.171","2001:db8::1"],"last_updated":"2023-10-17T21:23:16Z"}`
	ips, err := testkit.NewClient(t, testkit.Answer(http.StatusOK, reply)).Webhooks.IPs(t.Context())
	require.NoError(t, err)
	require.Equal(t, []netip.Addr{netip.MustParseAddr("35.222.62.171"), netip.MustParseAddr("2001:db8::1")}, ips.Addresses)
	at, ok := ips.LastUpdated.Instant()
	require.True(t, ok)
	require.True(t, at.Equal(time.Date(2023, 10, 17, 21, 23, 16, 0, time.UTC)))
	for addr, want := range map[string]bool{
		"35.222.62.171": true, "::ffff:35.222.62.171": true, "2001:db8::1": true, "2001:db8::2": false,
		"35.222.62.172": false,
	} {
		require.Equal(t, want, ips.Contains(netip.MustParseAddr(addr)), addr)
	}
	require.False(t, terminal49.WebhookIPs{}.Contains(netip.Addr{}))

	var unread *terminal49.DecodeError
	_, err = testkit.NewClient(t, testkit.Answer(http.StatusOK, `{"webhook_notification_ips":["somewhere"]}`)).Webhooks.IPs(t.Context())
	require.ErrorAs(t, err, &unread, "a missing address would block deliveries")
}

func TestWebhooks_TriggerResult(t *testing.T) {
	for _, c := range []struct {
		name, reply string
		want        terminal49.WebhookTriggerResult
	}{
		{"delivered", `{"url":"https://a.example","succeeded":true,"error":null,"status_code":200,
			"request_headers":{"Content-Type":"application/json","X-T49-Webhook-Signature":"abc123"},"request_body":"{}",
			"response_headers":{"content-type":"text/plain","set-cookie":["a=1","b=2"],"age":7,"etag":null},"response_body":"ok"}`,
			terminal49.WebhookTriggerResult{
				URL: "https://a.example", Succeeded: true, StatusCode: terminal49.Some(200), RequestBody: "{}",
				ResponseBody:    "ok",
				RequestHeaders:  http.Header{"Content-Type": {"application/json"}, "X-T49-Webhook-Signature": {"abc123"}},
				ResponseHeaders: http.Header{"Content-Type": {"text/plain"}, "Set-Cookie": {"a=1", "b=2"}, "Age": {"7"}},
			}},
		{"failed", `{"url":"https://a.example","succeeded":false,"error":"timeout","status_code":null,"request_headers":{},
			"request_body":"{}","response_headers":null,"response_body":null,"new":1}`,
			terminal49.WebhookTriggerResult{
				URL: "https://a.example", Error: "timeout", StatusCode: terminal49.Null[int](), RequestBody: "{}",
				RequestHeaders: http.Header{},
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			trigger := terminal49.WebhookTrigger{URL: "https://a.example", Event: terminal49.EventContainerUpdated}
			got, err := testkit.NewClient(t, testkit.Answer(http.StatusOK, c.reply)).Webhooks.Trigger(t.Context(), trigger)
			require.NoError(t, err, "a failed delivery is not an error")
			require.Equal(t, c.want, got)
		})
	}
}

// A lost response must not create a second webhook or deliver a second sample.
func TestWebhooks_WritesAreNotRetried(t *testing.T) {
	sent := 0
	lost := testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
		sent++
		return nil, errors.New("connection reset")
	})
	client := testkit.NewClient(t, lost,
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{MaxAttempts: 3, MinBackoff: time.Nanosecond,
			MaxBackoff: time.Nanosecond}))
	_, err := client.Webhooks.Create(t.Context(),
		terminal49.WebhookCreate{URL: testkit.EndpointURL, Events: []terminal49.EventName{terminal49.EventContainerUpdated}})
	require.True(t, terminal49.IsOutcomeUnknown(err))
	_, err = client.Webhooks.Trigger(t.Context(),
		terminal49.WebhookTrigger{URL: testkit.EndpointURL, Event: terminal49.EventContainerUpdated})
	require.True(t, terminal49.IsOutcomeUnknown(err))
	require.Equal(t, 2, sent)
}

func TestWebhooks_IPsWithOddEntries(t *testing.T) {
	const reply = `{"webhook_notification_ips":["192.0.2.1","somewhere",7,null,"198.51.100.9/24","0.0.0.0/0"],"last_updated":"soon"}`
	ips, err := testkit.NewClient(t, testkit.Answer(200, reply)).Webhooks.IPs(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"somewhere", "7", "null", "0.0.0.0/0"}, ips.Unreadable)
	for addr, want := range map[string]bool{"192.0.2.1": true, "198.51.100.200": true, "::ffff:198.51.100.1": true,
		"198.51.101.1": false} {
		require.Equal(t, want, ips.Contains(netip.MustParseAddr(addr)), addr)
	}
}

func TestWebhookNotifications_Requests(t *testing.T) {
	testkit.TestCalls(t, testkit.CallsOf("notifications"))
}

// notification returns a document with a notification about a resource of the given type and the
// included resources.
func notification(typ, included string) string {
	return `{"data":{"id":"` + testkit.NotificationID + `","type":"webhook_notification","attributes":{"id":"` +
		testkit.NotificationID + `",
		"event":"container.updated","delivery_status":"succeeded","created_at":"2020-06-04T22:03:09Z"},"relationships":{
		"reference_object":{"data":{"id":"o1","type":"` + typ + `"}},"webhook":{"data":{"id":"` + testkit.WebhookID +
		`","type":"webhook"}},
		"webhook_notification_logs":{"data":[{"id":"l1","type":"webhook_notification_log"}]}}}` + included + `}`
}

func notified(t *testing.T, reply string, opts ...terminal49.Option) *terminal49.WebhookNotification {
	t.Helper()
	n, err := testkit.NewClient(t, testkit.Answer(http.StatusOK, reply),
		opts...).WebhookNotifications.Get(t.Context(), testkit.NotificationID, nil)
	require.NoError(t, err)
	return n
}

// about reads a notification whose reference object is the given one.
func about[T terminal49.ReferenceObject](t *testing.T, typ, members string) T {
	t.Helper()
	n := notified(t, notification(typ, `,"included":[{"id":"o1","type":"`+typ+`",`+members+`}]`),
		terminal49.WithStrictDecoding())
	value, ok := n.ReferenceObject.Value()
	require.True(t, ok)
	require.IsType(t, *new(T), value)
	return value.(T)
}

func TestWebhookNotifications_ReadEveryMember(t *testing.T) {
	n := notified(t, notification("transport_event", ""), terminal49.WithStrictDecoding())
	require.Equal(t, testkit.NotificationID, n.ID)
	require.Equal(t, terminal49.EventContainerUpdated, n.Event)
	require.Equal(t, terminal49.DeliverySucceeded, n.DeliveryStatus)
	require.Equal(t, "2020-06-04 22:03 UTC", n.CreatedAt.String())
	require.Equal(t, testkit.WebhookID, n.Webhook.ID())
	require.Equal(t, []string{"l1"}, n.Logs.IDs())
	require.Equal(t, terminal49.RelationshipLinked, n.ReferenceObject.State())
	require.Equal(t, "transport_event", n.ReferenceObject.Type())
	_, ok := n.ReferenceObject.Value()
	require.False(t, ok, "it was not included")
	require.Equal(t, terminal49.RelationshipAbsent, n.Document.State())
}

func TestWebhookNotifications_ReferenceObjects(t *testing.T) {
	const container = `"container":{"data":{"id":"c1","type":"container"}}`
	const shipment = `"shipment":{"data":{"id":"s1","type":"shipment"}}`
	const terminal = `"terminal":{"data":{"id":"t1","type":"terminal"}}`

	request := about[*terminal49.TrackingRequest](t, "tracking_request", `"attributes":{"status":"failed"}`)
	require.Equal(t, terminal49.TrackingFailed, request.Status)
	milestone := about[*terminal49.TransportEvent](t, "transport_event",
		`"attributes":{"event":"container.pickup_lfd.changed","value":"2024-07-04"}`)
	require.Equal(t, terminal49.EventPickupLFDChanged, milestone.Event)

	estimate := about[*terminal49.EstimatedEvent](t, "estimated_event",
		`"attributes":{"created_at":"2020-04-06T19:02:46-07:00",
		"estimated_timestamp":"2020-04-10T02:02:46Z","voyage_number":"A1C","event":"shipment.estimated.arrival",
		"location_locode":"USOAK","timezone":"America/Los_Angeles","data_source":"terminal"},"relationships":{`+shipment+`,
		"port":{"data":{"id":"p1","type":"port"}},"vessel":{"data":null}}`)
	require.Equal(t, terminal49.EventShipmentEstimatedArrival, estimate.Event)
	at, err := estimate.EstimatedTimestamp.Local()
	require.NoError(t, err)
	require.Equal(t, "2020-04-09T19:02:46-07:00", at.Format("2006-01-02T15:04:05Z07:00"))
	require.Equal(t, "USOAK", estimate.LocationLOCODE)
	require.Equal(t, "A1C", estimate.VoyageNumber)
	require.Equal(t, terminal49.DataSourceTerminal, estimate.DataSource)
	require.False(t, estimate.CreatedAt.IsZero())
	require.Equal(t, "s1", estimate.Shipment.ID())
	require.Equal(t, "p1", estimate.Port.ID())
	require.Equal(t, terminal49.RelationshipNull, estimate.Vessel.State())

	created := about[*terminal49.ContainerCreatedEvent](t, "container_created_event",
		`"attributes":{"timestamp":"2020-06-04T22:03:09Z",
		"timezone":"Etc/UTC"},"relationships":{`+container+`,`+shipment+`}`)
	require.Equal(t, "Etc/UTC", created.Timezone)
	require.Equal(t, "Etc/UTC", created.Timestamp.Zone())
	require.Equal(t, "c1", created.Container.ID())
	require.Equal(t, "s1", created.Shipment.ID())

	const changes = `{"available_for_pickup": [false, true], "pod_terminal_holds": [null, [{"name":"customs"}]], "new": 1}`
	updated := about[*terminal49.ContainerUpdatedEvent](t, "container_updated_event", `"attributes":{"changeset":`+changes+`,
		"timestamp":"2020-06-04T22:03:09Z","timezone":"America/Los_Angeles","data_source":"terminal"},
		"relationships":{`+container+`,`+terminal+`,`+shipment+`}`)
	kept, err := json.Marshal(updated.Changeset)
	require.NoError(t, err)
	require.JSONEq(t, changes, string(kept))
	require.Equal(t, "America/Los_Angeles", updated.Timestamp.Zone())
	require.Equal(t, terminal49.DataSourceTerminal, updated.DataSource)
	require.Equal(t, "c1", updated.Container.ID())
	require.Equal(t, "t1", updated.Terminal.ID())
	require.Equal(t, "s1", updated.Shipment.ID())

	moved := about[*terminal49.ContainerPODTerminalChangedEvent](t, "container_pod_terminal_changed_event", `"attributes":{
		"timestamp":"2020-06-04T22:03:09Z","data_source":"pierpass"},"relationships":{`+container+`,`+terminal+`,`+
		shipment+`}`)
	require.Equal(t, terminal49.DataSourcePierPass, moved.DataSource)
	require.True(t, moved.DataSource.Known())
	require.Equal(t, "2020-06-04 22:03 UTC", moved.Timestamp.String())
	require.Equal(t, "t1", moved.Terminal.ID())

	strange := about[*terminal49.UnknownResource](t, "container_melted_event", `"attributes":{"degrees":1500}`)
	require.JSONEq(t, `{"degrees":1500}`, string(strange.Attributes))
	mail := about[*terminal49.EmailSubmission](t, "email_submission", `"attributes":{}`)
	require.Equal(t, "o1", mail.ID)
}

// Some samples include an event without its container, and some include nothing.
func TestWebhookNotifications_Minimal(t *testing.T) {
	bare := about[*terminal49.TransportEvent](t, "transport_event",
		`"attributes":{"event":"container.pickup_appointment.changed"}`)
	require.Equal(t, terminal49.RelationshipAbsent, bare.Container.State())
	updated := about[*terminal49.ContainerUpdatedEvent](t, "container_updated_event",
		`"attributes":{"changeset":null,"timestamp":null}`)
	require.Empty(t, updated.Changeset.Attributes())
	require.True(t, updated.Timestamp.IsZero())
	created := about[*terminal49.ContainerCreatedEvent](t, "container_created_event",
		`"attributes":null,"relationships":null`)
	require.Equal(t, "o1", created.ID)

	for _, included := range []string{``, `,"included":null`, `,"included":[]`} {
		_, ok := notified(t, notification("transport_event", included)).ReferenceObject.Value()
		require.False(t, ok)
	}
	nothing := notified(t, `{"data":{"id":"`+testkit.NotificationID+
		`","type":"webhook_notification","attributes":{"event":null,
		"delivery_status":"postponed","created_at":null,"version":null},"relationships":{"reference_object":{"data":null}}}}`)
	require.Equal(t, terminal49.RelationshipNull, nothing.ReferenceObject.State())
	require.Equal(t, terminal49.DeliveryStatus("postponed"), nothing.DeliveryStatus)
	require.False(t, nothing.DeliveryStatus.Known())
	require.Empty(t, nothing.Version)
}

func TestWebhookNotifications_OfDocuments(t *testing.T) {
	n := notified(t, `{"data":{"id":"`+testkit.NotificationID+
		`","type":"webhook_notification","attributes":{"event":"document.extracted",
		"delivery_status":"pending","created_at":"2026-02-01T00:00:00Z","version":2},"relationships":{"document":{"data":{"id":"d1","type":"document"}}}},
		"included":[{"id":"d1","type":"document","attributes":{"name":"Invoice"}}]}`)
	require.Equal(t, terminal49.EventDocumentExtracted, n.Event)
	require.Equal(t, "2", n.Version)
	require.Equal(t, terminal49.RelationshipAbsent, n.ReferenceObject.State())
	require.Equal(t, terminal49.RelationshipAbsent, n.Webhook.State())
	document, ok := n.Document.Value()
	require.True(t, ok)
	require.Equal(t, "Invoice", document.Name)
}

// The service documents a list and responds with one object.
func TestWebhookNotifications_ExamplesAsObjectOrList(t *testing.T) {
	const sample = `{"id":"` + testkit.NotificationID +
		`","type":"webhook_notification","attributes":{"event":"container.created"},
		"relationships":{"reference_object":{"data":{"id":"o1","type":"container_created_event"}}}}`
	const included = `,"included":[{"id":"o1","type":"container_created_event"}]}`
	for reply, n := range map[string]int{
		`{"data":` + sample + included: 1, `{"data":[` + sample + `,` + sample + `]` + included: 2, `{"data":[]}`: 0,
	} {
		examples, err := testkit.NewClient(t,
			testkit.Answer(http.StatusOK, reply)).WebhookNotifications.Examples(t.Context(),
			terminal49.EventContainerCreated)
		require.NoError(t, err)
		require.Len(t, examples, n)
		for _, e := range examples {
			value, ok := e.ReferenceObject.Value()
			require.True(t, ok)
			require.IsType(t, &terminal49.ContainerCreatedEvent{}, value)
		}
	}
}

func TestWebhookNotifications_RefuseInvalidArguments(t *testing.T) {
	for field, do := range map[string]func(context.Context, *terminal49.Client) error{
		"event": func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.WebhookNotifications.Examples(ctx, ""))
		},
		"id": func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.WebhookNotifications.Get(ctx, "examples", nil))
		},
		"include": func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.WebhookNotifications.List(ctx,
				&terminal49.WebhookNotificationListParams{Include: []terminal49.WebhookNotificationInclude{"a,b"}}))
		},
	} {
		api := testkit.NewFakeAPI()
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, do(t.Context(), testkit.NewClient(t, api)), &argument)
		require.Equal(t, field, argument.Field)
		require.Empty(t, api.Requests())
	}
}

// Failed reads the list to its end unless it is sorted newest-first.
func TestFailed_StopsOnlyIfTheListIsSorted(t *testing.T) {
	item := func(i int, at string) string {
		return fmt.Sprintf(`{"id":"%d","type":"webhook_notification","attributes":{"event":"container.updated","delivery_status":"failed","created_at":%q}}`, i, at)
	}
	const next = `"links":{"next":"https://api.example.test/proxy/v2/webhook_notifications?page[number]=%d"}`
	page := func(number int, items string) string {
		link := `"links":{}`
		if number < 3 {
			link = fmt.Sprintf(next, number+1)
		}
		return `{"data":[` + items + `],` + link + `}`
	}
	since := time.Date(2024, 7, 1, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		pages []string
		want  int // requests
		found int
	}{
		"newest first": {[]string{
			page(1, item(1, "2024-07-02T00:00:00Z")+","+item(2, "2024-07-01T00:00:00Z")),
			page(2, item(3, "2024-06-30T00:00:00Z")), page(3, item(4, "2024-06-29T00:00:00Z")),
		}, 2, 2},
		"oldest first": {[]string{
			page(1, item(1, "2024-06-01T00:00:00Z")+","+item(2, "2024-06-02T00:00:00Z")),
			page(2, item(3, "2024-06-03T00:00:00Z")), page(3, item(4, "2024-07-02T00:00:00Z")),
		}, 3, 1},
		"no order": {[]string{
			page(1, item(1, "2024-07-02T00:00:00Z")+","+item(2, "2024-07-03T00:00:00Z")),
			page(2, item(3, "2024-06-03T00:00:00Z")), page(3, item(4, "2024-07-02T00:00:00Z")),
		}, 3, 3},
		"newest first, one without a time": {[]string{
			page(1, item(1, "2024-06-30T00:00:00Z")+","+item(2, "")+","+item(3, "2024-06-29T00:00:00Z")),
			page(2, item(4, "2024-06-28T00:00:00Z")), page(3, item(5, "2024-07-02T00:00:00Z")),
		}, 3, 2},
	} {
		t.Run(name, func(t *testing.T) {
			api := testkit.NewFakeAPI()
			api.OnPages("/webhook_notifications", map[string]string{
				"include=reference_object&page[size]=100":                c.pages[0],
				"include=reference_object&page[number]=2&page[size]=100": c.pages[1],
				"include=reference_object&page[number]=3&page[size]=100": c.pages[2],
			})
			failed, err := testkit.Drain(testkit.NewClient(t, api).WebhookNotifications.Failed(t.Context(), since))
			require.NoError(t, err)
			require.Len(t, failed, c.found)
			require.Len(t, api.Requests(), c.want)
		})
	}
}

func TestFailed_IncludesNotificationsWithoutTime(t *testing.T) {
	const item = `{"id":"%d","type":"webhook_notification","attributes":{"delivery_status":"failed","created_at":%s}}`
	items := ""
	for i, at := range []string{`"2024-07-02T00:00:00Z"`, `null`, `"soon"`, `"2024-06-30T00:00:00Z"`} {
		items += fmt.Sprintf(","+item, i, at)
	}
	client := testkit.NewClient(t, testkit.Answer(200, `{"data":[`+items[1:]+`],"links":{}}`))
	failed, err := testkit.Drain(client.WebhookNotifications.Failed(t.Context(),
		time.Date(2024, 7, 1, 0, 0, 0, 0, time.UTC)))
	require.NoError(t, err)
	require.Len(t, failed, 3)
}
