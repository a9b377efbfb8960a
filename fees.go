package terminal49

import (
	"encoding/json"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49/internal/decimals"
	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/numbering"
)

// Fee is one charge on a container as its terminal reports it.
type Fee struct {
	Type FeeType
	// Amount is exact, in units of the currency, such as dollars. Zero means that the fee applies and
	// its amount is not known: it is not posted yet, was null, or could not be read, which is a
	// decode warning.
	Amount decimal.Decimal
	// CurrencyCode is the ISO 4217 code, typically USD; "" if not reported. It is never guessed.
	CurrencyCode string
}

// FeeType is the kind of a fee.
type FeeType string

// The values of FeeType.
const (
	FeeDemurrage         FeeType = "demurrage"           // daily charge after free time, owed to the carrier
	FeeExtendedDwellTime FeeType = "extended_dwell_time" // owed to the terminal for a long stay
	FeeExam              FeeType = "exam"                // cost of an inspection
	FeeTotal             FeeType = "total"               // a combined total; may include the other fees, see SumFees
	FeeOther             FeeType = "other"               // not classified by the service
)

var feeTypes = []FeeType{FeeDemurrage, FeeExtendedDwellTime, FeeExam, FeeTotal, FeeOther}

// Known reports whether t is one of the constants of this version. Unknown values are kept
// unchanged.
func (t FeeType) Known() bool { return isKnown(t, feeTypes) }

var feeMembers = jsonapi.NewTable(model{}, new(Fee))

func (f *Fee) members(m *jsonapi.Members) {
	m.Add("type", &f.Type)
	m.Add("amount", &f.Amount)
	m.Add("currency_code", &f.CurrencyCode)
}

// FormatMoney returns a human-readable amount, such as "USD 1,300.00" or "JPY 5,000", with the
// decimal places that ISO 4217 specifies for the currency. It never rounds: additional decimal
// places are kept. If the code is not three upper-case letters, the amount keeps its own decimal
// places. If the code is "", "(currency not reported)" follows the amount.
func FormatMoney(amount decimal.Decimal, currencyCode string) string {
	places := max(0, -amount.Exponent())
	if usual, ok := decimals.MinorUnits(currencyCode); ok {
		places = usual
		for !amount.Equal(amount.Truncate(places)) {
			places++
		}
	}
	text := decimals.GroupThousands(amount.StringFixed(places))
	if currencyCode == "" {
		return text + " (currency not reported)"
	}
	return currencyCode + " " + text
}

// String returns a human-readable fee, such as "demurrage USD 1,300.00", or "demurrage (amount not
// known)" if the amount is 0, because 0 is also the value of an amount that could not be read.
func (f Fee) String() string {
	kind := printable(strings.ReplaceAll(string(f.Type), "_", " "))
	if f.Amount.IsZero() {
		return kind + " (amount not known)"
	}
	return kind + " " + printable(FormatMoney(f.Amount, f.CurrencyCode))
}

// MarshalJSON returns the fee in the service's form, with the amount as a JSON number.
func (f Fee) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Type         FeeType         `json:"type"`
		Amount       json.RawMessage `json:"amount"` // the exact digits, not a float
		CurrencyCode string          `json:"currency_code,omitempty"`
	}{f.Type, json.RawMessage(f.Amount.String()), f.CurrencyCode})
}

// UnmarshalJSON parses a fee in the service's form. The amount may be a number, a string that
// contains one, or null, which is 0.
func (f *Fee) UnmarshalJSON(data []byte) error { return unmarshalObject(data, "fee", feeMembers, f) }

// feeSum is a FeeSummary under construction.
type feeSum struct {
	FeeSummary
	currencies          numbering.Numbering[string]
	types               numbering.Numbering[typeKey]
	notPosted, newTypes numbering.Numbering[FeeType]
}

type typeKey struct {
	feeType  FeeType
	currency string
}

// add counts one fee and reports whether it is a line item.
func (s *feeSum) add(fee *Fee) bool {
	c, missing := s.currency(fee.CurrencyCode), 0
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
	s.addType(&FeeTypeSum{fee.Type, fee.CurrencyCode, fee.Amount, missing})
	return true
}

// addSummary adds the sums of a summary.
func (s *feeSum) addSummary(part *FeeSummary) {
	s.lists += part.lists
	s.TotalExcluded = s.TotalExcluded || part.TotalExcluded
	for i := range part.n {
		s.addCurrency(part.at(i))
	}
	for i := range part.nTypes {
		s.addType(part.typeAt(i))
	}
	for _, t := range part.NotPosted {
		s.noteNotPosted(t)
	}
	for _, t := range part.UnknownTypes {
		s.noteUnknown(t)
	}
}

func (s *feeSum) addCurrency(part *FeeCurrencySum) {
	c := s.currency(part.CurrencyCode)
	c.Owed, c.Lines = sumOf(c.Owed, part.Owed), sumOf(c.Lines, part.Lines)
	c.LineCount += part.LineCount
	c.NotPostedCount += part.NotPostedCount
	c.counts, c.unclear = c.counts || part.counts, c.unclear || part.unclear
	c.TotalConflict = c.TotalConflict || part.TotalConflict
	if total, ok := part.Total.Get(); ok {
		c.Total = Some(sumOf(c.Total.Or(decimal.Decimal{}), total))
	}
	if c.TotalConflict {
		c.Total = Opt[decimal.Decimal]{}
	}
}

func (s *feeSum) addType(part *FeeTypeSum) {
	i, found := s.types.Number(typeKey{part.Type, part.CurrencyCode})
	if !found {
		if s.nTypes++; i > 0 {
			s.moreTypes = append(s.moreTypes, FeeTypeSum{})
		}
		*s.typeAt(i) = *part
		return
	}
	t := s.typeAt(i)
	t.Amount = t.Amount.Add(part.Amount)
	t.NotPostedCount += part.NotPostedCount
}

func (s *feeSum) noteNotPosted(t FeeType) {
	if _, seen := s.notPosted.Number(t); !seen {
		s.NotPosted = append(s.NotPosted, t)
	}
}

func (s *feeSum) noteUnknown(t FeeType) {
	if _, seen := s.newTypes.Number(t); !seen {
		s.UnknownTypes = append(s.UnknownTypes, t)
	}
}

// sumOf adds without allocating if a is zero.
func sumOf(a, b decimal.Decimal) decimal.Decimal {
	if a.IsZero() {
		return b
	}
	return a.Add(b)
}

func (c *FeeCurrencySum) addTotal(amount decimal.Decimal) {
	total, ok := c.Total.Get()
	switch {
	case c.TotalConflict:
	case !ok || total.IsZero():
		c.Total = Some(amount)
	case !amount.IsZero() && !amount.Equal(total):
		c.Total, c.TotalConflict = Opt[decimal.Decimal]{}, true
	}
}

// currency returns the sums of a currency, creating them if needed.
func (s *feeSum) currency(code string) *FeeCurrencySum {
	i, found := s.currencies.Number(code)
	if !found {
		if s.n++; i > 0 {
			s.more = append(s.more, FeeCurrencySum{})
		}
		s.at(i).CurrencyCode = code
	}
	return s.at(i)
}
