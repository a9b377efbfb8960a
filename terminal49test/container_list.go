package terminal49test

import (
	"cmp"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

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
	of, refusal := x.containerSelection()
	if refusal != nil {
		return list, refusal
	}
	key := func(c *Container) (string, time.Time) { return c.ID, c.CreatedAt }
	return selectRows("container", &x.w.containers, of, key, x.sortContainers()), nil
}

// containerSelection returns which containers the request selects.
func (x *exchange) containerSelection() (of state.Selection[Container], refusal *service.Reply) {
	if !x.s.config.autumn2026 {
		return x.olderContainers(), nil
	}
	filters, refusal := x.Filters()
	switch {
	case refusal != nil:
		return of, refusal
	case x.Query.Has("filter[pod_eta_at]") || x.Query.Has("filter[pod_ata_at]"):
		failure := service.Failure()
		return of, &failure
	}
	of.Match = func(c *Container) bool { return x.listedContainer(c).matches(containerKeys, filters) }
	of.All, of.Known = len(filters) == 0, sameForSynthetic(filters, "created_at", "updated_at")
	if of.Known && !of.All && x.w.synthetic != nil {
		of.Changed = x.w.changedContainers()
		of.Unchanged = x.w.containers.Blocks(of.Changed, x.w.synthetic.day, of.Match)
	}
	return of, nil
}

func (x *exchange) listedContainer(c *Container) listed {
	return listed{x, c, cmp.Or(x.w.shipments.Get(c.Shipment), noShipment)}
}

// olderContainers is what the filters of the older service select.
func (x *exchange) olderContainers() (of state.Selection[Container]) {
	number, customer, name := x.Query.Get("filter[number]"), x.Query.Get("filter[customer_id]"), x.Query.Get("filter[customer_name]")
	of.All = number+customer+name == ""
	of.Match = func(c *Container) bool {
		s := cmp.Or(x.w.shipments.Get(c.Shipment), noShipment)
		party := cmp.Or(x.w.parties.Get(s.Customer), noParty)
		return of.All || (number == "" || strings.EqualFold(c.Number, number)) && (customer == "" || s.Customer == customer) &&
			(name == "" || strings.EqualFold(party.CompanyName, name))
	}
	return of
}

// sortContainers returns how the request orders rows, and nil for the default order. A token that
// the service drops is a violation.
func (x *exchange) sortContainers() func(rows []*Container) bool {
	sort := x.Query.Get("sort")
	if !x.s.config.autumn2026 || sort == "" || sort == "-created_at" { // the default order here
		return nil
	}
	tokens := strings.Split(sort, ",")
	if len(tokens) == 1 && tokens[0] == "attention_priority" {
		tokens[0] = "pickup_lfd" // the service does not document how it weighs
	}
	for _, token := range tokens {
		name := strings.TrimPrefix(token, "-")
		if len(tokens) > 3 || containerKeys[name].order == nil {
			x.Violate("sort %q is dropped", sort)
		}
	}
	value := func(c *Container, name string) (string, bool) {
		order := containerKeys[name].order
		if order == nil {
			return "", false
		}
		return order(x.listedContainer(c)), true
	}
	return func(rows []*Container) bool {
		return service.SortRows(rows, tokens[:min(len(tokens), 3)], value)
	}
}
