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
	case !c.INDATA.IsZero(), !c.INDRailUnloadedAt.IsZero(), isInland(c, &of):
		return AtRamp
	}
	return portStage(c)
}

// isInland reports whether the container is at the inland destination of its shipment. Only the
// shipment or a transport event may have the arrival there.
func isInland(c *terminal49.Container, of *terminal49.Standing) bool {
	s, ok := c.Shipment.Value()
	if !ok || s == nil || of.BoundFor != (terminal49.VerdictPlace{}) || s.DestinationLOCODE == s.PortOfDischargeLOCODE {
		return false
	}
	at, ramp := of.Place, s.DestinationTerminal.ID()
	return at.LOCODE != "" && at.LOCODE == s.DestinationLOCODE || ramp != "" && at.TerminalID == ramp && ramp != c.PODTerminal.ID()
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
