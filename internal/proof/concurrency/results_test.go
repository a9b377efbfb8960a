package concurrency_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// The results and the arguments of a call belong to its caller, who may modify them.

// scribble overwrites everything in a value that its owner can reach: fields, elements, members,
// and what methods without arguments return.
func scribble(v reflect.Value, seen map[uintptr]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || seen[v.Pointer()] {
			return
		}
		seen[v.Pointer()] = true
		if v.CanInterface() {
			for i := range v.NumMethod() {
				m := v.Method(i)
				if m.Type().NumIn() == 0 && m.Type().NumOut() > 0 && v.Type().Method(i).Name != "Error" {
					for _, out := range m.Call(nil) {
						scribble(out, seen)
					}
				}
			}
		}
		scribble(v.Elem(), seen)
	case reflect.Interface:
		scribble(v.Elem(), seen)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() || v.Type().Field(i).Anonymous {
				scribble(v.Field(i), seen)
			}
		}
		if v.CanAddr() && v.CanInterface() { // relationships are values with methods
			for i := range v.NumMethod() {
				if m := v.Method(i); m.Type().NumIn() == 0 && m.Type().NumOut() > 0 && v.Type().Method(i).Name[0] == 'V' {
					for _, out := range m.Call(nil) { // Value and Values
						scribble(out, seen)
					}
				}
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			scribble(v.Index(i), seen)
		}
		if v.CanInterface() && v.Type().Elem().Kind() == reflect.Uint8 {
			for i := range v.Len() {
				v.Index(i).SetUint('x')
			}
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			scribble(v.MapIndex(k), seen)
			if v.CanInterface() {
				v.SetMapIndex(k, reflect.Value{})
			}
		}
	case reflect.String:
		if v.CanSet() {
			v.SetString("scribbled")
		}
	case reflect.Bool:
		if v.CanSet() {
			v.SetBool(!v.Bool())
		}
	}
}

func TestConcurrency_ResultsShareNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list := jobs(t)
		tp := recordAll(t, list)
		client := testkit.NewClient(t, tp, terminal49.WithRawJSON(),
			terminal49.WithRetryPolicy(terminal49.RetryPolicy{MaxAttempts: 2}))
		call := func(j job) []reflect.Value { return j.Results(client, t.Context(), j.given, nil) }
		scribbled := 0
		for _, j := range list {
			if strings.Contains(j.Name, ".Watch") || strings.HasSuffix(j.Name, ".All") ||
				strings.HasSuffix(j.Name, ".Pages") {
				continue // List and Get return the same
			}
			mine, theirs := call(j), call(j)
			if mine[0].Kind() == reflect.Func {
				continue
			}
			before := dump(theirs[0])
			was := dump(mine[0])
			require.Equal(t, before, was, j.Name)
			scribble(mine[0], map[uintptr]bool{})
			if dump(mine[0]) != was {
				scribbled++
			}
			require.Equal(t, before, dump(theirs[0]), "%s: another caller's result changed", j.Name)
			require.Equal(t, before, dump(call(j)[0]), "%s: a later result changed", j.Name)
		}
		require.Greater(t, scribbled, 60)
		t.Logf("figure: results of %d methods overwritten; no other result changed", scribbled)
	})
}

// The header in a Response belongs to the caller too, and each call fills its own Response.
func TestConcurrency_EachCallFillsItsOwnResponse(t *testing.T) {
	client := testkit.NewClient(t, testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
		resp, err := testkit.Answer(200,
			strings.Replace(testkit.OneShipment, testkit.ShipmentID, r.URL.Query().Get("include"), 1))(r)
		resp.Header.Set("X-Request-Id", r.URL.Query().Get("include"))
		return resp, err
	}))
	var wg sync.WaitGroup
	for i := range crowd {
		wg.Go(func() {
			me := fmt.Sprintf("caller-%d", i)
			var r terminal49.Response
			shipment, err := client.Shipments.Get(t.Context(), testkit.ShipmentID,
				&terminal49.ShipmentGetParams{Include: []terminal49.ShipmentInclude{terminal49.ShipmentInclude(me)}},
				terminal49.WithResponse(&r))
			if err != nil || r.RequestID != me || shipment.ID != me || r.Attempts != 1 {
				t.Errorf("%s got %v, %+v", me, err, r)
			}
			r.Header.Set("X-Request-Id", "mine")
		})
	}
	wg.Wait()
}

// Several goroutines may range over one sequence, each from the start; later changes to the params
// have no effect.
func TestConcurrency_OneSequenceForMany(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		for i := range 250 {
			srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: fmt.Sprintf("MAEU%06d", i),
				ShippingLine: "MAEU", Tags: []string{"a"}})
		}
		client := testkit.SimulatedClient(t, srv, terminal49.WithoutRateLimits())
		params := &terminal49.ShipmentListParams{PageParams: terminal49.PageParams{PageSize: 40},
			Include: []terminal49.ShipmentInclude{terminal49.ShipmentIncludeContainers}}
		for _, opts := range [][]terminal49.CallOption{nil, {terminal49.WithPrefetch(3)}} {
			seq := client.Shipments.All(t.Context(), params, opts...)
			var wg sync.WaitGroup
			seen := make([][]string, 8)
			for g := range seen {
				wg.Go(func() {
					for s, err := range seq {
						if err != nil {
							t.Error(err)
							return
						}
						seen[g] = append(seen[g], s.ID)
					}
				})
			}
			params.PageSize, params.Include[0], params.Number = 1, "nonsense", "MAEU000001"
			wg.Wait()
			params.PageSize, params.Include[0], params.Number = 40, terminal49.ShipmentIncludeContainers, ""
			for _, ids := range seen {
				require.Len(t, ids, 250)
				require.Equal(t, seen[0], ids)
			}
		}
	}, terminal49test.WithoutRateLimits())
}

