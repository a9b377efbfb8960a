package terminal49test

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// containerFilters returns the filters of the newer service.
func containerFilters() map[string]service.FilterKind {
	kinds := map[string]service.FilterKind{}
	add := func(kind service.FilterKind, keys ...string) {
		for _, key := range keys {
			kinds[key] = kind
		}
	}
	add(service.FilterText, "number", "pol", "pod", "destination", "pol_code", "pod_code", "destination_code", "shipping_line_scac",
		"customer_id", "customer_name", "vessel_name", "pod_terminal_id", "current_status")
	add(service.FilterBool, "has_fees", "has_holds", "has_demurrage_fees", "has_fees_or_holds", "requires_attention",
		"actively_tracked", "tags_and")
	add(service.FilterSelector, "eta_changed_in_last_24h", "eta_changed_in_past_3_days")
	add(service.FilterSearch, "search_by_ids", "search_by_number", "search_by_shipment_number", "search_by_shipment_ref_numbers",
		"search_by_ref_numbers")
	add(service.FilterOwner, "search_by_owner_id")
	add(service.FilterDate, "delivered_at", "pod_discharged_at", "pod_arrived_at", "pol_etd_at", "pol_atd_at", "empty_out_at",
		"pol_full_in_at", "pol_vessel_loaded_at", "pol_vessel_departed_at", "picked_up_at", "empty_returned_at",
		"created_at", "updated_at", "arrival", "inland_destination_rail_unloaded_at", "final_destination_full_out_at",
		"inland_destination_eta_at", "inland_destination_ata_at", "pod_rail_departed_at", "pickup_lfd",
		"pickup_lfd_rail_on", "pickup_lfd_terminal_on", "pickup_lfd_line_on", "pickup_lfd_terminal_effective_on",
		"pickup_lfd_line_effective_on")
	add(service.FilterRange, "last_free_day_on")
	add(service.FilterTags, "tags")
	add(service.FilterParties, "parties")
	add(service.FilterNames, "hold_names")
	add(service.FilterFields, "custom_fields")
	return kinds
}

func (x *exchange) listContainers() service.Reply {
	list, refusal := x.selectContainers()
	if refusal != nil {
		return *refusal
	}
	return x.pageOf(list, 30, metaTotal)
}

// selectContainers returns the containers that the request selects, in the order it asks for. A
// reply that is not nil is the refusal of a filter.
func (x *exchange) selectContainers() (list state.Listing, refusal *service.Reply) {
	var matches func(*Container) bool
	same := false
	unfiltered := x.Query.Get("filter[number]")+x.Query.Get("filter[customer_id]")+x.Query.Get("filter[customer_name]") == ""
	if x.s.config.autumn2026 {
		filters, refusal := x.Filters()
		switch {
		case refusal != nil:
			return state.Listing{}, refusal
		case x.Query.Has("filter[pod_eta_at]") || x.Query.Has("filter[pod_ata_at]"):
			failure := service.Failure()
			return state.Listing{}, &failure
		}
		unfiltered, same = len(filters) == 0, sameForSynthetic(filters, "created_at", "updated_at")
		matches = func(c *Container) bool {
			return !slices.ContainsFunc(filters, func(f service.Filter) bool { return !x.matchContainer(f, c) })
		}
	} else {
		matches = x.matchOlderContainer
	}
	rows := slices.DeleteFunc(slices.Clone(x.w.containers.All()), func(c *Container) bool { return !matches(c) })
	refs := newestFirst("container", rows, func(c *Container) (string, time.Time) { return c.ID, c.CreatedAt })
	if x.sortContainers(rows) {
		for i, c := range rows {
			refs[i].ID = c.ID
		}
	}
	of := state.Selection[Container]{Known: same}
	if !unfiltered {
		of.Match = matches
	}
	if same && !unfiltered && x.w.synthetic != nil {
		of.Changed = x.w.changedContainers()
		of.Unchanged = x.w.containers.Blocks(of.Changed, x.w.synthetic.day, matches)
	}
	return x.w.containers.List("container", refs, of), nil
}

