package terminal49test

import (
	"fmt"
	"time"
)

// variety returns a number that looks unrelated to the position.
func (y *synthetic) variety(i int) int { return int(uint32(i+1) * 2654435761 >> 7) }

// createdAt returns the creation time of a shipment: position 0 is the newest. Everything that
// follows from the creation happens before the start.
func (y *synthetic) createdAt(shipment int) time.Time {
	return y.start.Add(-20*day24 - time.Duration(shipment+1)*time.Minute)
}

// day is the day on which the shipment of a container was created; it was last polled 16 days
// later.
func (y *synthetic) day(container int) int {
	return int(y.createdAt(y.shipmentOf(container)).Unix() / (24 * 3600))
}

func (y *synthetic) shipment(i int) *Shipment {
	v, created := y.variety(i), y.createdAt(i)
	number := fmt.Sprintf("%09d", 100_000_000+i)
	s := &Shipment{
		ID: y.shipmentID(i), ShippingLine: y.lines[v%len(y.lines)], NormalizedNumber: number, CreatedAt: created,
		ReferenceNumbers: []string{"PO-" + number}, PortOfLading: y.from[v/5%4], PortOfDischarge: y.to[v/20%4], PODTerminal: y.terminals[v/20%4],
		PODVoyageNumber: fmt.Sprint(100+v%900, "E"), POLATD: created.Add(-day24), PODOriginalETA: created.Add(14 * day24),
		PODETA: created.Add(14*day24 + time.Duration(v%72)*time.Hour), LineTrackingLastAttemptedAt: created.Add(16 * day24), LineTrackingLastSucceededAt: created.Add(16 * day24),
	}
	s.BillOfLadingNumber = s.ShippingLine + number
	if v%3 > 0 {
		s.PODATA = s.PODOriginalETA.Add(day24)
	} else {
		s.PODETA = s.PODETA.Add(10 * day24)
	}
	return s
}

func (y *synthetic) container(i int) *Container {
	v, shipment := y.variety(i), y.shipmentOf(i)
	created := y.createdAt(shipment)
	c := &Container{
		ID: y.containerID(i), Number: ContainerNumber("SY"+string(rune('A'+i/1_000_000%26))+"U", i), Shipment: y.shipmentID(shipment),
		CreatedAt: created, EquipmentType: "dry", EquipmentLength: 20 + v%2*20, EquipmentHeight: "standard", WeightPounds: float64(20_000 + v%20_000),
		CurrentStatus: "on_ship", POLVesselLoadedAt: created.Add(-2 * day24), POLVesselDepartedAt: created.Add(-day24), LineLastRequestedAt: created.Add(16 * day24),
	}
	if y.variety(shipment)%3 == 0 {
		return c
	}
	c.PODArrivedAt = created.Add(15 * day24)
	c.PODDischargedAt, c.TerminalCheckedAt = c.PODArrivedAt.Add(12*time.Hour), c.PODArrivedAt.Add(13*time.Hour)
	c.CurrentStatus, c.AvailableForPickup = "available", Bool(v%4 > 0)
	c.ImportDeadlines.Terminal = c.PODArrivedAt.Truncate(day24).Add(5 * day24)
	if v%4 == 0 {
		c.CurrentStatus, c.Holds = "not_available", []Hold{{Name: "customs"}}
	}
	return c
}

// request returns the tracking request of a shipment.
func (y *synthetic) request(i int) *TrackingRequest {
	s := y.shipment(i)
	return &TrackingRequest{
		ID: y.requestID(i), RequestNumber: s.BillOfLadingNumber, RequestType: "bill_of_lading", SCAC: s.ShippingLine, Status: "created",
		ReferenceNumbers: s.ReferenceNumbers, CreatedAt: s.CreatedAt.Add(-5 * time.Second), UpdatedAt: s.CreatedAt, Shipment: s.ID,
	}
}

// event returns an event of a container as it is now; nil if it was removed.
func (y *synthetic) event(i int, now *Container) *TransportEvent {
	n := i / syntheticEvents
	c, s := y.container(n), y.shipment(y.shipmentOf(n))
	e := &TransportEvent{ID: y.eventID(i), DataSource: "shipping_line", Shipment: s.ID}
	if now != nil {
		e.Container, e.Shipment = now.ID, now.Shipment
	}
	name := ""
	at := func(what string, when time.Time, location string) {
		name, e.Timestamp, e.Location = what, when, location
	}
	loaded := c.POLVesselLoadedAt
	switch k := i % syntheticEvents; {
	case k == 0:
		at("empty_out", loaded.Add(-6*day24), s.PortOfLading)
	case k == 1:
		at("full_in", loaded.Add(-2*day24), s.PortOfLading)
	case k == 2:
		at("vessel_loaded", loaded, s.PortOfLading)
	case k == 3:
		at("vessel_departed", c.POLVesselDepartedAt, s.PortOfLading)
	case s.PODATA.IsZero() && k == 4:
		at("estimated.vessel_arrived", s.PODOriginalETA, s.PortOfDischarge)
	case s.PODATA.IsZero():
		at("estimated.vessel_arrived", s.PODETA, s.PortOfDischarge)
	case k == 4:
		at("vessel_arrived", c.PODArrivedAt, s.PortOfDischarge)
		e.Terminal = s.PODTerminal
	default:
		at("vessel_discharged", c.PODDischargedAt, s.PortOfDischarge)
		e.Terminal = s.PODTerminal
	}
	e.Event, e.CreatedAt = "container.transport."+name, s.CreatedAt
	if e.Timestamp.After(s.CreatedAt) && !s.PODATA.IsZero() {
		e.CreatedAt = e.Timestamp
	}
	if i%syntheticEvents >= 2 {
		e.VoyageNumber = s.PODVoyageNumber
	}
	return e
}
