package demurrage

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"
	"golang.org/x/text/currency"

	"github.com/go-freight/terminal49/internal/decimals"
)

// Validate returns an error for a tariff that leaves open what a day costs: gaps between tiers, a
// missing currency, unknown names, negative numbers. It names the first such field.
//
// Errors: *terminal49.ArgumentError.
func (t *Tariff) Validate() error {
	if t == nil {
		return argument("tariff", "must not be nil")
	}
	if code, err := currency.ParseISO(t.Currency); err != nil || code.String() != t.Currency {
		return argument("currency", fmt.Sprintf("must be an ISO 4217 code such as USD, not %.20q", t.Currency))
	}
	if len(t.Weekend) > 7 {
		return argument("weekend", "must have at most 7 days")
	}
	for i, name := range t.Weekend {
		if !slices.Contains(weekdays, strings.ToLower(name)) {
			return argument(fmt.Sprintf("weekend[%d]", i), fmt.Sprintf("must be a day of the week such as saturday, not %.20q", name))
		}
	}
	for i, day := range t.Holidays {
		if day.IsZero() || addDays(day, 0) != day {
			return argument(fmt.Sprintf("holidays[%d]", i), "must be a day such as 2026-12-25")
		}
	}
	if len(t.Charges) == 0 {
		return argument("charges", "must have at least one charge")
	}
	first := map[string]int{} // the charge that is used, by what it applies to
	for i := range t.Charges {
		if field, problem := t.Charges[i].validate(t); problem != "" {
			return argument(fmt.Sprintf("charges[%d].%s", i, field), problem)
		}
		for _, to := range []Conditions{{}, t.Charges[i].Applies} {
			if j, hidden := first[t.Charges[i].Kind.to(to)]; hidden {
				return argument(fmt.Sprintf("charges[%d].applies", i), fmt.Sprintf("must differ from that of charges[%d], which is used first", j))
			}
		}
		first[t.Charges[i].Kind.to(t.Charges[i].Applies)] = i
	}
	return nil
}

// to returns a key of a kind of charge and what it applies to.
func (k Kind) to(c Conditions) string {
	return fmt.Sprintf("%s %q %d", k, [][]string{c.ShippingLines, c.Ports, c.Terminals, c.Customers, c.Equipment}, c.Lengths)
}

var weekdays = func() (all []string) {
	for day := time.Sunday; day <= time.Saturday; day++ {
		all = append(all, strings.ToLower(day.String()))
	}
	return all
}()

// validate returns the first field that is wrong, and what is wrong with it.
func (c *Charge) validate(t *Tariff) (field, problem string) {
	switch {
	case !slices.Contains(kinds, c.Kind):
		return "kind", oneOf(kinds, string(c.Kind))
	case len(c.Starts) == 0 || slices.Contains(c.Starts, ""):
		return "starts", "must name the events that start the clock, such as discharge"
	case c.Stops == "":
		return "stops", "must name the event that stops the clock, such as full_out"
	case slices.ContainsFunc(c.Starts, c.stopsBefore):
		return "stops", "must be an event after those of starts"
	case c.FreeDays < 0 || c.FreeDays > mostFreeDays/10:
		return "free_days", fmt.Sprintf("must be from 0 to %d", mostFreeDays/10)
	case slices.Contains(c.StoppedBy, ""):
		return "stopped_by", "must name kinds of interruptions"
	case !slices.Contains([]TiersFrom{FromFirstChargedDay, FromFirstDay}, c.TiersFrom):
		return "tiers_from", oneOf([]TiersFrom{FromFirstChargedDay, FromFirstDay}, string(c.TiersFrom))
	case c.LastFreeDay != LastFreeDay{} && (c.LastFreeDay.Event == "" || !slices.Contains(rules, c.LastFreeDay.Rule)):
		return "last_free_day", "must have an event, such as terminal_last_free_day, and a rule: " + oneOf(rules, string(c.LastFreeDay.Rule))
	case c.LastFreeDay != LastFreeDay{} && c.TiersFrom == FromFirstDay:
		return "tiers_from", "must be first_charged_day if last_free_day changes where free time ends"
	}
	if field, problem = c.validateSkips(t); problem != "" {
		return field, problem
	}
	if field, problem = c.Applies.validate(); problem != "" {
		return "applies." + field, problem
	}
	return c.validateAmounts(t.Currency)
}

