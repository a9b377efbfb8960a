package demurrage_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/demurrage"
)

// tariffOf returns a tariff in USD with one charge, of USD 100 a day unless the charge says
// otherwise.
func tariffOf(t *testing.T, charge string) *demurrage.Tariff {
	t.Helper()
	if !strings.Contains(charge, `"tiers"`) {
		charge += `, "tiers": [{"from": 1, "per_day": "100.00"}]`
	}
	tariff, err := demurrage.ParseTariff([]byte(`{"currency": "USD", "charges": [{"tiers_from": "first_charged_day", ` + charge + `}]}`))
	require.NoError(t, err)
	return tariff
}

func november(day int) terminal49.Date {
	return terminal49.Date{Year: 2026, Month: time.November, Day: day}
}

// happened returns a stay with events at nine o'clock on days of November 2026 in Los Angeles.
func happened(days map[demurrage.Event]int) demurrage.Stay {
	s := demurrage.Stay{Events: map[demurrage.Event]terminal49.Time{}}
	for event, day := range days {
		s.Events[event] = at(2026, time.November, day, 9)
	}
	return s
}

const (
	inTerminal = `"kind": "demurrage", "starts": ["discharge"], "stops": "full_out", "free_days": 2`
	fromPort   = `"kind": "detention", "starts": ["port_out"], "stops": "empty_return", "free_days": 0`
	toPort     = `"kind": "demurrage", "starts": ["discharge"], "stops": "port_out", "free_days": 0`
	fromGate   = `"kind": "storage", "starts": ["gate_in"], "stops": "full_out", "free_days": 0`
)

// Expected values were worked by hand.
func TestEstimate_Unknown(t *testing.T) {
	for name, c := range map[string]struct {
		charge string
		stay   demurrage.Stay
		until  int
		want   string
	}{
		"a clock that a later event proves has started": {
			fromPort, happened(map[demurrage.Event]int{demurrage.Discharge: 2, demurrage.EmptyReturn: 9}), 20, // from the 2nd or the 9th
			"detention USD 100.00 to USD 800.00 (port out is not reported)",
		},
		"a clock that a later event proves has stopped": {
			toPort, happened(map[demurrage.Event]int{demurrage.Discharge: 2, demurrage.FullOut: 5}), 20,
			"demurrage USD 100.00 to USD 400.00 (port out is not reported)",
		},
		"a stop that nothing but the start precedes": {
			fromGate, happened(map[demurrage.Event]int{"gate_in": 2, demurrage.EmptyReturn: 9}), 20,
			"storage USD 100.00 to USD 800.00 (full out is not reported)",
		},
		"a time that is not at a place": { // the 2nd or the 3rd: from 12 hours behind to 14 ahead
			inTerminal, demurrage.Stay{Events: map[demurrage.Event]terminal49.Time{
				demurrage.Discharge: terminal49.NewTime(time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC), ""),
			}}, 9,
			"demurrage USD 500.00 to USD 600.00 until 2026-11-09 (the zone of discharge is unknown, so it was on 2026-11-02 or 2026-11-03)",
		},
		"a condition of the only charge": {
			inTerminal + `, "applies": {"ports": ["USLAX"]}`, happened(map[demurrage.Event]int{demurrage.Discharge: 2}), 9,
			"demurrage unknown (the port is unknown, and charges depend on it; perhaps none of the charges applies)",
		},
		"an earlier last free day": { // the 3rd by the free days
			inTerminal + `, "last_free_day": {"event": "line_last_free_day", "rule": "earlier"}`, happened(map[demurrage.Event]int{demurrage.Discharge: 2, demurrage.LineLastFreeDay: 6}), 9,
			"demurrage USD 600.00 until 2026-11-09, free until 2026-11-03",
		},
		"a last free day between two": {
			inTerminal + `, "last_free_day": {"event": "line_last_free_day", "rule": "replaces"}`, demurrage.Stay{
				Events:  happened(map[demurrage.Event]int{demurrage.Discharge: 2}).Events,
				Between: map[demurrage.Event]demurrage.Days{demurrage.LineLastFreeDay: {First: november(5), Last: november(7)}},
			}, 9,
			"demurrage USD 200.00 to USD 400.00 until 2026-11-09 (line last free day was on 2026-11-05, 2026-11-07 or between)",
		},
		"one of two starts": { // the latest, which may not have happened yet
			`"kind": "storage", "starts": ["discharge", "arrival_notice"], "stops": "full_out", "free_days": 0`, happened(map[demurrage.Event]int{"arrival_notice": 4, demurrage.FullOut: 6}), 9,
			"storage USD 100.00 to USD 300.00 (discharge is not reported)",
		},
		"two starts, one of them unknown": { // it may not have happened yet
			`"kind": "storage", "starts": ["arrival_notice", "discharge"], "stops": "full_out", "free_days": 0`, happened(map[demurrage.Event]int{demurrage.Discharge: 2}), 4,
			"storage USD 0.00 to USD 300.00 until 2026-11-04 (arrival notice is not reported)",
		},
		"a stop after the last day": {
			inTerminal, happened(map[demurrage.Event]int{demurrage.Discharge: 2, demurrage.FullOut: 12}), 9,
			"demurrage USD 600.00 until 2026-11-09, free until 2026-11-03",
		},
		"events in the wrong order": {
			fromPort, happened(map[demurrage.Event]int{demurrage.PortOut: 8, demurrage.FullOut: 5}), 20,
			"detention unknown (full out is reported for 2026-11-05, before port out on 2026-11-08)",
		},
	} {
		e, err := tariffOf(t, c.charge).Estimate(c.stay, november(c.until))
		require.NoError(t, err, name)
		require.Equal(t, c.want, e.String(), name)
	}
}

