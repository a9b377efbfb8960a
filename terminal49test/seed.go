package terminal49test

import (
	"maps"
	"slices"
)

// AddShippingLine adds a carrier and returns its id.
func (s *Server) AddShippingLine(l ShippingLine) string {
	return locked(s, func(w *world) string { return w.addLine(l) })
}

// AddPort adds a port and returns its id.
func (s *Server) AddPort(p Port) string {
	return locked(s, func(w *world) string {
		p.ID = w.identify(p.ID, "port")
		w.ports.put(p.ID, &p)
		return p.ID
	})
}

// AddMetroArea adds an inland destination and returns its id.
func (s *Server) AddMetroArea(m MetroArea) string {
	return locked(s, func(w *world) string {
		m.ID = w.identify(m.ID, "metro_area")
		w.metroAreas.put(m.ID, &m)
		return m.ID
	})
}

// AddTerminal adds a terminal or rail ramp and returns its id.
func (s *Server) AddTerminal(t Terminal) string {
	return locked(s, func(w *world) string {
		t.ID = w.identify(t.ID, "terminal")
		w.terminals.put(t.ID, &t)
		return t.ID
	})
}

// AddVessel adds a ship and returns its id.
func (s *Server) AddVessel(v Vessel) string {
	return locked(s, func(w *world) string {
		v.ID, v.Positions = w.identify(v.ID, "vessel"), slices.Clone(v.Positions)
		w.vessels.put(v.ID, &v)
		return v.ID
	})
}

// AddParty adds a customer and returns its id.
func (s *Server) AddParty(p Party) string {
	return locked(s, func(w *world) string {
		p.ID = w.identify(p.ID, "party")
		w.parties.put(p.ID, &p)
		return p.ID
	})
}

// AddShipment adds a shipment without containers and returns its id.
func (s *Server) AddShipment(sh Shipment) string {
	return locked(s, func(w *world) string { return w.addShipment(sh) })
}

// AddContainer adds a container to its shipment and returns its id.
func (s *Server) AddContainer(c Container) string {
	return locked(s, func(w *world) string { return w.addContainer(c) })
}

// AddTrackingRequest adds a tracking request and returns its id. With an empty Status it runs its course as a posted one
// does, counted from CreatedAt; with any other it stays as it is.
func (s *Server) AddTrackingRequest(r TrackingRequest) string {
	return locked(s, func(w *world) string { return w.addRequest(r) })
}

// AddTransportEvent adds an event to its container and returns its id.
func (s *Server) AddTransportEvent(e TransportEvent) string {
	return locked(s, func(w *world) string { return w.addEvent(e) })
}

// AddRawEvent adds a line of the carrier's feed to its container and returns its id.
func (s *Server) AddRawEvent(e RawEvent) string {
	return locked(s, func(w *world) string { return w.addRawEvent(e) })
}

// UpdateShipment changes a shipment in place and reports whether there is one with that id. As in every Update, change
// runs under the server's lock: it must not call the server and must not keep the pointer.
func (s *Server) UpdateShipment(id string, change func(*Shipment)) bool {
	return locked(s, func(w *world) bool {
		return update(&w.shipments, id, func(sh *Shipment) { w.watched(sh, nil, w.now(), func() { change(sh) }) })
	})
}

// UpdateContainer changes a container in place and reports whether there is one with that id.
func (s *Server) UpdateContainer(id string, change func(*Container)) bool {
	return locked(s, func(w *world) bool {
		return update(&w.containers, id, func(c *Container) {
			was := c.Shipment
			w.watched(w.shipments.get(was), c, w.now(), func() { change(c) })
			if c.Shipment != was {
				w.containerOf[was] = slices.DeleteFunc(w.containerOf[was], func(other string) bool { return other == id })
				w.containerOf[c.Shipment] = append(w.containerOf[c.Shipment], id)
			}
		})
	})
}

// UpdateTrackingRequest changes a tracking request in place and reports whether there is one with that id.
func (s *Server) UpdateTrackingRequest(id string, change func(*TrackingRequest)) bool {
	return locked(s, func(w *world) bool {
		return update(&w.requests, id, func(r *TrackingRequest) {
			was := r.RequestNumber
			change(r)
			w.requestsOf.renumbered(r, was, r.RequestNumber)
		})
	})
}

// UpdatePort changes a port in place and reports whether there is one with that id.
func (s *Server) UpdatePort(id string, change func(*Port)) bool {
	return locked(s, func(w *world) bool { return update(&w.ports, id, change) })
}

// Shipment gives a copy of a shipment as the world has it now, and whether there is one with that id.
func (s *Server) Shipment(id string) (sh Shipment, ok bool) {
	ok = locked(s, func(w *world) bool {
		return update(&w.shipments, id, func(found *Shipment) {
			sh = *found
			sh.RefNumbers, sh.Tags = slices.Clone(found.RefNumbers), slices.Clone(found.Tags)
			sh.Attributes = maps.Clone(found.Attributes)
		})
	})
	return sh, ok
}

// Container gives a copy of a container as the world has it now, and whether there is one with that id.
func (s *Server) Container(id string) (c Container, ok bool) {
	ok = locked(s, func(w *world) bool {
		return update(&w.containers, id, func(found *Container) { c = found.clone() })
	})
	return c, ok
}

// TrackingRequest gives a copy of a tracking request as the world has it now, and whether there is one with that id.
func (s *Server) TrackingRequest(id string) (r TrackingRequest, ok bool) {
	ok = locked(s, func(w *world) bool {
		return update(&w.requests, id, func(found *TrackingRequest) { r = found.clone() })
	})
	return r, ok
}

// ContainerIDs lists the containers of a shipment in the order they came.
func (s *Server) ContainerIDs(shipment string) []string {
	return locked(s, func(w *world) []string { return slices.Clone(w.containerOf[shipment]) })
}

// locked runs do with the world brought up to its clock.
func locked[T any](s *Server, do func(*world) T) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle()
	return do(s.world)
}

func update[T any](t *table[T], id string, change func(*T)) bool {
	row := t.get(id)
	if row == nil {
		return false
	}
	change(row)
	return true
}

func (w *world) addLine(l ShippingLine) string {
	l.ID = w.identify(l.ID, "shipping_line")
	w.lines.put(l.ID, &l)
	return l.ID
}
