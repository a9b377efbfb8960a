package terminal49test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// TransportEvent is a milestone, an estimate or a change of a deadline.
type TransportEvent struct {
	ID        string    `json:"id,omitzero"`        // "" generates one
	Event     string    `json:"event,omitzero"`     // such as "container.transport.vessel_loaded"
	Container string    `json:"container,omitzero"` // container id
	Shipment  string    `json:"shipment,omitzero"`  // "" means the container's
	Timestamp time.Time `json:"timestamp,omitzero"`
	CreatedAt time.Time `json:"created_at,omitzero"` // zero means now
	// Location is the id or UN/LOCODE of a port or metro area; "" means unknown, also for the time
	// zone.
	Location     string `json:"location,omitzero"`
	Terminal     string `json:"terminal,omitzero"` // id or nickname
	Vessel       string `json:"vessel,omitzero"`   // id or IMO number
	VoyageNumber string `json:"voyage_number,omitzero"`
	DataSource   string `json:"data_source,omitzero"` // "" means "shipping_line"
	Value        string `json:"value,omitzero"`       // of a deadline or appointment: its new time

	ValueTimestamp  time.Time      `json:"value_timestamp,omitzero"`
	InvalidatedAt   time.Time      `json:"invalidated_at,omitzero"`
	SourceEvent     string         `json:"source_event,omitzero"`     // ids
	PreviousVersion string         `json:"previous_version,omitzero"` // ids
	Attributes      map[string]any `json:"attributes,omitzero"`
}

// RawEvent is an event in the carrier's own feed, which the service has deprecated.
type RawEvent struct {
	ID            string         `json:"id,omitzero"`             // "" generates one
	Event         string         `json:"event,omitzero"`          // short name such as "vessel_loaded"; "" means null
	OriginalEvent string         `json:"original_event,omitzero"` // the carrier's wording
	Container     string         `json:"container,omitzero"`      // container id
	Timestamp     time.Time      `json:"timestamp,omitzero"`
	Estimated     bool           `json:"estimated,omitzero"`
	CreatedAt     time.Time      `json:"created_at,omitzero"`    // zero means now
	Location      string         `json:"location,omitzero"`      // as in TransportEvent
	LocationName  string         `json:"location_name,omitzero"` // "" means the location's name
	Terminal      string         `json:"terminal,omitzero"`
	Vessel        string         `json:"vessel,omitzero"`
	VoyageNumber  string         `json:"voyage_number,omitzero"`
	InvalidatedAt time.Time      `json:"invalidated_at,omitzero"`
	Attributes    map[string]any `json:"attributes,omitzero"`
}

// AddTransportEvent adds an event to its container and returns its id.
func (s *Server) AddTransportEvent(e TransportEvent) string {
	return withWorld(s, func(w *world) string { return w.addEvent(e) })
}

// AddRawEvent adds a raw event to its container and returns its id.
func (s *Server) AddRawEvent(e RawEvent) string {
	return withWorld(s, func(w *world) string { return w.addRawEvent(e) })
}

func (w *world) addEvent(e TransportEvent) string {
	e.ID = w.identify(e.ID, "transport_event")
	e.CreatedAt = w.orNow(e.CreatedAt)
	if c := w.containers.Own(e.Container); c != nil {
		e.Shipment, c.updatedAt = cmp.Or(e.Shipment, c.Shipment), laterOf(c.updatedAt, e.CreatedAt)
	}
	e.DataSource = cmp.Or(e.DataSource, "shipping_line")
	e.Attributes = maps.Clone(e.Attributes)
	w.events.Put(e.ID, &e)
	w.eventsOf[e.Container] = append(w.eventsIn(e.Container), e.ID)
	w.notify(e.Event, e.CreatedAt, wire.Ref{Kind: "transport_event", ID: e.ID})
	return e.ID
}

func (w *world) addRawEvent(e RawEvent) string {
	e.ID = w.identify(e.ID, "raw_event")
	e.CreatedAt = w.orNow(e.CreatedAt)
	e.Attributes = maps.Clone(e.Attributes)
	w.rawEvents.Put(e.ID, &e)
	w.rawEventsOf[e.Container] = append(w.rawEventsOf[e.Container], e.ID)
	return e.ID
}

// listTransportEvents returns the events unsorted, as the service does.
func (x *exchange) listTransportEvents() service.Reply {
	rows, ok := x.eventsOf("transport_event", x.w.eventsIn(x.Args["id"]))
	if !ok {
		return service.NotFound()
	}
	slices.SortFunc(rows, func(a, b wire.Ref) int { return strings.Compare(a.ID, b.ID) })
	doc, failure := x.list(rows)
	if failure != nil {
		return *failure
	}
	return service.JSONReply(200, append(doc, wire.Member{"links", wire.Object{{"self", x.Self()}, {"current", x.Self()}}}))
}

// listRawEvents always includes places, terminals and vessels, and has neither links nor meta.
func (x *exchange) listRawEvents() service.Reply {
	rows, ok := x.eventsOf("raw_event", x.w.rawEventsOf[x.Args["id"]])
	if !ok {
		return service.NotFound()
	}
	data := []wire.Resource{}
	for _, r := range rows {
		if res, ok := x.render(r); ok {
			data = append(data, res)
		}
	}
	included := x.collect(data, []string{"vessel", "location", "terminal"})
	return service.JSONReply(200, wire.Object{{"data", data}, {"included", included}})
}

