package terminal49test_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// Source: docs/service.md#lagging-lists: lists may be read from a lagging replica, so that what was
// just written may be missing. The lag is that of the option.
func TestReplicaLag_ReadsMissWhatWasJustWritten(t *testing.T) {
	srv := newServer(t, terminal49test.WithReplicaLag(1, 10*time.Second), terminal49test.WithSyntheticContainers(10))
	shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1"})
	container := srv.AddContainer(terminal49test.Container{
		Number: "MSKU7182047", Shipment: shipment, Fees: []terminal49test.Fee{{Type: "exam", Amount: 1}},
	})
	client := testkit.SimulatedClient(t, srv)
	srv.Advance(time.Minute)

	updated, err := client.Shipments.Update(t.Context(), shipment, terminal49.ShipmentUpdate{Tags: terminal49.Some([]string{"new"})})
	require.NoError(t, err)
	require.Equal(t, []string{"new"}, updated.Tags, "the response of a write is not of the replica")
	srv.UpdateContainer(container, func(c *terminal49test.Container) { c.Fees[0].Amount = 2 })
	created, err := client.TrackingRequests.Create(t.Context(), terminal49.TrackingRequestCreate{
		RequestType: terminal49.RequestTypeBillOfLading, RequestNumber: "MAEU123456789", SCAC: "MAEU",
	})
	require.NoError(t, err)
	synthetic := srv.TouchContainers(1, 0)[0]
	later := srv.AddContainer(terminal49test.Container{Number: "MSKU0000018", Shipment: shipment})

	reads := func() string {
		var all strings.Builder
		for _, path := range []string{"/shipments?include=containers", "/containers?page[size]=50", "/containers/" + synthetic, "/tracking_requests",
			"/tracking_requests/" + created.ID, "/containers/" + later} {
			all.WriteString(getAPI(t, srv, path).raw)
		}
		return all.String()
	}
	news := []string{`"tags":["new"]`, `"amount":2`, created.ID, `"location_at_pod_terminal":"T-1"`, later}
	old := reads()
	for _, text := range news {
		require.NotContains(t, old, text)
	}
	require.Contains(t, old, `"amount":1`)
	require.Equal(t, 404, getAPI(t, srv, "/containers/"+later).status)
	require.Equal(t, 10.0+1, getAPI(t, srv, "/containers").at("meta/total"))

	srv.Advance(11 * time.Second)
	caughtUp := reads()
	for _, text := range news {
		require.Contains(t, caughtUp, text)
	}
	require.True(t, srv.RemoveContainer(container))
	require.Equal(t, 200, getAPI(t, srv, "/containers/"+container).status)
	srv.Advance(11 * time.Second)
	require.Equal(t, 404, getAPI(t, srv, "/containers/"+container).status)
	srv.CheckViolations(t)
}

// Source: the documentation of WithReplicaLag: what is read is the state of a moment in the lag.
// The history has the states with their times.
func TestReplicaLag_ReadsAreOfTheLag(t *testing.T) {
	const lag = 20 * time.Second
	read := func(share float64, seed int64) (current, lagged int) {
		srv := newServer(t, terminal49test.WithReplicaLag(share, lag), terminal49test.WithHistory(), terminal49test.WithSeed(seed))
		id := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047"})
		random := rand.New(rand.NewPCG(1, 2))
		srv.Advance(time.Minute)
		for n := range 300 {
			srv.Advance(time.Duration(random.IntN(9)) * time.Second)
			if random.IntN(2) == 0 {
				srv.UpdateContainer(id, func(c *terminal49test.Container) { c.SealNumber = fmt.Sprint("S", n) })
			}
			path := []string{"/containers/" + id, "/containers?filter[number]=MSKU7182047"}[n%2]
			var resp struct{ Data json.RawMessage }
			require.NoError(t, json.Unmarshal([]byte(getAPI(t, srv, path).raw), &resp))
			raw := strings.Trim(string(resp.Data), "[]")
			states := srv.History("container", id)
			allowed := false
			for i, s := range states {
				isNow := i == len(states)-1
				valid := isNow || !states[i+1].At.Before(srv.Now().Add(-lag))
				allowed = allowed || valid && string(s.JSON) == raw
				if isNow && string(s.JSON) == raw {
					current++
				}
			}
			require.True(t, allowed, "%s is not a state of the last %s", raw, lag)
		}
		return current, 300 - current
	}
	_, none := read(0, 1)
	require.Zero(t, none)
	current, lagged := read(0.5, 1)
	require.Greater(t, current, 50)
	require.Greater(t, lagged, 50)
	again, _ := read(0.5, 1)
	require.Equal(t, current, again, "the seed decides")
	_, all := read(1, 1)
	require.Greater(t, all, lagged)
}

// Source: the documentation of WithReplicaLag. A busy world is copied whole: every list of the
// replica is that of the world before.
func TestReplicaLag_CopiesTheWholeWorld(t *testing.T) {
	srv := busyWorld(t, terminal49test.WithReplicaLag(1, time.Hour))
	lists := []string{
		"/shipments?include=containers,containers.transport_events,containers.raw_events&flag[parties]=true", "/containers?include=shipment",
		"/tracking_requests", "/parties", "/documents?include=last_document_representation", "/custom_field_definitions", "/webhooks",
		"/webhook_notifications?include=reference_object", "/shipping_lines", "/email_submissions", "/search?query=MAEU",
	}
	read := func() (all []string) {
		for _, path := range lists {
			a := getAPI(t, srv, path)
			require.Equal(t, http.StatusOK, a.status, path)
			all = append(all, a.raw)
		}
		return all
	}
	srv.Advance(2 * time.Hour)
	before := read()
	for r := range srv.Snapshot("shipment", "container", "document") {
		srv.UpdateShipment(r.ID, func(s *terminal49test.Shipment) { s.Tags = append(s.Tags, "changed") })
		srv.UpdateDocument(r.ID, func(d *terminal49test.Document) { d.Name = "changed" })
		srv.RemoveContainer(r.ID)
	}
	srv.AddParty(terminal49test.Party{CompanyName: "changed"})
	srv.AddShippingLine(terminal49test.ShippingLine{SCAC: "ZZZZ", Name: "changed"})
	srv.UpdateWebhook(srv.WebhookNotifications()[0].Webhook, func(h *terminal49test.Webhook) { h.Events[0] = "changed" })
	require.Equal(t, before, read())
	srv.Advance(2 * time.Hour)
	require.NotEqual(t, before, read())
}
