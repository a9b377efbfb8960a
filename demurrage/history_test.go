package demurrage_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/demurrage"
	"github.com/go-freight/terminal49/terminal49test/verdicttest"
)

const chicago = "America/Chicago"

// inChicago returns a time on a day of November 2026 at a ramp.
func inChicago(day, hour int) terminal49.Time {
	place, _ := time.LoadLocation(chicago)
	return terminal49.NewTime(time.Date(2026, time.November, day, hour, 0, 0, 0, place), chicago)
}

// landed is a container that was discharged in Los Angeles on 19 November 2026.
func landed(change func(*terminal49.Container)) *terminal49.Container {
	c := &terminal49.Container{PODDischargedAt: at(2026, time.November, 19, 9), PODTimezone: losAngeles}
	change(c)
	return c
}

// toChicago is the same with a bill of lading to Chicago; no railroad is named.
func toChicago(change func(*terminal49.Container)) *terminal49.Container {
	return landed(func(c *terminal49.Container) {
		c.FinalDestinationTimezone = chicago
		c.Shipment = terminal49.Included("s", &terminal49.Shipment{
			PortOfDischargeLOCODE: "USLAX", DestinationLOCODE: "USCHI", DestinationTimezone: chicago,
		})
		change(c)
	})
}

func happening(event terminal49.EventName, when terminal49.Time, locode string) *terminal49.TransportEvent {
	return &terminal49.TransportEvent{Event: event, Timestamp: when, LocationLOCODE: locode, Timezone: when.Zone()}
}

func events(all ...*terminal49.TransportEvent) terminal49.ToMany[*terminal49.TransportEvent] {
	return terminal49.IncludedAll(all...)
}

// sample returns the container of a case of verdicttest, which has its source.
func sample(t *testing.T, name string) *terminal49.Container {
	t.Helper()
	for _, c := range verdicttest.Cases() {
		if c.Name == name {
			return c.Container()
		}
	}
	t.Fatal("no case " + name)
	return nil
}

// Two free days from the discharge, then USD 100 a day until it is picked up full; USD 120 a day
// from the day after that. The amounts were worked by hand. Where a container is follows from
// docs/service-containers.md#moves-inland and #rail: pod_full_out_at is set while it is on a train
// or at the ramp, and full_out is at the ramp.
const twoClocks = `{"currency": "USD", "charges": [
	{"kind": "demurrage", "starts": ["discharge"], "stops": "full_out", "free_days": 2, "tiers_from": "first_charged_day", "tiers": [{"from": 1, "per_day": 100}]},
	{"kind": "detention", "starts": ["full_out"], "starts_next_day": true, "stops": "empty_return", "free_days": 0,
		"tiers_from": "first_charged_day", "tiers": [{"from": 1, "per_day": 120}]}]}`

