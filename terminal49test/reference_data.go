package terminal49test

// addTestLine adds the test carrier, which every account has.
func (w *world) addTestLine() {
	w.addLine(ShippingLine{
		SCAC: "TEST", Name: "Test Carrier", ShortName: "Test", BillOfLadingTrackingSupport: true, BookingNumberTrackingSupport: true,
	})
}

// addReferenceData adds carriers, places, terminals and vessels for journeys. Terminal codes and
// coordinates are invented or rounded; UN/LOCODEs and time zones are real.
func (w *world) addReferenceData() {
	w.addTestLine()
	for _, l := range []ShippingLine{
		{SCAC: "MAEU", Name: "Maersk", ShortName: "Maersk", AlternativeSCACs: []string{"SEAU"}, ContainerPrefixes: []string{"MSKU", "MRKU", "MAEU"}},
		{SCAC: "MSCU", Name: "Mediterranean Shipping Company", ShortName: "MSC", AlternativeSCACs: []string{"MEDU"}, ContainerPrefixes: []string{"MEDU", "MSCU", "MSDU"}},
		{SCAC: "CMDU", Name: "CMA CGM", ShortName: "CMA CGM", ContainerPrefixes: []string{"CMAU", "CGMU"}},
		{SCAC: "HLCU", Name: "Hapag-Lloyd", ShortName: "Hapag", ContainerPrefixes: []string{"HLXU", "HLBU", "HLCU"}},
		{SCAC: "ONEY", Name: "Ocean Network Express", ShortName: "ONE", ContainerPrefixes: []string{"ONEU", "NYKU"}},
		{SCAC: "EGLV", Name: "Evergreen", ShortName: "Evergreen", ContainerPrefixes: []string{"EGHU", "EISU"}},
		{SCAC: "COSU", Name: "COSCO Shipping Lines", ShortName: "COSCO", ContainerPrefixes: []string{"CSNU", "CBHU"}},
		{SCAC: "OOLU", Name: "Orient Overseas Container Line", ShortName: "OOCL", ContainerPrefixes: []string{"OOLU", "OOCU"}},
		{SCAC: "YMLU", Name: "Yang Ming", ShortName: "Yang Ming", ContainerPrefixes: []string{"YMLU", "YMMU"}},
		{SCAC: "HDMU", Name: "HMM", ShortName: "HMM", ContainerPrefixes: []string{"HDMU", "HMMU"}},
	} {
		l.BillOfLadingTrackingSupport, l.BookingNumberTrackingSupport, l.ContainerNumberTrackingSupport = true, true, true
		w.addLine(l)
	}
	w.addLine(ShippingLine{ // some lines do not support tracking by container number
		SCAC: "ZIMU", Name: "ZIM Integrated Shipping Services", ShortName: "ZIM", BillOfLadingTrackingSupport: true, BookingNumberTrackingSupport: true,
		ContainerPrefixes: []string{"ZIMU", "ZCSU"},
	})
	w.addPlaces()
	for _, v := range []Vessel{
		{Name: "NORTHERN JUBILEE", IMO: "9708851", MMSI: "636017000"},
		{Name: "PACIFIC MERIDIAN", IMO: "9461398", MMSI: "477300000"},
	} {
		v.ID = w.ids.Next("vessel")
		w.vessels.Put(v.ID, &v)
	}
}

