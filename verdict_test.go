package terminal49_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/verdicttest"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The service's container schema: pickup_facility is the inland place of pickup and may be null.
// TCLU2224327 and ARDU1824900 are containers of its OpenAPI document.
func TestAssess_Places(t *testing.T) {
	terminal := func(id string) terminal49.ToOne[*terminal49.Terminal] {
		return terminal49.Linked[*terminal49.Terminal]("terminal", id)
	}
	port := func(change func(*terminal49.Shipment)) terminal49.ToOne[*terminal49.Shipment] {
		s := &terminal49.Shipment{PortOfDischargeLOCODE: "USOAK", PODTimezone: losAngeles}
		change(s)
		return terminal49.Included("s", s)
	}
	toPort := port(func(*terminal49.Shipment) {})
	toCity := port(func(s *terminal49.Shipment) { s.DestinationLOCODE, s.DestinationName = "USCHI", "Chicago" })
	toRamp := port(func(s *terminal49.Shipment) {
		s.DestinationLOCODE, s.DestinationTerminal = "USCHI", terminal49.Included("ramp", &terminal49.Terminal{Name: "Logistics Park"})
	})
	toBoth := port(func(s *terminal49.Shipment) {
		s.DestinationLOCODE, s.PODTerminal = "USOAK", terminal("of the shipment")
	})
	other := port(func(s *terminal49.Shipment) { s.PODTerminal = terminal("of the shipment") })
	for _, row := range []struct {
		name      string
		container terminal49.Container
		at, next  terminal49.VerdictPlace
	}{
		{"TCLU2224327", terminal49.Container{PickupFacility: terminal("e6fa9a01"), PODTerminal: terminal("a243bdf8"), FinalDestinationTimezone: "America/Chicago"},
			terminal49.VerdictPlace{TerminalID: "a243bdf8"}, terminal49.VerdictPlace{TerminalID: "e6fa9a01", Zone: "America/Chicago"}},
		{"ARDU1824900", terminal49.Container{Shipment: toPort, PODTerminal: terminal("17891bc8")},
			terminal49.VerdictPlace{TerminalID: "17891bc8", LOCODE: "USOAK", Zone: losAngeles}, terminal49.VerdictPlace{}},
		{"only the port is known", terminal49.Container{Shipment: toPort},
			terminal49.VerdictPlace{LOCODE: "USOAK", Zone: losAngeles}, terminal49.VerdictPlace{}},
		{"the shipment's terminal", terminal49.Container{Shipment: toBoth},
			terminal49.VerdictPlace{TerminalID: "of the shipment", LOCODE: "USOAK", Zone: losAngeles}, terminal49.VerdictPlace{}},
		{"another terminal than the shipment's", terminal49.Container{Shipment: other, PODTerminal: terminal("own")},
			terminal49.VerdictPlace{TerminalID: "own", Zone: losAngeles}, terminal49.VerdictPlace{}},
		{"inland, the terminal is known", terminal49.Container{Shipment: toRamp, PODTerminal: terminal("port")},
			terminal49.VerdictPlace{TerminalID: "port", LOCODE: "USOAK", Zone: losAngeles},
			terminal49.VerdictPlace{TerminalID: "ramp", Name: "Logistics Park", LOCODE: "USCHI"}},
		{"inland, only the city is known", terminal49.Container{Shipment: toCity, PODTerminal: terminal("port")},
			terminal49.VerdictPlace{TerminalID: "port", LOCODE: "USOAK", Zone: losAngeles},
			terminal49.VerdictPlace{Name: "Chicago", LOCODE: "USCHI"}},
		{"at another terminal of the same port", terminal49.Container{Shipment: toPort, PODTerminal: terminal("port"),
			PickupFacility: terminal49.Included("yard", &terminal49.Terminal{Port: terminal49.Included("p", &terminal49.Port{LOCODE: "USOAK"})})},
			terminal49.VerdictPlace{TerminalID: "yard", LOCODE: "USOAK", Zone: losAngeles}, terminal49.VerdictPlace{}},
		{"nothing is known", terminal49.Container{}, terminal49.VerdictPlace{}, terminal49.VerdictPlace{}},
	} {
		row.container.PODDischargedAt = terminal49.NewTime(time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC), "")
		v := terminal49.Assess(&row.container, time.Date(2026, 3, 3, 8, 0, 0, 0, time.UTC), terminal49.VerdictOptions{})
		assert.Equal(t, row.at, v.Place, row.name)
		assert.Equal(t, row.next, v.BoundFor, row.name)
	}
}

