package pages_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// A filter under test is a random one, with its documented meaning (docs/service.md#filters),
// applied to an item of the unfiltered list. shown reports what the item shows by itself: whether
// the filter matches it, or nil if that is not evident.
type containerCase struct {
	set     func(*terminal49.ContainerFilter)
	matches func(*terminal49.Container) bool
	shown   func(*terminal49.Container) *bool
}

type shipmentCase struct {
	set     func(*terminal49.ShipmentFilter)
	matches func(*terminal49.Shipment) bool
	shown   func(*terminal49.Shipment) *bool
}

func hidden[T any](*T) *bool { return nil }

// known returns what a filter of a value that is shown itself shows.
func known[T any](is func(*T) bool, matches func(*T) bool) func(*T) *bool {
	return func(v *T) *bool {
		if !is(v) {
			return nil
		}
		shown := matches(v)
		return &shown
	}
}

func shipmentOf(c *terminal49.Container) *terminal49.Shipment {
	s, _ := c.Shipment.Value()
	return s
}

// dayText returns the calendar day in UTC, which is the stored one in the simulator, or "".
func dayText(t terminal49.Time) string {
	at, ok := t.Instant()
	if !ok {
		return ""
	}
	return at.UTC().Format(time.DateOnly)
}

// shownDay returns what a time shows: a day is stored in UTC or at the place, and the documents do
// not say which.
func shownDay(t terminal49.Time, in func(string) bool) *bool {
	local, ok := t.Date()
	if t.IsZero() || !ok || in(dayText(t)) != in(local.String()) {
		return nil
	}
	shown := in(dayText(t))
	return &shown
}

func randomRange(random *rand.Rand, now time.Time) (terminal49.DateRange, func(string) bool) {
	from := now.AddDate(0, 0, random.IntN(20)-10)
	to := from.AddDate(0, 0, random.IntN(8))
	r := terminal49.DateRange{From: terminal49.DateOf(from), To: terminal49.DateOf(to)}
	switch random.IntN(4) {
	case 0:
		r.From = terminal49.Date{}
		return r, func(day string) bool { return day != "" && day <= r.To.String() }
	case 1:
		r.To = terminal49.Date{}
		return r, func(day string) bool { return day != "" && day >= r.From.String() }
	case 2:
		return terminal49.DateRange{Presence: terminal49.NotReported}, func(day string) bool { return day == "" }
	}
	return r, func(day string) bool { return day != "" && day >= r.From.String() && day <= r.To.String() }
}

