package terminal49test

import "time"

func days(n float64) time.Duration { return time.Duration(n * float64(day24)) }

// oceanSteps are the steps of every preset: from the shipper in Shanghai to the yard in Los Angeles
// on day 23.
func oceanSteps() []Step {
	return []Step{
		{After: 0, Do: EmptyOut()},
		{After: days(2), Do: FullIn()},
		{After: days(4), Do: VesselLoaded()},
		{After: days(5), Do: VesselDeparted(days(17.5))},
		{After: days(9), Do: Milestone("transshipment_arrived", "KRPUS")},
		{After: days(9.5), Do: Milestone("transshipment_discharged", "KRPUS")},
		{After: days(10.5), Do: Milestone("transshipment_loaded", "KRPUS")},
		{After: days(11), Do: Milestone("transshipment_departed", "KRPUS")},
		{After: days(12), Do: PODETA(days(10.75))},
		{After: days(22.75), Do: VesselArrived()},
		{After: days(23.25), Do: VesselDischarged("Y4-117-C")},
	}
}

func oceanJourney(underway float64, steps ...Step) Journey {
	return Journey{
		Shipment: Shipment{
			PortOfLading: "CNSHA", PortOfDischarge: "USLAX", Destination: "USLAX", PODTerminal: "WBCT",
			PODVessel: "9708851", PODVoyageNumber: "042E",
		},
		Elapsed: days(underway), Steps: append(oceanSteps(), steps...),
	}
}

// DefaultJourney is the journey of a number without a script. Tracking finds it on the vessel, on
// day 6 of 36. The rest happens as the simulated clock runs: arrival, discharge, a freight and a
// customs hold that are cleared, a last free day, availability, an appointment, accruing demurrage,
// pickup, and the return of the empty container, which ends tracking.
func DefaultJourney() Journey {
	return oceanJourney(6,
		Step{After: days(23.5), Do: HoldPlaced(Hold{Name: "customs", Status: "pending", Description: "CBP review expected"})},
		Step{After: days(23.5), Do: HoldPlaced(Hold{Name: "freight", Description: "FREIGHT RELEASE REQUIRED"})},
		Step{After: days(23.75), Do: Available(false)},
		Step{After: days(23.75), Do: PickupLFD("terminal", 5)},
		Step{After: days(24), Do: HoldPlaced(Hold{Name: "customs", Description: "CBP HOLD - DOCUMENT REVIEW"})},
		Step{After: days(25), Do: HoldCleared("customs")},
		Step{After: days(25.5), Do: HoldCleared("freight")},
		Step{After: days(25.75), Do: Available(true)},
		Step{After: days(26), Do: PickupAppointment(days(4))},
		Step{After: days(29.5), Do: FeeAccrues(Fee{Type: "demurrage", Amount: 185})},
		Step{After: days(31), Do: FeeCleared("demurrage")},
		Step{After: days(31), Do: FullOut("TSXZ412873")},
		Step{After: days(36), Do: EmptyIn()},
	)
}

// ReadyJourney is the journey of a container that is discharged and released, without holds and
// fees, three days before its last free day.
func ReadyJourney() Journey {
	return oceanJourney(24.5,
		Step{After: days(24), Do: Available(true)},
		Step{After: days(24), Do: PickupLFD("terminal", 3)},
	)
}

// CustomsHoldJourney is the journey of a container that is discharged and blocked: a customs hold
// is active, and an exam fee is posted without an amount.
func CustomsHoldJourney() Journey {
	return oceanJourney(24.5,
		Step{After: days(23.5), Do: HoldPlaced(Hold{Name: "customs", Description: "CBP INTENSIVE EXAM"})},
		Step{After: days(23.5), Do: FeePosted(Fee{Type: "exam", Amount: 0})},
		Step{After: days(24), Do: Available(false)},
		Step{After: days(24), Do: PickupLFD("terminal", 4)},
	)
}

// NotReleasedJourney is the journey of a container that is discharged, without holds, and not
// released by the terminal.
func NotReleasedJourney() Journey {
	return oceanJourney(24, Step{After: days(23.75), Do: Available(false)})
}

// DemurrageJourney is the journey of a container that is discharged and released, past its last
// free day. Demurrage grows by 185 USD a day, and the terminal also posts a total, which must not
// be added to it.
func DemurrageJourney() Journey {
	return oceanJourney(31.5,
		Step{After: days(24), Do: Available(true)},
		Step{After: days(24), Do: PickupLFD("terminal", 4)},
		Step{After: days(29), Do: FeeAccrues(Fee{Type: "demurrage", Amount: 185})},
		Step{After: days(29), Do: FeeAccrues(Fee{Type: "total", Amount: 185})},
	)
}

// OnShipJourney is the journey of a container at sea, eight days after departure. It arrives as the
// simulated clock runs, and is never picked up.
func OnShipJourney() Journey { return oceanJourney(13) }

// RailJourney is the journey of a container that goes by rail to Chicago. Tracking finds it on the
// vessel. Port and ramp are in different time zones, and the last free day is the railroad's.
func RailJourney() Journey {
	j := oceanJourney(20,
		Step{After: days(25), Do: RailLoaded("BNSF")},
		Step{After: days(25.5), Do: RailDeparted(days(4))},
		Step{After: days(29.5), Do: RailArrived()},
		Step{After: days(29.75), Do: RailUnloaded()},
		Step{After: days(30), Do: Available(true)},
		Step{After: days(30), Do: PickupLFD("rail", 2)},
		Step{After: days(31), Do: FullOut("")},
		Step{After: days(34), Do: EmptyIn()},
	)
	j.Shipment.Destination, j.Shipment.DestinationTerminal = "USCHI", "BNSF LPC"
	return j
}
