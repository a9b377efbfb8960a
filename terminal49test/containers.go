package terminal49test

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// Container is one container on one journey.
type Container struct {
	ID               string    `json:"id,omitzero"` // "" generates one
	Number           string    `json:"number,omitzero"`
	Shipment         string    `json:"shipment,omitzero"`   // shipment id; "" for none
	CreatedAt        time.Time `json:"created_at,omitzero"` // zero means now
	ReferenceNumbers []string  `json:"ref_numbers,omitzero"`
	SealNumber       string    `json:"seal_number,omitzero"`

	EquipmentType   string  `json:"equipment_type,omitzero"`   // "dry", "reefer", "open top" ...
	EquipmentLength int     `json:"equipment_length,omitzero"` // feet; 0 means null
	EquipmentHeight string  `json:"equipment_height,omitzero"` // "standard", "high_cube"
	WeightPounds    float64 `json:"weight_in_lbs,omitzero"`

	CurrentStatus string `json:"current_status,omitzero"` // "" means "available" if it is available, else "new"
	// AvailabilityKnown is sent as availability_known; nil means whether AvailableForPickup is set.
	// False means that AvailableForPickup means nothing.
	AvailabilityKnown  *bool  `json:"availability_known,omitzero"`
	AvailableForPickup *bool  `json:"available_for_pickup,omitzero"` // nil means null: not known
	Holds              []Hold `json:"holds_at_pod_terminal,omitzero"`
	Fees               []Fee  `json:"fees_at_pod_terminal,omitzero"`

	// ImportDeadlines.PickupLFD is sent as pickup_lfd.
	ImportDeadlines         Deadlines `json:"import_deadlines,omitzero"`
	PickupAppointmentAt     time.Time `json:"pickup_appointment_at,omitzero"`
	LocationAtPODTerminal   string    `json:"location_at_pod_terminal,omitzero"`
	PODFullOutChassisNumber string    `json:"pod_full_out_chassis_number,omitzero"`
	PODTerminal             string    `json:"pod_terminal,omitzero"` // id or nickname; "" means the shipment's
	// PickupFacility is an id or a nickname; "" means the inland terminal, or else the port
	// terminal.
	PickupFacility string `json:"pickup_facility,omitzero"`

	EmptyOutAt                time.Time      `json:"empty_out_at,omitzero"`
	POLFullInAt               time.Time      `json:"pol_full_in_at,omitzero"`
	POLVesselLoadedAt         time.Time      `json:"pol_vessel_loaded_at,omitzero"`
	POLVesselDepartedAt       time.Time      `json:"pol_vessel_departed_at,omitzero"`
	PODArrivedAt              time.Time      `json:"pod_arrived_at,omitzero"`
	PODDischargedAt           time.Time      `json:"pod_discharged_at,omitzero"`
	PODFullOutAt              time.Time      `json:"pod_full_out_at,omitzero"`
	PODRailLoadedAt           time.Time      `json:"pod_rail_loaded_at,omitzero"`
	PODRailDepartedAt         time.Time      `json:"pod_rail_departed_at,omitzero"`
	INDETA                    time.Time      `json:"ind_eta_at,omitzero"`
	INDATA                    time.Time      `json:"ind_ata_at,omitzero"`
	INDRailUnloadedAt         time.Time      `json:"ind_rail_unloaded_at,omitzero"`
	FinalDestinationFullOutAt time.Time      `json:"final_destination_full_out_at,omitzero"`
	DeliveredAt               time.Time      `json:"delivered_at,omitzero"`
	EmptyTerminatedAt         time.Time      `json:"empty_terminated_at,omitzero"`
	TerminalCheckedAt         time.Time      `json:"terminal_checked_at,omitzero"` // zero means now, if the availability is known
	TerminalLastRequestedAt   time.Time      `json:"pod_last_tracking_request_at,omitzero"`
	LineLastRequestedAt       time.Time      `json:"shipment_last_tracking_request_at,omitzero"`
	RailLastRequestedAt       time.Time      `json:"rail_last_tracking_request_at,omitzero"`
	PODRailCarrierSCAC        string         `json:"pod_rail_carrier_scac,omitzero"`
	INDRailCarrierSCAC        string         `json:"ind_rail_carrier_scac,omitzero"`
	EmptyTerminatedTimezone   string         `json:"empty_terminated_timezone,omitzero"`
	Attributes                map[string]any `json:"attributes,omitzero"`

	updatedAt time.Time // of the last change other than a poll
}