// containerCases returns random filters by name.
func containerCases(random *rand.Rand, now time.Time, list []*terminal49.Container) map[string]containerCase {
	pick := list[random.IntN(len(list))]
	yes := random.IntN(2) == 0
	cases := map[string]containerCase{}
	text := func(name string, set func(*terminal49.ContainerFilter, []string), value func(*terminal49.Container) string) {
		want := []string{value(pick)}
		matches := func(c *terminal49.Container) bool { return slices.Contains(want, value(c)) }
		if want[0] == "" || random.IntN(5) == 0 {
			want = []string{terminal49.NotReported}
			matches = func(c *terminal49.Container) bool { return value(c) == "" }
		}
		cases[name] = containerCase{func(f *terminal49.ContainerFilter) { set(f, want) }, matches,
			known(func(c *terminal49.Container) bool { return value(c) != "" }, matches)}
	}
	type F = terminal49.ContainerFilter
	text("number", func(f *F, v []string) { f.Number = v }, func(c *terminal49.Container) string { return c.Number })
	text("terminal", func(f *F, v []string) { f.PODTerminalID = v }, func(c *terminal49.Container) string { return c.PODTerminal.ID() })
	text("pol", func(f *F, v []string) { f.POLCode = v }, func(c *terminal49.Container) string { return shipmentOf(c).PortOfLadingLOCODE })
	text("pod", func(f *F, v []string) { f.PODCode = v }, func(c *terminal49.Container) string { return shipmentOf(c).PortOfDischargeLOCODE })
	text("destination", func(f *F, v []string) { f.DestinationCode = v }, func(c *terminal49.Container) string { return shipmentOf(c).DestinationLOCODE })
	text("scac", func(f *F, v []string) { f.ShippingLineSCAC = v }, func(c *terminal49.Container) string { return shipmentOf(c).ShippingLineSCAC })
	text("status", func(f *F, v []string) {
		f.CurrentStatus = []terminal49.ContainerStatus{terminal49.ContainerStatus(v[0])}
	},
		func(c *terminal49.Container) string { return string(c.CurrentStatus) })
	text("POD name", func(f *F, v []string) { f.POD = v }, func(c *terminal49.Container) string { return shipmentOf(c).PortOfDischargeName })
	cases["POD name"] = containerCase{cases["POD name"].set, cases["POD name"].matches, hidden[terminal49.Container]}

	flag := func(name string, set func(*F, terminal49.Opt[bool]), reported, holds func(*terminal49.Container) bool) {
		matches := func(c *terminal49.Container) bool { return reported(c) && holds(c) == yes }
		cases[name] = containerCase{func(f *F) { set(f, terminal49.Some(yes)) }, matches, known(reported, matches)}
	}
	someHolds := func(c *terminal49.Container) bool { return len(c.Holds) > 0 }
	someFees := func(c *terminal49.Container) bool { return len(c.Fees) > 0 }
	knownHolds := func(c *terminal49.Container) bool { return c.Holds != nil }
	knownFees := func(c *terminal49.Container) bool { return c.Fees != nil }
	flag("holds", func(f *F, v terminal49.Opt[bool]) { f.HasHolds = v }, knownHolds, someHolds)
	flag("fees", func(f *F, v terminal49.Opt[bool]) { f.HasFees = v }, knownFees, someFees)
	flag("either", func(f *F, v terminal49.Opt[bool]) { f.HasFeesOrHolds = v },
		func(c *terminal49.Container) bool {
			return knownHolds(c) && knownFees(c) || someHolds(c) || someFees(c)
		},
		func(c *terminal49.Container) bool { return someHolds(c) || someFees(c) })
	flag("demurrage", func(f *F, v terminal49.Opt[bool]) { f.HasDemurrageFees = v }, knownFees,
		func(c *terminal49.Container) bool {
			return slices.ContainsFunc(c.Fees, func(fee terminal49.Fee) bool { return fee.Type == terminal49.FeeDemurrage })
		})
	held := func(c *terminal49.Container) bool {
		return slices.ContainsFunc(c.Holds, func(h terminal49.Hold) bool { return h.Name == "customs" && h.Status == "hold" })
	}
	cases["hold names"] = containerCase{func(f *F) { f.HoldNames = []terminal49.HoldName{"Customs", "TMF"} }, held, known(knownHolds, held)}
	tracked := func(c *terminal49.Container) bool { return shipmentOf(c).LineTrackingStoppedAt.IsZero() == yes }
	cases["tracked"] = containerCase{func(f *F) { f.ActivelyTracked = terminal49.Some(yes) }, tracked,
		known(func(c *terminal49.Container) bool { return !shipmentOf(c).LineTrackingStoppedAt.IsZero() }, tracked)}

	date := func(name string, set func(*F, terminal49.DateRange), checked bool, value func(*terminal49.Container) terminal49.Time) {
		r, in := randomRange(random, now)
		c := containerCase{func(f *F) { set(f, r) }, func(c *terminal49.Container) bool { return in(dayText(value(c))) }, hidden[terminal49.Container]}
		if checked {
			c.shown = func(c *terminal49.Container) *bool { return shownDay(value(c), in) }
		}
		cases[name] = c
	}
	date("lfd", func(f *F, r terminal49.DateRange) { f.PickupLFD = r }, true, func(c *terminal49.Container) terminal49.Time { return c.PickupLFD })
	date("arrived", func(f *F, r terminal49.DateRange) { f.PODArrivedAt = r }, true, func(c *terminal49.Container) terminal49.Time { return c.PODArrivedAt })
	date("delivered", func(f *F, r terminal49.DateRange) { f.DeliveredAt = r }, true, func(c *terminal49.Container) terminal49.Time { return c.DeliveredAt })
	date("created", func(f *F, r terminal49.DateRange) { f.CreatedAt = r }, true, func(c *terminal49.Container) terminal49.Time { return c.CreatedAt })
	date("line", func(f *F, r terminal49.DateRange) { f.LineLFD = r }, false, func(c *terminal49.Container) terminal49.Time { return c.ImportDeadlines.Line })
	date("ETD", func(f *F, r terminal49.DateRange) { f.POLETD = r }, true, func(c *terminal49.Container) terminal49.Time { return shipmentOf(c).POLETD })

	want := []string{tags[random.IntN(len(tags))], tags[random.IntN(len(tags))]}
	tagged := func(c *terminal49.Container) bool { return hasTags(shipmentOf(c).Tags, want, yes) }
	cases["tags"] = containerCase{func(f *F) { f.Tags, f.AllTags = want, yes }, tagged,
		known(func(*terminal49.Container) bool { return true }, tagged)}
	prefix := pick.Number[:4+random.IntN(4)]
	cases["search"] = containerCase{func(f *F) { f.SearchNumber = strings.ToLower(prefix) },
		func(c *terminal49.Container) bool { return strings.HasPrefix(c.Number, prefix) }, hidden[terminal49.Container]}
	return cases
}

