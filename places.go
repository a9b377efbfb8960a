package terminal49

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"strings"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// Port is a sea port.
//
//t49:resource port
type Port struct {
	Resource `t49:"id,ignored"`

	Name        string       `t49:"name"`
	LOCODE      string       `t49:"code"` // UN/LOCODE
	City        string       `t49:"city"`
	StateAbbr   string       `t49:"state_abbr"`
	CountryCode string       `t49:"country_code"`                 // two letters
	TimeZone    string       `t49:"time_zone"`                    // IANA name
	Latitude    Opt[float64] `t49:"latitude,read=readLatitude"`   // degrees north
	Longitude   Opt[float64] `t49:"longitude,read=readLongitude"` // degrees east

	Terminals ToMany[*Terminal] `t49:"terminals"`
}

// MetroArea is an inland destination: a metropolitan area with its rail ramps.
//
//t49:resource metro_area
type MetroArea struct {
	Resource `t49:"id,ignored"`

	Name        string       `t49:"name"`
	LOCODE      string       `t49:"code"` // UN/LOCODE
	StateAbbr   string       `t49:"state_abbr"`
	CountryCode string       `t49:"country_code"`                 // two letters
	TimeZone    string       `t49:"time_zone"`                    // IANA name
	Latitude    Opt[float64] `t49:"latitude,read=readLatitude"`   // degrees north
	Longitude   Opt[float64] `t49:"longitude,read=readLongitude"` // degrees east
}

// Terminal is an ocean terminal or a rail ramp; see [Terminal.IsRail].
//
//t49:resource terminal rail_terminal
type Terminal struct {
	Resource `t49:"id,ignored"`

	Name            string       `t49:"name"`
	Nickname        string       `t49:"nickname"`   // the short name in the trade, such as "TraPac"
	FIRMSCode       string       `t49:"firms_code"` // US customs facility code
	SMDGCode        string       `t49:"smdg_code"`
	BICFacilityCode string       `t49:"bic_facility_code"`
	Street          string       `t49:"street"`
	City            string       `t49:"city"`
	State           string       `t49:"state"`
	StateAbbr       string       `t49:"state_abbr"`
	Zip             string       `t49:"zip"`
	Country         string       `t49:"country"`
	FacilityType    string       `t49:"facility_type"` // "ocean_terminal" or "rail"; "" if unknown
	ProvidedData    ProvidedData `t49:"provided_data"` // what this terminal reports; nil if unknown

	Port      ToOne[*Port]      `t49:"port"`
	MetroArea ToOne[*MetroArea] `t49:"metro_area"` // of a rail ramp
}

// Place is a port or a metro area: a *[Port], a *[MetroArea], or an *[UnknownResource] for a type
// unknown to this version. Use a type switch.
type Place interface {
	PlaceName() string     // such as "Los Angeles"; "" if unknown
	PlaceLOCODE() string   // UN/LOCODE; "" if unknown
	PlaceTimeZone() string // IANA name; "" if unknown
	isPlace()
}

// The values of Terminal.FacilityType.
const (
	oceanTerminal = "ocean_terminal"
	railTerminal  = "rail"
)

// IsRail reports whether the terminal is a rail ramp, by its facility type or, in older data, by
// the resource type "rail_terminal".
func (t *Terminal) IsRail() bool { return t.Type == "rail_terminal" || t.FacilityType == railTerminal }

// PlaceName returns the port's name.
func (p *Port) PlaceName() string { return p.Name }

// PlaceLOCODE returns the port's UN/LOCODE.
func (p *Port) PlaceLOCODE() string { return p.LOCODE }

// PlaceTimeZone returns the port's IANA time zone.
func (p *Port) PlaceTimeZone() string { return p.TimeZone }

func (*Port) isPlace() {}

// PlaceName returns the metro area's name.
func (m *MetroArea) PlaceName() string { return m.Name }

// PlaceLOCODE returns the metro area's UN/LOCODE.
func (m *MetroArea) PlaceLOCODE() string { return m.LOCODE }

// PlaceTimeZone returns the metro area's IANA time zone.
func (m *MetroArea) PlaceTimeZone() string { return m.TimeZone }

func (*MetroArea) isPlace() {}

// PlaceName returns "", because the attributes of an unknown resource are not known.
func (*UnknownResource) PlaceName() string { return "" }

// PlaceLOCODE returns "".
func (*UnknownResource) PlaceLOCODE() string { return "" }

// PlaceTimeZone returns "".
func (*UnknownResource) PlaceTimeZone() string { return "" }

func (*UnknownResource) isPlace() {}

