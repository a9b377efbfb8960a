package questions

import (
	"fmt"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// A case is a shipment that the questions need and that the traffic may not have.
type sim = terminal49test.Container

// ship adds a shipment on its way to Los Angeles.
func (w *world) ship(number string, change func(*terminal49test.Shipment)) string {
	s := terminal49test.Shipment{
		BillOfLadingNumber: number, ShippingLine: "MAEU", PortOfLading: "CNSHA", PortOfDischarge: "USLAX", Destination: "USLAX", PODTerminal: "APMT LA",
		POLATD: now.Add(-24 * day), PODETA: now.Add(-6 * day), PODOriginalETA: now.Add(-6 * day), PODVoyageNumber: "117E",
		CreatedAt: begin.Add(-20 * day), LineTrackingLastSucceededAt: begin,
	}
	if change != nil {
		change(&s)
	}
	return w.srv.AddShipment(s)
}

// box adds a container, for a case with a name.
func (w *world) box(name, shipment string, change func(*sim)) string {
	c := sim{Number: terminal49test.ContainerNumber("TCNU", 200_000+len(w.cases)), Shipment: shipment, EquipmentType: "dry", EquipmentLength: 40,
		EquipmentHeight: "standard", WeightPounds: 41_337, CreatedAt: begin.Add(-20 * day), POLVesselDepartedAt: now.Add(-24 * day)}
	if change != nil {
		change(&c)
	}
	id := w.srv.AddContainer(c)
	w.cases[name] = id
	return id
}

func (w *world) update(name string, change func(*sim)) func() {
	return func() { w.srv.UpdateContainer(w.cases[name], change) }
}

// landed adds a shipment that has arrived, with a container at the terminal that is not released.
func (w *world) landed(name string, change func(*sim)) string {
	shipment := w.ship(fmt.Sprintf("MAEU7%08d", len(w.cases)), func(s *terminal49test.Shipment) { s.PODATA, s.PODETA = now.Add(-20*day), time.Time{} })
	return w.box(name, shipment, func(c *sim) {
		c.PODArrivedAt, c.PODDischargedAt, c.TerminalCheckedAt = now.Add(-20*day), now.Add(-19*day), begin
		c.AvailabilityKnown, c.AvailableForPickup, c.CurrentStatus = terminal49test.Bool(true), terminal49test.Bool(false), "not_available"
		c.ImportDeadlines.Terminal = midnightLA(now.Add(4 * day))
		change(c)
	})
}

func midnightLA(t time.Time) time.Time {
	zone, _ := time.LoadLocation("America/Los_Angeles")
	y, m, d := t.In(zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, zone).UTC()
}

var customs = terminal49test.Hold{Name: "customs", Status: "hold", Description: "CBP HOLD"}
var freight = terminal49test.Hold{Name: "freight", Status: "hold", Description: "FREIGHT RELEASE REQUIRED"}

func holds(all ...terminal49test.Hold) func(*sim) { return func(c *sim) { c.Holds = all } }
func fees(all ...terminal49test.Fee) func(*sim)   { return func(c *sim) { c.Fees = all } }

func (w *world) addCases() {
	w.addHoldCases()
	w.addFeeCases()
	w.addVoyageCases()
	w.addBookings()
	w.addRail()
	w.addEquipment()
	w.landed("lfd moved", func(c *sim) { c.ImportDeadlines.Terminal = midnightLA(now.Add(-day)) })
	w.on(5*day/2, w.update("lfd moved", func(c *sim) { c.ImportDeadlines.Terminal = midnightLA(now.Add(2 * day)) }))
	w.landed("two days", func(c *sim) {
		c.ImportDeadlines.Line, c.PickupAppointmentAt = midnightLA(now.Add(6*day)), now.Add(5*day+10*time.Hour)
	})
	w.landed("appointed", func(c *sim) { c.PickupAppointmentAt = now.Add(2*day + 9*time.Hour) })
	w.landed("unknown", func(c *sim) {
		c.AvailabilityKnown, c.AvailableForPickup, c.CurrentStatus = terminal49test.Bool(false), nil, "grounded"
	})
	w.landed("old", func(c *sim) {
		c.AvailableForPickup, c.CurrentStatus, c.TerminalCheckedAt = terminal49test.Bool(true), "available", now.Add(-31*time.Hour)
	})
}

func (w *world) addHoldCases() {
	w.landed("two holds", holds(customs, terminal49test.Hold{Name: "freight", Status: "pending", Description: "LINE RELEASE EXPECTED"}))
	w.landed("customs cleared", holds(customs, freight))
	w.on(5*day+time.Hour, w.update("customs cleared", holds(freight)))
	w.landed("customs twice", holds())
	w.on(13*day, w.update("customs twice", holds(customs)))
	w.on(11*day, w.update("customs twice", holds()))
	w.on(9*day, w.update("customs twice", holds(customs, freight)))
	w.on(3*day, w.update("customs twice", holds(freight)))
	w.landed("available and held", holds(customs))
	w.on(30*time.Hour, w.update("available and held", func(c *sim) { c.AvailableForPickup, c.CurrentStatus = terminal49test.Bool(true), "available" }))
}

func (w *world) addFeeCases() {
	past := func(list ...terminal49test.Fee) func(*sim) {
		return func(c *sim) {
			c.AvailableForPickup, c.CurrentStatus, c.Fees = terminal49test.Bool(true), "available", list
			c.ImportDeadlines.Terminal = midnightLA(now.Add(-3 * day))
		}
	}
	w.landed("fees with a total", past(terminal49test.Fee{Type: "demurrage", Amount: 250.10}, terminal49test.Fee{Type: "exam", Amount: 49.90}, terminal49test.Fee{Type: "total", Amount: 300}))
	w.landed("only a total", past(terminal49test.Fee{Type: "total", Amount: 812.35}))
	w.landed("canadian", past(terminal49test.Fee{Type: "demurrage", Amount: 190, CurrencyCode: "CAD"}))
	w.landed("not posted", past(terminal49test.Fee{Type: "exam"}))
	w.landed("fees grow", past())
	for i, before := range []time.Duration{6*day + time.Hour, 5*day + time.Hour, 4*day + time.Hour, 2*day + time.Hour} {
		w.on(before, w.update("fees grow", fees(terminal49test.Fee{Type: "demurrage", Amount: 120 * float64(i+1)})))
	}
}

func (w *world) addVoyageCases() {
	sailing := func(name, number string, eta time.Duration, change func(*terminal49test.Shipment)) string {
		s := w.ship(number, func(s *terminal49test.Shipment) {
			s.POLATD, s.PODETA, s.PODOriginalETA = now.Add(-17*day), now.Add(eta), now.Add(eta)
			if change != nil {
				change(s)
			}
		})
		w.box(name, s, func(c *sim) { c.POLVesselDepartedAt = now.Add(-17 * day) })
		return s
	}
	moved := sailing("eta moved", "MAEU700000901", day, nil)
	for before, eta := range map[time.Duration]time.Duration{11 * day: 3 * day, 9 * day: 2 * day, 5*day + time.Hour: 5 * day, 2*day + time.Hour: 6*day + 5*time.Hour} {
		w.on(before, func() { w.srv.UpdateShipment(moved, func(s *terminal49test.Shipment) { s.PODETA = now.Add(eta) }) })
	}
	late := w.srv.AddParty(terminal49test.Party{CompanyName: "Juniper Lighting"})
	for i := range 3 {
		sailing(fmt.Sprint("late ", i), fmt.Sprintf("MAEU70000091%d", i), -time.Duration(20+i*7)*time.Hour, func(s *terminal49test.Shipment) { s.Customer = late })
	}
	for i := range 3 {
		s := w.ship(fmt.Sprintf("MAEU70000092%d", i), func(s *terminal49test.Shipment) {
			s.PODATA, s.PODETA = now.Add(-time.Duration(55+i*9)*time.Hour), time.Time{}
		})
		w.box(fmt.Sprint("arrived ", i), s, func(c *sim) { c.PODArrivedAt = now.Add(-time.Duration(55+i*9) * time.Hour) })
	}
	for i := range 2 {
		vessel := w.srv.AddVessel(terminal49test.Vessel{Name: "NORTHERN DAWN", IMO: "9800009"})
		other := w.srv.AddVessel(terminal49test.Vessel{Name: "SOUTHERN DUSK", IMO: "9800011"})
		s := w.ship(fmt.Sprintf("MAEU70000093%d", i), func(s *terminal49test.Shipment) {
			s.POLATD, s.PODETA, s.PODOriginalETA, s.PODVessel = time.Time{}, now.Add(20*day), now.Add(20*day), vessel
		})
		w.box(fmt.Sprint("rolled ", i), s, func(c *sim) { c.POLVesselDepartedAt, c.EmptyOutAt = time.Time{}, now.Add(-8*day) })
		w.on(time.Duration(4+i)*day+time.Hour, func() {
			w.srv.UpdateShipment(s, func(s *terminal49test.Shipment) {
				s.PODVessel, s.PODVoyageNumber, s.PODETA = other, "118E", s.PODETA.Add(7*day)
			})
		})
	}
	w.addTransshipment(sailing)
	old := w.ship("MAEU700000940", func(s *terminal49test.Shipment) {
		s.PODATA, s.PODETA, s.POLATD, s.CreatedAt = now.Add(-70*day), time.Time{}, now.Add(-90*day), now.Add(-95*day)
		s.LineTrackingStoppedAt, s.LineTrackingStoppedReason = begin.Add(-20*day), "all_containers_terminated"
	})
	w.box("old journey", old, func(c *sim) {
		c.PODArrivedAt, c.PODDischargedAt, c.PODFullOutAt, c.EmptyTerminatedAt = now.Add(-70*day), now.Add(-69*day), now.Add(-66*day), now.Add(-63*day)
		c.CreatedAt, c.POLVesselDepartedAt = now.Add(-95*day), now.Add(-90*day)
		c.Number, c.CurrentStatus = terminal49test.ContainerNumber("TCNU", 299_999), "empty_returned"
	})
	sailing("new journey", "MAEU700000941", 6*day, nil)
	w.srv.UpdateContainer(w.cases["new journey"], func(c *sim) { c.Number = terminal49test.ContainerNumber("TCNU", 299_999) })
	for i, customer := range []string{"Kestrel Paper", "Larch Bicycles", "Moss Ceramics"} {
		party := w.srv.AddParty(terminal49test.Party{CompanyName: customer})
		sailing(fmt.Sprint("shared ", i), fmt.Sprintf("MAEU70000095%d", i), time.Duration(3+i)*day, func(s *terminal49test.Shipment) {
			s.ReferenceNumbers, s.Customer = []string{"SO-5512"}, party
		})
	}
}

// addRail adds containers that go to Chicago by train: one on its way, and two at the ramp.
func (w *world) addRail() {
	id := w.ship("EGLV700000970", func(s *terminal49test.Shipment) {
		s.ShippingLine, s.Destination, s.DestinationTerminal, s.PODATA, s.PODETA = "EGLV", "USCHI", "BNSF LPC", now.Add(-9*day), time.Time{}
	})
	for i := range 3 {
		w.box(fmt.Sprint("rail ", i), id, func(c *sim) {
			c.PODArrivedAt, c.PODDischargedAt, c.TerminalCheckedAt = now.Add(-9*day), now.Add(-8*day), begin
			c.PODRailLoadedAt, c.PODRailDepartedAt, c.PODRailCarrierSCAC, c.INDRailCarrierSCAC = now.Add(-7*day), now.Add(-6*day), "BNSF", "BNSF"
			c.INDETA, c.CurrentStatus = now.Add(20*time.Hour), "on_rail"
			if i > 0 {
				c.INDATA, c.INDETA, c.ImportDeadlines.Rail = now.Add(-time.Duration(20+i*15)*time.Hour), time.Time{}, now.Add(time.Duration(i)*day)
				c.AvailabilityKnown, c.AvailableForPickup, c.CurrentStatus = terminal49test.Bool(true), terminal49test.Bool(true), "available"
			}
		})
	}
}

// addTransshipment adds a container that changed vessels in Singapore.
func (w *world) addTransshipment(sailing func(name, number string, eta time.Duration, change func(*terminal49test.Shipment)) string) {
	first := w.srv.AddVessel(terminal49test.Vessel{Name: "QUIET HARBOUR", IMO: "9800023"})
	second := w.srv.AddVessel(terminal49test.Vessel{Name: "LONG MERIDIAN", IMO: "9800035"})
	sailing("transshipped", "MAEU700000960", 5*day, func(s *terminal49test.Shipment) { s.PODVessel, s.PODVoyageNumber = second, "044E" })
	for i, name := range []string{"vessel_departed", "transshipment_arrived", "transshipment_discharged", "transshipment_loaded", "transshipment_departed"} {
		e := terminal49test.TransportEvent{Event: "container.transport." + name, Container: w.cases["transshipped"], Location: "SGSIN", Vessel: first, VoyageNumber: "912S",
			Timestamp: now.Add(-17*day + time.Duration(i)*26*time.Hour), CreatedAt: begin}
		if i == 0 {
			e.Location = "CNSHA"
		}
		if i > 2 {
			e.Vessel, e.VoyageNumber = second, "044E"
		}
		w.srv.AddTransportEvent(e)
	}
}

// bookings are tracked by their booking numbers. The last one is not ours.
var bookings = []string{"BKA4410021", "BKA4410022", "BKA4410023", "BKA4410024", "BKA4410025", "BKA4410026", "BKA4410099"}

func (w *world) addBookings() {
	vessel := w.srv.AddVessel(terminal49test.Vessel{Name: "TIDAL ARROW", IMO: "9800047"})
	for i, number := range bookings[:6] {
		eta := now.Add(time.Duration(3+i*2)*day + 7*time.Hour)
		if i == 4 {
			eta = now.Add(-2*day + time.Hour)
		}
		id := w.ship(number, func(s *terminal49test.Shipment) {
			s.PODETA, s.PODOriginalETA, s.POLATD, s.PODVessel, s.PODVoyageNumber = eta, eta, now.Add(-17*day), vessel, fmt.Sprint("30", i, "W")
			if i == 5 {
				s.PODATA, s.PODETA = now.Add(-20*time.Hour), time.Time{}
			}
		})
		w.box("booking "+number, id, func(c *sim) {
			if i == 5 {
				c.PODArrivedAt = now.Add(-20 * time.Hour)
			}
		})
		w.srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: number, RequestType: "booking_number", SCAC: "MAEU", Status: "created", Shipment: id,
			CreatedAt: begin.Add(-20 * day)})
	}
}

