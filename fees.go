package terminal49

import (
	"cmp"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/internal/decimals"
	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/shopspring/decimal"
)

// Fee is one charge on a container as its terminal reports it.
type Fee struct {
	Type FeeType `t49:"type"`
	// Amount is exact, in units of the currency, such as dollars. Zero means that the fee applies and
	// its amount is not known: it is not posted yet, was null, or could not be read, which is a
	// decode warning.
	Amount decimal.Decimal `t49:"amount"`
	// CurrencyCode is the ISO 4217 code, typically USD; "" if not reported. It is never guessed.
	CurrencyCode string `t49:"currency_code"`
}

// FeeType is the kind of a fee.
//
//t49:enum
type FeeType string

// The values of FeeType.
const (
	FeeDemurrage         FeeType = "demurrage"           // daily charge after free time, owed to the carrier
	FeeExtendedDwellTime FeeType = "extended_dwell_time" // owed to the terminal for a long stay
	FeeExam              FeeType = "exam"                // cost of an inspection
	FeeTotal             FeeType = "total"               // a combined total; may include the other fees, see SumFees
	FeeOther             FeeType = "other"               // not classified by the service
)

var feeMembers = jsonapi.NewTable(model{}, new(Fee))

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

// FeeSummary is the sum of a list of fees, see [SumContainerFees] and [SumFees], or of several
// lists, see [FeeSummary.Add]. Its JSON and log form includes the sums.
type FeeSummary struct {
	// Reported is false if a list was nil, or if [SumContainerFees] found it empty at a terminal that
	// is known not to report fees. Otherwise it is true: the list was sent, which is all that
	// [SumFees] can know.
	Reported bool

	// NotPosted are the types of the fees whose amount is 0: not posted yet or, after a decode
	// warning, not readable. While it is not empty, the sums are partial and Owed returns false. For
	// each currency, see [FeeCurrencySum.NotPostedCount].
	NotPosted []FeeType
	// UnknownTypes are the types unknown to this version. They count as line items.
	UnknownTypes []FeeType
	// TotalExcluded reports whether a total was reported along with line items and left out of the
	// amount owed.
	TotalExcluded bool

	first FeeCurrencySum   // inline, because there is usually one currency, which then needs no allocation
	more  []FeeCurrencySum // in the order of the list
	n     int

	firstType FeeTypeSum // the same for the line items by type
	moreTypes []FeeTypeSum
	nTypes    int
	lists     int // how many lists of fees were summed
}

// FeeCurrencySum is the sum of the fees in one currency. Amounts are exact, in units of the
// currency, such as dollars. Owed, Lines and Total are partial while NotPostedCount is not 0: they
// lack the amounts that are not known.
type FeeCurrencySum struct {
	CurrencyCode string          // ISO 4217; "" for fees whose currency was not reported
	Owed         decimal.Decimal // the sum of the line items, or the total if no currency has a line item
	Lines        decimal.Decimal // the sum of the line items
	LineCount    int             // the number of line items, posted or not
	// NotPostedCount is the number of fees, totals included, whose amount is 0, that is, not known.
	NotPostedCount int
	// Total is the reported total, missing if there is none in this currency. A posted total
	// replaces one that is 0. For several lists it is the sum of their totals.
	Total Opt[decimal.Decimal]
	// TotalConflict reports whether the terminal reported totals of different amounts. They may
	// overlap, so Total is missing and, without line items, Owed is 0 although the amount is
	// unknown.
	TotalConflict bool

	counts  bool // whether there is more than an excluded total
	unclear bool // whether Owed lacks totals that conflict
}

// Unclear reports whether the amount owed is unknown because totals that count differ. Totals do
// not count beside line items, in any currency.
func (c FeeCurrencySum) Unclear() bool { return c.unclear }

// FeeTypeSum is the sum of the fees of one type in one currency; see [FeeSummary.ByType].
type FeeTypeSum struct {
	Type           FeeType
	CurrencyCode   string          // ISO 4217; "" for fees whose currency was not reported
	Amount         decimal.Decimal // partial while NotPostedCount is not 0
	NotPostedCount int             // the number of fees whose amount is 0, that is, not known
}

// SumContainerFees returns the [SumFees] of a container's fees. Unlike a list, a container has
// a terminal: if that is included and its ProvidedData has fees_at_pod_terminal as false, an
// empty list proves nothing, so Reported is false. A flag that is null or missing changes nothing.
// The terminal is PODTerminal or, once the container has left the port for an inland destination,
// PickupFacility. Without a container, fees are not reported.
func SumContainerFees(c *Container) FeeSummary {
	if c == nil {
		return SumFees(nil)
	}
	events, _ := c.TransportEvents.Values()
	l := locate(c, events)
	return feesAt(c, &l)
}

