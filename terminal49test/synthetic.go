package terminal49test

import (
	"fmt"
	"slices"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// WithSyntheticContainers adds n containers with six transport events each, in about n/2.5
// shipments with a tracking request each. They are generated from the seed when they are read, so
// that a million takes no memory. They can be read by id, and are listed after the added ones in
// any sort order. A filter other than tracking_stopped, actively_tracked and those of creation and
// update times reads all of them for each page, which takes seconds for a million. Search and
// document linking ignore them. They change only by requests and by methods such as
// [Server.TouchContainers]; changed ones are kept in memory.
func WithSyntheticContainers(n int) Option { return func(c *config) { c.synthetic = max(n, 0) } }

// TouchContainers changes k synthetic containers at even intervals within a simulated duration; 0
// means at once. The seed chooses them, some of them twice. It returns their ids in order. Each
// change is visible: a location and, three times of four, a hold, a last free day or the
// availability, which notify webhooks. A last free day has a transport event too. Every eighth also
// moves the arrival of the shipment. A negative k or duration means 0; k is at most 1,000,000.
func (s *Server) TouchContainers(k int, within time.Duration) []string {
	return withWorld(s, func(w *world) (ids []string) {
		if w.synthetic == nil || w.synthetic.containers == 0 {
			return nil
		}
		k, within = min(max(k, 0), 1_000_000), max(within, 0)
		for i := range k {
			w.synthetic.touched++
			n := w.synthetic.touched
			id := w.synthetic.containerID(int(w.ids.Draw(fmt.Sprint("touch/", n)) * float64(w.synthetic.containers)))
			ids = append(ids, id)
			w.Plan(w.now().Add(part(within, i+1, k)), touchContainer{id, n})
		}
		w.advance(w.now())
		return ids
	})
}

// part returns i k-ths of d. A product of both would overflow.
func part(d time.Duration, i, k int) time.Duration {
	n, of := time.Duration(i), time.Duration(k)
	return d/of*n + d%of*n/of
}

func (w *world) touch(id string, n int, at time.Time) {
	c := w.containers.Own(id)
	if c == nil {
		return // removed
	}
	s := w.shipments.Get(c.Shipment)
	if n%8 == 0 && s != nil {
		s = w.shipments.Own(c.Shipment)
	}
	w.notifyChanges(s, c, at, func() {
		c.LocationAtPODTerminal = fmt.Sprint("T-", n)
		switch n % 4 {
		case 0:
			c.ImportDeadlines.Terminal = at.Truncate(time.Hour).Add(time.Duration(n)*time.Hour + 30*time.Minute) // unlike all before
			w.addEvent(TransportEvent{
				Event: "container.pickup_lfd.changed", Container: id, Timestamp: at, CreatedAt: at, DataSource: "terminal",
				Terminal: w.podTerminal(c), Location: w.terminalPlace(w.podTerminal(c)).ref.ID,
				Value: c.ImportDeadlines.Terminal.Format(time.RFC3339), ValueTimestamp: at,
			})
		case 1:
			c.Holds = []Hold{{Name: "customs", Description: fmt.Sprint("exam ", n)}}
		case 2:
			c.AvailabilityKnown, c.AvailableForPickup = nil, Bool(c.AvailableForPickup == nil || !*c.AvailableForPickup)
		}
		if n%8 == 0 && s != nil {
			s.PODETA = s.PODETA.Add(time.Duration(n) * time.Minute)
		}
	})
}

// containersOf returns the containers of a shipment in the order they were added.
func (w *world) containersOf(shipment string) []string {
	ids, added := w.containerOf[shipment]
	if added || w.synthetic == nil {
		return ids
	}
	if i, ok := w.synthetic.shipmentIndex(shipment); ok {
		for n, to := w.synthetic.containersIn(i); n < to; n++ {
			ids = append(ids, w.synthetic.containerID(n))
		}
	}
	return ids
}

// setContainers sets the containers of a shipment, which is then kept in memory.
func (w *world) setContainers(shipment string, ids []string) {
	w.shipments.Own(shipment)
	w.containerOf[shipment] = ids
}

// changedContainers returns the positions of the synthetic containers that can differ from the
// others by their shipment or by themselves.
func (w *world) changedContainers() []int {
	list := slices.Clone(w.containers.Changed)
	for _, shipment := range w.shipments.Changed {
		for i, to := w.synthetic.containersIn(shipment); i < to; i++ {
			list = append(list, i)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// sameForSynthetic reports whether the filters accept all unchanged synthetic rows or none, except
// by the given keys.
func sameForSynthetic(filters []service.Filter, keys ...string) bool {
	keys = append(keys, "tracking_stopped", "actively_tracked")
	return !slices.ContainsFunc(filters, func(f service.Filter) bool { return !slices.Contains(keys, f.Key) })
}

// isSynthetic reports whether an id is that of a generated row, changed or not.
func (w *world) isSynthetic(id string) bool {
	return w.containers.IsMade(id) || w.shipments.IsMade(id) || w.requests.IsMade(id) || w.events.IsMade(id)
}

// isGenerated reports whether a resource is made when it is read, and so has not changed.
func (w *world) isGenerated(r wire.Ref) bool {
	switch r.Kind {
	case "shipment":
		return w.shipments.Rows[r.ID] == nil && w.shipments.IsMade(r.ID)
	case "container":
		return w.containers.Rows[r.ID] == nil && w.containers.IsMade(r.ID)
	case "tracking_request":
		return w.requests.Rows[r.ID] == nil && w.requests.IsMade(r.ID)
	}
	return false
}

// keepMade records the first state of a synthetic row, before it changes. Containers have
// attributes of their shipment.
func (w *world) keepMade(r wire.Ref) {
	if w.history == nil {
		return
	}
	first := []wire.Ref{r}
	switch r.Kind {
	case "shipment":
		for _, id := range w.containersOf(r.ID) {
			w.containers.Own(id)
		}
	case "container": // its events name the shipment
		first = append(first, wire.ToMany("", "transport_event", w.eventsIn(r.ID)).Many...)
	}
	for _, state := range w.readBatch(state.Listing{Rows: first}, 0, nil) {
		w.history.add(State{At: w.synthetic.start, Resource: state})
	}
}

// eventsIn returns the transport events of a container in the order they were added.
func (w *world) eventsIn(container string) []string {
	ids, added := w.eventsOf[container]
	if added || w.synthetic == nil {
		return ids
	}
	if i, ok := w.synthetic.containerIndex(container); ok {
		for n := range syntheticEvents {
			ids = append(ids, w.synthetic.eventID(i*syntheticEvents+n))
		}
	}
	return ids
}

// changedRequests returns the synthetic tracking requests that are kept in memory.
func (w *world) changedRequests() (list []*TrackingRequest) {
	for _, i := range w.requests.Changed {
		if r := w.requests.Get(w.requests.Made.ID(i)); r != nil {
			list = append(list, r)
		}
	}
	return list
}

// ownRequest keeps the synthetic tracking request of a shipment in memory, because it changes.
func (w *world) ownRequest(shipment string) {
	if w.synthetic == nil {
		return
	}
	if i, ok := w.synthetic.shipmentIndex(shipment); ok {
		w.requests.Own(w.synthetic.requestID(i))
	}
}
