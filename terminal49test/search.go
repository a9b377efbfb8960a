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

// maxSearchResults is the maximum number of results.
const maxSearchResults = 25

// search finds shipments, then containers, then tracking requests, each newest first.
func (x *exchange) search() service.Reply {
	text := strings.TrimSpace(x.Query.Get("query"))
	if text == "" {
		if !x.Query.Has("query") {
			x.Violate(`query parameter "query" is required`)
		}
		return service.ErrorReply(service.ShapeDetailOnly, service.Problem{Status: 400, Detail: "Query parameter is required"})
	}
	results := slices.Concat(x.w.shipmentResults(text), x.w.containerResults(text), x.w.requestResults(text))
	results = append([]wire.Resource{}, results[:min(len(results), maxSearchResults)]...) // [] rather than null
	return service.JSONReply(200, wire.Object{{"data", results}, {"links", wire.Object{{"self", x.Self()}, {"current", x.Self()}}}})
}

func (w *world) shipmentResults(text string) (results []wire.Resource) {
	rows := filterRows(&w.shipments, func(s *Shipment) bool {
		return anyContains(text, append([]string{s.BillOfLadingNumber, s.NormalizedNumber}, s.ReferenceNumbers...)...)
	})
	for _, r := range newestFirst("shipment", rows, func(s *Shipment) (string, time.Time) { return s.ID, s.CreatedAt }) {
		s := w.shipments.Get(r.ID)
		results = append(results, searchResult(r.ID, wire.Object{
			{"entity_type", "shipment"}, {"number", s.BillOfLadingNumber}, {"scac", wire.OrNull(w.scacOf(s))},
			{"port_of_lading_name", wire.OrNull(w.place(s.PortOfLading).name)},
			{"port_of_discharge_name", wire.OrNull(w.place(s.PortOfDischarge).name)},
			{"containers_count", len(w.containersOf(s.ID))}, {"tracking_stopped", !s.LineTrackingStoppedAt.IsZero()},
			{"tracking_stopped_reason", wire.OrNull(s.LineTrackingStoppedReason)}, {"ref_numbers", wire.NonNil(s.ReferenceNumbers)},
			{"created_at", formatMillis(s.CreatedAt)}, {"updated_at", formatMillis(laterOf(s.CreatedAt, s.LineTrackingLastSucceededAt))},
		}))
	}
	return results
}

func (w *world) containerResults(text string) (results []wire.Resource) {
	rows := filterRows(&w.containers, func(c *Container) bool {
		return anyContains(text, append([]string{c.Number}, c.ReferenceNumbers...)...)
	})
	for _, r := range newestFirst("container", rows, func(c *Container) (string, time.Time) { return c.ID, c.CreatedAt }) {
		c := w.containers.Get(r.ID)
		results = append(results, searchResult(r.ID, wire.Object{
			{"entity_type", "cargo"}, {"number", c.Number}, {"shipment_id", wire.OrNull(c.Shipment)},
			{"scac", wire.OrNull(w.scacOf(w.shipments.Get(c.Shipment)))}, {"ref_numbers", wire.NonNil(c.ReferenceNumbers)},
			{"created_at", formatMillis(c.CreatedAt)}, {"updated_at", formatMillis(laterOf(c.CreatedAt, c.TerminalCheckedAt))},
		}))
	}
	return results
}

// requestResults omits requests whose number is the bill of lading of a shipment.
func (w *world) requestResults(text string) (results []wire.Resource) {
	rows := filterRows(&w.requests, func(r *TrackingRequest) bool {
		return anyContains(text, append([]string{r.RequestNumber}, r.ReferenceNumbers...)...) &&
			w.shipments.Find(func(s *Shipment) bool { return strings.EqualFold(s.BillOfLadingNumber, r.RequestNumber) }) == nil
	})
	for _, row := range newestFirst("tracking_request", rows, func(r *TrackingRequest) (string, time.Time) { return r.ID, r.CreatedAt }) {
		r := w.requests.Get(row.ID)
		results = append(results, searchResult(r.ID, wire.Object{
			{"entity_type", "tracking_request"}, {"number", r.RequestNumber}, {"shipment_id", wire.OrNull(r.Shipment)},
			{"scac", wire.OrNull(r.SCAC)}, {"status", r.Status}, {"failed_reason", wire.OrNull(r.FailedReason)},
			{"ref_numbers", wire.NonNil(r.ReferenceNumbers)}, {"created_at", formatMillis(r.CreatedAt)},
			{"updated_at", formatMillis(laterOf(r.CreatedAt, r.UpdatedAt))},
		}))
	}
	return results
}

// searchResult adds null for the attributes that the entity does not have. The type is always
// search_result.
func searchResult(id string, attributes wire.Object) wire.Resource {
	all := wire.Object{}
	for _, name := range []string{
		"entity_type", "number", "shipment_id", "scac", "port_of_lading_name", "port_of_discharge_name", "containers_count",
		"tracking_stopped", "tracking_stopped_reason", "status", "failed_reason", "ref_numbers", "created_at", "updated_at",
	} {
		at := slices.IndexFunc(attributes, func(m wire.Member) bool { return m.Name == name })
		if at < 0 {
			all = append(all, wire.Member{name, nil})
		} else {
			all = append(all, attributes[at])
		}
	}
	return wire.Resource{Ref: wire.Ref{Kind: "search_result", ID: id}, Attributes: all}
}

func filterRows[T any](t *state.Table[T], match func(*T) bool) []*T {
	return slices.DeleteFunc(t.All(), func(row *T) bool { return !match(row) })
}

// anyContains reports whether one of the words contains text, ignoring case.
func anyContains(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return strings.Contains(strings.ToUpper(word), strings.ToUpper(text))
	})
}

func (w *world) scacOf(s *Shipment) string {
	if s == nil {
		return ""
	}
	return cmp.Or(w.line(s.ShippingLine), &ShippingLine{SCAC: s.ShippingLine}).SCAC
}

// formatMillis formats a time as only the search does, with milliseconds.
func formatMillis(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
