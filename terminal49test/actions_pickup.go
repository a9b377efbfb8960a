package terminal49test

import (
	"cmp"
	"slices"
	"time"

	"github.com/go-freight/terminal49/internal/zones"
)

// Available sets available_for_pickup, as reported by the terminal.
func Available(yes bool) Action {
	return func(s *ActionContext) {
		s.Container.AvailabilityKnown, s.Container.AvailableForPickup = true, Bool(yes)
		name, status := "available", "available"
		if !yes {
			name, status = "not_available", "not_available"
		}
		s.Container.CurrentStatus = status
		s.pickupEvent("container.transport."+name, "")
	}
}

// HoldPlaced adds a hold, or replaces the one with the same name: a pending hold becomes active
// this way.
func HoldPlaced(h Hold) Action {
	return func(s *ActionContext) {
		s.Container.Holds = replaceOrAppend(s.Container.Holds, h, func(other Hold) bool { return other.Name == h.Name })
	}
}

// HoldCleared removes the hold with the given name.
func HoldCleared(name string) Action {
	return func(s *ActionContext) {
		s.Container.Holds = slices.DeleteFunc(s.Container.Holds, func(h Hold) bool { return h.Name == name })
	}
}

// FeePosted adds a fee, or replaces the one of the same type.
func FeePosted(f Fee) Action {
	return func(s *ActionContext) {
		s.Container.Fees = replaceOrAppend(s.Container.Fees, f, func(other Fee) bool { return other.Type == f.Type })
	}
}

// FeeCleared removes the fee of the given type: it was paid or waived.
func FeeCleared(kind string) Action {
	return func(s *ActionContext) {
		s.Container.Fees = slices.DeleteFunc(s.Container.Fees, func(f Fee) bool { return f.Type == kind })
	}
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
func FeeAccrues(f Fee) Action {
	return func(s *ActionContext) { s.world.accrue(s.Shipment, s.Container, f, s.At, s.reportedAt) }
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
	return func(s *ActionContext) {
		facility := s.deadlineFacility(source)
		day := s.dayAt(cmp.Or(location, s.world.terminalPlace(facility).ref.ID), daysAhead, clock)
		before := s.Container.ImportDeadlines.PickupLFD()
		switch source {
		case "line":
			s.Container.ImportDeadlines.Line = day
		case "rail":
			s.Container.ImportDeadlines.Rail = day
		default:
			source, s.Container.ImportDeadlines.Terminal = "terminal", day
		}
		s.terminalEvent("container.pickup_lfd_"+source+".changed", facility, day.Format(time.RFC3339))
		if now := s.Container.ImportDeadlines.PickupLFD(); !now.Equal(before) {
			s.terminalEvent("container.pickup_lfd.changed", facility, now.Format(time.RFC3339))
		}
	}
}

// deadlineFacility returns the terminal that a deadline is about: only the railroad's is inland.
func (s *ActionContext) deadlineFacility(source string) string {
	if source == "rail" {
		return s.world.pickupFacility(s.Container)
	}
	return s.world.podTerminal(s.Container)
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

// PickupAppointment sets the pickup appointment to d after the step.
func PickupAppointment(d time.Duration) Action {
	return func(s *ActionContext) {
		s.Container.PickupAppointmentAt = s.At.Add(d)
		s.pickupEvent("container.pickup_appointment.changed", s.Container.PickupAppointmentAt.Format(time.RFC3339))
	}
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
func FullOut(chassis string) Action {
	return func(s *ActionContext) {
		c := s.Container
		if s.world.isInland(s.Shipment) {
			c.FinalDestinationFullOutAt = s.At
		} else {
			c.PODFullOutAt, c.PODFullOutChassisNumber = s.At, chassis
		}
		c.CurrentStatus, c.AvailableForPickup = "picked_up", Bool(false)
		c.Holds, c.ImportDeadlines = []Hold{}, Deadlines{}
		s.pickupEvent("container.transport.full_out", "")
		s.stopAfterWindow("past_full_out_window")
	}
}

// EmptyIn records that the empty container was returned. Tracking stops once all containers of the
// shipment are returned.
func EmptyIn() Action {
	return func(s *ActionContext) {
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
}
