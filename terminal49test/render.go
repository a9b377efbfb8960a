package terminal49test

// render builds the resource a reference leads to; false if there is none.
func (w *world) render(r ref) (resource, bool) {
	switch r.kind {
	case "shipment":
		return rendered(w.shipments.get(r.id), w.renderShipment)
	case "container":
		return rendered(w.containers.get(r.id), w.renderContainer)
	case "tracking_request":
		return rendered(w.requests.get(r.id), w.renderRequest)
	case "transport_event":
		return rendered(w.events.get(r.id), w.renderEvent)
	case "raw_event":
		return rendered(w.rawEvents.get(r.id), w.renderRawEvent)
	case "shipping_line":
		return rendered(w.lines.get(r.id), w.renderLine)
	case "port":
		return rendered(w.ports.get(r.id), w.renderPort)
	case "metro_area":
		return rendered(w.metroAreas.get(r.id), w.renderMetroArea)
	case "terminal", "rail_terminal":
		return rendered(w.terminals.get(r.id), w.renderTerminal)
	case "vessel":
		return rendered(w.vessels.get(r.id), w.renderVessel)
	case "webhook":
		return rendered(w.webhooks.get(r.id), w.renderWebhook)
	case "webhook_notification":
		return rendered(w.notifications.get(r.id), w.renderNotification)
	case "estimated_event", "container_created_event", "container_updated_event", "container_pod_terminal_changed_event":
		return rendered(w.news.get(r.id), w.renderNews)
	case "party":
		return rendered(w.parties.get(r.id), w.renderParty)
	case "custom_field":
		return rendered(w.custom.values.get(r.id), w.renderCustomField)
	case "custom_field_definition":
		return rendered(w.custom.definitions.get(r.id), w.renderDefinition)
	case "custom_field_option":
		return w.renderOption(r.id)
	}
	return w.renderPaper(r)
}

func rendered[T any](row *T, render func(*T) resource) (resource, bool) {
	if row == nil {
		return resource{}, false
	}
	return render(row), true
}

// vesselRef and terminalRef turn what a test wrote (an id or a code) into the reference that goes out.
func (w *world) vesselRef(key string) ref {
	if v := w.vessel(key); v != nil {
		return ref{"vessel", v.ID}
	}
	return ref{}
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

func (w *world) renderLine(l *ShippingLine) resource {
	return resource{ref: ref{"shipping_line", l.ID}, attributes: object{
		{"scac", l.SCAC}, {"name", l.Name}, {"short_name", l.ShortName},
		{"alternative_scacs", nonNil(l.AlternativeSCACs)},
		{"bill_of_lading_tracking_support", l.TracksBillsOfLading},
		{"booking_number_tracking_support", l.TracksBookings},
		{"container_number_tracking_support", l.TracksContainers},
		{"provided_data", object{}}, {"tracking_url", nil}, {"contact_url", nil},
	}.with(l.Attributes)}
}

func (w *world) renderPort(p *Port) resource {
	var terminals []string
	for _, t := range w.terminals.all() {
		if t.Port != "" && w.port(t.Port) == p && !t.AsRail {
			terminals = append(terminals, t.ID)
		}
	}
	return resource{ref: ref{"port", p.ID}, attributes: object{
		{"id", p.ID}, {"name", p.Name}, {"code", p.Code}, {"state_abbr", orNull(p.StateAbbr)}, {"city", orNull(p.City)},
		{"country_code", p.CountryCode}, {"time_zone", orNull(p.TimeZone)},
		{"latitude", orNull(p.Latitude)}, {"longitude", orNull(p.Longitude)},
	}.with(p.Attributes), relations: []relation{toMany("terminals", "terminal", terminals)}}
}

func (w *world) renderMetroArea(m *MetroArea) resource {
	return resource{ref: ref{"metro_area", m.ID}, attributes: object{
		{"id", m.ID}, {"name", m.Name}, {"code", m.Code}, {"state_abbr", orNull(m.StateAbbr)},
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
		facility := t.Facility
		if facility == "" {
			facility = "ocean_terminal"
		}
		r.attributes = append(r.attributes,
			member{"smdg_code", nil}, member{"bic_facility_code", nil}, member{"street", orNull(t.Street)},
			member{"city", orNull(t.City)}, member{"state", orNull(t.State)}, member{"state_abbr", orNull(t.StateAbbr)},
			member{"zip", orNull(t.ZIP)}, member{"country", orNull(t.Country)},
			member{"facility_type", facility}, member{"provided_data", object{}})
		r.relations = []relation{port}
	}
	r.attributes = r.attributes.with(t.Attributes)
	return r
}

func (w *world) renderParty(p *Party) resource {
	return resource{ref: ref{"party", p.ID}, attributes: object{{"company_name", p.CompanyName}}.with(p.Attributes)}
}
