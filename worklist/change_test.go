package worklist_test

import (
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/worklist"
)

// california returns a time of the port, in California in March of 2026 or another month.
func california(month time.Month, day, hour int) terminal49.Time {
	return terminal49.NewTime(time.Date(2026, month, day, hour+8, 0, 0, 0, time.UTC), "America/Los_Angeles")
}

// checked is when the terminal was checked, and when a container is read.
var checked = time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)

// atSea, atPort, onRail and gone are a container on its journey. Without anything else, a
// terminal reports empty lists, and nothing released.
func atSea(c *terminal49.Container) {
	*c = terminal49.Container{
		Number: "OOCU7853330", CurrentStatus: terminal49.StatusOnShip, PODTimezone: "America/Los_Angeles",
		Shipment: terminal49.Included("s", &terminal49.Shipment{
			PortOfDischargeLOCODE: "USLGB", PortOfDischargeName: "Long Beach", PODETA: california(time.March, 5, 8),
			DestinationLOCODE: "USEWI", DestinationName: "Elwood", DestinationETA: california(time.March, 6, 8),
		}),
		Holds: []terminal49.Hold{}, Fees: []terminal49.Fee{}, TerminalCheckedAt: terminal49.NewTime(checked, ""),
	}
	c.ID = "1"
}

func atPort(c *terminal49.Container) {
	atSea(c)
	shipment(func(s *terminal49.Shipment) {
		s.DestinationLOCODE, s.DestinationName, s.DestinationETA = "", "", terminal49.Time{}
	})(c)
	c.CurrentStatus, c.PODArrivedAt, c.PODDischargedAt = terminal49.StatusGrounded, california(time.March, 1, 8), california(time.March, 1, 20)
	c.PODTerminal = terminal49.Included("t", &terminal49.Terminal{Nickname: "LBCT"})
	c.AvailableForPickup, c.AvailabilityKnown = terminal49.Some(false), terminal49.Some(true)
}

func onRail(c *terminal49.Container) {
	atSea(c)
	c.CurrentStatus, c.PODDischargedAt = terminal49.StatusOnRail, california(time.February, 27, 8)
	c.PODFullOutAt, c.PODRailDepartedAt = california(time.February, 28, 12), california(time.February, 28, 11)
}

func gone(c *terminal49.Container) {
	atPort(c)
	c.CurrentStatus, c.PODFullOutAt = terminal49.StatusPickedUp, california(time.March, 2, 3)
}

func shipment(change func(*terminal49.Shipment)) func(*terminal49.Container) {
	return func(c *terminal49.Container) {
		s, _ := c.Shipment.Value()
		changed := *s
		change(&changed)
		c.Shipment = terminal49.Included("s", &changed)
	}
}

func released(c *terminal49.Container) { c.AvailableForPickup = terminal49.Some(true) }

func holds(names ...terminal49.HoldName) func(*terminal49.Container) {
	return func(c *terminal49.Container) {
		for _, name := range names {
			c.Holds = append(c.Holds, terminal49.Hold{Name: name, Status: terminal49.HoldStatusActive})
		}
	}
}

func pending(name terminal49.HoldName) func(*terminal49.Container) {
	return func(c *terminal49.Container) {
		c.Holds = append(c.Holds, terminal49.Hold{Name: name, Status: terminal49.HoldStatusPending})
	}
}

func fee(kind terminal49.FeeType, dollars int64) func(*terminal49.Container) {
	return func(c *terminal49.Container) {
		c.Fees = append(c.Fees, terminal49.Fee{Type: kind, Amount: decimal.NewFromInt(dollars), CurrencyCode: "USD"})
	}
}

func lastFree(day int) func(*terminal49.Container) {
	return func(c *terminal49.Container) { c.ImportDeadlines.Terminal = california(time.March, day, 0) }
}

func arrivesOn(day int) func(*terminal49.Container) {
	return shipment(func(s *terminal49.Shipment) { s.PODETA = california(time.March, day, 8) })
}

func arrivesInlandOn(day int) func(*terminal49.Container) {
	return shipment(func(s *terminal49.Shipment) { s.DestinationETA = california(time.March, day, 8) })
}

// checkedBefore makes the terminal's check older.
func checkedBefore(age time.Duration) func(*terminal49.Container) {
	return func(c *terminal49.Container) { c.TerminalCheckedAt = terminal49.NewTime(checked.Add(-age), "") }
}

// reports sets whether the terminal says that it reports an attribute.
func reports(attribute string, is bool) func(*terminal49.Container) {
	return func(c *terminal49.Container) {
		c.PODTerminal = terminal49.Included("t", &terminal49.Terminal{
			Nickname: "LBCT", ProvidedData: terminal49.ProvidedData{attribute: {Reported: terminal49.Some(is)}},
		})
	}
}

type reading []func(*terminal49.Container)

