package dispute

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/demurrage"
	"github.com/go-freight/terminal49/mirror"
)

// Item is something that 46 CFR 541.6 asks an invoice to state.
type Item struct {
	Paragraph string `json:"paragraph"`       // such as "541.6(b)(5)"
	What      string `json:"what"`            // what the invoice must state
	Known     string `json:"known,omitempty"` // what the mirror and the tariff say; "" if only the invoice can
}

// checklist has the paragraphs of 46 CFR 541.6 in their order, in short words of ours.
func checklist(c *terminal49.Container, h *mirror.History, e *demurrage.Estimate, t *demurrage.Tariff) []Item {
	bill, port := "", ""
	if s, _ := c.Shipment.Value(); s != nil {
		bill, port = s.BillOfLadingNumber, s.PortOfDischargeLOCODE
	}
	return []Item{
		{"541.6(a)(1)", "the number of the bill of lading", bill},
		{"541.6(a)(2)", "the number of the container", c.Number},
		{"541.6(a)(3)", "for imports, the port of discharge", port},
		{"541.6(a)(4)", "why the billed party is the one to pay", ""},
		{"541.6(b)(1)", "the date of the invoice", ""},
		{"541.6(b)(2)", "the date when it is due", ""},
		{"541.6(b)(3)", "the free time in days", freeDays(e, t)},
		{"541.6(b)(4)", "the first day of free time", firstDays(e)},
		{"541.6(b)(5)", "the last day of free time", lastDays(c, e)},
		{"541.6(b)(6)", "for imports, the date when the container was available", availableAt(h)},
		{"541.6(b)(7)", "for exports, the earliest return date", ""},
		{"541.6(b)(8)", "the dates that are charged", chargedDays(e)},
		{"541.6(c)(1)", "the total amount", totalOf(e)},
		{"541.6(c)(2)", "the rule, tariff or contract that the daily rate is based on", source(t)},
		{"541.6(c)(3)", "the rate of each day", ""},
		{"541.6(d)(1)", "whom to ask for a reduction, refund or waiver", ""},
		{"541.6(d)(2)", "an address with what such a request needs", ""},
		{"541.6(d)(3)", "by when to request it, and by when it is decided", ""},
		{"541.6(e)(1)", "that the charges follow the Commission's rules", ""},
		{"541.6(e)(2)", "that the billing party did not cause or contribute to them", ""},
	}
}

// each returns a text of each charge of an estimate, with its kind.
func each(e *demurrage.Estimate, of func(*demurrage.ChargeEstimate) string) string {
	var all []string
	for i := range notNil(e).Charges {
		if text := of(&e.Charges[i]); text != "" {
			all = append(all, string(e.Charges[i].Kind)+": "+text)
		}
	}
	return strings.Join(all, "; ")
}

func notNil(e *demurrage.Estimate) *demurrage.Estimate {
	if e == nil {
		return new(demurrage.Estimate)
	}
	return e
}

func freeDays(e *demurrage.Estimate, t *demurrage.Tariff) string {
	return each(e, func(c *demurrage.ChargeEstimate) string {
		n := 0
		for _, day := range c.Days {
			if day.State == demurrage.Free {
				n++
			}
		}
		byTariff := slices.DeleteFunc(slices.Clone(t.Charges), func(of demurrage.Charge) bool { return of.Kind != c.Kind || of.Name != c.Name })
		switch {
		case c.LastFreeDay.IsZero():
			return ""
		case len(byTariff) != 1: // the estimate does not name the one that it used
			return fmt.Sprintf("%d used", n)
		}
		return fmt.Sprintf("%d by the tariff, %d used", byTariff[0].FreeDays, n)
	})
}

func firstDays(e *demurrage.Estimate) string {
	return each(e, func(c *demurrage.ChargeEstimate) string {
		i := slices.IndexFunc(c.Days, func(day demurrage.Day) bool { return day.State == demurrage.Free })
		if i < 0 || c.LastFreeDay.IsZero() {
			return ""
		}
		return c.Days[i].Date.String()
	})
}

// lastDays returns the last free days that sources report, and those by the tariff.
func lastDays(c *terminal49.Container, e *demurrage.Estimate) string {
	var all []string
	for _, d := range terminal49.LastFreeDays(c).Reported {
		all = append(all, "by the "+string(d.Source)+" "+day(d.At))
	}
	if counted := each(e, func(c *demurrage.ChargeEstimate) string {
		if c.LastFreeDay.IsZero() {
			return ""
		}
		return c.LastFreeDay.String()
	}); counted != "" {
		all = append(all, "by the tariff, "+counted)
	}
	return strings.Join(all, "; ")
}

// availableAt says when the terminal reported the container as available.
func availableAt(h *mirror.History) string {
	i := slices.IndexFunc(h.Availability, func(p mirror.Period[bool]) bool { return p.Value })
	switch {
	case i < 0:
		return ""
	case h.Availability[i].From.IsZero():
		return "before the first read"
	case h.Availability[i].Earlier:
		return "at the latest " + instant(h.Availability[i].From) + ", the first read"
	}
	return "first read as available " + instant(h.Availability[i].From)
}

func chargedDays(e *demurrage.Estimate) string {
	return each(e, func(c *demurrage.ChargeEstimate) string {
		var first, last terminal49.Date
		n := 0
		for _, day := range c.Days {
			if day.State == demurrage.Charged {
				if n++; n == 1 {
					first = day.Date
				}
				last = day.Date
			}
		}
		if n == 0 || c.Amount.Most.IsZero() {
			return ""
		}
		days := fmt.Sprintf("%d days from %s to %s by the tariff", n, first, last)
		if _, exact := c.Amount.Exact(); !exact {
			return "at most " + days
		}
		return days
	})
}

func totalOf(e *demurrage.Estimate) string {
	if e == nil {
		return ""
	}
	return e.Total.Format(e.Currency) + " by the tariff until " + e.Until.String()
}

func source(t *demurrage.Tariff) string {
	if t == nil {
		return ""
	}
	return text(t)
}
