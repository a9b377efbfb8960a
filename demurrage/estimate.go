package demurrage

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// Estimate is the cost of a stay up to and including a day, with one entry for each charge. Its
// String is a line for each charge.
type Estimate struct {
	Number   string           `json:"number,omitempty"` // of the container
	Until    terminal49.Date  `json:"until"`            // the last day that was counted
	Currency string           `json:"currency"`
	Charges  []ChargeEstimate `json:"charges"` // one for each kind that the tariff has, in its order
	Total    Amount           `json:"total"`   // of all charges; unknown if one of them is
}

// ChargeEstimate is what one charge of a tariff comes to. The amounts of its days add up to Amount
// if it is exact. The days of a range are ranges of their own, whose sum may be wider than Amount.
type ChargeEstimate struct {
	Kind        Kind            `json:"kind"`
	Name        string          `json:"name,omitempty"`
	Amount      Amount          `json:"amount"`
	LastFreeDay terminal49.Date `json:"last_free_day,omitzero"` // by the tariff; zero if it is unknown or there is none
	Running     bool            `json:"running"`                // the clock has not stopped by Until
	Days        []Day           `json:"days"`
	// Notes say what is not known, and so makes Amount a range or unknown, or shows that the clock has
	// not started.
	Notes []string `json:"notes,omitempty"`
}

// Day is a day of a stay, at the place. If the amount of the charge is a range, State, Tier and Why
// are those of the case that costs most.
type Day struct {
	Date   terminal49.Date `json:"date"`
	State  DayState        `json:"state"`
	Tier   int             `json:"tier,omitempty"` // from 1; 0 if it is not charged
	Amount Amount          `json:"amount"`
	Why    string          `json:"why"`
}

// mostDays bounds the days of a stay.
const mostDays = 3660

// Estimate returns what a stay costs until a day, that day included, if the container stays as
// long. A clock that was stopped before ends there. An event that was not reported, and that no
// later one proves, has not happened yet: its clock runs until the day.
//
// Errors: *terminal49.ArgumentError for a tariff that [Tariff.Validate] refuses, for a missing day
// and for one more than ten years after the stay began.
func (t *Tariff) Estimate(s Stay, until terminal49.Date) (*Estimate, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	e, _, err := t.estimateAfter(&s, until, until)
	return e, err
}

// estimateAfter also returns what the days after one cost.
func (t *Tariff) estimateAfter(s *Stay, after, until terminal49.Date) (e *Estimate, more Amount, err error) {
	if after.IsZero() || addDays(until, 0) != until {
		return nil, more, argument("until", "must be a day, such as 2026-12-04")
	}
	if err := s.check(until); err != nil {
		return nil, more, err
	}
	if err := t.checkLastFreeDays(s); err != nil {
		return nil, more, err
	}
	e = &Estimate{Number: s.Number, Until: until, Currency: t.Currency, Total: between(decimal.Zero, decimal.Zero)}
	more, of := e.Total, t.calendar()
	for _, kind := range t.kinds() {
		c, afterwards := t.estimate(kind, s, of, after, until)
		e.Charges = append(e.Charges, c)
		e.Total, more = e.Total.Add(c.Amount), more.Add(afterwards)
	}
	return e, more, nil
}

func argument(field, problem string) error {
	return &terminal49.ArgumentError{Op: "demurrage", Field: field, Problem: problem}
}

// check refuses a stay that is too long to count, and interruptions that end before they begin.
func (s *Stay) check(until terminal49.Date) error {
	for _, event := range slices.Sorted(maps.Keys(s.Events)) { // the same error each time
		if day := dayOf(s.Events[event]); !day.first.IsZero() && until.Sub(day.first) > mostDays {
			return argument("until", fmt.Sprintf("must be at most %d days after %s, which was on %s", mostDays, event, day.first))
		}
	}
	for _, i := range s.Interruptions {
		if i.Kind == "" || !i.Days.valid() {
			return argument("Interruptions", "must each have a kind, a first day and a last day that is not before it")
		}
	}
	for event, days := range s.Between {
		if !days.valid() || until.Sub(days.First) > mostDays {
			return argument("Between", fmt.Sprintf("must have a first day of %s and a last day that is not before it, within ten years", event))
		}
	}
	return nil
}

