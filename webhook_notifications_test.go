package terminal49_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

func TestWebhookNotifications_Requests(t *testing.T) {
	testkit.TestCalls(t, testkit.NotificationCalls())
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
