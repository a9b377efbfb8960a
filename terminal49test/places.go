package terminal49test

import (
	"cmp"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// Port is a sea or inland port.
type Port struct {
	ID          string `json:"id,omitzero"`   // "" generates one
	LOCODE      string `json:"code,omitzero"` // UN/LOCODE
	Name        string `json:"name,omitzero"`
	City        string `json:"city,omitzero"`
	StateAbbr   string `json:"state_abbr,omitzero"`
	CountryCode string `json:"country_code,omitzero"` // two letters
	TimeZone    string `json:"time_zone,omitzero"`    // IANA name; "" means null
	// Latitude and Longitude are sent as strings, as by the live service; "" means null.
	Latitude   string         `json:"latitude,omitzero"`
	Longitude  string         `json:"longitude,omitzero"`
	Attributes map[string]any `json:"attributes,omitzero"`
}

// MetroArea is an inland destination that is not a port, such as Chicago.
type MetroArea struct {
	ID          string         `json:"id,omitzero"`   // "" generates one
	LOCODE      string         `json:"code,omitzero"` // UN/LOCODE
	Name        string         `json:"name,omitzero"`
	StateAbbr   string         `json:"state_abbr,omitzero"`
	CountryCode string         `json:"country_code,omitzero"`
	TimeZone    string         `json:"time_zone,omitzero"`
	Latitude    string         `json:"latitude,omitzero"`
	Longitude   string         `json:"longitude,omitzero"`
	Attributes  map[string]any `json:"attributes,omitzero"`
}

// Terminal is an ocean terminal or, with FacilityType "rail", an inland ramp.
type Terminal struct {
	ID           string `json:"id,omitzero"` // "" generates one
	Name         string `json:"name,omitzero"`
	Nickname     string `json:"nickname,omitzero"` // short name, by which other structs can refer to it
	FIRMSCode    string `json:"firms_code,omitzero"`
	Port         string `json:"port,omitzero"`          // id or UN/LOCODE
	MetroArea    string `json:"metro_area,omitzero"`    // of a ramp without a port: id or UN/LOCODE
	FacilityType string `json:"facility_type,omitzero"` // "ocean_terminal" or "rail"; "" means "ocean_terminal"
	// AsRail sends it as type rail_terminal, the old form; live ramps have type terminal.
	AsRail     bool           `json:"as_rail,omitzero"`
	Street     string         `json:"street,omitzero"`
	City       string         `json:"city,omitzero"`
	State      string         `json:"state,omitzero"`
	StateAbbr  string         `json:"state_abbr,omitzero"`
	Zip        string         `json:"zip,omitzero"`
	Country    string         `json:"country,omitzero"` // full name, such as "United States"
	Attributes map[string]any `json:"attributes,omitzero"`
}

// AddPort adds a port and returns its id.
func (s *Server) AddPort(p Port) string {
	return withWorld(s, func(w *world) string {
		p.ID = w.identify(p.ID, "port")
		w.ports.Put(p.ID, &p)
		return p.ID
	})
}

// AddMetroArea adds an inland destination and returns its id.
func (s *Server) AddMetroArea(m MetroArea) string {
	return withWorld(s, func(w *world) string {
		m.ID = w.identify(m.ID, "metro_area")
		w.metroAreas.Put(m.ID, &m)
		return m.ID
	})
}

// AddTerminal adds a terminal or a ramp and returns its id.
func (s *Server) AddTerminal(t Terminal) string {
	return withWorld(s, func(w *world) string {
		t.ID = w.identify(t.ID, "terminal")
		w.terminals.Put(t.ID, &t)
		return t.ID
	})
}

// UpdatePort changes a port in place and reports whether the id exists.
func (s *Server) UpdatePort(id string, change func(*Port)) bool {
	change = calling(s, change)
	return withWorld(s, func(w *world) bool { return updateRow(&w.ports, id, change) })
}

// The self link of a place repeats the requested id or UN/LOCODE.

func (x *exchange) getPort() service.Reply {
	p := x.w.port(x.Args["id"])
	if p == nil {
		return service.NotFound()
	}
	return x.one(200, wire.Ref{Kind: "port", ID: p.ID})
}

func (x *exchange) getMetroArea() service.Reply {
	m := x.w.metroArea(x.Args["id"])
	if m == nil {
		return service.NotFound()
	}
	return x.one(200, wire.Ref{Kind: "metro_area", ID: m.ID})
}

// getTerminal accepts only ids: the service does not find terminals by nickname.
func (x *exchange) getTerminal() service.Reply {
	return x.one(200, wire.Ref{Kind: "terminal", ID: x.Args["id"]})
}

// place holds the common fields of ports and metro areas.
type place struct {
	ref            wire.Ref
	code, name, tz string
}

func (w *world) place(key string) place {
	if p := w.port(key); p != nil {
		return place{wire.Ref{Kind: "port", ID: p.ID}, p.LOCODE, p.Name, p.TimeZone}
	}
	if m := w.metroArea(key); m != nil {
		return place{wire.Ref{Kind: "metro_area", ID: m.ID}, m.LOCODE, m.Name, m.TimeZone}
	}
	return place{}
}

// terminalPlace is the place of a terminal.
func (w *world) terminalPlace(key string) place {
	t := w.terminal(key)
	if t == nil {
		return place{}
	}
	return w.place(cmp.Or(t.Port, t.MetroArea))
}

// zoneAt returns the time zone of a port or metro area, or of the terminal's place if only the
// terminal is set.
func (w *world) zoneAt(key, terminal string) string {
	if key == "" {
		return w.terminalPlace(terminal).tz
	}
	return w.place(key).tz
}

func (w *world) renderPort(p *Port) wire.Resource {
	var terminals []string
	for _, t := range w.terminals.All() {
		if t.Port != "" && w.port(t.Port) == p && !t.AsRail {
			terminals = append(terminals, t.ID)
		}
	}
	return wire.Resource{Ref: wire.Ref{Kind: "port", ID: p.ID}, Attributes: wire.Object{
		{"id", p.ID}, {"name", p.Name}, {"code", p.LOCODE}, {"state_abbr", wire.OrNull(p.StateAbbr)}, {"city", wire.OrNull(p.City)},
		{"country_code", p.CountryCode}, {"time_zone", wire.OrNull(p.TimeZone)},
		{"latitude", wire.OrNull(p.Latitude)}, {"longitude", wire.OrNull(p.Longitude)},
	}.With(p.Attributes), Relations: []wire.Relation{wire.ToMany("terminals", "terminal", terminals)}}
}

func (w *world) renderMetroArea(m *MetroArea) wire.Resource {
	return wire.Resource{Ref: wire.Ref{Kind: "metro_area", ID: m.ID}, Attributes: wire.Object{
		{"id", m.ID}, {"name", m.Name}, {"code", m.LOCODE}, {"state_abbr", wire.OrNull(m.StateAbbr)},
		{"country_code", m.CountryCode}, {"time_zone", wire.OrNull(m.TimeZone)},
		{"latitude", wire.OrNull(m.Latitude)}, {"longitude", wire.OrNull(m.Longitude)},
	}.With(m.Attributes)}
}

func (w *world) renderTerminal(t *Terminal) wire.Resource {
	r := wire.Resource{Ref: w.terminalRef(t.ID)}
	r.Attributes = wire.Object{{"id", t.ID}, {"name", t.Name}, {"nickname", t.Nickname}, {"firms_code", wire.OrNull(t.FIRMSCode)}}
	port := wire.Relation{Name: "port", One: w.place(t.Port).ref}
	if t.AsRail {
		r.Attributes = append(r.Attributes, wire.Member{"city", wire.OrNull(t.City)})
		r.Relations = []wire.Relation{port, {Name: "metro_area", One: w.place(t.MetroArea).ref}}
	} else {
		facility := t.FacilityType
		if facility == "" {
			facility = "ocean_terminal"
		}
		r.Attributes = append(r.Attributes,
			wire.Member{"smdg_code", nil}, wire.Member{"bic_facility_code", nil}, wire.Member{"street", wire.OrNull(t.Street)},
			wire.Member{"city", wire.OrNull(t.City)}, wire.Member{"state", wire.OrNull(t.State)}, wire.Member{"state_abbr", wire.OrNull(t.StateAbbr)},
			wire.Member{"zip", wire.OrNull(t.Zip)}, wire.Member{"country", wire.OrNull(t.Country)},
			wire.Member{"facility_type", facility}, wire.Member{"provided_data", wire.Object{}})
		r.Relations = []wire.Relation{port}
	}
	r.Attributes = r.Attributes.With(t.Attributes)
	return r
}

func (w *world) terminalRef(key string) wire.Ref {
	t := w.terminal(key)
	switch {
	case t == nil:
		return wire.Ref{}
	case t.AsRail:
		return wire.Ref{Kind: "rail_terminal", ID: t.ID}
	}
	return wire.Ref{Kind: "terminal", ID: t.ID}
}