// A day after the last tier has no amount.
func TestEstimate_DaysAfterTheLastTier(t *testing.T) {
	tariff := tariffOf(t, inTerminal+`, "tiers": [{"from": 1, "to": 2, "per_day": "100.00"}]`)
	e, err := tariff.Estimate(happened(map[demurrage.Event]int{demurrage.Discharge: 2}), november(6))
	require.NoError(t, err)
	days := e.Charges[0].Days
	require.Equal(t, "USD 100.00", days[3].Amount.Format("USD"))
	require.Equal(t, "USD 0.00 or more", days[4].Amount.Format("USD"))
	more, err := tariff.CostOfMoreDays(happened(map[demurrage.Event]int{demurrage.Discharge: 2}), november(4), 2) // the 5th, and one without an amount
	require.NoError(t, err)
	require.Equal(t, "USD 100.00 or more", more.Format("USD"))
}

// Of a container that was available between the 2nd and the 8th, the cap is reached by the 9th from
// the 2nd, nothing is charged yet from the 8th, and a day more costs USD 100 from the days between.
func TestCost_IsARangeOfAllCases(t *testing.T) {
	tariff := tariffOf(t, `"kind": "storage", "starts": ["availability"], "stops": "full_out", "free_days": 3, "cap": "500.00"`)
	s := demurrage.Stay{Between: map[demurrage.Event]demurrage.Days{demurrage.Availability: {First: november(2), Last: november(8)}}}
	more, err := tariff.CostOfMoreDays(s, november(9), 1)
	require.NoError(t, err)
	require.Equal(t, "USD 0.00 to USD 100.00", more.Format("USD"))
	_, err = tariff.CostOfMoreDays(s, terminal49.Date{}, 1)
	require.ErrorContains(t, err, "until must be a day")
}

// A line is not wrong if it may be right.
func TestCheck_Unknown(t *testing.T) {
	tariff := tariffOf(t, strings.Replace(inTerminal, `"free_days": 2`, `"free_days": 0`, 1))
	line := demurrage.InvoiceLine{Kind: demurrage.Demurrage, From: november(2), To: november(9), Days: 8, PerDay: money("100"), Amount: money("800")}
	problems := func(s demurrage.Stay, until int) (all []demurrage.Problem) {
		e, err := tariff.Estimate(s, november(until))
		require.NoError(t, err)
		for _, f := range demurrage.Check(e, demurrage.Invoice{Currency: "USD", Lines: []demurrage.InvoiceLine{line}}) {
			all = append(all, f.Problem)
		}
		return all
	}
	require.Empty(t, problems(happened(map[demurrage.Event]int{demurrage.FullOut: 9}), 9)) // discharged on the 9th or before
	require.Empty(t, problems(happened(map[demurrage.Event]int{demurrage.Discharge: 2}), 9))
	require.Equal(t, []demurrage.Problem{demurrage.UnknownKind}, problems(happened(map[demurrage.Event]int{demurrage.Discharge: 2}), 8)) // the estimate ends too early
	line.PerDay, line.Amount = money("99"), money("792")
	require.Equal(t, []demurrage.Problem{demurrage.WrongAmount}, problems(happened(map[demurrage.Event]int{demurrage.Discharge: 2}), 9))
	line.PerDay = money("100")
	line.Days, line.Amount = 7, money("700")
	require.Equal(t, []demurrage.Problem{demurrage.MoreDays}, problems(happened(map[demurrage.Event]int{demurrage.Discharge: 2}), 9)) // 8 days are charged
}

