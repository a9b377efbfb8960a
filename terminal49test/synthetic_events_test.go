package terminal49test_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// Sources: the documentation of WithSyntheticContainers, six events a container and one tracking
// request a shipment; docs/service-containers.md#transport-events. Milestones are those of the
// container's attributes.
func TestSyntheticContainers_HaveEvents(t *testing.T) {
	srv := newServer(t, terminal49test.WithSyntheticContainers(53))
	client := testkit.SimulatedClient(t, srv, terminal49.WithoutRateLimits())
	events := map[string]bool{}
	for c, err := range client.Containers.All(t.Context(), &terminal49.ContainerListParams{
		Include: []terminal49.ContainerInclude{terminal49.ContainerIncludeTransportEvents},
	}) {
		require.NoError(t, err)
		list, complete := c.TransportEvents.Values()
		require.True(t, complete)
		require.Len(t, list, 6)
		at := map[string]terminal49.Time{}
		for _, e := range list {
			require.False(t, events[e.ID])
			events[e.ID] = true
			at[strings.TrimPrefix(string(e.Event), "container.transport.")] = e.Timestamp
			require.Equal(t, c.ID, e.Container.ID())
			require.Equal(t, c.Shipment.ID(), e.Shipment.ID())
			require.NotEmpty(t, e.Location.ID())
		}
		same := func(milestone string, attribute terminal49.Time) {
			want, ok := attribute.Instant()
			got, there := at[milestone].Instant()
			require.Equal(t, ok, there, milestone)
			require.True(t, want.Equal(got), milestone)
			require.False(t, got.After(start), milestone)
		}
		same("vessel_loaded", c.POLVesselLoadedAt)
		same("vessel_departed", c.POLVesselDepartedAt)
		same("vessel_arrived", c.PODArrivedAt)
		same("vessel_discharged", c.PODDischargedAt)
		one := getAPI(t, srv, "/containers/"+c.ID+"/transport_events").list("data")
		require.Len(t, one, 6)
	}
	require.Len(t, events, 53*6)
	n := 0
	for r := range srv.Snapshot("transport_event") {
		require.True(t, events[r.ID])
		n++
	}
	require.Equal(t, len(events), n)
	checkReply(t, getAPI(t, srv, "/containers/"+slices.Sorted(maps.Keys(events))[0]+"/transport_events"), 404, nil)
	srv.CheckViolations(t)
}

// Source: docs/service.md#other-filters and #includes (tracked_object is always included).
func TestSyntheticContainers_HaveTrackingRequests(t *testing.T) {
	srv := newServer(t, terminal49test.WithSyntheticContainers(250))
	client := testkit.SimulatedClient(t, srv, terminal49.WithoutRateLimits())
	shipments := map[string]bool{}
	var times []time.Time
	for r, err := range client.TrackingRequests.All(t.Context(), nil) {
		require.NoError(t, err)
		s, ok := r.Shipment.Value()
		require.True(t, ok)
		require.Equal(t, r.RequestNumber, s.BillOfLadingNumber)
		require.False(t, shipments[s.ID])
		shipments[s.ID] = true
		one, err := client.TrackingRequests.Get(t.Context(), r.ID, nil)
		require.NoError(t, err)
		require.Equal(t, r.RequestNumber, one.RequestNumber)
		updated, _ := r.UpdatedAt.Instant()
		times = append(times, updated)
	}
	require.Len(t, shipments, 100)
	total := func(query string) float64 {
		return getAPI(t, srv, "/tracking_requests?"+query).at("meta/total").(float64)
	}
	stamp := func(i int) string { return times[i].Format(time.RFC3339) }
	require.Equal(t, 11.0, total("filter[updated_at][start]="+stamp(10)))
	require.Equal(t, 90.0, total("filter[updated_at][end]="+stamp(10)))
	require.Equal(t, 6.0, total("filter[updated_at][start]="+stamp(15)+"&filter[updated_at][end]="+stamp(10)))
	require.Equal(t, 0.0, total("filter[updated_at][start]="+start.Format(time.RFC3339)))
	require.Equal(t, 100.0, total("filter[status]=created"))

	srv.Advance(time.Hour)
	id := getAPI(t, srv, "/shipments?page[number]=3").at("data/0/id").(string)
	_, err := client.Shipments.StopTracking(t.Context(), id)
	require.NoError(t, err)
	a := getAPI(t, srv, "/tracking_requests?filter[updated_at][start]="+start.Format(time.RFC3339))
	require.Len(t, a.list("data"), 1)
	checkReply(t, a, 200, map[string]any{"data/0/attributes/status": "tracking_stopped", "data/0/relationships/tracked_object/data/id": id})
	into := getAPI(t, srv, "/shipments").at("data/0/id").(string)
	require.True(t, srv.MergeShipments(id, into))
	checkReply(t, getAPI(t, srv, "/tracking_requests/"+a.at("data/0/id").(string)), 200, map[string]any{"data/relationships/tracked_object/data/id": into})
	require.Equal(t, 100.0, total(""))
	srv.CheckViolations(t)
}

