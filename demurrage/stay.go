package demurrage

import (
	"cmp"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
)

// Event is what may start or stop a clock, or a last free day. Other names than the constants are
// possible, such as "arrival_notice", for tariffs that need them: your program sets their times.
type Event string

// The events that [StayOf] takes from a container. Days are those of the place of the event.
const (
	Discharge   Event = "discharge"    // from the ship, at the port of discharge
	PortOut     Event = "port_out"     // left the terminal of the port, by truck or by rail
	FullOut     Event = "full_out"     // picked up full, at the port or, if it moves inland by rail, at the ramp
	EmptyReturn Event = "empty_return" // returned empty

	RailArrival  Event = "rail_arrival"  // at the inland destination
	RailUnloaded Event = "rail_unloaded" // there, from the train

	TerminalLastFreeDay Event = "terminal_last_free_day"
	LineLastFreeDay     Event = "line_last_free_day"
	RailLastFreeDay     Event = "rail_last_free_day"
)

// Availability is when the container could be picked up first. The service does not report it: it
// is known from a mirror's history, or from your own records.
const Availability Event = "availability"

// inOrder are events that follow each other, so that one bounds another that was not reported. Only
// Availability and PortOut may be in either order.
var inOrder = []Event{Discharge, Availability, PortOut, FullOut, EmptyReturn}

// precedes reports whether an event is always on the day of another, or before.
func (e Event) precedes(other Event) bool {
	i := slices.Index(inOrder, e)
	return i >= 0 && i < slices.Index(inOrder, other) && (e != Availability || other != PortOut)
}

// Stay has the times of one container, and what decides which charges apply to it. A zero field is
// unknown.
type Stay struct {
	Number string
	// Events are the times that were reported, in the zones of their places: see
	// [terminal49.NewTime], and [terminal49.NewWallTime] if only the day at the place is known.
	Events map[Event]terminal49.Time
	// Between are the days between which an event happened that has no time in Events, such as those
	// of two reads: the first did not show it, and the second did.
	Between map[Event]Days
	// Uncertain lists events that have no time and may or may not have happened, such as
	// the pickup of a container that left the port by truck or by rail: which is not reported.
	Uncertain []Event

	ShippingLine    string // SCAC
	Port            string // UN/LOCODE of the port of discharge
	Terminal        string
	Customer        string
	Equipment       string // type, such as dry
	EquipmentLength int    // feet

	// Interruptions are days on which a clock may stand still; see Charge.StoppedBy.
	Interruptions []Interruption
}

// Days are days in a row.
type Days struct {
	First, Last terminal49.Date // both included
}

// Interruption is a time in which the container could not be picked up or returned, through no
// fault of its owner, such as a closed terminal.
type Interruption struct {
	Kind string // such as "terminal_closed" or "customs_hold"
	Days        // all of them are stopped
}

// StayOf returns the stay of a container. Its events are the facts of the container's verdict, so
// they agree with [terminal49.Assess] on where it is and was; what contradicts itself is uncertain.
// Include the transport events for the latest facts, and the shipment, the POD terminal and the
// pickup facility, which the verdict and the conditions of tariffs need.
func StayOf(c *terminal49.Container) Stay {
	if c == nil {
		return Stay{}
	}
	s := Stay{Number: c.Number, Equipment: string(c.EquipmentType), EquipmentLength: c.EquipmentLength.Or(0)}
	if shipment, ok := c.Shipment.Value(); ok && shipment != nil {
		s.ShippingLine, s.Port, s.Customer = shipment.ShippingLineSCAC, shipment.PortOfDischargeLOCODE, shipment.CustomerName
	}
	if terminal, ok := c.PODTerminal.Value(); ok && terminal != nil {
		s.Terminal = cmp.Or(terminal.Nickname, terminal.Name)
	}
	s.Events = map[Event]terminal49.Time{}
	s.readEvents(c)
	for _, day := range terminal49.LastFreeDays(c).Reported {
		s.Events[lastFreeDays[day.Source]] = day.At
	}
	return s
}

var lastFreeDays = map[terminal49.LFDSource]Event{
	terminal49.LFDSourceTerminal: TerminalLastFreeDay, terminal49.LFDSourceLine: LineLastFreeDay, terminal49.LFDSourceRail: RailLastFreeDay,
}

// DayAt returns the day of a moment at the place where a container is by its verdict, such as the
// last day of an estimate. While it travels that is the day at the port of discharge, and after it
// left the day at the place where it was seen last. It is the day in UTC if no zone is known.
func DayAt(c *terminal49.Container, moment time.Time) terminal49.Date {
	if c == nil {
		c = &terminal49.Container{}
	}
	zones := []string{terminal49.Assess(c, moment, terminal49.VerdictOptions{}).Stored().Place.Zone}
	stay := StayOf(c)
	for _, event := range []Event{EmptyReturn, FullOut, Discharge} {
		zones = append(zones, stay.Events[event].Zone())
	}
	for _, zone := range append(zones, c.PODTimezone) {
		if day, known := terminal49.NewTime(moment, zone).Date(); known && zone != "" {
			return day
		}
	}
	return terminal49.DateOf(moment.UTC())
}
