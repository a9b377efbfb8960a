package terminal49

import (
	"cmp"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49/internal/decimals"
	"github.com/go-freight/terminal49/internal/jsonapi"
)

// Fee is one charge on a container as its terminal reports it.
type Fee struct {
	Type FeeType
	// Amount is exact, in units of the currency, such as dollars. Zero, like null on the wire,
	// means that the fee applies but its amount is not posted yet.
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

// FeeSummary is the sum of a list of fees; see [SumFees]. Its JSON and log form includes the sums.
type FeeSummary struct {
	Reported bool // false if the list was nil: the terminal did not report whether there are fees

	// NotPosted are the types of the fees whose amount is not posted yet. While it is not empty,
	// the sums are partial and Owed returns false. For each currency, see
	// [CurrencyFees.NotPostedCount].
	NotPosted []FeeType
	// UnknownTypes are the types unknown to this version. They count as line items.
	UnknownTypes []FeeType
	// TotalExcluded reports whether a total was reported along with line items and left out of the
	// amount owed.
	TotalExcluded bool

	first CurrencyFees   // inline, because there is usually one currency, which then needs no allocation
	more  []CurrencyFees // in the order of the list
	n     int
}

// CurrencyFees is the sum of the fees in one currency. Amounts are exact, in units of the currency,
// such as dollars. Owed, Lines and Total are partial while NotPostedCount is not 0: they lack the
// amounts that are not posted yet.
type CurrencyFees struct {
	CurrencyCode string          // ISO 4217; "" for fees whose currency was not reported
	Owed         decimal.Decimal // the sum of the line items, or the total if no currency has a line item
	Lines        decimal.Decimal // the sum of the line items
	LineCount    int             // the number of line items, posted or not
	// NotPostedCount is the number of fees, totals included, whose amount is not posted yet.
	NotPostedCount int
	// Total is the reported total, missing if there is none in this currency. A posted total
	// replaces one that is not posted yet (0).
	Total Opt[decimal.Decimal]
	// TotalConflict reports whether the terminal reported totals of different amounts. They may
	// overlap, so Total is missing and, without line items, Owed is 0 although the amount is
	// unknown.
	TotalConflict bool
}

// SumFees adds up fees by currency, exactly and without conversion. Fees of type total may overlap
// the other fees, so they count only if there are no line items in any currency, posted or not.
// Fees without a currency are summed under the code "".
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

// Currencies returns the sums by currency, sorted by code, or nil if there are no fees.
func (s FeeSummary) Currencies() []CurrencyFees {
	if s.n == 0 {
		return nil
	}
	all := append([]CurrencyFees{s.first}, s.more...)
	slices.SortFunc(all, func(a, b CurrencyFees) int { return strings.Compare(a.CurrencyCode, b.CurrencyCode) })
	return all
}

// In returns the sums in one currency, all zero if it has no fees. The code "" selects fees without
// a currency.
func (s FeeSummary) In(currencyCode string) CurrencyFees {
	for i := range s.n {
		if c := s.at(i); c.CurrencyCode == currencyCode {
			return *c
		}
	}
	return CurrencyFees{CurrencyCode: currencyCode}
}

// Owed returns the amount owed and its currency. It returns false while the amount of any fee, even
// of a total, is not posted (0); if the amount is in several currencies or in one that was not
// reported; if totals conflict; or if the fees were not reported. A currency that appears only in
// an excluded total is ignored. Without any fees it returns 0, "" and true.
// [FeeSummary.Currencies] covers the other cases, with partial sums.
func (s FeeSummary) Owed() (amount decimal.Decimal, currencyCode string, ok bool) {
	if len(s.NotPosted) > 0 {
		return decimal.Decimal{}, "", false
	}
	ok = s.Reported && s.n == 0
	for i := range s.n {
		c := s.at(i)
		switch {
		case !s.counts(c):
		case ok: // a second currency
			return decimal.Decimal{}, "", false
		case c.CurrencyCode == "" || c.unknown():
			return decimal.Decimal{}, "", false
		default:
			amount, currencyCode, ok = c.Owed, c.CurrencyCode, true
		}
	}
	return amount, currencyCode, ok
}

// counts reports whether a currency has more than an excluded total.
func (s *FeeSummary) counts(c *CurrencyFees) bool { return !s.TotalExcluded || c.LineCount > 0 }

// unknown reports whether totals conflict and there are no line items to use instead.
func (c *CurrencyFees) unknown() bool { return c.TotalConflict && c.LineCount == 0 }

// Difference returns the reported total minus the line items, which is what the terminal charges
// beyond the fees it lists, including those that are listed but not posted yet. It returns false
// unless both were reported, the total is posted, and all fees are in one currency.
func (s FeeSummary) Difference() (decimal.Decimal, bool) {
	total, ok := s.first.Total.Get()
	if !ok || total.IsZero() || s.n != 1 || s.first.LineCount == 0 || s.first.CurrencyCode == "" {
		return decimal.Decimal{}, false
	}
	return total.Sub(s.first.Lines), true
}

// String returns a human-readable list of the amounts owed, such as "CAD 40.00 + USD 1,300.00",
// followed by "(not all posted yet)" if they are partial. It is "no fees" if there are none and
// "fees not reported" if Reported is false.
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

// feeSummaryJSON is the JSON and log form of a FeeSummary. Amounts are decimal strings; null means
// that the amount is unknown.
type feeSummaryJSON struct {
	Reported      bool               `json:"reported"`
	Owed          *string            `json:"owed"`
	CurrencyCode  *string            `json:"currency_code"`
	Text          string             `json:"text"`
	Currencies    []currencyFeesJSON `json:"currencies"`
	NotPosted     []FeeType          `json:"not_posted"`
	UnknownTypes  []FeeType          `json:"unknown_types"`
	TotalExcluded bool               `json:"total_excluded"`
	Difference    *string            `json:"difference"`
}

type currencyFeesJSON struct {
	CurrencyCode   string  `json:"currency_code"`
	Owed           *string `json:"owed"`
	Lines          string  `json:"lines"`
	LineCount      int     `json:"line_count"`
	NotPostedCount int     `json:"not_posted_count"`
	Total          *string `json:"total"`
	TotalConflict  bool    `json:"total_conflict"`
}

// MarshalJSON returns the fields and the results of Owed, Currencies, Difference and String, with
// amounts as decimal strings. Amounts that are unknown are null. It cannot be read back.
func (s FeeSummary) MarshalJSON() ([]byte, error) {
	form := feeSummaryJSON{
		Reported: s.Reported, Text: s.String(), Currencies: []currencyFeesJSON{}, NotPosted: notNil(s.NotPosted),
		UnknownTypes: notNil(s.UnknownTypes), TotalExcluded: s.TotalExcluded,
	}
	amount, code, ok := s.Owed()
	if form.Owed = amountJSON(amount, ok); ok {
		form.CurrencyCode = &code
	}
	form.Difference = amountJSON(s.Difference())
	for _, c := range s.Currencies() {
		total, hasTotal := c.Total.Get()
		form.Currencies = append(form.Currencies, currencyFeesJSON{
			c.CurrencyCode, amountJSON(c.Owed, !c.unknown()), c.Lines.String(), c.LineCount, c.NotPostedCount,
			amountJSON(total, hasTotal), c.TotalConflict,
		})
	}
	return json.Marshal(form)
}

func amountJSON(amount decimal.Decimal, known bool) *string {
	if !known {
		return nil
	}
	text := amount.String()
	return &text
}

// UnmarshalJSON returns an error: a summary is computed, so store the fees.
func (s *FeeSummary) UnmarshalJSON(data []byte) error {
	return errComputed(data, "FeeSummary", "store the fees and call SumFees again")
}

// LogValue returns what MarshalJSON returns, as a group.
func (s FeeSummary) LogValue() slog.Value { return logJSON(s) }

// at returns the sums of the i-th currency.
func (s *FeeSummary) at(i int) *CurrencyFees {
	if i == 0 {
		return &s.first
	}
	return &s.more[i-1]
}

// feeSum is a FeeSummary under construction.
type feeSum struct {
	FeeSummary
	currencies          numbering[string]
	notPosted, newTypes numbering[FeeType]
}

// add counts one fee and reports whether it is a line item.
func (s *feeSum) add(fee *Fee) bool {
	c := s.currency(fee.CurrencyCode)
	if fee.Amount.IsZero() {
		c.NotPostedCount++
		if _, seen := s.notPosted.number(fee.Type); !seen {
			s.NotPosted = append(s.NotPosted, fee.Type)
		}
	}
	if fee.Type == FeeTotal {
		c.addTotal(fee.Amount)
		return false
	}
	if !fee.Type.Known() {
		if _, seen := s.newTypes.number(fee.Type); !seen {
			s.UnknownTypes = append(s.UnknownTypes, fee.Type)
		}
	}
	if c.LineCount == 0 {
		c.Lines = fee.Amount // Add would allocate
	} else {
		c.Lines = c.Lines.Add(fee.Amount)
	}
	c.LineCount++
	return true
}

func (c *CurrencyFees) addTotal(amount decimal.Decimal) {
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
func (s *feeSum) currency(code string) *CurrencyFees {
	i, found := s.currencies.number(code)
	if !found {
		if s.n++; i > 0 {
			s.more = append(s.more, CurrencyFees{})
		}
		s.at(i).CurrencyCode = code
	}
	return s.at(i)
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

// String returns a human-readable fee, such as "demurrage USD 1,300.00", or "demurrage (not posted
// yet)" if the amount is 0.
func (f Fee) String() string {
	kind := strings.ReplaceAll(string(f.Type), "_", " ")
	if f.Amount.IsZero() {
		return kind + " (not posted yet)"
	}
	return kind + " " + FormatMoney(f.Amount, f.CurrencyCode)
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