// Hold is one item of holds_at_pod_terminal. The list does not contain cleared holds.
type Hold struct {
	Name        string `json:"name"`                 // "freight", "customs", "USDA", "VACIS", "TMF", "line" or "other"
	Status      string `json:"status,omitzero"`      // "hold" or "pending"; "" means "hold"
	Description string `json:"description,omitzero"` // the terminal's wording; "" means null
	// Attributes are further members, such as "detail", which the service does not document.
	Attributes map[string]any `json:"attributes,omitzero"`
}

// Fee is one item of fees_at_pod_terminal.
type Fee struct {
	Type         string  `json:"type"`                   // "demurrage", "extended_dwell_time", "exam", "total" or "other"
	Amount       float64 `json:"amount,omitzero"`        // 0: the fee applies, its amount is not posted yet
	CurrencyCode string  `json:"currency_code,omitzero"` // ISO 4217; "" means "USD"
}

// Deadlines are the last free days by source, each as an instant: usually midnight at the place,
// which for the line is the port of discharge or the destination. A railroad's can be noon.
type Deadlines struct {
	Line     time.Time `json:"pickup_lfd_line,omitzero"`
	Terminal time.Time `json:"pickup_lfd_terminal,omitzero"`
	Rail     time.Time `json:"pickup_lfd_rail,omitzero"`
	// Attributes are further members of import_deadlines, such as "pod".
	Attributes map[string]any `json:"attributes,omitzero"`
}

