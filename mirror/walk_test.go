package mirror

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/terminal49test"
)

// far is a transport with a latency.
type far struct {
	next http.RoundTripper
	wait time.Duration
}

func (f far) RoundTrip(r *http.Request) (*http.Response, error) {
	mirrortest.Advance(f.wait)
	resp, err := f.next.RoundTrip(r)
	mirrortest.Advance(f.wait)
	return resp, err
}

// mirrorVia returns a mirror whose requests take a transport.
func (w *world) mirrorVia(transport http.RoundTripper, opts ...Option) *Mirror {
	w.Helper()
	client, err := terminal49.New(w.srv.Token, terminal49.WithBaseURL(w.srv.URL), terminal49.WithHTTPClient(&http.Client{Transport: transport}))
	require.NoError(w, err)
	m, err := New(client, w.db, opts...)
	require.NoError(w, err)
	m.db.Reached = func(point string) {
		if w.reached != nil {
			w.reached(point)
		}
	}
	return m
}

// Insertion, stop, deletion and merge while a walk runs leave no false tombstone, and all
// is equal after the walks that follow.
func TestWalk_ListChanges(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		m := w.mirrorVia(far{w.srv.Transport(), time.Second}, WithActiveInterval(4*time.Minute), WithWholeInterval(12*time.Minute))
		stop := w.start(m)
		var shipments []string
		for r := range w.srv.Snapshot("shipment") {
			shipments = append(shipments, r.ID)
		}
		for i := range 20 {
			mirrortest.Advance(2 * time.Second)
			at, now := i*(len(shipments)/20), w.srv.Now()
			w.srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU" + strconv.Itoa(700_000_000+i), ShippingLine: "MAEU"})
			w.srv.UpdateShipment(shipments[at], func(s *terminal49test.Shipment) { s.LineTrackingStoppedAt = now })
			w.srv.RemoveContainer(w.srv.ContainerIDs(shipments[at+1])[0])
			w.srv.TouchContainers(10, 0)
			if i%4 == 0 {
				w.srv.MergeShipments(shipments[at+2], shipments[at+3])
			}
		}
		mirrortest.Advance(10 * time.Minute)
		for what := range w.gone() {
			require.NotContains(w, w.living(), what, "a false tombstone")
		}
		mirrortest.Advance(40 * time.Minute)
		require.NoError(w, stop())
		w.requireEqual()
		require.NotEmpty(w, w.gone())
	}, standing, terminal49test.WithSyntheticContainers(1000))
}

// gone returns the rows that are deleted.
func (w *world) gone() map[model.Ref]bool {
	w.Helper()
	list := map[model.Ref]bool{}
	for _, name := range []string{"shipments", "containers", "tracking_requests"} {
		rows, err := w.db.Query(w.sql("select type, id from t49." + name + " where deleted_at is not null"))
		require.NoError(w, err)
		for rows.Next() {
			var r model.Ref
			require.NoError(w, rows.Scan(&r.Type, &r.ID))
			list[r] = true
		}
		require.NoError(w, rows.Close())
	}
	return list
}

func (w *world) living() map[model.Ref]bool {
	list := map[model.Ref]bool{}
	for r := range w.srv.Snapshot("shipment", "container", "tracking_request") {
		list[model.Ref{Type: r.Type, ID: r.ID}] = true
	}
	return list
}

// A page of containers has at most 50, however many are asked for.
func TestWalk_PagesCappedInSilence(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		w.runFor(w.mirror(), 10*time.Minute)
		w.requireEqual()
		require.Equal(w, 50, w.count("select size from walks where scope = 'containers'"))
		require.Equal(w, 100, w.count("select size from walks where scope = 'shipments'"))
		require.Equal(w, 220, w.count("select total from walks where scope = 'containers'"))
		require.Equal(w, 220, w.count("select seen from walks where scope = 'containers'"))
	}, standing, terminal49test.WithSyntheticContainers(220))
}

// A service ignores parameters that it does not have. A filter that it ignores is
// noticed, and what the list shows is used all the same.
func TestWalk_FilterIgnored(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		demo, now := w.srv.SeedDemo(), w.srv.Now()
		w.srv.UpdateShipment(demo.Shipments[0], func(s *terminal49test.Shipment) { s.LineTrackingStoppedAt = now })
		m := w.mirror(WithWholeInterval(time.Hour))
		stop := w.start(m)
		mirrortest.Advance(time.Minute)
		require.Equal(w, 1, w.count("select count(*) from walks where scope = 'shipments.active' and problem like '%ignores the filter%'"))
		w.srv.RemoveContainer(w.srv.ContainerIDs(demo.Shipments[1])[0])
		mirrortest.Advance(3 * time.Hour)
		require.NoError(w, stop())
		w.requireEqual()
		require.Len(w, w.gone(), 1)
	}, standing, terminal49test.WithIgnored("", "filter[tracking_stopped]", "filter[updated_at][start]", "include=containers", "include=containers.transport_events", "sort"))
}

