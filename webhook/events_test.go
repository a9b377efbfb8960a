package webhook_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
	"github.com/stretchr/testify/require"
)

const (
	deliveryAppointment = terminal49.EventName("container.delivery_appointment.changed") // its name is not documented
	linkedBox           = `"container":{"data":{"id":"box","type":"container"}}`
	linkedBill          = `"shipment":{"data":{"id":"bill","type":"shipment"}}`
	includedBox         = `{"id":"box","type":"container","attributes":{"number":"MSCU1234566"},"relationships":{` + linkedBill + `}}`
	includedBill        = `{"id":"bill","type":"shipment","attributes":{"bill_of_lading_number":"MEDUSH4081712"}}`
)

// aboutResource returns a delivery whose reference object is the given resource, included or not.
func aboutResource(event terminal49.EventName, kind, id string, included ...string) []byte {
	return fmt.Appendf(nil, `{"data":{"id":"n-1","type":"webhook_notification","attributes":{"event":%q},"relationships":{`+
		`"reference_object":{"data":{"id":%q,"type":%q}}}},"included":[%s]}`, event, id, kind, strings.Join(included, ","))
}

// reached describes what a notification names, as state and id.
func reached(n *webhook.Notification) (shipment, container string) {
	return n.Shipment.State().String() + " " + n.Shipment.ID(), n.Container.State().String() + " " + n.Container.ID()
}

// Source: the changelog of 2026-05-11 says that a document got linked to a shipment or a container,
// and documents neither payload nor reference. So every resource that the reference can be is
// reached, and what names nothing or is ambiguous names nothing here either.
func TestNotification_ReachesShipmentAndContainer(t *testing.T) {
	const two = `"one":{"data":{"id":"box","type":"container"}},"other":{"data":{"id":"b2","type":"container"}}`
	document := func(shipments, cargos string) string {
		return `{"id":"x","type":"document","relationships":{"shipments":{"data":[` + shipments + `]},"cargos":{"data":[` + cargos + `]}}}`
	}
	unknown := func(relationships string) string {
		return `{"id":"x","type":"link","attributes":{"kind":"automatic"},"relationships":` + relationships + `}`
	}
	const bill, box = `{"id":"bill","type":"shipment"}`, `{"id":"box","type":"container"}`
	for name, c := range map[string]struct {
		kind, id            string
		included            []string
		shipment, container string
	}{
		"a container":                 {"container", "box", []string{includedBox, includedBill}, "included bill", "included box"},
		"a container alone":           {"container", "box", []string{includedBox}, "linked bill", "included box"},
		"a container, not included":   {"container", "box", nil, "absent ", "linked box"},
		"a shipment":                  {"shipment", "bill", []string{includedBill}, "included bill", "absent "},
		"a shipment, not included":    {"shipment", "bill", nil, "linked bill", "absent "},
		"a document":                  {"document", "x", []string{document(bill, box), includedBox, includedBill}, "included bill", "included box"},
		"a document of a container":   {"document", "x", []string{document("", box), includedBox}, "linked bill", "included box"},
		"a document, links only":      {"document", "x", []string{document(bill, box)}, "linked bill", "linked box"},
		"a document of two":           {"document", "x", []string{document(bill+`,{"id":"b2","type":"shipment"}`, "")}, "absent ", "absent "},
		"a document of none":          {"document", "x", []string{document("", ""), includedBill}, "absent ", "absent "},
		"another type":                {"link", "x", []string{unknown("{" + linkedBox + "," + linkedBill + "}"), includedBox, includedBill}, "included bill", "included box"},
		"another type, links only":    {"link", "x", []string{unknown("{" + linkedBox + "}")}, "absent ", "linked box"},
		"another name":                {"link", "x", []string{unknown(`{"linkable":{"data":` + box + `}}`), includedBox}, "linked bill", "included box"},
		"a list of one":               {"link", "x", []string{unknown(`{"cargos":{"data":[` + box + `]}}`)}, "absent ", "linked box"},
		"the same twice":              {"link", "x", []string{unknown(`{"a":{"data":` + box + `},"b":{"data":[` + box + `]}}`)}, "absent ", "linked box"},
		"two":                         {"link", "x", []string{unknown("{" + two + "}"), includedBox}, "absent ", "absent "},
		"two, one of them named":      {"link", "x", []string{unknown("{" + two + "," + linkedBox + "}")}, "absent ", "linked box"},
		"odd relationships":           {"link", "x", []string{unknown(`{"a":7,"b":{"data":"x"},"c":null,"d":{"data":{"type":"container"}},` + linkedBox + `}`)}, "absent ", "linked box"},
		"relationships are no object": {"link", "x", []string{unknown(`[` + box + `]`), includedBox}, "absent ", "absent "},
		"included but not linked":     {"link", "x", []string{unknown(`{}`), includedBox, includedBill}, "absent ", "absent "},
		"nothing included":            {"link", "x", nil, "absent ", "absent "},
	} {
		for _, event := range []terminal49.EventName{terminal49.EventLinkCreated, deliveryAppointment} {
			t.Run(name+" of "+string(event), func(t *testing.T) {
				body := aboutResource(event, c.kind, c.id, c.included...)
				n := testkit.ParsedDelivery(t, body)
				shipment, container := reached(n)
				require.Equal(t, c.shipment, shipment)
				require.Equal(t, c.container, container)
				var about terminal49.ToOne[terminal49.ReferenceObject]
				switch p := n.Payload.(type) {
				case *webhook.LinkPayload:
					about = p.Reference
					require.Equal(t, terminal49.EventLinkCreated, event)
					require.JSONEq(t, string(body), string(p.Raw()))
				case *webhook.UnknownPayload:
					about = p.Reference
					require.Equal(t, deliveryAppointment, event)
					require.JSONEq(t, string(body), string(p.Raw()))
				default:
					t.Fatalf("payload %T", p)
				}
				require.Equal(t, c.id, about.ID())
				require.Equal(t, c.kind, about.Type())
				require.Equal(t, len(c.included) > 0, about.State() == terminal49.RelationshipIncluded)
			})
		}
	}
}

