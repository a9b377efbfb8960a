package terminal49test

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// maxGroups is the maximum number of groups in a summary.
const maxGroups = 200

// group counts containers with the same key. A key or a label of "" is sent as null.
type group struct {
	key, label string
	count      int
}

// summarizeContainers counts the containers that the list would return. An older service treats the
// last part of the path as a container id.
func (x *exchange) summarizeContainers() service.Reply {
	if !x.s.config.autumn2026 {
		return service.NotFound()
	}
	by := x.Query.Get("group_by")
	if !slices.Contains([]string{"current_status", "pod_terminal", "shipping_line", "port_of_discharge"}, by) {
		x.Violate("group_by must be current_status, pod_terminal, shipping_line or port_of_discharge")
		return service.Refusal(service.Problem{Status: 400, Title: "Bad Request", Parameter: "group_by", Detail: "The value is invalid."})
	}
	list, refusal := x.selectContainers()
	if refusal != nil {
		return *refusal
	}
	groups := map[string]*group{}
	for _, r := range list.Slice(0, list.Len()) {
		key, label := x.groupOf(x.w.containers.Get(r.ID), by)
		if groups[key] == nil {
			groups[key] = &group{key: key, label: label}
		}
		groups[key].count++
	}
	return summaryReply(groups, by, list.Len())
}

// summaryReply sends the largest groups first, and those of the same size by key.
func summaryReply(groups map[string]*group, by string, total int) service.Reply {
	var sorted []*group
	for _, key := range state.SortedKeys(groups) {
		sorted = append(sorted, groups[key])
	}
	slices.SortStableFunc(sorted, func(a, b *group) int { return cmp.Compare(b.count, a.count) })
	data := []wire.Object{}
	for _, g := range sorted[:min(len(sorted), maxGroups)] {
		data = append(data, wire.Object{{"key", wire.OrNull(g.key)}, {"label", wire.OrNull(g.label)}, {"count", g.count}})
	}
	return service.JSONReply(200, wire.Object{{"data", data}, {"meta", wire.Object{
		{"total", total}, {"group_by", by}, {"truncated", len(sorted) > maxGroups},
	}}})
}

// groupOf returns the group of a container. The service documents neither keys nor labels: here
// they are the status, the id and name of the terminal, the SCAC and name of the line, and the code
// and name of the port.
func (x *exchange) groupOf(c *Container, by string) (key, label string) {
	s := cmp.Or(x.w.shipments.Get(c.Shipment), noShipment)
	switch by {
	case "current_status":
		words := []rune(strings.ReplaceAll(c.CurrentStatus, "_", " "))
		for i := range words[:min(len(words), 1)] {
			words[i] = unicode.ToUpper(words[i])
		}
		return c.CurrentStatus, string(words)
	case "pod_terminal":
		t := cmp.Or(x.w.terminal(x.w.podTerminal(c)), &Terminal{})
		return t.ID, t.Name
	case "shipping_line":
		l := cmp.Or(x.w.line(s.ShippingLine), &ShippingLine{SCAC: s.ShippingLine})
		return l.SCAC, l.Name
	}
	p := x.w.place(s.PortOfDischarge)
	return p.code, p.name
}