// eventsOf returns references to events, and false if there is no such container.
func (x *exchange) eventsOf(kind string, ids []string) ([]wire.Ref, bool) {
	if x.w.containers.Get(x.Args["id"]) == nil {
		return nil, false
	}
	return wire.ToMany("", kind, ids).Many, true
}

func (w *world) renderEvent(e *TransportEvent) wire.Resource {
	at := w.place(e.Location)
	return wire.Resource{
		Ref: wire.Ref{Kind: "transport_event", ID: e.ID},
		Attributes: wire.Object{
			{"event", e.Event}, {"created_at", e.CreatedAt}, {"voyage_number", wire.OrNull(e.VoyageNumber)}, {"timestamp", e.Timestamp},
			{"data_source", e.DataSource}, {"location_locode", wire.OrNull(at.code)}, {"timezone", wire.OrNull(w.zoneAt(e.Location, e.Terminal))},
			{"value", wire.OrNull(e.Value)}, {"value_timestamp", e.ValueTimestamp}, {"invalidated_at", e.InvalidatedAt},
		}.With(e.Attributes),
		Relations: []wire.Relation{
			wire.ToOne("shipment", "shipment", e.Shipment), wire.ToOne("container", "container", e.Container),
			{Name: "vessel", One: w.vesselRef(e.Vessel)}, {Name: "location", One: at.ref},
			{Name: "terminal", One: w.terminalRef(e.Terminal)}, wire.ToOne("source_event", "raw_event", e.SourceEvent),
			wire.ToOne("previous_version", "transport_event", e.PreviousVersion),
		},
	}
}

func (w *world) renderRawEvent(e *RawEvent) wire.Resource {
	at := w.place(e.Location)
	vessel := cmp.Or(w.vessel(e.Vessel), &Vessel{})
	index := 0
	for i, id := range w.rawEventsOf[e.Container] {
		if id == e.ID {
			index = i
		}
	}
	var actual, estimated time.Time
	if e.Estimated {
		estimated = e.Timestamp
	} else {
		actual = e.Timestamp
	}
	line := cmp.Or(w.shippingLineOf(e.Container), &ShippingLine{})
	return wire.Resource{
		Ref: wire.Ref{Kind: "raw_event", ID: e.ID},
		Attributes: wire.Object{
			{"event", wire.OrNull(e.Event)}, {"original_event", wire.OrNull(e.OriginalEvent)}, {"timestamp", e.Timestamp},
			{"estimated", e.Estimated}, {"actual_on", dateOnly(actual)}, {"estimated_on", dateOnly(estimated)},
			{"actual_at", actual}, {"estimated_at", estimated}, {"will_occur_at", nil},
			{"invalidated_at", e.InvalidatedAt}, {"timezone", wire.OrNull(at.tz)}, {"created_at", e.CreatedAt},
			{"location_name", wire.OrNull(cmp.Or(e.LocationName, at.name))}, {"location_locode", wire.OrNull(at.code)},
			{"vessel_name", wire.OrNull(vessel.Name)}, {"vessel_imo", wire.OrNull(vessel.IMO)}, {"voyage_number", wire.OrNull(e.VoyageNumber)},
			{"index", index}, {"data_source", "shipping_line"}, {"data_provider_name", line.ShortName},
			{"data_provider_code", line.SCAC},
		}.With(e.Attributes),
		Relations: []wire.Relation{
			{Name: "location", One: at.ref}, {Name: "vessel", One: w.vesselRef(e.Vessel)},
			wire.ToOne("container", "container", e.Container), {Name: "terminal", One: w.terminalRef(e.Terminal)},
		},
	}
}

func (w *world) shippingLineOf(container string) *ShippingLine {
	if c := w.containers.Get(container); c != nil {
		if s := w.shipments.Get(c.Shipment); s != nil {
			return w.line(s.ShippingLine)
		}
	}
	return nil
}

// dateOnly is a date without a time; nil for a zero time.
func dateOnly(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(time.DateOnly)
}

// rawEventName is the short name of an event in the carrier's feed, "" if carriers do not report
// it.
func rawEventName(event string) string {
	name, milestone := strings.CutPrefix(event, "container.transport.")
	switch {
	case !milestone:
		return ""
	case name == "arrived_at_inland_destination":
		return "arrived_at_destination"
	case strings.HasPrefix(name, "transshipment_"), strings.HasPrefix(name, "feeder_"), strings.HasPrefix(name, "rail_"):
		return name
	}
	reported := []string{
		"empty_out", "full_in", "vessel_loaded", "vessel_departed", "vessel_arrived", "vessel_discharged", "full_out",
		"empty_in", "delivered",
	}
	if slices.Contains(reported, name) {
		return name
	}
	return ""
}

// originalEventText is an event in a carrier's wording.
func originalEventText(raw string) string {
	switch raw {
	case "empty_out":
		return "Gate out empty"
	case "full_in":
		return "Gate in full"
	case "full_out":
		return "Gate out full"
	case "empty_in":
		return "Gate in empty"
	}
	words := strings.ReplaceAll(raw, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}
