package terminal49test_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// Source: docs/service.md#pages and #order-of-lists: lists have every resource once, newest first,
// with the total, and each is found by id. The number of containers is that of the option.
func TestSyntheticContainers_AreListedAndFound(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 6, 10, 13, 251} {
		srv := newServer(t, terminal49test.WithSyntheticContainers(n))
		added := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1"})
		extra := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", Shipment: added})
		client := testkit.SimulatedClient(t, srv, terminal49.WithoutRateLimits())
		var containers, listed []string
		last := start
		numbers := map[string]bool{}
		for s, err := range client.Shipments.All(t.Context(), &terminal49.ShipmentListParams{
			Include: []terminal49.ShipmentInclude{terminal49.ShipmentIncludeContainers}, PageParams: terminal49.PageParams{PageSize: 7},
		}) {
			require.NoError(t, err)
			created, _ := s.CreatedAt.Instant()
			require.False(t, created.After(last))
			last = created
			numbers[s.BillOfLadingNumber] = true
			values, complete := s.Containers.Values()
			require.True(t, complete)
			for _, c := range values {
				require.Equal(t, s.ID, c.Shipment.ID())
				containers = append(containers, c.ID)
			}
			one, err := client.Shipments.Get(t.Context(), s.ID, nil)
			require.NoError(t, err)
			require.Equal(t, s.Containers.IDs(), one.Containers.IDs())
		}
		numbersOfContainers := map[string]bool{}
		for c, err := range client.Containers.All(t.Context(), nil) {
			require.NoError(t, err)
			listed = append(listed, c.ID)
			numbersOfContainers[c.Number] = true
			one, err := client.Containers.Get(t.Context(), c.ID, nil)
			require.NoError(t, err)
			require.Equal(t, c.Number, one.Number)
		}
		require.Equal(t, extra, listed[0])
		require.Equal(t, listed, containers, "both lists have the same order")
		require.Len(t, numbersOfContainers, n+1)
		require.Equal(t, float64(n+1), getAPI(t, srv, "/containers?page[size]=1").at("meta/total"))
		require.Equal(t, float64(len(numbers)), getAPI(t, srv, "/shipments?page[size]=1").at("meta/total"))
		require.InDelta(t, float64(n)/2.5, float64(len(numbers)-1), 1)
		slices.Sort(listed)
		require.Len(t, slices.Compact(listed), n+1)
		checkReply(t, getAPI(t, srv, "/containers?page[number]=1000"), 200, map[string]any{"meta/total": float64(n + 1)})
		srv.CheckViolations(t)
	}
}

// Source: the documentation of WithSeed.
func TestSyntheticContainers_FollowFromTheSeed(t *testing.T) {
	first := func(seed int64) string {
		return getAPI(t, newServer(t, terminal49test.WithSyntheticContainers(20), terminal49test.WithSeed(seed)), "/shipments?include=containers").raw
	}
	require.Equal(t, first(3), first(3))
	require.NotEqual(t, first(3), first(4))
}

// changesOf returns the resources of a snapshot that differ from those of another, as a perfect
// copy must notice them.
func changesOf(before, after []terminal49test.Resource) (ids []string) {
	old := map[string]string{}
	for _, r := range before {
		old[r.ID] = string(r.JSON)
	}
	for _, r := range after {
		if old[r.ID] != string(r.JSON) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// Source: the documentation of TouchContainers: each change is visible, at its time, and a list, a
// single read, a snapshot and the history agree.
func TestTouchContainers_ChangesWhatIsRead(t *testing.T) {
	srv := newServer(t, terminal49test.WithSyntheticContainers(500), terminal49test.WithHistory(),
		terminal49test.WithWebhookHandler(&recordingEndpoint{}))
	srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: allEvents(t, srv)})
	types := []string{"shipment", "container"}
	before := slices.Collect(srv.Snapshot(types...))
	require.Len(t, before, 700)
	touched := srv.TouchContainers(40, 40*time.Minute)
	require.Len(t, touched, 40)
	require.Empty(t, changesOf(before, slices.Collect(srv.Snapshot(types...))))
	srv.Advance(20 * time.Minute)
	half := changesOf(before, slices.Collect(srv.Snapshot("container")))
	first := slices.Compact(slices.Sorted(slices.Values(touched[:20])))
	require.ElementsMatch(t, first, half)
	srv.Advance(20 * time.Minute)

	after := slices.Collect(srv.Snapshot(types...))
	require.Len(t, after, 700)
	changed := changesOf(before, after)
	all := slices.Compact(slices.Sorted(slices.Values(touched)))
	require.Equal(t, len(all)+5, len(changed), "and the shipment of every eighth")
	for _, r := range after {
		a := getAPI(t, srv, paths[r.Type]+r.ID)
		require.Contains(t, a.raw, string(r.JSON))
		states := srv.History(r.Type, r.ID)
		require.Equal(t, string(r.JSON), string(states[len(states)-1].JSON))
		require.Equal(t, string(before[slices.IndexFunc(before, func(b terminal49test.Resource) bool { return b.ID == r.ID })].JSON), string(states[0].JSON))
		require.Equal(t, slices.Contains(changed, r.ID), len(states) > 1)
	}
	events := map[string]int{}
	for _, n := range srv.WebhookNotifications() {
		events[n.Event]++
	}
	require.Equal(t, map[string]int{"container.updated": 30, "container.pickup_lfd.changed": 10, "shipment.estimated.arrival": 5}, events)
	require.Empty(t, newServer(t).TouchContainers(3, 0))
	require.Len(t, srv.TouchContainers(3, 0), 3)
}

