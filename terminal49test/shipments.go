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

// Shipment is one bill of lading or booking with its containers.
type Shipment struct {
	ID                 string    `json:"id,omitzero"` // "" generates one
	BillOfLadingNumber string    `json:"bill_of_lading_number,omitzero"`
	NormalizedNumber   string    `json:"normalized_number,omitzero"` // "" means BillOfLadingNumber without the leading SCAC
	CreatedAt          time.Time `json:"created_at,omitzero"`        // zero means now
	ReferenceNumbers   []string  `json:"ref_numbers,omitzero"`
	Tags               []string  `json:"tags,omitzero"`

	ShippingLine string `json:"shipping_line,omitzero"` // SCAC or id
	Customer     string `json:"customer,omitzero"`      // party id; its name is sent as customer_name
	// PortOfLading, PortOfDischarge and Destination are ids or UN/LOCODEs. The destination can be a
	// metro area.
	PortOfLading        string `json:"port_of_lading,omitzero"`
	PortOfDischarge     string `json:"port_of_discharge,omitzero"`
	Destination         string `json:"destination,omitzero"`
	PODTerminal         string `json:"pod_terminal,omitzero"`         // id or nickname
	DestinationTerminal string `json:"destination_terminal,omitzero"` // id or nickname
	PODVessel           string `json:"pod_vessel,omitzero"`           // id or IMO number
	PODVoyageNumber     string `json:"pod_voyage_number,omitzero"`

	POLETD                 time.Time `json:"pol_etd_at,omitzero"`
	POLOriginalETD         time.Time `json:"pol_original_etd_at,omitzero"`
	POLATD                 time.Time `json:"pol_atd_at,omitzero"`
	PODETA                 time.Time `json:"pod_eta_at,omitzero"`
	PODOriginalETA         time.Time `json:"pod_original_eta_at,omitzero"`
	PODATA                 time.Time `json:"pod_ata_at,omitzero"`
	DestinationETA         time.Time `json:"destination_eta_at,omitzero"`
	DestinationOriginalETA time.Time `json:"destination_original_eta_at,omitzero"`
	DestinationATA         time.Time `json:"destination_ata_at,omitzero"`

	LineTrackingLastAttemptedAt time.Time `json:"line_tracking_last_attempted_at,omitzero"`
	LineTrackingLastSucceededAt time.Time `json:"line_tracking_last_succeeded_at,omitzero"`
	LineTrackingStoppedAt       time.Time `json:"line_tracking_stopped_at,omitzero"` // zero while tracking
	LineTrackingStoppedReason   string    `json:"line_tracking_stopped_reason,omitzero"`
	LineTrackingStoppedByUser   string    `json:"line_tracking_stopped_by_user,omitzero"` // user id

	Attributes map[string]any `json:"attributes,omitzero"`
}

// AddShipment adds a shipment without containers and returns its id.
func (s *Server) AddShipment(sh Shipment) string {
	return withWorld(s, func(w *world) string { return w.addShipment(sh) })
}

// UpdateShipment changes a shipment in place and reports whether the id exists. In this and every
// other Update method, change runs under the server's lock. It must not keep the pointer, or call
// the server, which panics.
func (s *Server) UpdateShipment(id string, change func(*Shipment)) bool {
	change = calling(s, change)
	return withWorld(s, func(w *world) bool {
		return updateRow(&w.shipments, id, func(sh *Shipment) { w.notifyChanges(sh, nil, w.now(), func() { change(sh) }) })
	})
}

// Shipment returns a copy of a shipment and whether the id exists.
func (s *Server) Shipment(id string) (sh Shipment, ok bool) {
	ok = readWorld(s, func(w *world) bool {
		return readRow(&w.shipments, id, func(found *Shipment) {
			sh = *found
			sh.ReferenceNumbers, sh.Tags = slices.Clone(found.ReferenceNumbers), slices.Clone(found.Tags)
			sh.Attributes = maps.Clone(found.Attributes)
		})
	})
	return sh, ok
}

