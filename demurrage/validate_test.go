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
