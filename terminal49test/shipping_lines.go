package terminal49test

import (
	"slices"
	"strings"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// ShippingLine is an ocean carrier.
type ShippingLine struct {
	ID               string   `json:"id,omitzero"`   // "" generates one
	SCAC             string   `json:"scac,omitzero"` // four characters
	Name             string   `json:"name,omitzero"`
	ShortName        string   `json:"short_name,omitzero"`
	AlternativeSCACs []string `json:"alternative_scacs,omitzero"`

	// The types of numbers that the carrier can track. A tracking request of another type is
	// refused.
	BillOfLadingTrackingSupport    bool `json:"bill_of_lading_tracking_support,omitzero"`
	BookingNumberTrackingSupport   bool `json:"booking_number_tracking_support,omitzero"`
	ContainerNumberTrackingSupport bool `json:"container_number_tracking_support,omitzero"`

	// ContainerPrefixes are the owner codes of its containers, such as "MSKU", used for inference.
	ContainerPrefixes []string `json:"container_prefixes,omitzero"`

	Attributes map[string]any `json:"attributes,omitzero"`
}

// AddShippingLine adds a shipping line and returns its id.
func (s *Server) AddShippingLine(l ShippingLine) string {
	return withWorld(s, func(w *world) string { return w.addLine(l) })
}

func (w *world) addLine(l ShippingLine) string {
	l.ID = w.identify(l.ID, "shipping_line")
	w.lines.Put(l.ID, &l)
	return l.ID
}

func (l *ShippingLine) supports(requestType string) bool {
	return map[string]bool{
		"bill_of_lading": l.BillOfLadingTrackingSupport, "booking_number": l.BookingNumberTrackingSupport, "container": l.ContainerNumberTrackingSupport,
	}[requestType]
}

// listLines returns the whole list for any page and links a second page, as the service does: a
// client that follows the link receives every line twice.
func (x *exchange) listLines() service.Reply {
	lines := x.w.lines.All()
	slices.SortFunc(lines, func(a, b *ShippingLine) int { return strings.Compare(a.SCAC, b.SCAC) })
	var rows []wire.Ref
	for _, l := range lines {
		rows = append(rows, wire.Ref{Kind: "shipping_line", ID: l.ID})
	}
	doc, failure := x.list(rows)
	if failure != nil {
		return *failure
	}
	number, size := x.PageNumber(), x.PageSize(30, x.maxPage())
	return service.JSONReply(200, append(doc, wire.Member{"links", x.PageLinks(number, size, 2, len(rows) == 0)}))
}

func (x *exchange) getLine() service.Reply {
	return x.one(200, wire.Ref{Kind: "shipping_line", ID: x.Args["id"]})
}

func (w *world) renderLine(l *ShippingLine) wire.Resource {
	return wire.Resource{Ref: wire.Ref{Kind: "shipping_line", ID: l.ID}, Attributes: wire.Object{
		{"scac", l.SCAC}, {"name", l.Name}, {"short_name", l.ShortName},
		{"alternative_scacs", wire.NonNil(l.AlternativeSCACs)},
		{"bill_of_lading_tracking_support", l.BillOfLadingTrackingSupport},
		{"booking_number_tracking_support", l.BookingNumberTrackingSupport},
		{"container_number_tracking_support", l.ContainerNumberTrackingSupport},
		{"provided_data", wire.Object{}}, {"tracking_url", nil}, {"contact_url", nil},
	}.With(l.Attributes)}
}