var tags = []string{"hot", "late", "cold chain"}

func hasTags(has, want []string, all bool) bool {
	found := 0
	for _, tag := range want {
		if slices.Contains(has, tag) {
			found++
		}
	}
	return found == len(want) || !all && found > 0
}

func shipmentCases(random *rand.Rand, now time.Time, list []*terminal49.Shipment) map[string]shipmentCase {
	pick := list[random.IntN(len(list))]
	yes := random.IntN(2) == 0
	type F = terminal49.ShipmentFilter
	type S = terminal49.Shipment
	always := func(*S) bool { return true }
	pod := func(s *S) bool { return s.PortOfDischargeLOCODE == pick.PortOfDischargeLOCODE }
	terminal := func(s *S) bool { return s.PODTerminal.ID() == pick.PODTerminal.ID() }
	want := []string{tags[random.IntN(len(tags))], tags[random.IntN(len(tags))]}
	tagged := func(s *S) bool { return hasTags(s.Tags, want, yes) }
	tracked := func(s *S) bool { return s.LineTrackingStoppedAt.IsZero() == yes }
	onShip := func(s *S) bool { return s.PODATA.IsZero() }
	arrival := func(s *S) terminal49.Time {
		if s.PODATA.IsZero() {
			return s.PODETA
		}
		return s.PODATA
	}
	dates, in := randomRange(random, now)
	since := now.Add(-time.Duration(random.IntN(240)) * time.Hour)
	created := func(s *S) bool { at, _ := s.CreatedAt.Instant(); return !at.Before(since) }
	return map[string]shipmentCase{
		"pod": {func(f *F) { f.PODCode = []string{pick.PortOfDischargeLOCODE} }, pod, known(always, pod)},
		"terminal": {func(f *F) { f.PODTerminalID = []string{pick.PODTerminal.ID()} }, terminal,
			known(func(s *S) bool { return s.PODTerminal.ID() != "" }, terminal)},
		"tags": {func(f *F) { f.Tags, f.AllTags = want, yes }, tagged, known(always, tagged)},
		"tracked": {func(f *F) { f.ActivelyTracked = terminal49.Some(yes) }, tracked,
			known(func(s *S) bool { return !s.LineTrackingStoppedAt.IsZero() }, tracked)},
		"voyage": {func(f *F) { f.VoyageStatus = terminal49.VoyageOnShip }, onShip,
			known(func(s *S) bool { return !s.PODATA.IsZero() }, onShip)},
		"arrival": {func(f *F) { f.PODArrival = dates }, func(s *S) bool { return in(dayText(arrival(s))) },
			func(s *S) *bool { return shownDay(arrival(s), in) }},
		"created": {func(f *F) { f.CreatedAt = terminal49.TimeRange{From: since} }, created, known(always, created)},
		"search": {func(f *F) { f.Search = pick.BillOfLadingNumber }, func(s *S) bool {
			return strings.HasPrefix(s.BillOfLadingNumber, pick.BillOfLadingNumber)
		}, hidden[terminal49.Shipment]},
	}
}

// addFreight fills a service with random freight.
func addFreight(srv *terminal49test.Server, random *rand.Rand, count int) {
	places := []struct{ pod, terminal string }{{"USLAX", "WBCT"}, {"USLGB", ""}}
	at := func() time.Time { return srv.Now().Add(time.Duration(random.IntN(20*24)-10*24) * time.Hour) }
	maybe := func() time.Time {
		if random.IntN(3) == 0 {
			return time.Time{}
		}
		return at()
	}
	for i := range count {
		place := places[random.IntN(len(places))]
		s := terminal49test.Shipment{
			BillOfLadingNumber: fmt.Sprintf("MAEU%09d", i), ShippingLine: []string{"MAEU", "MSCU"}[random.IntN(2)],
			PortOfLading: "CNSHA", PortOfDischarge: place.pod, PODTerminal: place.terminal, PODVoyageNumber: "1",
			CreatedAt: at(), POLETD: maybe(), PODETA: at(), PODATA: maybe(), Tags: tags[:random.IntN(len(tags)+1)],
		}
		if random.IntN(3) == 0 {
			s.LineTrackingStoppedAt = srv.Now()
		}
		c := terminal49test.Container{
			Shipment: srv.AddShipment(s), Number: terminal49test.ContainerNumber("MSKU", i), CreatedAt: at(),
			CurrentStatus: []string{"available", "grounded", "on_ship"}[random.IntN(3)], PODArrivedAt: maybe(), DeliveredAt: maybe(),
			ImportDeadlines: terminal49test.Deadlines{Line: maybe(), Terminal: maybe()}, Attributes: map[string]any{},
		}
		if random.IntN(2) == 0 {
			c.Holds = []terminal49test.Hold{{Name: []string{"customs", "freight"}[random.IntN(2)], Status: []string{"hold", "pending"}[random.IntN(2)]}}
		}
		if random.IntN(2) == 0 {
			c.Fees = []terminal49test.Fee{{Type: []string{"demurrage", "exam"}[random.IntN(2)], Amount: 10}}
		}
		for _, list := range []string{"holds_at_pod_terminal", "fees_at_pod_terminal"} {
			if random.IntN(4) == 0 {
				c.Attributes[list] = nil
			}
		}
		srv.AddContainer(c)
	}
}

