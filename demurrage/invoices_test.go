package demurrage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/demurrage"
)

// problemsOf are the problems that prove a planted error, by the code of testdata/invoices.jsonl.
var problemsOf = map[string][]demurrage.Problem{
	"day_too_many":               {demurrage.AfterStop},
	"wrong_tier":                 {demurrage.WrongAmount},
	"holiday_charged":            {demurrage.SkippedDay},
	"own_hold_charged":           {demurrage.StoppedDay},
	"wrong_currency":             {demurrage.WrongCurrency},
	"after_empty_return":         {demurrage.AfterStop},
	"free_day_charged":           {demurrage.FreeDay},
	"weekend_used_as_free":       {demurrage.FreeDay},
	"wrong_equipment":            {demurrage.WrongAmount},
	"wrong_total":                {demurrage.WrongSum},
	"wrong_amount":               {demurrage.WrongSum},
	"cap_exceeded":               {demurrage.WrongAmount},
	"last_free_day_ignored":      {demurrage.BeforeStart, demurrage.FreeDay},
	"day_charged_twice":          {demurrage.ChargedTwice},
	"wrong_start":                {demurrage.FreeDay, demurrage.BeforeStart},
	"wrong_day_count":            {demurrage.MoreDays},
	"contract_free_days_ignored": {demurrage.FreeDay},
}

// Each of 20 invoices has one error, which was planted before this package was written; 20 are
// right.
func TestCheck_InvoicesWithPlantedErrors(t *testing.T) {
	found, right := 0, 0
	for _, c := range readCases[struct {
		handCase
		Invoice demurrage.Invoice
		Planted []struct {
			Code  string
			Line  int
			Dates []string // some do not exist
		}
	}](t, "testdata/invoices.jsonl") {
		tariff, err := demurrage.ParseTariff(c.Tariff)
		require.NoError(t, err, c.ID)
		e, err := tariff.Estimate(c.stay(t), c.Until)
		require.NoError(t, err, c.ID)
		findings := demurrage.Check(e, c.Invoice)
		if len(c.Planted) == 0 {
			require.Empty(t, findings, c.ID)
			right++
			continue
		}
		planted := c.Planted[0]
		require.NotEmpty(t, findings, "%s: %s", c.ID, planted.Code)
		first := findings[0]
		require.Contains(t, problemsOf[planted.Code], first.Problem, c.ID)
		require.Equal(t, planted.Line, first.Line, c.ID)
		if len(planted.Dates) > 0 && first.Problem != demurrage.WrongSum && first.Problem != demurrage.MoreDays {
			require.Equal(t, planted.Dates[0], first.Date.String(), c.ID)
		}
		found++
	}
	require.Equal(t, []int{20, 20}, []int{found, right})
	t.Logf("figure: %d planted errors found, none in %d right invoices", found, right)
}

// Four days from 4 November are charged at USD 100 each. A credit is not a second charge, and what
// it takes back may be charged again.
func TestCheck_CreditLines(t *testing.T) {
	e, err := tariffOf(t, inTerminal).Estimate(happened(map[demurrage.Event]int{demurrage.Discharge: 2, demurrage.FullOut: 7}), november(9))
	require.NoError(t, err)
	line := func(from, to, days int, perDay, amount string) demurrage.InvoiceLine {
		return demurrage.InvoiceLine{Kind: demurrage.Demurrage, From: november(from), To: november(to), Days: days, PerDay: money(perDay), Amount: money(amount)}
	}
	charged, wrongRate := line(4, 7, 4, "100", "400"), line(4, 7, 4, "150", "600")
	for name, c := range map[string]struct {
		lines []demurrage.InvoiceLine
		total string
		want  []demurrage.Problem
	}{
		"a day is credited":                    {[]demurrage.InvoiceLine{charged, line(7, 7, 1, "-100", "-100")}, "300", []demurrage.Problem{demurrage.CreditLine}},
		"the sign is on the amount only":       {[]demurrage.InvoiceLine{charged, line(6, 7, 2, "100", "-200")}, "200", []demurrage.Problem{demurrage.CreditLine}},
		"charged, credited, charged again":     {[]demurrage.InvoiceLine{wrongRate, line(4, 7, 4, "-150", "-600"), charged}, "400", []demurrage.Problem{demurrage.WrongAmount, demurrage.CreditLine}},
		"credited once, charged twice again":   {[]demurrage.InvoiceLine{charged, line(7, 7, 1, "-100", "-100"), line(6, 7, 2, "100", "200")}, "500", []demurrage.Problem{demurrage.CreditLine, demurrage.ChargedTwice}},
		"a credit without days":                {[]demurrage.InvoiceLine{charged, {Kind: demurrage.Demurrage, Amount: money("-50")}}, "350", []demurrage.Problem{demurrage.CreditLine}},
		"a credit of a kind without a tariff":  {[]demurrage.InvoiceLine{charged, {Kind: demurrage.Storage, Amount: money("-50")}}, "350", []demurrage.Problem{demurrage.CreditLine}},
		"a credit that is multiplied wrongly":  {[]demurrage.InvoiceLine{charged, line(6, 7, 2, "-100", "-150")}, "250", []demurrage.Problem{demurrage.WrongSum, demurrage.CreditLine}},
		"the total does not count the credit":  {[]demurrage.InvoiceLine{charged, line(7, 7, 1, "-100", "-100")}, "400", []demurrage.Problem{demurrage.CreditLine, demurrage.WrongSum}},
		"the same days twice, without credits": {[]demurrage.InvoiceLine{charged, charged}, "800", []demurrage.Problem{demurrage.ChargedTwice}},
	} {
		total := money(c.total)
		var found []demurrage.Problem
		for _, f := range demurrage.Check(e, demurrage.Invoice{Currency: "USD", Lines: c.lines, Total: &total}) {
			found = append(found, f.Problem)
		}
		require.Equal(t, c.want, found, name)
	}
}
