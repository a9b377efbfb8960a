package terminal49test

import (
	"cmp"
	"time"
)

const day24 = 24 * time.Hour

// trackingWindow is how long the service continues polling after arrival or pickup.
const trackingWindow = 56 * day24

// Event adds a transport event to the container, and a raw event where carriers report one. The
// container, the shipment and CreatedAt are always set; At defaults to the time of the step.
func (s *ActionContext) Event(e TransportEvent) {
	e.Container, e.Shipment = s.Container.ID, s.Shipment.ID
	if e.Timestamp.IsZero() {
		e.Timestamp = s.At
	}
	e.CreatedAt = s.reportedAt
	if raw := rawEventName(e.Event); raw != "" {
		e.SourceEvent = s.world.addRawEvent(RawEvent{
			Event: raw, OriginalEvent: originalEventText(raw), Container: e.Container, Timestamp: e.Timestamp, CreatedAt: s.reportedAt,
			Location: e.Location, Terminal: e.Terminal, Vessel: e.Vessel, VoyageNumber: e.VoyageNumber,
		})
	}
	s.world.addEvent(e)
}

func (s *ActionContext) milestone(name, location string) {
	s.Event(TransportEvent{Event: "container.transport." + name, Location: location})
}

// vesselMilestone adds an event that names the shipment's vessel and voyage.
func (s *ActionContext) vesselMilestone(name, location, terminal string) {
	s.Event(TransportEvent{
		Event: "container.transport." + name, Location: location, Terminal: terminal,
		Vessel: s.Shipment.PODVessel, VoyageNumber: s.Shipment.PODVoyageNumber,
	})
}

// Milestone adds an event such as "transshipment_arrived" at a place and changes nothing else.
// location is an id or a UN/LOCODE.
func Milestone(name, location string) Action { return Action{milestone{name, location}} }

type milestone struct {
	Name     string `json:"name"`
	Location string `json:"location,omitzero"`
}

func (a milestone) run(s *ActionContext) { s.milestone(a.Name, a.Location) }

// SetAttribute makes the server send a value for an attribute of the container, such as
// release_statuses, whatever the fields of [Container] say; see Attributes in the package
// documentation.
func SetAttribute(name string, value any) Action { return Action{setAttribute{name, value}} }

type setAttribute struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

func (a setAttribute) run(s *ActionContext) {
	if s.Container.Attributes == nil {
		s.Container.Attributes = map[string]any{}
	}
	s.Container.Attributes[a.Name] = a.Value
}

// Status sets current_status and nothing else, so that it can contradict the other attributes.
func Status(status string) Action { return Action{setStatus{status}} }

type setStatus struct {
	Status string `json:"status"`
}

func (a setStatus) run(s *ActionContext) { s.Container.CurrentStatus = a.Status }

// EmptyOut records that the shipper picked up the empty container, at the port of lading.
func EmptyOut() Action { return EmptyOutAt("") }

// EmptyOutAt is EmptyOut at another place, such as an inland depot; its event has the time zone of
// that place. location is an id or a UN/LOCODE; "" means the port of lading.
func EmptyOutAt(location string) Action { return Action{emptyOut{location}} }

type emptyOut struct {
	Location string `json:"location,omitzero"`
}

func (a emptyOut) run(s *ActionContext) {
	s.Container.EmptyOutAt = s.At
	s.milestone("empty_out", cmp.Or(a.Location, s.Shipment.PortOfLading))
}

// FullIn records that the full container entered the port of lading.
func FullIn() Action { return FullInAt("") }

// FullInAt is FullIn at another place, like EmptyOutAt.
func FullInAt(location string) Action { return Action{fullIn{location}} }

type fullIn struct {
	Location string `json:"location,omitzero"`
}

func (a fullIn) run(s *ActionContext) {
	s.Container.POLFullInAt = s.At
	s.milestone("full_in", cmp.Or(a.Location, s.Shipment.PortOfLading))
}

// VesselLoaded records that the container was loaded onto the vessel.
func VesselLoaded() Action { return Action{vesselLoaded{}} }

type vesselLoaded struct{}

func (vesselLoaded) run(s *ActionContext) {
	s.Container.POLVesselLoadedAt, s.Container.CurrentStatus = s.At, "on_ship"
	s.vesselMilestone("vessel_loaded", s.Shipment.PortOfLading, "")
}