// A terminal that declares that it does not report fees sends an empty list all the same. A missing
// flag and no data mean nothing. The service's documents describe provided_data by terminal.
func TestAssess_ProvidedDataOnlyWarns(t *testing.T) {
	now := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	at := func(data terminal49.ProvidedData) (terminal49.Verdict, bool) {
		terminal := &terminal49.Terminal{ProvidedData: data}
		v := terminal49.Assess(&terminal49.Container{
			AvailableForPickup: terminal49.Some(true), Holds: []terminal49.Hold{}, Fees: []terminal49.Fee{},
			TerminalCheckedAt: terminal49.NewTime(now, ""), PODTerminal: terminal49.Included("t", terminal),
		}, now, terminal49.VerdictOptions{})
		return v, slices.Contains(v.Readiness.Warnings, terminal49.WarnFeesNotProvided) ||
			slices.Contains(v.Readiness.Warnings, terminal49.WarnHoldsNotProvided)
	}
	plain, _ := at(nil)
	for attribute, warned := range map[string]bool{"fees_at_pod_terminal": true, "holds_at_pod_terminal": true, "pickup_lfd": false} {
		v, warns := at(terminal49.ProvidedData{attribute: {Reported: terminal49.Some(false)}})
		assert.Equal(t, warned, warns, attribute)
		assert.Equal(t, plain.Situation, v.Situation)
		assert.Equal(t, plain.Readiness.NeedsRecheck(), v.Readiness.NeedsRecheck())
		assert.True(t, v.Readiness.CanPickUp(now, time.Hour))
	}
	for _, silent := range []terminal49.ProvidedData{{}, {"fees_at_pod_terminal": {}}, {"fees_at_pod_terminal": {Reported: terminal49.Null[bool]()}}} {
		v, warns := at(silent)
		assert.False(t, warns)
		assert.True(t, v.Fees.Settled())
	}
}

func TestAssess_AgeOfTheTerminalsWord(t *testing.T) {
	now := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	for age, want := range map[time.Duration]string{
		45 * time.Minute: "45 minutes", 119 * time.Minute: "119 minutes", 2 * time.Hour: "2 hours", 47 * time.Hour: "47 hours", 50 * time.Hour: "2 days",
	} {
		c := &terminal49.Container{AvailableForPickup: terminal49.Some(true), Holds: []terminal49.Hold{}, TerminalCheckedAt: terminal49.NewTime(now.Add(-age), "")}
		v := terminal49.Assess(c, now, terminal49.VerdictOptions{MaxAge: 30 * time.Minute})
		assert.Equal(t, terminal49.SituationStale, v.Situation)
		assert.Contains(t, v.String(), "the terminal was last checked "+want+" ago")
		assert.Equal(t, terminal49.SituationStale, terminal49.Assess(c, now, terminal49.VerdictOptions{MaxAge: -1}).Situation)
	}
}

// A status has no time, so it is no report of the future. The current status of the service's
// documents is a value without a time.
func TestAssess_ReportsOfTheFuture(t *testing.T) {
	now := time.Date(2026, 11, 23, 18, 0, 0, 0, time.UTC)
	future := terminal49.NewTime(now.AddDate(0, 0, 5), losAngeles)
	for wanted, c := range map[string]*terminal49.Container{
		"left the port on 2026-11-28":  {PODFullOutAt: future, CurrentStatus: terminal49.StatusAvailable},
		"returned empty on 2026-11-28": {EmptyTerminatedAt: future, CurrentStatus: terminal49.StatusOnShip},
		"rail loaded on 2026-11-28":    {PODRailLoadedAt: future, CurrentStatus: terminal49.StatusGrounded},
	} {
		require.Equal(t, "It is not known where it is: the reports lie in the future ("+wanted+"). Ask the shipping line before you send a truck.",
			terminal49.Assess(c, now, terminal49.VerdictOptions{}).String())
	}
}

