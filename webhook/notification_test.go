package webhook_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/internal/testkit/naive"
	"github.com/go-freight/terminal49/webhook"
)

// Every sample is read without loss; TestPayload_OfEachEvent checks the types of payloads.
func TestParseNotification_ReadsEverySample(t *testing.T) {
	for _, event := range terminal49.WebhookEvents() {
		t.Run(string(event), func(t *testing.T) {
			body := testkit.SampleDelivery(t, event)
			n := testkit.ParsedDelivery(t, body)
			require.NotEmpty(t, n.ID)
			require.Equal(t, event, n.Event)
			require.False(t, n.CreatedAt.IsZero())
			_, ofDocument := n.Payload.(*webhook.DocumentPayload)
			require.Equal(t, ofDocument, n.WebhookID == "")
			require.False(t, n.Recovered)
			require.Empty(t, n.Warnings)
			require.JSONEq(t, string(body), string(n.Raw()))
		})
	}
}

// Included resources have values; the others have a state.
func TestParseNotification_ReportsWhatWasIncluded(t *testing.T) {
	n := testkit.ParsedDelivery(t, testkit.SampleDelivery(t, terminal49.EventContainerUpdated))
	container, ok := n.Container.Value()
	require.True(t, ok)
	require.NotEmpty(t, container.Number)
	shipment, ok := n.Shipment.Value()
	require.True(t, ok)
	require.Equal(t, "MEDUSH4081712", shipment.BillOfLadingNumber)
	terminal, ok := n.Terminal.Value()
	require.True(t, ok)
	require.NotEmpty(t, terminal.Nickname)
	require.Equal(t, terminal49.RelationshipAbsent, n.Vessel.State())
	changes := n.Payload.(*webhook.ContainerUpdatedPayload).Changeset
	available, ok := changes.AvailableForPickup()
	require.True(t, ok)
	require.Equal(t, terminal49.Change[terminal49.Opt[bool]]{Old: terminal49.Null[bool](), New: terminal49.Some(false)}, available)
	holds, ok := changes.Holds()
	require.True(t, ok)
	require.Len(t, holds.New, 1)

	n = testkit.ParsedDelivery(t, testkit.SampleDelivery(t, terminal49.EventVesselArrived))
	milestone, ok := n.Payload.(*webhook.MilestonePayload).Milestone.Value()
	require.True(t, ok)
	require.Equal(t, terminal49.EventVesselArrived, milestone.Event)
	place, ok := n.Location.Value()
	require.True(t, ok)
	require.IsType(t, &terminal49.Port{}, place)
	vessel, ok := n.Vessel.Value()
	require.True(t, ok)
	require.Equal(t, "9708851", vessel.IMO)

	n = testkit.ParsedDelivery(t, testkit.SampleDelivery(t, terminal49.EventAvailable)) // no included member at all
	require.Equal(t, terminal49.RelationshipLinked, n.Payload.(*webhook.MilestonePayload).Milestone.State())
	require.Equal(t, terminal49.RelationshipAbsent, n.Container.State())
	_, ok = n.Container.Value()
	require.False(t, ok)

	n = testkit.ParsedDelivery(t, testkit.SampleDelivery(t, terminal49.EventPickupAppointmentChanged)) // the event without relationships
	require.Equal(t, terminal49.RelationshipIncluded, n.Payload.(*webhook.AppointmentPayload).Event.State())
	require.False(t, n.Payload.(*webhook.AppointmentPayload).Appointment.IsZero())
	require.Equal(t, terminal49.RelationshipAbsent, n.Container.State())

	n = testkit.ParsedDelivery(t, testkit.SampleDelivery(t, terminal49.EventShipmentEstimatedArrival))
	require.False(t, n.Payload.(*webhook.EstimatePayload).At.IsZero())
	require.Equal(t, terminal49.RelationshipIncluded, n.Payload.(*webhook.EstimatePayload).Estimate.State())
	require.Equal(t, terminal49.RelationshipIncluded, n.Shipment.State())

	n = testkit.ParsedDelivery(t, testkit.SampleDelivery(t, terminal49.EventEstimatedVesselArrived))
	require.False(t, n.Payload.(*webhook.EstimatePayload).At.IsZero())

	n = testkit.ParsedDelivery(t, testkit.SampleDelivery(t, terminal49.EventTrackingRequestSucceeded))
	request, ok := n.Payload.(*webhook.TrackingRequestPayload).Request.Value()
	require.True(t, ok)
	require.Equal(t, terminal49.TrackingCreated, request.Status)
	require.Equal(t, terminal49.RelationshipIncluded, n.Shipment.State())

	n = testkit.ParsedDelivery(t, testkit.SampleDelivery(t, terminal49.EventDocumentExtracted))
	document, ok := n.Payload.(*webhook.DocumentPayload).Document.Value()
	require.True(t, ok)
	require.True(t, n.Payload.(*webhook.DocumentPayload).Extracted)
	require.Equal(t, terminal49.RelationshipIncluded, document.Extraction.State())
	require.False(t, testkit.ParsedDelivery(t,
		testkit.SampleDelivery(t, terminal49.EventDocumentExtractionFailed)).Payload.(*webhook.DocumentPayload).Extracted)
}

