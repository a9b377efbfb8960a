package terminal49test

import "cmp"

// Port is a sea or inland port.
type Port struct {
	ID          string // "" generates one
	LOCODE      string // UN/LOCODE
	Name, City  string
	StateAbbr   string
	CountryCode string // two letters
	TimeZone    string // IANA name; "" means null
	// Latitude and Longitude are sent as strings, as by the live service; "" means null.
	Latitude, Longitude string
	Attributes          map[string]any
}

// MetroArea is an inland destination that is not a port, such as Chicago.
type MetroArea struct {
	ID                  string // "" generates one
	LOCODE              string // UN/LOCODE
	Name                string
	StateAbbr           string
	CountryCode         string
	TimeZone            string
	Latitude, Longitude string
	Attributes          map[string]any
}

// Terminal is an ocean terminal or, with FacilityType "rail", an inland ramp.
type Terminal struct {
	ID           string // "" generates one
	Name         string
	Nickname     string // short name, by which other structs can refer to it
	FIRMSCode    string
	Port         string // id or UN/LOCODE
	MetroArea    string // of a ramp without a port: id or UN/LOCODE
	FacilityType string // "ocean_terminal" or "rail"; "" means "ocean_terminal"
	// AsRail sends it as type rail_terminal, the old form; live ramps have type terminal.
	AsRail     bool
	Street     string
	City       string
	State      string
	StateAbbr  string
	Zip        string
	Country    string
	Attributes map[string]any
}

// AddPort adds a port and returns its id.
func (s *Server) AddPort(p Port) string {
	return withWorld(s, func(w *world) string {
		p.ID = w.identify(p.ID, "port")
		w.ports.put(p.ID, &p)
		return p.ID
	})
}

// AddMetroArea adds an inland destination and returns its id.
func (s *Server) AddMetroArea(m MetroArea) string {
	return withWorld(s, func(w *world) string {
		m.ID = w.identify(m.ID, "metro_area")
		w.metroAreas.put(m.ID, &m)
		return m.ID
	})
}

// AddTerminal adds a terminal or a ramp and returns its id.
func (s *Server) AddTerminal(t Terminal) string {
	return withWorld(s, func(w *world) string {
		t.ID = w.identify(t.ID, "terminal")
		w.terminals.put(t.ID, &t)
		return t.ID
	})
}

// UpdatePort changes a port in place and reports whether the id exists.
func (s *Server) UpdatePort(id string, change func(*Port)) bool {
	return withWorld(s, func(w *world) bool { return updateRow(&w.ports, id, change) })
}

// The self link of a place repeats the requested id or UN/LOCODE.

func (x *exchange) getPort() reply {
	p := x.w.port(x.args["id"])
	if p == nil {
		return notFound()
	}
	return x.one(200, ref{"port", p.ID})
}

func (x *exchange) getMetroArea() reply {
	m := x.w.metroArea(x.args["id"])
	if m == nil {
		return notFound()
	}
	return x.one(200, ref{"metro_area", m.ID})
}

// getTerminal accepts only ids: the service does not find terminals by nickname.
func (x *exchange) getTerminal() reply { return x.one(200, ref{"terminal", x.args["id"]}) }

// place holds the common fields of ports and metro areas.
type place struct {
	ref            ref
	code, name, tz string
}

func (w *world) place(key string) place {
	if p := w.port(key); p != nil {
		return place{ref{"port", p.ID}, p.LOCODE, p.Name, p.TimeZone}
	}
	if m := w.metroArea(key); m != nil {
		return place{ref{"metro_area", m.ID}, m.LOCODE, m.Name, m.TimeZone}
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

func (w *world) renderPort(p *Port) resource {
	var terminals []string
	for _, t := range w.terminals.all() {
		if t.Port != "" && w.port(t.Port) == p && !t.AsRail {
			terminals = append(terminals, t.ID)
		}
	}
	return resource{ref: ref{"port", p.ID}, attributes: object{
		{"id", p.ID}, {"name", p.Name}, {"code", p.LOCODE}, {"state_abbr", orNull(p.StateAbbr)}, {"city", orNull(p.City)},
		{"country_code", p.CountryCode}, {"time_zone", orNull(p.TimeZone)},
		{"latitude", orNull(p.Latitude)}, {"longitude", orNull(p.Longitude)},
	}.with(p.Attributes), relations: []relation{toMany("terminals", "terminal", terminals)}}
}

func (w *world) renderMetroArea(m *MetroArea) resource {
	return resource{ref: ref{"metro_area", m.ID}, attributes: object{
		{"id", m.ID}, {"name", m.Name}, {"code", m.LOCODE}, {"state_abbr", orNull(m.StateAbbr)},
		{"country_code", m.CountryCode}, {"time_zone", orNull(m.TimeZone)},
		{"latitude", orNull(m.Latitude)}, {"longitude", orNull(m.Longitude)},
	}.with(m.Attributes)}
}

func (w *world) renderTerminal(t *Terminal) resource {
	r := resource{ref: w.terminalRef(t.ID)}
	r.attributes = object{{"id", t.ID}, {"name", t.Name}, {"nickname", t.Nickname}, {"firms_code", orNull(t.FIRMSCode)}}
	port := relation{name: "port", one: w.place(t.Port).ref}
	if t.AsRail {
		r.attributes = append(r.attributes, member{"city", orNull(t.City)})
		r.relations = []relation{port, {name: "metro_area", one: w.place(t.MetroArea).ref}}
	} else {
		facility := t.FacilityType
		if facility == "" {
			facility = "ocean_terminal"
		}
		r.attributes = append(r.attributes,
			member{"smdg_code", nil}, member{"bic_facility_code", nil}, member{"street", orNull(t.Street)},
			member{"city", orNull(t.City)}, member{"state", orNull(t.State)}, member{"state_abbr", orNull(t.StateAbbr)},
			member{"zip", orNull(t.Zip)}, member{"country", orNull(t.Country)},
			member{"facility_type", facility}, member{"provided_data", object{}})
		r.relations = []relation{port}
	}
	r.attributes = r.attributes.with(t.Attributes)
	return r
}

func (w *world) terminalRef(key string) ref {
	t := w.terminal(key)
	switch {
	case t == nil:
		return ref{}
	case t.AsRail:
		return ref{"rail_terminal", t.ID}
	}
	return ref{"terminal", t.ID}
}
