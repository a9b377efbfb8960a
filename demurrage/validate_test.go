package demurrage_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/demurrage"
)

const goodTariff = `{"currency": "USD", "weekend": ["saturday", "sunday"], "holidays": ["2026-12-25"], "charges": [{
	"kind": "demurrage", "applies": {"ports": ["USLAX"]}, "starts": ["discharge"], "stops": "full_out",
	"free_days": 4, "free_skips": ["weekends", "holidays"], "charged_skips": [],
	"tiers_from": "first_charged_day", "tiers": [{"from": 1, "to": 5, "per_day": "75.00"}, {"from": 6, "per_day": 150}], "cap": "5000.00"}]}`

// What docs/money.md#what-it-cannot-say lists is refused by its name.
func TestParseTariff_NamesWhatItCannotSay(t *testing.T) {
	tier2 := `{"from": 6, "per_day": 150}`
	for name, c := range map[string]struct{ old, new, field, what string }{
		"a minimum charge":              {`"free_days": 4`, `"free_days": 4, "minimum": "50.00"`, "charges[0].minimum", "minimum charge"},
		"a minimum of a tier":           {tier2, `{"from": 6, "per_day": 150, "min_charge": 50}`, "charges[0].tiers[1].min_charge", "minimum charge"},
		"a minimum of the tariff":       {`{"currency"`, `{"minimumAmount": 50, "currency"`, "minimumAmount", "minimum charge"},
		"a rate for a week":             {tier2, `{"from": 6, "per_week": 700}`, "charges[0].tiers[1].per_week", "period other than a day"},
		"a rate for a period":           {tier2, `{"from": 6, "per_day": 150, "period_days": 7}`, "charges[0].tiers[1].period_days", "period other than a day"},
		"a rate for an hour":            {tier2, `{"from": 6, "perHour": 7}`, "charges[0].tiers[1].perHour", "period other than a day"},
		"a rate by ton":                 {tier2, `{"from": 6, "per_ton": 2}`, "charges[0].tiers[1].per_ton", "weight, volume or TEU"},
		"a rate by TEU":                 {tier2, `{"from": 6, "perTEU": 2}`, "charges[0].tiers[1].perTEU", "weight, volume or TEU"},
		"a rate by volume":              {tier2, `{"from": 6, "per_cbm": 2}`, "charges[0].tiers[1].per_cbm", "weight, volume or TEU"},
		"free time that is lost":        {`"free_days": 4`, `"free_days": 4, "lost_if_exceeded": true`, "charges[0].lost_if_exceeded", "lost if it is exceeded"},
		"free time that is forfeited":   {`"free_days": 4`, `"free_days": 4, "free_time_forfeited": true`, "charges[0].free_time_forfeited", "lost if it is exceeded"},
		"charges from the first day on": {`"free_days": 4`, `"free_days": 4, "retroactive": true`, "charges[0].retroactive", "lost if it is exceeded"},
		"shared free time":              {`"free_days": 4`, `"free_days": 4, "shared_free_time": true`, "charges[0].shared_free_time", "charges share"},
		"a cutoff":                      {`"free_days": 4`, `"free_days": 4, "cutoff": "16:00"`, "charges[0].cutoff", "time of day"},
		"a tax":                         {`{"currency"`, `{"vat": 19, "currency"`, "vat", "tax"},
		"a waiver":                      {`"free_days": 4`, `"free_days": 4, "waiver": 100`, "charges[0].waiver", "waiver"},
	} {
		require.Contains(t, goodTariff, c.old, name)
		_, err := demurrage.ParseTariff([]byte(strings.Replace(goodTariff, c.old, c.new, 1)))
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, err, &argument, name)
		require.Equal(t, c.field, argument.Field, name)
		require.Contains(t, argument.Problem, "cannot be part of a tariff: ", name)
		require.Contains(t, argument.Problem, c.what, name)
	}
	for _, misspelt := range []string{"free_weeks", "freePeriod", "closed_days", "weekends", "private", "stones", "admin"} {
		_, err := demurrage.ParseTariff([]byte(strings.Replace(goodTariff, `"free_days": 4`, `"free_days": 4, "`+misspelt+`": 1`, 1)))
		require.EqualError(t, err, "terminal49: demurrage: charges[0] additional properties '"+misspelt+"' not allowed")
	}
}

