package terminal49test_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/catalogue"
	"github.com/go-freight/terminal49/internal/testkit"
)

// addShipments adds n shipments a second apart and returns their ids, newest first.
func addShipments(srv *terminal49test.Server, n int) []string {
	start := srv.Now().Add(-24 * time.Hour)
	var ids []string
	for i := range n {
		ids = append(ids, srv.AddShipment(terminal49test.Shipment{
			BillOfLadingNumber: fmt.Sprintf("MAEU%09d", i), ShippingLine: "MAEU",
			CreatedAt: start.Add(time.Duration(i) * time.Second),
		}))
	}
	slices.Reverse(ids)
	return ids
}

func idsOf(shipments []*terminal49.Shipment) []string {
	var ids []string
	for _, s := range shipments {
		ids = append(ids, s.ID)
	}
	return ids
}

func TestSimulator_AllOverHundreds(t *testing.T) {
	for name, opts := range map[string][]terminal49.CallOption{
		"one after the other": nil, "prefetch 1": {terminal49.WithPrefetch(1)},
		"prefetch 3": {terminal49.WithPrefetch(3)}, "prefetch 100": {terminal49.WithPrefetch(100)},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				want := addShipments(srv, 730)
				all := testkit.SimulatedClient(t, srv).Shipments.All(t.Context(), nil, opts...)
				for round := range 2 { // it can be ranged over again
					got, err := testkit.Drain(all)
					require.NoError(t, err)
					require.Equal(t, want, idsOf(got))
					require.Len(t, srv.Requests(), 8*(round+1))
				}
			})
		})
	}
}

func TestSimulator_AllFromAPage(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		want := addShipments(srv, 110)
		params := &terminal49.ShipmentListParams{PageParams: terminal49.PageParams{PageNumber: 3, PageSize: 25}}
		got, err := testkit.Drain(testkit.SimulatedClient(t, srv).Shipments.All(t.Context(), params))
		require.NoError(t, err)
		require.Equal(t, want[50:], idsOf(got))
		require.Len(t, srv.Requests(), 3)
		require.Equal(t, &terminal49.ShipmentListParams{PageParams: terminal49.PageParams{PageNumber: 3,
			PageSize: 25}}, params)
	})
}

// New shipments move old ones to the next page: these are not yielded again, and none is missed.
func TestSimulator_AllWhileShipmentsAreAdded(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		want := addShipments(srv, 350)
		var got []string
		for shipment, err := range testkit.SimulatedClient(t, srv).Shipments.All(t.Context(), nil) {
			require.NoError(t, err)
			got = append(got, shipment.ID)
			if len(got) == 50 || len(got) == 150 {
				for range 7 {
					srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "NEW", ShippingLine: "MAEU"})
				}
			}
		}
		require.Equal(t, want, got)
		require.Len(t, srv.Requests(), 4)
	})
}

func TestSimulator_BreakStopsRequests(t *testing.T) {
	for prefetch := range 4 {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			addShipments(srv, 1000)
			var opts []terminal49.CallOption
			if prefetch > 0 {
				opts = append(opts, terminal49.WithPrefetch(prefetch))
			}
			client := testkit.SimulatedClient(t, srv, testkit.Distant(time.Second))
			seen := 0
			for _, err := range client.Shipments.All(t.Context(), nil, opts...) {
				require.NoError(t, err)
				if seen++; seen == 150 {
					break
				}
			}
			sent := len(srv.Requests())
			require.GreaterOrEqual(t, sent, 2)
			require.LessOrEqual(t, sent, 2+prefetch)
			testkit.Advance(time.Minute)
			require.Len(t, srv.Requests(), sent, "nothing continues after the loop")
		})
	}
}