// ShipmentID returns the id of the shipment with a bill of lading number that was added last, and
// whether there is one.
func (s *Server) ShipmentID(number string) (id string, ok bool) {
	ids := readWorld(s, func(w *world) []string { return slices.Clone(w.shipmentsOf.ids(number)) })
	if len(ids) == 0 {
		return "", false
	}
	return ids[len(ids)-1], true
}

// ContainerIDs returns the containers of a shipment in the order they were added.
func (s *Server) ContainerIDs(shipment string) []string {
	return readWorld(s, func(w *world) []string { return slices.Clone(w.containersOf(shipment)) })
}

func (w *world) addShipment(s Shipment) string {
	s.ID = w.identify(s.ID, "shipment")
	s.CreatedAt = w.orNow(s.CreatedAt)
	if s.NormalizedNumber == "" {
		s.NormalizedNumber = strings.TrimPrefix(s.BillOfLadingNumber, s.ShippingLine)
	}
	s.ReferenceNumbers, s.Tags, s.Attributes = slices.Clone(s.ReferenceNumbers), slices.Clone(s.Tags), maps.Clone(s.Attributes)
	was := w.shipments.Get(s.ID)
	w.replaces(wire.Ref{Kind: "shipment", ID: s.ID}, was != nil)
	if was != nil {
		w.shipmentsOf.remove(s.ID, was.BillOfLadingNumber)
	}
	if w.pollPlanned[s.ID] {
		w.pollPlanned[s.ID] = false
	}
	delete(w.merged.into, s.ID)
	w.shipments.Put(s.ID, &s)
	w.shipmentsOf.add(s.ID, s.BillOfLadingNumber)
	return s.ID
}

// readRoles reads whether the shipments of the response have party roles.
func (x *exchange) readRoles() {
	flag := x.Query.Get("flag[parties]")
	if flag != "" && flag != "true" && flag != "false" {
		x.Violate("flag[parties] must be true or false")
	}
	x.roles = flag == "true" && x.s.config.autumn2026
}

func (x *exchange) getShipment() service.Reply {
	x.readRoles()
	return x.one(200, wire.Ref{Kind: "shipment", ID: x.Args["id"]})
}

func (x *exchange) updateShipment() service.Reply {
	s := x.w.shipments.Own(x.Args["id"])
	if s == nil {
		return service.NotFound()
	}
	x.Attribute("ref_numbers", &s.ReferenceNumbers)
	if x.Attribute("tags", &s.Tags) {
		if unique := slices.Compact(slices.Sorted(slices.Values(s.Tags))); len(unique) < len(s.Tags) {
			x.Violate("tags must not contain a tag twice")
		}
	}
	return x.one(200, wire.Ref{Kind: "shipment", ID: s.ID})
}

func (x *exchange) stopTracking() service.Reply {
	s := x.w.shipments.Own(x.Args["id"])
	if s == nil {
		return service.NotFound()
	}
	x.w.stopTracking(s, x.Now, "cancelled_by_user", x.w.user)
	return x.one(200, wire.Ref{Kind: "shipment", ID: s.ID})
}

func (x *exchange) resumeTracking() service.Reply {
	s := x.w.shipments.Own(x.Args["id"])
	if s == nil {
		return service.NotFound()
	}
	x.w.resumeTracking(s, x.Now)
	return x.one(200, wire.Ref{Kind: "shipment", ID: s.ID})
}

// requestedAs reports whether the shipment was tracked by this bill of lading or booking number. A
// container number never matches.
func (w *world) requestedAs(s *Shipment, number string) bool {
	if strings.EqualFold(s.BillOfLadingNumber, number) {
		return true
	}
	return w.requests.Find(func(r *TrackingRequest) bool {
		return r.Shipment == s.ID && r.RequestType != "container" && strings.EqualFold(r.RequestNumber, number)
	}) != nil
}

// matchesText searches bill of lading, reference and container numbers for the text.
func (w *world) matchesText(s *Shipment, text string) bool {
	words := append([]string{s.BillOfLadingNumber}, s.ReferenceNumbers...)
	for _, id := range w.containersOf(s.ID) {
		words = append(words, w.containers.Get(id).Number)
	}
	return slices.ContainsFunc(words, func(word string) bool {
		return strings.Contains(strings.ToUpper(word), strings.ToUpper(text))
	})
}