// placeKey identifies a port or a city within a response: its UN/LOCODE or, if that is unknown, its
// type and id. It is "" if neither is known.
type placeKey string

// The types of places.
const (
	portType      = "port"
	metroAreaType = "metro_area"
)

// locode returns the UN/LOCODE, or "" if only the id is known.
func (k placeKey) locode() string {
	if typ, _ := k.id(); typ != "" {
		return ""
	}
	return string(k)
}

// id returns the type and the id, or "" if the UN/LOCODE is known.
func (k placeKey) id() (typ, id string) {
	typ, id, found := strings.Cut(string(k), "#")
	if !found {
		return "", ""
	}
	return typ, id
}

// atlas finds ports and cities in what is known of a container. A response names most of them
// several times: one that it does not include at one place has its UN/LOCODE at another.
type atlas struct {
	container *Container
	events    []*TransportEvent
}

// key returns the key of a port or city.
func (a atlas) key(typ, id, locode string) placeKey {
	if locode != "" || id == "" {
		return placeKey(locode)
	}
	for known := range a.named() {
		if known.id == id && known.locode != "" && (typ == "" || known.typ == "" || typ == known.typ) {
			return placeKey(known.locode)
		}
	}
	return placeKey(cmp.Or(typ, "place") + "#" + id)
}

// placesOf returns the keys of a terminal's port and metro area that are known.
func (a atlas) placesOf(terminal ToOne[*Terminal]) (keys []placeKey) {
	t, included := terminal.Value()
	if !included {
		return nil
	}
	for _, p := range t.namedPlaces() {
		if k := a.key(p.typ, p.id, p.locode); k != "" {
			keys = append(keys, k)
		}
	}
	return keys
}

// portOf returns the key of a shipment's port of discharge.
func (a atlas) portOf(s *Shipment) placeKey {
	return a.key(portType, s.PortOfDischarge.ID(), s.PortOfDischargeLOCODE)
}

// compare reports whether two keys are the same place. A UN/LOCODE and an id are different places
// only if the response has another id of the UN/LOCODE.
func (a atlas) compare(x, y placeKey) nearness {
	typX, idX := x.id()
	typY, idY := y.id()
	switch {
	case x == "" || y == "":
		return unknownPlace
	case x == y:
		return samePlace
	case typX == "" && typY == "", typX == typY && typX != "place":
		return otherPlace
	case typX == "" && a.hasID(x, typY, idY), typY == "" && a.hasID(y, typX, idX):
		return otherPlace
	}
	return unknownPlace
}

// hasID reports whether a UN/LOCODE has an id of a type other than this one.
func (a atlas) hasID(locode placeKey, typ, id string) bool {
	for known := range a.named() {
		if known.locode == string(locode) && known.typ == typ && known.id != "" && known.id != id {
			return true
		}
	}
	return false
}

// namedPlace is a port or city that a response names.
type namedPlace struct{ typ, id, locode string }

// named returns all ports and cities that the response names.
func (a atlas) named() iter.Seq[namedPlace] {
	return func(yield func(namedPlace) bool) {
		s := a.container.shipmentOrEmpty()
		of := []namedPlace{
			{portType, s.PortOfLading.ID(), s.PortOfLadingLOCODE}, {portType, s.PortOfDischarge.ID(), s.PortOfDischargeLOCODE},
			{s.Destination.Type(), s.Destination.ID(), s.DestinationLOCODE},
		}
		for _, t := range []ToOne[*Terminal]{a.container.PODTerminal, a.container.PickupFacility, s.PODTerminal, s.DestinationTerminal} {
			if terminal, included := t.Value(); included {
				of = append(of, terminal.namedPlaces()...)
			}
		}
		for i := 0; i < len(of)+len(a.events); i++ {
			if i < len(of) && !yield(of[i]) || i >= len(of) && !yield(a.events[i-len(of)].namedPlace()) {
				return
			}
		}
	}
}

// namedPlaces returns the terminal's port and metro area.
func (t *Terminal) namedPlaces() []namedPlace {
	port := namedPlace{typ: portType, id: t.Port.ID()}
	if p, included := t.Port.Value(); included {
		port.locode = p.LOCODE
	}
	area := namedPlace{typ: metroAreaType, id: t.MetroArea.ID()}
	if m, included := t.MetroArea.Value(); included {
		area.locode = m.LOCODE
	}
	return []namedPlace{port, area}
}

