package schema

import "github.com/go-freight/terminal49"

type (
	port         = terminal49.Port
	terminal     = terminal49.Terminal
	vessel       = terminal49.Vessel
	shippingLine = terminal49.ShippingLine
)

var PortTable = describe("ports", "Sea ports and metro areas, which are inland destinations.",
	[]string{"port", "metro_area"}, decodePort,
	textColumn("name", "", func(p *port) string { return p.Name }),
	textColumn("code", "UN/LOCODE.", func(p *port) string { return p.LOCODE }),
	textColumn("city", "", func(p *port) string { return p.City }),
	textColumn("state_abbr", "", func(p *port) string { return p.StateAbbr }),
	textColumn("country_code", "Two letters.", func(p *port) string { return p.CountryCode }),
	textColumn("time_zone", "IANA name.", func(p *port) string { return p.TimeZone }),
	floatColumn("latitude", "Degrees north.", func(p *port) terminal49.Opt[float64] { return p.Latitude }),
	floatColumn("longitude", "Degrees east.", func(p *port) terminal49.Opt[float64] { return p.Longitude }),
)

// decodePort decodes a port or a metro area.
func decodePort(typ string, data []byte) (*port, error) {
	if typ == "port" {
		return as[port](typ, data)
	}
	m, err := as[terminal49.MetroArea](typ, data)
	return &port{
		Resource: m.Resource, Name: m.Name, LOCODE: m.LOCODE, StateAbbr: m.StateAbbr, CountryCode: m.CountryCode,
		TimeZone: m.TimeZone, Latitude: m.Latitude, Longitude: m.Longitude,
	}, err
}

var TerminalTable = describe("terminals", "Ocean terminals and rail ramps.",
	[]string{"terminal", "rail_terminal"}, as[terminal],
	textColumn("name", "", func(t *terminal) string { return t.Name }),
	textColumn("nickname", "The short name in the trade.", func(t *terminal) string { return t.Nickname }),
	textColumn("firms_code", "US customs facility code.", func(t *terminal) string { return t.FIRMSCode }),
	textColumn("smdg_code", "", func(t *terminal) string { return t.SMDGCode }),
	textColumn("bic_facility_code", "", func(t *terminal) string { return t.BICFacilityCode }),
	textColumn("facility_type", "ocean_terminal or rail.", func(t *terminal) string { return t.FacilityType }),
	textColumn("street", "", func(t *terminal) string { return t.Street }),
	textColumn("city", "", func(t *terminal) string { return t.City }),
	textColumn("state", "", func(t *terminal) string { return t.State }),
	textColumn("state_abbr", "", func(t *terminal) string { return t.StateAbbr }),
	textColumn("zip", "", func(t *terminal) string { return t.Zip }),
	textColumn("country", "", func(t *terminal) string { return t.Country }),
	sentColumn[terminal]("provided_data", "What the terminal reports."),
	idColumn("port_id", "In ports.", func(t *terminal) terminal49.ToOne[*port] { return t.Port }),
	idColumn("metro_area_id", "In ports: of a rail ramp.", func(t *terminal) terminal49.ToOne[*terminal49.MetroArea] { return t.MetroArea }),
)

var VesselTable = describe("vessels", "Ships.",
	[]string{"vessel"}, as[vessel],
	textColumn("name", "", func(v *vessel) string { return v.Name }),
	textColumn("imo", "", func(v *vessel) string { return v.IMO }),
	textColumn("mmsi", "", func(v *vessel) string { return v.MMSI }),
	floatColumn("latitude", "Degrees north, at position_timestamp.", func(v *vessel) terminal49.Opt[float64] { return v.Latitude }),
	floatColumn("longitude", "Degrees east.", func(v *vessel) terminal49.Opt[float64] { return v.Longitude }),
	floatColumn("nautical_speed_knots", "", func(v *vessel) terminal49.Opt[float64] { return v.SpeedKnots }),
	floatColumn("navigational_heading_degrees", "0 is north, 90 is east.", func(v *vessel) terminal49.Opt[float64] { return v.HeadingDegrees }),
	instantColumn("position_timestamp", "", func(v *vessel) terminal49.Time { return v.PositionTimestamp }),
)

var ShippingLineTable = describe("shipping_lines", "Ocean carriers that the account can track.",
	[]string{"shipping_line"}, as[shippingLine],
	textColumn("scac", "The code for tracking requests.", func(l *shippingLine) string { return l.SCAC }),
	textColumn("name", "", func(l *shippingLine) string { return l.Name }),
	textColumn("short_name", "", func(l *shippingLine) string { return l.ShortName }),
	listColumn("alternative_scacs", "Further codes for tracking requests.", func(l *shippingLine) []string { return l.AlternativeSCACs }),
	flagColumn("bill_of_lading_tracking_support", "", func(l *shippingLine) bool { return l.BillOfLadingTrackingSupport }),
	flagColumn("booking_number_tracking_support", "", func(l *shippingLine) bool { return l.BookingNumberTrackingSupport }),
	flagColumn("container_number_tracking_support", "", func(l *shippingLine) bool { return l.ContainerNumberTrackingSupport }),
	sentColumn[shippingLine]("provided_data", "What the line reports."),
	proseColumn("tracking_url", "A template that may contain ${BLNUM}.", func(l *shippingLine) string { return l.TrackingURL }),
	proseColumn("contact_url", "", func(l *shippingLine) string { return l.ContactURL }),
)