// matchOlderContainer applies the filters of the older service.
func (x *exchange) matchOlderContainer(c *Container) bool {
	number, customer, name := x.Query.Get("filter[number]"), x.Query.Get("filter[customer_id]"), x.Query.Get("filter[customer_name]")
	s := cmp.Or(x.w.shipments.Get(c.Shipment), &Shipment{})
	party := cmp.Or(x.w.parties.Get(s.Customer), &Party{})
	return (number == "" || strings.EqualFold(c.Number, number)) && (customer == "" || s.Customer == customer) &&
		(name == "" || strings.EqualFold(party.CompanyName, name))
}

func (x *exchange) matchContainer(f service.Filter, c *Container) bool {
	s := cmp.Or(x.w.shipments.Get(c.Shipment), &Shipment{})
	switch f.Kind {
	case service.FilterText:
		return f.MatchText(x.containerTexts(f, c, s)...)
	case service.FilterSearch:
		return f.MatchPrefix(x.containerTexts(f, c, s)...)
	case service.FilterOwner:
		return f.MatchText(x.w.user) // the simulated account's only user
	case service.FilterBool:
		return x.matchContainerFlag(f, c, s)
	case service.FilterSelector:
		hours := map[string]time.Duration{"eta_changed_in_last_24h": 24, "eta_changed_in_past_3_days": 72}[f.Key]
		return slices.ContainsFunc(x.w.eventsIn(c.ID), func(id string) bool {
			e := x.w.events.Get(id)
			return strings.HasSuffix(e.Event, "estimated.vessel_arrived") && x.Now.Sub(e.CreatedAt) <= hours*time.Hour
		})
	case service.FilterDate:
		return f.MatchDay(x.containerDay(f.Key, c, s), x.Now)
	case service.FilterRange:
		lfd := service.SortTime(c.ImportDeadlines.PickupLFD())
		return lfd != "" && lfd[:10] >= f.Values[0] && lfd[:10] <= f.Values[1] && s.LineTrackingStoppedAt.IsZero() &&
			!x.w.isInland(s) && slices.Contains([]string{"available", "not_available", "off_dock"}, c.CurrentStatus)
	case service.FilterTags:
		return f.MatchTags(s.Tags, x.Query.Get("filter[tags_and]") == "true")
	case service.FilterParties:
		ids := x.w.partiesWithRole(PartyRole{Container: c.ID}, f.Sub)
		if f.Sub != containerRole {
			ids = append(ids, x.w.partiesWithRole(PartyRole{Shipment: s.ID}, f.Sub)...)
		}
		return f.MatchParties(ids, false) || !slices.Contains(shipmentRoles, f.Sub)
	case service.FilterNames:
		return slices.ContainsFunc(c.Holds, func(h Hold) bool { return cmp.Or(h.Status, "hold") == "hold" && f.MatchName(h.Name) }) &&
			x.reports(c, "holds_at_pod_terminal")
	case service.FilterFields:
		return x.matchField(f, wire.Ref{Kind: "container", ID: c.ID}, wire.Ref{Kind: "shipment", ID: s.ID})
	}
	return true
}

// matchField compares the values that the entities have. The service ignores a slug without a
// definition, and compares texts and options only: nothing else matches.
func (x *exchange) matchField(f service.Filter, entities ...wire.Ref) bool {
	defined := false
	var shown []*customField
	for _, e := range entities {
		defined = defined || x.w.definitionFor(e.Kind, f.Sub) != nil
		if v := x.w.field(e, f.Sub); v != nil && v.value != nil {
			shown = append(shown, v)
		}
	}
	return !defined || slices.ContainsFunc(f.Parts(f.Values[0]), func(want string) bool {
		if service.IsPresence(want) {
			return (len(shown) > 0) == (want == "@exists")
		}
		return slices.ContainsFunc(shown, func(v *customField) bool { return v.contains(x.w.custom.definitions.Get(v.definition), want) })
	})
}

// contains reports whether a value is an option, in any case, or a text that contains another.
func (v *customField) contains(d *CustomFieldDefinition, want string) bool {
	switch value := v.value.(type) {
	case string:
		if d.DataType == "enum" {
			return strings.EqualFold(value, want)
		}
		return d.DataType == "short_text" && strings.Contains(value, want)
	case []string:
		return slices.ContainsFunc(value, func(option string) bool { return strings.EqualFold(option, want) })
	}
	return false
}

