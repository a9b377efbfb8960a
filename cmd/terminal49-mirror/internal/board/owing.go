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
	switch {
	case len(names) > 0:
		r.Holds = strings.Join(names, ", ")
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
	r.Fees, r.FeesDoubt = owed, doubt
	if amount, currency, ok := v.Fees.Owed(); ok && currency != "" {
		r.Owed, r.Currency = amount.String(), currency
	}
}

// setOwed sets what is owed by kind.
func (r *row) setOwed(fees []terminal49.Fee) {
	sum := terminal49.SumFees(fees)
	var texts []string
	for _, t := range sum.ByType() {
		texts = append(texts, terminal49.Fee{Type: t.Type, Amount: t.Amount, CurrencyCode: t.CurrencyCode}.String())
	}
	r.FeeKinds = strings.Join(texts, " + ")
}
