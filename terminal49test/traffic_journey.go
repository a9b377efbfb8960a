package terminal49test

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// booking is a number that SeedTraffic tracks, on a voyage of a service.
type booking struct {
	liner
	number, customer, broker, vessel, voyage string
	requested, departs                       time.Time
	delay                                    time.Duration // of the arrival
	containers                               []Container
	steps                                    []Step
	begin                                    time.Time // of the journey
}

// book draws the booking with the i-th number. It was requested a few days before or after the
// departure.
func (t *traffic) book(i int, requested time.Time, draw portableRand) *booking {
	n := draw.IntN(len(t.services))
	b := &booking{
		liner: t.services[n], requested: requested, customer: t.customers[draw.IntN(len(t.customers))],
		broker: t.brokers[draw.IntN(len(t.brokers))],
	}
	const week = 7 * day24
	first := time.Unix(0, 0).UTC().Add(time.Duration(n*31) * time.Hour)
	voyage := max(int(requested.Add(hours(draw, 9*24)-4*day24).Sub(first)/week), 0)
	b.departs = first.Add(time.Duration(voyage) * week)
	b.begin = b.departs.Add(-9 * day24)
	b.vessel, b.voyage = t.vessels[n*vesselsPerService+voyage%vesselsPerService], fmt.Sprintf("%03dE", voyage%1000)
	late := t.random("delay/"+b.line, voyage) // the same for everything on the voyage
	b.delay = hours(late, []float64{6, 12, 12, 48, 72, 144}[late.IntN(6)])
	b.number = fmt.Sprintf("%s%09d", b.line, 240_000_000+i)
	owner := "TGHU"
	if l := t.w.line(b.line); l != nil && len(l.ContainerPrefixes) > 0 {
		owner = l.ContainerPrefixes[i%len(l.ContainerPrefixes)]
	}
	for c := range []int{1, 2, 2, 3, 3, 3, 4}[draw.IntN(7)] {
		length := 40 - draw.IntN(5)/4*20
		b.containers = append(b.containers, Container{
			Number: ContainerNumber(owner, 100_000+i*4+c), EquipmentType: "dry", EquipmentLength: length, EquipmentHeight: "high_cube",
			WeightPounds: float64(18_000 + draw.IntN(26_000)), SealNumber: fmt.Sprint("SL", 500_000+i*4+c),
		})
	}
	return b
}

// journey returns what tracking finds and the steps that follow.
func (b *booking) journey(draw portableRand) Journey {
	b.sail()
	for _, c := range b.containers {
		b.load(c.Number, draw)
		discharged := b.departs.Add(b.sailing + b.delay + 5*time.Hour + hours(draw, 24))
		b.add(discharged, c.Number, VesselDischarged(fmt.Sprintf("%c%d-%03d", 'A'+draw.IntN(8), 1+draw.IntN(6), draw.IntN(400))))
		if b.inland == "" {
			b.pickUpAtPort(c.Number, discharged, draw)
		} else {
			b.goByRail(c.Number, discharged, draw)
		}
	}
	b.addPaper(draw)
	slices.SortStableFunc(b.steps, func(x, y Step) int { return cmp.Compare(x.After, y.After) })
	return Journey{
		Shipment: Shipment{
			PortOfLading: b.from, PortOfDischarge: b.to, PODTerminal: b.terminal, Destination: cmp.Or(b.inland, b.to), DestinationTerminal: b.ramp,
			PODVessel: b.vessel, PODVoyageNumber: b.voyage,
		},
		Containers: b.containers, Elapsed: b.requested.Add(5 * time.Second).Sub(b.begin), Steps: b.steps, TrackingDelay: 5 * time.Second,
	}
}

// add adds a step; container "" means all of them.
func (b *booking) add(at time.Time, container string, do Action) {
	b.steps = append(b.steps, Step{After: at.Sub(b.begin), Container: container, Do: do})
}

// sail adds the voyage. The estimate follows the delay in two steps.
func (b *booking) sail() {
	b.add(b.departs, "", VesselDeparted(b.sailing))
	after := func(part float64) time.Time {
		return b.departs.Add(time.Duration(float64(b.sailing) * part).Truncate(time.Minute))
	}
	if b.via != "" {
		for i, what := range []string{"arrived", "discharged", "loaded", "departed"} {
			b.add(after(0.3+0.03*float64(i)), "", Milestone("transshipment_"+what, b.via))
		}
	}
	arrives := b.departs.Add(b.sailing + b.delay)
	if b.delay > 6*time.Hour {
		b.add(after(0.5), "", PODETA(b.departs.Add(b.sailing+b.delay/2).Sub(after(0.5))))
		b.add(after(0.8), "", PODETA(arrives.Sub(after(0.8))))
	}
	b.add(arrives, "", VesselArrived())
	b.add(arrives.Add(2*time.Hour), "", Milestone("vessel_berthed", b.to))
}

// load adds what happens before the departure.
func (b *booking) load(container string, draw portableRand) {
	b.add(b.departs.Add(hours(draw, 60)-8*day24), container, EmptyOut())
	b.add(b.departs.Add(hours(draw, 30)-3*day24), container, FullIn())
	b.add(b.departs.Add(hours(draw, 10)-20*time.Hour), container, VesselLoaded())
}

