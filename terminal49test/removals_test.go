package terminal49test_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// family adds a shipment with two containers and everything that can refer to them.
func family(t *testing.T, srv *terminal49test.Server, bill string) (shipment string, containers []string) {
	t.Helper()
	shipment = srv.AddShipment(terminal49test.Shipment{
		BillOfLadingNumber: bill, ShippingLine: "MAEU", ReferenceNumbers: []string{"shared", bill}, Tags: []string{bill},
	})
	for serial := range 2 {
		id := srv.AddContainer(terminal49test.Container{
			Number: terminal49test.ContainerNumber("MSKU", len(bill)*10+serial), Shipment: shipment,
		})
		srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.full_in", Container: id, Timestamp: start})
		containers = append(containers, id)
	}
	srv.AddDocument(terminal49test.Document{
		ID: "document of " + bill, FileName: bill, DocumentType: "commercial_invoice", Shipments: []string{shipment}, Containers: containers,
	})
	srv.AddTrackingRequest(terminal49test.TrackingRequest{
		ID: "request of " + bill, RequestNumber: bill, SCAC: "MAEU", Status: "created", Shipment: shipment,
	})
	party := srv.AddParty(terminal49test.Party{CompanyName: "party of " + bill})
	srv.AddPartyRole(terminal49test.PartyRole{ID: "role of " + bill, Role: "consignee", Party: party, Shipment: shipment})
	srv.AddPartyRole(terminal49test.PartyRole{Role: "pickup_dray_carrier", Party: party, Container: containers[0]})
	return shipment, containers
}

func withFields(t *testing.T, srv *terminal49test.Server, entities ...string) {
	t.Helper()
	srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "note", DataType: "short_text", EntityType: "Shipment"})
	srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "gate", DataType: "short_text", EntityType: "Container"})
	for _, e := range entities {
		slug := "note"
		if _, isContainer := srv.Container(e); isContainer {
			slug = "gate"
		}
		_, err := srv.AddCustomField(terminal49test.CustomField{Entity: e, APISlug: slug, Value: e})
		require.NoError(t, err)
	}
}

// readsOf returns the body of every response that could name a shipment or a container.
func readsOf(t *testing.T, srv *terminal49test.Server, shipments ...string) string {
	t.Helper()
	paths := []string{
		"/shipments?include=containers,containers.transport_events", "/containers?include=shipment,transport_events", "/custom_fields",
		"/tracking_requests", "/documents?include=shipments,cargos", "/search?query=MSKU", "/shipments?q=MSKU",
	}
	for _, id := range shipments {
		paths = append(paths, "/shipments/"+id+"?include=containers", "/shipments/"+id+"/party_roles", "/shipments/"+id+"/custom_fields")
	}
	var all strings.Builder
	for _, path := range paths {
		a := getAPI(t, srv, path)
		require.Equal(t, 200, a.status, path)
		all.WriteString(a.raw)
	}
	return all.String()
}

// Source: docs/service-containers.md#removed-containers: staff can delete a container, a known id
// may turn 404, and discarded containers are removed from a shipment without an event.
func TestRemoveContainer_IsNamedNowhere(t *testing.T) {
	srv := newServer(t, terminal49test.WithWebhookHandler(&recordingEndpoint{}))
	shipment, containers := family(t, srv, "MAEU1")
	withFields(t, srv, shipment, containers[0])
	removed, kept := containers[0], containers[1]
	srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: allEvents(t, srv)})
	require.Contains(t, readsOf(t, srv, shipment), removed)

	require.True(t, srv.RemoveContainer(removed))
	require.False(t, srv.RemoveContainer(removed))
	client := testkit.SimulatedClient(t, srv)
	_, err := client.Containers.Get(t.Context(), removed, nil)
	require.ErrorIs(t, err, terminal49.ErrNotFound)
	for _, sub := range []string{"/transport_events", "/raw_events", "/custom_fields", "/party_roles", "/map_geojson"} {
		require.Equal(t, 404, getAPI(t, srv, "/containers/"+removed+sub).status, sub)
	}
	require.NotContains(t, readsOf(t, srv, shipment), removed)
	got, err := client.Shipments.Get(t.Context(), shipment, nil)
	require.NoError(t, err)
	require.Equal(t, []string{kept}, got.Containers.IDs())
	require.Equal(t, []string{kept}, srv.ContainerIDs(shipment))
	srv.Advance(time.Hour)
	require.Empty(t, srv.WebhookNotifications())
	srv.CheckViolations(t)
}

// Source: docs/service-containers.md#removed-containers: a known id may turn 404. What the service
// sent before stays: the log of notifications still has the event.
func TestRemoveContainer_KeepsTheLog(t *testing.T) {
	srv := newServer(t)
	srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: allEvents(t, srv)})
	_, containers := family(t, srv, "MAEU1")
	require.True(t, srv.RemoveContainer(containers[0]))
	for _, n := range srv.WebhookNotifications() {
		a := getAPI(t, srv, "/webhook_notifications/"+n.ID+"?include=reference_object")
		checkReply(t, a, 200, map[string]any{"included/0/id": n.ReferenceID, "included/0/type": n.ReferenceType})
	}
}