func TestStayOf_IsMadeOfTheVerdict(t *testing.T) {
	tariff, err := demurrage.ParseTariff([]byte(twoClocks))
	require.NoError(t, err)
	const notOut = "detention USD 0.00 (full out is not reported, so the clock has not started)"
	november25 := november(25)
	for name, c := range map[string]struct {
		container *terminal49.Container
		until     terminal49.Date
		want      [2]string
	}{
		// At the ramp: not picked up. Discharged on 12 October 2022 at 15:27 in Los Angeles.
		"rail arrived, by event": {sample(t, "rail arrived"), terminal49.Date{Year: 2022, Month: 10, Day: 25},
			[2]string{"demurrage USD 1,200.00 until 2022-10-25, free until 2022-10-13", notOut}},
		"rail unloaded, by event": {sample(t, "rail unloaded"), terminal49.Date{Year: 2022, Month: 10, Day: 25},
			[2]string{"demurrage USD 1,200.00 until 2022-10-25, free until 2022-10-13", notOut}},
		"rail unloaded, released there": {sample(t, "rail unloaded, then released"), terminal49.Date{Year: 2022, Month: 10, Day: 25},
			[2]string{"demurrage USD 1,200.00 until 2022-10-25, free until 2022-10-13", notOut}},
		"rail arrived, by the shipment": {sample(t, "rail arrived, without its event"), terminal49.Date{Year: 2022, Month: 10, Day: 25},
			[2]string{"demurrage USD 1,200.00 until 2022-10-25, free until 2022-10-13", notOut}},
		"on the train, by event": {sample(t, "rail departed"), terminal49.Date{Year: 2022, Month: 10, Day: 25}, // discharged on the 13th in Los Angeles
			[2]string{"demurrage USD 1,100.00 until 2022-10-25, free until 2022-10-14", notOut}},
		"arrived inland, by ind_ata_at only": {landed(func(c *terminal49.Container) {
			c.PODFullOutAt, c.INDATA = at(2026, time.November, 21, 9), inChicago(24, 9)
		}), november25, [2]string{"demurrage USD 500.00 until 2026-11-25, free until 2026-11-20", notOut}},
		"at its inland destination by barge": {toChicago(func(c *terminal49.Container) {
			c.TransportEvents = events(happening(terminal49.EventVesselDischarged, inChicago(24, 9), "USCHI"))
		}), november25, [2]string{"demurrage USD 500.00 until 2026-11-25, free until 2026-11-20", notOut}},

		// By truck from the port on the 21st, or not picked up yet.
		"gate-out at the port, truck or rail": {toChicago(func(c *terminal49.Container) { c.PODFullOutAt = at(2026, time.November, 21, 9) }), november25, [2]string{
			"demurrage USD 100.00 to USD 500.00 until 2026-11-25, free until 2026-11-20 (whether full out has happened is not known)",
			"detention USD 0.00 to USD 480.00 until 2026-11-25 (whether full out has happened is not known)"}},
		"gate-out at the port, truck or rail, by event only": {toChicago(func(c *terminal49.Container) {
			c.TransportEvents = events(happening(terminal49.EventFullOut, at(2026, time.November, 21, 9), "USLAX"))
		}), november25, [2]string{
			"demurrage USD 100.00 to USD 500.00 until 2026-11-25, free until 2026-11-20 (whether full out has happened is not known)",
			"detention USD 0.00 to USD 480.00 until 2026-11-25 (whether full out has happened is not known)"}},
		"picked up, by status only, truck or rail": {toChicago(func(c *terminal49.Container) { c.CurrentStatus = terminal49.StatusPickedUp }), november25, [2]string{
			"demurrage USD 0.00 to USD 500.00 until 2026-11-25, free until 2026-11-20 (whether full out has happened is not known)",
			"detention USD 0.00 to USD 720.00 until 2026-11-25 (whether full out has happened is not known)"}},
		"the same, returned on the 24th": {toChicago(func(c *terminal49.Container) {
			c.PODFullOutAt, c.EmptyTerminatedAt = at(2026, time.November, 21, 9), at(2026, time.November, 24, 9)
		}), november25, [2]string{
			"demurrage USD 100.00 to USD 400.00, free until 2026-11-20 (full out was on 2026-11-21, 2026-11-24 or between)",
			"detention USD 0.00 to USD 360.00 (full out was on 2026-11-21, 2026-11-24 or between)"}},

		// Delivered on a day that nobody reports: out of the ramp after 15 February 2022.
		"KOCU4959010": {sample(t, "KOCU4959010"), terminal49.Date{Year: 2022, Month: 3, Day: 1}, [2]string{ // discharged on 8 January, left the port on 11 February
			"demurrage USD 3,300.00 to USD 5,100.00 until 2022-03-01, free until 2022-01-09 (whether full out has happened is not known)",
			"detention USD 0.00 to USD 2,160.00 until 2022-03-01 (whether full out has happened is not known)"}},
		"delivered, by status only, read on the 23rd": {landed(func(c *terminal49.Container) {
			c.CurrentStatus, c.AsOf = terminal49.StatusDelivered, time.Date(2026, time.November, 23, 1, 0, 0, 0, time.UTC)
		}), november25, [2]string{
			"demurrage USD 0.00 to USD 300.00, free until 2026-11-20 (full out was on 2026-11-19, 2026-11-23 or between)",
			"detention USD 240.00 to USD 720.00 until 2026-11-25 (full out was on 2026-11-19, 2026-11-23 or between)"}},
		"delivered on the 22nd, the gate-out is not reported": {landed(func(c *terminal49.Container) { c.DeliveredAt = at(2026, time.November, 22, 9) }), november25, [2]string{
			"demurrage USD 0.00 to USD 200.00, free until 2026-11-20 (full out was on 2026-11-19, 2026-11-22 or between)",
			"detention USD 360.00 to USD 720.00 until 2026-11-25 (full out was on 2026-11-19, 2026-11-22 or between)"}},

		// By event only: stopped on the day of the event.
		"picked up at the ramp, by event only": {toChicago(func(c *terminal49.Container) {
			c.PODFullOutAt, c.PODRailDepartedAt = at(2026, time.November, 21, 9), at(2026, time.November, 21, 10)
			c.TransportEvents = events(happening(terminal49.EventFullOut, inChicago(24, 9), "USCHI"))
		}), november25, [2]string{"demurrage USD 400.00, free until 2026-11-20", "detention USD 120.00 until 2026-11-25"}},
		"picked up at the port, by event only": {landed(func(c *terminal49.Container) {
			c.TransportEvents = events(happening(terminal49.EventFullOut, at(2026, time.November, 23, 9), ""))
		}), november25, [2]string{"demurrage USD 300.00, free until 2026-11-20", "detention USD 240.00 until 2026-11-25"}},
		"returned, by event only": {landed(func(c *terminal49.Container) {
			c.PODFullOutAt = at(2026, time.November, 22, 9)
			c.TransportEvents = events(happening(terminal49.EventEmptyIn, at(2026, time.November, 24, 9), ""))
		}), november25, [2]string{"demurrage USD 200.00, free until 2026-11-20", "detention USD 240.00"}},
		"discharged, picked up and returned, by events only": {&terminal49.Container{TransportEvents: events(
			happening(terminal49.EventVesselDischarged, at(2026, time.November, 19, 9), ""),
			happening(terminal49.EventFullOut, at(2026, time.November, 22, 9), ""),
			happening(terminal49.EventEmptyIn, at(2026, time.November, 24, 9), ""),
		)}, november25, [2]string{"demurrage USD 200.00, free until 2026-11-20", "detention USD 240.00"}},

		// The verdict is unknown, because reports contradict each other.
		"picked up, and then discharged": {landed(func(c *terminal49.Container) { c.PODFullOutAt = at(2026, time.November, 15, 9) }), november25, [2]string{
			"demurrage unknown (whether discharge has happened is not known; whether full out has happened is not known)",
			"detention unknown (whether full out has happened is not known; whether empty return has happened is not known)"}},
	} {
		e, err := tariff.Estimate(demurrage.StayOf(c.container), c.until)
		require.NoError(t, err, name)
		assert.Equal(t, c.want[0]+"\n"+c.want[1]+"\ntotal "+e.Total.Format("USD"), e.String(), name)
	}
}

