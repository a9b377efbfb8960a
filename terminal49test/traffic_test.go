package terminal49test_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// trafficFor runs traffic for some days and returns what the service then has and what it sent.
func trafficFor(t *testing.T, seed int64, days int) ([]terminal49test.Resource, []string) {
	t.Helper()
	in := &recordingEndpoint{}
	srv := newServer(t, terminal49test.WithSeed(seed), terminal49test.WithWebhookHandler(in))
	srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: allEvents(t, srv)})
	srv.SeedTraffic(40)
	srv.Advance(time.Duration(days) * day)
	return slices.Collect(srv.Snapshot()), in.bodies
}

// Source: the documentation of SeedTraffic: what happens follows from the seed.
func TestSeedTraffic_FollowsFromTheSeed(t *testing.T) {
	world, said := trafficFor(t, 1, 5)
	again, saidAgain := trafficFor(t, 1, 5)
	require.Equal(t, world, again)
	require.Equal(t, said, saidAgain)
	other, _ := trafficFor(t, 2, 5)
	require.NotEqual(t, world, other)
}

// Source: the documentation of SeedTraffic, which lists what happens, and
// docs/service-containers.md#event-names.
func TestSeedTraffic_GoesOn(t *testing.T) {
	srv := newServer(t, terminal49test.WithWebhookHandler(&recordingEndpoint{}))
	srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: allEvents(t, srv)})
	shipments := srv.SeedTraffic(200)
	require.InDelta(t, 200, len(shipments), 20)
	require.Empty(t, srv.WebhookNotifications(), "only what happens from now on")
	require.Nil(t, srv.SeedTraffic(200), "only once")
	before := map[string]string{}
	for r := range srv.Snapshot("shipment", "container") {
		before[r.ID] = r.Type
	}
	require.InDelta(t, 500, len(before)-len(shipments), 60)
	seen := map[string]bool{}
	for range 30 {
		srv.Advance(day)
		for r := range srv.Snapshot("container") {
			c, _ := srv.Container(r.ID)
			seen["status "+c.CurrentStatus] = true
			for _, h := range c.Holds {
				seen["hold "+h.Name] = true
			}
			for _, f := range c.Fees {
				seen["fee "+f.Type] = true
			}
		}
	}
	for _, n := range srv.WebhookNotifications() {
		seen[n.Event] = true
	}
	gone, added := 0, 0
	for r := range srv.Snapshot("shipment", "container") {
		if before[r.ID] == "" {
			added++
		}
		delete(before, r.ID)
	}
	kinds := map[string]bool{}
	for _, kind := range before {
		kinds[kind] = true
		gone++
	}
	require.Equal(t, map[string]bool{"shipment": true, "container": true}, kinds, "removals and merges")
	require.Less(t, gone, 60)
	require.Greater(t, added, 300)
	for _, want := range strings.Fields(`tracking_request.succeeded tracking_request.failed tracking_request.awaiting_manifest
		tracking_request.tracking_stopped container.created container.updated shipment.estimated.arrival document.extracted
		container.transport.vessel_departed container.transport.vessel_arrived container.transport.vessel_berthed
		container.transport.vessel_discharged container.transport.available container.transport.not_available
		container.transport.full_out container.transport.empty_in container.transport.rail_arrived
		container.transport.transshipment_loaded container.pickup_lfd.changed container.pickup_lfd_line.changed
		container.pickup_lfd_rail.changed container.pickup_appointment.changed`) {
		require.True(t, seen[want], want)
	}
	for _, want := range []string{
		"status on_ship", "status grounded", "status available", "status not_available", "status picked_up", "status empty_returned",
		"status on_rail", "hold freight", "hold customs", "hold USDA", "fee demurrage", "fee exam", "fee total",
	} {
		require.True(t, seen[want], want)
	}
}

// "Everything follows from the seed and the start time", on 32 bits too: the values are of 64 bits.
// Source: the documentation of SeedTraffic.
func TestSeedTraffic_IsTheSameOnEveryMachine(t *testing.T) {
	srv := newServer(t)
	srv.SeedTraffic(40)
	srv.Advance(20 * day)
	count := map[string]int{}
	for r := range srv.Snapshot() {
		count[r.Type]++
	}
	require.Equal(t, []int{135, 45, 1140, 53, 1905}, []int{
		count["container"], count["document"], count["raw_event"], count["shipment"], count["transport_event"],
	})
}

// Every list can be decoded, relationships name what exists, and a container has a number with the
// check digit of ISO 6346.
func TestSeedTraffic_IsAValidWorld(t *testing.T) {
	srv := newServer(t)
	srv.SeedTraffic(60)
	srv.Advance(9 * day)
	client := testkit.SimulatedClient(t, srv, terminal49.WithoutRateLimits())
	lines, ports, customers, containers := map[string]bool{}, map[string]bool{}, map[string]bool{}, 0
	for s, err := range client.Shipments.All(t.Context(), &terminal49.ShipmentListParams{
		Include: []terminal49.ShipmentInclude{terminal49.ShipmentIncludeContainers, terminal49.ShipmentIncludePODTerminal},
	}) {
		require.NoError(t, err)
		lines[s.ShippingLineSCAC], ports[s.PortOfDischargeLOCODE], customers[s.CustomerName] = true, true, true
		require.NotEmpty(t, s.PODVesselName)
		_, ok := s.PODTerminal.Value()
		require.True(t, ok)
		list, complete := s.Containers.Values()
		require.True(t, complete)
		containers += len(list)
		for _, c := range list {
			_, err := terminal49.ParseContainerNumber(c.Number)
			require.NoError(t, err)
		}
	}
	require.GreaterOrEqual(t, len(lines), 6)
	require.GreaterOrEqual(t, len(ports), 5)
	require.GreaterOrEqual(t, len(customers), 6)
	require.Equal(t, float64(containers), getAPI(t, srv, "/containers").at("meta/total"))
	srv.CheckViolations(t)
}

// Source: the documentation of WithHistory.
func TestSeedTraffic_HasAHistory(t *testing.T) {
	srv := newServer(t, terminal49test.WithHistory(), terminal49test.WithWebhookHandler(&recordingEndpoint{}))
	srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: allEvents(t, srv)})
	srv.SeedTraffic(20)
	for range testkit.Scale(10, 30) {
		srv.Advance(7 * time.Hour)
		require.Empty(t, terminal49test.HistoryMisses(srv))
	}
}

// Source: the documentation of SetSpeed. Deliveries follow the clock.
func TestSetSpeed_StopsAndStartsTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := &recordingEndpoint{}
		srv := newServer(t, terminal49test.WithWebhookHandler(in))
		srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: []string{"container.created"}})
		add := func() { srv.AddContainer(terminal49test.Container{Number: "MSKU7182047"}) }
		for _, step := range []struct {
			speed     float64
			now       time.Duration
			delivered int
		}{{3600, time.Hour, 1}, {0, time.Hour, 1}, {7200, 3 * time.Hour, 3}, {-1, 3 * time.Hour, 3}} {
			srv.SetSpeed(step.speed)
			add()
			time.Sleep(time.Second)
			synctest.Wait()
			require.Equal(t, step.now, srv.Now().Sub(start))
			require.Len(t, in.bodies, step.delivered)
		}
		srv.Advance(time.Minute)
		require.Len(t, in.bodies, 4, "a stopped clock can be advanced")
		srv.Close()
		srv.SetSpeed(1)
	})
}
