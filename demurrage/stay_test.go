package demurrage_test

import (
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/demurrage"
)

func TestStayOf(t *testing.T) {
	truck := demurrage.StayOf(&terminal49.Container{
		Number: "MSCU1234566", EquipmentType: "dry", EquipmentLength: terminal49.Some(40),
		PODDischargedAt: at(2026, time.November, 2, 9), PODFullOutAt: at(2026, time.November, 9, 9), EmptyTerminatedAt: at(2026, time.November, 12, 9),
		ImportDeadlines: terminal49.ImportDeadlines{Terminal: at(2026, time.November, 6, 0), Line: at(2026, time.November, 13, 0)},
		PODTerminal:     terminal49.Included("t", &terminal49.Terminal{Name: "West Basin", Nickname: "WBCT"}),
		Shipment: terminal49.Included("s", &terminal49.Shipment{
			ShippingLineSCAC: "MSCU", PortOfDischargeLOCODE: "USLAX", CustomerName: "Acme",
		}),
	})
	require.Equal(t, at(2026, time.November, 9, 9), truck.Events[demurrage.FullOut])
	require.Equal(t, at(2026, time.November, 6, 0), truck.Events[demurrage.TerminalLastFreeDay])
	require.Equal(t, at(2026, time.November, 13, 0), truck.Events[demurrage.LineLastFreeDay])
	truck.Events = nil
	require.Equal(t, demurrage.Stay{
		Number: "MSCU1234566", ShippingLine: "MSCU", Port: "USLAX", Terminal: "WBCT", Customer: "Acme", Equipment: "dry", EquipmentLength: 40,
	}, truck)
	require.Zero(t, demurrage.StayOf(nil))
}

// A container that leaves the port by rail has pod_full_out_at, and was not picked up there.
func TestStayOf_Rail(t *testing.T) {
	rail := &terminal49.Container{
		PODDischargedAt: at(2026, time.November, 2, 9), PODRailDepartedAt: at(2026, time.November, 5, 9), PODFullOutAt: at(2026, time.November, 5, 9),
	}
	stay := demurrage.StayOf(rail)
	require.Equal(t, rail.PODFullOutAt, stay.Events[demurrage.PortOut])
	require.Zero(t, stay.Events[demurrage.FullOut])
	rail.FinalDestinationFullOutAt = at(2026, time.November, 12, 9)
	require.Equal(t, rail.FinalDestinationFullOutAt, demurrage.StayOf(rail).Events[demurrage.FullOut])
}

// A charge with conditions applies if they are met; what is unknown makes a range.
func TestEstimate_Conditions(t *testing.T) {
	tariff, err := demurrage.ParseTariff([]byte(`{"currency": "USD", "charges": [
		{"kind": "demurrage", "name": "contract", "applies": {"customers": ["Acme"]}, "starts": ["discharge"], "stops": "full_out", "free_days": 10,
			"tiers_from": "first_charged_day", "tiers": [{"from": 1, "per_day": 50}]},
		{"kind": "demurrage", "name": "public", "applies": {"ports": ["uslax"]}, "starts": ["discharge"], "stops": "full_out", "free_days": 4,
			"tiers_from": "first_charged_day", "tiers": [{"from": 1, "per_day": 100}]}]}`))
	require.NoError(t, err)
	for want, stay := range map[string]demurrage.Stay{
		"demurrage USD 0.00 until 2026-11-12, free until 2026-11-12":                                            {Customer: "ACME"},
		"demurrage USD 600.00 until 2026-11-12, free until 2026-11-06":                                          {Customer: "other", Port: "USLAX"},
		"demurrage unknown (no charge of the tariff for demurrage applies to this container)":                   {Customer: "other", Port: "USNYC"},
		"demurrage USD 0.00 to USD 600.00 until 2026-11-12 (the customer is unknown, and charges depend on it)": {Port: "USLAX"},
	} {
		stay.Events = map[demurrage.Event]terminal49.Time{demurrage.Discharge: at(2026, time.November, 3, 9)}
		e, err := tariff.Estimate(stay, terminal49.Date{Year: 2026, Month: time.November, Day: 12})
		require.NoError(t, err)
		require.Equal(t, want, e.String())
	}
}

