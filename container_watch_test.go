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

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/stretchr/testify/require"
)

// watched adds a container to watch.
func watched(srv *terminal49test.Server) string {
	shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1", ShippingLine: "MAEU",
		PortOfDischarge: "USLAX", PODTerminal: "WBCT"})
	return srv.AddContainer(terminal49test.Container{
		Number: "MSKU7182047", Shipment: shipment, AvailableForPickup: terminal49test.Bool(false),
		Holds: []terminal49test.Hold{{Name: "customs"}},
	})
}

// later changes the container after d.
func later(srv *terminal49test.Server, id string, d time.Duration, change func(*terminal49test.Container)) {
	time.AfterFunc(d, func() { srv.UpdateContainer(id, change) })
}

func pollTimes(srv *terminal49test.Server) (at []time.Time) {
	for _, r := range testkit.Received(srv, "containers.get") {
		at = append(at, r.At)
	}
	return at
}

func TestWatch_YieldsChanges(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		id := watched(srv)
		start := time.Now()
		later(srv, id, 3*time.Hour,
			func(c *terminal49test.Container) { c.Holds = nil; c.AvailableForPickup = terminal49test.Bool(true) })
		later(srv, id, 4*time.Hour, func(c *terminal49test.Container) { c.SealNumber = "not compared" })
		later(srv, id, 5*time.Hour,
			func(c *terminal49test.Container) { c.Fees = []terminal49test.Fee{{Type: "demurrage", Amount: 185}} })

		var changes []*terminal49.WatchedChange
		for change, err := range testkit.SimulatedClient(t, srv).Containers.Watch(t.Context(), id, nil) {
			require.NoError(t, err)
			if changes = append(changes, change); len(changes) == 2 {
				break
			}
		}
		require.Equal(t, []string{"available_for_pickup", "current_status", "holds_at_pod_terminal"}, changes[0].Changeset.Attributes())
		require.True(t, changes[0].Changes().BecameReady())
		require.Len(t, changes[0].Before.Holds, 1)
		require.Empty(t, changes[0].After.Holds)
		require.Equal(t, []string{"fees_at_pod_terminal"}, changes[1].Changeset.Attributes())
		require.Equal(t, id, changes[1].After.ID)
		require.Equal(t, "not compared", changes[1].Before.SealNumber, "each change is from the reading before it")
		require.Less(t, testkit.Elapsed(start), 5*time.Hour+36*time.Minute)
	})
}

// The intervals grow by half from a minute to half an hour, a fifth up or down, and start again
// after a change.
func TestWatch_IsPolite(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		id := watched(srv)
		later(srv, id, 10*time.Hour, func(c *terminal49test.Container) { c.Holds = nil })
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Hour)
		defer cancel()
		changed := 0
		polls := 0
		params := &terminal49.ContainerWatchParams{OnPoll: func(c *terminal49.Container) { polls++ }}
		for change, err := range testkit.SimulatedClient(t, srv).Containers.Watch(ctx, id, params) {
			if err != nil {
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.ErrorContains(t, err, id)
				break
			}
			require.NotNil(t, change)
			changed = polls
		}
		at := pollTimes(srv)
		require.Len(t, at, polls)
		require.Less(t, polls, 70)
		require.NotZero(t, changed)
		nominal, odd := time.Duration(0), 0
		for i := 1; i < len(at); i++ {
			nominal = max(time.Minute, min(nominal+nominal/2, 30*time.Minute))
			if i == changed {
				nominal = time.Minute
			}
			gap := at[i].Sub(at[i-1])
			require.GreaterOrEqual(t, gap, nominal*4/5, "interval %d", i)
			require.LessOrEqual(t, gap, nominal*6/5+time.Nanosecond, "interval %d", i)
			if gap != nominal {
				odd++
			}
		}
		require.Greater(t, odd, 10, "jittered")
	})
}

func TestWatch_Since(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		id := watched(srv)
		client := testkit.SimulatedClient(t, srv)
		stored, err := client.Containers.Get(t.Context(), id, nil)
		require.NoError(t, err)
		srv.UpdateContainer(id, func(c *terminal49test.Container) { c.Holds = nil })
		start := time.Now()
		for change, err := range client.Containers.Watch(t.Context(), id, &terminal49.ContainerWatchParams{LastReading: stored}) {
			require.NoError(t, err)
			require.Same(t, stored, change.Before)
			require.Zero(t, testkit.Elapsed(start), "seen at the first poll")
			break
		}
		other := *stored
		other.ID = watched(srv)
		requireWatchError(t, client, id, &terminal49.ContainerWatchParams{LastReading: &other}, "LastReading")
		requireWatchError(t, client, id, &terminal49.ContainerWatchParams{MinInterval: -1}, "negative")
		requireWatchError(t, client, id, &terminal49.ContainerWatchParams{MaxInterval: -1}, "negative")
		requireWatchError(t, client, "MSKU7182047", nil, "must be a UUID")
		require.Len(t, pollTimes(srv), 2)
	})
}