func TestAssess_AHoldInlandIsADoubt(t *testing.T) {
	now := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	c := &terminal49.Container{AvailableForPickup: terminal49.Some(true), Holds: []terminal49.Hold{}, TerminalCheckedAt: terminal49.NewTime(now, ""),
		INDFacilityHolds: []terminal49.Hold{{Name: terminal49.HoldCustoms, Status: terminal49.HoldStatusPending}}}
	require.True(t, terminal49.PickupReadiness(c).CanPickUp(now, time.Hour))
	c.INDFacilityHolds[0].Status = terminal49.HoldStatusActive
	require.False(t, terminal49.PickupReadiness(c).CanPickUp(now, time.Hour))
	require.Equal(t, terminal49.SituationStale, terminal49.Assess(c, now, terminal49.VerdictOptions{}).Situation)
}

// After the pickup, nothing is left to pick up, whether or not the empty container is back. Every
// other situation leaves something to do or to wait for.
func TestSituation_HasLeft(t *testing.T) {
	for situation, want := range map[terminal49.Situation]bool{
		"out": true, "returned": true,
		"pay_first": false, "ready": false, "stale": false, "held": false, "unknown": false, "not_released_inland": false,
		"not_released": false, "awaiting_transfer": false, "on_rail": false, "at_sea": false, "before_voyage": false,
		"": false, "of a later version": false,
	} {
		assert.Equal(t, want, situation.HasLeft(), situation)
	}
}

// Overdue comes before imminent, by days; then the situations in the order of the constants.
func TestVerdict_Compare(t *testing.T) {
	verdict := func(s terminal49.Situation, u terminal49.Urgency, days ...int) terminal49.Verdict {
		v := terminal49.Verdict{Situation: s, Urgency: u}
		for _, d := range days {
			v.DaysLeft = terminal49.Some(d)
		}
		return v
	}
	sorted := []terminal49.Verdict{
		verdict("not_released", "overdue", -9), verdict("pay_first", "overdue", -2), verdict("ready", "overdue", -2), verdict("held", "overdue", -1),
		verdict("on_rail", "imminent", 0), verdict("ready", "imminent", 3), verdict("pay_first", "none", 9), verdict("ready", "none", 5),
		verdict("ready", "none", 6), verdict("ready", "unknown"), verdict("stale", "none", 4), verdict("held", "none", 8), verdict("unknown", "unknown"),
		verdict("not_released_inland", "none"), verdict("not_released", "none"), verdict("awaiting_transfer", "none"), verdict("on_rail", "unknown"),
		verdict("at_sea", "unknown"), verdict("before_voyage", "unknown"), verdict("out", "none"), verdict("returned", "none"),
	}
	shuffled := slices.Clone(sorted)
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		slices.SortFunc(shuffled, terminal49.Verdict.Compare)
		require.Equal(t, sorted, shuffled)
	}
}