// PickupLFD returns the day that is sent as pickup_lfd: the first one set of Line, Terminal and
// Rail, which need not be the earliest.
func (d Deadlines) PickupLFD() time.Time {
	for _, t := range []time.Time{d.Line, d.Terminal, d.Rail} {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// Bool returns a pointer to b, for fields where nil is null.
func Bool(b bool) *bool { return &b }

// AddContainer adds a container to its shipment and returns its id.
func (s *Server) AddContainer(c Container) string {
	return withWorld(s, func(w *world) string { return w.addContainer(c) })
}

// UpdateContainer changes a container in place and reports whether the id exists. If change sets
// AvailableForPickup alone, the availability is known and checked from then on, and the status
// "new" of a container that is available becomes "available".
func (s *Server) UpdateContainer(id string, change func(*Container)) bool {
	change = calling(s, change)
	return withWorld(s, func(w *world) bool {
		return updateRow(&w.containers, id, func(c *Container) {
			was, before := c.Shipment, *c
			w.notifyChanges(w.shipments.Get(was), c, w.now(), func() {
				change(c)
				if c.AvailableForPickup != before.AvailableForPickup {
					c.report(&before)
				}
				c.checkedIfKnown(w.now())
			})
			if c.Shipment != was {
				w.setContainers(was, without(w.containersOf(was), id))
				w.setContainers(c.Shipment, append(w.containersOf(c.Shipment), id))
				delete(w.merged.origin, id)
			}
		})
	})
}

// ContainerID returns the id of the container with a number that was added last, and whether there
// is one. It does not know synthetic containers.
func (s *Server) ContainerID(number string) (id string, ok bool) {
	number = normalizeNumber(number)
	ok = readWorld(s, func(w *world) bool {
		for c := range w.containers.InMemory() {
			if normalizeNumber(c.Number) == number {
				id = c.ID
			}
		}
		return id != ""
	})
	return id, ok
}

// Container returns a copy of a container and whether the id exists.
func (s *Server) Container(id string) (c Container, ok bool) {
	ok = readWorld(s, func(w *world) bool {
		return readRow(&w.containers, id, func(found *Container) { c = found.clone() })
	})
	return c, ok
}

func (w *world) addContainer(c Container) string {
	c.ID = w.identify(c.ID, "container")
	c.CreatedAt = w.orNow(c.CreatedAt)
	if c.CurrentStatus == "" && c.isAvailable() {
		c.CurrentStatus = "available"
	}
	c.CurrentStatus = cmp.Or(c.CurrentStatus, "new")
	c.checkedIfKnown(w.now())
	c = c.clone()
	w.replaces(wire.Ref{Kind: "container", ID: c.ID}, w.containers.Get(c.ID) != nil)
	w.containers.Put(c.ID, &c)
	w.setContainers(c.Shipment, append(w.containersOf(c.Shipment), c.ID))
	w.notifyChange("container.created", changeEvent{kind: "container_created_event", at: c.CreatedAt, shipment: c.Shipment, container: c.ID})
	return c.ID
}

func (c Container) clone() Container {
	c.ReferenceNumbers, c.Holds, c.Fees = slices.Clone(c.ReferenceNumbers), slices.Clone(c.Holds), slices.Clone(c.Fees)
	c.Attributes, c.ImportDeadlines.Attributes = maps.Clone(c.Attributes), maps.Clone(c.ImportDeadlines.Attributes)
	for i := range c.Holds {
		c.Holds[i].Attributes = maps.Clone(c.Holds[i].Attributes)
	}
	if c.AvailableForPickup != nil {
		c.AvailableForPickup = Bool(*c.AvailableForPickup)
	}
	if c.AvailabilityKnown != nil {
		c.AvailabilityKnown = Bool(*c.AvailabilityKnown)
	}
	return c
}

func (c *Container) isAvailabilityKnown() bool {
	if c.AvailabilityKnown != nil {
		return *c.AvailabilityKnown
	}
	return c.AvailableForPickup != nil
}

func (c *Container) isAvailable() bool {
	return c.isAvailabilityKnown() && c.AvailableForPickup != nil && *c.AvailableForPickup
}

// report has the availability that was set be known, checked now and not denied by the status,
// where these were not set with it.
func (c *Container) report(before *Container) {
	if c.AvailabilityKnown == before.AvailabilityKnown {
		c.AvailabilityKnown = nil
	}
	if c.TerminalCheckedAt.Equal(before.TerminalCheckedAt) {
		c.TerminalCheckedAt = time.Time{}
	}
	if c.CurrentStatus == "new" && before.CurrentStatus == "new" && c.isAvailable() {
		c.CurrentStatus = "available"
	}
}

// checkedIfKnown sets when the terminal was checked, which reported the availability.
func (c *Container) checkedIfKnown(at time.Time) {
	if c.TerminalCheckedAt.IsZero() && c.isAvailabilityKnown() {
		c.TerminalCheckedAt = at
	}
}

// markChecked sets when the sources were last polled: the terminal only after the vessel's arrival.
func (c *Container) markChecked(at time.Time) {
	c.LineLastRequestedAt = laterOf(c.LineLastRequestedAt, at)
	if landed := !c.PODArrivedAt.IsZero() || !c.PODDischargedAt.IsZero(); landed && c.EmptyTerminatedAt.IsZero() {
		c.TerminalCheckedAt = laterOf(c.TerminalCheckedAt, at)
		c.TerminalLastRequestedAt = c.TerminalCheckedAt
	}
}

// pickupFacility returns the terminal where the container is picked up.
func (w *world) pickupFacility(c *Container) string {
	s := w.shipments.Get(c.Shipment)
	switch {
	case c.PickupFacility != "":
		return c.PickupFacility
	case w.isInland(s):
		return s.DestinationTerminal
	}
	return w.podTerminal(c)
}

func (w *world) podTerminal(c *Container) string {
	if s := w.shipments.Get(c.Shipment); c.PODTerminal == "" && s != nil {
		return s.PODTerminal
	}
	return c.PODTerminal
}

func (x *exchange) getContainer() service.Reply {
	return x.one(200, wire.Ref{Kind: "container", ID: x.Args["id"]})
}

// updateContainer takes the id from the path or else from the body: the service documents both
// forms.
func (x *exchange) updateContainer() service.Reply {
	id := cmp.Or(x.Args["id"], x.Data.ID)
	if id == "" {
		x.Violate("data.id is required, because the path has no container id")
		return *service.Unprocessable("/data/id", "The container is not named.")
	}
	c := x.w.containers.Own(id)
	if c == nil {
		return service.NotFound()
	}
	x.Attribute("ref_numbers", &c.ReferenceNumbers)
	c.updatedAt = x.Now
	return x.one(200, wire.Ref{Kind: "container", ID: id})
}

func (x *exchange) refreshContainer() service.Reply {
	if !x.s.config.refresh {
		return notEnabled()
	}
	c := x.w.containers.Own(x.Args["id"])
	if c == nil {
		return service.NotFound()
	}
	sources := "Shipping line, Terminal"
	c.LineLastRequestedAt, c.TerminalLastRequestedAt = x.Now, x.Now
	if s := x.w.shipments.Get(c.Shipment); x.w.isInland(s) {
		sources += ", Rail"
		c.RailLastRequestedAt = x.Now
	}
	return service.JSONReply(200, wire.Object{{"message", "Started refresh for " + sources}})
}

func (w *world) renderContainer(c *Container) wire.Resource {
	s := cmp.Or(w.shipments.Get(c.Shipment), noShipment)
	var finalZone string
	if w.isInland(s) {
		finalZone = w.zoneAt(s.Destination, w.pickupFacility(c))
	}
	var length any
	if c.EquipmentLength != 0 {
		length = c.EquipmentLength
	}
	return wire.Resource{
		Ref: wire.Ref{Kind: "container", ID: c.ID},
		Attributes: wire.Object{
			{"number", c.Number}, {"ref_numbers", wire.NonNil(c.ReferenceNumbers)}, {"seal_number", wire.OrNull(c.SealNumber)},
			{"created_at", c.CreatedAt}, {"equipment_type", wire.OrNull(c.EquipmentType)}, {"equipment_length", length},
			{"equipment_height", wire.OrNull(c.EquipmentHeight)}, {"weight_in_lbs", c.WeightPounds},
			{"current_status", c.CurrentStatus}, {"availability_known", c.isAvailabilityKnown()},
			{"available_for_pickup", c.AvailableForPickup},
			{"holds_at_pod_terminal", renderHolds(c.Holds)}, {"fees_at_pod_terminal", renderFees(c.Fees)},
			{"pickup_lfd", c.ImportDeadlines.PickupLFD()}, {"pickup_appointment_at", c.PickupAppointmentAt},
			{"import_deadlines", wire.Object{
				{"pickup_lfd_terminal", c.ImportDeadlines.Terminal}, {"pickup_lfd_rail", c.ImportDeadlines.Rail},
				{"pickup_lfd_line", c.ImportDeadlines.Line},
			}.With(c.ImportDeadlines.Attributes)},
			{"location_at_pod_terminal", wire.OrNull(c.LocationAtPODTerminal)}, {"pod_full_out_chassis_number", wire.OrNull(c.PODFullOutChassisNumber)},
			{"empty_out_at", c.EmptyOutAt}, {"pol_full_in_at", c.POLFullInAt},
			{"pol_vessel_loaded_at", c.POLVesselLoadedAt}, {"pol_vessel_departed_at", c.POLVesselDepartedAt},
			{"pod_arrived_at", c.PODArrivedAt}, {"pod_discharged_at", c.PODDischargedAt},
			{"pod_full_out_at", c.PODFullOutAt}, {"pod_rail_carrier_scac", wire.OrNull(c.PODRailCarrierSCAC)},
			{"pod_rail_loaded_at", c.PODRailLoadedAt}, {"pod_rail_departed_at", c.PODRailDepartedAt},
			{"ind_rail_carrier_scac", wire.OrNull(c.INDRailCarrierSCAC)}, {"ind_eta_at", c.INDETA}, {"ind_ata_at", c.INDATA},
			{"ind_rail_unloaded_at", c.INDRailUnloadedAt}, {"ind_facility_lfd_on", c.ImportDeadlines.Rail},
			{"ind_facility_holds", nil}, {"ind_facility_fees", nil}, {"ssl_lfd", nil},
			{"final_destination_full_out_at", c.FinalDestinationFullOutAt}, {"delivered_at", c.DeliveredAt},
			{"empty_terminated_at", c.EmptyTerminatedAt},
			{"pod_timezone", wire.OrNull(w.zoneAt(s.PortOfDischarge, w.podTerminal(c)))}, {"final_destination_timezone", wire.OrNull(finalZone)},
			{"empty_terminated_timezone", wire.OrNull(c.EmptyTerminatedTimezone)},
			{"terminal_checked_at", c.TerminalCheckedAt}, {"pod_last_tracking_request_at", c.TerminalLastRequestedAt},
			{"shipment_last_tracking_request_at", c.LineLastRequestedAt},
			{"rail_last_tracking_request_at", c.RailLastRequestedAt},
		}.With(c.Attributes),
		Relations: []wire.Relation{
			wire.ToOne("shipment", "shipment", c.Shipment), {Name: "pod_terminal", One: w.terminalRef(w.podTerminal(c))},
			{Name: "pickup_facility", One: w.terminalRef(w.pickupFacility(c))},
			wire.ToMany("transport_events", "transport_event", w.eventsIn(c.ID)),
			wire.ToMany("raw_events", "raw_event", w.rawEventsOf[c.ID]),
		},
	}
}

func renderHolds(holds []Hold) []wire.Object {
	list := []wire.Object{}
	for _, h := range holds {
		hold := wire.Object{{"name", h.Name}, {"status", cmp.Or(h.Status, "hold")}, {"description", wire.OrNull(h.Description)}}
		list = append(list, hold.With(h.Attributes))
	}
	return list
}

func renderFees(fees []Fee) []wire.Object {
	list := []wire.Object{}
	for _, f := range fees {
		// An amount that accrues daily must not show binary rounding.
		cents := math.Round(f.Amount*100) / 100
		list = append(list, wire.Object{{"type", f.Type}, {"amount", cents}, {"currency_code", cmp.Or(f.CurrencyCode, "USD")}})
	}
	return list
}
