package terminal49test

import (
	"time"
)

const day24 = 24 * time.Hour

// trackingWindow is how long the service keeps polling after arrival or pickup.
const trackingWindow = 56 * day24

// Event adds a transport event to the container, and a raw event where carriers report one. The
// container, the shipment and CreatedAt are always set; At defaults to the time of the step.
func (s *Scene) Event(e TransportEvent) {
	e.Container, e.Shipment = s.Container.ID, s.Shipment.ID
	if e.At.IsZero() {
		e.At = s.At
	}
	e.CreatedAt = s.reportedAt
	if raw := rawEventName(e.Event); raw != "" {
		e.SourceEvent = s.world.addRawEvent(RawEvent{
			Event: raw, OriginalEvent: originalEventText(raw), Container: e.Container, At: e.At, CreatedAt: s.reportedAt,
			Location: e.Location, Terminal: e.Terminal, Vessel: e.Vessel, Voyage: e.Voyage,
		})
	}
	s.world.addEvent(e)
}

func (s *Scene) milestone(name, location string) {
	s.Event(TransportEvent{Event: "container.transport." + name, Location: location})
}

// vesselMilestone adds an event that names the shipment's vessel and voyage.
func (s *Scene) vesselMilestone(name, location, terminal string) {
	s.Event(TransportEvent{
		Event: "container.transport." + name, Location: location, Terminal: terminal,
		Vessel: s.Shipment.Vessel, Voyage: s.Shipment.VoyageNumber,
	})
}

// Milestone adds an event such as "transshipment_arrived" at a place and changes nothing else.
// location is an id or a UN/LOCODE.
func Milestone(name, location string) Action {
	return func(s *Scene) { s.milestone(name, location) }
}

// EmptyOut records that the shipper picked up the empty container.
func EmptyOut() Action {
	return func(s *Scene) {
		s.Container.EmptyOutAt = s.At
		s.milestone("empty_out", s.Shipment.PortOfLading)
	}
}

// FullIn records that the full container entered the port of lading.
func FullIn() Action {
	return func(s *Scene) {
		s.Container.POLFullInAt = s.At
		s.milestone("full_in", s.Shipment.PortOfLading)
	}
}

// Loaded records that the container was loaded onto the vessel.
func Loaded() Action {
	return func(s *Scene) {
		s.Container.POLLoadedAt, s.Container.CurrentStatus = s.At, "on_ship"
		s.vesselMilestone("vessel_loaded", s.Shipment.PortOfLading, "")
	}
}

// Departed records that the vessel left the port of lading and sets the ETA at the port of
// discharge to the given duration later.
func Departed(sailing time.Duration) Action {
	return func(s *Scene) {
		s.Container.POLDepartedAt, s.Container.CurrentStatus = s.At, "on_ship"
		s.Shipment.POLATDAt = s.At
		s.vesselMilestone("vessel_departed", s.Shipment.PortOfLading, "")
		PODETA(sailing)(s)
	}
}

// PODETA sets the ETA at the port of discharge to d after the step. The first ETA is kept as the
// original one.
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

// Arrived records that the vessel arrived at the port of discharge.
func Arrived() Action {
	return func(s *Scene) {
		s.Container.PODArrivedAt = s.At
		s.Shipment.PODATAAt, s.Shipment.PODETAAt = s.At, time.Time{}
		s.vesselMilestone("vessel_arrived", s.Shipment.PortOfDischarge, s.world.podTerminal(s.Container))
		s.stopAfterWindow("past_arrival_window")
	}
}

// Discharged records that the container was discharged to the given yard location.
func Discharged(spot string) Action {
	return func(s *Scene) {
		s.Container.PODDischargedAt, s.Container.Location = s.At, spot
		s.Container.CurrentStatus = "grounded"
		if s.world.isInland(s.Shipment) {
			s.Container.CurrentStatus = "awaiting_inland_transfer"
		}
		s.vesselMilestone("vessel_discharged", s.Shipment.PortOfDischarge, s.world.podTerminal(s.Container))
	}
}

// TrackingStopped stops the tracking of the shipment. reason is its line_tracking_stopped_reason.
func TrackingStopped(reason string) Action {
	return func(s *Scene) { s.world.stopTracking(s.Shipment, s.reportedAt, reason, "") }
}

func (s *Scene) stopAfterWindow(reason string) {
	s.world.plan(s.At.Add(trackingWindow), func(at time.Time) {
		if reason == "past_full_out_window" || s.Container.PODFullOutAt.IsZero() && s.Container.FinalDestinationFullOutAt.IsZero() {
			s.world.stopTracking(s.Shipment, laterOf(at, s.reportedAt), reason, "")
		}
	})
}
