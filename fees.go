package terminal49

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// Fee is one charge on a container as its terminal reports it.
type Fee struct {
	Type FeeType
	// Amount is exact, in the currency's own unit. Zero, like a null on the wire, means that the fee applies and its
	// amount is not posted yet.
	Amount decimal.Decimal
	// CurrencyCode is the ISO 4217 code, typically USD; "" if the terminal did not say. It is never guessed.
	CurrencyCode string
}

// FeeType is the kind of a fee.
type FeeType string

const (
	FeeDemurrage         FeeType = "demurrage"           // daily charge after free time, owed to the carrier
	FeeExtendedDwellTime FeeType = "extended_dwell_time" // owed to the terminal for a long stay
	FeeExam              FeeType = "exam"                // cost of an inspection
	FeeTotal             FeeType = "total"               // combined total: may overlap the other fees, see SumFees
	FeeOther             FeeType = "other"               // not mapped by the service
)

var feeTypes = []FeeType{FeeDemurrage, FeeExtendedDwellTime, FeeExam, FeeTotal, FeeOther}

// Known reports whether t is one of the constants of this version. Unknown values are kept as they came.
func (t FeeType) Known() bool { return isKnown(t, feeTypes) }

var feeMembers = jsonapi.NewMembers(
	textField("type", func(f *Fee) *FeeType { return &f.Type }),
	decimalField("amount", func(f *Fee) *decimal.Decimal { return &f.Amount }),
	textField("currency_code", func(f *Fee) *string { return &f.CurrencyCode }),
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
	// Total is what the terminal called the total, missing if there was none in this currency. One that is not posted
	// yet (0) gives way to one that is.
	Total Opt[decimal.Decimal]
	// TotalConflict reports that several totals came, of different amounts. They may overlap, so they are neither added
	// up nor chosen from: Total is missing, and Owed is 0 if there is no line item, which then means "not known".
	TotalConflict bool
}

// SumFees adds up fees by currency, exactly and without converting. A fee of type total may overlap the others: it
// counts only when no line item is present in any currency, even one whose amount is not posted yet. Nothing is
// charged to a currency that the terminal did not name: such fees are under the code "".
func SumFees(fees []Fee) FeeSummary {
	s := feeSum{FeeSummary: FeeSummary{Reported: fees != nil}}
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
			s.TotalExcluded = s.TotalExcluded || ok || c.TotalConflict
		case ok:
			c.Owed = total
		}
	}
	return s.FeeSummary
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

// Owed returns the amount owed if it is known to be in a single currency; false if it is in several currencies or in
// one that was not named, or if totals contradict each other. A currency in which there is only a total that does not
// count is not owed in. No fees at all are zero in no currency. See [FeeSummary.Currencies] for the other cases.
func (s FeeSummary) Owed() (amount decimal.Decimal, currencyCode string, ok bool) {
	ok = s.Reported && s.n == 0
	for i := range s.n {
		c := s.at(i)
		switch {
		case !s.counts(c):
		case ok: // a second one
			return decimal.Decimal{}, "", false
		case c.CurrencyCode == "" || c.unknown():
			return decimal.Decimal{}, "", false
		default:
			amount, currencyCode, ok = c.Owed, c.CurrencyCode, true
		}
	}
	return amount, currencyCode, ok
}

// counts reports whether anything is owed in a currency: nothing is where only an excluded total was reported.
func (s *FeeSummary) counts(c *CurrencyFees) bool { return !s.TotalExcluded || c.LineCount > 0 }

// unknown reports that totals contradict each other and no line item tells what is owed.
func (c *CurrencyFees) unknown() bool { return c.TotalConflict && c.LineCount == 0 }

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
		switch {
		case !s.counts(&c):
		case c.unknown():
			owed = append(owed, cmp.Or(c.CurrencyCode, "(currency not reported)")+" (totals differ)")
		default:
			owed = append(owed, FormatMoney(c.Owed, c.CurrencyCode))
		}
	}
	text := strings.Join(owed, " + ")
	if len(s.NotPosted) > 0 {
		text += " (not all posted yet)"
	}
	return text
}

// at returns the sums of the i-th currency.
func (s *FeeSummary) at(i int) *CurrencyFees {
	if i == 0 {
		return &s.first
	}
	return &s.more[i-1]
}

// feeSum is a summary in the making.
type feeSum struct {
	FeeSummary
	currencies          places[string]
	notPosted, newTypes places[FeeType]
}

