package terminal49test

import (
	"cmp"
	"slices"
	"time"

	"github.com/go-freight/terminal49/internal/zones"
	"github.com/go-freight/terminal49/terminal49test/internal/forms"
)

// Available sets available_for_pickup, as reported by the terminal.
func Available(yes bool) Action { return Action{available{yes}} }

type available struct {
	Yes bool `json:"yes"`
}

func (a available) run(s *ActionContext) {
	s.Container.AvailabilityKnown, s.Container.AvailableForPickup = nil, Bool(a.Yes)
	name, status := "available", "available"
	if !a.Yes {
		name, status = "not_available", "not_available"
	}
	s.Container.CurrentStatus = status
	s.pickupEvent("container.transport."+name, "")
}

// HoldPlaced adds a hold, or replaces the one with the same name: a pending hold becomes active
// this way.
func HoldPlaced(h Hold) Action { return Action{holdPlaced{h}} }

type holdPlaced struct {
	Hold Hold `json:"hold"`
}

func (a holdPlaced) run(s *ActionContext) {
	s.Container.Holds = replaceOrAppend(s.Container.Holds, a.Hold, func(other Hold) bool { return other.Name == a.Hold.Name })
}

// HoldCleared removes the hold with the given name.
func HoldCleared(name string) Action { return Action{holdCleared{name}} }

type holdCleared struct {
	Name string `json:"name"`
}

func (a holdCleared) run(s *ActionContext) {
	s.Container.Holds = slices.DeleteFunc(s.Container.Holds, func(h Hold) bool { return h.Name == a.Name })
}

// FeePosted adds a fee, or replaces the one of the same type.
func FeePosted(f Fee) Action { return Action{feePosted{f}} }

type feePosted struct {
	Fee Fee `json:"fee"`
}

func (a feePosted) run(s *ActionContext) {
	s.Container.Fees = replaceOrAppend(s.Container.Fees, a.Fee, func(other Fee) bool { return other.Type == a.Fee.Type })
}

// FeeCleared removes the fee of the given type: it was paid or waived.
func FeeCleared(kind string) Action { return Action{feeCleared{kind}} }

type feeCleared struct {
	Type string `json:"type"`
}

func (a feeCleared) run(s *ActionContext) {
	s.Container.Fees = slices.DeleteFunc(s.Container.Fees, func(f Fee) bool { return f.Type == a.Type })
}

// replaceOrAppend replaces the item that matches, or appends.
func replaceOrAppend[T any](list []T, item T, same func(T) bool) []T {
	if i := slices.IndexFunc(list, same); i >= 0 {
		list[i] = item
		return list
	}
	return append(list, item)
}

// FeeAccrues adds f's amount to the fee of its type at once and then every 24 hours until pickup.
func FeeAccrues(f Fee) Action { return Action{feeAccrues{f}} }

type feeAccrues struct {
	Fee Fee `json:"fee"`
}

func (a feeAccrues) run(s *ActionContext) {
	s.world.accrue(s.Shipment, s.Container, a.Fee, s.At, s.reportedAt)
}

func (w *world) accrue(s *Shipment, c *Container, f Fee, at, seen time.Time) {
	if !c.PODFullOutAt.IsZero() || !c.FinalDestinationFullOutAt.IsZero() {
		return
	}
	if s.LineTrackingStoppedAt.IsZero() {
		due := slices.IndexFunc(c.Fees, func(other Fee) bool { return other.Type == f.Type })
		if due < 0 {
			c.Fees = append(c.Fees, f)
		} else {
			c.Fees[due].Amount += f.Amount
		}
		c.markChecked(seen)
	}
	w.Plan(at.Add(day24), accrueFee{s.ID, c.ID, f, seen})
}

// PickupLFD sets the last free day of source ("terminal", "line" or "rail"; "" means "terminal") to
// the given number of calendar days after the step. It is sent as midnight at the destination for
// rail and at the port of discharge for the others, like the line's in the service's samples.
func PickupLFD(source string, daysAhead int) Action { return PickupLFDAt(source, "", daysAhead, 0) }

// PickupLFDAt is PickupLFD at another place and time of day: a line may send midnight at the
// destination, and a railroad may send noon. location is an id or a UN/LOCODE; "" means that of
// PickupLFD. clock is the time of day.
func PickupLFDAt(source, location string, daysAhead int, clock time.Duration) Action {
	return Action{pickupLFD{deadlineSource(source), daysAhead, location, clock}}
}

type pickupLFD struct {
	Source   deadlineSource `json:"source,omitzero"`
	Days     int            `json:"days"`
	Location string         `json:"location,omitzero"`
	Clock    time.Duration  `json:"clock,omitzero"`
}