// The new last free day is the event's value, otherwise the container's day of that source, and
// never the timestamp.
func TestParseNotification_LastFreeDay(t *testing.T) {
	const (
		stamp     = `"timestamp":"2024-07-05T00:00:00Z","timezone":"America/Los_Angeles"`
		link      = `"container":{"data":{"id":"c","type":"container"}}`
		container = `{"id":"c","type":"container","attributes":{"pod_timezone":"America/Los_Angeles","pickup_lfd":"2024-07-11T07:00:00Z",` +
			`"pickup_appointment_at":"2024-07-12T15:00:00Z",` +
			`"import_deadlines":{"pickup_lfd_line":"2024-07-12T07:00:00Z","pickup_lfd_terminal":"2024-07-11T07:00:00Z","pickup_lfd_rail":null}}}`
	)
	day := func(n *webhook.Notification) string {
		d, ok := n.Payload.(*webhook.LastFreeDayPayload).LastFreeDay.Date()
		require.True(t, ok)
		return d.String()
	}
	withValue := testkit.ParsedDelivery(t,
		testkit.Delivered(terminal49.EventPickupLFDTerminalChanged, "transport_event",
			stamp+`,"value":"2024-07-20T07:00:00Z"`, link, container))
	require.Equal(t, "2024-07-20", day(withValue))
	require.Equal(t, terminal49.LFDSourceTerminal, withValue.Payload.(*webhook.LastFreeDayPayload).Source)
	for event, want := range map[terminal49.EventName]string{
		terminal49.EventPickupLFDChanged: "2024-07-11", terminal49.EventPickupLFDLineChanged: "2024-07-12",
		terminal49.EventPickupLFDTerminalChanged: "2024-07-11", terminal49.EventSSLLFDChanged: "2024-07-12",
	} {
		require.Equal(t, want, day(testkit.ParsedDelivery(t,
			testkit.Delivered(event, "transport_event", stamp, link, container))), event)
	}
	for _, n := range []*webhook.Notification{
		testkit.ParsedDelivery(t,
			testkit.Delivered(terminal49.EventPickupLFDRailChanged, "transport_event", stamp, link, container)),
		testkit.ParsedDelivery(t,
			testkit.Delivered(terminal49.EventPickupLFDChanged, "transport_event", stamp+`,"value":null`, link)),
		testkit.ParsedDelivery(t,
			testkit.Delivered(terminal49.EventSSLLFDChanged, "transport_event", `"timestamp":"2024-07-05T00:00:00Z","timezone":null,"value":null`, link)),
		testkit.ParsedDelivery(t, testkit.Delivered(terminal49.EventPickupLFDChanged, "transport_event", stamp, "")),
	} {
		require.True(t, n.Payload.(*webhook.LastFreeDayPayload).LastFreeDay.IsZero(),
			"%s: the timestamp is the time of notice", n.Event)
	}
	appointment := testkit.ParsedDelivery(t,
		testkit.Delivered(terminal49.EventPickupAppointmentChanged, "transport_event", stamp, link,
			container)).Payload.(*webhook.AppointmentPayload)
	local, err := appointment.Appointment.Local()
	require.NoError(t, err)
	require.Equal(t, time.Date(2024, 7, 12, 8, 0, 0, 0, local.Location()), local)
}

