package terminal49test_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// paths are those of the resources that the OpenAPI document has by id.
var paths = map[string]string{
	"shipping_line": "/shipping_lines/", "port": "/ports/", "metro_area": "/metro_areas/", "terminal": "/terminals/",
	"vessel": "/vessels/", "party": "/parties/", "shipment": "/shipments/", "container": "/containers/",
	"tracking_request": "/tracking_requests/", "custom_field_definition": "/custom_field_definitions/",
	"custom_field": "/custom_fields/", "document": "/documents/", "webhook": "/webhooks/",
	"webhook_notification": "/webhook_notifications/",
}

// busyWorld is a world with a resource of each type, after ten days.
func busyWorld(t *testing.T, opts ...terminal49test.Option) *terminal49test.Server {
	t.Helper()
	srv := newServer(t, append(opts, terminal49test.WithWebhookHandler(&recordingEndpoint{}))...)
	srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: allEvents(t, srv)})
	srv.SeedDemo()
	srv.AddDocument(terminal49test.Document{FileName: "MAEU240711002.pdf", Content: []byte("MAEU240711002")})
	id := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1"})
	withFields(t, srv, id)
	srv.AddPartyRole(terminal49test.PartyRole{Role: "customer", Shipment: id})
	srv.UpdateShipment(id, func(s *terminal49test.Shipment) { s.PODETA = start.Add(time.Hour) })
	srv.Advance(10 * 24 * time.Hour)
	return srv
}

// Source: the operations of the OpenAPI document that return one resource. A snapshot has what they
// return, and lists return as many.
func TestSnapshot_IsWhatTheAPIReturns(t *testing.T) {
	srv := busyWorld(t)
	count := map[string]int{}
	for r := range srv.Snapshot() {
		count[r.Type]++
		if paths[r.Type] == "" {
			continue
		}
		var resp struct{ Data json.RawMessage }
		a := getAPI(t, srv, paths[r.Type]+r.ID)
		require.NoError(t, json.Unmarshal([]byte(a.raw), &resp), paths[r.Type]+r.ID)
		require.JSONEq(t, string(resp.Data), string(r.JSON))
	}
	for kind := range paths {
		require.NotZero(t, count[kind], kind)
	}
	for _, kind := range []string{"transport_event", "raw_event", "party_role", "document_representation", "estimated_event", "container_updated_event"} {
		require.NotZero(t, count[kind], kind)
	}
	for _, list := range []string{"shipment", "container", "tracking_request", "document", "webhook_notification"} {
		a := getAPI(t, srv, strings.TrimSuffix(paths[list], "/")+"?page[size]=1")
		require.Equal(t, float64(count[list]), a.at("meta/total"), list)
	}
}

// Source: the documentation of Snapshot: a stable order, and only the types asked for.
func TestSnapshot_OrderAndTypes(t *testing.T) {
	srv := busyWorld(t)
	all := slices.Collect(srv.Snapshot())
	require.Equal(t, all, slices.Collect(srv.Snapshot()))
	some := slices.DeleteFunc(slices.Clone(all), func(r terminal49test.Resource) bool { return r.Type != "container" && r.Type != "party" })
	require.Equal(t, some, slices.Collect(srv.Snapshot("container", "party")))
	for range srv.Snapshot() {
		break // an iterator must accept that
	}
	container := some[len(some)-1].ID
	require.True(t, srv.RemoveContainer(container))
	for r := range srv.Snapshot("container", "transport_event", "shipment", "document") {
		require.NotContains(t, string(r.JSON), container)
	}
}

// Source: the documentation of History: everything that a response or a webhook sent was a state.
func TestHistory_HasEverythingThatWasSaid(t *testing.T) {
	in := &recordingEndpoint{}
	srv := newServer(t, terminal49test.WithHistory(), terminal49test.WithWebhookHandler(in))
	srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: allEvents(t, srv)})
	srv.SeedDemo()
	var said []string
	for range 20 {
		srv.Advance(31 * time.Hour)
		for _, path := range []string{
			"/shipments?include=containers,containers.transport_events", "/containers?page[number]=1&include=shipment,raw_events",
			"/tracking_requests", "/webhook_notifications?include=reference_object", "/documents",
		} {
			said = append(said, getAPI(t, srv, path).raw)
		}
	}
	states := map[string]bool{}
	for _, s := range srv.History("", "") {
		states[string(s.JSON)] = true
	}
	checked := map[string]int{}
	for _, doc := range append(said, in.bodies...) {
		var d struct{ Data, Included json.RawMessage }
		require.NoError(t, json.Unmarshal([]byte(doc), &d))
		for _, raw := range append(listOf(t, d.Data), listOf(t, d.Included)...) {
			var r struct {
				Type          string
				Relationships json.RawMessage
			}
			require.NoError(t, json.Unmarshal(raw, &r))
			if r.Type == "vessel" || r.Relationships == nil && r.Type == "transport_event" { // bare in some bodies
				continue
			}
			checked[r.Type]++
			require.True(t, states[string(raw)], "%s is not in the history", raw)
		}
	}
	require.GreaterOrEqual(t, len(checked), 10)
}