// Los Angeles is two hours behind Chicago: it is 22:30 there when it is half past midnight here.
func TestDayAt(t *testing.T) {
	moment, known := inChicago(25, 0).Instant()
	require.True(t, known)
	moment = moment.Add(30 * time.Minute)
	atRamp := func(c *terminal49.Container) {
		c.PODFullOutAt, c.INDATA, c.INDRailUnloadedAt = at(2026, time.November, 20, 9), inChicago(23, 9), inChicago(23, 10)
	}
	for name, c := range map[string]struct {
		container *terminal49.Container
		day       int
	}{
		"at the port":                     {landed(func(*terminal49.Container) {}), 24},
		"at the port, before the railway": {toChicago(func(c *terminal49.Container) { c.PODRailCarrierSCAC = "BNSF" }), 24},
		"on the train":                    {toChicago(func(c *terminal49.Container) { c.PODRailDepartedAt = at(2026, time.November, 20, 9) }), 24},
		"at the ramp":                     {toChicago(atRamp), 25},
		"out of the ramp": {toChicago(func(c *terminal49.Container) {
			atRamp(c)
			c.FinalDestinationFullOutAt = inChicago(24, 9)
		}), 25},
		"without a zone": {&terminal49.Container{}, 25}, // in UTC
		"nil":            {nil, 25},
	} {
		require.Equal(t, november(c.day), demurrage.DayAt(c.container, moment), name)
	}
}

