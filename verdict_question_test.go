package terminal49_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// readyTomorrow answers a question from the doc comments alone: which containers at a terminal are
// ready, with nothing to pay, and have their last free day tomorrow?
func readyTomorrow(ctx context.Context, client *terminal49.Client, terminal string, now time.Time) (numbers []string, err error) {
	include := terminal49.AssessIncludes()
	for c, err := range client.Containers.All(ctx, &terminal49.ContainerListParams{Include: include}) {
		if err != nil {
			return nil, err
		}
		v := terminal49.Assess(c, now, terminal49.VerdictOptions{MaxAge: 6 * time.Hour})
		days, known := v.DaysLeft.Get()
		ready := v.Situation == terminal49.SituationReady && terminal49.SumFees(c.Fees).Settled()
		if v.Place.Nickname == terminal && ready && known && days == 1 {
			numbers = append(numbers, c.Number)
		}
	}
	return numbers, nil
}

// The expected containers follow from docs/service.md: #readiness, #holds and #fees,
// #container-status, #zone-of-a-last-free-day and #last-free-days (the earliest of them).
func TestAssess_FindsWhatIsReadyTomorrow(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		now := time.Date(2026, 3, 10, 5, 0, 0, 0, time.UTC) // still 9 March, 22:00, in Long Beach
		if ahead := now.Sub(srv.Now()); ahead > 0 {
			srv.Advance(ahead)
		}
		now = srv.Now()
		zone, err := time.LoadLocation(losAngeles)
		require.NoError(t, err)
		midnight := func(days int) time.Time {
			year, month, day := now.In(zone).Date()
			return time.Date(year, month, day+days, 0, 0, 0, 0, zone)
		}
		shipment := srv.AddShipment(terminal49test.Shipment{ShippingLine: "MSCU", PortOfDischarge: "USLGB", Destination: "USLGB", PODTerminal: "LBCT"})
		elsewhere := srv.AddShipment(terminal49test.Shipment{ShippingLine: "MSCU", PortOfDischarge: "USLAX", Destination: "USLAX", PODTerminal: "APMT LA"})
		var want []string
		serial := 100_000
		add := func(answer bool, change func(*terminal49test.Container)) {
			serial++
			c := terminal49test.Container{
				Number: terminal49test.ContainerNumber("MSCU", serial), Shipment: shipment,
				AvailabilityKnown: true, AvailableForPickup: terminal49test.Bool(true), TerminalCheckedAt: now.Add(-time.Hour),
				ImportDeadlines: terminal49test.Deadlines{Terminal: midnight(1)},
			}
			change(&c)
			srv.AddContainer(c)
			if answer {
				want = append(want, c.Number)
			}
		}
		type container = *terminal49test.Container
		usd := func(kind string, amount float64) terminal49test.Fee {
			return terminal49test.Fee{Type: kind, Amount: amount}
		}

		add(true, func(container) {})
		add(true, func(c container) { c.ImportDeadlines.Line = midnight(9) }) // pickup_lfd is then the line's, not the earliest
		add(true, func(c container) { c.CurrentStatus = "grounded" })         // the status may lag behind
		add(true, func(c container) { c.PODDischargedAt = now.Add(-72 * time.Hour) })

		add(false, func(c container) { c.Fees = []terminal49test.Fee{usd("demurrage", 0)} })                  // not posted yet
		add(false, func(c container) { c.Fees = []terminal49test.Fee{usd("exam", 300), usd("total", 1300)} }) // above the lines
		add(false, func(c container) { c.Fees = []terminal49test.Fee{usd("total", 1300)} })
		add(false, func(c container) { c.Attributes = map[string]any{"fees_at_pod_terminal": nil} })
		add(false, func(c container) { c.PODFullOutAt = now.Add(-30 * time.Minute) }) // left by time
		add(false, func(c container) { c.CurrentStatus = "picked_up" })               // left by status
		add(false, func(c container) { c.AvailabilityKnown = false })
		add(false, func(c container) { c.AvailableForPickup = nil })
		add(false, func(c container) { c.AvailableForPickup = terminal49test.Bool(false) })
		add(false, func(c container) { c.TerminalCheckedAt = now.Add(-20 * 24 * time.Hour) })
		add(false, func(c container) { c.TerminalCheckedAt = time.Time{} })
		add(false, func(c container) { c.Holds = []terminal49test.Hold{{Name: "customs", Status: "pending"}} })
		add(false, func(c container) { c.Holds = []terminal49test.Hold{{Name: "customs"}} })
		add(false, func(c container) { c.Attributes = map[string]any{"holds_at_pod_terminal": nil} })
		add(false, func(c container) { c.ImportDeadlines.Terminal = midnight(0) })
		add(false, func(c container) { c.ImportDeadlines.Terminal = midnight(2) })
		add(false, func(c container) { c.ImportDeadlines.Line = midnight(0) }) // per diem starts earlier
		add(false, func(c container) { c.ImportDeadlines.Terminal = time.Time{} })
		add(false, func(c container) { c.Shipment = elsewhere })
		add(false, func(c container) { c.PickupFacility = "APMT LA" })

		numbers, err := readyTomorrow(t.Context(), testkit.SimulatedClient(t, srv), "LBCT", now)
		require.NoError(t, err)
		slices.Sort(numbers)
		require.Equal(t, want, numbers)
	})
}

// The service's document lists what each read can include: both lists are accepted, a container
// that comes with its shipment gets the same verdict, and a caller changes only a copy.
func TestAssessIncludes_AreEnoughForAVerdict(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv)
		ctx, now := t.Context(), srv.Now()
		for _, id := range srv.SeedDemo().Shipments {
			params := &terminal49.ShipmentGetParams{Include: terminal49.AssessShipmentIncludes()}
			shipment, err := client.Shipments.Get(ctx, id, params)
			require.NoError(t, err)
			containers, ok := shipment.Containers.Values()
			require.True(t, ok)
			for _, came := range containers {
				read, err := client.Containers.Get(ctx, came.ID, &terminal49.ContainerGetParams{Include: terminal49.AssessIncludes()})
				require.NoError(t, err)
				want, got := terminal49.Assess(read, now, terminal49.VerdictOptions{}), terminal49.Assess(came, now, terminal49.VerdictOptions{})
				require.Equal(t, fmt.Sprintf("%+v", want.Proof), fmt.Sprintf("%+v", got.Proof))
				require.Equal(t, want.String(), got.String())
			}
		}
		srv.CheckViolations(t)
	})
	terminal49.AssessIncludes()[0], terminal49.AssessShipmentIncludes()[0] = "raw_events", "destination"
	require.Equal(t, terminal49.ContainerIncludeShipment, terminal49.AssessIncludes()[0])
	require.Equal(t, terminal49.ShipmentIncludeContainers, terminal49.AssessShipmentIncludes()[0])
}