func listOf(t *testing.T, raw json.RawMessage) (list []json.RawMessage) {
	t.Helper()
	if len(raw) == 0 || raw[0] == '{' {
		return append(list, raw)[:min(1, len(raw))]
	}
	require.NoError(t, json.Unmarshal(raw, &list))
	return list
}

// Source: the documentation of History. Each change is one state, with its time.
func TestHistory_OfOneContainer(t *testing.T) {
	srv := newServer(t, terminal49test.WithHistory())
	id := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047"})
	client := testkit.SimulatedClient(t, srv)
	srv.Advance(time.Hour)
	srv.UpdateContainer(id, func(c *terminal49test.Container) { c.SealNumber = "S1" })
	srv.UpdateContainer(id, func(c *terminal49test.Container) { c.SealNumber = "S1" })
	srv.Advance(time.Hour)
	_, err := client.Containers.Update(t.Context(), id, terminal49.ContainerUpdate{ReferenceNumbers: terminal49.Some([]string{"PO-1"})})
	require.NoError(t, err)
	srv.Advance(time.Hour)
	srv.RemoveContainer(id)
	states := srv.History("container", id)
	require.Len(t, states, 4)
	for i, s := range states {
		require.Equal(t, start.Add(time.Duration(i)*time.Hour), s.At)
		require.Equal(t, i == 3, s.Removed)
		require.Equal(t, id, s.ID)
	}
	require.Contains(t, string(states[1].JSON), `"seal_number":"S1"`)
	require.Contains(t, string(states[2].JSON), `"ref_numbers":["PO-1"]`)
	require.Nil(t, states[3].JSON)
	require.Len(t, srv.History("container", ""), 4)
	require.Empty(t, srv.History("shipment", id))
	require.Nil(t, newServer(t).History("", ""))
}

// Source: the documentation of History: every state is there, from any cause. The history
// renders what journeys, polls and deliveries can have changed; HistoryMisses renders everything.
func TestHistory_MissesNoChange(t *testing.T) {
	srv := busyWorld(t, terminal49test.WithHistory(), terminal49test.WithWebhookNoise(terminal49test.WebhookNoise{Lost: 0.2, DelayEvery: 3}))
	createRequest(t, srv, "MAEU990000001", "MAEU")
	createRequest(t, srv, "TEST-TR-FAILED", "TEST")
	for range 100 {
		srv.Advance(12 * time.Hour)
		require.Empty(t, terminal49test.HistoryMisses(srv))
	}
}

// Source: the documentation of WithHistoryFunc.
func TestHistoryFunc_ReportsEachState(t *testing.T) {
	var states []terminal49test.State
	srv := busyWorld(t, terminal49test.WithHistoryFunc(func(s terminal49test.State) { states = append(states, s) }))
	want := busyWorld(t, terminal49test.WithHistory()).History("", "")
	require.NotEmpty(t, want)
	require.Equal(t, want, states)
	require.Nil(t, srv.History("", ""))
}

// Source: the documentation of Snapshot: with types it returns those. Each type that there is can
// be asked for.
func TestSnapshot_OfEachType(t *testing.T) {
	srv := busyWorld(t)
	srv.AddTerminal(terminal49test.Terminal{Name: "Old Ramp", Nickname: "OR", MetroArea: "USCHI", AsRail: true})
	count := map[string]int{}
	for r := range srv.Snapshot() {
		count[r.Type]++
	}
	require.Contains(t, count, "rail_terminal")
	for kind, n := range count {
		require.Len(t, slices.Collect(srv.Snapshot(kind)), n, kind)
	}
}