// A last free day that was reported leaves open which number the first charged day has.
func TestParseTariff_LastFreeDayWithTiersFromTheFirstDay(t *testing.T) {
	_, err := demurrage.ParseTariff([]byte(`{"currency": "USD", "charges": [{"tiers_from": "first_day", "tiers": [{"from": 1, "per_day": 1}],
		"last_free_day": {"event": "line_last_free_day", "rule": "later"}, ` + inTerminal + `}]}`))
	require.ErrorContains(t, err, "charges[0].tiers_from must be first_charged_day")
}

// Amounts with more digits than a float64 has are exact.
func TestParseTariff_ExactAmounts(t *testing.T) {
	tariff := tariffOf(t, inTerminal+`, "tiers": [{"from": 1, "per_day": 90071992547409.93}]`)
	require.Equal(t, "90071992547409.93", tariff.Charges[0].Tiers[0].PerDay.String())
}

// A tariff with thousands of charges and holidays is read at once.
func TestTariff_Large(t *testing.T) {
	of := tariffOf(t, inTerminal).Charges[0]
	tariff := &demurrage.Tariff{Currency: "USD", Weekend: []string{"Sunday"}}
	of.FreeSkips = []demurrage.Skip{demurrage.SkipHolidays}
	for i := range 10_000 {
		of.Applies.Customers = []string{fmt.Sprint("customer ", i)}
		tariff.Charges = append(tariff.Charges, of)
		tariff.Holidays = append(tariff.Holidays, plus(november(3), i))
	}
	s := happened(map[demurrage.Event]int{demurrage.Discharge: 2})
	s.Customer = "customer 9999"
	e, err := tariff.Estimate(s, november(9)) // the 2nd is the only day that uses up a free day
	require.NoError(t, err)
	require.True(t, exact(t, e.Total).Equal(decimal.Zero))

	tariff.Charges[9_999].Applies.Customers = []string{"customer 7"}
	require.ErrorContains(t, tariff.Validate(), "charges[9999].applies must differ from that of charges[7]")
	tariff.Holidays[0] = terminal49.Date{Year: 2026, Month: time.February, Day: 30}
	require.ErrorContains(t, tariff.Validate(), "holidays[0]")
	tariff.Weekend = make([]string, 8)
	require.ErrorContains(t, tariff.Validate(), "weekend")
}

// A place is from 12 hours behind UTC to 14 hours ahead, so the days change at 12:00 and at 10:00.
func TestEstimate_UnknownZones(t *testing.T) {
	for at, want := range map[string]string{
		"09:59": "2026-11-01 or 2026-11-02", "10:00": "2026-11-01 or 2026-11-03", "11:59": "2026-11-01 or 2026-11-03", "12:00": "2026-11-02 or 2026-11-03",
	} {
		discharged, err := time.Parse("2006-01-02 15:04", "2026-11-02 "+at)
		require.NoError(t, err)
		e, err := tariffOf(t, inTerminal).Estimate(demurrage.Stay{Events: map[demurrage.Event]terminal49.Time{
			demurrage.Discharge: terminal49.NewTime(discharged, ""),
		}}, november(9))
		require.NoError(t, err)
		require.Equal(t, []string{"the zone of discharge is unknown, so it was on " + want}, e.Charges[0].Notes, at)
	}
}

// Each day that the last free day may be is tried with each day on which the clock may have
// started, so there must be few.
func TestEstimate_RefusesAVagueLastFreeDay(t *testing.T) {
	stay := demurrage.Stay{Between: map[demurrage.Event]demurrage.Days{
		demurrage.LineLastFreeDay: {First: november(1), Last: terminal49.Date{Year: 2026, Month: time.December, Day: 3}},
	}}
	replaced := tariffOf(t, inTerminal+`, "last_free_day": {"event": "line_last_free_day", "rule": "replaces"}`)
	_, err := replaced.Estimate(stay, november(9))
	var argument *terminal49.ArgumentError
	require.ErrorAs(t, err, &argument)
	require.Equal(t, "Between", argument.Field)
	_, err = tariffOf(t, inTerminal).Estimate(stay, november(9))
	require.NoError(t, err, "a tariff that does not use it")
}

// A clock that may have started on any day of ten years is counted from each of them.
func TestEstimate_AnyStartInTenYears(t *testing.T) {
	days := demurrage.Days{First: plus(november(9), -3659), Last: november(9)}
	e, err := tariffOf(t, inTerminal).Estimate(demurrage.Stay{Between: map[demurrage.Event]demurrage.Days{demurrage.Discharge: days}}, november(9))
	require.NoError(t, err)
	require.Equal(t, "USD 0.00 to USD 365,800.00", e.Total.Format("USD")) // 3,660 days, 2 of them free
	require.Len(t, e.Charges[0].Days, 3660)
}
