package dispute

import (
	"slices"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

// facts returns periods as facts.
func facts[V any](periods []mirror.Period[V], by string, what func(V) string) []Fact {
	all := make([]Fact, len(periods))
	for i, p := range periods {
		all[i] = Fact{What: what(p.Value), Read: p.From, Ended: p.Until, Earlier: p.Earlier, Source: by + readBy(p.Source)}
	}
	return all
}

// readBy says how a mirror found a change.
func readBy(source string) string {
	switch source {
	case "":
		return ""
	case "notification":
		return ", by a notification"
	case "poll", "walk", "cursor":
		return ", read by a " + source
	}
	return ", " + source
}

// lastFreeDays returns the last free days of all sources in the order in which they were read.
func lastFreeDays(h *mirror.History) []Fact {
	all := []Fact{} // JSON has a list, too
	for _, p := range h.LastFreeDays {
		one := facts([]mirror.Period[terminal49.LastFreeDay]{p}, "the "+string(p.Value.Source), func(d terminal49.LastFreeDay) string {
			return "last free day of the " + string(d.Source) + ": " + day(d.At)
		})
		all = append(all, one...)
	}
	slices.SortStableFunc(all, func(a, b Fact) int { return a.Read.Compare(b.Read) })
	return all
}

func day(at terminal49.Time) string {
	if date, known := at.Date(); known {
		return date.String()
	}
	return at.String()
}

// milestones returns what has happened to a container: the times that bound charges with when each
// was read, and events that are not withdrawn.
func milestones(c *terminal49.Container, h *mirror.History) []Fact {
	all := []Fact{} // JSON has a list, too
	for _, of := range []struct {
		what, attribute string
		periods         []mirror.Period[terminal49.Time]
	}{
		{"discharged from the vessel", "pod_discharged_at", h.Discharged},
		{"full out of the port", "pod_full_out_at", h.FullOut},
		{"full out of the inland ramp", "final_destination_full_out_at", h.InlandFullOut},
		{"empty returned", "empty_terminated_at", h.EmptyReturned},
	} {
		for i, f := range facts(of.periods, "the container's "+of.attribute, func(terminal49.Time) string { return of.what }) {
			f.At = of.periods[i].Value.String()
			all = append(all, f)
		}
	}
	for _, m := range terminal49.Journey(c, terminal49.JourneyOptions{}) {
		if m.EventID != "" && !m.Estimated && !m.Withdrawn {
			all = append(all, event(m))
		}
	}
	return all
}

func event(m terminal49.Milestone) Fact {
	f := Fact{What: m.Description(), At: m.At.String(), Source: string(m.Source) + ", event " + m.EventID}
	if m.Place != "" {
		f.What += " at " + m.Place
	}
	return f
}

// identity returns what identifies a container.
func identity(c *terminal49.Container) (all []Fact) {
	add := func(what, value, attribute string) {
		if value != "" {
			all = append(all, Fact{What: what + " " + value, Read: c.AsOf.UTC(), Source: attribute})
		}
	}
	add("container", c.Number, "the container's number")
	if s, _ := c.Shipment.Value(); s != nil {
		add("bill of lading", s.BillOfLadingNumber, "the shipment's bill_of_lading_number")
		add("shipping line", s.ShippingLineSCAC, "the shipment's shipping_line_scac")
		add("port of discharge", s.PortOfDischargeLOCODE, "the shipment's port_of_discharge_locode")
		add("customer", s.CustomerName, "the shipment's customer_name")
	}
	if t, _ := c.PODTerminal.Value(); t != nil {
		add("terminal", t.Name, "the container's pod_terminal")
	}
	return all
}
