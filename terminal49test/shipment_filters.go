package terminal49test

import (
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

func (x *exchange) listShipments() service.Reply {
	x.readRoles()
	of, refusal := x.shipmentSelection()
	if refusal != nil {
		return *refusal
	}
	key := func(s *Shipment) (string, time.Time) { return s.ID, s.CreatedAt }
	return x.pageOf(selectRows("shipment", &x.w.shipments, of, key, x.sortShipments()), 30, metaSizeTotal)
}

// shipmentSelection returns which shipments the request selects.
func (x *exchange) shipmentSelection() (of state.Selection[Shipment], refusal *service.Reply) {
	number, text := x.Query.Get("number"), x.Query.Get("q")
	if x.Query.Has("filter[number]") {
		number = ""
	}
	of, refusal = x.filteredShipments()
	if refusal != nil {
		return of, refusal
	}
	if number+text != "" {
		matches := of.Match
		of.All, of.Known = false, false
		of.Match = func(s *Shipment) bool {
			return (number == "" || x.w.requestedAs(s, number)) && (text == "" || x.w.matchesText(s, text)) && matches(s)
		}
	}
	if of.Changed = x.w.shipments.Changed; !of.All {
		of.Unchanged = x.w.shipments.Blocks(of.Changed, func(int) int { return 0 }, of.Match)
	}
	return of, nil
}

// filteredShipments selects by the filters of the newer or the older service.
func (x *exchange) filteredShipments() (of state.Selection[Shipment], refusal *service.Reply) {
	if !x.s.config.autumn2026 {
		of.Match = x.matchOlderShipment
		of.All, of.Known = x.olderSelection()
		return of, nil
	}
	filters, refusal := x.Filters()
	of.Match = func(s *Shipment) bool { return listed{x: x, s: s}.matches(shipmentKeys, filters) }
	of.All, of.Known = len(filters) == 0, sameForSynthetic(filters)
	return of, refusal
}

// olderSelection reports whether the filters of the older service accept all shipments, and whether
// they accept all that are generated, or none.
func (x *exchange) olderSelection() (all, known bool) {
	stopped := x.Query.Get("filter[tracking_stopped]")
	if stopped != "" && stopped != "true" && stopped != "false" {
		x.Violate("filter[tracking_stopped] must be true or false")
	}
	known = x.Query.Get("filter[customer_id]") == ""
	return known && stopped == "", known
}

// matchOlderShipment applies the filters of the older service.
func (x *exchange) matchOlderShipment(s *Shipment) bool {
	customer, stopped := x.Query.Get("filter[customer_id]"), x.Query.Get("filter[tracking_stopped]")
	return (customer == "" || s.Customer == customer) &&
		(stopped == "" || (stopped == "true") != s.LineTrackingStoppedAt.IsZero())
}

// shipmentKeys are the filters and orders of shipments. The table is independent of the client's.
var shipmentKeys = map[string]listKey{
	"q":       prefixFilter(listed.words),
	"product": {kind: service.FilterSearch, match: func(listed, service.Filter) bool { return false }}, // there are no products
	"number": {kind: service.FilterExact, match: func(r listed, f service.Filter) bool {
		return slices.ContainsFunc(f.Values, func(v string) bool { return r.x.w.requestedAs(r.s, v) })
	}},
	"created_at": {kind: service.FilterTime, match: func(r listed, f service.Filter) bool { return f.MatchTime(r.s.CreatedAt) }},
	"pod_eta_changed_at": {kind: service.FilterChanged, match: func(r listed, f service.Filter) bool {
		return r.s.LineTrackingStoppedAt.IsZero() && r.s.PODATA.IsZero() &&
			slices.ContainsFunc(r.x.w.containersOf(r.s.ID), func(id string) bool { return r.matchETAChange(id, f.MatchTime) })
	}},
	"pod_ata_at":          dayFilter(func(r listed) time.Time { return r.s.PODATA }),
	"pod_arrival":         dayKey(listed.arrival),
	"tracking_stopped_at": timeOrder(func(r listed) time.Time { return r.s.LineTrackingStoppedAt }),
	"actively_tracked":    flagFilter(listed.tracked),
	"tracking_stopped": flagFilter(func(r listed) (yes, no bool) {
		no, yes = r.tracked()
		return yes, no
	}),
	"voyage_status":  {kind: service.FilterVoyage, match: listed.matchVoyage},
	"arriving_today": {kind: service.FilterSelector, match: listed.matchArrivingToday},
	"pod_code": textKey(service.FilterTextAny, func(r listed) []string {
		return []string{r.x.w.place(r.s.PortOfDischarge).code}
	}),
	"pol_code": textKey(service.FilterTextAny, func(r listed) []string {
		return []string{r.x.w.place(r.s.PortOfLading).code}
	}),
	"pod_terminal_id": textKey(service.FilterTerminal, func(r listed) []string {
		return []string{r.x.w.terminalRef(r.s.PODTerminal).ID}
	}),
	"owner_id":    textKey(service.FilterTextAny, owner),
	"creator_id":  textFilter(func(r listed) string { return r.x.w.account }),
	"customer_id": {kind: service.FilterText, match: listed.matchCustomer},
	"party_id":    {kind: service.FilterParty, match: listed.matchParty},
	"tag":         {kind: service.FilterTags, match: listed.matchTags},
	"tags": {kind: service.FilterTags, match: func(r listed, f service.Filter) bool {
		aliased := r.x.Query.Has("filter[tag]") || r.x.Query.Has("filter[tag][]") // the alias wins
		return aliased || r.matchTags(f)
	}},
	"tags_and": ignoredFilter(service.FilterBool), // changes how tags match
}

// words are the numbers that a search for a shipment finds.
func (r listed) words() []string {
	words := append([]string{r.s.BillOfLadingNumber}, r.s.ReferenceNumbers...)
	for _, id := range r.x.w.containersOf(r.s.ID) {
		c := r.x.w.containers.Get(id)
		words = append(append(words, c.Number), c.ReferenceNumbers...)
	}
	return words
}

func (r listed) matchVoyage(f service.Filter) bool {
	arrived := !r.s.PODATA.IsZero()
	return (f.Values[0] == "arrived") == arrived && (arrived || r.s.PODVessel != "" || r.s.PODVoyageNumber != "")
}

func (r listed) matchArrivingToday(f service.Filter) bool {
	today := func(t time.Time) bool { return t.UTC().Truncate(day24).Equal(r.x.Now.UTC().Truncate(day24)) }
	return f.Values[0] == "false" || today(r.arrival()) || today(firstTime(r.s.DestinationATA, r.s.DestinationETA))
}

func (r listed) matchParty(f service.Filter) bool {
	if f.Sub == "operator" {
		return true
	}
	ids := append(r.x.w.partiesWithRole(PartyRole{Shipment: r.s.ID}, ""), r.s.Customer)
	return f.MatchParties(ids, r.x.Query.Get("filter[party_id][operator]") == "all")
}

// sortShipments returns how the request orders rows, and nil for the default order, newest first,
// which created_at and -created_at also select.
func (x *exchange) sortShipments() func(rows []*Shipment) bool {
	token := x.Query.Get("sort")
	if !x.s.config.autumn2026 || token == "" || strings.HasSuffix(token, "created_at") {
		return nil
	}
	order := shipmentKeys[strings.TrimPrefix(token, "-")].order
	if order == nil {
		x.Violate("sort %q is not an order of shipments", token)
		return nil
	}
	return func(rows []*Shipment) bool {
		return service.SortRows(rows, []string{token}, func(s *Shipment, _ string) (string, bool) { return order(listed{x: x, s: s}), true })
	}
}
