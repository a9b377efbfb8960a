package terminal49test

import (
	"cmp"
	"slices"
	"time"
)

const day24 = 24 * time.Hour

// giveUp is how long after arrival or pickup the service goes on asking.
const giveUp = 56 * day24

// Event adds a transport event to the container, and the carrier's own line for it where there is one. Container,
// time and what the shipment tells about place and ship are filled in where e leaves them empty.
func (s *Scene) Event(e TransportEvent) {
	e.Container, e.Shipment = s.Container.ID, s.Shipment.ID
	if e.At.IsZero() {
		e.At = s.At
	}
	e.CreatedAt = s.seen
	if raw := rawName(e.Event); raw != "" {
		e.SourceEvent = s.world.addRawEvent(RawEvent{
			Event: raw, OriginalEvent: carrierWords(raw), Container: e.Container, At: e.At, CreatedAt: s.seen,
			Location: e.Location, Terminal: e.Terminal, Vessel: e.Vessel, Voyage: e.Voyage,
		})
	}
	s.world.addEvent(e)
}

func (s *Scene) milestone(name, location string) {
	s.Event(TransportEvent{Event: "container.transport." + name, Location: location})
}

// onBoard is a milestone of the ship.
func (s *Scene) onBoard(name, location, terminal string) {
	s.Event(TransportEvent{
		Event: "container.transport." + name, Location: location, Terminal: terminal,
		Vessel: s.Shipment.Vessel, Voyage: s.Shipment.VoyageNumber,
	})
}

// Milestone adds an event (such as "transshipment_arrived") at a place and changes nothing else. location is an id or
// UN/LOCODE.
func Milestone(name, location string) Action {
	return func(s *Scene) { s.milestone(name, location) }
}

// EmptyOut means that the shipper has picked up the empty box.
func EmptyOut() Action {
	return func(s *Scene) {
		s.Container.EmptyOutAt = s.At
		s.milestone("empty_out", s.Shipment.PortOfLading)
	}
}

// FullIn means that the loaded box is at the port of lading.
func FullIn() Action {
	return func(s *Scene) {
		s.Container.POLFullInAt = s.At
		s.milestone("full_in", s.Shipment.PortOfLading)
	}
}

// Loaded means that the box is on the ship.
func Loaded() Action {
	return func(s *Scene) {
		s.Container.POLLoadedAt, s.Container.CurrentStatus = s.At, "on_ship"
		s.onBoard("vessel_loaded", s.Shipment.PortOfLading, "")
	}
}

// Departed means that the ship has left the port of lading and is expected at the port of discharge after the sailing time.
func Departed(sailing time.Duration) Action {
	return func(s *Scene) {
		s.Container.POLDepartedAt, s.Container.CurrentStatus = s.At, "on_ship"
		s.Shipment.POLATDAt = s.At
		s.onBoard("vessel_departed", s.Shipment.PortOfLading, "")
		PODETA(sailing)(s)
	}
}

// PODETA means that the ship is now expected at the port of discharge after d. The first one is kept as the original.
func PODETA(d time.Duration) Action {
	return func(s *Scene) {
		s.Shipment.PODETAAt = s.At.Add(d)
		if s.Shipment.PODOriginalETAAt.IsZero() {
			s.Shipment.PODOriginalETAAt = s.Shipment.PODETAAt
		}
		s.Event(TransportEvent{
			Event: "container.transport.estimated.vessel_arrived", At: s.Shipment.PODETAAt, Location: s.Shipment.PortOfDischarge,
			Vessel: s.Shipment.Vessel, Voyage: s.Shipment.VoyageNumber,
		})
	}
}

// Arrived means that the ship is at the port of discharge.
func Arrived() Action {
	return func(s *Scene) {
		s.Container.PODArrivedAt = s.At
		s.Shipment.PODATAAt, s.Shipment.PODETAAt = s.At, time.Time{}
		s.onBoard("vessel_arrived", s.Shipment.PortOfDischarge, s.world.podTerminal(s.Container))
		s.giveUpLater("past_arrival_window")
	}
}

// Discharged means that the box is ashore, in the given spot of the yard.
func Discharged(spot string) Action {
	return func(s *Scene) {
		s.Container.PODDischargedAt, s.Container.Location = s.At, spot
		s.Container.CurrentStatus = "grounded"
		if s.world.inland(s.Shipment) {
			s.Container.CurrentStatus = "awaiting_inland_transfer"
		}
		s.onBoard("vessel_discharged", s.Shipment.PortOfDischarge, s.world.podTerminal(s.Container))
	}
}

// Available means that the terminal says whether the box can be picked up.
func Available(yes bool) Action {
	return func(s *Scene) {
		s.Container.AvailabilityKnown, s.Container.AvailableForPickup = true, Bool(yes)
		name, status := "available", "available"
		if !yes {
			name, status = "not_available", "not_available"
		}
		s.Container.CurrentStatus = status
		s.atPickup("container.transport."+name, "")
	}
}

// HoldPlaced means that a hold is placed, or one of that name changes: a pending hold becomes active this way.
func HoldPlaced(h Hold) Action {
	return func(s *Scene) {
		s.Container.Holds = put(s.Container.Holds, h, func(other Hold) bool { return other.Name == h.Name })
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
		s.Container.Fees = put(s.Container.Fees, f, func(other Fee) bool { return other.Type == f.Type })
	}
}

// FeeGone means that the fee of that type is paid or waived.
func FeeGone(kind string) Action {
	return func(s *Scene) {
		s.Container.Fees = slices.DeleteFunc(s.Container.Fees, func(f Fee) bool { return f.Type == kind })
	}
}

