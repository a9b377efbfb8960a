package terminal49test

import (
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

// shipmentFilters returns the filters of the newer service.
func shipmentFilters() map[string]service.FilterKind {
	return map[string]service.FilterKind{
		"q": service.FilterSearch, "product": service.FilterSearch, "number": service.FilterExact,
		"created_at": service.FilterTime, "pod_eta_changed_at": service.FilterChanged, "pod_ata_at": service.FilterDate, "pod_arrival": service.FilterDate,
		"actively_tracked": service.FilterBool, "tracking_stopped": service.FilterBool, "tags_and": service.FilterBool,
		"voyage_status": service.FilterVoyage, "arriving_today": service.FilterSelector,
		"pod_code": service.FilterTextAny, "pol_code": service.FilterTextAny, "owner_id": service.FilterTextAny, "pod_terminal_id": service.FilterTerminal,
		"creator_id": service.FilterText, "customer_id": service.FilterText, "party_id": service.FilterParty,
		"tags": service.FilterTags, "tag": service.FilterTags,
	}
}

func (x *exchange) listShipments() service.Reply {
	x.readRoles()
	q := x.Query
	if stopped := q.Get("filter[tracking_stopped]"); !x.s.config.autumn2026 && stopped != "" && stopped != "true" && stopped != "false" {
		x.Violate("filter[tracking_stopped] must be true or false")
	}
	var filters []service.Filter
	if x.s.config.autumn2026 {
		var refusal *service.Reply
		if filters, refusal = x.Filters(); refusal != nil {
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
			!slices.ContainsFunc(filters, func(f service.Filter) bool { return !x.matchShipment(f, s) })
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
	customer, stopped := x.Query.Get("filter[customer_id]"), x.Query.Get("filter[tracking_stopped]")
	return (customer == "" || s.Customer == customer) &&
		(stopped == "" || (stopped == "true") != s.LineTrackingStoppedAt.IsZero())
}

func (x *exchange) matchShipment(f service.Filter, s *Shipment) bool {
	tracked, arrived := s.LineTrackingStoppedAt.IsZero(), !s.PODATA.IsZero()
	switch f.Key {
	case "q":
		words := append([]string{s.BillOfLadingNumber}, s.ReferenceNumbers...)
		for _, id := range x.w.containersOf(s.ID) {
			c := x.w.containers.Get(id)
			words = append(append(words, c.Number), c.ReferenceNumbers...)
		}
		return f.MatchPrefix(words...)
	case "product":
		return false // the simulator has no products
	case "number":
		return slices.ContainsFunc(f.Values, func(v string) bool { return x.w.requestedAs(s, v) })
	case "created_at":
		return f.MatchTime(s.CreatedAt)
	case "pod_eta_changed_at":
		return tracked && !arrived && slices.ContainsFunc(x.w.containersOf(s.ID), func(id string) bool {
			return slices.ContainsFunc(x.w.eventsIn(id), func(id string) bool {
				e := x.w.events.Get(id)
				return strings.HasSuffix(e.Event, "estimated.vessel_arrived") && f.MatchTime(e.CreatedAt)
			})
		})
	case "pod_ata_at":
		return f.MatchDay(s.PODATA, x.Now)
	case "pod_arrival":
		return f.MatchDay(firstTime(s.PODATA, s.PODETA), x.Now)
	case "actively_tracked":
		return f.MatchBool(tracked, !tracked)
	case "tracking_stopped":
		return f.MatchBool(!tracked, tracked)
	case "voyage_status":
		return (f.Values[0] == "arrived") == arrived && (arrived || s.PODVessel != "" || s.PODVoyageNumber != "")
	case "arriving_today":
		today := func(t time.Time) bool { return t.UTC().Truncate(day24).Equal(x.Now.UTC().Truncate(day24)) }
		return f.Values[0] == "false" || today(firstTime(s.PODATA, s.PODETA)) || today(firstTime(s.DestinationATA, s.DestinationETA))
	case "tags", "tag":
		aliased := f.Key == "tags" && (x.Query.Has("filter[tag]") || x.Query.Has("filter[tag][]")) // the alias wins
		return aliased || f.MatchTags(s.Tags, x.Query.Get("filter[tags_and]") == "true")
	case "party_id":
		if f.Sub == "operator" {
			return true
		}
		return f.MatchParties(append(x.w.partiesWithRole(PartyRole{Shipment: s.ID}, ""), s.Customer),
			x.Query.Get("filter[party_id][operator]") == "all")
	}
	return f.Kind == service.FilterBool || f.MatchText(x.shipmentTexts(f, s)...)
}

func (x *exchange) shipmentTexts(f service.Filter, s *Shipment) []string {
	switch f.Key {
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
	token := x.Query.Get("sort")
	if !x.s.config.autumn2026 || token == "" || strings.HasSuffix(token, "created_at") {
		return false
	}
	sorted := service.SortRows(rows, []string{token}, func(s *Shipment, name string) (string, bool) {
		switch name {
		case "pod_arrival":
			return service.SortTime(firstTime(s.PODATA, s.PODETA)), true
		case "tracking_stopped_at":
			return service.SortTime(s.LineTrackingStoppedAt), true
		}
		return "", false
	})
	if !sorted {
		x.Violate("sort %q is not an order of shipments", token)
	}
	return sorted
}
