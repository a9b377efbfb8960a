package questions

import "github.com/go-freight/terminal49"

// Where a container is by docs/rules.md: what follows from the verdict.

// stageBy is where the container is. By the rules, it is on rail once it is loaded on a train, and
// at the ramp if its shipment has arrived there, and nothing is known where facts contradict.
func (b *box) stageBy(r rules) string {
	if r == written {
		return b.stage()
	}
	arrived := stages[6]
	if !b.raw.PODArrivedAt.IsZero() || !b.s.PODATA.IsZero() {
		arrived = stages[5]
	}
	v := b.verdict
	switch v.Situation {
	case terminal49.SituationReturned:
		return stages[0]
	case terminal49.SituationOut:
		return stages[1]
	case terminal49.SituationOnRail:
		return stages[3]
	case terminal49.SituationAtSea:
		return arrived
	case terminal49.SituationBeforeVoyage:
		return stages[7]
	}
	switch {
	case v.Place == terminal49.VerdictPlace{}:
		return unknown
	case v.BoundFor == terminal49.VerdictPlace{} && v.Place.LOCODE == b.s.DestinationLOCODE && b.s.DestinationLOCODE != b.port():
		return stages[2]
	case b.raw.PODDischargedAt.IsZero() && arrived == stages[5]:
		return arrived
	}
	return stages[4]
}

// waits is whether the container waits for its pickup. By the rules, it is off the ship, and at its
// place of pickup.
func (b *box) waits(r rules) bool {
	if r == written {
		return b.waiting()
	}
	here := b.stageBy(r) == stages[2] || b.stageBy(r) == stages[4]
	return here && b.verdict.Situation != terminal49.SituationAwaitingTransfer
}

// isOnGround is whether the container is at the terminal of the port.
func (b *box) isOnGround(r rules) bool {
	if r == written {
		return b.onGround()
	}
	return b.stageBy(r) == stages[4]
}

// atRamp is when the container arrived inland.
func (b *box) atRamp(r rules) string {
	at := b.raw.INDATA
	if ata, _ := b.s.DestinationATA.Instant(); r == ruled && at.IsZero() {
		at = ata
	}
	return local(at, b.zone())
}

// byRule names a situation of docs/rules.md with the words of the definitions.
func byRule(situation string) string {
	switch situation {
	case "returned":
		return "empty returned"
	case "out":
		return "picked up"
	case "on_rail", "awaiting_transfer":
		return "not at the ramp yet"
	case "at_sea", "before_voyage":
		return "not discharged yet"
	case "held":
		return "no, on hold"
	case "not_released", "not_released_inland":
		return "no, not available"
	case "ready", "pay_first":
		return "yes"
	}
	return unknown
}