func TestVerdict_AskAgain(t *testing.T) {
	now := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	eta := func(d time.Duration) terminal49.ToOne[*terminal49.Shipment] {
		return terminal49.Included("s", &terminal49.Shipment{PODETA: terminal49.NewTime(now.Add(d), losAngeles)})
	}
	for name, row := range map[string]struct {
		container terminal49.Container
		want      time.Duration
	}{
		"at a terminal":     {terminal49.Container{AvailableForPickup: terminal49.Some(false)}, time.Hour},
		"nothing is known":  {terminal49.Container{}, time.Hour},
		"on a train":        {terminal49.Container{CurrentStatus: terminal49.StatusOnRail}, 6 * time.Hour},
		"at sea":            {terminal49.Container{CurrentStatus: terminal49.StatusOnShip}, 24 * time.Hour},
		"arriving":          {terminal49.Container{CurrentStatus: terminal49.StatusOnShip, Shipment: eta(5 * time.Hour)}, 5 * time.Hour},
		"late":              {terminal49.Container{CurrentStatus: terminal49.StatusOnShip, Shipment: eta(-5 * time.Hour)}, 24 * time.Hour},
		"not returned yet":  {terminal49.Container{CurrentStatus: terminal49.StatusPickedUp}, 24 * time.Hour},
		"nothing to expect": {terminal49.Container{CurrentStatus: terminal49.StatusEmptyReturned}, 0},
		"no longer tracked": {terminal49.Container{CurrentStatus: terminal49.StatusOnShip, Shipment: terminal49.Included("s",
			&terminal49.Shipment{LineTrackingStoppedAt: terminal49.NewTime(now, "")})}, 0},
		"stopped, by truck or by rail": {terminal49.Container{PODFullOutAt: terminal49.NewTime(now, losAngeles), INDETA: terminal49.NewTime(now, losAngeles),
			Shipment: terminal49.Included("s", &terminal49.Shipment{LineTrackingStoppedAt: terminal49.NewTime(now, "")})}, 0},
		"stopped at the terminal": {terminal49.Container{AvailableForPickup: terminal49.Some(true), Shipment: terminal49.Included("s",
			&terminal49.Shipment{LineTrackingStoppedAt: terminal49.NewTime(now, "")})}, 0},
	} {
		v := terminal49.Assess(&row.container, now, terminal49.VerdictOptions{})
		if row.want == 0 {
			assert.True(t, v.AskAgain.IsZero(), name)
			continue
		}
		assert.Equal(t, row.want, v.AskAgain.Sub(now), name)
	}
}

// What a response only links may answer what is unknown: the verdict names it.
func TestAssess_NamesWhatWasNotIncluded(t *testing.T) {
	c := &terminal49.Container{
		Shipment:        terminal49.Linked[*terminal49.Shipment]("shipment", "s"),
		PODTerminal:     terminal49.Linked[*terminal49.Terminal]("terminal", "t"),
		PickupFacility:  terminal49.NotRelated[*terminal49.Terminal](),
		TransportEvents: terminal49.LinkedAll[*terminal49.TransportEvent]("transport_event", "e"),
	}
	missing := func(opts terminal49.VerdictOptions) ([]terminal49.ContainerInclude, string) {
		v := terminal49.Assess(c, time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC), opts)
		return v.NotIncluded, v.String()
	}
	all, sentence := missing(terminal49.VerdictOptions{})
	require.Equal(t, []terminal49.ContainerInclude{"shipment", "pod_terminal", "transport_events"}, all)
	require.Equal(t, "Nothing reports where it is. Wait for a report. Not read with it: shipment, pod terminal, transport events.", sentence)
	some, _ := missing(terminal49.VerdictOptions{Events: []*terminal49.TransportEvent{}})
	require.Equal(t, []terminal49.ContainerInclude{"shipment", "pod_terminal"}, some, "the events are given")
	c.Shipment = terminal49.Included("s", &terminal49.Shipment{})
	c.PODTerminal = terminal49.Included("t", &terminal49.Terminal{})
	c.TransportEvents = terminal49.IncludedAll[*terminal49.TransportEvent]()
	none, sentence := missing(terminal49.VerdictOptions{})
	require.Empty(t, none)
	require.Equal(t, "Nothing reports where it is. Wait for a report.", sentence)
}

func TestSumVerdicts_OfABillOfLading(t *testing.T) {
	var all []terminal49.Verdict
	for _, c := range verdicttest.Cases() {
		if slices.Contains([]string{"pay first", "on the ship", "held", "picked up", "returned", "ready"}, c.Name) {
			all = append(all, terminal49.Assess(c.Container(), c.Now, terminal49.VerdictOptions{}))
		}
	}
	s := terminal49.SumVerdicts(all)
	assert.Equal(t, 6, s.Containers)
	assert.Equal(t, 2, s.HaveLeft)
	assert.Equal(t, map[terminal49.Situation]int{"pay_first": 1, "ready": 1, "held": 1, "at_sea": 1, "out": 1, "returned": 1}, s.Situations)
	assert.Equal(t, terminal49.SituationAtSea, s.Furthest.Situation)
	assert.Equal(t, terminal49.SituationPayFirst, s.Next.Situation)
	amount, currency, ok := s.Fees.Owed()
	require.True(t, ok)
	assert.True(t, amount.Equal(decimal.NewFromInt(555)), amount)
	assert.Equal(t, "USD", currency)
	assert.Equal(t, "6 containers: 1 pay first, 1 ready, 1 held, 1 at sea, 1 out, 1 returned; last free day 2026-11-19 (MSCU1234566); USD 555.00", s.String())

	s = terminal49.SumVerdicts(nil)
	assert.Nil(t, s.Furthest)
	assert.Nil(t, s.Next)
	assert.Equal(t, "0 containers", s.String())
}

