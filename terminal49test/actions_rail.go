package terminal49test

import (
	"cmp"
	"time"
)

// RailLoaded records that the container was loaded onto a train at the port. scac is the railroad's
// code.
func RailLoaded(scac string) Action { return Action{railLoaded{scac}} }

type railLoaded struct {
	SCAC string `json:"scac"`
}

func (a railLoaded) run(s *ActionContext) {
	s.Container.PODRailCarrierSCAC, s.Container.INDRailCarrierSCAC = a.SCAC, a.SCAC
	s.Container.PODRailLoadedAt, s.Container.CurrentStatus = s.At, "on_rail"
	s.railEvent("rail_loaded", s.Shipment.PortOfDischarge, time.Time{})
}

// PODFullOut records when the container left the port on its way inland. The service reports it
// while the container is on the train, and it is not the pickup: that is [FullOut], at the ramp.
func PODFullOut() Action { return Action{podFullOut{}} }

type podFullOut struct{}

func (podFullOut) run(s *ActionContext) { s.Container.PODFullOutAt = s.At }

// RailDeparted records that the train left and sets the inland ETA to the given duration after the
// step.
func RailDeparted(transit time.Duration) Action { return Action{railDeparted{transit}} }

type railDeparted struct {
	Transit time.Duration `json:"transit"`
}

func (a railDeparted) run(s *ActionContext) {
	s.Container.PODRailDepartedAt, s.Container.CurrentStatus = s.At, "on_rail"
	s.Container.INDETA = s.At.Add(a.Transit)
	s.Shipment.DestinationETA = s.Container.INDETA
	s.Shipment.DestinationOriginalETA = cmp.Or(s.Shipment.DestinationOriginalETA, s.Container.INDETA)
	s.railEvent("rail_departed", s.Shipment.PortOfDischarge, time.Time{})
	s.railEvent("estimated.arrived_at_inland_destination", s.Shipment.Destination, s.Container.INDETA)
}

// RailArrived records that the train arrived at the inland destination.
func RailArrived() Action { return Action{railArrived{}} }

type railArrived struct{}

func (railArrived) run(s *ActionContext) {
	s.Container.INDATA, s.Container.INDETA = s.At, time.Time{}
	s.Shipment.DestinationATA, s.Shipment.DestinationETA = s.At, time.Time{}
	s.railEvent("rail_arrived", s.Shipment.Destination, time.Time{})
	s.railEvent("arrived_at_inland_destination", s.Shipment.Destination, time.Time{})
}

// RailUnloaded records that the container was unloaded at the ramp.
func RailUnloaded() Action { return Action{railUnloaded{}} }

type railUnloaded struct{}

func (railUnloaded) run(s *ActionContext) {
	s.Container.INDRailUnloadedAt, s.Container.CurrentStatus = s.At, "grounded"
	s.railEvent("rail_unloaded", s.Shipment.Destination, time.Time{})
}

func (s *ActionContext) railEvent(name, location string, at time.Time) {
	s.Container.RailLastRequestedAt = s.reportedAt
	s.Event(TransportEvent{Event: "container.transport." + name, Location: location, Timestamp: at, DataSource: "rail"})
}
