package terminal49test

import (
	"slices"
	"time"
)

// Available means that the terminal says whether the box can be picked up.
func Available(yes bool) Action {
	return func(s *Scene) {
		s.Container.AvailabilityKnown, s.Container.AvailableForPickup = true, Bool(yes)
		name, status := "available", "available"
		if !yes {
			name, status = "not_available", "not_available"
		}
		s.Container.CurrentStatus = status
		s.pickupEvent("container.transport."+name, "")
	}
}

// HoldPlaced means that a hold is placed, or one of that name changes: a pending hold becomes active this way.
func HoldPlaced(h Hold) Action {
	return func(s *Scene) {
		s.Container.Holds = replaceOrAppend(s.Container.Holds, h, func(other Hold) bool { return other.Name == h.Name })
	}
}

// HoldCleared means that the hold of that name is gone.
func HoldCleared(name string) Action {
	return func(s *Scene) {
		s.Container.Holds = slices.DeleteFunc(s.Container.Holds, func(h Hold) bool { return h.Name == name })
	}
}

// FeePosted means that the terminal shows a fee, in place of one of the same type.
func FeePosted(f Fee) Action {
	return func(s *Scene) {
		s.Container.Fees = replaceOrAppend(s.Container.Fees, f, func(other Fee) bool { return other.Type == f.Type })
	}
}

// FeeGone means that the fee of that type is paid or waived.
func FeeGone(kind string) Action {
	return func(s *Scene) {
		s.Container.Fees = slices.DeleteFunc(s.Container.Fees, func(f Fee) bool { return f.Type == kind })
	}
}

// put replaces the item that matches, or appends.
func replaceOrAppend[T any](list []T, item T, same func(T) bool) []T {
	if i := slices.IndexFunc(list, same); i >= 0 {
		list[i] = item
		return list
	}
	return append(list, item)
}

// FeeAccrues means that f's amount is due at once and again every day until the box is picked up.
func FeeAccrues(f Fee) Action {
	return func(s *Scene) { s.accrue(f, s.At, s.reportedAt) }
}

func (s *Scene) accrue(f Fee, at, seen time.Time) {
	c := s.Container
	if !c.PODFullOutAt.IsZero() || !c.FinalDestinationFullOutAt.IsZero() {
		return
	}
	if s.Shipment.LineTrackingStoppedAt.IsZero() {
		due := slices.IndexFunc(c.Fees, func(other Fee) bool { return other.Type == f.Type })
		if due < 0 {
			c.Fees = append(c.Fees, f)
		} else {
			c.Fees[due].Amount += f.Amount
		}
		c.markChecked(seen)
	}
	s.world.plan(at.Add(day24), func(at time.Time) {
		seen := laterOf(at, seen)
		s.world.notifyChanges(s.Shipment, c, seen, func() { s.accrue(f, at, seen) })
	})
}

// LFD means that source ("terminal", "line" or "rail") sets the last free day to so many calendar days from now at the place of
// pickup. It goes out as the start of that day there.
func LFD(source string, days int) Action {
	return func(s *Scene) {
		day := s.startOfDay(days)
		before := s.Container.Deadlines.LFD()
		switch source {
		case "line":
			s.Container.Deadlines.Line = day
		case "rail":
			s.Container.Deadlines.Rail = day
		default:
			source, s.Container.Deadlines.Terminal = "terminal", day
		}
		s.pickupEvent("container.pickup_lfd_"+source+".changed", day.Format(time.RFC3339))
		if now := s.Container.Deadlines.LFD(); !now.Equal(before) {
			s.pickupEvent("container.pickup_lfd.changed", now.Format(time.RFC3339))
		}
	}
}

// midnight is when the day begins that is so many days ahead at the place of pickup.
func (s *Scene) startOfDay(days int) time.Time {
	zone, err := time.LoadLocation(s.world.terminalPlace(s.world.pickupFacility(s.Container)).tz)
	if err != nil {
		zone = time.UTC // a test made the zone up, or the machine knows none
	}
	y, m, d := s.At.In(zone).Date()
	return time.Date(y, m, d+days, 0, 0, 0, 0, zone).UTC()
}

// Appointment means that a pickup appointment is made for after d.
func Appointment(d time.Duration) Action {
	return func(s *Scene) {
		s.Container.PickupAppointmentAt = s.At.Add(d)
		s.pickupEvent("container.pickup_appointment.changed", s.Container.PickupAppointmentAt.Format(time.RFC3339))
	}
}

// atPickup is an event the terminal or ramp reports.
func (s *Scene) pickupEvent(event, value string) {
	facility := s.world.pickupFacility(s.Container)
	s.Event(TransportEvent{
		Event: event, Location: s.world.terminalPlace(facility).ref.id, Terminal: facility, DataSource: "terminal", Value: value,
	})
}

// FullOut means that the importer has the box, on the given chassis. Deadlines and holds are shown no longer.
func FullOut(chassis string) Action {
	return func(s *Scene) {
		c := s.Container
		if s.world.isInland(s.Shipment) {
			c.FinalDestinationFullOutAt = s.At
		} else {
			c.PODFullOutAt, c.Chassis = s.At, chassis
		}
		c.CurrentStatus, c.AvailableForPickup = "picked_up", Bool(false)
		c.Holds, c.Deadlines = []Hold{}, Deadlines{}
		s.pickupEvent("container.transport.full_out", "")
		s.stopAfterWindow("past_full_out_window")
	}
}

// EmptyIn means that the empty box is back. When every box of the shipment is, tracking stops.
func EmptyIn() Action {
	return func(s *Scene) {
		facility := s.world.pickupFacility(s.Container)
		s.Container.EmptyTerminatedAt, s.Container.CurrentStatus = s.At, "empty_returned"
		s.Container.EmptyTerminatedTimeZone = s.world.terminalPlace(facility).tz
		s.milestone("empty_in", s.world.terminalPlace(facility).ref.id)
		for _, id := range s.world.containerOf[s.Shipment.ID] {
			if s.world.containers.get(id).EmptyTerminatedAt.IsZero() {
				return
			}
		}
		s.world.stopTracking(s.Shipment, s.reportedAt, "all_containers_terminated", "")
	}
}
