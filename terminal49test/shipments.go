package terminal49test

import (
	"slices"
	"strings"
	"time"
)

func (x *exchange) listShipments() reply {
	q := x.query
	var rows []*Shipment
	for _, s := range x.w.shipments.all() {
		if number := q.Get("number"); number != "" && !x.w.requestedAs(s, number) {
			continue
		}
		if customer := q.Get("filter[customer_id]"); customer != "" && s.Customer != customer {
			continue
		}
		if text := q.Get("q"); text != "" && !x.w.mentions(s, text) {
			continue
		}
		if stopped := q.Get("filter[tracking_stopped]"); stopped != "" && (stopped == "true") != !s.LineTrackingStoppedAt.IsZero() {
			continue
		}
		rows = append(rows, s)
	}
	if stopped := q.Get("filter[tracking_stopped]"); stopped != "" && stopped != "true" && stopped != "false" {
		x.violate("filter[tracking_stopped] must be true or false")
	}
	return x.page(newestFirst("shipment", rows, func(s *Shipment) (string, time.Time) { return s.ID, s.CreatedAt }), 30, metaSizeTotal)
}

func (x *exchange) getShipment() reply { return x.one(200, ref{"shipment", x.args["id"]}) }

func (x *exchange) updateShipment() reply {
	s := x.w.shipments.get(x.args["id"])
	if s == nil {
		return notFound()
	}
	x.attribute("ref_numbers", &s.RefNumbers)
	if x.attribute("tags", &s.Tags) {
		if unique := slices.Compact(slices.Sorted(slices.Values(s.Tags))); len(unique) < len(s.Tags) {
			x.violate("tags must differ from each other")
		}
	}
	return x.one(200, ref{"shipment", s.ID})
}

func (x *exchange) stopTracking() reply {
	s := x.w.shipments.get(x.args["id"])
	if s == nil {
		return notFound()
	}
	x.w.stop(s, x.now, "cancelled_by_user", x.w.user)
	return x.one(200, ref{"shipment", s.ID})
}

func (x *exchange) resumeTracking() reply {
	s := x.w.shipments.get(x.args["id"])
	if s == nil {
		return notFound()
	}
	x.w.resume(s, x.now)
	return x.one(200, ref{"shipment", s.ID})
}

// requestedAs reports whether the shipment was asked for by this bill of lading or booking number. A container number
// never matches.
func (w *world) requestedAs(s *Shipment, number string) bool {
	if strings.EqualFold(s.Number, number) {
		return true
	}
	return w.requests.find(func(r *TrackingRequest) bool {
		return r.Shipment == s.ID && r.RequestType != "container" && strings.EqualFold(r.RequestNumber, number)
	}) != nil
}

// mentions is the free-text search over bill of lading, references and container numbers.
func (w *world) mentions(s *Shipment, text string) bool {
	words := append([]string{s.Number}, s.RefNumbers...)
	for _, id := range w.containerOf[s.ID] {
		words = append(words, w.containers.get(id).Number)
	}
	return slices.ContainsFunc(words, func(word string) bool {
		return strings.Contains(strings.ToUpper(word), strings.ToUpper(text))
	})
}

// newestFirst orders rows by creation, the last added first where that is equal.
func newestFirst[T any](kind string, rows []*T, key func(*T) (id string, created time.Time)) []ref {
	slices.Reverse(rows)
	slices.SortStableFunc(rows, func(a, b *T) int {
		_, at := key(a)
		_, bt := key(b)
		return bt.Compare(at)
	})
	refs := make([]ref, len(rows))
	for i, row := range rows {
		id, _ := key(row)
		refs[i] = ref{kind, id}
	}
	return refs
}