// stopsBefore reports whether the clock would stop at an event that starts it, or before.
func (c *Charge) stopsBefore(start Event) bool {
	return start == c.Stops || c.Stops.precedes(start)
}

var rules = []LastFreeDayRule{Replaces, Later, Earlier}

// oneOf returns what is wrong with a value that is not in a list.
func oneOf[T ~string](all []T, not string) string {
	names := make([]string, len(all))
	for i, one := range all {
		names[i] = string(one)
	}
	return fmt.Sprintf("must be %s, not %.40q", strings.Join(names, " or "), not)
}

func (c *Charge) validateSkips(t *Tariff) (field, problem string) {
	for _, list := range []struct {
		field string
		skips []Skip
	}{{"free_skips", c.FreeSkips}, {"charged_skips", c.ChargedSkips}} {
		for _, skip := range list.skips {
			switch {
			case skip != SkipWeekends && skip != SkipHolidays:
				return list.field, oneOf([]Skip{SkipWeekends, SkipHolidays}, string(skip))
			case skip == SkipWeekends && t.Weekend == nil:
				return list.field, "has weekends, so the tariff must have a weekend, if only an empty list"
			case skip == SkipWeekends && t.isAllWeekend():
				return list.field, "must leave a day of the week that counts"
			case skip == SkipHolidays && t.Holidays == nil:
				return list.field, "has holidays, so the tariff must have holidays, if only an empty list"
			}
		}
	}
	return "", ""
}

func (t *Tariff) isAllWeekend() bool {
	return !slices.ContainsFunc(weekdays, func(day string) bool {
		return !slices.ContainsFunc(t.Weekend, func(name string) bool { return strings.EqualFold(name, day) })
	})
}

func (c *Conditions) validate() (field, problem string) {
	for _, list := range []struct {
		field string
		texts []string
	}{{"shipping_lines", c.ShippingLines}, {"ports", c.Ports}, {"terminals", c.Terminals}, {"customers", c.Customers}, {"equipment", c.Equipment}} {
		if slices.ContainsFunc(list.texts, func(text string) bool { return strings.TrimSpace(text) != text || text == "" }) {
			return list.field, "must not have empty texts, nor spaces around one"
		}
	}
	if slices.ContainsFunc(c.Lengths, func(feet int) bool { return feet <= 0 }) {
		return "lengths", "must be lengths in feet, such as 40"
	}
	return "", ""
}

// validateAmounts checks the tiers and the cap.
func (c *Charge) validateAmounts(code string) (field, problem string) {
	next := 1
	if c.TiersFrom == FromFirstDay {
		next += c.FreeDays
	}
	if len(c.Tiers) == 0 {
		return "tiers", "must have at least one tier"
	}
	for i, tier := range c.Tiers {
		field, last := fmt.Sprintf("tiers[%d].", i), i == len(c.Tiers)-1
		switch {
		case tier.From < 1 || tier.From > next || i > 0 && tier.From < next:
			return field + "from", fmt.Sprintf("must be %d, so that every day has one amount, not %d", next, tier.From)
		case (!last || tier.To != 0) && tier.To < tier.From:
			return field + "to", fmt.Sprintf("must be at least %d, the first day of the tier", tier.From)
		}
		if problem = amountProblem(tier.PerDay, code); problem != "" {
			return field + "per_day", problem
		}
		next = tier.To + 1
	}
	if c.Cap != nil {
		return "cap", amountProblem(*c.Cap, code)
	}
	return "", ""
}

// amountProblem returns what is wrong with an amount; "" if it is right.
func amountProblem(amount decimal.Decimal, code string) string {
	places, _ := decimals.MinorUnits(code)
	switch {
	case amount.IsNegative():
		return "must not be negative"
	case amount.Exponent() > 30 || amount.Exponent() < -30 || amount.NumDigits() > 30:
		return "must be an amount of money"
	case !amount.Equal(amount.Truncate(places)):
		return fmt.Sprintf("must have at most %d decimal places, as %s has", places, code)
	}
	return ""
}
