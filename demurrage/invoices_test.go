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