// SumFees adds up fees by currency, exactly and without conversion. Fees of type total may overlap
// the other fees, so they count only if there are no line items in any currency, posted or not.
// Fees without a currency are summed under the code "". For a container, use [SumContainerFees],
// which considers what the terminal reports.
func SumFees(fees []Fee) FeeSummary {
	s := feeSum{FeeSummary: FeeSummary{Reported: fees != nil, lists: 1}}
	lines := false
	for i := range fees {
		lines = s.add(&fees[i]) || lines
	}
	for i := range s.n {
		c := s.at(i)
		total, ok := c.Total.Get()
		switch {
		case lines:
			c.Owed, c.counts = c.Lines, c.LineCount > 0
			s.TotalExcluded = s.TotalExcluded || ok || c.TotalConflict
		default:
			c.Owed, c.counts, c.unclear = total, true, c.TotalConflict
		}
	}
	return s.FeeSummary
}

// Add returns the sum of summaries, such as those of several containers; many at once are faster
// than one by one. Each currency stays apart, and a total stays excluded only where its own list
// has line items. The sum is reported only if all are. The zero FeeSummary is the sum of no lists,
// so start with it:
//
//	var all terminal49.FeeSummary
//	for _, c := range containers {
//		all = all.Add(terminal49.SumContainerFees(c))
//	}
func (s FeeSummary) Add(others ...FeeSummary) FeeSummary {
	sum := feeSum{FeeSummary: FeeSummary{Reported: true}}
	sum.addSummary(&s)
	for i := range others {
		sum.addSummary(&others[i])
	}
	if sum.lists == 0 {
		return FeeSummary{}
	}
	sum.setAmounts()
	return sum.FeeSummary
}

// Settled reports whether Reported is true and there are no fees. A fee whose amount is 0, a credit
// or a total is not settled. An empty list of a terminal that does not report fees is settled for
// [SumFees], which does not know the terminal, and for [SumContainerFees] only if the response did
// not include the terminal.
func (s FeeSummary) Settled() bool { return s.Reported && s.n == 0 }

// Owes reports whether anything is to be paid: a posted amount, one that is not posted yet, or one
// that is unknown because totals conflict.
func (s FeeSummary) Owes() bool {
	for i := range s.n {
		if c := s.at(i); c.counts && c.Owed.IsPositive() || c.unclear {
			return true
		}
	}
	return len(s.NotPosted) > 0
}

// ByType returns the amounts owed by type, sorted by type and currency. They add up to the amounts
// in [FeeSummary.Currencies]. [FeeTotal] is listed only with a posted total that counts, that is,
// whose list has no line items.
func (s FeeSummary) ByType() []FeeTypeSum {
	var all []FeeTypeSum
	for i := range s.nTypes {
		all = append(all, *s.typeAt(i))
	}
	for i := range s.n {
		if c := s.at(i); !c.Owed.Equal(c.Lines) {
			all = append(all, FeeTypeSum{Type: FeeTotal, CurrencyCode: c.CurrencyCode, Amount: c.Owed.Sub(c.Lines)})
		}
	}
	slices.SortFunc(all, func(a, b FeeTypeSum) int {
		return cmp.Or(strings.Compare(string(a.Type), string(b.Type)), strings.Compare(a.CurrencyCode, b.CurrencyCode))
	})
	return all
}

// Currencies returns the sums by currency, sorted by code, or nil if there are no fees.
func (s FeeSummary) Currencies() []FeeCurrencySum {
	if s.n == 0 {
		return nil
	}
	all := append([]FeeCurrencySum{s.first}, s.more...)
	slices.SortFunc(all, func(a, b FeeCurrencySum) int { return strings.Compare(a.CurrencyCode, b.CurrencyCode) })
	return all
}

// In returns the sums in one currency, all zero if it has no fees. The code "" selects fees without
// a currency.
func (s FeeSummary) In(currencyCode string) FeeCurrencySum {
	for i := range s.n {
		if c := s.at(i); c.CurrencyCode == currencyCode {
			return *c
		}
	}
	return FeeCurrencySum{CurrencyCode: currencyCode}
}

