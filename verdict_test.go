package terminal49_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test/verdicttest"
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