// add counts one fee and reports whether it is a line item.
func (s *feeSum) add(fee *Fee) bool {
	if fee.Amount.IsZero() {
		if _, seen := s.notPosted.of(fee.Type); !seen {
			s.NotPosted = append(s.NotPosted, fee.Type)
		}
	}
	c := s.currency(fee.CurrencyCode)
	if fee.Type == FeeTotal {
		c.addTotal(fee.Amount)
		return false
	}
	if !fee.Type.Known() {
		if _, seen := s.newTypes.of(fee.Type); !seen {
			s.UnknownTypes = append(s.UnknownTypes, fee.Type)
		}
	}
	if c.LineCount == 0 {
		c.Lines = fee.Amount // adding allocates
	} else {
		c.Lines = c.Lines.Add(fee.Amount)
	}
	c.LineCount++
	return true
}

func (c *CurrencyFees) addTotal(amount decimal.Decimal) {
	total, told := c.Total.Get()
	switch {
	case c.TotalConflict:
	case !told || total.IsZero():
		c.Total = Some(amount)
	case !amount.IsZero() && !amount.Equal(total):
		c.Total, c.TotalConflict = Opt[decimal.Decimal]{}, true
	}
}

// currency finds or makes the sums of a currency.
func (s *feeSum) currency(code string) *CurrencyFees {
	i, found := s.currencies.of(code)
	if !found {
		if s.n++; i > 0 {
			s.more = append(s.more, CurrencyFees{})
		}
		s.at(i).CurrencyCode = code
	}
	return s.at(i)
}

// places numbers keys in the order they come. The first few are looked for one by one, so that usual lists cost no
// allocation; with more of them the cost of each stays the same.
type places[K comparable] struct {
	few  [8]K
	more map[K]int
	n    int
}

// of returns the number of a key, and whether the key came before.
func (p *places[K]) of(key K) (i int, found bool) {
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

// FormatMoney writes an amount for people with the decimals that ISO 4217 gives its currency, such as "USD 1,300.00" or
// "JPY 5,000". It never rounds: an amount with more decimals keeps them. A code that has not the form of a currency code
// is written as it is, with the decimals that the amount has; an empty one as "(currency not reported)" after the amount.
func FormatMoney(amount decimal.Decimal, currencyCode string) string {
	digits := max(0, -amount.Exponent())
	if usual, ok := minorUnits(currencyCode); ok {
		digits = usual
		for !amount.Equal(amount.Truncate(digits)) {
			digits++
		}
	}
	text := groupThousands(amount.StringFixed(digits))
	if currencyCode == "" {
		return text + " (currency not reported)"
	}
	return currencyCode + " " + text
}

// minorUnits returns the decimals of a currency by ISO 4217. It is a list of our own because the one of Unicode, which
// golang.org/x/text has, gives no decimals to some twenty currencies that have two, such as IDR, COP and PKR.
func minorUnits(code string) (int32, bool) {
	switch code {
	case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF":
		return 0, true
	case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND":
		return 3, true
	case "CLF", "UYW":
		return 4, true
	}
	return 2, len(code) == 3 && !strings.ContainsFunc(code, func(r rune) bool { return !isLetter(r) })
}

// groupThousands puts a comma before every three digits of the whole part.
func groupThousands(number string) string {
	sign := ""
	if strings.HasPrefix(number, "-") {
		sign, number = "-", number[1:]
	}
	whole, fraction, _ := strings.Cut(number, ".")
	var b strings.Builder
	b.WriteString(sign)
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	if fraction != "" {
		b.WriteString("." + fraction)
	}
	return b.String()
}

// String writes the fee for people, such as "demurrage USD 1,300.00"; an amount of 0 as "demurrage (not posted yet)".
func (f Fee) String() string {
	kind := strings.ReplaceAll(string(f.Type), "_", " ")
	if f.Amount.IsZero() {
		return kind + " (not posted yet)"
	}
	return kind + " " + FormatMoney(f.Amount, f.CurrencyCode)
}

// MarshalJSON writes the fee as the service does, with the amount as a JSON number.
func (f Fee) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Type         FeeType         `json:"type"`
		Amount       json.RawMessage `json:"amount"` // text, so that no digit is lost in a float
		CurrencyCode string          `json:"currency_code,omitempty"`
	}{f.Type, json.RawMessage(f.Amount.String()), f.CurrencyCode})
}

// UnmarshalJSON reads a fee as the service writes it. The amount may be a number or a string of one;
// null is 0.
func (f *Fee) UnmarshalJSON(data []byte) error { return unmarshalObject(data, "fee", feeMembers, f) }