// namedPlace returns the place of the event.
func (e *TransportEvent) namedPlace() namedPlace {
	if e == nil {
		return namedPlace{}
	}
	p := namedPlace{e.Location.Type(), e.Location.ID(), e.LocationLOCODE}
	if place, included := e.Location.Value(); included {
		p.locode = cmp.Or(p.locode, place.PlaceLOCODE())
	}
	return p
}

// PortsService reads sea ports.
type PortsService service

// Get returns one port by its id or by its UN/LOCODE, such as "USLAX".
//
// API: GET /ports/{id}. Errors: ErrNotFound.
func (s *PortsService) Get(ctx context.Context, idOrLOCODE string, opts ...CallOption) (*Port, error) {
	return fetchOne[Port](ctx, s.client, newEndpoint(operation.PortsGet, placeArg(idOrLOCODE)), opts)
}

// MetroAreasService reads metro areas, which are inland destinations.
type MetroAreasService service

// Get returns one metro area by its id or by its UN/LOCODE, such as "USCHI".
//
// API: GET /metro_areas/{id}. Errors: ErrNotFound.
func (s *MetroAreasService) Get(ctx context.Context, idOrLOCODE string, opts ...CallOption) (*MetroArea, error) {
	return fetchOne[MetroArea](ctx, s.client, newEndpoint(operation.MetroAreasGet, placeArg(idOrLOCODE)), opts)
}

// TerminalsService reads ocean terminals and rail ramps.
type TerminalsService service

// Get returns one terminal or rail ramp by its id, which is not its FIRMS code.
//
// API: GET /terminals/{id}. Errors: ErrNotFound.
func (s *TerminalsService) Get(ctx context.Context, id string, opts ...CallOption) (*Terminal, error) {
	arg := uuidArg(id).hint("relationships have it, such as the PODTerminal of a shipment")
	return fetchOne[Terminal](ctx, s.client, newEndpoint(operation.TerminalsGet, arg), opts)
}

// locodeLength is the length of a UN/LOCODE: two characters for the country and three for the
// place.
const locodeLength = 5

// placeArg returns an argument that is an id or has the form of a UN/LOCODE.
func placeArg(idOrLOCODE string) argument {
	a := uuidArg(idOrLOCODE)
	if a.problem == "" || len(idOrLOCODE) == locodeLength && isUpperAlphanumeric(idOrLOCODE) {
		a.problem = ""
		return a
	}
	a.problem = `must be a UUID or a UN/LOCODE of five capital letters or digits, such as "USLAX"`
	return a.named("idOrLOCODE")
}

func isUpperAlphanumeric(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return (c < 'A' || c > 'Z') && (c < '0' || c > '9') })
}

// ProvidedData lists the attributes that a terminal or shipping line reports, by wire name, such as
// "pickup_lfd" or "holds_at_pod_terminal". Use it to distinguish "no holds" from "this terminal
// does not report holds"; [SumContainerFees] does so for fees. An attribute that is not listed is
// unknown.
type ProvidedData map[string]ProvidedAttribute

// ProvidedAttribute describes whether a terminal or shipping line reports an attribute.
type ProvidedAttribute struct {
	Reported Opt[bool] // whether the terminal or line reports the attribute; null or missing is unknown, not "no"
	Notes    string    // human-readable remarks; "" if there are none
}

// MarshalJSON returns the form that the service sends: an attribute's remarks are in a member of
// their own, whose name ends with "_notes". An attribute with neither a flag nor remarks is left
// out.
func (p ProvidedData) MarshalJSON() ([]byte, error) {
	members := make(map[string]any, len(p))
	for attribute, provided := range p {
		if !provided.Reported.IsZero() {
			members[attribute] = provided.Reported
		}
		if provided.Notes != "" {
			members[attribute+"_notes"] = provided.Notes
		}
	}
	return json.Marshal(members)
}

// UnmarshalJSON parses what MarshalJSON returns.
func (p *ProvidedData) UnmarshalJSON(data []byte) error {
	return decodeObject(data, "provided_data", p.read)
}

func (p *ProvidedData) decode(d *jsonapi.Decoder) {
	if !d.Null() {
		p.read(d)
	}
}

func (p *ProvidedData) read(d *jsonapi.Decoder) {
	data := ProvidedData{}
	if d.Object(func(key []byte) {
		attribute, isNote := strings.CutSuffix(string(key), "_notes")
		of := data[attribute]
		if isNote {
			of.Notes, _ = d.String()
		} else {
			readOpt(d, &of.Reported, (*jsonapi.Decoder).Bool)
		}
		if of != (ProvidedAttribute{}) { // neither empty remarks nor a flag that is not one are information
			data[attribute] = of
		}
	}) {
		*p = data
	}
}