// At the newer service a filtered list is the unfiltered one without what the filter excludes. The
// older one ignores filters: the list is then complete if nothing shows that it was not filtered,
// and an error otherwise.
func TestFilters_GiveTheFilteredListOrAnError(t *testing.T) {
	for seed := range uint64(testkit.Scale(4, 24)) {
		for _, older := range []bool{false, true} {
			options := []terminal49test.Option{terminal49test.WithoutRateLimits()}
			if older {
				options = append(options, terminal49test.WithoutAutumn2026())
			}
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				random := rand.New(rand.NewPCG(seed, 7))
				addFreight(srv, random, 20+random.IntN(100))
				client := testkit.SimulatedClient(t, srv, terminal49.WithoutRateLimits())
				checkContainerFilters(t, client, random, srv.Now(), older)
				checkShipmentFilters(t, client, random, srv.Now(), older)
			}, options...)
		}
	}
}

func checkContainerFilters(t *testing.T, client *terminal49.Client, random *rand.Rand, now time.Time, older bool) {
	params := terminal49.ContainerListParams{Include: []terminal49.ContainerInclude{terminal49.ContainerIncludeShipment}}
	everything, err := testkit.Drain(client.Containers.All(t.Context(), &params))
	require.NoError(t, err)
	cases := containerCases(random, now, everything)
	if older {
		delete(cases, "number") // which the older service has too
	}
	for name, first := range cases {
		for other, second := range cases {
			if other < name || other != name && random.IntN(8) > 0 {
				continue
			}
			params.Filter = terminal49.ContainerFilter{}
			first.set(&params.Filter)
			second.set(&params.Filter)
			want, contradicted := []string{}, false
			for _, c := range everything {
				if older || first.matches(c) && second.matches(c) {
					want = append(want, c.ID)
				}
				contradicted = contradicted || isFalse(first.shown(c)) || isFalse(second.shown(c))
			}
			got, err := testkit.Drain(client.Containers.All(t.Context(), &params))
			checkFiltered(t, name+" and "+other, older && contradicted, idsOf(got), want, err)
		}
	}
}

func checkShipmentFilters(t *testing.T, client *terminal49.Client, random *rand.Rand, now time.Time, older bool) {
	everything, err := testkit.Drain(client.Shipments.All(t.Context(), nil))
	require.NoError(t, err)
	for name, c := range shipmentCases(random, now, everything) {
		params := &terminal49.ShipmentListParams{}
		c.set(&params.Filter)
		if len(params.Filter.PODTerminalID) > 0 && params.Filter.PODTerminalID[0] == "" {
			continue
		}
		want, contradicted := []string{}, false
		for _, s := range everything {
			if older || c.matches(s) {
				want = append(want, s.ID)
			}
			contradicted = contradicted || isFalse(c.shown(s))
		}
		got, err := testkit.Drain(client.Shipments.All(t.Context(), params))
		checkFiltered(t, name, older && contradicted, idsOf(got), want, err)
	}
}

func isFalse(shown *bool) bool { return shown != nil && !*shown }

func idsOf[T any](items []*T) []string {
	ids := []string{}
	for _, item := range items {
		switch v := any(item).(type) {
		case *terminal49.Container:
			ids = append(ids, v.ID)
		case *terminal49.Shipment:
			ids = append(ids, v.ID)
		}
	}
	return ids
}

func checkFiltered(t *testing.T, name string, ignored bool, got, want []string, err error) {
	t.Helper()
	var failed *terminal49.FilterIgnoredError
	require.Equal(t, ignored, errors.As(err, &failed), "%s: %v", name, err)
	if !ignored {
		require.NoError(t, err, name)
		require.Equal(t, want, got, name)
		return
	}
	require.NotEmpty(t, failed.Filter)
	require.NotEmpty(t, failed.ResourceID)
}