// put replaces the item that matches, or appends.
func put[T any](list []T, item T, same func(T) bool) []T {
	if i := slices.IndexFunc(list, same); i >= 0 {
		list[i] = item
		return list
	}
	return append(list, item)
}

// FeeAccrues means that f's amount is due at once and again every day until the box is picked up.
func FeeAccrues(f Fee) Action {
	return func(s *Scene) { s.accrue(f, s.At, s.seen) }
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
		c.looked(seen)
	}
	s.world.plan(at.Add(day24), func(at time.Time) {
		seen := latest(at, seen)
		s.world.watched(s.Shipment, c, seen, func() { s.accrue(f, at, seen) })
	})
}

// LFD means that source ("terminal", "line" or "rail") sets the last free day to so many calendar days from now at the place of
// pickup. It goes out as the start of that day there.
func LFD(source string, days int) Action {
	return func(s *Scene) {
		day := s.midnight(days)
		before := s.Container.Deadlines.LFD()
		switch source {
		case "line":
			s.Container.Deadlines.Line = day
		case "rail":
			s.Container.Deadlines.Rail = day
		default:
			source, s.Container.Deadlines.Terminal = "terminal", day
		}
		s.atPickup("container.pickup_lfd_"+source+".changed", day.Format(time.RFC3339))
		if now := s.Container.Deadlines.LFD(); !now.Equal(before) {
			s.atPickup("container.pickup_lfd.changed", now.Format(time.RFC3339))
		}
	}
}

// midnight is when the day begins that is so many days ahead at the place of pickup.
func (s *Scene) midnight(days int) time.Time {
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
		s.atPickup("container.pickup_appointment.changed", s.Container.PickupAppointmentAt.Format(time.RFC3339))
	}
}

// atPickup is an event the terminal or ramp reports.
func (s *Scene) atPickup(event, value string) {
	facility := s.world.pickupFacility(s.Container)
	s.Event(TransportEvent{
		Event: event, Location: s.world.terminalPlace(facility).ref.id, Terminal: facility, DataSource: "terminal", Value: value,
	})
}

// FullOut means that the importer has the box, on the given chassis. Deadlines and holds are shown no longer.
func FullOut(chassis string) Action {
	return func(s *Scene) {
		c := s.Container
		if s.world.inland(s.Shipment) {
			c.FinalDestinationFullOutAt = s.At
		} else {
			c.PODFullOutAt, c.Chassis = s.At, chassis
		}
		c.CurrentStatus, c.AvailableForPickup = "picked_up", Bool(false)
		c.Holds, c.Deadlines = []Hold{}, Deadlines{}
		s.atPickup("container.transport.full_out", "")
		s.giveUpLater("past_full_out_window")
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
		s.world.stop(s.Shipment, s.seen, "all_containers_terminated", "")
	}
}

// TrackingStopped means that the service stops asking the carrier, for the reason given as line_tracking_stopped_reason.
func TrackingStopped(reason string) Action {
	return func(s *Scene) { s.world.stop(s.Shipment, s.seen, reason, "") }
}

func (s *Scene) giveUpLater(reason string) {
	s.world.plan(s.At.Add(giveUp), func(at time.Time) {
		if reason == "past_full_out_window" || s.Container.PODFullOutAt.IsZero() && s.Container.FinalDestinationFullOutAt.IsZero() {
			s.world.stop(s.Shipment, latest(at, s.seen), reason, "")
		}
	})
}

// RailLoaded means that the box is on the train at the port. scac is the railroad's.
func RailLoaded(scac string) Action {
	return func(s *Scene) {
		s.Container.PODRailCarrierSCAC, s.Container.INDRailCarrierSCAC = scac, scac
		s.Container.PODRailLoadedAt, s.Container.CurrentStatus = s.At, "on_rail"
		s.rail("rail_loaded", s.Shipment.PortOfDischarge, time.Time{})
	}
}

// RailDeparted means that the train has left and is expected inland after d.
func RailDeparted(d time.Duration) Action {
	return func(s *Scene) {
		s.Container.PODRailDepartedAt, s.Container.CurrentStatus = s.At, "on_rail"
		s.Container.INDETAAt = s.At.Add(d)
		s.Shipment.DestinationETAAt = s.Container.INDETAAt
		s.Shipment.DestinationOriginalETAAt = cmp.Or(s.Shipment.DestinationOriginalETAAt, s.Container.INDETAAt)
		s.rail("rail_departed", s.Shipment.PortOfDischarge, time.Time{})
		s.rail("estimated.arrived_at_inland_destination", s.Shipment.Destination, s.Container.INDETAAt)
	}
}

// RailArrived means that the train is at the inland destination.
func RailArrived() Action {
	return func(s *Scene) {
		s.Container.INDATAAt, s.Container.INDETAAt = s.At, time.Time{}
		s.Shipment.DestinationATAAt, s.Shipment.DestinationETAAt = s.At, time.Time{}
		s.rail("rail_arrived", s.Shipment.Destination, time.Time{})
		s.rail("arrived_at_inland_destination", s.Shipment.Destination, time.Time{})
	}
}

// RailUnloaded means that the box is on the ground at the ramp.
func RailUnloaded() Action {
	return func(s *Scene) {
		s.Container.INDRailUnloadedAt, s.Container.CurrentStatus = s.At, "grounded"
		s.rail("rail_unloaded", s.Shipment.Destination, time.Time{})
	}
}

func (s *Scene) rail(name, location string, at time.Time) {
	s.Container.RailLastRequestAt = s.seen
	s.Event(TransportEvent{Event: "container.transport." + name, Location: location, At: at, DataSource: "rail"})
}