// Source: the changelog of 2026-06-08 says that hand-entered events become transport events and
// fire webhooks, without the name of the appointment's event; that of 2026-05-11 that value and
// value_timestamp are always returned; and that of 2026-06-08 names the source t49_calculation.
func TestNotification_HandEnteredAndCalculatedEvents(t *testing.T) {
	n := testkit.ParsedDelivery(t, testkit.Delivered(deliveryAppointment, "transport_event",
		`"event":"container.delivery_appointment.changed","data_source":"user_input","timezone":"America/Chicago",`+
			`"value":"2026-06-10T15:00:00Z","value_timestamp":"2026-06-08T12:00:00Z"`, linkedBox, includedBox))
	about, ok := n.Payload.(*webhook.UnknownPayload).Reference.Value()
	require.True(t, ok)
	event := about.(*terminal49.TransportEvent)
	require.Equal(t, deliveryAppointment, event.Event)
	require.Equal(t, "2026-06-10 10:00 -05:00", event.Value.String())
	require.False(t, event.ValueTimestamp.IsZero())
	require.Empty(t, n.Warnings)
	_, container := reached(n)
	require.Equal(t, "included box", container)

	calculated := testkit.ParsedDelivery(t, testkit.Delivered(terminal49.EventPickupLFDChanged, "transport_event",
		`"data_source":"t49_calculation","timezone":"America/Los_Angeles","value":"2026-06-11T07:00:00Z"`, linkedBox))
	changed, ok := calculated.Payload.(*webhook.LastFreeDayPayload).Event.Value()
	require.True(t, ok)
	require.Equal(t, terminal49.DataSource("t49_calculation"), changed.DataSource)
	require.True(t, changed.DataSource.Known())
}

// The two names of both document events. Source: the service's reference pages have had either
// pair; the later ones refer to the document with reference_object instead of document, and a
// failed document has the type "unknown" and no extraction.
var documentEvents = map[terminal49.EventName]bool{
	"document.extracted": true, "document_representation.created": true,
	"document.extraction_failed": false, "document_representation.failed": false,
}

func TestDocumentEvents_UnderBothNamesAndRelationships(t *testing.T) {
	for event, extracted := range documentEvents {
		require.True(t, event.Known(), event)
		for _, relationships := range []string{
			`"document":{"data":{"id":"d","type":"document"}}`,
			`"reference_object":{"data":{"id":"d","type":"document"}}`,
			`"document":{"data":{"id":"d","type":"document"}},"reference_object":{"data":{"id":"r","type":"document_representation"}}`,
		} {
			n := testkit.ParsedDelivery(t, fmt.Appendf(nil, `{"data":{"id":"n-1","type":"webhook_notification","attributes":{"event":%q},`+
				`"relationships":{%s}},"included":[{"id":"d","type":"document","attributes":{"document_type":"unknown"},`+
				`"relationships":{"last_document_representation":{"data":null}}}]}`, event, relationships))
			p := n.Payload.(*webhook.DocumentPayload)
			require.Equal(t, extracted, p.Extracted, event)
			document, ok := p.Document.Value()
			require.True(t, ok, relationships)
			require.Equal(t, "unknown", document.DocumentType)
			require.Equal(t, terminal49.RelationshipNull, document.Extraction.State())
			require.Empty(t, n.Warnings)
		}
	}
}

