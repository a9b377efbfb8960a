package terminal49

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func notificationCalls() []call {
	const (
		oneNotification  = `{"data":{"id":"` + notificationID + `","type":"webhook_notification"}}`
		someNotification = `{"data":[{"id":"` + notificationID + `","type":"webhook_notification"}]}`
		everything       = "include=reference_object&page[number]=1&page[size]=5"
	)
	includes := []WebhookNotificationInclude{WebhookNotificationIncludeReferenceObject}
	params := func() *WebhookNotificationListParams {
		return &WebhookNotificationListParams{PageParams: PageParams{PageNumber: 1, PageSize: 5}, Include: includes}
	}
	return []call{
		{
			op: "webhook_notifications.list", method: "GET", path: "/webhook_notifications", query: everything, reply: someNotification,
			do: func(ctx context.Context, c *Client) error { return first(c.WebhookNotifications.List(ctx, params())) },
		},
		{
			op: "webhook_notifications.list", method: "GET", path: "/webhook_notifications", query: everything, reply: someNotification,
			do: func(ctx context.Context, c *Client) error {
				return first(drain(c.WebhookNotifications.Pages(ctx, params())))
			},
		},
		{
			op: "webhook_notifications.list", method: "GET", path: "/webhook_notifications", query: "page[size]=100", reply: someNotification,
			do: func(ctx context.Context, c *Client) error { return first(drain(c.WebhookNotifications.All(ctx, nil))) },
		},
		{
			op: "webhook_notifications.get", method: "GET", path: "/webhook_notifications/" + notificationID, reply: oneNotification,
			query: "include=reference_object",
			do: func(ctx context.Context, c *Client) error {
				return first(c.WebhookNotifications.Get(ctx, notificationID, &WebhookNotificationGetParams{Include: includes}))
			},
		},
		{
			op: "webhook_notifications.get", method: "GET", path: "/webhook_notifications/" + notificationID, reply: oneNotification,
			do: func(ctx context.Context, c *Client) error {
				return first(c.WebhookNotifications.Get(ctx, notificationID, nil))
			},
		},
		{
			op: "webhook_notifications.examples", method: "GET", path: "/webhook_notifications/examples",
			query: "event=container.transport.full_out", reply: oneNotification,
			do: func(ctx context.Context, c *Client) error {
				return first(c.WebhookNotifications.Examples(ctx, EventFullOut))
			},
		},
	}
}

func TestNotificationRequests(t *testing.T) { testCalls(t, notificationCalls()) }

// notification is a document with a notification about a resource of a type, and with what it includes.
func notification(typ, included string) string {
	return `{"data":{"id":"` + notificationID + `","type":"webhook_notification","attributes":{"id":"` + notificationID + `",
		"event":"container.updated","delivery_status":"succeeded","created_at":"2020-06-04T22:03:09Z"},"relationships":{
		"reference_object":{"data":{"id":"o1","type":"` + typ + `"}},"webhook":{"data":{"id":"` + webhookID + `","type":"webhook"}},
		"webhook_notification_logs":{"data":[{"id":"l1","type":"webhook_notification_log"}]}}}` + included + `}`
}

func notified(t *testing.T, reply string, opts ...Option) *WebhookNotification {
	t.Helper()
	n, err := newClient(t, answer(http.StatusOK, reply), opts...).WebhookNotifications.Get(t.Context(), notificationID, nil)
	require.NoError(t, err)
	return n
}

// about reads a notification whose reference object is the given one.
func about[T ReferenceObject](t *testing.T, typ, members string) T {
	t.Helper()
	n := notified(t, notification(typ, `,"included":[{"id":"o1","type":"`+typ+`",`+members+`}]`), WithStrictDecoding())
	value, ok := n.ReferenceObject.Value()
	require.True(t, ok)
	require.IsType(t, *new(T), value)
	return value.(T)
}

func TestNotificationIsRead(t *testing.T) {
	n := notified(t, notification("transport_event", ""), WithStrictDecoding())
	require.Equal(t, notificationID, n.ID)
	require.Equal(t, EventContainerUpdated, n.Event)
	require.Equal(t, DeliverySucceeded, n.DeliveryStatus)
	require.Equal(t, "2020-06-04 22:03 UTC", n.CreatedAt.String())
	require.Equal(t, webhookID, n.Webhook.ID())
	require.Equal(t, []string{"l1"}, n.Logs.IDs())
	require.Equal(t, RelationshipLinked, n.ReferenceObject.State())
	require.Equal(t, "transport_event", n.ReferenceObject.Type())
	_, ok := n.ReferenceObject.Value()
	require.False(t, ok, "it was not included")
	require.Equal(t, RelationshipAbsent, n.Document.State())
}

