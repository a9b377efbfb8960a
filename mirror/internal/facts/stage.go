package facts

import "github.com/go-freight/terminal49"

// The stages of a journey.
const (
	BeforeVoyage = "before_voyage"
	AtSea        = "at_sea"
	Arrived      = "arrived"
	AtPort       = "at_port"
	OnRail       = "on_rail"
	AtRamp       = "at_ramp"
	Out          = "out"
	Returned     = "returned"
	Unknown      = "unknown"
)

// StageOf returns the stage of a container, from its verdict at any time.
func StageOf(c *terminal49.Container, v *terminal49.Verdict) string {
	of := v.Standing()
	switch of.Situation {
	case terminal49.SituationReturned:
		return Returned
	case terminal49.SituationOut:
		return Out
	case terminal49.SituationOnRail:
		return OnRail
	case terminal49.SituationBeforeVoyage:
		return BeforeVoyage
	case terminal49.SituationAtSea:
		if hasArrived(c) {
			return Arrived
		}
		return AtSea
	case terminal49.SituationNotReleasedInland:
		return AtRamp
	case terminal49.SituationAwaitingTransfer:
		return portStage(c)
	}
	switch {
	case of.Place == terminal49.VerdictPlace{}:
		return Unknown
	case !c.INDATA.IsZero(), !c.INDRailUnloadedAt.IsZero(), isInland(c, of.Place):
		return AtRamp
	}
	return portStage(c)
}

// isInland reports whether a place is the inland destination of the shipment. Only the shipment or a
// transport event may have the arrival there.
func isInland(c *terminal49.Container, place terminal49.VerdictPlace) bool {
	s, ok := c.Shipment.Value()
	if !ok || s == nil || s.DestinationLOCODE == s.PortOfDischargeLOCODE {
		return false
	}
	ramp := s.DestinationTerminal.ID()
	return place.LOCODE != "" && place.LOCODE == s.DestinationLOCODE || ramp != "" && place.TerminalID == ramp && ramp != c.PODTerminal.ID()
}

// portStage returns the stage of a container that is at the port of discharge.
func portStage(c *terminal49.Container) string {
	if c.PODDischargedAt.IsZero() && c.PODRailLoadedAt.IsZero() && hasArrived(c) {
		return Arrived
	}
	return AtPort
}

// hasArrived reports whether the vessel's arrival at the port of discharge is reported.
func hasArrived(c *terminal49.Container) bool {
	s, ok := c.Shipment.Value()
	return !c.PODArrivedAt.IsZero() || ok && s != nil && !s.PODATA.IsZero()
}