func (w *world) addPlaces() {
	for _, p := range []Port{
		{LOCODE: "CNSHA", Name: "Shanghai", City: "Shanghai", CountryCode: "CN", TimeZone: "Asia/Shanghai", Latitude: "31.22", Longitude: "121.47"},
		{LOCODE: "CNNGB", Name: "Ningbo", City: "Ningbo", CountryCode: "CN", TimeZone: "Asia/Shanghai", Latitude: "29.87", Longitude: "121.55"},
		{LOCODE: "VNSGN", Name: "Ho Chi Minh City", City: "Ho Chi Minh City", CountryCode: "VN", TimeZone: "Asia/Ho_Chi_Minh", Latitude: "10.77", Longitude: "106.71"},
		{LOCODE: "INNSA", Name: "Nhava Sheva", City: "Mumbai", CountryCode: "IN", TimeZone: "Asia/Calcutta", Latitude: "18.95", Longitude: "72.95"},
		{LOCODE: "KRPUS", Name: "Busan", City: "Busan", CountryCode: "KR", TimeZone: "Asia/Seoul", Latitude: "35.10", Longitude: "129.04"},
		{LOCODE: "SGSIN", Name: "Singapore", City: "Singapore", CountryCode: "SG", TimeZone: "Asia/Singapore", Latitude: "1.26", Longitude: "103.84"},
		{LOCODE: "NLRTM", Name: "Rotterdam", City: "Rotterdam", CountryCode: "NL", TimeZone: "Europe/Amsterdam", Latitude: "51.95", Longitude: "4.14"},
		{LOCODE: "USLAX", Name: "Los Angeles", City: "Los Angeles", StateAbbr: "CA", CountryCode: "US", TimeZone: "America/Los_Angeles", Latitude: "33.74", Longitude: "-118.26"},
		{LOCODE: "USLGB", Name: "Long Beach", City: "Long Beach", StateAbbr: "CA", CountryCode: "US", TimeZone: "America/Los_Angeles", Latitude: "33.75", Longitude: "-118.21"},
		{LOCODE: "USNYC", Name: "New York / New Jersey", City: "New York", StateAbbr: "NY", CountryCode: "US", TimeZone: "America/New_York", Latitude: "40.68", Longitude: "-74.04"},
		{LOCODE: "USSAV", Name: "Savannah", City: "Savannah", StateAbbr: "GA", CountryCode: "US", TimeZone: "US/Eastern", Latitude: "32.12", Longitude: "-81.13"},
	} {
		p.ID = w.ids.Next("port")
		w.ports.Put(p.ID, &p)
	}
	for _, m := range []MetroArea{
		{LOCODE: "USCHI", Name: "Chicago", StateAbbr: "IL", CountryCode: "US", TimeZone: "America/Chicago", Latitude: "41.88", Longitude: "-87.63"},
		{LOCODE: "USDAL", Name: "Dallas", StateAbbr: "TX", CountryCode: "US", TimeZone: "America/Chicago", Latitude: "32.78", Longitude: "-96.80"},
	} {
		m.ID = w.ids.Next("metro_area")
		w.metroAreas.Put(m.ID, &m)
	}
	// Addresses are those that the terminals publish. FIRMS codes are not theirs.
	for _, t := range []Terminal{
		{Name: "West Basin Container Terminal", Nickname: "WBCT", FIRMSCode: "Z901", Port: "USLAX",
			Street: "2050 John S Gibson Blvd", City: "San Pedro", State: "California", StateAbbr: "CA", Zip: "90731"},
		{Name: "APM Terminals Los Angeles", Nickname: "APMT LA", FIRMSCode: "Z902", Port: "USLAX",
			Street: "2500 Navy Way", City: "San Pedro", State: "California", StateAbbr: "CA", Zip: "90731"},
		{Name: "Long Beach Container Terminal", Nickname: "LBCT", FIRMSCode: "Z903", Port: "USLGB",
			Street: "201 S Pico Ave", City: "Long Beach", State: "California", StateAbbr: "CA", Zip: "90802"},
		{Name: "Maher Terminals", Nickname: "Maher", FIRMSCode: "Z904", Port: "USNYC",
			Street: "1210 Corbin St", City: "Elizabeth", State: "New Jersey", StateAbbr: "NJ", Zip: "07201"},
		{Name: "Garden City Terminal", Nickname: "GCT", FIRMSCode: "Z905", Port: "USSAV",
			Street: "2 Main St", City: "Garden City", State: "Georgia", StateAbbr: "GA", Zip: "31408"},
		{Name: "BNSF Logistics Park Chicago", Nickname: "BNSF LPC", FIRMSCode: "Z906", MetroArea: "USCHI", FacilityType: "rail",
			City: "Elwood", State: "Illinois", StateAbbr: "IL", Zip: "60421"},
		{Name: "BNSF Alliance", Nickname: "BNSF Alliance", FIRMSCode: "Z907", MetroArea: "USDAL", FacilityType: "rail",
			City: "Haslet", State: "Texas", StateAbbr: "TX", Zip: "76052"},
	} {
		t.Country = "United States"
		t.ID = w.ids.Next("terminal")
		w.terminals.Put(t.ID, &t)
	}
}