// Times of a container at its port are in its own pod_timezone, so the place has that name of the
// zone; the shipment's is used only without it.
func TestAssess_ZoneOfThePort(t *testing.T) {
	for own, want := range map[string]string{"US/Pacific": "US/Pacific", "": losAngeles} {
		v := terminal49.Assess(&terminal49.Container{
			PODTimezone:     own,
			Shipment:        terminal49.Included("s", &terminal49.Shipment{PortOfDischargeLOCODE: "USOAK", PODTimezone: losAngeles}),
			PODDischargedAt: terminal49.NewTime(time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC), own),
		}, time.Date(2026, 3, 3, 8, 0, 0, 0, time.UTC), terminal49.VerdictOptions{})
		assert.Equal(t, terminal49.VerdictPlace{LOCODE: "USOAK", Zone: want}, v.Place, own)
	}
}

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
				AvailableForPickup: terminal49test.Bool(true), TerminalCheckedAt: now.Add(-time.Hour),
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
		add(false, func(c container) { c.AvailabilityKnown = terminal49test.Bool(false) })
		add(false, func(c container) { c.AvailableForPickup = nil })
		add(false, func(c container) { c.AvailableForPickup = terminal49test.Bool(false) })
		add(false, func(c container) { c.TerminalCheckedAt = now.Add(-20 * 24 * time.Hour) })
		add(false, func(c container) { c.Attributes = map[string]any{"terminal_checked_at": nil} })
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

// The stage of cases, whatever the clock. S1 to S4, L1 and CSNU8439129 are those of the service's
// samples, "4.2" is its table of statuses.
var wantedStages = map[string]terminal49.Stage{
	"at origin":                              "before_voyage",
	"on the ship":                            "at_sea",
	"on the ship, released in advance":       "at_sea", // a terminal releases what it expects
	"transshipment":                          "at_sea",
	"arrived, not discharged":                "arrived",
	"at sea, then available by status alone": "at_port", // 4.2: "on_ship→available directly"
	"not released":                           "at_port",
	"held":                                   "at_port",
	"ready":                                  "at_port",
	"ready two days ago":                     "at_port",
	"ready, no place is reported":            "at_port", // its discharge is
	"CSNU8439129":                            "at_port", // an inland move is booked, and it has not begun
	"waiting for its move inland, overdue at the port":    "at_port",
	"off dock after a gate-out":                           "at_port", // 4.2: off_dock is moved to a yard
	"off dock after a gate-out, the facility is the yard": "at_port",

	"rail loaded":                            "on_rail", // S1
	"rail departed":                          "on_rail", // S2, although pod_full_out_at is reported
	"CSNU8439129, departed, its status lags": "on_rail",
	"on rail by status":                      "on_rail",
	"rail arrived":                           "at_ramp", // S3
	"rail arrived, without its event":        "at_ramp", // the shipment's destination_ata_at is that of the event
	"rail unloaded":                          "at_ramp", // S4
	"rail unloaded, held there":              "at_ramp",
	"captured":                               "at_ramp", // L1: ind_ata_at, and final_destination_full_out_at is null
	"captured, holds cleared":                "at_ramp",

	"picked up":                                    "out",
	"picked up by status":                          "out",
	"delivered by a user":                          "out",
	"rail unloaded, out of the ramp":               "out",
	"on a train, then out in the zone of the ramp": "out",
	"returned":                                     "returned",
	"rail unloaded, returned":                      "returned",

	// The arrival is not that of this container.
	"the shipment's arrival at another port, which is linked": "at_sea",
	"discharged in Singapore, not released in Los Angeles":    "at_sea",

	"nothing is reported":                                   "unknown",
	"returned, and then at sea":                             "unknown", // contradictory
	"picked up, and then discharged":                        "unknown",
	"at the port or inland, nobody says":                    "unknown",
	"rail loaded, without its event":                        "unknown", // left the port by truck or by rail
	"rail departed, without its event, picked up by status": "unknown",
	"off dock after a gate-out, with a destination inland":  "unknown", // a yard here or there
}

