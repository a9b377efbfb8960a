package dispute

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/demurrage"
	"github.com/go-freight/terminal49/mirror"
)

// Page is what a mirror knows about the stay of a container. Write it with [Page.Markdown] or
// [Page.HTML], or as JSON.
type Page struct {
	Number      string    `json:"number"`
	ContainerID string    `json:"container_id"`
	ReadAt      time.Time `json:"read_at"`             // when the mirror last read the container, in UTC
	FirstRead   time.Time `json:"first_read,omitzero"` // nothing is known of the time before; zero if unknown
	Sections    []Section `json:"sections"`            // of facts

	Estimate    *demurrage.Estimate    `json:"estimate,omitempty"`    // by the tariff; nil without one
	Tariff      string                 `json:"tariff,omitempty"`      // its name and source
	Comparisons []demurrage.Comparison `json:"comparisons,omitempty"` // the estimate next to what the terminal has posted
	Checklist   []Item                 `json:"checklist"`             // what an invoice must state
}

// Section is a group of facts, in the order in which they began.
type Section struct {
	Title string `json:"title"`
	Facts []Fact `json:"facts"` // empty if nothing was reported
}

// Fact is a line of the page.
type Fact struct {
	What string `json:"what"`
	At   string `json:"at,omitempty"` // when it happened, as it was reported, at the place; "" of a value that lasts
	// Read is the first read that showed it, in UTC, and Ended the first that no longer did: zero if
	// that is unknown, or it lasts.
	Read  time.Time `json:"read,omitzero"`
	Ended time.Time `json:"ended,omitzero"`
	// Earlier reports whether it may have begun before Read, because no read before it is known.
	Earlier bool   `json:"earlier,omitempty"`
	Source  string `json:"source"` // who reported it, and how it was read
}

// Options configures [New].
type Options struct {
	Tariff *demurrage.Tariff // for the estimate; nil for none
	Until  terminal49.Date   // the last day of the estimate; by default that of the last read
}

// New makes the page of a container from the tables of a mirror.
//
// Errors: one that wraps [sql.ErrNoRows] if the database has no such container; those of
// [demurrage.Tariff.Estimate]; those of the database and of ctx.
func New(ctx context.Context, r *mirror.Reader, containerID string, opts Options) (*Page, error) {
	c, err := r.Container(ctx, containerID)
	if err != nil {
		return nil, err
	}
	h, err := r.History(ctx, containerID)
	if err != nil {
		return nil, err
	}
	p := &Page{Number: c.Number, ContainerID: c.ID, ReadAt: c.AsOf.UTC(), FirstRead: h.FirstRead, Sections: sections(c, h)}
	if opts.Tariff != nil {
		if err := p.estimate(c, h, opts); err != nil {
			return nil, err
		}
	}
	p.Checklist = checklist(c, h, p.Estimate, opts.Tariff)
	return p, nil
}

func (p *Page) estimate(c *terminal49.Container, h *mirror.History, opts Options) (err error) {
	until := opts.Until
	if until.IsZero() {
		until = demurrage.DayAt(c, c.AsOf)
	}
	stay := stayOf(c, h)
	if p.Estimate, err = opts.Tariff.Estimate(stay, until); err != nil {
		return err
	}
	p.Tariff = text(opts.Tariff)
	checked, known := c.TerminalCheckedAt.Instant()
	if !known || len(c.Fees) == 0 {
		return nil
	}
	then, err := opts.Tariff.Estimate(stay, demurrage.DayAt(c, checked))
	if err == nil {
		p.Comparisons = demurrage.Compare(then, c.Fees)
	}
	return err
}

// text names a tariff.
func text(t *demurrage.Tariff) string {
	name := cmp.Or(t.Name, "a tariff without a name")
	if t.Source != "" {
		name += " (" + t.Source + ")"
	}
	return name
}

// stayOf returns the stay of a container, with when it became available, which is known only
// between two reads.
func stayOf(c *terminal49.Container, h *mirror.History) demurrage.Stay {
	s := demurrage.StayOf(c)
	i := slices.IndexFunc(h.Availability, func(p mirror.Period[bool]) bool { return p.Value })
	if i < 0 || h.Availability[i].From.IsZero() {
		return s
	}
	first, _ := s.Events[demurrage.Discharge].Date()
	if i > 0 && !h.Availability[i-1].From.IsZero() {
		if read := demurrage.DayAt(c, h.Availability[i-1].From); first.Before(read) { // it may have been at sea then
			first = read
		}
	}
	if last := demurrage.DayAt(c, h.Availability[i].From); !first.IsZero() && !last.Before(first) {
		if s.Between == nil {
			s.Between = map[demurrage.Event]demurrage.Days{}
		}
		s.Between[demurrage.Availability] = demurrage.Days{First: first, Last: last}
	}
	return s
}

func sections(c *terminal49.Container, h *mirror.History) []Section {
	return []Section{
		{"The container", identity(c)},
		{"Milestones", milestones(c, h)},
		{"Availability", facts(h.Availability, "the terminal", available)},
		{"Holds", facts(h.Holds, "the terminal", hold)},
		{"Last free days", lastFreeDays(h)},
		{"Pickup appointments", facts(h.Appointments, "the terminal", appointment)},
		{"Charges that the terminal posted", facts(h.Fees, "the terminal", terminal49.Fee.String)},
	}
}

func available(is bool) string {
	if is {
		return "available for pickup"
	}
	return "not available for pickup"
}

func hold(h terminal49.Hold) string {
	what := fmt.Sprintf("%s hold, %s", h.Name, h.Status)
	if h.Description != "" {
		what += ": " + h.Description
	}
	return what
}

func appointment(at terminal49.Time) string { return "appointment on " + at.String() }