// mostLastFreeDays bounds the days that a last free day may be.
const mostLastFreeDays = 31

// checkLastFreeDays refuses a stay whose last free day may be any of very many days.
func (t *Tariff) checkLastFreeDays(s *Stay) error {
	for i := range t.Charges {
		event := t.Charges[i].LastFreeDay.Event
		if days := s.Between[event]; days.Last.Sub(days.First) >= mostLastFreeDays {
			return argument("Between", fmt.Sprintf("must have at most %d days of %s", mostLastFreeDays, event))
		}
	}
	return nil
}

func (d Days) valid() bool { return !d.First.IsZero() && !d.Last.IsZero() && !d.Last.Before(d.First) }

// kinds returns the kinds of the tariff's charges, each once.
func (t *Tariff) kinds() (all []Kind) {
	for i := range t.Charges {
		if kind := t.Charges[i].Kind; !slices.Contains(all, kind) {
			all = append(all, kind)
		}
	}
	return all
}

// estimate estimates the charge of a kind that applies, or all that may apply, and what the days
// after one cost.
func (t *Tariff) estimate(kind Kind, s *Stay, of calendar, after, until terminal49.Date) (e ChargeEstimate, more Amount) {
	e.Kind = kind
	applying, doubts, sure := t.applying(kind, s)
	e.Notes = append(e.Notes, doubts...)
	if len(applying) == 0 {
		e.Notes = append(e.Notes, "no charge of the tariff for "+string(kind)+" applies to this container")
		return e, more
	}
	e.Name = applying[0].Name
	all, unbounded, known := cases{after: after}, false, true
	for _, c := range applying {
		w := window{calendar: of, charge: c, stay: s, until: until}
		known = w.count(&all) && known
		unbounded, e.Running = unbounded || w.unbounded, e.Running || w.running
		e.Notes = append(e.Notes, w.notes...)
	}
	if all.unrated {
		e.Notes = append(e.Notes, "the tariff has no amount for days after its last tier")
	}
	open := unbounded || all.unrated
	if !sure {
		e.Notes = append(e.Notes, "perhaps none of the charges applies")
		known = known && all.sum.least.LessThan(all.sum.most) // it would look exact
	}
	if !known || open && all.sum.least.IsZero() { // zero or more says nothing
		return e, more
	}
	e.Days, e.Amount, more = all.list(unbounded), between(all.sum.least, all.sum.most), between(all.more.least, all.more.most)
	if open {
		e.Amount.Most, more.Most = terminal49.Opt[decimal.Decimal]{}, terminal49.Opt[decimal.Decimal]{}
	}
	if unbounded { // the days after may be in any tier, or beyond the cap
		more.Least = terminal49.Some(decimal.Zero)
	} else if len(applying) == 1 {
		e.LastFreeDay = all.lastFree
	}
	return e, more
}

// String returns a line for each charge, such as "demurrage USD 555.00 until 2026-12-04, free until
// 2026-11-30".
func (e *Estimate) String() string {
	var lines []string
	for i := range e.Charges {
		lines = append(lines, e.Charges[i].line(e))
	}
	if len(lines) > 1 {
		lines = append(lines, "total "+e.Total.Format(e.Currency))
	}
	return strings.Join(lines, "\n")
}

func (c *ChargeEstimate) line(e *Estimate) string {
	text := string(c.Kind) + " " + c.Amount.Format(e.Currency)
	if c.Running && c.Amount != (Amount{}) {
		text += " until " + e.Until.String()
	}
	if !c.LastFreeDay.IsZero() {
		text += ", free until " + c.LastFreeDay.String()
	}
	if len(c.Notes) > 0 {
		text += " (" + strings.Join(c.Notes, "; ") + ")"
	}
	return text
}