// isInland reports whether the shipment continues by rail, to a destination that is not the port of
// discharge.
func (w *world) isInland(s *Shipment) bool {
	return s != nil && s.Destination != "" && w.place(s.Destination).ref != w.place(s.PortOfDischarge).ref
}

func (v view) renderShipment(s *Shipment) wire.Resource {
	w := v.w
	pol, pod, dest := w.place(s.PortOfLading), w.place(s.PortOfDischarge), w.place(s.Destination)
	line := cmp.Or(w.line(s.ShippingLine), &ShippingLine{SCAC: s.ShippingLine})
	vessel := cmp.Or(w.vessel(s.PODVessel), &Vessel{})
	customer := cmp.Or(w.parties.Get(s.Customer), noParty)
	r := wire.Resource{
		Ref: wire.Ref{Kind: "shipment", ID: s.ID}, Self: "/v2/shipments/" + s.ID,
		Attributes: wire.Object{
			{"created_at", s.CreatedAt}, {"ref_numbers", s.ReferenceNumbers}, {"tags", wire.NonNil(s.Tags)},
			{"bill_of_lading_number", s.BillOfLadingNumber}, {"normalized_number", s.NormalizedNumber},
			{"shipping_line_scac", line.SCAC}, {"shipping_line_name", line.Name},
			{"shipping_line_short_name", line.ShortName}, {"customer_name", wire.OrNull(customer.CompanyName)},
			{"port_of_lading_locode", wire.OrNull(pol.code)}, {"port_of_lading_name", wire.OrNull(pol.name)},
			{"port_of_discharge_locode", wire.OrNull(pod.code)}, {"port_of_discharge_name", wire.OrNull(pod.name)},
			{"destination_locode", wire.OrNull(dest.code)}, {"destination_name", wire.OrNull(dest.name)},
			{"pod_vessel_name", wire.OrNull(vessel.Name)}, {"pod_vessel_imo", wire.OrNull(vessel.IMO)},
			{"pod_voyage_number", wire.OrNull(s.PODVoyageNumber)},
			{"pol_etd_at", s.POLETD}, {"pol_original_etd_at", s.POLOriginalETD}, {"pol_atd_at", s.POLATD},
			{"pol_timezone", wire.OrNull(pol.tz)},
			{"pod_eta_at", s.PODETA}, {"pod_original_eta_at", s.PODOriginalETA}, {"pod_ata_at", s.PODATA},
			{"pod_timezone", wire.OrNull(w.zoneAt(s.PortOfDischarge, s.PODTerminal))},
			{"destination_eta_at", s.DestinationETA}, {"destination_original_eta_at", s.DestinationOriginalETA},
			{"destination_ata_at", s.DestinationATA}, {"destination_timezone", wire.OrNull(w.zoneAt(s.Destination, s.DestinationTerminal))},
			{"line_tracking_last_attempted_at", s.LineTrackingLastAttemptedAt},
			{"line_tracking_last_succeeded_at", s.LineTrackingLastSucceededAt},
			{"line_tracking_stopped_at", s.LineTrackingStoppedAt},
			{"line_tracking_stopped_reason", wire.OrNull(s.LineTrackingStoppedReason)},
		}.With(s.Attributes),
		Relations: []wire.Relation{
			{Name: "port_of_lading", One: pol.ref}, {Name: "port_of_discharge", One: pod.ref},
			{Name: "pod_terminal", One: w.terminalRef(s.PODTerminal)},
			{Name: "destination", One: dest.ref}, {Name: "destination_terminal", One: w.terminalRef(s.DestinationTerminal)},
			wire.ToOne("line_tracking_stopped_by_user", "user", s.LineTrackingStoppedByUser),
			wire.ToMany("containers", "container", w.containersOf(s.ID)),
		},
	}
	if v.roles {
		r.Relations = append(r.Relations, wire.ToMany("party_roles", "party_role", w.partyRolesOf(PartyRole{Shipment: s.ID})))
	}
	return r
}