// Source: docs/service.md#container-filters: updated_at and created_at are days. The filter finds
// the same rows as reading them one by one, changed ones included.
func TestSyntheticContainers_AreFilteredByDay(t *testing.T) {
	srv := newServer(t, terminal49test.WithSyntheticContainers(9000))
	srv.TouchContainers(50, 0)
	moved := getAPI(t, srv, "/shipments?page[number]=20").at("data/0/id").(string)
	require.True(t, srv.MergeShipments(moved, getAPI(t, srv, "/shipments").at("data/0/id").(string)))
	require.True(t, srv.RemoveContainer(getAPI(t, srv, "/containers").at("data/7/id").(string)))
	days := map[string]int{}
	for r := range srv.Snapshot("container") {
		c, _ := srv.Container(r.ID)
		days[c.CreatedAt.Format(time.DateOnly)]++
	}
	require.Greater(t, len(days), 2)
	total := func(query string) int { return int(getAPI(t, srv, "/containers?"+query).at("meta/total").(float64)) }
	for day, n := range days {
		require.Equal(t, n, total("filter[created_at]="+day), day)
	}
	changed := total("filter[updated_at]=>=2024-07-01")
	require.InDelta(t, 52, changed, 3, "the touched and the merged ones")
	require.Equal(t, 8999, changed+total("filter[updated_at]=<2024-07-01"))
	ids := map[string]bool{}
	for page := 1; page <= 2; page++ {
		for _, r := range getAPI(t, srv, fmt.Sprintf("/containers?filter[updated_at]=>=2024-07-01&page[size]=50&page[number]=%d", page)).list("data") {
			ids[testReply{doc: r}.at("id").(string)] = true
		}
	}
	require.Len(t, ids, changed)
	srv.CheckViolations(t)
}

// Source: the documentation of WithReplicaLag: within a response everything is of one moment. The
// events of a moved container name the shipment that it is in.
func TestSyntheticContainers_EventsAreOfTheReplica(t *testing.T) {
	srv := newServer(t, terminal49test.WithSyntheticContainers(10), terminal49test.WithReplicaLag(1, 10*time.Second))
	a := getAPI(t, srv, "/shipments")
	from, into := a.at("data/0/id").(string), a.at("data/1/id").(string)
	container := srv.ContainerIDs(from)[0]
	require.True(t, srv.MergeShipments(from, into))
	for _, want := range []string{from, into} {
		path := "/containers/" + container
		require.Equal(t, want, getAPI(t, srv, path).at("data/relationships/shipment/data/id"))
		for _, e := range getAPI(t, srv, path+"/transport_events").list("data") {
			require.Equal(t, want, testReply{doc: e}.at("relationships/shipment/data/id"))
		}
		srv.Advance(11 * time.Second)
	}
}