func TestReferenceObjects(t *testing.T) {
	const container = `"container":{"data":{"id":"c1","type":"container"}}`
	const shipment = `"shipment":{"data":{"id":"s1","type":"shipment"}}`
	const terminal = `"terminal":{"data":{"id":"t1","type":"terminal"}}`

	request := about[*TrackingRequest](t, "tracking_request", `"attributes":{"status":"failed"}`)
	require.Equal(t, TrackingFailed, request.Status)
	milestone := about[*TransportEvent](t, "transport_event", `"attributes":{"event":"container.pickup_lfd.changed","value":"2024-07-04"}`)
	require.Equal(t, FamilyLastFreeDay, milestone.Event.Family())

	estimate := about[*EstimatedEvent](t, "estimated_event", `"attributes":{"created_at":"2020-04-06T19:02:46-07:00",
		"estimated_timestamp":"2020-04-10T02:02:46Z","voyage_number":"A1C","event":"shipment.estimated.arrival",
		"location_locode":"USOAK","timezone":"America/Los_Angeles","data_source":"terminal"},"relationships":{`+shipment+`,
		"port":{"data":{"id":"p1","type":"port"}},"vessel":{"data":null}}`)
	require.Equal(t, EventShipmentEstimatedArrival, estimate.Event)
	at, err := estimate.EstimatedTimestamp.Local()
	require.NoError(t, err)
	require.Equal(t, "2020-04-09T19:02:46-07:00", at.Format("2006-01-02T15:04:05Z07:00"))
	require.Equal(t, "USOAK", estimate.LocationLOCODE)
	require.Equal(t, "A1C", estimate.VoyageNumber)
	require.Equal(t, SourceTerminal, estimate.DataSource)
	require.False(t, estimate.CreatedAt.IsZero())
	require.Equal(t, "s1", estimate.Shipment.ID())
	require.Equal(t, "p1", estimate.Port.ID())
	require.Equal(t, RelationshipNull, estimate.Vessel.State())

	created := about[*ContainerCreatedEvent](t, "container_created_event", `"attributes":{"timestamp":"2020-06-04T22:03:09Z",
		"timezone":"Etc/UTC"},"relationships":{`+container+`,`+shipment+`}`)
	require.Equal(t, "Etc/UTC", created.Timezone)
	require.Equal(t, "Etc/UTC", created.Timestamp.Zone())
	require.Equal(t, "c1", created.Container.ID())
	require.Equal(t, "s1", created.Shipment.ID())

	const changes = `{"available_for_pickup": [false, true], "pod_terminal_holds": [null, [{"name":"customs"}]], "new": 1}`
	updated := about[*ContainerUpdatedEvent](t, "container_updated_event", `"attributes":{"changeset":`+changes+`,
		"timestamp":"2020-06-04T22:03:09Z","timezone":"America/Los_Angeles","data_source":"terminal"},
		"relationships":{`+container+`,`+terminal+`,`+shipment+`}`)
	kept, err := json.Marshal(updated.Changeset)
	require.NoError(t, err)
	require.JSONEq(t, changes, string(kept))
	require.Equal(t, "America/Los_Angeles", updated.Timestamp.Zone())
	require.Equal(t, SourceTerminal, updated.DataSource)
	require.Equal(t, "c1", updated.Container.ID())
	require.Equal(t, "t1", updated.Terminal.ID())
	require.Equal(t, "s1", updated.Shipment.ID())

	moved := about[*ContainerPODTerminalChangedEvent](t, "container_pod_terminal_changed_event", `"attributes":{
		"timestamp":"2020-06-04T22:03:09Z","data_source":"pierpass"},"relationships":{`+container+`,`+terminal+`,`+shipment+`}`)
	require.Equal(t, SourcePierPass, moved.DataSource)
	require.True(t, moved.DataSource.Known())
	require.Equal(t, "2020-06-04 22:03 UTC", moved.Timestamp.String())
	require.Equal(t, "t1", moved.Terminal.ID())

	strange := about[*UnknownResource](t, "container_melted_event", `"attributes":{"degrees":1500}`)
	require.JSONEq(t, `{"degrees":1500}`, string(strange.Attributes))
	mail := about[*EmailSubmission](t, "email_submission", `"attributes":{}`)
	require.Equal(t, "o1", mail.ID)
}