// VesselDeparted records that the vessel left the port of lading and sets the ETA at the port of
// discharge to the given duration later.
func VesselDeparted(sailing time.Duration) Action { return Action{vesselDeparted{sailing}} }

type vesselDeparted struct {
	Sailing time.Duration `json:"sailing"`
}

func (a vesselDeparted) run(s *ActionContext) {
	s.Container.POLVesselDepartedAt, s.Container.CurrentStatus = s.At, "on_ship"
	s.Shipment.POLATD = s.At
	s.vesselMilestone("vessel_departed", s.Shipment.PortOfLading, "")
	podETA{a.Sailing}.run(s)
}

// PODETA sets the ETA at the port of discharge to the given duration after the step. The first ETA
// is kept as the original one.
func PODETA(in time.Duration) Action { return Action{podETA{in}} }

type podETA struct {
	In time.Duration `json:"in"`
}

func (a podETA) run(s *ActionContext) {
	s.Shipment.PODETA = s.At.Add(a.In)
	if s.Shipment.PODOriginalETA.IsZero() {
		s.Shipment.PODOriginalETA = s.Shipment.PODETA
	}
	s.Event(TransportEvent{
		Event: "container.transport.estimated.vessel_arrived", Timestamp: s.Shipment.PODETA, Location: s.Shipment.PortOfDischarge,
		Vessel: s.Shipment.PODVessel, VoyageNumber: s.Shipment.PODVoyageNumber,
	})
}

// PODVessel names another vessel that is to arrive at the port of discharge, such as that of a
// container that was left behind. vessel is an id or an IMO number. [PODETA] sets the new arrival.
func PODVessel(vessel, voyage string) Action { return Action{podVessel{vessel, voyage}} }

type podVessel struct {
	Vessel string `json:"vessel"`
	Voyage string `json:"voyage,omitzero"`
}

func (a podVessel) run(s *ActionContext) {
	s.Shipment.PODVessel, s.Shipment.PODVoyageNumber = a.Vessel, a.Voyage
}

// VesselArrived records that the vessel arrived at the port of discharge.
func VesselArrived() Action { return Action{vesselArrived{}} }

type vesselArrived struct{}

func (vesselArrived) run(s *ActionContext) {
	s.Container.PODArrivedAt = s.At
	s.Shipment.PODATA, s.Shipment.PODETA = s.At, time.Time{}
	s.vesselMilestone("vessel_arrived", s.Shipment.PortOfDischarge, s.world.podTerminal(s.Container))
	s.stopAfterWindow("past_arrival_window")
}

// VesselDischarged records that the container was discharged to the given yard location. Until
// Available the terminal has not reported: available_for_pickup is sent as false, but that does not
// mean that the container is held back.
func VesselDischarged(spot string) Action { return Action{vesselDischarged{spot}} }

type vesselDischarged struct {
	Spot string `json:"spot,omitzero"`
}

func (a vesselDischarged) run(s *ActionContext) {
	s.Container.PODDischargedAt, s.Container.LocationAtPODTerminal = s.At, a.Spot
	s.Container.CurrentStatus = "grounded"
	if !s.Container.isAvailabilityKnown() {
		s.Container.AvailabilityKnown, s.Container.AvailableForPickup = Bool(false), Bool(false)
	}
	if s.world.isInland(s.Shipment) {
		s.Container.CurrentStatus = "awaiting_inland_transfer"
	}
	s.vesselMilestone("vessel_discharged", s.Shipment.PortOfDischarge, s.world.podTerminal(s.Container))
}

// TrackingStopped stops the tracking of the shipment. reason is its line_tracking_stopped_reason.
func TrackingStopped(reason string) Action { return Action{trackingStopped{reason}} }

type trackingStopped struct {
	Reason string `json:"reason"`
}

func (a trackingStopped) run(s *ActionContext) {
	s.world.stopTracking(s.Shipment, s.reportedAt, a.Reason, "")
}

func (s *ActionContext) stopAfterWindow(reason string) {
	s.world.Plan(s.At.Add(trackingWindow), closeWindow{s.Shipment.ID, s.Container.ID, reason, s.reportedAt})
}