// An error is yielded last, after all items before it.
func TestSimulator_AnErrorEndsTheLoop(t *testing.T) {
	for _, opts := range [][]terminal49.CallOption{nil, {terminal49.WithPrefetch(2)}} {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			addShipments(srv, 450)
			refused := testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				if req.URL.Query().Get("page[number]") == "3" { // pages side by side arrive in any order
					return testkit.Answer(http.StatusForbidden, "")(req)
				}
				return next.RoundTrip(req)
			})
			items, failures := 0, 0
			for shipment, err := range testkit.SimulatedClient(t, srv, refused).Shipments.All(t.Context(), nil, opts...) {
				require.Zero(t, failures)
				if err != nil {
					failures++
					require.ErrorIs(t, err, terminal49.ErrForbidden)
					require.Nil(t, shipment)
					continue
				}
				items++
			}
			require.Equal(t, 200, items)
			require.Equal(t, 1, failures)
			if opts == nil {
				require.Len(t, srv.Requests(), 2)
			}
		})
	}
}

func TestSimulator_ACancelledLoopReturnsTheError(t *testing.T) {
	for _, opts := range [][]terminal49.CallOption{nil, {terminal49.WithPrefetch(1)}, {terminal49.WithPrefetch(5)}} {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			addShipments(srv, 1450)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			seen, failed := 0, false
			for _, err := range testkit.SimulatedClient(t, srv, testkit.Distant(time.Second)).Shipments.All(ctx, nil,
				opts...) {
				if err != nil {
					require.ErrorIs(t, err, context.Canceled)
					failed = true
					continue
				}
				if seen++; seen == 120 {
					cancel()
				}
			}
			require.True(t, failed, "a part must not be mistaken for the whole")
			require.Less(t, seen, 1450)
		})
	}
}

// Lists report different counts and links; those not reported are not invented.
func TestSimulator_ListCountsAndLinks(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ctx, client := t.Context(), testkit.SimulatedClient(t, srv)
		for i, id := range addShipments(srv, 45) {
			srv.AddContainer(terminal49test.Container{Shipment: id, Number: terminal49test.ContainerNumber("MSKU", i)})
			srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: fmt.Sprint("N", i), SCAC: "MAEU",
				Status: "created", Shipment: id})
		}
		second := terminal49.PageParams{PageNumber: 2, PageSize: 20}

		shipments, err := client.Shipments.List(ctx, &terminal49.ShipmentListParams{PageParams: second})
		require.NoError(t, err)
		require.Equal(t, terminal49.Some(20), shipments.Size)
		require.Equal(t, terminal49.Some(45), shipments.Total)
		require.True(t, shipments.HasNext())
		require.NotEmpty(t, shipments.Links.Prev)
		require.NotEmpty(t, shipments.Links.Last)

		containers, err := client.Containers.List(ctx, &terminal49.ContainerListParams{PageParams: second})
		require.NoError(t, err)
		require.Equal(t, terminal49.Opt[int]{}, containers.Size, "not reported")
		require.Equal(t, terminal49.Some(45), containers.Total)
		require.Len(t, containers.Items, 20)

		requests, err := client.TrackingRequests.List(ctx,
			&terminal49.TrackingRequestListParams{PageParams: terminal49.PageParams{PageNumber: 3, PageSize: 20}})
		require.NoError(t, err)
		require.Equal(t, terminal49.Some(5), requests.Size)
		require.Equal(t, terminal49.Some(45), requests.Total)
		require.False(t, requests.HasNext())

		empty, err := client.Shipments.List(ctx, &terminal49.ShipmentListParams{Number: "NOTHING"})
		require.NoError(t, err)
		require.Empty(t, empty.Items)
		require.Equal(t, terminal49.Some(0), empty.Total)
		require.False(t, empty.HasNext())

		asked, err := client.Shipments.List(ctx, nil)
		require.NoError(t, err)
		require.Len(t, asked.Items, 30, "List leaves the size to the service")
	})
}

func TestSimulator_PagesOneByOne(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		addShipments(srv, 70)
		var sizes []int
		for page, err := range testkit.SimulatedClient(t, srv).Shipments.Pages(t.Context(),
			&terminal49.ShipmentListParams{PageParams: terminal49.PageParams{PageSize: 30}}) {
			require.NoError(t, err)
			sizes = append(sizes, len(page.Items))
			require.Len(t, srv.Requests(), len(sizes), "fetched as needed")
		}
		require.Equal(t, []int{30, 30, 10}, sizes)
	})
}