func TestCompare_Results(t *testing.T) {
	tariff, err := demurrage.ParseTariff(tariffJSON)
	require.NoError(t, err)
	e, err := tariff.Estimate(demurrage.StayOf(&terminal49.Container{PODDischargedAt: at(2026, time.November, 19, 15)}), terminal49.Date{Year: 2026, Month: time.November, Day: 27})
	require.NoError(t, err)
	unknown, err := tariff.Estimate(demurrage.Stay{}, terminal49.Date{Year: 2026, Month: time.November, Day: 27})
	require.NoError(t, err)
	fee := func(kind terminal49.FeeType, amount, currency string) terminal49.Fee {
		return terminal49.Fee{Type: kind, Amount: money(amount), CurrencyCode: currency}
	}
	for _, c := range []struct {
		e    *demurrage.Estimate
		fees []terminal49.Fee
		want demurrage.Result
	}{
		{e, []terminal49.Fee{fee(terminal49.FeeDemurrage, "150.00", "USD")}, demurrage.Agrees},
		{e, []terminal49.Fee{fee(terminal49.FeeDemurrage, "100.00", "USD"), fee(terminal49.FeeDemurrage, "50", "USD")}, demurrage.Agrees},
		{e, []terminal49.Fee{fee(terminal49.FeeDemurrage, "150.01", "USD")}, demurrage.PostedMore},
		{e, []terminal49.Fee{fee(terminal49.FeeDemurrage, "149.99", "USD")}, demurrage.PostedLess},
		{e, []terminal49.Fee{fee(terminal49.FeeDemurrage, "150", "CAD")}, demurrage.OtherCurrency},
		{e, []terminal49.Fee{fee(terminal49.FeeDemurrage, "150", "CAD"), fee(terminal49.FeeDemurrage, "150", "USD")}, demurrage.OtherCurrency},
		{e, []terminal49.Fee{fee(terminal49.FeeDemurrage, "0", "USD")}, demurrage.NotPosted},
		{e, []terminal49.Fee{fee(terminal49.FeeTotal, "150", "USD")}, demurrage.NotPosted},
		{unknown, []terminal49.Fee{fee(terminal49.FeeDemurrage, "150", "USD")}, demurrage.NotEstimated},
	} {
		all := demurrage.Compare(c.e, c.fees)
		require.Len(t, all, 1)
		require.Equal(t, c.want, all[0].Result)
	}
}

// Arguments that cannot be counted are refused by name.
func TestEstimate_RefusesArguments(t *testing.T) {
	tariff, err := demurrage.ParseTariff(tariffJSON)
	require.NoError(t, err)
	until := terminal49.Date{Year: 2026, Month: time.November, Day: 27}
	discharged := demurrage.StayOf(&terminal49.Container{PODDischargedAt: at(2000, time.January, 1, 9)})
	for field, f := range map[string]func() error{
		"until":  func() error { _, err := tariff.Estimate(demurrage.Stay{}, terminal49.Date{}); return err },
		"n":      func() error { _, err := tariff.CostOfMoreDays(demurrage.Stay{}, until, -1); return err },
		"until ": func() error { _, err := tariff.Estimate(discharged, until); return err },
		"Interruptions": func() error {
			_, err := tariff.Estimate(demurrage.Stay{Interruptions: []demurrage.Interruption{{Kind: "closed"}}}, until)
			return err
		},
		"Between": func() error {
			_, err := tariff.Estimate(demurrage.Stay{Between: map[demurrage.Event]demurrage.Days{demurrage.Discharge: {First: until}}}, until)
			return err
		},
		"tariff": func() error { _, err := (*demurrage.Tariff)(nil).Estimate(demurrage.Stay{}, until); return err },
		"charges": func() error {
			_, err := (&demurrage.Tariff{Currency: "USD"}).Estimate(demurrage.Stay{}, until)
			return err
		},
	} {
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, f(), &argument, field)
		require.Equal(t, trimmed(field), argument.Field)
	}
}

func trimmed(field string) string { return strings.TrimSpace(field) }

func money(text string) decimal.Decimal { return decimal.RequireFromString(text) }
