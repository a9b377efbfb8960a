package board

import (
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
)

// setHolds lists the holds, those that are not in force with their status. Holds is "none" only for
// a container at a terminal that reports holds.
func (r *row) setHolds(c *terminal49.Container, v *terminal49.Verdict) {
	var names []string
	for _, h := range c.Holds {
		name := string(h.Name)
		if h.Status != terminal49.HoldStatusActive {
			name += " (" + string(h.Status) + ")"
		}
		names = append(names, name)
	}
	r.HoldKinds = lines(names)
	switch {
	case len(names) > 0:
		r.Holds = shared(strings.Join(names, ", "))
	case v.Place == (terminal49.VerdictPlace{}):
	case c.Holds == nil || slices.Contains(v.Readiness.Warnings, terminal49.WarnHoldsNotProvided):
		r.Holds = "not reported"
	default:
		r.Holds = "none"
	}
}

// notReported is shown for a container at a terminal that reports no fees.
const notReported = "not reported"

// setFees sets the amounts owed, and why they may be too low, if a terminal reports fees.
func (r *row) setFees(c *terminal49.Container, v *terminal49.Verdict) {
	owed, doubt, _ := strings.Cut(strings.TrimSuffix(v.Fees.String(), ")"), " (")
	switch {
	case len(c.Fees) > 0:
		r.setOwed(c.Fees)
	case v.Place == (terminal49.VerdictPlace{}):
		return
	case !v.Fees.Reported:
		owed = notReported
	}
	r.Fees, r.FeesDoubt = shared(owed), shared(doubt)
	if amount, currency, ok := v.Fees.Owed(); ok && currency != "" {
		r.Owed, r.Currency = amount.String(), shared(currency)
	}
}

// anythingOwed is the name under which a container is found that owes a fee of any kind.
const anythingOwed = "anything"

// setOwed sets what is owed by kind. The fees are those of a longer text, so they are copied.
func (r *row) setOwed(fees []terminal49.Fee) {
	copies := slices.Clone(fees)
	for i := range copies {
		f := &copies[i]
		f.Type, f.CurrencyCode = terminal49.FeeType(shared(string(f.Type))), shared(f.CurrencyCode)
	}
	sum := terminal49.SumFees(copies)
	r.fees = &sum
	var kinds, texts []string
	if sum.Owes() {
		kinds = append(kinds, anythingOwed)
	}
	for _, t := range sum.ByType() {
		kinds = append(kinds, words(string(t.Type)))
		texts = append(texts, terminal49.Fee{Type: t.Type, Amount: t.Amount, CurrencyCode: t.CurrencyCode}.String())
	}
	r.FeeKinds, r.Owes = shared(strings.Join(texts, " + ")), lines(kinds)
}

// lines returns one text of names, each once; see namesIn.
func lines(names []string) string {
	var once []string
	for _, name := range names {
		if !slices.Contains(once, name) {
			once = append(once, name)
		}
	}
	return shared(strings.Join(once, "\n"))
}

func namesIn(lines string) []string { return strings.Split(lines, "\n") }

// owed is what the containers of a list owe together.
type owed struct {
	sum        terminal49.FeeSummary
	unreported int // containers at terminals that report no fees
}

func (o *owed) add(r *row) {
	if r.fees != nil {
		o.sum = o.sum.Add(*r.fees)
	}
	if r.Fees == notReported {
		o.unreported++
	}
}

// String returns the sums by currency; "" if there are no fees.
func (o owed) String() string {
	if len(o.sum.Currencies()) == 0 {
		return ""
	}
	text := "owed: " + o.sum.String()
	if o.unreported > 0 {
		text += ", and fees are not reported for " + grouped(o.unreported)
	}
	return text
}
