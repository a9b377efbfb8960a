package terminal49_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// The doc comments of ContainerWatchParams.LastReading and WatchAll promise that a watch that is
// resumed from stored readings reports every change once. The attributes are those of the OpenAPI
// document.

// mutations change a container, each by its wire name, so that each attribute changes once.
func mutations(at time.Time) map[string]func(*terminal49test.Container) {
	return map[string]func(*terminal49test.Container){
		"current_status": func(c *terminal49test.Container) { c.CurrentStatus = "off_dock" },
		"available_for_pickup": func(c *terminal49test.Container) {
			c.AvailabilityKnown, c.AvailableForPickup = terminal49test.Bool(false), terminal49test.Bool(true)
		},
		"holds_at_pod_terminal": func(c *terminal49test.Container) {
			c.Holds = []terminal49test.Hold{{Name: "USDA", Description: "A & B"}}
		},
		"fees_at_pod_terminal":          func(c *terminal49test.Container) { c.Fees = []terminal49test.Fee{{Type: "exam", Amount: 75.5}} },
		"pickup_appointment_at":         func(c *terminal49test.Container) { c.PickupAppointmentAt = at },
		"location_at_pod_terminal":      func(c *terminal49test.Container) { c.LocationAtPODTerminal = "Y<br>1" },
		"pod_full_out_chassis_number":   func(c *terminal49test.Container) { c.PODFullOutChassisNumber = "TSXZ1" },
		"pod_rail_carrier_scac":         func(c *terminal49test.Container) { c.PODRailCarrierSCAC = "BNSF" },
		"ind_rail_carrier_scac":         func(c *terminal49test.Container) { c.INDRailCarrierSCAC = "UPRR" },
		"pod_arrived_at":                func(c *terminal49test.Container) { c.PODArrivedAt = at },
		"pod_discharged_at":             func(c *terminal49test.Container) { c.PODDischargedAt = at },
		"pod_full_out_at":               func(c *terminal49test.Container) { c.PODFullOutAt = at },
		"pod_rail_loaded_at":            func(c *terminal49test.Container) { c.PODRailLoadedAt = at },
		"pod_rail_departed_at":          func(c *terminal49test.Container) { c.PODRailDepartedAt = at },
		"ind_eta_at":                    func(c *terminal49test.Container) { c.INDETA = at },
		"ind_ata_at":                    func(c *terminal49test.Container) { c.INDATA = at },
		"ind_rail_unloaded_at":          func(c *terminal49test.Container) { c.INDRailUnloadedAt = at },
		"final_destination_full_out_at": func(c *terminal49test.Container) { c.FinalDestinationFullOutAt = at },
		"delivered_at":                  func(c *terminal49test.Container) { c.DeliveredAt = at },
		"empty_terminated_at":           func(c *terminal49test.Container) { c.EmptyTerminatedAt = at },
		"empty_out_at":                  func(c *terminal49test.Container) { c.EmptyOutAt = at },
		"pol_full_in_at":                func(c *terminal49test.Container) { c.POLFullInAt = at },
		"pol_vessel_loaded_at":          func(c *terminal49test.Container) { c.POLVesselLoadedAt = at },
		"pol_vessel_departed_at":        func(c *terminal49test.Container) { c.POLVesselDepartedAt = at },
	}
}

// change schedules up to n changes of a container within d, and returns their attributes.
func change(srv *terminal49test.Server, r *rand.Rand, id string, n int, d time.Duration) (names []string) {
	all := mutations(srv.Now().Add(time.Hour))
	names = slices.Sorted(maps.Keys(all))
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	names = names[:r.IntN(n+1)]
	for _, name := range names {
		time.AfterFunc(time.Minute+time.Duration(r.Int64N(int64(d))), func() { srv.UpdateContainer(id, all[name]) })
	}
	return names
}