// partiesWithRole returns the parties that have a role for a shipment or a container.
func (w *world) partiesWithRole(of PartyRole, role string) (ids []string) {
	for _, id := range w.partyRolesOf(of) {
		if r := w.partyRoles.Get(id); role == "" || r.Role == role {
			ids = append(ids, r.Party)
		}
	}
	return ids
}

func (x *exchange) containerTexts(f service.Filter, c *Container, s *Shipment) []string {
	pol, pod, dest := x.w.place(s.PortOfLading), x.w.place(s.PortOfDischarge), x.w.place(s.Destination)
	switch f.Key {
	case "number", "search_by_number":
		return []string{c.Number}
	case "pol":
		return []string{pol.name}
	case "pod":
		return []string{pod.name}
	case "destination":
		return []string{dest.name}
	case "pol_code":
		return []string{pol.code}
	case "pod_code":
		return []string{pod.code}
	case "destination_code":
		return []string{dest.code}
	case "shipping_line_scac":
		return []string{cmp.Or(x.w.line(s.ShippingLine), &ShippingLine{SCAC: s.ShippingLine}).SCAC}
	case "customer_id":
		return x.customers(f, s)
	case "customer_name":
		return []string{cmp.Or(x.w.parties.Get(s.Customer), &Party{}).CompanyName}
	case "vessel_name":
		return []string{cmp.Or(x.w.vessel(s.PODVessel), &Vessel{}).Name}
	case "pod_terminal_id":
		return []string{x.w.terminalRef(x.w.podTerminal(c)).ID}
	case "current_status":
		return []string{c.CurrentStatus}
	case "search_by_shipment_number":
		return []string{s.BillOfLadingNumber}
	case "search_by_shipment_ref_numbers":
		return s.ReferenceNumbers
	case "search_by_ref_numbers":
		return c.ReferenceNumbers
	}
	return slices.Concat([]string{c.Number, s.BillOfLadingNumber}, c.ReferenceNumbers, s.ReferenceNumbers)
}

// customers returns the customer of a shipment or, except for presence, its creator.
func (x *exchange) customers(f service.Filter, s *Shipment) []string {
	ids := x.w.partiesWithRole(PartyRole{Shipment: s.ID}, "customer")
	if s.Customer != "" {
		ids = append(ids, s.Customer)
	}
	if len(ids) == 0 && !service.IsPresence(f.Values[0]) {
		ids = []string{x.w.account}
	}
	return ids
}

func (x *exchange) matchContainerFlag(f service.Filter, c *Container, s *Shipment) bool {
	holds, fees := len(c.Holds) > 0, len(c.Fees) > 0
	knownHolds, knownFees := x.reports(c, "holds_at_pod_terminal"), x.reports(c, "fees_at_pod_terminal")
	demurrage := slices.ContainsFunc(c.Fees, func(fee Fee) bool { return fee.Type == "demurrage" })
	tracked := s.LineTrackingStoppedAt.IsZero()
	switch f.Key {
	case "has_holds":
		return f.MatchBool(knownHolds && holds, knownHolds && !holds)
	case "has_fees":
		return f.MatchBool(knownFees && fees, knownFees && !fees)
	case "has_fees_or_holds":
		return f.MatchBool(knownHolds && holds || knownFees && fees, knownHolds && knownFees && !holds && !fees)
	case "has_demurrage_fees":
		return f.MatchBool(knownFees && demurrage, knownFees && !demurrage)
	case "requires_attention":
		lfd := c.ImportDeadlines.PickupLFD()
		return f.MatchBool(!lfd.IsZero() && lfd.Before(x.Now.Add(2*day24)), true) // nothing is marked here
	case "actively_tracked":
		return f.MatchBool(tracked, !tracked)
	}
	return true // tags_and
}

// reports reports whether a list is that of the container: it always is, unless Attributes replace
// it.
func (x *exchange) reports(c *Container, attribute string) bool {
	_, replaced := c.Attributes[attribute]
	return !replaced
}