// Each change makes a good tariff bad. The first ones were planned before the package was written.
func TestParseTariff_RefusesBadTariffs(t *testing.T) {
	_, err := demurrage.ParseTariff([]byte(goodTariff))
	require.NoError(t, err)
	tier2 := `{"from": 6, "per_day": 150}`
	for name, c := range map[string]struct{ old, new, field, problem string }{
		"gap between tiers":               {tier2, `{"from": 7, "per_day": 150}`, "charges[0].tiers[1].from", "must be 6"},
		"overlapping tiers":               {tier2, `{"from": 5, "per_day": 150}`, "charges[0].tiers[1].from", "must be 6"},
		"tiers out of order":              {tier2, `{"from": 1, "per_day": 150}`, "charges[0].tiers[1].from", "must be 6"},
		"negative free days":              {`"free_days": 4`, `"free_days": -1`, "charges[0].free_days", "0"},
		"half a free day":                 {`"free_days": 4`, `"free_days": 4.5`, "charges[0].free_days", "integer"},
		"free days in words":              {`"free_days": 4`, `"free_days": "four"`, "charges[0].free_days", "integer"},
		"no free days":                    {`"free_days": 4, `, ``, "charges[0]", "free_days"},
		"too many free days":              {`"free_days": 4`, `"free_days": 1000`, "charges[0].free_days", "400"},
		"no currency":                     {`"currency": "USD", `, ``, "tariff", "currency"},
		"a word as currency":              {`"USD"`, `"USDX"`, "currency", ""},
		"no such currency":                {`"USD"`, `"ABC"`, "currency", "ISO 4217"},
		"another currency in a tier":      {tier2, `{"from": 6, "per_day": 150, "currency": "EUR"}`, "charges[0].tiers[1]", "currency"},
		"no event that starts":            {`"starts": ["discharge"], `, ``, "charges[0]", "starts"},
		"an empty list of starts":         {`["discharge"]`, `[]`, "charges[0].starts", ""},
		"no event that stops":             {`, "stops": "full_out"`, ``, "charges[0]", "stops"},
		"stops before it starts":          {`"stops": "full_out"`, `"stops": "discharge"`, "charges[0].stops", "after"},
		"three decimal places of dollars": {`"75.00"`, `"75.005"`, "charges[0].tiers[0].per_day", "at most 2"},
		"decimal places of yen":           {`"USD"`, `"JPY"`, "", ""}, // good: 75.00 yen are 75 yen
		"half a yen":                      {`"currency": "USD"`, `"currency": "JPY"`, "", ""},
		"negative amount":                 {`"75.00"`, `"-10.00"`, "charges[0].tiers[0].per_day", ""},
		"amount in words":                 {`"75.00"`, `"seventy"`, "charges[0].tiers[0].per_day", ""},
		"endless digits":                  {`"per_day": 150`, `"per_day": 1e40`, "charges[0].tiers[1].per_day", "money"},
		"tier from day 0":                 {`"from": 1,`, `"from": 0,`, "charges[0].tiers[0].from", "1"},
		"tier ends before it begins":      {`"to": 5`, `"to": 0`, "charges[0].tiers[0].to", ""},
		"half a day":                      {`"to": 5`, `"to": 2.5`, "charges[0].tiers[0].to", "integer"},
		"open tier before another":        {`"to": 5, `, ``, "charges[0].tiers[0].to", "at least 1"},
		"no tiers":                        {`[{"from": 1, "to": 5, "per_day": "75.00"}, ` + tier2 + `]`, `[]`, "charges[0].tiers", ""},
		"first day without an amount":     {`"from": 1,`, `"from": 2,`, "charges[0].tiers[0].from", "must be 1"},
		"gap after free time":             {`"first_charged_day", "tiers": [{"from": 1, "to": 5`, `"first_day", "tiers": [{"from": 6, "to": 5`, "charges[0].tiers[0].from", "must be 5"},
		"no such skip":                    {`["weekends", "holidays"]`, `["mondays"]`, "charges[0].free_skips[0]", "weekends"},
		"weekends without a weekend":      {`"weekend": ["saturday", "sunday"], `, ``, "charges[0].free_skips", "weekend"},
		"holidays without holidays":       {`"holidays": ["2026-12-25"], `, ``, "charges[0].free_skips", "holidays"},
		"every day is a weekend":          {`["saturday", "sunday"]`, `["monday","tuesday","wednesday","thursday","friday","saturday","sunday"]`, "charges[0].free_skips", "counts"},
		"no such day of the week":         {`"sunday"`, `"caturday"`, "weekend[1]", "monday"},
		"a day that does not exist":       {`2026-12-25`, `2026-02-30`, "holidays[0]", "date"},
		"a date in another form":          {`2026-12-25`, `25/12/2026`, "holidays[0]", "date"},
		"negative cap":                    {`"5000.00"`, `"-100.00"`, "charges[0].cap", ""},
		"cap with three decimal places":   {`"5000.00"`, `"100.001"`, "charges[0].cap", "at most 2"},
		"no such kind":                    {`"demurrage"`, `"parking"`, "charges[0].kind", "demurrage"},
		"condition without a value":       {`["USLAX"]`, `[]`, "charges[0].applies.ports", ""},
		"spaces in a condition":           {`["USLAX"]`, `["USLAX "]`, "charges[0].applies", "spaces"},
		"misspelt condition":              {`"ports"`, `"port"`, "charges[0].applies", "port"},
		"no such rule":                    {`"cap": "5000.00"`, `"last_free_day": {"event": "terminal_last_free_day", "rule": "maybe"}`, "charges[0].last_free_day.rule", "replaces"},
		"charge that is never used":       {`"5000.00"}`, `"5000.00"}, {"kind": "demurrage", "applies": {"ports": ["USLAX"]}, "starts": ["discharge"], "stops": "full_out", "free_days": 0, "tiers_from": "first_day", "tiers": [{"from": 1, "per_day": 1}]}`, "charges[1].applies", "charges[0]"},
		"no charges":                      {goodTariff, `{"currency": "USD", "charges": []}`, "charges", ""},
		"no JSON":                         {goodTariff, `currency: USD`, "tariff", "JSON"},
		"two values":                      {goodTariff, goodTariff + goodTariff, "tariff", "JSON"},
		"a list":                          {goodTariff, `[]`, "tariff", "object"},
	} {
		require.Contains(t, goodTariff, c.old, name)
		_, err := demurrage.ParseTariff([]byte(strings.Replace(goodTariff, c.old, c.new, 1)))
		if c.field == "" {
			require.NoError(t, err, name)
			continue
		}
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, err, &argument, name)
		require.Contains(t, argument.Field, c.field, "%s: %v", name, err)
		require.Contains(t, argument.Problem, c.problem, name)
	}
}