// A webhook can subscribe to all names; Ensure, the callbacks, Resolve and Recover treat them
// alike.
func TestDocumentEvents_FromSubscriptionToRecovery(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ctx, client := t.Context(), testkit.SimulatedClient(t, srv)
		names := []terminal49.EventName{terminal49.EventLinkCreated}
		for event := range documentEvents {
			names = append(names, event)
		}
		w, err := client.Webhooks.Ensure(ctx, testkit.EndpointURL, names)
		require.NoError(t, err)
		require.ElementsMatch(t, names, w.Events)
		_, err = client.Webhooks.Ensure(ctx, testkit.EndpointURL, names)
		require.NoError(t, err)
		require.Empty(t, testkit.Received(srv, "webhooks.update"), "the events are the same")

		shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MEDUSH4081712"})
		srv.ScriptDocument("bad.pdf", terminal49test.DocumentScript{Outcome: terminal49test.DocumentExtractionFailed})
		for _, file := range []string{"MEDUSH4081712.pdf", "bad.pdf"} {
			srv.AddDocument(terminal49test.Document{FileName: file})
		}
		since := time.Now()
		testkit.Advance(time.Minute)
		for _, n := range srv.WebhookNotifications() {
			srv.UpdateWebhookNotification(n.ID, func(n *terminal49test.WebhookNotification) { n.DeliveryStatus = "failed" })
		}

		got := map[string]int{}
		count := func(name string, n *webhook.Notification) {
			got[name]++
			if name != "failed" {
				require.Equal(t, "included "+shipment, n.Shipment.State().String()+" "+n.Shipment.ID(), n.Event)
			}
		}
		h := testkit.NewHandler(t,
			webhook.OnDocumentExtracted(func(_ context.Context, n *webhook.Notification, p *webhook.DocumentPayload) error {
				count("extracted", n)
				require.True(t, p.Extracted)
				return nil
			}),
			webhook.OnDocumentExtractionFailed(func(_ context.Context, n *webhook.Notification, p *webhook.DocumentPayload) error {
				count("failed", n)
				require.False(t, p.Extracted)
				return nil
			}),
			webhook.OnLinkCreated(func(_ context.Context, n *webhook.Notification, p *webhook.LinkPayload) error {
				count("linked", n)
				require.Equal(t, "document", p.Reference.Type())
				return nil
			}),
			webhook.OnUnknown(func(context.Context, *webhook.Notification, *webhook.UnknownPayload) error {
				got["unknown"]++
				return nil
			}))
		report, err := webhook.Recover(ctx, client, since, h.Handle)
		require.NoError(t, err)
		require.Equal(t, map[string]int{"extracted": 2, "failed": 2, "linked": 1}, got)
		require.Equal(t, 5, report.Handled)
	})
}

// Each event that this version knows has a type of payload.
func TestPayload_OfEachEvent(t *testing.T) {
	payloadOf := func(event terminal49.EventName) string {
		return fmt.Sprintf("%T", testkit.ParsedDelivery(t, aboutResource(event, "x", "x")).Payload)
	}
	count := map[string]int{}
	for _, event := range terminal49.WebhookEvents() {
		count[payloadOf(event)]++
	}
	require.Equal(t, map[string]int{
		"*webhook.TrackingRequestPayload": 4, "*webhook.MilestonePayload": 25, "*webhook.EstimatePayload": 4,
		"*webhook.ContainerCreatedPayload": 1, "*webhook.ContainerUpdatedPayload": 1,
		"*webhook.TerminalChangedPayload": 1, "*webhook.LastFreeDayPayload": 4, "*webhook.AppointmentPayload": 1,
		"*webhook.DocumentPayload": 2, "*webhook.LinkPayload": 1,
	}, count)
	for event, want := range map[terminal49.EventName]string{
		terminal49.EventFullOut: "Milestone", terminal49.EventEstimatedVesselArrived: "Estimate", terminal49.EventLinkCreated: "Link",
		terminal49.EventDocumentRepresentationCreated: "Document", terminal49.EventDocumentRepresentationFailed: "Document",
		terminal49.EventEmailSubmissionCreated: "Unknown", "container.melted": "Unknown", "container.transport.teleported": "Unknown",
	} {
		require.Equal(t, "*webhook."+want+"Payload", payloadOf(event), event)
	}
}
