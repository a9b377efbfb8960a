package terminal49test

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

func (x *exchange) listContainers() reply {
	number, customer, name := x.query.Get("filter[number]"), x.query.Get("filter[customer_id]"), x.query.Get("filter[customer_name]")
	var rows []*Container
	for _, c := range x.w.containers.all() {
		s := cmp.Or(x.w.shipments.get(c.Shipment), &Shipment{})
		party := cmp.Or(x.w.parties.get(s.Customer), &Party{})
		if number != "" && !strings.EqualFold(c.Number, number) || customer != "" && s.Customer != customer ||
			name != "" && !strings.EqualFold(party.CompanyName, name) {
			continue
		}
		rows = append(rows, c)
	}
	return x.page(newestFirst("container", rows, func(c *Container) (string, time.Time) { return c.ID, c.CreatedAt }), 30, metaTotal)
}

func (x *exchange) getContainer() reply { return x.one(200, ref{"container", x.args["id"]}) }

// updateContainer takes the id from the path, else from the body: the service's documents show both forms.
func (x *exchange) updateContainer() reply {
	id := cmp.Or(x.args["id"], x.data.ID)
	if id == "" {
		x.violate("data.id must name the container")
		return *unprocessable("/data/id", "The container is not named.")
	}
	c := x.w.containers.get(id)
	if c == nil {
		return notFound()
	}
	x.attribute("ref_numbers", &c.RefNumbers)
	return x.one(200, ref{"container", id})
}

func (x *exchange) refreshContainer() reply {
	if !x.s.config.refresh {
		return fail(ShapeFull, problem{
			status: 403, title: "API access not enabled",
			detail: "This API endpoint is not enabled for your account. Please contact support to enable it.",
		})
	}
	c := x.w.containers.get(x.args["id"])
	if c == nil {
		return notFound()
	}
	sources := "Shipping line, Terminal"
	c.ShipmentLastRequestAt, c.PODLastRequestAt = x.now, x.now
	if s := x.w.shipments.get(c.Shipment); x.w.inland(s) {
		sources += ", Rail"
		c.RailLastRequestAt = x.now
	}
	return jsonReply(200, object{{"message", "Started refresh for " + sources}})
}

// listTransportEvents gives all events in no useful order, as the service does: clients have to sort.
func (x *exchange) listTransportEvents() reply {
	rows, ok := x.eventsOf("transport_event", x.w.eventsOf)
	if !ok {
		return notFound()
	}
	slices.SortFunc(rows, func(a, b ref) int { return strings.Compare(a.id, b.id) })
	doc, failure := x.list(rows)
	if failure != nil {
		return *failure
	}
	return jsonReply(200, append(doc, member{"links", object{{"self", x.self()}, {"current", x.self()}}}))
}

// listRawEvents always includes places, terminals and ships, and has neither links nor meta.
func (x *exchange) listRawEvents() reply {
	rows, ok := x.eventsOf("raw_event", x.w.rawEventsOf)
	if !ok {
		return notFound()
	}
	var resources []resource
	data := []object{}
	for _, r := range rows {
		if res, ok := x.w.render(r); ok {
			resources, data = append(resources, res), append(data, res.object())
		}
	}
	included := x.w.collect(resources, []string{"vessel", "location", "terminal"})
	return jsonReply(200, object{{"data", data}, {"included", included}})
}

func (x *exchange) eventsOf(kind string, index map[string][]string) ([]ref, bool) {
	id := x.args["id"]
	if x.w.containers.get(id) == nil {
		return nil, false
	}
	return toMany("", kind, index[id]).many, true
}
