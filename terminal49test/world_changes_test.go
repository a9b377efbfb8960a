package terminal49test_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// link is a resource identifier with the relationships of the resource.
type link struct {
	Type, ID      string
	Relationships map[string]struct{ Data json.RawMessage }
}

func targets(t *testing.T, raw json.RawMessage) (list []link) {
	t.Helper()
	for _, one := range listOf(t, raw) {
		var l link
		require.NoError(t, json.Unmarshal(one, &l))
		list = append(list, l)
	}
	return list
}

// listed returns the ids of all pages of a list, which must not repeat one.
func listed(t *testing.T, srv *terminal49test.Server, path string) map[string]bool {
	t.Helper()
	ids := map[string]bool{}
	for page := 1; ; page++ {
		a := getAPI(t, srv, fmt.Sprintf("%s?page[size]=7&page[number]=%d", path, page))
		if len(a.list("data")) == 0 {
			require.Equal(t, float64(len(ids)), a.at("meta/total"), path)
			return ids
		}
		for _, r := range a.list("data") {
			id := testReply{doc: r}.at("id").(string)
			require.False(t, ids[id], "%s lists %s twice", path, id)
			ids[id] = true
		}
	}
}

// Sources: docs/service.md#order-of-lists (lists have each resource once) and #removed-containers.
// After any changes a snapshot, the lists, the relationships and the history agree, for synthetic
// containers too.
func TestWorld_StaysConsistentWhileItChanges(t *testing.T) {
	for seed := range uint64(testkit.Scale(3, 60)) {
		random := rand.New(rand.NewPCG(seed, 1))
		srv := newServer(t, terminal49test.WithSyntheticContainers(30), terminal49test.WithHistory(),
			terminal49test.WithReplicaLag(0, time.Minute), terminal49test.WithWebhookHandler(&recordingEndpoint{}))
		srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: allEvents(t, srv)})
		for i := range 3 {
			family(t, srv, fmt.Sprint("MAEU", i))
		}
		for range 40 {
			changeWorld(srv, random)
			srv.Advance(time.Duration(random.IntN(100)) * time.Second)
		}
		exists := map[string]bool{}
		var links []link
		for r := range srv.Snapshot() {
			exists[r.Type+r.ID] = true
			links = append(links, targets(t, r.JSON)...)
			states := srv.History(r.Type, r.ID)
			require.True(t, r.Type == "vessel" || string(states[len(states)-1].JSON) == string(r.JSON), "seed %d: %s", seed, r.JSON)
		}
		for _, l := range links {
			for name, relation := range l.Relationships {
				for _, to := range targets(t, relation.Data) {
					gone := (to.Type == "shipment" || to.Type == "container") && !exists[to.Type+to.ID]
					require.False(t, gone, "seed %d: %s of %s %s names %s, which is gone", seed, name, l.Type, l.ID, to.ID)
				}
			}
		}
		for kind, path := range map[string]string{"shipment": "/shipments", "container": "/containers"} {
			ids := listed(t, srv, path)
			n := 0
			for r := range srv.Snapshot(kind) {
				require.True(t, ids[r.ID], "seed %d: %s does not list %s", seed, path, r.ID)
				n++
			}
			require.Len(t, ids, n)
		}
	}
}

// changeWorld makes one random change.
func changeWorld(srv *terminal49test.Server, random *rand.Rand) {
	var shipments, containers []string
	for r := range srv.Snapshot("shipment", "container") {
		if r.Type == "shipment" {
			shipments = append(shipments, r.ID)
		} else {
			containers = append(containers, r.ID)
		}
	}
	a, b := shipments[random.IntN(len(shipments))], shipments[random.IntN(len(shipments))]
	c := containers[random.IntN(len(containers))]
	switch random.IntN(6) {
	case 0:
		srv.RemoveContainer(c)
	case 1:
		srv.MergeShipments(a, b)
	case 2:
		srv.TouchContainers(3, time.Minute)
	case 3:
		srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", Shipment: a})
	case 4:
		srv.UpdateContainer(c, func(c *terminal49test.Container) { c.Shipment = b })
		srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.full_in", Container: c, Timestamp: start})
	case 5:
		srv.UpdateShipment(a, func(s *terminal49test.Shipment) { s.PODTerminal, s.PODETA = "Maher", s.PODETA.Add(time.Hour) })
	}
}