// Unknown events and references are kept and are not errors.
func TestParseNotification_UnknownEvents(t *testing.T) {
	body := testkit.Delivered("container.transport.teleported", "transport_event",
		`"event":"container.transport.teleported"`, "")
	unknown := testkit.ParsedDelivery(t, body).Payload.(*webhook.UnknownPayload)
	require.JSONEq(t, string(body), string(unknown.Raw()))
	about, ok := unknown.Reference.Value()
	require.True(t, ok)
	require.Equal(t, terminal49.EventName("container.transport.teleported"), about.(*terminal49.TransportEvent).Event)

	unknown = testkit.ParsedDelivery(t,
		testkit.Delivered("crane.sang", "crane_event", `"tune":"a"`, "")).Payload.(*webhook.UnknownPayload)
	about, ok = unknown.Reference.Value()
	require.True(t, ok)
	require.JSONEq(t, `{"tune":"a"}`, string(about.(*terminal49.UnknownResource).Attributes))

	require.IsType(t, &webhook.UnknownPayload{},
		testkit.ParsedDelivery(t, testkit.Delivered(terminal49.EventEmailSubmissionCreated, "email_submission", "", "")).Payload)

	odd := testkit.ParsedDelivery(t,
		testkit.Delivered(terminal49.EventVesselArrived, "crane_event", "", "")).Payload.(*webhook.MilestonePayload)
	require.Equal(t, terminal49.RelationshipLinked, odd.Milestone.State(), "something else was included")
	require.Equal(t, "crane_event", odd.Milestone.Type())

	document := testkit.ParsedDelivery(t, testkit.Delivered(terminal49.EventDocumentExtracted, "document", `"name":"x"`, "")) // under either relationship
	require.Equal(t, terminal49.RelationshipIncluded, document.Payload.(*webhook.DocumentPayload).Document.State())

	changes := testkit.ParsedDelivery(t,
		testkit.Delivered(terminal49.EventContainerUpdated, "container_updated_event", `"changeset":[1]`,
			"")).Payload.(*webhook.ContainerUpdatedPayload)
	require.Empty(t, changes.Changeset.Attributes())
	warned := testkit.ParsedDelivery(t,
		testkit.Delivered(terminal49.EventContainerUpdated, "container_updated_event", `"timestamp":"yesterday"`, ""))
	require.Len(t, warned.Warnings, 1)
}

func TestParseNotification_RefusesOtherBodies(t *testing.T) {
	good := string(testkit.Delivered(terminal49.EventVesselArrived, "transport_event", "", ""))
	for name, body := range map[string]string{
		"nothing": "", "a word": "null", "a list": "[]", "no document": "{}", "no JSON": good[:len(good)-1],
		"two documents": good + good,
		"no data":       `{"data":null}`, "no item": `{"data":[]}`, "a web page": "<html>", "text": `"data"`,
		"two items": `{"data":[{"id":"a","type":"x","attributes":{"event":"e"}},{"id":"b","type":"x","attributes":{"event":"e"}}]}`,
		"no id":     strings.Replace(good, `"id":"n-1","type"`, `"type"`, 1),
		"null id":   strings.Replace(good, `"id":"n-1","type"`, `"id":null,"type"`, 1),
		"no event":  strings.Replace(good, `"event":"container.transport.vessel_arrived",`, "", 1),
	} {
		t.Run(name, func(t *testing.T) {
			require.NotEqual(t, good, body)
			_, err := webhook.ParseNotification([]byte(body))
			require.ErrorIs(t, err, terminal49.ErrNotNotification)
		})
	}
}

// The caller's buffer may be used again.
func TestParseNotification_CopiesTheBody(t *testing.T) {
	body := testkit.Delivered("crane.sang", "crane_event", `"tune":"a"`, "")
	n := testkit.ParsedDelivery(t, body)
	clear(body)
	require.True(t, json.Valid(n.Raw()))
	about, _ := n.Payload.(*webhook.UnknownPayload).Reference.Value()
	require.JSONEq(t, `{"tune":"a"}`, string(about.(*terminal49.UnknownResource).Attributes))
}