// Source: docs/service-containers.md#removed-containers: the service merges shipments. What the id
// of a merged one answers is not documented, so both readings are simulated.
func TestMergeShipments_MovesEverything(t *testing.T) {
	for _, kept := range []bool{false, true} {
		opts := []terminal49test.Option{terminal49test.WithWebhookHandler(&recordingEndpoint{})}
		if kept {
			opts = append(opts, terminal49test.WithMergedShipmentsKept())
		}
		srv := newServer(t, opts...)
		from, moved := family(t, srv, "MAEU1")
		into, own := family(t, srv, "MAEU22")
		withFields(t, srv, from, into)
		srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: allEvents(t, srv)})
		require.False(t, srv.MergeShipments(from, from))
		require.False(t, srv.MergeShipments(from, "unknown"))
		require.False(t, srv.MergeShipments("unknown", into))
		require.True(t, srv.MergeShipments(from, into))

		client := testkit.SimulatedClient(t, srv)
		got, err := client.Shipments.Get(t.Context(), into, nil)
		require.NoError(t, err)
		require.Equal(t, append(own, moved...), got.Containers.IDs())
		require.Equal(t, []string{"shared", "MAEU22", "MAEU1"}, got.ReferenceNumbers)
		require.Equal(t, []string{"MAEU22", "MAEU1"}, got.Tags)
		for _, id := range moved {
			checkReply(t, getAPI(t, srv, "/containers/"+id+"?include=transport_events"), 200, map[string]any{
				"data/relationships/shipment/data/id": into, "included/0/relationships/shipment/data/id": into,
			})
		}
		checkReply(t, getAPI(t, srv, "/tracking_requests/request of MAEU1"), 200, map[string]any{
			"data/relationships/tracked_object/data/id": into,
		})
		checkReply(t, getAPI(t, srv, "/documents/document of MAEU1"), 200, map[string]any{
			"data/relationships/shipments/data/0/id": into,
		})
		require.Contains(t, getAPI(t, srv, "/shipments/"+into+"/party_roles").raw, "role of MAEU1")
		require.Equal(t, map[string]any{"note": into}, srv.CustomFields(into), "its own value stays")
		require.Equal(t, 2.0, getAPI(t, srv, "/shipments?number=MAEU1").at("meta/total").(float64)+map[bool]float64{false: 1}[kept])

		list := getAPI(t, srv, "/shipments")
		if _, err = client.Shipments.Get(t.Context(), from, nil); kept {
			require.NoError(t, err)
			require.Contains(t, list.raw, from)
			require.Empty(t, srv.ContainerIDs(from))
		} else {
			require.ErrorIs(t, err, terminal49.ErrNotFound)
			require.NotContains(t, readsOf(t, srv, into), from)
		}
		srv.Advance(time.Hour)
		require.Empty(t, srv.WebhookNotifications())
		srv.CheckViolations(t)
	}
}

// A merge while a list is read: the containers go on, in the other shipment.
func TestMergeShipments_JourneyContinues(t *testing.T) {
	srv := newServer(t)
	script := func(number, container string) {
		srv.Script(number, terminal49test.Journey{
			Containers: []terminal49test.Container{{Number: container}},
			Steps: []terminal49test.Step{
				{After: time.Hour, Do: terminal49test.VesselDischarged("B-14")},
				{After: 3 * time.Hour, Do: terminal49test.HoldPlaced(terminal49test.Hold{Name: "freight"})},
				{After: 4 * time.Hour, Do: terminal49test.FeeAccrues(terminal49test.Fee{Type: "demurrage", Amount: 100})},
			},
		})
	}
	script("MAEU111111111", "MSKU7182047")
	script("MAEU222222222", "MSKU1234565")
	script("MAEU333333333", "MSKU0000018")
	var shipments, containers []string
	for _, number := range []string{"MAEU111111111", "MAEU222222222", "MAEU333333333"} {
		id := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: number, SCAC: "MAEU"})
		srv.Advance(time.Minute)
		r, _ := srv.TrackingRequest(id)
		shipments, containers = append(shipments, r.Shipment), append(containers, srv.ContainerIDs(r.Shipment)[0])
	}
	srv.Advance(90 * time.Minute)
	require.True(t, srv.MergeShipments(shipments[0], shipments[1]))
	require.True(t, srv.MergeShipments(shipments[1], shipments[2]))
	srv.Advance(3 * time.Hour)
	srv.RemoveContainer(containers[1])
	srv.Advance(24 * time.Hour)
	for _, i := range []int{0, 2} {
		c, _ := srv.Container(containers[i])
		require.Equal(t, shipments[2], c.Shipment)
		require.Len(t, c.Holds, 1)
		require.Equal(t, 200.0, c.Fees[0].Amount, "two days")
	}
	require.Equal(t, []string{containers[2], containers[0]}, srv.ContainerIDs(shipments[2]))
}
