package terminal49test

import (
	"slices"

	"github.com/go-freight/terminal49/terminal49test/internal/forms"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

// The indexes of a world. They follow from the order of the rows, except where something was moved.
const (
	containersOfShipment = "containers"      // by shipment
	eventsOfContainer    = "events"          // by container
	rawEventsOfContainer = "raw_events"      // by container
	shipmentsWithNumber  = "shipment_number" // by normalized number
	requestsWithNumber   = "request_number"  // by normalized number
)

// savedOrder is an entry of an index that does not follow from the rows. Without ids there is no
// entry.
type savedOrder struct {
	Index string   `json:"index"`
	Of    string   `json:"of"`
	IDs   []string `json:"ids,omitzero"`
}

// indexes returns the indexes of a world.
func (w *world) indexes() map[string]map[string][]string {
	return map[string]map[string][]string{
		containersOfShipment: w.containerOf, eventsOfContainer: w.eventsOf, rawEventsOfContainer: w.rawEventsOf,
		shipmentsWithNumber: w.shipmentsOf, requestsWithNumber: w.requestsOf,
	}
}

// derivedIndexes returns the indexes that follow from the order of the rows.
func (w *world) derivedIndexes() map[string]map[string][]string {
	derived := newWorld(0, w.clock)
	for _, id := range w.shipments.Order {
		derived.shipmentsOf.add(id, w.shipments.Rows[id].BillOfLadingNumber)
	}
	for _, id := range w.requests.Order {
		derived.requestsOf.add(id, w.requests.Rows[id].RequestNumber)
	}
	collect(derived.containerOf, &w.containers, func(c *Container) string { return c.Shipment })
	collect(derived.eventsOf, &w.events, func(e *TransportEvent) string { return e.Container })
	collect(derived.rawEventsOf, &w.rawEvents, func(e *RawEvent) string { return e.Container })
	return derived.indexes()
}

func collect[T any](index map[string][]string, t *state.Table[T], owner func(*T) string) {
	for _, id := range t.Order {
		key := owner(t.Rows[id])
		index[key] = append(index[key], id)
	}
}

func orderPart() savedPart {
	return linesOf("order", func(w *world) any { return w.indexes() },
		func(s *Server, out *lineWriter) {
			derived, actual := s.world.derivedIndexes(), s.world.indexes()
			for _, index := range state.SortedKeys(actual) {
				saveOrder(out, index, derived[index], actual[index])
			}
		},
		func(l *loading, o savedOrder) error {
			if l.world.indexes()[o.Index] == nil {
				return &forms.Error{Member: "index", Problem: "is not known"}
			}
			for _, id := range o.IDs {
				if !l.world.hasRow(o.Index, id) {
					return &forms.Error{Member: "ids", Problem: "must be those of earlier lines: " + id + " is not"}
				}
			}
			l.orders = append(l.orders, o)
			return nil
		})
}

// saveOrder writes the entries that differ.
func saveOrder(out *lineWriter, index string, derived, actual map[string][]string) {
	for _, key := range state.SortedKeys(actual) {
		ids, ok := derived[key]
		if !ok || !slices.Equal(ids, actual[key]) {
			out.add("order", key, savedOrder{index, key, append([]string{}, actual[key]...)})
		}
	}
	for _, key := range state.SortedKeys(derived) {
		if _, ok := actual[key]; !ok {
			out.add("order", key, savedOrder{Index: index, Of: key})
		}
	}
}

// hasRow reports whether an id can be in an index.
func (w *world) hasRow(index string, id string) bool {
	switch index {
	case containersOfShipment:
		return w.containers.Get(id) != nil
	case eventsOfContainer:
		return w.events.Get(id) != nil
	case rawEventsOfContainer:
		return w.rawEvents.Get(id) != nil
	case shipmentsWithNumber:
		return w.shipments.Get(id) != nil
	}
	return w.requests.Get(id) != nil
}

// index fills the indexes, once all rows are there.
func (l *loading) index() {
	actual := l.world.indexes()
	for name, derived := range l.world.derivedIndexes() {
		for key, ids := range derived {
			actual[name][key] = ids
		}
	}
	for _, o := range l.orders {
		if actual[o.Index][o.Of] = o.IDs; o.IDs == nil {
			delete(actual[o.Index], o.Of)
		}
	}
}