type deadlineSource string

// UnmarshalText reads a source and refuses any other text.
func (s *deadlineSource) UnmarshalText(text []byte) error { return forms.ChooseFrom(s, text) }

func (a pickupLFD) run(s *ActionContext) {
	facility, place := s.deadlineFacility(a.Source)
	day := s.dayAt(cmp.Or(a.Location, s.world.terminalPlace(facility).ref.ID, place), a.Days, a.Clock)
	before := s.Container.ImportDeadlines.PickupLFD()
	switch a.Source {
	case "line":
		s.Container.ImportDeadlines.Line = day
	case "rail":
		s.Container.ImportDeadlines.Rail = day
	default:
		a.Source, s.Container.ImportDeadlines.Terminal = "terminal", day
	}
	s.terminalEvent("container.pickup_lfd_"+string(a.Source)+".changed", facility, day.Format(time.RFC3339))
	if now := s.Container.ImportDeadlines.PickupLFD(); !now.Equal(before) {
		s.terminalEvent("container.pickup_lfd.changed", facility, now.Format(time.RFC3339))
	}
}

// deadlineFacility returns the terminal that a deadline is about, and its place in case the
// terminal is unknown: only the railroad's is inland.
func (s *ActionContext) deadlineFacility(source deadlineSource) (terminal, place string) {
	if source == "rail" {
		return s.world.pickupFacility(s.Container), s.Shipment.Destination
	}
	return s.world.podTerminal(s.Container), s.Shipment.PortOfDischarge
}

// dayAt returns clock on the day that is daysAhead days later at a place.
func (s *ActionContext) dayAt(location string, daysAhead int, clock time.Duration) time.Time {
	zone, err := zones.Load(s.world.place(location).tz)
	if err != nil {
		zone = time.UTC // the test uses an invalid zone
	}
	y, m, d := s.At.In(zone).Date()
	return time.Date(y, m, d+daysAhead, 0, 0, int(clock.Seconds()), 0, zone).UTC()
}

// PickupAppointment sets the pickup appointment to the given duration after the step.
func PickupAppointment(in time.Duration) Action { return Action{pickupAppointment{in}} }

type pickupAppointment struct {
	In time.Duration `json:"in"`
}

func (a pickupAppointment) run(s *ActionContext) {
	s.Container.PickupAppointmentAt = s.At.Add(a.In)
	s.pickupEvent("container.pickup_appointment.changed", s.Container.PickupAppointmentAt.Format(time.RFC3339))
}

// pickupEvent adds an event that the pickup terminal or ramp reports.
func (s *ActionContext) pickupEvent(event, value string) {
	s.terminalEvent(event, s.world.pickupFacility(s.Container), value)
}

func (s *ActionContext) terminalEvent(event, facility, value string) {
	e := TransportEvent{
		Event: event, Location: s.world.terminalPlace(facility).ref.ID, Terminal: facility, DataSource: "terminal", Value: value,
	}
	if value != "" {
		e.ValueTimestamp = s.At
	}
	s.Event(e)
}

// FullOut records that the container was picked up, on the given chassis. Deadlines and holds are
// no longer reported.
func FullOut(chassis string) Action { return Action{fullOut{chassis}} }

type fullOut struct {
	Chassis string `json:"chassis,omitzero"`
}

func (a fullOut) run(s *ActionContext) {
	c := s.Container
	if s.world.isInland(s.Shipment) {
		c.FinalDestinationFullOutAt = s.At
	} else {
		c.PODFullOutAt, c.PODFullOutChassisNumber = s.At, a.Chassis
	}
	c.CurrentStatus, c.AvailableForPickup = "picked_up", Bool(false)
	c.Holds, c.ImportDeadlines = []Hold{}, Deadlines{}
	s.pickupEvent("container.transport.full_out", "")
	s.stopAfterWindow("past_full_out_window")
}

// EmptyIn records that the empty container was returned. Tracking stops once all containers of the
// shipment are returned.
func EmptyIn() Action { return Action{emptyIn{}} }

type emptyIn struct{}

func (emptyIn) run(s *ActionContext) {
	facility := s.world.pickupFacility(s.Container)
	s.Container.EmptyTerminatedAt, s.Container.CurrentStatus = s.At, "empty_returned"
	s.Container.EmptyTerminatedTimezone = s.world.terminalPlace(facility).tz
	s.milestone("empty_in", s.world.terminalPlace(facility).ref.ID)
	for _, id := range s.world.containersOf(s.Shipment.ID) {
		if s.world.containers.Get(id).EmptyTerminatedAt.IsZero() {
			return
		}
	}
	s.world.stopTracking(s.Shipment, s.reportedAt, "all_containers_terminated", "")
}