// Some samples include an event that says nothing of its container, and some include nothing at all.
func TestMinimalNotifications(t *testing.T) {
	bare := about[*TransportEvent](t, "transport_event", `"attributes":{"event":"container.pickup_appointment.changed"}`)
	require.Equal(t, RelationshipAbsent, bare.Container.State())
	updated := about[*ContainerUpdatedEvent](t, "container_updated_event", `"attributes":{"changeset":null,"timestamp":null}`)
	require.Empty(t, updated.Changeset.Attributes())
	require.True(t, updated.Timestamp.IsZero())
	created := about[*ContainerCreatedEvent](t, "container_created_event", `"attributes":null,"relationships":null`)
	require.Equal(t, "o1", created.ID)

	for _, included := range []string{``, `,"included":null`, `,"included":[]`} {
		_, ok := notified(t, notification("transport_event", included)).ReferenceObject.Value()
		require.False(t, ok)
	}
	nothing := notified(t, `{"data":{"id":"`+notificationID+`","type":"webhook_notification","attributes":{"event":null,
		"delivery_status":"postponed","created_at":null,"version":null},"relationships":{"reference_object":{"data":null}}}}`)
	require.Equal(t, RelationshipNull, nothing.ReferenceObject.State())
	require.Equal(t, DeliveryStatus("postponed"), nothing.DeliveryStatus)
	require.False(t, nothing.DeliveryStatus.Known())
	require.Empty(t, nothing.Version)
}

func TestDocumentNotification(t *testing.T) {
	n := notified(t, `{"data":{"id":"`+notificationID+`","type":"webhook_notification","attributes":{"event":"document.extracted",
		"delivery_status":"pending","created_at":"2026-02-01T00:00:00Z","version":2},"relationships":{"document":{"data":{"id":"d1","type":"document"}}}},
		"included":[{"id":"d1","type":"document","attributes":{"name":"Invoice"}}]}`)
	require.Equal(t, FamilyDocument, n.Event.Family())
	require.Equal(t, "2", n.Version)
	require.Equal(t, RelationshipAbsent, n.ReferenceObject.State())
	require.Equal(t, RelationshipAbsent, n.Webhook.State())
	document, ok := n.Document.Value()
	require.True(t, ok)
	require.Equal(t, "Invoice", document.Name)
}

// The service documents a list and sends one.
func TestExamplesAsObjectOrList(t *testing.T) {
	const sample = `{"id":"` + notificationID + `","type":"webhook_notification","attributes":{"event":"container.created"},
		"relationships":{"reference_object":{"data":{"id":"o1","type":"container_created_event"}}}}`
	const included = `,"included":[{"id":"o1","type":"container_created_event"}]}`
	for reply, n := range map[string]int{
		`{"data":` + sample + included: 1, `{"data":[` + sample + `,` + sample + `]` + included: 2, `{"data":[]}`: 0,
	} {
		examples, err := newClient(t, answer(http.StatusOK, reply)).WebhookNotifications.Examples(t.Context(), EventContainerCreated)
		require.NoError(t, err)
		require.Len(t, examples, n)
		for _, e := range examples {
			value, ok := e.ReferenceObject.Value()
			require.True(t, ok)
			require.IsType(t, &ContainerCreatedEvent{}, value)
		}
	}
}

func TestNotificationArguments(t *testing.T) {
	for field, do := range map[string]func(context.Context, *Client) error{
		"event": func(ctx context.Context, c *Client) error { return first(c.WebhookNotifications.Examples(ctx, "")) },
		"id": func(ctx context.Context, c *Client) error {
			return first(c.WebhookNotifications.Get(ctx, "examples", nil))
		},
		"include": func(ctx context.Context, c *Client) error {
			return first(c.WebhookNotifications.List(ctx, &WebhookNotificationListParams{Include: []WebhookNotificationInclude{"a,b"}}))
		},
	} {
		api := newFakeAPI()
		var argument *ArgumentError
		require.ErrorAs(t, do(t.Context(), newClient(t, api)), &argument)
		require.Equal(t, field, argument.Field)
		require.Empty(t, api.requests())
	}
}
