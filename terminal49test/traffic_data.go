package terminal49test

import (
	"fmt"
	"time"
)

// liner is a weekly sailing of a line. Each voyage has its own vessel, which is used again for the
// sixth voyage after it.
type liner struct {
	line, from, to, terminal string
	via                      string        // port of transshipment; "" for none
	inland, ramp             string        // "" if containers are picked up at the port
	sailing                  time.Duration // from departure to arrival
}

const vesselsPerService = 6

func trafficServices() []liner {
	return []liner{
		{line: "MAEU", from: "CNSHA", to: "USLAX", terminal: "APMT LA", sailing: days(16)},
		{line: "MSCU", from: "CNNGB", to: "USLGB", terminal: "LBCT", sailing: days(17)},
		{line: "CMDU", from: "VNSGN", to: "USOAK", terminal: "OICT", sailing: days(19)},
		{line: "HLCU", from: "NLRTM", to: "USNYC", terminal: "Maher", sailing: days(11)},
		{line: "ONEY", from: "INNSA", to: "USSAV", terminal: "GCT", via: "SGSIN", sailing: days(31)},
		{line: "EGLV", from: "CNSHA", to: "USLAX", terminal: "WBCT", inland: "USCHI", ramp: "BNSF LPC", sailing: days(15)},
		{line: "COSU", from: "CNNGB", to: "USNYC", terminal: "Maher", via: "KRPUS", sailing: days(32)},
		{line: "OOLU", from: "KRPUS", to: "USLGB", terminal: "LBCT", inland: "USDAL", ramp: "BNSF Alliance", sailing: days(14)},
		{line: "YMLU", from: "CNSHA", to: "USHOU", terminal: "Barbours Cut", via: "KRPUS", sailing: days(29)},
		{line: "HDMU", from: "KRPUS", to: "USOAK", terminal: "OICT", sailing: days(13)},
		{line: "ZIMU", from: "VNSGN", to: "USSAV", terminal: "GCT", via: "SGSIN", sailing: days(30)},
	}
}

// addTrafficPlaces adds the places that the reference data lacks. Terminals, customers, vessels and
// their numbers are invented.
func (w *world) addTrafficPlaces() {
	for _, p := range []Port{
		{LOCODE: "USOAK", Name: "Oakland", City: "Oakland", StateAbbr: "CA", CountryCode: "US", TimeZone: "America/Los_Angeles", Latitude: "37.80", Longitude: "-122.32"},
		{LOCODE: "USHOU", Name: "Houston", City: "Houston", StateAbbr: "TX", CountryCode: "US", TimeZone: "America/Chicago", Latitude: "29.68", Longitude: "-95.00"},
	} {
		if w.port(p.LOCODE) == nil {
			p.ID = w.ids.Next("port")
			w.ports.Put(p.ID, &p)
		}
	}
	for _, t := range []Terminal{
		{Name: "Oakland Inner Container Terminal", Nickname: "OICT", FIRMSCode: "Z908", Port: "USOAK",
			Street: "1717 Middle Harbor Rd", City: "Oakland", State: "California", StateAbbr: "CA", Zip: "94607", Country: "United States"},
		{Name: "Barbours Cut Terminal", Nickname: "Barbours Cut", FIRMSCode: "Z909", Port: "USHOU",
			Street: "1515 E Barbours Cut Blvd", City: "La Porte", State: "Texas", StateAbbr: "TX", Zip: "77571", Country: "United States"},
	} {
		if w.terminal(t.Nickname) == nil {
			t.ID = w.ids.Next("terminal")
			w.terminals.Put(t.ID, &t)
		}
	}
}

// addTrafficVessels adds the vessels of the services, in their order.
func (w *world) addTrafficVessels(services int) (ids []string) {
	first := []string{"AMBER", "BALTIC", "CORAL", "DELTA", "EASTERN", "FAIR", "GOLDEN", "HARBOR", "IVORY", "JADE", "SILVER"}
	second := []string{"CURRENT", "HERON", "LANTERN", "PETREL", "SUMMIT", "TRADER"}
	for i := range services * vesselsPerService {
		v := Vessel{
			ID: w.ids.Next("vessel"), Name: first[i/vesselsPerService%len(first)] + " " + second[i%vesselsPerService],
			IMO: imoNumber(980_000 + i*17), MMSI: fmt.Sprint(636_090_000 + i),
		}
		w.vessels.Put(v.ID, &v)
		ids = append(ids, v.ID)
	}
	return ids
}

// imoNumber returns an IMO number with its check digit: the digits, weighed from 7 to 2.
func imoNumber(serial int) string {
	number, sum := fmt.Sprintf("%06d", serial), 0
	for i, digit := range number {
		sum += int(digit-'0') * (7 - i)
	}
	return number + fmt.Sprint(sum%10)
}

func (w *world) addTrafficParties() (customers, brokers []string) {
	add := func(names ...string) (ids []string) {
		for _, name := range names {
			p := &Party{ID: w.ids.Next("party"), CompanyName: name}
			w.parties.Put(p.ID, p)
			ids = append(ids, p.ID)
		}
		return ids
	}
	customers = add("Alder Street Coffee", "Bluestem Furniture", "Cedar & Loom", "Driftwood Outdoor", "Elm Park Toys", "Fernhill Appliances",
		"Granite Tools", "Hollow Creek Foods")
	return customers, add("Quayside Customs", "Meridian Brokerage")
}

// addTrafficFields adds two custom fields of shipments.
func (w *world) addTrafficFields() {
	if w.definitionFor("shipment", "priority") == nil {
		w.addDefinition(CustomFieldDefinition{APISlug: "priority", DisplayName: "Priority", DataType: "enum", Options: []CustomFieldOption{
			{Label: "Normal", Value: "normal"}, {Label: "Urgent", Value: "urgent"},
		}})
	}
	if w.definitionFor("shipment", "cost_center") == nil {
		w.addDefinition(CustomFieldDefinition{APISlug: "cost_center", DisplayName: "Cost center"})
	}
}