// A page that the service cannot answer in time is asked for in smaller pages.
func TestWalk_SmallerPagesAfterErrors(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		m := w.mirrorVia(heavy{w.srv.Transport()})
		w.runFor(m, 20*time.Minute)
		w.requireEqual()
		require.Equal(w, 25, w.count("select size from walks where scope = 'shipments'"))
	}, standing, terminal49test.WithSyntheticContainers(500))
}

// heavy fails on pages of more than 25 shipments, and does not answer for more than 50.
type heavy struct{ next http.RoundTripper }

func (h heavy) RoundTrip(r *http.Request) (*http.Response, error) {
	size, _ := strconv.Atoi(r.URL.Query().Get("page[size]"))
	if r.URL.Path == "/v2/shipments" && size > 50 {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	if r.URL.Path == "/v2/shipments" && size > 25 {
		return &http.Response{StatusCode: 504, Status: "504 Gateway Timeout", Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	}
	return h.next.RoundTrip(r)
}

// The live list of custom fields answers 500. It must not stop the others.
func TestWalk_ListThatAlwaysFails(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		w.srv.SeedDemo()
		w.runFor(w.mirror(), 30*time.Minute)
		w.requireEqual()
		require.Equal(w, 1, min(1, w.count("select count(*) from walks where scope = 'custom_fields' and state = 'done' and problem like '%500%'")))
		require.Equal(w, 1, w.count("select count(*) from walks where scope = 'shipping_lines' and state = 'done' and problem is null"))
	}, standing, terminal49test.WithBrokenCustomFieldList())
}

// A backfill that the limit bounds uses 97 % of the share that it was granted.
func TestWalk_UsesItsShare(t *testing.T) {
	t.Parallel()
	minutes := mirrortest.Scale(1, 2)
	simulated(t, func(w *world) {
		m := w.mirrorVia(far{w.srv.Transport(), 400 * time.Millisecond}, WithRateLimitShare(0.6))
		stop := w.start(m)
		mirrortest.Advance(time.Minute)
		before, granted := len(w.srv.Requests()), minutes*60
		mirrortest.Advance(time.Duration(minutes) * time.Minute)
		n := len(w.srv.Requests()) - before
		require.NoError(w, stop())
		t.Logf("%d requests in %d minutes; %d are granted", n, minutes, granted)
		require.GreaterOrEqual(w, n, (granted*97+99)/100)
		require.LessOrEqual(w, n, granted)
	}, standing, terminal49test.WithSyntheticContainers((1+minutes)*5_000), terminal49test.WithIgnored("shipments.list", "page[size]"))
}

// Filter[updated_at] of containers, a day, may exist. With it, what changed is
// found before the next walk over everything, also in shipments that are not tracked; a service
// that ignores it is not used.
func TestWalk_ChangedContainers(t *testing.T) {
	t.Parallel()
	for name, ignored := range map[string][]string{"honoured": nil, "ignored": {"filter[updated_at]", "sort"}} {
		t.Run(name, func(t *testing.T) {
			simulated(t, func(w *world) {
				demo, now := w.srv.SeedDemo(), w.srv.Now()
				w.srv.UpdateShipment(demo.Shipments[0], func(s *terminal49test.Shipment) { s.LineTrackingStoppedAt = now })
				stop := w.start(w.mirror(WithActiveInterval(5*time.Minute), WithWholeInterval(40*time.Minute)))
				mirrortest.Advance(12 * time.Minute)
				id := w.srv.ContainerIDs(demo.Shipments[0])[0]
				w.srv.UpdateContainer(id, func(c *terminal49test.Container) { c.Holds = []terminal49test.Hold{{Name: "customs"}} })
				w.srv.AddTransportEvent(terminal49test.TransportEvent{Container: id, Event: "container.transport.full_out"})
				before := len(w.srv.Requests())
				mirrortest.Advance(6 * time.Minute)
				walked := strings.Contains(fmt.Sprint(w.queries(before)), "filter%5Bupdated_at%5D=%3E%3D1.days.ago")
				require.Equal(w, ignored == nil, walked)
				if ignored == nil {
					w.requireRows("container", "transport_event")
				}
				mirrortest.Advance(time.Hour)
				require.NoError(w, stop())
				w.requireRows("container", "transport_event")
				require.Empty(w, w.gone())
			}, standing, terminal49test.WithIgnored("containers.list", ignored...))
		})
	}
}

// queries returns the queries of the requests from one on.
func (w *world) queries(from int) (list []string) {
	for _, r := range w.srv.Requests()[from:] {
		list = append(list, r.Query)
	}
	return list
}
