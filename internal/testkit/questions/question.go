// Package questions judges an engine that answers which containers, in which order, how many and
// as what row. It has containers with varied states, questions about them, and an oracle: a plain
// loop over the verdict of every container, without an index, written from the documentation of the
// filters. It shares no code with an engine.
package questions

import (
	"encoding/json"
	"time"

	"github.com/go-freight/terminal49"
)

// Question is what an engine is asked. Its JSON has the names of the fields of an engine's filter,
// so that an engine's own type can be read from it.
type Question struct {
	Filter  Filter
	Order   string   `json:",omitzero"`
	Limit   int      `json:",omitzero"`
	Offset  int      `json:",omitzero"`
	By      []string `json:",omitzero"` // count by these instead of listing
	Clock   Clock    `json:",omitzero"`
	Purpose string   `json:"-"` // what it was drawn for, such as "Terminals and Tags"
}

// Filter has the fields of an engine's filter under their names.
type Filter struct {
	Work       []string `json:",omitzero"`
	Days       int      `json:",omitzero"`
	Situations []string `json:",omitzero"`
	Stages     []string `json:",omitzero"`

	Terminals        []string `json:",omitzero"`
	PortsOfDischarge []string `json:",omitzero"`
	Destinations     []string `json:",omitzero"`
	ShippingLines    []string `json:",omitzero"`
	Vessels          []string `json:",omitzero"`
	Customers        []string `json:",omitzero"`
	References       []string `json:",omitzero"`
	Tags             []string `json:",omitzero"`
	Holds            []string `json:",omitzero"`
	Equipment        []string `json:",omitzero"`

	LastFreeDayFrom    terminal49.Date     `json:",omitzero"`
	LastFreeDayTo      terminal49.Date     `json:",omitzero"`
	DaysLeftFrom       terminal49.Opt[int] `json:",omitzero"`
	DaysLeftTo         terminal49.Opt[int] `json:",omitzero"`
	LastFreeDayUnknown bool                `json:",omitzero"`
	ETAFrom            terminal49.Date     `json:",omitzero"`
	ETATo              terminal49.Date     `json:",omitzero"`
	LastFreeDaysDiffer bool                `json:",omitzero"`
	Appointment        string              `json:",omitzero"`
	Tracking           string              `json:",omitzero"`
	UncheckedHours     int                 `json:",omitzero"`
}

// Clock is when a question is asked, and by which rules of the clock. It is comparable, because the
// verdicts of all containers are made once for each.
type Clock struct {
	Hours        int  // after [Now]
	ImminentDays int  // 0 for the default
	MaxAgeHours  int  // 0 for the default
	Fallback     bool // whether unknown zones are taken for that of Los Angeles
}

// Now is the time around which all containers are. It is never today's.
var Now = time.Date(2026, time.March, 10, 18, 0, 0, 0, time.UTC)

// Time returns when the question is asked.
func (c Clock) Time() time.Time { return Now.Add(time.Duration(c.Hours) * time.Hour) }

// Options returns the rules of the clock.
func (c Clock) Options() (opts terminal49.VerdictOptions) {
	opts.MaxAge = time.Duration(c.MaxAgeHours) * time.Hour
	if c.ImminentDays != 0 {
		opts.ImminentDays = terminal49.Some(c.ImminentDays)
	}
	if c.Fallback {
		opts.FallbackZone = time.FixedZone("", -8*3600)
	}
	return opts
}

// String returns the question as JSON.
func (q Question) String() string {
	text, err := json.Marshal(q)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// FilterInto reads the filter into that of an engine, which must have all of its fields.
func (q Question) FilterInto(to any) error {
	text, err := json.Marshal(q.Filter)
	if err != nil {
		return err
	}
	return strictly(text, to)
}
