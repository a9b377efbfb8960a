package terminal49

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// sampleDelivery is the body of a delivery as the service's samples have it.
func sampleDelivery(t testing.TB, event EventName) []byte {
	t.Helper()
	srv := terminal49test.NewServer(terminal49test.WithoutSocket())
	defer srv.Close()
	req, err := http.NewRequest(http.MethodGet, srv.URL+"/webhook_notifications/examples?event="+string(event), nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Token "+srv.Token)
	resp, err := srv.HTTPClient().Do(req)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, resp.StatusCode)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return body
}

// notification is a delivery with a reference object and what else is included.
func delivered(event EventName, kind, attributes, relationships string, included ...string) []byte {
	about := fmt.Sprintf(`{"id":"ref","type":%q,"attributes":{%s},"relationships":{%s}}`, kind, attributes, relationships)
	return fmt.Appendf(nil, `{"data":{"id":"n-1","type":"webhook_notification","attributes":{"id":"n-1","event":%q,`+
		`"delivery_status":"succeeded","created_at":"2024-07-01T12:00:00Z"},"relationships":{"reference_object":{"data":{"id":"ref","type":%q}},`+
		`"webhook":{"data":{"id":"w-1","type":"webhook"}}}},"included":[%s]}`, event, kind, strings.Join(append(included, about), ","))
}

func parsedDelivery(t testing.TB, body []byte) *Notification {
	t.Helper()
	n, err := ParseNotification(body)
	require.NoError(t, err)
	return n
}

// Every sample is understood without loss, and its payload has the type of its family.
func TestParseSamples(t *testing.T) {
	types := map[EventFamily]Payload{
		FamilyTrackingRequest: &TrackingRequestPayload{}, FamilyMilestone: &MilestonePayload{}, FamilyEstimate: &EstimatePayload{},
		FamilyContainerCreated: &ContainerCreatedPayload{}, FamilyContainerUpdated: &ContainerUpdatedPayload{},
		FamilyTerminalChanged: &TerminalChangedPayload{}, FamilyLastFreeDay: &LastFreeDayPayload{},
		FamilyAppointment: &AppointmentPayload{}, FamilyDocument: &DocumentPayload{},
	}
	for _, event := range WebhookEvents() {
		t.Run(string(event), func(t *testing.T) {
			body := sampleDelivery(t, event)
			n := parsedDelivery(t, body)
			require.NotEmpty(t, n.ID)
			require.Equal(t, event, n.Event)
			require.False(t, n.CreatedAt.IsZero())
			require.Equal(t, event.Family() == FamilyDocument, n.WebhookID == "")
			require.False(t, n.Recovered)
			require.IsType(t, types[event.Family()], n.Payload)
			require.Empty(t, n.Warnings)
			require.JSONEq(t, string(body), string(n.Raw()))
		})
	}
}

// What is included is there; what is not says so.
func TestParseTellsWhatWasIncluded(t *testing.T) {
	n := parsedDelivery(t, sampleDelivery(t, EventContainerUpdated))
	container, ok := n.Container.Value()
	require.True(t, ok)
	require.NotEmpty(t, container.Number)
	shipment, ok := n.Shipment.Value()
	require.True(t, ok)
	require.Equal(t, "MEDUSH4081712", shipment.BillOfLadingNumber)
	terminal, ok := n.Terminal.Value()
	require.True(t, ok)
	require.NotEmpty(t, terminal.Nickname)
	require.Equal(t, RelationshipAbsent, n.Vessel.State())
	changes := n.Payload.(*ContainerUpdatedPayload).Changes
	available, ok := changes.AvailableForPickup()
	require.True(t, ok)
	require.Equal(t, Changed[Opt[bool]]{Null[bool](), Some(false)}, available)
	holds, ok := changes.Holds()
	require.True(t, ok)
	require.Len(t, holds.New, 1)

	n = parsedDelivery(t, sampleDelivery(t, EventVesselArrived))
	milestone, ok := n.Payload.(*MilestonePayload).Milestone.Value()
	require.True(t, ok)
	require.Equal(t, EventVesselArrived, milestone.Event)
	place, ok := n.Location.Value()
	require.True(t, ok)
	require.IsType(t, &Port{}, place)
	vessel, ok := n.Vessel.Value()
	require.True(t, ok)
	require.Equal(t, "9708851", vessel.IMO)

	n = parsedDelivery(t, sampleDelivery(t, EventAvailable)) // no included member at all
	require.Equal(t, RelationshipLinked, n.Payload.(*MilestonePayload).Milestone.State())
	require.Equal(t, RelationshipAbsent, n.Container.State())
	_, ok = n.Container.Value()
	require.False(t, ok)

	n = parsedDelivery(t, sampleDelivery(t, EventPickupAppointmentChanged)) // the event without relationships
	require.Equal(t, RelationshipIncluded, n.Payload.(*AppointmentPayload).Event.State())
	require.False(t, n.Payload.(*AppointmentPayload).Appointment.IsZero())
	require.Equal(t, RelationshipAbsent, n.Container.State())

	n = parsedDelivery(t, sampleDelivery(t, EventShipmentEstimatedArrival))
	require.False(t, n.Payload.(*EstimatePayload).At.IsZero())
	require.Equal(t, RelationshipIncluded, n.Payload.(*EstimatePayload).Estimate.State())
	require.Equal(t, RelationshipIncluded, n.Shipment.State())

	n = parsedDelivery(t, sampleDelivery(t, EventEstimatedVesselArrived))
	require.False(t, n.Payload.(*EstimatePayload).At.IsZero())

	n = parsedDelivery(t, sampleDelivery(t, EventTrackingRequestSucceeded))
	request, ok := n.Payload.(*TrackingRequestPayload).Request.Value()
	require.True(t, ok)
	require.Equal(t, TrackingCreated, request.Status)
	require.Equal(t, RelationshipIncluded, n.Shipment.State())

	n = parsedDelivery(t, sampleDelivery(t, EventDocumentExtracted))
	document, ok := n.Payload.(*DocumentPayload).Document.Value()
	require.True(t, ok)
	require.True(t, n.Payload.(*DocumentPayload).Extracted)
	require.Equal(t, RelationshipIncluded, document.Extraction.State())
	require.False(t, parsedDelivery(t, sampleDelivery(t, EventDocumentExtractionFailed)).Payload.(*DocumentPayload).Extracted)
}