// Owed returns the amount owed and its currency. It returns false while the amount of any fee, even
// of a total, is not known (0); if the amount is in several currencies or in one that was not
// reported; if totals conflict; or if a list of fees was not reported. A currency that appears only
// in an excluded total is ignored. Without any fees it returns 0, "" and true.
// [FeeSummary.Currencies] covers the other cases, with partial sums.
func (s FeeSummary) Owed() (amount decimal.Decimal, currencyCode string, ok bool) {
	if len(s.NotPosted) > 0 || !s.Reported {
		return decimal.Decimal{}, "", false
	}
	ok = s.n == 0
	for i := range s.n {
		c := s.at(i)
		switch {
		case !c.counts:
		case ok: // a second currency
			return decimal.Decimal{}, "", false
		case c.CurrencyCode == "" || c.unclear:
			return decimal.Decimal{}, "", false
		default:
			amount, currencyCode, ok = c.Owed, c.CurrencyCode, true
		}
	}
	return amount, currencyCode, ok
}

// Difference returns the reported total minus the line items, which is what the terminal charges
// beyond the fees it lists, including those that are listed without an amount. It returns false
// unless both were reported, the total is posted, and all fees are in one reported currency and one
// list.
func (s FeeSummary) Difference() (decimal.Decimal, bool) {
	total, ok := s.first.Total.Get()
	if !ok || total.IsZero() || s.n != 1 || s.lists != 1 || s.first.LineCount == 0 || s.first.CurrencyCode == "" {
		return decimal.Decimal{}, false
	}
	return total.Sub(s.first.Lines), true
}

// String returns a human-readable list of the amounts owed, such as "CAD 40.00 + USD 1,300.00",
// followed by "(not all amounts known)" or "(not all reported)" if they are partial. Without fees
// it is "no fees", or "fees not reported" if Reported is false.
func (s FeeSummary) String() string {
	switch {
	case s.n > 0:
	case s.Reported:
		return "no fees"
	default:
		return "fees not reported"
	}
	var owed []string
	for _, c := range s.Currencies() {
		switch {
		case !c.counts:
		case c.unclear:
			owed = append(owed, cmp.Or(c.CurrencyCode, "(currency not reported)")+" (totals differ)")
		default:
			owed = append(owed, FormatMoney(c.Owed, c.CurrencyCode))
		}
	}
	text := printable(strings.Join(owed, " + "))
	if len(s.NotPosted) > 0 {
		text += " (not all amounts known)"
	}
	if !s.Reported {
		text += " (not all reported)"
	}
	return text
}

// feeSummaryJSON is the JSON and log form of a FeeSummary. Amounts are decimal strings; null means
// that the amount is unknown.
type feeSummaryJSON struct {
	Reported      bool               `json:"reported"`
	Settled       bool               `json:"settled"`
	Owed          *string            `json:"owed"`
	CurrencyCode  *string            `json:"currency_code"`
	Text          string             `json:"text"`
	Currencies    []currencyFeesJSON `json:"currencies"`
	Types         []typeFeesJSON     `json:"types"`
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

type typeFeesJSON struct {
	Type           FeeType `json:"type"`
	CurrencyCode   string  `json:"currency_code"`
	Amount         string  `json:"amount"`
	NotPostedCount int     `json:"not_posted_count"`
}

// MarshalJSON returns the fields and the results of Settled, Owed, Currencies, ByType, Difference
// and String, with amounts as decimal strings. Amounts that are unknown are null. It cannot be read
// back.
func (s FeeSummary) MarshalJSON() ([]byte, error) {
	form := feeSummaryJSON{
		Reported: s.Reported, Settled: s.Settled(), Text: s.String(), Currencies: []currencyFeesJSON{}, Types: []typeFeesJSON{},
		NotPosted: notNil(s.NotPosted), UnknownTypes: notNil(s.UnknownTypes), TotalExcluded: s.TotalExcluded,
	}
	amount, code, ok := s.Owed()
	if form.Owed = amountJSON(amount, ok); ok {
		form.CurrencyCode = &code
	}
	form.Difference = amountJSON(s.Difference())
	for _, c := range s.Currencies() {
		total, hasTotal := c.Total.Get()
		form.Currencies = append(form.Currencies, currencyFeesJSON{
			c.CurrencyCode, amountJSON(c.Owed, !c.unclear), c.Lines.String(), c.LineCount, c.NotPostedCount,
			amountJSON(total, hasTotal), c.TotalConflict,
		})
	}
	for _, t := range s.ByType() {
		form.Types = append(form.Types, typeFeesJSON{t.Type, t.CurrencyCode, t.Amount.String(), t.NotPostedCount})
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
func (s *FeeSummary) at(i int) *FeeCurrencySum {
	if i == 0 {
		return &s.first
	}
	return &s.more[i-1]
}

// typeAt returns the sum of the i-th type and currency.
func (s *FeeSummary) typeAt(i int) *FeeTypeSum {
	if i == 0 {
		return &s.firstType
	}
	return &s.moreTypes[i-1]
}
