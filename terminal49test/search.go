package terminal49test

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// maxSearchResults is the maximum number of results.
const maxSearchResults = 25

// search finds shipments, then containers, then tracking requests, each newest first.
func (x *exchange) search() reply {
	text := strings.TrimSpace(x.query.Get("query"))
	if text == "" {
		if !x.query.Has("query") {
			x.violate(`query parameter "query" is required`)
		}
		return errorReply(ShapeDetailOnly, problem{status: 400, detail: "Query parameter is required"})
	}
	results := slices.Concat(x.w.shipmentResults(text), x.w.containerResults(text), x.w.requestResults(text))
	results = append([]resource{}, results[:min(len(results), maxSearchResults)]...) // [] rather than null
	return jsonReply(200, object{{"data", results}, {"links", object{{"self", x.self()}, {"current", x.self()}}}})
}

func (w *world) shipmentResults(text string) (results []resource) {
	rows := filterRows(&w.shipments, func(s *Shipment) bool {
		return anyContains(text, append([]string{s.BillOfLadingNumber, s.NormalizedNumber}, s.ReferenceNumbers...)...)
	})
	for _, r := range newestFirst("shipment", rows, func(s *Shipment) (string, time.Time) { return s.ID, s.CreatedAt }) {
		s := w.shipments.get(r.id)
		results = append(results, searchResult(r.id, object{
			{"entity_type", "shipment"}, {"number", s.BillOfLadingNumber}, {"scac", orNull(w.scacOf(s))},
			{"port_of_lading_name", orNull(w.place(s.PortOfLading).name)},
			{"port_of_discharge_name", orNull(w.place(s.PortOfDischarge).name)},
			{"containers_count", len(w.containersOf(s.ID))}, {"tracking_stopped", !s.LineTrackingStoppedAt.IsZero()},
			{"tracking_stopped_reason", orNull(s.LineTrackingStoppedReason)}, {"ref_numbers", nonNil(s.ReferenceNumbers)},
			{"created_at", formatMillis(s.CreatedAt)}, {"updated_at", formatMillis(laterOf(s.CreatedAt, s.LineTrackingLastSucceededAt))},
		}))
	}
	return results
}

func (w *world) containerResults(text string) (results []resource) {
	rows := filterRows(&w.containers, func(c *Container) bool {
		return anyContains(text, append([]string{c.Number}, c.ReferenceNumbers...)...)
	})
	for _, r := range newestFirst("container", rows, func(c *Container) (string, time.Time) { return c.ID, c.CreatedAt }) {
		c := w.containers.get(r.id)
		results = append(results, searchResult(r.id, object{
			{"entity_type", "cargo"}, {"number", c.Number}, {"shipment_id", orNull(c.Shipment)},
			{"scac", orNull(w.scacOf(w.shipments.get(c.Shipment)))}, {"ref_numbers", nonNil(c.ReferenceNumbers)},
			{"created_at", formatMillis(c.CreatedAt)}, {"updated_at", formatMillis(laterOf(c.CreatedAt, c.TerminalCheckedAt))},
		}))
	}
	return results
}

// requestResults omits requests whose number is the bill of lading of a shipment.
func (w *world) requestResults(text string) (results []resource) {
	rows := filterRows(&w.requests, func(r *TrackingRequest) bool {
		return anyContains(text, append([]string{r.RequestNumber}, r.ReferenceNumbers...)...) &&
			w.shipments.find(func(s *Shipment) bool { return strings.EqualFold(s.BillOfLadingNumber, r.RequestNumber) }) == nil
	})
	for _, row := range newestFirst("tracking_request", rows, func(r *TrackingRequest) (string, time.Time) { return r.ID, r.CreatedAt }) {
		r := w.requests.get(row.id)
		results = append(results, searchResult(r.ID, object{
			{"entity_type", "tracking_request"}, {"number", r.RequestNumber}, {"shipment_id", orNull(r.Shipment)},
			{"scac", orNull(r.SCAC)}, {"status", r.Status}, {"failed_reason", orNull(r.FailedReason)},
			{"ref_numbers", nonNil(r.ReferenceNumbers)}, {"created_at", formatMillis(r.CreatedAt)},
			{"updated_at", formatMillis(laterOf(r.CreatedAt, r.UpdatedAt))},
		}))
	}
	return results
}

// searchResult adds null for the attributes that the entity does not have. The type is always
// search_result.
func searchResult(id string, attributes object) resource {
	all := object{}
	for _, name := range []string{
		"entity_type", "number", "shipment_id", "scac", "port_of_lading_name", "port_of_discharge_name", "containers_count",
		"tracking_stopped", "tracking_stopped_reason", "status", "failed_reason", "ref_numbers", "created_at", "updated_at",
	} {
		at := slices.IndexFunc(attributes, func(m member) bool { return m.name == name })
		if at < 0 {
			all = append(all, member{name, nil})
		} else {
			all = append(all, attributes[at])
		}
	}
	return resource{ref: ref{"search_result", id}, attributes: all}
}

func filterRows[T any](t *table[T], match func(*T) bool) []*T {
	return slices.DeleteFunc(t.all(), func(row *T) bool { return !match(row) })
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
