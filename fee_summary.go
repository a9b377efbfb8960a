package terminal49

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// FeeSummary is what a list of fees comes to; see [SumFees]. Its String is for people: "USD 1,300.00".
type FeeSummary struct {
	Reported bool // false if the list was nil: the terminal did not report fees, which is not the same as none

	// NotPosted are the types that were reported with amount 0: the fee applies, how much is not known yet. While it
	// is not empty, the sums are too low.
	NotPosted []FeeType
	// UnknownTypes are the types that this version does not know. They are counted as line items.
	UnknownTypes []FeeType
	// TotalExcluded reports that a total came with line items and was left out of what is owed.
	TotalExcluded bool

	first CurrencyFees   // nearly always the only one, so that a sum costs no allocation
	more  []CurrencyFees // in the order they came
	n     int
}

// CurrencyFees is what fees in one currency come to. Amounts are exact and in the currency's own unit.
type CurrencyFees struct {
	CurrencyCode string          // ISO 4217, or "" for fees that came without a currency
	Owed         decimal.Decimal // what counts: the line items, or the total if no fee at all is a line item
	Lines        decimal.Decimal // the line items alone
	LineCount    int             // how many line items
	// Total is what the terminal called the total, missing if there was none in this currency. Several are added up.
	Total Opt[decimal.Decimal]
}

// SumFees adds up fees by currency, exactly and without converting. A fee of type total may overlap the others: it
// counts only when no line item is present in any currency, even one whose amount is not posted yet. Nothing is
// charged to a currency that the terminal did not name: such fees are under the code "".
func SumFees(fees []Fee) FeeSummary {
	s := FeeSummary{Reported: fees != nil}
	lines := false
	for i := range fees {
		lines = s.add(&fees[i]) || lines
	}
	for i := range s.n {
		c := s.at(i)
		total, ok := c.Total.Get()
		switch {
		case lines:
			c.Owed = c.Lines
			s.TotalExcluded = s.TotalExcluded || ok
		case ok:
			c.Owed = total
		}
	}
	return s
}

// Currencies returns the sums in each currency that was reported, sorted by code: nil if there are no fees.
func (s FeeSummary) Currencies() []CurrencyFees {
	if s.n == 0 {
		return nil
	}
	all := append([]CurrencyFees{s.first}, s.more...)
	slices.SortFunc(all, func(a, b CurrencyFees) int { return strings.Compare(a.CurrencyCode, b.CurrencyCode) })
	return all
}

// In returns the sums in one currency: all zero if no fee was reported in it. The code "" asks for the fees without
// one.
func (s FeeSummary) In(currencyCode string) CurrencyFees {
	for i := range s.n {
		if c := s.at(i); c.CurrencyCode == currencyCode {
			return *c
		}
	}
	return CurrencyFees{CurrencyCode: currencyCode}
}

// Owed returns the amount owed if it is known to be in a single currency; false if fees are in several currencies or
// in one that was not named. No fees at all are zero in no currency. See [FeeSummary.Currencies] for the other cases.
func (s FeeSummary) Owed() (amount decimal.Decimal, currencyCode string, ok bool) {
	return s.first.Owed, s.first.CurrencyCode, s.Reported && s.n == 0 || s.n == 1 && s.first.CurrencyCode != ""
}

// Difference returns the reported total minus the line items: what the terminal counts beyond the fees it names. It is
// false unless both were reported and all fees are in one currency.
func (s FeeSummary) Difference() (decimal.Decimal, bool) {
	total, ok := s.first.Total.Get()
	if !ok || s.n != 1 || s.first.LineCount == 0 || s.first.CurrencyCode == "" {
		return decimal.Decimal{}, false
	}
	return total.Sub(s.first.Lines), true
}

// String lists what is owed, such as "CAD 40.00 + USD 1,300.00", and says when there are no fees or none were reported.
func (s FeeSummary) String() string {
	switch {
	case !s.Reported:
		return "fees not reported"
	case s.n == 0:
		return "no fees"
	}
	var owed []string
	for _, c := range s.Currencies() {
		if !s.TotalExcluded || c.LineCount > 0 { // nothing is owed in a currency that has only an excluded total
			owed = append(owed, FormatMoney(c.Owed, c.CurrencyCode))
		}
	}
	text := strings.Join(owed, " + ")
	if len(s.NotPosted) > 0 {
		text += " (not all posted yet)"
	}
	return text
}

// add counts one fee and reports whether it is a line item.
func (s *FeeSummary) add(fee *Fee) bool {
	if fee.Amount.IsZero() {
		s.NotPosted = appendNew(s.NotPosted, fee.Type)
	}
	c := s.currency(fee.CurrencyCode)
	if fee.Type == FeeTotal {
		total, ok := c.Total.Get()
		c.Total = Some(addTo(total, fee.Amount, !ok))
		return false
	}
	if !fee.Type.Known() {
		s.UnknownTypes = appendNew(s.UnknownTypes, fee.Type)
	}
	c.Lines = addTo(c.Lines, fee.Amount, c.LineCount == 0)
	c.LineCount++
	return true
}

// addTo returns sum plus amount. The first amount is taken as it is, since adding allocates.
func addTo(sum, amount decimal.Decimal, first bool) decimal.Decimal {
	if first {
		return amount
	}
	return sum.Add(amount)
}

// currency finds or makes the sums of a currency.
func (s *FeeSummary) currency(code string) *CurrencyFees {
	for i := range s.n {
		if c := s.at(i); c.CurrencyCode == code {
			return c
		}
	}
	s.n++
	if s.n == 1 {
		s.first.CurrencyCode = code
		return &s.first
	}
	s.more = append(s.more, CurrencyFees{CurrencyCode: code})
	return &s.more[len(s.more)-1]
}

// at returns the sums of the i-th currency.
func (s *FeeSummary) at(i int) *CurrencyFees {
	if i == 0 {
		return &s.first
	}
	return &s.more[i-1]
}

func appendNew(types []FeeType, t FeeType) []FeeType {
	if slices.Contains(types, t) {
		return types
	}
	return append(types, t)
}
