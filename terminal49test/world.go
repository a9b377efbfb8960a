package terminal49test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// world is everything the simulated service knows. The server's lock guards it.
type world struct {
	agenda
	webhookWorld
	ids     *ids
	clock   func() time.Time
	account string // id of the account behind the token
	user    string // id of the user behind the token

	trackingDelay time.Duration
	journeys      map[string]Journey // by number, upper case

	lines       table[ShippingLine]
	ports       table[Port]
	metroAreas  table[MetroArea]
	terminals   table[Terminal]
	vessels     table[Vessel]
	parties     table[Party]
	custom      customFields
	papers      papers
	shipments   table[Shipment]
	containers  table[Container]
	requests    table[TrackingRequest]
	requestsOf  byNumber[TrackingRequest] // with any that an addition under the same id replaced
	shipmentsOf byNumber[Shipment]        // likewise
	events      table[TransportEvent]
	rawEvents   table[RawEvent]
	containerOf map[string][]string // shipment id -> container ids
	eventsOf    map[string][]string // container id -> transport event ids
	rawEventsOf map[string][]string // container id -> raw event ids
	polled      map[string]bool     // ids of shipments on a journey: whether their next look is planned
}

func newWorld(seed int64, clock func() time.Time) *world {
	w := &world{
		ids: newIDs(seed), clock: clock, journeys: map[string]Journey{},
		containerOf: map[string][]string{}, eventsOf: map[string][]string{}, rawEventsOf: map[string][]string{},
		polled: map[string]bool{}, requestsOf: byNumber[TrackingRequest]{}, shipmentsOf: byNumber[Shipment]{},
	}
	w.account, w.user = w.ids.next("account"), w.ids.next("user")
	return w
}

func (w *world) now() time.Time { return w.clock().UTC().Truncate(time.Second) }

// The finders below take an id or the code people use, and give nil for one nobody has heard of.

func (w *world) line(key string) *ShippingLine {
	if l := w.lines.get(key); l != nil || key == "" {
		return l
	}
	return w.lines.find(func(l *ShippingLine) bool {
		return l.SCAC == key || slices.Contains(l.AlternativeSCACs, key)
	})
}

func (w *world) port(key string) *Port {
	if p := w.ports.get(key); p != nil || key == "" {
		return p
	}
	return w.ports.find(func(p *Port) bool { return p.Code == key })
}

func (w *world) metroArea(key string) *MetroArea {
	if m := w.metroAreas.get(key); m != nil || key == "" {
		return m
	}
	return w.metroAreas.find(func(m *MetroArea) bool { return m.Code == key })
}

func (w *world) terminal(key string) *Terminal {
	if t := w.terminals.get(key); t != nil || key == "" {
		return t
	}
	return w.terminals.find(func(t *Terminal) bool { return t.Nickname == key })
}

func (w *world) vessel(key string) *Vessel {
	if v := w.vessels.get(key); v != nil || key == "" {
		return v
	}
	return w.vessels.find(func(v *Vessel) bool { return v.IMO == key })
}

// place is what ports and metro areas have in common.
type place struct {
	ref            ref
	code, name, tz string
}

func (w *world) place(key string) place {
	if p := w.port(key); p != nil {
		return place{ref{"port", p.ID}, p.Code, p.Name, p.TimeZone}
	}
	if m := w.metroArea(key); m != nil {
		return place{ref{"metro_area", m.ID}, m.Code, m.Name, m.TimeZone}
	}
	return place{}
}

// terminalPlace is where a terminal stands.
func (w *world) terminalPlace(key string) place {
	t := w.terminal(key)
	if t == nil {
		return place{}
	}
	return w.place(cmp.Or(t.Port, t.MetroArea))
}

// inland tells whether the shipment goes on by rail: its destination is not the port of discharge.
func (w *world) inland(s *Shipment) bool {
	return s != nil && s.Destination != "" && w.place(s.Destination).ref != w.place(s.PortOfDischarge).ref
}

// pickupFacility is the terminal where the importer gets the box.
func (w *world) pickupFacility(c *Container) string {
	s := w.shipments.get(c.Shipment)
	switch {
	case c.PickupFacility != "":
		return c.PickupFacility
	case w.inland(s):
		return s.DestinationTerminal
	}
	return w.podTerminal(c)
}

func (w *world) podTerminal(c *Container) string {
	if s := w.shipments.get(c.Shipment); c.PODTerminal == "" && s != nil {
		return s.PODTerminal
	}
	return c.PODTerminal
}

func (w *world) addShipment(s Shipment) string {
	s.ID = w.identify(s.ID, "shipment")
	s.CreatedAt = w.orNow(s.CreatedAt)
	if s.NormalizedNumber == "" {
		s.NormalizedNumber = strings.TrimPrefix(s.Number, s.ShippingLine)
	}
	s.RefNumbers, s.Tags, s.Attributes = slices.Clone(s.RefNumbers), slices.Clone(s.Tags), maps.Clone(s.Attributes)
	w.shipments.put(s.ID, &s)
	w.shipmentsOf.renumbered(&s, "", s.Number)
	return s.ID
}

func (w *world) addContainer(c Container) string {
	c.ID = w.identify(c.ID, "container")
	c.CreatedAt = w.orNow(c.CreatedAt)
	c.CurrentStatus = cmp.Or(c.CurrentStatus, "new")
	c = c.clone()
	w.containers.put(c.ID, &c)
	w.containerOf[c.Shipment] = append(w.containerOf[c.Shipment], c.ID)
	w.tellNews("container.created", news{kind: "container_created_event", at: c.CreatedAt, shipment: c.Shipment, container: c.ID})
	return c.ID
}

func (w *world) addEvent(e TransportEvent) string {
	e.ID = w.identify(e.ID, "transport_event")
	e.CreatedAt = w.orNow(e.CreatedAt)
	if c := w.containers.get(e.Container); c != nil && e.Shipment == "" {
		e.Shipment = c.Shipment
	}
	e.DataSource = cmp.Or(e.DataSource, "shipping_line")
	e.Attributes = maps.Clone(e.Attributes)
	w.events.put(e.ID, &e)
	w.eventsOf[e.Container] = append(w.eventsOf[e.Container], e.ID)
	w.tell(e.Event, e.CreatedAt, ref{"transport_event", e.ID})
	return e.ID
}

func (w *world) addRawEvent(e RawEvent) string {
	e.ID = w.identify(e.ID, "raw_event")
	e.CreatedAt = w.orNow(e.CreatedAt)
	e.Attributes = maps.Clone(e.Attributes)
	w.rawEvents.put(e.ID, &e)
	w.rawEventsOf[e.Container] = append(w.rawEventsOf[e.Container], e.ID)
	return e.ID
}

func (w *world) identify(id, kind string) string {
	if id != "" {
		return id
	}
	return w.ids.next(kind)
}

func (w *world) orNow(t time.Time) time.Time {
	if t.IsZero() {
		return w.now()
	}
	return t
}

func (c Container) clone() Container {
	c.RefNumbers, c.Holds, c.Fees = slices.Clone(c.RefNumbers), slices.Clone(c.Holds), slices.Clone(c.Fees)
	c.Attributes = maps.Clone(c.Attributes)
	if c.AvailableForPickup != nil {
		c.AvailableForPickup = Bool(*c.AvailableForPickup)
	}
	return c
}