func watchedContainer(srv *terminal49test.Server, customer string, i int) string {
	shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: fmt.Sprintf("MAEU%06d", i), ShippingLine: "MAEU",
		PortOfLading: "CNSHA", PortOfDischarge: "USLAX", PODTerminal: "WBCT", Customer: customer})
	return srv.AddContainer(terminal49test.Container{Number: fmt.Sprintf("MSKU%07d", i), Shipment: shipment})
}

// store keeps the latest reading of each container as JSON, as a program does between two runs, and
// counts the changes that it was given.
type store struct {
	t        *testing.T
	readings map[string][]byte
	changes  map[string]int // by id, attribute, and the old and new value
	added    map[string]int // by id
	missing  map[string]int
}

func newStore(t *testing.T) *store {
	return &store{t, map[string][]byte{}, map[string]int{}, map[string]int{}, map[string]int{}}
}

func (s *store) keep(c *terminal49.Container) {
	data, err := json.Marshal(c)
	require.NoError(s.t, err)
	s.readings[c.ID] = data
}

func (s *store) handle(change *terminal49.WatchedChange) {
	switch {
	case change.After == nil:
		s.missing[change.Before.ID]++
		delete(s.readings, change.Before.ID)
		return
	case change.Before == nil:
		s.added[change.After.ID]++
	}
	for _, name := range change.Changeset.Attributes() {
		sent, _ := change.Changeset.Get(name)
		s.changes[change.After.ID+" "+name+" "+string(sent)]++
	}
	s.keep(change.After)
}

func (s *store) load() map[string]*terminal49.Container {
	known := map[string]*terminal49.Container{}
	for id, data := range s.readings {
		known[id] = new(terminal49.Container)
		require.NoError(s.t, json.Unmarshal(data, known[id]))
	}
	return known
}

// killed runs watch for spans of random length, with pauses between them, until the end of ctx. A
// run ends with its context or, like a crash after a change, by leaving the loop.
func (s *store) killed(ctx context.Context, r *rand.Rand, span time.Duration, watch func(context.Context) iter.Seq2[*terminal49.WatchedChange, error]) {
	deadline, _ := ctx.Deadline()
	for time.Until(deadline) > 0 {
		length, left := time.Second+time.Duration(r.Int64N(int64(span))), 1+r.IntN(5)
		if time.Until(deadline) < 2*span {
			length, left = 2*span, -1
		}
		run, cancel := context.WithTimeout(ctx, length)
		for change, err := range watch(run) {
			if err != nil {
				require.ErrorIs(s.t, err, context.DeadlineExceeded)
				break
			}
			s.handle(change)
			if left--; left == 0 {
				break
			}
		}
		cancel()
		testkit.Advance(time.Duration(r.Int64N(int64(span / 2))))
	}
}

func (s *store) uninterrupted(ctx context.Context, watch func(context.Context) iter.Seq2[*terminal49.WatchedChange, error]) {
	for change, err := range watch(ctx) {
		if err != nil {
			require.ErrorIs(s.t, err, context.DeadlineExceeded)
			return
		}
		s.handle(change)
	}
}

func TestWatch_ResumedReportsEveryChangeOnce(t *testing.T) {
	for seed := range testkit.Scale(10, 120) {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			r := rand.New(rand.NewPCG(uint64(seed), 13))
			id := watchedContainer(srv, "", 1)
			want := change(srv, r, id, 24, 20*time.Hour)
			if seed%2 == 0 {
				want = append(want, "transport_events")
				time.AfterFunc(time.Duration(1+r.IntN(20))*time.Hour, func() {
					srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.vessel_arrived", Container: id, Timestamp: srv.Now()})
				})
			}
			include := []terminal49.ContainerInclude{terminal49.ContainerIncludeTransportEvents, terminal49.ContainerIncludeShipment}[:1+r.IntN(2)]
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Hour)
			defer cancel()
			watchInto := func(s *store) func(context.Context) iter.Seq2[*terminal49.WatchedChange, error] {
				client := testkit.SimulatedClient(t, srv)
				return func(ctx context.Context) iter.Seq2[*terminal49.WatchedChange, error] {
					params := &terminal49.ContainerWatchParams{LastReading: s.load()[id], Include: include}
					params.OnPoll = func(c *terminal49.Container) {
						if s.readings[id] == nil {
							s.keep(c)
						}
					}
					return client.Containers.Watch(ctx, id, params)
				}
			}
			whole, parts := newStore(t), newStore(t)
			var both sync.WaitGroup
			both.Go(func() { whole.uninterrupted(ctx, watchInto(whole)) })
			both.Go(func() { parts.killed(ctx, r, 4*time.Hour, watchInto(parts)) })
			both.Wait()
			require.Equal(t, whole.changes, parts.changes, "seed %d", seed)
			requireEachOnce(t, parts, want)
		})
	}
}

