package terminal49test

import "time"

// Demo describes what [Server.SeedDemo] added.
type Demo struct {
	// Untracked is a bill of lading number that is not tracked yet. Its carrier can be inferred,
	// and tracking it finds two containers ready for pickup.
	Untracked string `json:"untracked,omitzero"`
	// Shipments are the ids of the added shipments, in this order: ready, customs hold, not
	// released, demurrage, on the vessel, by rail.
	Shipments []string `json:"shipments,omitzero"`
}

// SeedDemo adds six shipments of two customers, one for each of [ReadyJourney],
// [CustomsHoldJourney], [NotReleasedJourney], [DemurrageJourney], [OnShipJourney] and
// [RailJourney], and an e-mail with an arrival notice.
func (s *Server) SeedDemo() Demo {
	const untracked = "HLCUSHA2406118"
	s.Script(untracked, ReadyJourney().withPortOfDischarge("USNYC", "Maher").withContainers("HLXU", 610_442, 2))
	harbor := s.AddParty(Party{CompanyName: "Harbor Street Imports"})
	lakeside := s.AddParty(Party{CompanyName: "Lakeside Home Goods"})
	var demo Demo
	now := s.Now()
	for i, d := range []struct {
		number, scac, customer, reference string
		journey                           Journey
	}{
		{"MAEU240711002", "MAEU", harbor, "PO-10231", ReadyJourney().withContainers("MSKU", 718_204, 2)},
		{"MSCU240988417", "MSCU", harbor, "PO-10244", CustomsHoldJourney().withPortOfDischarge("USLGB", "LBCT").withContainers("MEDU", 330_918, 1)},
		{"ONEY240655120", "ONEY", lakeside, "PO-7719", NotReleasedJourney().withPortOfDischarge("USSAV", "GCT").withContainers("ONEU", 552_087, 1)},
		{"CMDU240512339", "CMDU", lakeside, "PO-7702", DemurrageJourney().withPortOfDischarge("USLAX", "APMT LA").withContainers("CMAU", 471_655, 1)},
		{"EGLV240803771", "EGLV", harbor, "PO-10260", OnShipJourney().withContainers("EGHU", 902_316, 2)},
		{"COSU240377906", "COSU", lakeside, "PO-7733", RailJourney().withContainers("CSNU", 644_570, 1)},
	} {
		s.Script(d.number, d.journey)
		id := s.AddTrackingRequest(TrackingRequest{
			RequestNumber: d.number, SCAC: d.scac, Customer: d.customer, ReferenceNumbers: []string{d.reference},
			CreatedAt: now.Add(-time.Hour + time.Duration(i)*time.Minute),
		})
		// The request was made an hour ago: reading it first runs the journey so far.
		r, _ := s.TrackingRequest(id)
		demo.Shipments = append(demo.Shipments, r.Shipment)
	}
	s.ReceiveEmail(EmailSubmission{
		Subject: "Arrival notice MAEU240711002", Body: "The arrival notice is attached.", From: []string{"import@line.example"},
		To: []string{"documents@harbor-street.example"}, MessageID: "<240711002@line.example>", SentAt: now.Add(-time.Hour),
	}, Document{FileName: "arrival-notice-MAEU240711002.pdf", FileContentType: "application/pdf", Content: []byte("MAEU240711002\n")})
	demo.Untracked = untracked
	return demo
}

// withPortOfDischarge returns the journey with another port of discharge.
func (j Journey) withPortOfDischarge(port, terminal string) Journey {
	j.Shipment.PortOfDischarge, j.Shipment.Destination, j.Shipment.PODTerminal = port, port, terminal
	return j
}

// withContainers returns the journey with count numbered containers.
func (j Journey) withContainers(owner string, serial, count int) Journey {
	j.Containers = nil
	for i := range count {
		j.Containers = append(j.Containers, Container{
			Number: ContainerNumber(owner, serial+i*37), EquipmentType: "dry", EquipmentLength: 40,
			EquipmentHeight: "high_cube", WeightPounds: float64(31_460 + i*1_180), SealNumber: "",
		})
	}
	return j
}