// The new last free day is the event's value, else what the container says for that source, and never the timestamp.
func TestParseLastFreeDay(t *testing.T) {
	const (
		stamp     = `"timestamp":"2024-07-05T00:00:00Z","timezone":"America/Los_Angeles"`
		link      = `"container":{"data":{"id":"c","type":"container"}}`
		container = `{"id":"c","type":"container","attributes":{"pod_timezone":"America/Los_Angeles","pickup_lfd":"2024-07-11T07:00:00Z",` +
			`"pickup_appointment_at":"2024-07-12T15:00:00Z",` +
			`"import_deadlines":{"pickup_lfd_line":"2024-07-12T07:00:00Z","pickup_lfd_terminal":"2024-07-11T07:00:00Z","pickup_lfd_rail":null}}}`
	)
	day := func(n *Notification) string {
		d, ok := n.Payload.(*LastFreeDayPayload).LastFreeDay.Date()
		require.True(t, ok)
		return d.String()
	}
	withValue := parsedDelivery(t, delivered(EventPickupLFDTerminalChanged, "transport_event", stamp+`,"value":"2024-07-20T07:00:00Z"`, link, container))
	require.Equal(t, "2024-07-20", day(withValue))
	require.Equal(t, LFDTerminal, withValue.Payload.(*LastFreeDayPayload).Source)
	for event, want := range map[EventName]string{
		EventPickupLFDChanged: "2024-07-11", EventPickupLFDLineChanged: "2024-07-12", EventPickupLFDTerminalChanged: "2024-07-11",
	} {
		require.Equal(t, want, day(parsedDelivery(t, delivered(event, "transport_event", stamp, link, container))), event)
	}
	for _, n := range []*Notification{
		parsedDelivery(t, delivered(EventPickupLFDRailChanged, "transport_event", stamp, link, container)),
		parsedDelivery(t, delivered(EventPickupLFDChanged, "transport_event", stamp+`,"value":null`, link)),
		parsedDelivery(t, delivered(EventPickupLFDChanged, "transport_event", stamp, "")),
	} {
		require.True(t, n.Payload.(*LastFreeDayPayload).LastFreeDay.IsZero(), "%s: the timestamp is when it was noticed", n.Event)
	}
	appointment := parsedDelivery(t, delivered(EventPickupAppointmentChanged, "transport_event", stamp, link, container)).Payload.(*AppointmentPayload)
	local, err := appointment.Appointment.Local()
	require.NoError(t, err)
	require.Equal(t, time.Date(2024, 7, 12, 8, 0, 0, 0, local.Location()), local)
}