func requireWatchError(t *testing.T, client *terminal49.Client, id string, params *terminal49.ContainerWatchParams,
	words string) {
	t.Helper()
	turns := 0
	for change, err := range client.Containers.Watch(t.Context(), id, params) {
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, err, &argument)
		require.ErrorContains(t, err, words)
		require.Nil(t, change)
		turns++
	}
	require.Equal(t, 1, turns)
}

func TestWatch_Intervals(t *testing.T) {
	for name, c := range map[string]struct {
		params     terminal49.ContainerWatchParams
		first, top time.Duration
	}{
		"its own": {terminal49.ContainerWatchParams{MinInterval: time.Second,
			MaxInterval: 9 * time.Second}, time.Second, 9 * time.Second},
		"the last below the default": {terminal49.ContainerWatchParams{MaxInterval: 5 * time.Second},
			5 * time.Second, 5 * time.Second},
		"the first above the default": {terminal49.ContainerWatchParams{MinInterval: time.Hour}, time.Hour, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				id, polls := watched(srv), 0
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				c.params.OnPoll = func(*terminal49.Container) {
					if polls++; polls == 12 {
						cancel()
					}
				}
				for _, err := range testkit.SimulatedClient(t, srv).Containers.Watch(ctx, id, &c.params) {
					require.ErrorIs(t, err, context.Canceled)
				}
				at := pollTimes(srv)
				require.InDelta(t, c.first, at[1].Sub(at[0]), float64(c.first/5)+1)
				require.InDelta(t, c.top, at[11].Sub(at[10]), float64(c.top/5)+1)
			})
		})
	}
}

// A few temporary failures in a row are ignored; other failures end the watch, as does a deleted
// container.
func TestWatch_ThroughFailures(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		id := watched(srv)
		srv.AddFault(terminal49test.Fault{Operation: "containers.get", Skip: 1, Times: 4 * 4, Status: http.StatusBadGateway})
		later(srv, id, time.Minute, func(c *terminal49test.Container) { c.Holds = nil })
		for change, err := range testkit.SimulatedClient(t, srv).Containers.Watch(t.Context(), id, nil) {
			require.NoError(t, err)
			require.Equal(t, []string{"holds_at_pod_terminal"}, change.Changeset.Attributes())
			break
		}
		for status, want := range map[int]error{
			http.StatusServiceUnavailable: terminal49.ErrServer, http.StatusNotFound: terminal49.ErrNotFound,
			http.StatusUnauthorized: terminal49.ErrUnauthorized,
		} {
			srv.ClearFaults()
			srv.AddFault(terminal49test.Fault{Operation: "containers.get", Skip: 2, Times: -1, Status: status})
			turns := 0
			for _, err := range testkit.SimulatedClient(t, srv).Containers.Watch(t.Context(), id, nil) {
				require.ErrorIs(t, err, want)
				turns++
			}
			require.Equal(t, 1, turns, "the error is the last")
		}
	})
}

func TestWatch_EndsWithItsContext(t *testing.T) {
	for name, fault := range map[string]terminal49test.Fault{
		"between two polls":        {Operation: "documents.relink"},
		"while the service stalls": {Kind: terminal49test.FaultStallHeaders, Skip: 1},
		"before the first poll":    {Kind: terminal49test.FaultStallHeaders},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				id := watched(srv)
				srv.AddFault(fault)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				start := time.Now()
				time.AfterFunc(85*time.Second, cancel)
				client := testkit.SimulatedClient(t, srv, terminal49.WithAttemptTimeout(10*time.Minute))
				for change, err := range client.Containers.Watch(ctx, id, nil) {
					require.Nil(t, change)
					require.ErrorIs(t, err, context.Canceled)
				}
				require.Equal(t, 85*time.Second, testkit.Elapsed(start))
			})
		})
	}
}

// In the earlier reading the container had not left, and the change lists its status.
func TestWatch_MeaningStartsFromTheEarlierReading(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		id := watched(srv)
		later(srv, id, 3*time.Hour, func(c *terminal49test.Container) {
			c.Holds, c.CurrentStatus, c.TerminalCheckedAt = nil, "picked_up", time.Now()
		})
		for change, err := range testkit.SimulatedClient(t, srv).Containers.Watch(t.Context(), id, nil) {
			require.NoError(t, err)
			meaning := change.Changes()
			require.Equal(t, []string{"current_status", "holds_at_pod_terminal"}, change.Changeset.Attributes())
			require.Equal(t, terminal49.PickupReadiness(change.Before), meaning.Before)
			require.NotEqual(t, change.After.TerminalCheckedAt, meaning.Before.TerminalCheckedAt)
			change.Before = nil // a change that the caller made from one reading
			require.Equal(t, terminal49.ReadinessUnknown, change.Changes().Before.State)
			break
		}
	})
}