// The same holds for Watch, which polls repeatedly.
func TestConcurrency_WatchKeepsItsParams(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		testkit.AddNamedResources(srv)
		params := &terminal49.ContainerWatchParams{Include: []terminal49.ContainerInclude{terminal49.ContainerIncludeShipment}}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		var queries []string
		client := testkit.SimulatedClient(t, srv,
			testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				queries = append(queries, req.URL.Query().Get("include"))
				params.Include[0], params.Include = "pod_terminal", nil
				params.Include = []terminal49.ContainerInclude{"pod_terminal"}
				return next.RoundTrip(req)
			}))
		_, err := testkit.Drain(client.Containers.Watch(ctx, testkit.ContainerID, params))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Greater(t, len(queries), 2)
		for _, q := range queries {
			require.Equal(t, "shipment", q)
		}
	})
}

// A hook that panics does so on the goroutine of its call, where it can be recovered. Its slot is
// released.
func TestConcurrency_APanickingHookReleasesEverything(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		testkit.AddNamedResources(srv)
		var bad atomic.Bool
		client := testkit.SimulatedClient(t, srv, terminal49.WithRateLimits(terminal49.RateLimits{Default: 1}),
			terminal49.WithHooks(terminal49.Hooks{OnAttempt: func(context.Context, terminal49.Attempt) {
				if bad.Load() {
					panic("hook")
				}
			}}))
		bad.Store(true)
		require.PanicsWithValue(t, "hook", func() { _, _ = client.Shipments.Get(t.Context(), testkit.ShipmentID, nil) })
		bad.Store(false)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		_, err := client.Shipments.Get(ctx, testkit.ShipmentID, nil)
		require.NoError(t, err)
	})
}

// Several handlers, as in several processes, share one store: each notification is handled once,
// however often it is delivered.
func TestConcurrency_HandlersShareAStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, calls := webhook.NewMemoryDedupe(0), atomic.Int64{}
		slow := webhook.OnAny(func(context.Context, *webhook.Notification) error {
			time.Sleep(time.Second)
			calls.Add(1)
			return nil
		})
		handlers := make([]*webhook.Handler, 4)
		for i := range handlers {
			handlers[i] = testkit.NewHandler(t, slow, webhook.WithDedupe(store, time.Hour))
		}
		var wg sync.WaitGroup
		for i := range crowd {
			wg.Go(func() {
				if code := testkit.Serve(handlers[i%4],
					testkit.SignedRequest(testkit.Numbered(i%5))).Code; code != http.StatusOK {
					t.Errorf("answered %d", code)
				}
			})
		}
		wg.Wait()
		require.EqualValues(t, 5, calls.Load())
	})
}

// All clients share the decoding tables, so creating clients during calls must be safe.
func TestConcurrency_ClientsMadeWhileOthersCall(t *testing.T) {
	var wg sync.WaitGroup
	for i := range crowd {
		wg.Go(func() {
			client := testkit.NewClient(t, testkit.Answer(200, testkit.OneShipment))
			for range 5 {
				copied := *client // a copy shares the client's state
				shipment, err := copied.Shipments.Get(t.Context(), testkit.ShipmentID, nil)
				if err != nil || shipment.ID != testkit.ShipmentID {
					t.Errorf("%d: %v", i, err)
				}
			}
			if _, err := json.Marshal(client); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// Reads succeed over a socket too, while another goroutine changes the service's data.
func TestConcurrency_ReadsOverASocket(t *testing.T) {
	srv := terminal49test.NewServer(terminal49test.WithoutRateLimits())
	defer srv.Close()
	testkit.AddNamedResources(srv)
	base := &http.Transport{MaxIdleConnsPerHost: 16}
	defer base.CloseIdleConnections()
	client := testkit.SimulatedClient(t, srv, terminal49.WithoutRateLimits(),
		terminal49.WithHTTPClient(&http.Client{Transport: base}))
	var others, readers sync.WaitGroup
	stop := make(chan struct{})
	others.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: fmt.Sprintf("MAEU9%06d", i), ShippingLine: "MAEU"})
			srv.AddFault(terminal49test.Fault{Operation: "documents.relink"}) // which none of these calls requests
			srv.Advance(time.Second)
			_, _, _ = srv.Requests(), srv.Violations(), srv.Now()
			time.Sleep(time.Millisecond) // a real service does not change constantly either
		}
	})
	var calls atomic.Int64
	for g := range 16 {
		readers.Go(func() {
			list := testkit.EveryCall()
			for n := range list {
				c := list[(n+g*len(list)/16)%len(list)]
				if c.Method != http.MethodGet || c.Op == "vessels.future_positions" ||
					c.Op == "vessels.future_positions_with_coordinates" {
					continue
				}
				if err := c.Do(t.Context(), client); err != nil {
					t.Errorf("%s: %v", c.Op, err)
				}
				calls.Add(1)
			}
		})
	}
	readers.Wait()
	close(stop)
	others.Wait()
	srv.CheckViolations(t)
	t.Logf("figure: %d reading calls from 16 goroutines over a socket, each understood to the last member", calls.Load())
}
