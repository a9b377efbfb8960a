package terminal49test_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// A container from the ship to the importer's yard, as the client sees it day by day.
func TestSimulator_Journey(t *testing.T) {
	start := time.Date(2026, time.March, 1, 20, 0, 0, 0, time.UTC) // noon in Los Angeles; the clocks change on March 8
	const day = 24 * time.Hour
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.Script(testkit.SureNumber, terminal49test.Journey{
			Shipment: terminal49test.Shipment{PortOfLading: "CNSHA", PortOfDischarge: "USLAX", PODTerminal: "WBCT",
				PODVessel: "9708851"},
			Containers: []terminal49test.Container{{Number: "MSKU7182047"}}, Elapsed: 10 * day,
			Steps: []terminal49test.Step{
				{After: 0, Do: terminal49test.VesselLoaded()},
				{After: day, Do: terminal49test.VesselDeparted(10 * day)},
				{After: 11 * day, Do: terminal49test.VesselArrived()},
				{After: 12 * day, Do: terminal49test.VesselDischarged("Y4-117-C")},
				{After: 12 * day, Do: terminal49test.HoldPlaced(terminal49test.Hold{Name: "customs"})},
				{After: 12 * day, Do: terminal49test.Available(false)},
				{After: 13 * day, Do: terminal49test.HoldCleared("customs")},
				{After: 14 * day, Do: terminal49test.Available(true)},
				{After: 14 * day, Do: terminal49test.PickupLFD("terminal", 5)},
				{After: 20 * day, Do: terminal49test.FeeAccrues(terminal49test.Fee{Type: "demurrage", Amount: 185})},
				{After: 21*day + time.Hour, Do: terminal49test.FullOut("TSXZ412873")},
			},
		})
		ctx, client := t.Context(), testkit.SimulatedClient(t, srv)
		request, err := client.TrackingRequests.Create(ctx, testkit.SureRequest())
		require.NoError(t, err)
		request, err = client.TrackingRequests.Wait(ctx, request.ID, nil)
		require.NoError(t, err)
		began := srv.Now().Add(-10 * day)
		shipment, _ := request.Shipment.Value()
		id := shipment.Containers.IDs()[0]
		at := func(after time.Duration) *terminal49.Container {
			srv.Advance(began.Add(after + 30*time.Minute).Sub(srv.Now()))
			c, err := client.Containers.Get(ctx, id,
				&terminal49.ContainerGetParams{Include: []terminal49.ContainerInclude{terminal49.ContainerIncludeShipment}})
			require.NoError(t, err)
			return c
		}

		c := at(10 * day)
		require.Equal(t, terminal49.StatusOnShip, c.CurrentStatus)
		require.Equal(t, terminal49.ReadinessUnknown, terminal49.PickupReadiness(c).State, "unknown, which is not false")
		require.True(t, c.PickupLFD.IsZero())
		onShip, _ := c.Shipment.Value()
		require.Equal(t, "America/Los_Angeles", onShip.PODETA.Zone())
		require.Equal(t, "Asia/Shanghai", onShip.POLATD.Zone())
		require.Equal(t, "Asia/Shanghai", c.POLVesselLoadedAt.Zone(), "the zone comes from the shipment")

		c = at(11 * day)
		require.Equal(t, "America/Los_Angeles", c.PODArrivedAt.Zone())
		arrived, err := c.PODArrivedAt.Local()
		require.NoError(t, err)
		require.Equal(t, 12, arrived.Hour())
		onShip, _ = c.Shipment.Value()
		require.True(t, onShip.PODETA.IsZero())
		require.False(t, onShip.PODATA.IsZero())

		c = at(12 * day)
		require.Equal(t, terminal49.ReadinessBlocked, terminal49.PickupReadiness(c).State)
		require.Equal(t, "Y4-117-C", c.LocationAtPODTerminal)
		require.Equal(t, []terminal49.Hold{{Name: "customs", Status: terminal49.HoldStatusActive}}, c.Holds)

		c = at(13 * day)
		require.Equal(t, terminal49.ReadinessNotReleased, terminal49.PickupReadiness(c).State)
		require.NotNil(t, c.Holds)
		require.Empty(t, c.Holds)

		c = at(14 * day)
		require.Equal(t, terminal49.StatusAvailable, c.CurrentStatus)
		require.True(t, terminal49.PickupReadiness(c).Ready())
		lfd, ok := c.PickupLFD.Date()
		require.True(t, ok)
		require.Equal(t, terminal49.Date{Year: 2026, Month: time.March, Day: 10}, lfd,
			"five days after March 5 on the terminal's calendar")
		instant, _ := c.PickupLFD.Instant()
		require.Equal(t, time.Date(2026, time.March, 10, 7, 0, 0, 0, time.UTC), instant, "midnight there, in summer time")
		terminal, _ := c.ImportDeadlines.Terminal.Date()
		require.Equal(t, lfd, terminal)

		c = at(21 * day)
		owed, currency, ok := terminal49.SumFees(c.Fees).Owed()
		require.True(t, ok)
		require.Equal(t, "370 USD", fmt.Sprint(owed, " ", currency))

		c = at(21*day + time.Hour)
		require.Equal(t, terminal49.StatusPickedUp, c.CurrentStatus)
		require.Equal(t, "TSXZ412873", c.PODFullOutChassisNumber)
		require.False(t, c.PODFullOutAt.IsZero())
		require.True(t, c.PickupLFD.IsZero(), "hidden after pickup")
		require.Equal(t, terminal49.SituationOut, terminal49.Assess(c, srv.Now(), terminal49.VerdictOptions{}).Situation)
	}, terminal49test.WithStart(start))
}