// addEquipment adds containers of other sizes and types, and empty ones that are out for long.
func (w *world) addEquipment() {
	w.landed("reefer", func(c *sim) { c.EquipmentType, c.EquipmentHeight = "reefer", "high_cube" })
	w.landed("heavy", func(c *sim) { c.EquipmentLength, c.WeightPounds, c.SealNumber = 20, 44_093, "ML-CN 4471 902" })
	w.landed("long", func(c *sim) { c.EquipmentLength, c.EquipmentHeight = 45, "high_cube" })
	w.landed("no size", func(c *sim) { c.EquipmentLength, c.EquipmentType = 0, "" })
	for i := range 8 {
		w.landed(fmt.Sprint("empty ", i), func(c *sim) {
			c.PODFullOutAt, c.CurrentStatus, c.AvailableForPickup = now.Add(-time.Duration(3+i*2)*day-3*time.Hour), "picked_up", terminal49test.Bool(false)
			c.ImportDeadlines = terminal49test.Deadlines{}
		})
	}
	w.landed("stopped", func(*sim) {})
	w.on(6*day+time.Hour, func() {
		c, _ := w.srv.Container(w.cases["stopped"])
		w.srv.UpdateShipment(c.Shipment, func(s *terminal49test.Shipment) {
			s.LineTrackingStoppedAt, s.LineTrackingStoppedReason = now.Add(-6*day-time.Hour), "cancelled_by_user"
		})
	})
}
