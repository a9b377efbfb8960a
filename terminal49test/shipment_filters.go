package terminal49test

import (
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

// shipmentFilters returns the filters of the newer service.
func shipmentFilters() map[string]filterKind {
	return map[string]filterKind{
		"q": filterSearch, "product": filterSearch, "number": filterExact,
		"created_at": filterTime, "pod_eta_changed_at": filterChanged, "pod_ata_at": filterDate, "pod_arrival": filterDate,
		"actively_tracked": filterBool, "tracking_stopped": filterBool, "tags_and": filterBool,
		"voyage_status": filterVoyage, "arriving_today": filterSelector,
		"pod_code": filterTextAny, "pol_code": filterTextAny, "owner_id": filterTextAny, "pod_terminal_id": filterTerminal,
		"creator_id": filterText, "customer_id": filterText, "party_id": filterParty,
		"tags": filterTags, "tag": filterTags,
	}
}

func (x *exchange) listShipments() reply {
	x.readRoles()
	q := x.query
	if stopped := q.Get("filter[tracking_stopped]"); !x.s.config.autumn2026 && stopped != "" && stopped != "true" && stopped != "false" {
		x.violate("filter[tracking_stopped] must be true or false")
	}
	var filters []filter
	if x.s.config.autumn2026 {
		var refusal *reply
		if filters, refusal = x.filters(); refusal != nil {
			return *refusal
		}
	}
	number, text := q.Get("number"), q.Get("q")
	if q.Has("filter[number]") {
		number = ""
	}
	matches := func(s *Shipment) bool {
		return (number == "" || x.w.requestedAs(s, number)) && (text == "" || x.w.matchesText(s, text)) &&
			(x.s.config.autumn2026 || x.matchOlderShipment(s)) &&
			!slices.ContainsFunc(filters, func(f filter) bool { return !x.matchShipment(f, s) })
	}
	known := number+text == "" && sameForSynthetic(filters) && (x.s.config.autumn2026 || q.Get("filter[customer_id]") == "")
	unfiltered := known && len(filters) == 0 && (x.s.config.autumn2026 || q.Get("filter[tracking_stopped]") == "")
	rows := filterRows(&x.w.shipments, matches)
	refs := newestFirst("shipment", rows, func(s *Shipment) (string, time.Time) { return s.ID, s.CreatedAt })
	if x.sortShipments(rows) {
		for i, s := range rows {
			refs[i].ID = s.ID
		}
	}
	of := state.Selection[Shipment]{Known: known, Changed: x.w.shipments.Changed}
	if !unfiltered {
		of.Match = matches
		of.Unchanged = x.w.shipments.Blocks(of.Changed, func(int) int { return 0 }, matches)
	}
	return x.pageOf(x.w.shipments.List("shipment", refs, of), 30, metaSizeTotal)
}

// matchOlderShipment applies the filters of the older service.
func (x *exchange) matchOlderShipment(s *Shipment) bool {
	customer, stopped := x.query.Get("filter[customer_id]"), x.query.Get("filter[tracking_stopped]")
	return (customer == "" || s.Customer == customer) &&
		(stopped == "" || (stopped == "true") != s.LineTrackingStoppedAt.IsZero())
}

func (x *exchange) matchShipment(f filter, s *Shipment) bool {
	tracked, arrived := s.LineTrackingStoppedAt.IsZero(), !s.PODATA.IsZero()
	switch f.key {
	case "q":
		words := append([]string{s.BillOfLadingNumber}, s.ReferenceNumbers...)
		for _, id := range x.w.containersOf(s.ID) {
			c := x.w.containers.Get(id)
			words = append(append(words, c.Number), c.ReferenceNumbers...)
		}
		return f.matchPrefix(words...)
	case "product":
		return false // the simulator has no products
	case "number":
		return slices.ContainsFunc(f.values, func(v string) bool { return x.w.requestedAs(s, v) })
	case "created_at":
		return f.matchTime(s.CreatedAt)
	case "pod_eta_changed_at":
		return tracked && !arrived && slices.ContainsFunc(x.w.containersOf(s.ID), func(id string) bool {
			return slices.ContainsFunc(x.w.eventsIn(id), func(id string) bool {
				e := x.w.events.Get(id)
				return strings.HasSuffix(e.Event, "estimated.vessel_arrived") && f.matchTime(e.CreatedAt)
			})
		})
	case "pod_ata_at":
		return f.matchDay(s.PODATA, x.now)
	case "pod_arrival":
		return f.matchDay(firstTime(s.PODATA, s.PODETA), x.now)
	case "actively_tracked":
		return f.matchBool(tracked, !tracked)
	case "tracking_stopped":
		return f.matchBool(!tracked, tracked)
	case "voyage_status":
		return (f.values[0] == "arrived") == arrived && (arrived || s.PODVessel != "" || s.PODVoyageNumber != "")
	case "arriving_today":
		today := func(t time.Time) bool { return t.UTC().Truncate(day24).Equal(x.now.UTC().Truncate(day24)) }
		return f.values[0] == "false" || today(firstTime(s.PODATA, s.PODETA)) || today(firstTime(s.DestinationATA, s.DestinationETA))
	case "tags", "tag":
		aliased := f.key == "tags" && (x.query.Has("filter[tag]") || x.query.Has("filter[tag][]")) // the alias wins
		return aliased || f.matchTags(s.Tags, x.query.Get("filter[tags_and]") == "true")
	case "party_id":
		if f.sub == "operator" {
			return true
		}
		return f.matchParties(append(x.w.partiesWithRole(PartyRole{Shipment: s.ID}, ""), s.Customer),
			x.query.Get("filter[party_id][operator]") == "all")
	}
	return f.kind == filterBool || f.matchText(x.shipmentTexts(f, s)...)
}

func (x *exchange) shipmentTexts(f filter, s *Shipment) []string {
	switch f.key {
	case "pod_code":
		return []string{x.w.place(s.PortOfDischarge).code}
	case "pol_code":
		return []string{x.w.place(s.PortOfLading).code}
	case "owner_id":
		return []string{x.w.user} // the simulated account's only user
	case "creator_id":
		return []string{x.w.account}
	case "pod_terminal_id":
		return []string{x.w.terminalRef(s.PODTerminal).ID}
	}
	return x.customers(f, s)
}

// sortShipments orders rows as the request asks, and reports false for the default order, newest
// first, which both forms of created_at give.
func (x *exchange) sortShipments(rows []*Shipment) bool {
	token := x.query.Get("sort")
	if !x.s.config.autumn2026 || token == "" || strings.HasSuffix(token, "created_at") {
		return false
	}
	sorted := sortRows(rows, []string{token}, func(s *Shipment, name string) (string, bool) {
		switch name {
		case "pod_arrival":
			return sortTime(firstTime(s.PODATA, s.PODETA)), true
		case "tracking_stopped_at":
			return sortTime(s.LineTrackingStoppedAt), true
		}
		return "", false
	})
	if !sorted {
		x.violate("sort %q is not an order of shipments", token)
	}
	return sorted
}
