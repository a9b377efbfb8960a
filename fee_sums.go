package terminal49

import (
	"github.com/go-freight/terminal49/internal/decimals"
	"github.com/shopspring/decimal"
)

// feeSum is a FeeSummary under construction.
type feeSum struct {
	FeeSummary
	currencies          numbering[string]
	types               numbering[typeKey]
	notPosted, newTypes numbering[FeeType]

	amounts     []currencyAmounts // of addSummary, by currency
	typeAmounts []decimals.Sum    // likewise, by type
}

// currencyAmounts are the amounts of a FeeCurrencySum while summaries are added.
type currencyAmounts struct {
	owed, lines, total decimals.Sum
	hasTotal           bool
}

type typeKey struct {
	feeType  FeeType
	currency string
}

// add counts one fee and reports whether it is a line item.
func (s *feeSum) add(fee *Fee) bool {
	_, c := s.currency(fee.CurrencyCode)
	missing := 0
	if fee.Amount.IsZero() {
		missing = 1
		c.NotPostedCount++
		s.noteNotPosted(fee.Type)
	}
	if fee.Type == FeeTotal {
		c.addTotal(fee.Amount)
		return false
	}
	if !fee.Type.Known() {
		s.noteUnknown(fee.Type)
	}
	c.Lines = sumOf(c.Lines, fee.Amount)
	c.LineCount++
	s.addType(fee, missing)
	return true
}

// addSummary adds the sums of a summary, unless it is that of no lists.
func (s *feeSum) addSummary(part *FeeSummary) {
	if part.lists == 0 {
		return
	}
	s.lists, s.Reported = s.lists+part.lists, s.Reported && part.Reported
	s.TotalExcluded = s.TotalExcluded || part.TotalExcluded
	for i := range part.n {
		s.addCurrency(part.at(i))
	}
	for i := range part.nTypes {
		s.addTypeOf(part.typeAt(i))
	}
	for _, t := range part.NotPosted {
		s.noteNotPosted(t)
	}
	for _, t := range part.UnknownTypes {
		s.noteUnknown(t)
	}
}

func (s *feeSum) addCurrency(part *FeeCurrencySum) {
	i, c := s.currency(part.CurrencyCode)
	if i == len(s.amounts) {
		s.amounts = append(s.amounts, currencyAmounts{})
	}
	amounts := &s.amounts[i]
	amounts.owed.Add(part.Owed)
	amounts.lines.Add(part.Lines)
	c.LineCount += part.LineCount
	c.NotPostedCount += part.NotPostedCount
	c.counts, c.unclear = c.counts || part.counts, c.unclear || part.unclear
	c.TotalConflict = c.TotalConflict || part.TotalConflict
	if total, ok := part.Total.Get(); ok {
		amounts.total.Add(total)
		amounts.hasTotal = true
	}
}

// addTypeOf adds the sum of a type.
func (s *feeSum) addTypeOf(part *FeeTypeSum) {
	i, t := s.typeOf(typeKey{part.Type, part.CurrencyCode})
	if t.NotPostedCount += part.NotPostedCount; i == len(s.typeAmounts) {
		s.typeAmounts = append(s.typeAmounts, decimals.Sum{})
	}
	s.typeAmounts[i].Add(part.Amount)
}

// setAmounts sets what addSummary has added.
func (s *feeSum) setAmounts() {
	for i := range s.amounts {
		c, amounts := s.at(i), &s.amounts[i]
		c.Owed, c.Lines = amounts.owed.Value(), amounts.lines.Value()
		if amounts.hasTotal && !c.TotalConflict {
			c.Total = Some(amounts.total.Value())
		}
	}
	for i := range s.typeAmounts {
		s.typeAt(i).Amount = s.typeAmounts[i].Value()
	}
}

func (s *feeSum) addType(fee *Fee, missing int) {
	_, t := s.typeOf(typeKey{fee.Type, fee.CurrencyCode})
	t.Amount = sumOf(t.Amount, fee.Amount)
	t.NotPostedCount += missing
}

// typeOf returns the sum of a type with its number, creating it if needed.
func (s *feeSum) typeOf(key typeKey) (int, *FeeTypeSum) {
	i, found := s.types.number(key)
	if !found {
		if s.nTypes++; i > 0 {
			s.moreTypes = append(s.moreTypes, FeeTypeSum{})
		}
		t := s.typeAt(i)
		t.Type, t.CurrencyCode = key.feeType, key.currency
	}
	return i, s.typeAt(i)
}

func (s *feeSum) noteNotPosted(t FeeType) {
	if _, seen := s.notPosted.number(t); !seen {
		s.NotPosted = append(s.NotPosted, t)
	}
}

func (s *feeSum) noteUnknown(t FeeType) {
	if _, seen := s.newTypes.number(t); !seen {
		s.UnknownTypes = append(s.UnknownTypes, t)
	}
}

// sumOf adds without allocating if a is zero, unless a has more decimal places, which the sum has
// in any order.
func sumOf(a, b decimal.Decimal) decimal.Decimal {
	if a.IsZero() && a.Exponent() >= b.Exponent() {
		return b
	}
	return a.Add(b)
}

func (c *FeeCurrencySum) addTotal(amount decimal.Decimal) {
	total, ok := c.Total.Get()
	switch {
	case c.TotalConflict:
	case !ok, total.IsZero() && !amount.IsZero(), amount.Equal(total) && amount.Exponent() < total.Exponent():
		c.Total = Some(amount)
	case !amount.IsZero() && !amount.Equal(total):
		c.Total, c.TotalConflict = Opt[decimal.Decimal]{}, true
	}
}

// currency returns the sums of a currency with its number, creating them if needed.
func (s *feeSum) currency(code string) (int, *FeeCurrencySum) {
	i, found := s.currencies.number(code)
	if !found {
		if s.n++; i > 0 {
			s.more = append(s.more, FeeCurrencySum{})
		}
		s.at(i).CurrencyCode = code
	}
	return i, s.at(i)
}

// numbering assigns numbers to keys in order of first use. It searches the first few keys one by
// one, so that usual lists need no allocation, and keeps the others in a map.
type numbering[K comparable] struct {
	few  [8]K
	more map[K]int
	n    int
}

// number returns the number of a key and whether the key already had one.
func (p *numbering[K]) number(key K) (i int, found bool) {
	for i := range min(p.n, len(p.few)) {
		if p.few[i] == key {
			return i, true
		}
	}
	if i, found = p.more[key]; found {
		return i, true
	}
	i = p.n
	p.n++
	if i < len(p.few) {
		p.few[i] = key
		return i, false
	}
	if p.more == nil {
		p.more = map[K]int{}
	}
	p.more[key] = i
	return i, false
}