// New events and odd references lose nothing and are no errors.
func TestParseWhatIsNew(t *testing.T) {
	body := delivered("container.transport.teleported", "transport_event", `"event":"container.transport.teleported"`, "")
	unknown := parsedDelivery(t, body).Payload.(*UnknownPayload)
	require.JSONEq(t, string(body), string(unknown.JSON))
	about, ok := unknown.Reference.Value()
	require.True(t, ok)
	require.Equal(t, EventName("container.transport.teleported"), about.(*TransportEvent).Event)

	unknown = parsedDelivery(t, delivered("crane.sang", "crane_event", `"tune":"a"`, "")).Payload.(*UnknownPayload)
	about, ok = unknown.Reference.Value()
	require.True(t, ok)
	require.JSONEq(t, `{"tune":"a"}`, string(about.(*UnknownResource).Attributes))

	for _, event := range []EventName{EventLinkCreated, EventEmailSubmissionCreated} {
		require.IsType(t, &UnknownPayload{}, parsedDelivery(t, delivered(event, "email_submission", "", "")).Payload)
	}

	odd := parsedDelivery(t, delivered(EventVesselArrived, "crane_event", "", "")).Payload.(*MilestonePayload)
	require.Equal(t, RelationshipLinked, odd.Milestone.State(), "something else was included")
	require.Equal(t, "crane_event", odd.Milestone.Type())

	document := parsedDelivery(t, delivered(EventDocumentExtracted, "document", `"name":"x"`, "")) // under either relationship
	require.Equal(t, RelationshipIncluded, document.Payload.(*DocumentPayload).Document.State())

	changes := parsedDelivery(t, delivered(EventContainerUpdated, "container_updated_event", `"changeset":[1]`, "")).Payload.(*ContainerUpdatedPayload)
	require.Empty(t, changes.Changes.Attributes())
	warned := parsedDelivery(t, delivered(EventContainerUpdated, "container_updated_event", `"timestamp":"yesterday"`, ""))
	require.Len(t, warned.Warnings, 1)
}

func TestParseRefuses(t *testing.T) {
	good := string(delivered(EventVesselArrived, "transport_event", "", ""))
	for name, body := range map[string]string{
		"nothing": "", "a word": "null", "a list": "[]", "no document": "{}", "no JSON": good[:len(good)-1], "two documents": good + good,
		"no data": `{"data":null}`, "no item": `{"data":[]}`, "a web page": "<html>", "text": `"data"`,
		"two items": `{"data":[{"id":"a","type":"x","attributes":{"event":"e"}},{"id":"b","type":"x","attributes":{"event":"e"}}]}`,
		"no id":     strings.Replace(good, `"id":"n-1","type"`, `"type"`, 1),
		"null id":   strings.Replace(good, `"id":"n-1","type"`, `"id":null,"type"`, 1),
		"no event":  strings.Replace(good, `"event":"container.transport.vessel_arrived",`, "", 1),
	} {
		t.Run(name, func(t *testing.T) {
			require.NotEqual(t, good, body)
			_, err := ParseNotification([]byte(body))
			require.ErrorIs(t, err, ErrNotNotification)
		})
	}
}

// The caller's buffer may be used again.
func TestParseKeepsItsOwnBytes(t *testing.T) {
	body := delivered("crane.sang", "crane_event", `"tune":"a"`, "")
	n := parsedDelivery(t, body)
	clear(body)
	require.True(t, json.Valid(n.Raw()))
	about, _ := n.Payload.(*UnknownPayload).Reference.Value()
	require.JSONEq(t, `{"tune":"a"}`, string(about.(*UnknownResource).Attributes))
}

// The changeset is read along with its document as it would be by itself.
func TestParseChangesets(t *testing.T) {
	for _, raw := range []string{
		`{}`, `{"available_for_pickup":[null,true]}`, `{"a":[1,2],"b":[{"x":[1,2]},[]],"c":["\u00e9\"]","}"]}`,
		`{"a":[],"b":[1],"c":[1,2,3],"d":null,"e":"x","f":{"x":[1,2]},"g":[[1,2],null]}`, ` { "a" : [ 1 , 2 ] , "a" : [ 3 , 4 ] } `,
		`{"pod_terminal":["a","b"],"é":[1,2],"with \"quote":[1,2]}`,
	} {
		var alone Changeset
		require.NoError(t, json.Unmarshal([]byte(raw), &alone))
		n := parsedDelivery(t, delivered(EventContainerUpdated, "container_updated_event", `"changeset":`+raw+`,"data_source":"terminal"`, ""))
		p := n.Payload.(*ContainerUpdatedPayload)
		require.Empty(t, n.Warnings)
		require.Equal(t, alone.Attributes(), p.Changes.Attributes(), raw)
		for _, name := range alone.Attributes() {
			want, _ := alone.Get(name)
			got, _ := p.Changes.Get(name)
			require.Equal(t, (want.Old == nil), (got.Old == nil), "%s of %s", name, raw)
			require.JSONEq(t, string(want.Raw), string(got.Raw))
			if want.Old != nil {
				require.JSONEq(t, string(want.Old), string(got.Old))
				require.JSONEq(t, string(want.New), string(got.New))
			}
		}
		require.Equal(t, alone.Warnings(), p.Changes.Warnings())
		updated, _ := p.Updated.Value()
		require.Equal(t, SourceTerminal, updated.DataSource, "what follows is read too")
	}
}