// containerDay returns the time of a filter or an order by date.
func (x *exchange) containerDay(key string, c *Container, s *Shipment) time.Time {
	d := c.ImportDeadlines
	switch key {
	case "delivered_at":
		return c.DeliveredAt
	case "pod_discharged_at":
		return c.PODDischargedAt
	case "pod_arrived_at":
		return c.PODArrivedAt
	case "pol_etd_at":
		return s.POLETD
	case "pol_atd_at":
		return s.POLATD
	case "empty_out_at":
		return c.EmptyOutAt
	case "pol_full_in_at":
		return c.POLFullInAt
	case "pol_vessel_loaded_at":
		return c.POLVesselLoadedAt
	case "pol_vessel_departed_at":
		return c.POLVesselDepartedAt
	case "picked_up_at":
		return firstTime(c.PODFullOutAt, c.FinalDestinationFullOutAt)
	case "empty_returned_at", "empty_terminated_at":
		return c.EmptyTerminatedAt
	case "created_at":
		return c.CreatedAt
	case "updated_at":
		return laterOf(c.updatedAt, x.containerDay("last_status_refresh_at", c, s))
	case "last_status_refresh_at":
		return laterOf(laterOf(c.CreatedAt, c.TerminalCheckedAt), laterOf(c.LineLastRequestedAt, c.RailLastRequestedAt))
	case "arrival":
		return firstTime(c.PODArrivedAt, s.PODATA, s.PODETA)
	case "inland_destination_rail_unloaded_at":
		return c.INDRailUnloadedAt
	case "final_destination_full_out_at":
		return c.FinalDestinationFullOutAt
	case "inland_destination_eta_at":
		return c.INDETA
	case "inland_destination_ata_at":
		return c.INDATA
	case "pod_rail_departed_at":
		return c.PODRailDepartedAt
	case "pod_rail_loaded_at":
		return c.PODRailLoadedAt
	case "pickup_lfd":
		return d.PickupLFD()
	case "pickup_lfd_rail_on", "pickup_lfd_rail_effective_on", "ind_lfd":
		return d.Rail
	case "pickup_lfd_terminal_on", "pickup_lfd_terminal_effective_on":
		return d.Terminal
	case "pickup_lfd_line_on", "pickup_lfd_line_effective_on", "pickup_lfd_line_ind_on", "pickup_lfd_line_ind_effective_on":
		return d.Line
	case "destination_ata_at":
		return s.DestinationATA
	case "destination_eta_at":
		return s.DestinationETA
	case "pod_eta_at":
		return s.PODETA
	case "delivery_appointment_at":
		return c.PickupAppointmentAt
	}
	return time.Time{}
}

func firstTime(times ...time.Time) time.Time {
	for _, t := range times {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// containerOrders are the tokens of sort that are times.
var containerOrders = strings.Fields(`arrival created_at updated_at destination_ata_at destination_eta_at empty_terminated_at
	final_destination_full_out_at last_status_refresh_at picked_up_at delivered_at delivery_appointment_at pickup_lfd
	pickup_lfd_line_on pickup_lfd_line_effective_on pickup_lfd_line_ind_effective_on pickup_lfd_line_ind_on ind_lfd
	pickup_lfd_rail_on pickup_lfd_rail_effective_on pickup_lfd_terminal_on pickup_lfd_terminal_effective_on pod_arrived_at
	pod_discharged_at pod_eta_at inland_destination_rail_unloaded_at inland_destination_eta_at inland_destination_ata_at
	pod_rail_loaded_at pol_full_in_at empty_out_at pol_vessel_loaded_at pol_vessel_departed_at`)

// sortContainers orders rows as the request asks, and reports false for the default order. A token
// that the service drops is a violation.
func (x *exchange) sortContainers(rows []*Container) bool {
	if !x.s.config.autumn2026 || x.Query.Get("sort") == "" {
		return false
	}
	tokens := strings.Split(x.Query.Get("sort"), ",")
	if len(tokens) == 1 && tokens[0] == "attention_priority" {
		tokens[0] = "pickup_lfd" // the service does not document how it weighs
	}
	for _, token := range tokens {
		name := strings.TrimPrefix(token, "-")
		if len(tokens) > 3 || name != "shipment_number" && !slices.Contains(containerOrders, name) {
			x.Violate("sort %q is dropped", x.Query.Get("sort"))
		}
	}
	return service.SortRows(rows, tokens[:min(len(tokens), 3)], func(c *Container, name string) (string, bool) {
		s := cmp.Or(x.w.shipments.Get(c.Shipment), &Shipment{})
		if name == "shipment_number" {
			return s.BillOfLadingNumber, true
		}
		return service.SortTime(x.containerDay(name, c, s)), slices.Contains(containerOrders, name)
	})
}