// The port and the ramp of a rail move are in different time zones.
func TestSimulator_RailJourneyKeepsItsZones(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		demo := srv.SeedDemo()
		srv.Advance(11 * 24 * time.Hour) // unloaded at the ramp and available there
		page, err := testkit.SimulatedClient(t, srv).Containers.List(t.Context(), &terminal49.ContainerListParams{
			Number: firstContainer(srv, demo.Shipments[5]).Number,
			Include: []terminal49.ContainerInclude{terminal49.ContainerIncludeShipment,
				terminal49.ContainerIncludePickupFacility},
		})
		require.NoError(t, err)
		c := page.Items[0]
		require.Equal(t, "America/Los_Angeles", c.PODDischargedAt.Zone())
		require.Equal(t, "America/Los_Angeles", c.PODRailLoadedAt.Zone())
		require.Equal(t, "America/Chicago", c.INDATA.Zone())
		require.Equal(t, "America/Chicago", c.INDRailUnloadedAt.Zone())
		ramp, ok := c.PickupFacility.Value()
		require.True(t, ok)
		require.True(t, ramp.IsRail())
	})
}

func firstContainer(srv *terminal49test.Server, shipment string) terminal49test.Container {
	c, _ := srv.Container(srv.ContainerIDs(shipment)[0])
	return c
}

// Middleware, hooks and the log agree about a call, and none of them shows the token.
func TestSimulator_Observation(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.AddShipment(terminal49test.Shipment{ID: testkit.ShipmentID, BillOfLadingNumber: "MAEU123"})
		srv.AddFault(terminal49test.Fault{Status: http.StatusServiceUnavailable,
			RetryAfter: terminal49test.RetryAfterSeconds(3 * time.Second)})
		srv.AddFault(terminal49test.Fault{Kind: terminal49test.FaultDrop})

		var log bytes.Buffer
		var infos []terminal49.CallInfo
		var dumps []string
		var tries []terminal49.Attempt
		var retries []terminal49.Retry
		client := testkit.SimulatedClient(t, srv,
			terminal49.WithLogger(slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))),
			terminal49.WithHooks(terminal49.Hooks{
				OnAttempt: func(_ context.Context, a terminal49.Attempt) { tries = append(tries, a) },
				OnRetry:   func(_ context.Context, r terminal49.Retry) { retries = append(retries, r) },
			}),
			testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				info, ok := terminal49.CallFromContext(req.Context())
				require.True(t, ok)
				infos = append(infos, info)
				dumps = append(dumps, fmt.Sprintf("%+v %+v", req.URL, req.Header))
				return next.RoundTrip(req)
			}),
		)
		require.NoError(t, testkit.First(client.Shipments.Get(t.Context(), testkit.ShipmentID, nil)))

		require.Len(t, infos, 3)
		for i, info := range infos {
			want := terminal49.CallInfo{Op: "shipments.get", Route: "/shipments/{id}",
				Bucket: terminal49.BucketDefault, Attempt: i + 1, Share: 1}
			require.Equal(t, want, info)
			require.Equal(t, want, tries[i].CallInfo)
		}
		require.Equal(t, []int{503, 0, 200}, []int{tries[0].StatusCode, tries[1].StatusCode, tries[2].StatusCode})
		require.Error(t, tries[1].Err)
		require.Positive(t, tries[2].Bytes)
		require.Len(t, retries, 2)
		require.Equal(t, 3*time.Second, retries[0].Wait)
		require.Equal(t, http.StatusServiceUnavailable, retries[0].StatusCode)
		require.Error(t, retries[1].Err)
		require.Equal(t, retries[1].Wait, testkit.Gaps(srv.Requests())[1], "the hook reports the actual wait")

		type line struct {
			Level, Msg, Op, Method, Route, Error string
			Attempt, Status                      int
		}
		var lines []line
		for text := range strings.Lines(log.String()) {
			var l line
			require.NoError(t, json.Unmarshal([]byte(text), &l))
			require.Equal(t, "shipments.get", l.Op)
			require.Equal(t, "GET", l.Method)
			require.Equal(t, "/shipments/{id}", l.Route)
			lines = append(lines, l)
		}
		require.Len(t, lines, 5)
		var story []string
		for _, l := range lines {
			story = append(story, fmt.Sprintf("%s %d %d", l.Level, l.Attempt, l.Status))
		}
		require.Equal(t, []string{"DEBUG 1 503", "WARN 1 503", "DEBUG 2 0", "WARN 2 0", "DEBUG 3 200"}, story)

		for _, text := range append(dumps, log.String(), fmt.Sprintf("%+v %+v", tries, retries),
			fmt.Sprintf("%+v %#v", client, client)) {
			require.NotContains(t, text, srv.Token)
			require.NotContains(t, text, "Authorization")
		}
	})
}

// One client serves many goroutines.
func TestSimulator_SharedClient(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ids := addShipments(srv, 40)
		client := testkit.SimulatedClient(t, srv, testkit.Distant(time.Second))
		var all sync.WaitGroup
		for _, id := range ids {
			all.Go(func() {
				var response terminal49.Response
				shipment, err := client.Shipments.Get(t.Context(), id, nil, terminal49.WithResponse(&response),
					terminal49.WithRawJSON())
				if err != nil || shipment.ID != id || response.StatusCode != http.StatusOK {
					t.Errorf("got %+v, %+v, %v", shipment, response, err)
				}
			})
		}
		all.Wait()
		require.Len(t, srv.Requests(), 40)
	})
}