// item returns a reading at a time, as a set keeps it.
func (r reading) item(now time.Time) *worklist.Item {
	c := &terminal49.Container{}
	for _, report := range r {
		report(c)
	}
	v := terminal49.Assess(c, now, terminal49.VerdictOptions{})
	record := worklist.NewRecord(c, &v)
	v = record.Standing.Verdict(now, terminal49.VerdictOptions{})
	return &worklist.Item{Record: record, Verdict: &v}
}

// The wanted changes are from the rules of the service: a hold that is cleared disappears, and a
// pending one that comes into force has another status (docs/service-containers.md#holds). A
// terminal that does not report fees sends an empty list, as a captured one does
// (docs/service-containers.md#terminals).
func TestCompare_WhatADispatcherWantsToKnow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after reading
		want          []string
	}{
		"nothing":                                {reading{atPort}, reading{atPort}, nil},
		"checked again, and nothing has changed": {reading{atPort, holds("customs"), checkedBefore(time.Hour)}, reading{atPort, holds("customs")}, nil},
		"a hold is placed":                       {reading{atPort}, reading{atPort, holds("customs")}, []string{"situation: not_released, held", "holds: none, customs"}},
		"a hold is cleared":                      {reading{atPort, holds("customs")}, reading{atPort, released}, []string{"situation: held, ready", "holds: customs, none"}},
		"one of two is cleared":                  {reading{atPort, holds("freight", "customs")}, reading{atPort, holds("customs")}, []string{"holds: customs, freight, customs"}},
		"one of two of a name":                   {reading{atPort, holds("other", "other")}, reading{atPort, holds("other")}, []string{"holds: other, other, other"}},
		"one without a name":                     {reading{atPort, holds("TMF")}, reading{atPort, holds("TMF", "")}, []string{"holds: TMF, without a name, TMF"}},
		"a pending hold is placed":               {reading{atPort, pending("freight")}, reading{atPort, holds("freight")}, []string{"situation: not_released, held", "holds: freight (pending), freight"}},
		"holds in another order":                 {reading{atPort, holds("freight", "customs")}, reading{atPort, holds("customs", "freight")}, nil},
		"a fee is posted":                        {reading{atPort, released}, reading{atPort, released, fee("demurrage", 300)}, []string{"situation: ready, pay_first", "fees: no fees, USD 300.00"}},
		"a fee rises":                            {reading{atPort, fee("demurrage", 300)}, reading{atPort, fee("demurrage", 1450)}, []string{"fees: USD 300.00, USD 1,450.00"}},
		"a fee without an amount":                {reading{atPort}, reading{atPort, fee("exam", 0)}, []string{"fees: no fees, USD 0.00 (not all amounts known)"}},
		"a total replaces its fees":              {reading{atPort, fee("exam", 90), fee("total", 90)}, reading{atPort, fee("total", 90)}, nil},
		"fees are not reported any more": {
			reading{atPort, reports(terminal49.AttributeFees, true)}, reading{atPort, reports(terminal49.AttributeFees, false)}, []string{"fees: no fees, not reported"},
		},
		"holds are not reported any more": {
			reading{atPort, holds("customs")}, reading{atPort, func(c *terminal49.Container) { c.Holds = nil }}, []string{"situation: held, not_released", "holds: customs, not reported"},
		},
		"a last free day is reported":  {reading{atPort}, reading{atPort, lastFree(6)}, []string{"last_free_day: , 2026-03-06"}},
		"it moves":                     {reading{atPort, lastFree(6)}, reading{atPort, lastFree(5)}, []string{"last_free_day: 2026-03-06, 2026-03-05"}},
		"it is withdrawn at the place": {reading{atPort, lastFree(6)}, reading{atPort}, []string{"last_free_day: 2026-03-06, "}},
		"the ship is late":             {reading{atSea}, reading{atSea, arrivesOn(7)}, []string{"eta: expected 2026-03-05 08:00 -08:00, expected 2026-03-07 08:00 -08:00 (48h0m0s)"}},
		"the ship is early":            {reading{atSea, arrivesOn(7)}, reading{atSea}, []string{"eta: expected 2026-03-07 08:00 -08:00, expected 2026-03-05 08:00 -08:00 (-48h0m0s)"}},
		"no arrival is expected":       {reading{atSea}, reading{atSea, shipment(func(s *terminal49.Shipment) { s.PODETA = terminal49.Time{} })}, []string{"eta: expected 2026-03-05 08:00 -08:00, "}},
		"the ship calls elsewhere at that time": {
			reading{atSea}, reading{atSea, shipment(func(s *terminal49.Shipment) { s.PortOfDischargeLOCODE = "USOAK" })},
			[]string{"eta: expected 2026-03-05 08:00 -08:00, expected 2026-03-05 08:00 -08:00"},
		},
		"its port gets a name": {reading{atSea, shipment(func(s *terminal49.Shipment) { s.PortOfDischargeName = "" })}, reading{atSea}, nil},
		"it arrives": {
			reading{atSea}, reading{atPort}, []string{"situation: at_sea, not_released", "eta: expected 2026-03-05 08:00 -08:00, since 2026-03-01 08:00 -08:00"},
		},
		"it arrives at a terminal that reports no fees": {
			reading{atSea}, reading{atPort, reports(terminal49.AttributeFees, false)}, []string{"situation: at_sea, not_released", "eta: expected 2026-03-05 08:00 -08:00, since 2026-03-01 08:00 -08:00"},
		},
		"it arrives with a hold": {
			reading{atSea}, reading{atPort, holds("customs"), lastFree(6)},
			[]string{"situation: at_sea, held", "holds: , customs", "last_free_day: , 2026-03-06", "eta: expected 2026-03-05 08:00 -08:00, since 2026-03-01 08:00 -08:00"},
		},
		"the arrival is corrected": {reading{atPort}, reading{atPort, func(c *terminal49.Container) { c.PODArrivedAt = california(time.March, 1, 9) }}, nil},
		"it is picked up":          {reading{atPort, released, lastFree(6)}, reading{gone, lastFree(6)}, []string{"situation: ready, out"}},
		"it is picked up, and its hold and fee are reported no more": {reading{atPort, holds("TMF"), fee("other", 30)}, reading{gone}, []string{"situation: held, out"}},
		"it leaves by rail": {
			reading{atPort}, reading{onRail, arrivesInlandOn(6)}, []string{"situation: not_released, on_rail", "eta: since 2026-03-01 08:00 -08:00, expected 2026-03-06 08:00 -08:00"},
		},
		"the train is late": {reading{onRail}, reading{onRail, arrivesInlandOn(7)}, []string{"eta: expected 2026-03-06 08:00 -08:00, expected 2026-03-07 08:00 -08:00 (24h0m0s)"}},
	} {
		require.Equal(t, c.want, texts(worklist.Compare(c.before.item(checked), c.after.item(checked))), name)
	}
}

