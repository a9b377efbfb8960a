package main

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
)

// row is what the board shows of a container.
type row struct {
	look
	ID, Number, BillOfLading, Customer string
	Text                               string // where it is and what to do, in a sentence or two
	Place, BoundFor                    string // where it is; where it goes next
	Holds                              string
	Fees, FeesDoubt                    string // amounts; why they may be too low
	LFD                                string // day at the terminal
	Left                               string // days left, in words
	Level                              terminal49.UrgencyLevel
	Arrival, Slip                      string // local time at the place; days later than at first
	Proof, Against                     string // the last fact that the place follows from; those that contradict it

	verdict terminal49.Verdict
}

func newRow(c *terminal49.Container, now time.Time) row {
	v := terminal49.Assess(c, now, terminal49.VerdictOptions{})
	r := row{
		look: lookOf(v.Situation), ID: c.ID, Number: c.Number, Text: v.String(), Place: v.Place.String(), BoundFor: v.BoundFor.String(),
		Level: v.Urgency, Proof: list(v.Proof[max(len(v.Proof)-1, 0):]), Against: list(v.Against), verdict: v,
	}
	r.Holds = holds(c, v)
	r.Fees, r.FeesDoubt = fees(v)
	if day, ok := v.LastFreeDay.At.Date(); ok {
		r.LFD = day.String()
	}
	if days, ok := v.DaysLeft.Get(); ok {
		r.Left = inDays(days)
	}
	if s, ok := c.Shipment.Value(); ok {
		r.BillOfLading, r.Customer = s.BillOfLadingNumber, s.CustomerName
	}
	r.Arrival, r.Slip = arrival(c, v)
	return r
}

// Link returns the path of the container's page. A template escapes neither "/" nor "?" in a path.
func (r row) Link() string { return "/containers/" + url.PathEscape(r.ID) }

// arrival returns when the container is expected at its next place or, without an estimate, since
// when it has been at its place. At the port of discharge, slip compares that time with the
// shipping line's first estimate.
func arrival(c *terminal49.Container, v terminal49.Verdict) (text, slip string) {
	at, where := v.ETA, v.BoundFor
	switch {
	case !at.IsZero():
		text = "expected "
	case !v.Since.IsZero() && v.Place != (terminal49.VerdictPlace{}):
		at, where, text = v.Since, v.Place, "since "
	default:
		return "", ""
	}
	text += at.Format("Jan 2, 15:04 MST")
	if s, ok := c.Shipment.Value(); ok && where.LOCODE != "" && where.LOCODE == s.PortOfDischargeLOCODE {
		later, ok := at.Sub(s.PODOriginalETA)
		if days := int(later.Round(24*time.Hour) / (24 * time.Hour)); ok && days != 0 {
			slip = slipText(days)
		}
	}
	return text, slip
}

func slipText(days int) string {
	unit, than := "days", "later"
	if days == 1 || days == -1 {
		unit = "day"
	}
	if days < 0 {
		days, than = -days, "earlier"
	}
	return fmt.Sprintf("%d %s %s than at first", days, unit, than)
}

func list(facts []terminal49.VerdictFact) string {
	texts := make([]string, len(facts))
	for i, f := range facts {
		texts[i] = f.String()
	}
	return strings.Join(texts, "; ")
}

// holds lists the holds. It returns "none" only for a container at a terminal that reports holds.
func holds(c *terminal49.Container, v terminal49.Verdict) string {
	var names []string
	for _, h := range c.Holds {
		name := string(h.Name)
		if h.Status != terminal49.HoldActive {
			name += " (" + string(h.Status) + ")"
		}
		names = append(names, name)
	}
	switch {
	case len(names) > 0:
		return strings.Join(names, ", ")
	case v.Place == (terminal49.VerdictPlace{}):
		return ""
	case c.Holds == nil || slices.Contains(v.Readiness.Warnings, terminal49.WarnHoldsNotProvided):
		return "not reported"
	}
	return "none"
}

// fees returns the amounts owed, and why they may be too low, if a terminal reports fees.
func fees(v terminal49.Verdict) (owed, doubt string) {
	owed, doubt, _ = strings.Cut(strings.TrimSuffix(v.Fees.String(), ")"), " (")
	switch {
	case len(v.Fees.Currencies()) > 0:
		return owed, doubt
	case v.Place == (terminal49.VerdictPlace{}):
		return "", ""
	case !v.Fees.Reported:
		return "not reported", ""
	}
	return owed, doubt
}

// inDays writes a number of calendar days.
func inDays(n int) string {
	switch {
	case n < -1:
		return fmt.Sprintf("%d days over", -n)
	case n == -1:
		return "1 day over"
	case n == 0:
		return "today"
	case n == 1:
		return "1 day left"
	}
	return fmt.Sprintf("%d days left", n)
}

func words(s string) string { return strings.ReplaceAll(s, "_", " ") }

// compare orders rows, the most urgent first.
func compare(a, b row) int {
	return cmp.Or(a.verdict.Compare(b.verdict), strings.Compare(a.Number, b.Number), strings.Compare(a.ID, b.ID))
}
