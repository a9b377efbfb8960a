package terminal49test

import (
	"slices"
	"strings"
)

// ShippingLine is an ocean carrier.
type ShippingLine struct {
	ID               string // "" generates one
	SCAC             string // four characters
	Name, ShortName  string
	AlternativeSCACs []string

	// The types of numbers that the carrier can track. A tracking request of another type is
	// refused.
	BillOfLadingTrackingSupport, BookingNumberTrackingSupport, ContainerNumberTrackingSupport bool

	// ContainerPrefixes are the owner codes of its containers, such as "MSKU", used for inference.
	ContainerPrefixes []string

	Attributes map[string]any
}

// AddShippingLine adds a shipping line and returns its id.
func (s *Server) AddShippingLine(l ShippingLine) string {
	return withWorld(s, func(w *world) string { return w.addLine(l) })
}

func (w *world) addLine(l ShippingLine) string {
	l.ID = w.identify(l.ID, "shipping_line")
	w.lines.put(l.ID, &l)
	return l.ID
}

func (l *ShippingLine) supports(requestType string) bool {
	return map[string]bool{
		"bill_of_lading": l.BillOfLadingTrackingSupport, "booking_number": l.BookingNumberTrackingSupport, "container": l.ContainerNumberTrackingSupport,
	}[requestType]
}

// listLines returns the whole list for any page and links a second page, as the service does: a
// client that follows the link receives every line twice.
func (x *exchange) listLines() reply {
	lines := x.w.lines.all()
	slices.SortFunc(lines, func(a, b *ShippingLine) int { return strings.Compare(a.SCAC, b.SCAC) })
	var rows []ref
	for _, l := range lines {
		rows = append(rows, ref{"shipping_line", l.ID})
	}
	doc, failure := x.list(rows)
	if failure != nil {
		return *failure
	}
	number, size := x.pageNumber(), x.pageSize(30)
	return jsonReply(200, append(doc, member{"links", x.pageLinks(number, size, 2, len(rows) == 0)}))
}

func (x *exchange) getLine() reply { return x.one(200, ref{"shipping_line", x.args["id"]}) }

func (w *world) renderLine(l *ShippingLine) resource {
	return resource{ref: ref{"shipping_line", l.ID}, attributes: object{
		{"scac", l.SCAC}, {"name", l.Name}, {"short_name", l.ShortName},
		{"alternative_scacs", nonNil(l.AlternativeSCACs)},
		{"bill_of_lading_tracking_support", l.BillOfLadingTrackingSupport},
		{"booking_number_tracking_support", l.BookingNumberTrackingSupport},
		{"container_number_tracking_support", l.ContainerNumberTrackingSupport},
		{"provided_data", object{}}, {"tracking_url", nil}, {"contact_url", nil},
	}.with(l.Attributes)}
}