// The list of shipping lines links a second page that repeats the first.
func TestSimulator_ShippingLinesComeOnce(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		for i := range 120 {
			srv.AddShippingLine(terminal49test.ShippingLine{SCAC: fmt.Sprintf("X%03d", i), Name: "Line"})
		}
		lines, err := testkit.SimulatedClient(t, srv).ShippingLines.List(t.Context())
		require.NoError(t, err)
		seen := map[string]bool{}
		for _, l := range lines {
			require.False(t, seen[l.SCAC], l.SCAC)
			seen[l.SCAC] = true
		}
		require.True(t, seen["TEST"])
		require.True(t, seen["X119"])
		require.Len(t, srv.Requests(), 1)
	})
}

func TestSimulator_EventListsOfAContainer(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client, demo := testkit.SimulatedClient(t, srv), srv.SeedDemo()
		box := srv.ContainerIDs(demo.Shipments[0])[0]
		events, err := client.Containers.TransportEvents(t.Context(), box,
			&terminal49.TransportEventListParams{Include: []terminal49.TransportEventInclude{
				terminal49.TransportEventIncludeShipment, terminal49.TransportEventIncludeContainer,
				terminal49.TransportEventIncludeVessel,
				terminal49.TransportEventIncludeLocation, terminal49.TransportEventIncludeTerminal,
			}})
		require.NoError(t, err)
		slices.SortFunc(events, func(a, b *terminal49.TransportEvent) int {
			at, _ := a.Timestamp.Instant()
			bt, _ := b.Timestamp.Instant()
			return at.Compare(bt)
		})
		require.Equal(t, terminal49.EventEmptyOut, events[0].Event)
		require.Equal(t, "Asia/Shanghai", events[0].Timestamp.Zone())
		for _, e := range events {
			require.True(t, e.Event.Known(), e.Event)
			shipment, ok := e.Shipment.Value()
			require.True(t, ok)
			require.Equal(t, demo.Shipments[0], shipment.ID)
			container, ok := e.Container.Value()
			require.True(t, ok)
			require.Equal(t, box, container.ID)
			if e.Event == terminal49.EventVesselDischarged {
				ship, ok := e.Vessel.Value()
				require.True(t, ok)
				require.Equal(t, "NORTHERN JUBILEE", ship.Name)
				place, ok := e.Location.Value()
				require.True(t, ok)
				require.Equal(t, "USLAX", place.(*terminal49.Port).LOCODE)
				require.Equal(t, "America/Los_Angeles", e.Timestamp.Zone())
			}
		}
		lfd := slices.IndexFunc(events,
			func(e *terminal49.TransportEvent) bool { return e.Event == terminal49.EventPickupLFDTerminalChanged })
		require.NotEqual(t, -1, lfd)
		day, ok := events[lfd].Value.Date()
		require.True(t, ok)
		container, _ := events[lfd].Container.Value()
		want, _ := container.PickupLFD.Date()
		require.Equal(t, want, day, "the day at the terminal")

		raw, err := client.Containers.RawEvents(t.Context(), box)
		require.NoError(t, err)
		require.NotEmpty(t, raw)
		for _, e := range raw {
			require.True(t, slices.ContainsFunc(catalogue.Enums(), func(of catalogue.Enum) bool {
				return of.Name == "raw_event.event" && slices.Contains(of.Values, e.Event)
			}), e.Event)
			require.NotEmpty(t, e.OriginalEvent)
			require.Equal(t, terminal49.RelationshipIncluded, e.Location.State(), "always included")
		}

		nowhere := srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.volcano",
			Container: box, Timestamp: time.Now()})
		events, err = client.Containers.TransportEvents(t.Context(), box, nil)
		require.NoError(t, err)
		i := slices.IndexFunc(events, func(e *terminal49.TransportEvent) bool { return e.ID == nowhere })
		require.False(t, events[i].Event.Known())
		_, known := events[i].Timestamp.Instant()
		require.False(t, known, "a place without a zone has no instant")
	})
}