func TestVerdict_Stage(t *testing.T) {
	left := map[string]bool{}
	for name := range wantedStages {
		left[name] = true
	}
	for _, c := range verdicttest.Cases() {
		want, has := wantedStages[c.Name]
		if !has {
			continue
		}
		delete(left, c.Name)
		for _, days := range []int{0, -400, -3, 3, 400} {
			v := terminal49.Assess(c.Container(), c.Now.AddDate(0, 0, days), terminal49.VerdictOptions{})
			assert.Equal(t, want, v.Stage(), "%s, %d days later: %s", c.Name, days, v)
		}
	}
	assert.Empty(t, left, "no such case")
}

// A status that is only reported of a container that is off the ship goes further than the arrival;
// one that follows from a terminal's report does not.
func TestVerdict_StageAfterTheArrival(t *testing.T) {
	i := slices.IndexFunc(verdicttest.Cases(), func(c verdicttest.Case) bool { return c.Name == "arrived, not discharged" })
	arrived := verdicttest.Cases()[i]
	for status, want := range map[terminal49.ContainerStatus]terminal49.Stage{
		"new": "arrived", "on_ship": "arrived", "available": "arrived", "not_available": "arrived",
		"grounded": "at_port", "awaiting_inland_transfer": "at_port", "off_dock": "at_port",
		"picked_up": "out", "empty_returned": "returned",
	} {
		c := arrived.Container()
		c.CurrentStatus = status
		assert.Equal(t, want, terminal49.Assess(c, arrived.Now, terminal49.VerdictOptions{}).Stage(), status)
	}
}

func TestStage_Known(t *testing.T) {
	for _, stage := range []terminal49.Stage{
		"before_voyage", "at_sea", "arrived", "at_port", "on_rail", "at_ramp", "out", "returned", "unknown",
	} {
		assert.True(t, stage.Known(), stage)
	}
	assert.False(t, terminal49.Stage("").Known())
	assert.False(t, terminal49.Stage("awaiting_transfer").Known())
}

// stagesOf are the stages that a situation of one place or leg may have.
var stagesOf = map[terminal49.Situation][]terminal49.Stage{
	"before_voyage": {"before_voyage"}, "at_sea": {"at_sea"}, "on_rail": {"on_rail"}, "out": {"out"}, "returned": {"returned"},
	"awaiting_transfer": {"arrived", "at_port"}, "not_released_inland": {"at_ramp"},
	"ready": {"arrived", "at_port", "at_ramp"}, "pay_first": {"arrived", "at_port", "at_ramp"},
}

// A stage and a situation never contradict each other, and the stage does not depend on the clock.
// A standing does not have it.
func TestVerdict_StageAgreesWithTheSituation(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 11))
	seen := map[terminal49.Stage]int{}
	for range testkit.Scale(5_000, 50_000) {
		c, now := randomContainer(r)
		v := terminal49.Assess(c, now, terminal49.VerdictOptions{})
		require.True(t, v.Stage().Known(), v)
		if stages, has := stagesOf[v.Situation]; has {
			require.Contains(t, stages, v.Stage(), v)
		}
		later := now.Add(time.Duration(r.IntN(2*365*24)-365*24) * time.Hour)
		require.Equal(t, v.Stage(), terminal49.Assess(c, later, terminal49.VerdictOptions{}).Stage(), v)
		require.Empty(t, v.Stored().Verdict(now, terminal49.VerdictOptions{}).Stage())
		seen[v.Stage()]++
	}
	assert.Len(t, seen, 9, "each stage: %v", seen)
}