// A changeset in a document is read like a changeset alone.
func TestParseNotification_Changesets(t *testing.T) {
	for _, raw := range []string{
		`{}`, `{"available_for_pickup":[null,true]}`, `{"a":[1,2],"b":[{"x":[1,2]},[]],"c":["\u00e9\"]","}"]}`,
		`{"a":[],"b":[1],"c":[1,2,3],"d":null,"e":"x","f":{"x":[1,2]},"g":[[1,2],null]}`,
		` { "a" : [ 1 , 2 ] , "a" : [ 3 , 4 ] } `,
		`{"pod_terminal":["a","b"],"é":[1,2],"with \"quote":[1,2]}`,
	} {
		var alone terminal49.Changeset
		require.NoError(t, json.Unmarshal([]byte(raw), &alone))
		n := testkit.ParsedDelivery(t,
			testkit.Delivered(terminal49.EventContainerUpdated, "container_updated_event",
				`"changeset":`+raw+`,"data_source":"terminal"`, ""))
		p := n.Payload.(*webhook.ContainerUpdatedPayload)
		require.Empty(t, n.Warnings)
		require.Equal(t, alone.Attributes(), p.Changeset.Attributes(), raw)
		for _, name := range alone.Attributes() {
			want, _ := alone.Get(name)
			got, _ := p.Changeset.Get(name)
			require.JSONEq(t, string(want), string(got))
			wantPair, wanted := terminal49.ChangeOf[json.RawMessage](alone, name)
			gotPair, ok := terminal49.ChangeOf[json.RawMessage](p.Changeset, name)
			require.Equal(t, wanted, ok, "%s of %s", name, raw)
			require.Equal(t, wantPair, gotPair)
		}
		require.Equal(t, alone.Warnings(), p.Changeset.Warnings())
		updated, _ := p.Event.Value()
		require.Equal(t, terminal49.DataSourceTerminal, updated.DataSource, "the members after it are read")
	}
}

// naiveNotification is a delivery as encoding/json reads it.
type naiveNotification struct {
	id, event, webhook string
	created            json.RawMessage
	plainWebhook       bool
}

// readNotification reads a delivery with encoding/json; plain is false if a member occurs twice.
func readNotification(body []byte) (n naiveNotification, ok, plain bool) {
	if !json.Valid(body) {
		return n, false, true
	}
	if naive.ReadObject(body) == nil {
		return n, false, true
	}
	doc, plain := naive.ReadDocument(body)
	if !plain {
		return n, false, false
	}
	if len(doc.Primary) != 1 || doc.Primary[0].Type != "webhook_notification" {
		return n, false, true
	}
	from := doc.Primary[0]
	if from.Attributes.Repeats("event", "created_at") || from.Relationships.Repeats("webhook") {
		return n, false, false
	}
	n.id, n.event = from.ID, from.Attributes.Text("event")
	n.created, _ = from.Attributes.Once("created_at")
	link, _ := from.Relationships.Once("webhook")
	refs, _, plainWebhook := naive.ReadLinkage(link, false)
	if n.plainWebhook = plainWebhook; len(refs) > 0 {
		n.webhook = refs[0].ID
	}
	return n, n.id != "" && n.event != "", true
}

// FuzzParseNotification checks that a body is a notification if and only if encoding/json finds one
// in it, with the same id, event, time and webhook.
func FuzzParseNotification(f *testing.F) {
	for _, body := range testkit.Deliveries(f) {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		kept := slices.Clone(body)
		n, err := webhook.ParseNotification(body)
		require.Equal(t, kept, body)
		want, ok, plain := readNotification(body)
		nested := bytes.Count(body, []byte("{"))+bytes.Count(body, []byte("[")) >= 200
		if plain && !nested && ok != (err == nil) {
			t.Fatalf("it is a notification: %v, but: %v", ok, err)
		}
		if err != nil {
			require.ErrorIs(t, err, terminal49.ErrNotNotification)
			return
		}
		require.True(t, json.Valid(body), "what is not JSON must not pass")
		require.NotEmpty(t, n.ID)
		require.NotEmpty(t, n.Event)
		require.NotNil(t, n.Payload)
		require.Equal(t, kept, []byte(n.Raw()))
		if container, ok := n.Container.Value(); ok {
			require.NotNil(t, container)
		}
		if !plain {
			return
		}
		require.Equal(t, want.id, n.ID)
		require.Equal(t, terminal49.EventName(want.event), n.Event)
		if want.plainWebhook {
			require.Equal(t, want.webhook, n.WebhookID)
		}
		if at, day, v := naive.ReadMoment(want.created); v == naive.MustBeThis {
			got, exact := n.CreatedAt.Instant()
			date, dated := n.CreatedAt.Date()
			same := !day && exact && got.Equal(at) || day && dated && date == terminal49.DateOf(at)
			require.True(t, same && day == n.CreatedAt.DateOnly(), "%s was read as %v", want.created, n.CreatedAt)
		} else if v == naive.MustBeEmpty {
			require.True(t, n.CreatedAt.IsZero(), "%s was read as %v", want.created, n.CreatedAt)
		}
	})
}