// pickUpAtPort adds holds, deadlines and fees until the empty container is returned.
func (b *booking) pickUpAtPort(container string, discharged time.Time, draw portableRand) {
	report := discharged.Add(3*time.Hour + hours(draw, 6))
	released := b.holdBack(container, report, draw)
	b.add(report, container, Available(released.Equal(report)))
	if released.After(report) {
		b.add(released, container, Available(true))
	}
	b.add(report, container, PickupLFD("terminal", 4+draw.IntN(2)))
	if draw.IntN(10) < 3 {
		b.add(report.Add(time.Hour), container, PickupLFD("line", 7))
	}
	if draw.IntN(7) == 0 {
		b.add(report.Add(30*time.Hour), container, PickupLFD("terminal", 5))
	}
	part := draw.Float64()
	pickup := released.Add(18*time.Hour + time.Duration(part*part*9*24*60)*time.Minute) // most soon, some late
	if draw.IntN(5) < 3 {
		b.add(released.Add(5*time.Hour), container, PickupAppointment(pickup.Sub(released.Add(5*time.Hour))))
	}
	if late := report.Add(6 * day24); late.Before(pickup) {
		fee := Fee{Type: "demurrage", Amount: float64(150 + 5*draw.IntN(30))}
		b.add(late, container, FeeAccrues(fee))
		if fee.Type = "total"; draw.IntN(3) == 0 {
			b.add(late, container, FeeAccrues(fee))
		}
	}
	b.returnEmpty(container, pickup, draw)
}

// holdBack adds holds and returns when the container is released.
func (b *booking) holdBack(container string, report time.Time, draw portableRand) (released time.Time) {
	released = report
	hold := func(percent int, placed time.Time, h Hold, most float64) bool {
		if draw.IntN(100) >= percent {
			return false
		}
		b.add(placed, container, HoldPlaced(h))
		cleared := report.Add(6*time.Hour + hours(draw, most))
		b.add(cleared, container, HoldCleared(h.Name))
		if cleared.After(released) {
			released = cleared.Add(time.Hour)
		}
		return true
	}
	arrives := b.departs.Add(b.sailing + b.delay)
	hold(18, arrives.Add(-2*day24), Hold{Name: "freight", Description: "FREIGHT RELEASE REQUIRED"}, 60)
	if hold(22, arrives.Add(-day24), Hold{Name: "customs", Status: "pending", Description: "CBP REVIEW EXPECTED"}, 84) {
		b.add(arrives.Add(3*time.Hour), container, HoldPlaced(Hold{Name: "customs", Description: "CBP HOLD"}))
		if draw.IntN(3) == 0 {
			b.add(report, container, FeePosted(Fee{Type: "exam"}))
			b.add(report.Add(4*time.Hour), container, FeePosted(Fee{Type: "exam", Amount: 350}))
		}
	}
	hold(4, report, Hold{Name: "USDA", Description: "USDA INSPECTION"}, 48)
	hold(3, report, Hold{Name: "TMF", Description: "TERMINAL MANAGEMENT FEE"}, 24)
	return released
}

// goByRail adds the train, and the pickup at the ramp.
func (b *booking) goByRail(container string, discharged time.Time, draw portableRand) {
	loaded := discharged.Add(day24 + hours(draw, 36))
	departed := loaded.Add(6*time.Hour + hours(draw, 12))
	transit := 4*day24 + hours(draw, 36)
	arrived := departed.Add(transit)
	b.add(loaded, container, RailLoaded("BNSF"))
	b.add(departed, container, RailDeparted(transit))
	b.add(arrived, container, RailArrived())
	b.add(arrived.Add(5*time.Hour), container, RailUnloaded())
	b.add(arrived.Add(7*time.Hour), container, Available(true))
	b.add(arrived.Add(7*time.Hour), container, PickupLFD("rail", 2))
	b.returnEmpty(container, arrived.Add(15*time.Hour+hours(draw, 48)), draw)
}

func (b *booking) returnEmpty(container string, pickup time.Time, draw portableRand) {
	for _, fee := range []string{"demurrage", "total", "exam"} {
		b.add(pickup, container, FeeCleared(fee))
	}
	b.add(pickup, container, FullOut(fmt.Sprint("TSXZ", 400_000+draw.IntN(90_000))))
	b.add(pickup.Add(day24+hours(draw, 110)), container, EmptyIn())
}

// addPaper adds the parties and the documents.
func (b *booking) addPaper(draw portableRand) {
	first := b.containers[0].Number
	found := b.requested.Add(time.Minute)
	b.add(found, first, PartyAssigned("consignee", b.customer))
	b.add(found, first, PartyAssigned("customs_broker", b.broker))
	document := func(at time.Time, kind string) {
		name := fmt.Sprintf("%s_%s.pdf", kind, b.number)
		b.add(at, first, DocumentReceived(Document{FileName: name, FileContentType: "application/pdf", Content: []byte(name + "\n" + first)}))
	}
	if draw.IntN(5) < 2 {
		document(found.Add(hours(draw, 72)), "commercial_invoice")
	}
	if draw.IntN(5) < 3 {
		document(b.departs.Add(b.sailing+b.delay-2*day24-hours(draw, 24)), "arrival_notice")
	}
}