// requireAgreement fails if a stay contradicts the verdict on whether a container was picked up and
// returned.
func requireAgreement(t *testing.T, c *terminal49.Container, now time.Time, name string) {
	t.Helper()
	situation, s := terminal49.Assess(c, now, terminal49.VerdictOptions{}).Stored().OldSituation, demurrage.StayOf(c)
	mayHave := func(e demurrage.Event) bool {
		_, isBetween := s.Between[e]
		return isBetween || !s.Events[e].IsZero() || slices.Contains(s.Uncertain, e)
	}
	switch situation {
	case terminal49.SituationUnknown:
		require.Zero(t, s.Events[demurrage.FullOut], name)
	case terminal49.SituationReturned:
		require.True(t, mayHave(demurrage.EmptyReturn) && mayHave(demurrage.FullOut), name)
	case terminal49.SituationOut:
		require.True(t, mayHave(demurrage.FullOut) && !mayHave(demurrage.EmptyReturn), name)
	default:
		require.False(t, mayHave(demurrage.FullOut) || mayHave(demurrage.EmptyReturn), "%s is %s, and its stay is %+v", name, situation, s)
	}
	switch situation {
	case terminal49.SituationOnRail, terminal49.SituationNotReleasedInland:
		require.True(t, mayHave(demurrage.PortOut), "%s is %s, and its stay is %+v", name, situation, s)
	case terminal49.SituationAwaitingTransfer:
		require.False(t, mayHave(demurrage.PortOut), "%s is %s, and its stay is %+v", name, situation, s)
	case terminal49.SituationAtSea, terminal49.SituationBeforeVoyage:
		require.False(t, mayHave(demurrage.Discharge) || mayHave(demurrage.PortOut), "%s is %s, and its stay is %+v", name, situation, s)
	}
}

func TestStayOf_AgreesWithTheVerdict(t *testing.T) {
	for _, c := range verdicttest.Cases() {
		requireAgreement(t, c.Container(), c.Now, c.Name)
	}
}

// Containers with any of the times, events and statuses that a journey has, in any order.
func TestStayOf_AgreesWithTheVerdictOfRandomContainers(t *testing.T) {
	for seed := range uint64(3000) {
		requireAgreement(t, randomContainer(rand.New(rand.NewPCG(seed, 49))), time.Date(2026, time.December, 30, 0, 0, 0, 0, time.UTC), fmt.Sprint("seed ", seed))
	}
}

func randomContainer(r *rand.Rand) *terminal49.Container {
	c := toChicago(func(*terminal49.Container) {})
	if r.IntN(2) == 0 {
		c = landed(func(*terminal49.Container) {})
	}
	day := 1
	next := func() terminal49.Time {
		day += r.IntN(3)
		return at(2026, time.November, day, r.IntN(24))
	}
	for _, field := range []*terminal49.Time{
		&c.PODArrivedAt, &c.PODDischargedAt, &c.PODRailLoadedAt, &c.PODFullOutAt, &c.PODRailDepartedAt, &c.INDATA, &c.INDRailUnloadedAt,
		&c.FinalDestinationFullOutAt, &c.DeliveredAt, &c.EmptyTerminatedAt,
	} {
		if *field = (terminal49.Time{}); r.IntN(3) == 0 {
			*field = next()
		}
	}
	c.CurrentStatus = []terminal49.ContainerStatus{
		"", "", terminal49.StatusOnShip, terminal49.StatusAvailable, terminal49.StatusOnRail, terminal49.StatusPickedUp, terminal49.StatusOffDock,
		terminal49.StatusDelivered, terminal49.StatusEmptyReturned, terminal49.StatusGrounded,
	}[r.IntN(10)]
	var all []*terminal49.TransportEvent
	day = 1
	for _, name := range []terminal49.EventName{
		terminal49.EventVesselDeparted, terminal49.EventVesselDischarged, terminal49.EventFullOut, terminal49.EventRailDeparted, terminal49.EventRailArrived,
		terminal49.EventRailUnloaded, terminal49.EventFullOut, terminal49.EventDelivered, terminal49.EventEmptyIn,
	} {
		if r.IntN(4) == 0 {
			all = append(all, happening(name, next(), []string{"", "USLAX", "USCHI"}[r.IntN(3)]))
		}
	}
	c.TransportEvents = events(all...)
	return c
}