func requireEachOnce(t *testing.T, s *store, want []string) {
	t.Helper()
	require.Len(t, s.changes, len(want))
	for name, n := range s.changes {
		require.Equal(t, 1, n, name)
	}
}

// 240 containers, and one more, are five pages of a list (docs/service.md#page-sizes), and a walk
// each 15 minutes, a fifth up or down (the doc comment of WatchAll).
func TestWatchAll_ResumedReportsEveryChangeOnce(t *testing.T) {
	for seed := range testkit.Scale(1, 5) {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			const containers, pages, span = 240, 5, 12 * time.Hour
			r := rand.New(rand.NewPCG(uint64(seed), 49))
			ours := srv.AddParty(terminal49test.Party{CompanyName: "Ours"})
			other := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1", ShippingLine: "MAEU"})
			var want []string
			var ids []string
			for i := range containers {
				id := watchedContainer(srv, ours, i)
				ids = append(ids, id)
				if i < containers/2 {
					want = append(want, change(srv, r, id, 3, span)...)
				}
			}
			time.AfterFunc(time.Hour, func() { ids = append(ids, watchedContainer(srv, ours, containers)) })
			time.AfterFunc(2*time.Hour, func() { // no longer selected
				srv.UpdateContainer(ids[containers-1], func(c *terminal49test.Container) { c.Shipment = other })
			})
			ctx, cancel := context.WithTimeout(t.Context(), span+8*time.Hour)
			defer cancel()
			watchInto := func(s *store, walks *int, opts ...terminal49.Option) func(context.Context) iter.Seq2[*terminal49.WatchedChange, error] {
				client := testkit.SimulatedClient(t, srv, opts...)
				return func(ctx context.Context) iter.Seq2[*terminal49.WatchedChange, error] {
					return client.Containers.WatchAll(ctx, &terminal49.ContainerWatchAllParams{
						List: terminal49.ContainerListParams{CustomerID: ours}, LastReadings: s.load(), OnWalk: func(int) { *walks++ },
					})
				}
			}
			requests := 0
			counted := testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				requests++
				return next.RoundTrip(req)
			})
			whole, parts := newStore(t), newStore(t)
			var walks, others int
			var both sync.WaitGroup
			start, stop := context.WithTimeout(ctx, time.Second) // the first walk, before anything changes
			parts.uninterrupted(start, watchInto(parts, &others))
			stop()
			both.Go(func() { whole.uninterrupted(ctx, watchInto(whole, &walks, counted)) })
			both.Go(func() { parts.killed(ctx, r, 2*time.Hour, watchInto(parts, &others)) })
			both.Wait()
			require.Equal(t, walks*pages, requests)
			require.GreaterOrEqual(t, walks, int((span+8*time.Hour)/(18*time.Minute)))
			require.LessOrEqual(t, walks, 1+int((span+8*time.Hour)/(12*time.Minute)))
			for name, s := range map[string]*store{"whole": whole, "parts": parts} {
				require.Len(t, s.added, containers+1, name)
				for id, n := range s.added {
					require.Equal(t, 1, n, "%s %s", name, id)
				}
				require.Equal(t, map[string]int{ids[containers-1]: 1}, s.missing, name)
			}
			require.Equal(t, whole.changes, parts.changes, "seed %d", seed)
			requireEachOnce(t, parts, want)
		})
	}
}