// Source: docs/service-tracking.md#end-of-tracking, #shipment-filters (tracking_stopped) and
// #removed-containers. They work on synthetic rows as on others.
func TestSyntheticContainers_CanBeChanged(t *testing.T) {
	srv := newServer(t, terminal49test.WithSyntheticContainers(50))
	client := testkit.SimulatedClient(t, srv, terminal49.WithoutRateLimits())
	list := getAPI(t, srv, "/shipments?page[size]=100").list("data")
	require.Len(t, list, 20)
	id := func(i int) string { return testReply{doc: list[i]}.at("id").(string) }
	_, err := client.Shipments.StopTracking(t.Context(), id(3))
	require.NoError(t, err)
	_, err = client.Shipments.Update(t.Context(), id(4), terminal49.ShipmentUpdate{Tags: terminal49.Some([]string{"kept"})})
	require.NoError(t, err)
	count := func(path string) float64 { return getAPI(t, srv, path).at("meta/total").(float64) }
	require.Equal(t, 1.0, count("/shipments?filter[tracking_stopped]=true"))
	require.Equal(t, 19.0, count("/shipments?filter[tracking_stopped]=false&page[size]=1"))
	require.NotContains(t, getAPI(t, srv, "/shipments?filter[tracking_stopped]=false&page[size]=100").raw, id(3))
	require.Equal(t, 1.0, count("/shipments?filter[tags]=kept"), "a filter that reads all rows")
	require.Equal(t, float64(len(srv.ContainerIDs(id(3)))), count("/containers?filter[actively_tracked]=false"))
	require.Equal(t, float64(50-len(srv.ContainerIDs(id(3)))), count("/containers?filter[actively_tracked]=true"))

	removed := srv.ContainerIDs(id(5))[0]
	require.True(t, srv.RemoveContainer(removed))
	require.False(t, srv.RemoveContainer(removed))
	_, err = client.Containers.Get(t.Context(), removed, nil)
	require.ErrorIs(t, err, terminal49.ErrNotFound)
	require.Equal(t, 49.0, count("/containers"))
	moved := srv.ContainerIDs(id(6))
	require.True(t, srv.MergeShipments(id(6), id(7)))
	require.Equal(t, 19.0, count("/shipments"))
	checkReply(t, getAPI(t, srv, "/shipments/"+id(6)), 404, nil)
	require.Subset(t, srv.ContainerIDs(id(7)), moved)
	seen := map[string]bool{}
	for c, err := range client.Containers.All(t.Context(), nil) {
		require.NoError(t, err)
		require.False(t, seen[c.ID])
		seen[c.ID] = true
	}
	require.Len(t, seen, 49)
	srv.AddContainer(terminal49test.Container{ID: removed, Number: "MSKU7182047"})
	require.Equal(t, 50.0, count("/containers"))
	srv.CheckViolations(t)
}

// The goal of WithSyntheticContainers: a million containers take no memory per row.
func TestSyntheticContainers_TakeNoMemory(t *testing.T) {
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	srv := newServer(t, terminal49test.WithSyntheticContainers(1_000_000))
	for _, page := range []int{1, 2000, 4000} {
		a := getAPI(t, srv, fmt.Sprintf("/shipments?include=containers&filter[tracking_stopped]=false&page[size]=100&page[number]=%d", page))
		require.Equal(t, 400_000.0, a.at("meta/total"))
		require.Len(t, a.list("data"), 100)
		require.Len(t, a.list("included"), 250)
		a = getAPI(t, srv, fmt.Sprintf("/containers?include=transport_events&page[size]=50&page[number]=%d", page))
		require.Len(t, a.list("included"), 300)
		require.Equal(t, 400_000.0, getAPI(t, srv, fmt.Sprintf("/tracking_requests?page[number]=%d", page)).at("meta/total"))
	}
	srv.TouchContainers(1000, 0)
	n := 0
	for range srv.Snapshot("container") {
		n++
		if n == 5000 {
			break
		}
	}
	require.Less(t, heap(), before+10<<20)
	runtime.KeepAlive(srv)
}