// watchingAll collects what WatchAll yields until ctx ends: "new", "changed" or "missing" and the
// container's number.
func watchingAll(t *testing.T, client *terminal49.Client, d time.Duration, params *terminal49.ContainerWatchAllParams) (got []string, last error) {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	for change, err := range client.Containers.WatchAll(ctx, params) {
		switch {
		case err != nil:
			return got, err
		case change.Before == nil:
			require.Empty(t, change.Changeset.Attributes())
			got = append(got, "new "+change.After.Number)
		case change.After == nil:
			require.Empty(t, change.Changeset.Attributes())
			require.False(t, change.Changes().BecameReady())
			got = append(got, "missing "+change.Before.Number)
		default:
			require.NotEmpty(t, change.Changeset.Attributes())
			got = append(got, "changed "+change.After.Number)
		}
	}
	return got, nil
}

// The doc comment of WatchAll: a container is missing once two whole walks in a row did not have
// it, and new again if it is listed again. A walk that failed, or that read fewer containers than
// the list reports, misses none.
func TestWatchAll_Missing(t *testing.T) {
	for name, c := range map[string]struct {
		hidden func(walk int) bool // whether the list leaves the container out
		total  string              // of those walks
		want   []string
	}{
		"once":        {func(walk int) bool { return walk == 2 || walk == 4 }, "0", []string{"new MSKU7182047"}},
		"for good":    {func(walk int) bool { return walk > 1 }, "0", []string{"new MSKU7182047", "missing MSKU7182047"}},
		"for a while": {func(walk int) bool { return walk > 1 && walk < 5 }, "0", []string{"new MSKU7182047", "missing MSKU7182047", "new MSKU7182047"}},
		"not whole":   {func(walk int) bool { return walk > 1 }, "1", []string{"new MSKU7182047"}},
		"failed":      {func(walk int) bool { return walk == 2 || walk == 4 || walk == 6 }, "fails", []string{"new MSKU7182047"}},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				watched(srv)
				walk := 0
				hide := testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
					if walk++; !c.hidden(walk) {
						return next.RoundTrip(req)
					}
					if c.total == "fails" {
						return testkit.Answer(http.StatusBadGateway, "")(req)
					}
					return testkit.Answer(http.StatusOK, `{"data":[],"meta":{"total":`+c.total+`}}`)(req)
				})
				got, err := watchingAll(t, testkit.SimulatedClient(t, srv, hide, terminal49.WithMaxAttempts(1)), 3*time.Hour, nil)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.Greater(t, walk, 8)
				require.Equal(t, c.want, got)
			})
		})
	}
}

func TestWatchAll_Since(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		id := watched(srv)
		client := testkit.SimulatedClient(t, srv)
		stored, err := client.Containers.Get(t.Context(), id, nil)
		require.NoError(t, err)
		since := map[string]*terminal49.Container{id: stored}
		watch := client.Containers.WatchAll(t.Context(), &terminal49.ContainerWatchAllParams{LastReadings: since, Interval: time.Minute})
		clear(since) // the caller may use it again
		srv.UpdateContainer(id, func(c *terminal49test.Container) { c.Holds = nil })
		for range 2 { // each loop begins with the stored readings
			for change, err := range watch {
				require.NoError(t, err)
				require.Same(t, stored, change.Before)
				break
			}
		}
		require.Len(t, testkit.Received(srv, "containers.list"), 2)

		for field, params := range map[string]*terminal49.ContainerWatchAllParams{
			"LastReadings": {LastReadings: map[string]*terminal49.Container{"another": stored}},
			"Interval":     {Interval: -1},
			"PageNumber":   {List: terminal49.ContainerListParams{PageParams: terminal49.PageParams{PageNumber: 2}}},
			"PageSize":     {List: terminal49.ContainerListParams{PageParams: terminal49.PageParams{PageSize: 500}}},
		} {
			var argument *terminal49.ArgumentError
			_, err := watchingAll(t, client, time.Hour, params)
			require.ErrorAs(t, err, &argument)
			require.Equal(t, field, argument.Field)
		}
		_, err = watchingAll(t, client, time.Hour, &terminal49.ContainerWatchAllParams{LastReadings: map[string]*terminal49.Container{id: nil}})
		require.ErrorContains(t, err, "LastReading")
		require.Len(t, testkit.Received(srv, "containers.list"), 2)

		srv.AddFault(terminal49test.Fault{Operation: "containers.list", Times: -1, Status: http.StatusUnauthorized})
		got, err := watchingAll(t, client, time.Hour, nil)
		require.ErrorIs(t, err, terminal49.ErrUnauthorized)
		require.Empty(t, got)
	})
}

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