// A slip is that of one place: the ids decide, then the cities, then the names. Two places of which
// nothing is known may be two.
func TestChange_SlipIsOfOnePlace(t *testing.T) {
	t.Parallel()
	type place = terminal49.VerdictPlace
	for _, c := range []struct {
		before, after place
		want          bool
	}{
		{place{TerminalID: "1", LOCODE: "USLGB"}, place{TerminalID: "1"}, true},
		{place{TerminalID: "1", LOCODE: "USLGB"}, place{TerminalID: "2", LOCODE: "USLGB"}, true},
		{place{TerminalID: "1", Name: "Pier T"}, place{TerminalID: "2", Name: "Pier T"}, false},
		{place{LOCODE: "USLGB", Name: "Pier T"}, place{LOCODE: "USLAX", Name: "Pier T"}, false},
		{place{Name: "Pier T"}, place{Name: "Pier T"}, true},
		{place{}, place{}, false},
	} {
		change := worklist.Change{
			Key: worklist.KeyETA, Before: worklist.Value{Time: california(time.March, 5, 8), Expected: true, Place: c.before},
			After: worklist.Value{Time: california(time.March, 7, 8), Expected: true, Place: c.after},
		}
		slip, known := change.Slip()
		require.Equal(t, c.want, known, c)
		require.Equal(t, c.want, slip == 48*time.Hour, c)
	}
}

// texts writes changes.
func texts(changes []worklist.Change) (all []string) {
	for _, c := range changes {
		text := string(c.Key) + ": " + c.Before.Text + ", " + c.After.Text
		if slip, known := c.Slip(); known {
			text += " (" + slip.String() + ")"
		}
		all = append(all, text)
	}
	return all
}

// What the clock alone changes is the situation: a release is good for a day.
func TestCompare_TheClockAlone(t *testing.T) {
	t.Parallel()
	r := reading{atPort, released, lastFree(3), fee("demurrage", 10)}
	require.Equal(t, []string{"situation: pay_first, stale"}, texts(worklist.Compare(r.item(checked), r.item(checked.Add(25*time.Hour)))))
	require.Empty(t, worklist.Compare(r.item(checked), r.item(checked.Add(23*time.Hour))), "the last free day is today now, but the same")
}

// The keys are those by which containers are counted.
func TestChangeKeys_AreKeys(t *testing.T) {
	t.Parallel()
	question, err := (&worklist.Set{}).Ask(checked, worklist.Filter{}, terminal49.VerdictOptions{})
	require.NoError(t, err)
	require.Len(t, worklist.ChangeKeys(), 5)
	for _, key := range worklist.ChangeKeys() {
		_, err := question.Count(key)
		require.NoError(t, err)
	}
}
