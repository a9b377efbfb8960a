package terminal49test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
)

// WithSyntheticContainers adds n containers in about n/2.5 shipments, which are generated from the
// seed when they are read, so that a million takes no memory. They are answered by id, and listed
// after the added ones, by whatever sort. A filter other than tracking_stopped and actively_tracked
// reads all of them for each page, which takes seconds for a million. Search and document
// linking ignore them. They have no events and no tracking requests, and change only by requests
// and by methods such as [Server.TouchContainers]; changed ones are kept in memory.
func WithSyntheticContainers(n int) Option { return func(c *config) { c.synthetic = max(n, 0) } }

// TouchContainers changes k synthetic containers that the seed chooses, some of them twice, evenly
// within a simulated duration; 0 means at once. It returns their ids in order. Each change is
// visible: a location and, three times of four, a hold, a last free day or the availability, which
// notify webhooks. Every eighth also moves the arrival of the shipment.
func (s *Server) TouchContainers(k int, within time.Duration) []string {
	return withWorld(s, func(w *world) (ids []string) {
		if w.synthetic == nil || w.synthetic.containers == 0 {
			return nil
		}
		for i := range max(k, 0) {
			w.synthetic.touched++
			n := w.synthetic.touched
			id := w.synthetic.containerID(int(w.ids.draw(fmt.Sprint("touch/", n)) * float64(w.synthetic.containers)))
			ids = append(ids, id)
			w.plan(w.now().Add(within*time.Duration(i+1)/time.Duration(k)), func(at time.Time) { w.touch(id, n, at) })
		}
		w.advance(w.now())
		return ids
	})
}

func (w *world) touch(id string, n int, at time.Time) {
	c := w.containers.own(id)
	if c == nil {
		return // removed
	}
	s := w.shipments.get(c.Shipment)
	if n%8 == 0 && s != nil {
		s = w.shipments.own(c.Shipment)
	}
	w.notifyChanges(s, c, at, func() {
		c.LocationAtPODTerminal = fmt.Sprint("T-", n)
		switch n % 4 {
		case 0:
			c.ImportDeadlines.Terminal = at.Truncate(time.Hour).Add(time.Duration(n)*time.Hour + 30*time.Minute) // unlike all before
		case 1:
			c.Holds = []Hold{{Name: "customs", Description: fmt.Sprint("exam ", n)}}
		case 2:
			c.AvailabilityKnown, c.AvailableForPickup = true, Bool(c.AvailableForPickup == nil || !*c.AvailableForPickup)
		}
		if n%8 == 0 && s != nil {
			s.PODETA = s.PODETA.Add(time.Duration(n) * time.Minute)
		}
	})
}

// synthetic generates shipments and containers by their position. Five containers are in two
// shipments: two in the first, three in the second.
type synthetic struct {
	containers, shipments int
	start                 time.Time
	shipmentTag           uuid.UUID
	containerTag          uuid.UUID
	lines                 []string // SCACs
	from, to              []string // ids of ports
	terminals             []string // ids, of the ports in to
	touched               int
}

func (w *world) addSynthetic(containers int, start time.Time) {
	y := &synthetic{
		containers: containers, start: start.UTC().Truncate(time.Second),
		shipmentTag: uuid.NewSHA1(w.ids.space, []byte("synthetic shipment")), containerTag: uuid.NewSHA1(w.ids.space, []byte("synthetic container")),
		lines: []string{"MAEU", "MSCU", "CMDU", "HLCU", "ONEY"},
	}
	if containers > 0 {
		y.shipments = y.shipmentOf(containers-1) + 1
	}
	for _, code := range []string{"CNSHA", "CNNGB", "VNSGN", "KRPUS"} {
		y.from = append(y.from, w.place(code).ref.id)
	}
	for _, nickname := range []string{"WBCT", "LBCT", "Maher", "GCT"} {
		y.terminals = append(y.terminals, w.terminalRef(nickname).id)
		y.to = append(y.to, w.terminalPlace(nickname).ref.id)
	}
	w.synthetic = y
	w.shipments.made = &maker[Shipment]{count: y.shipments, id: y.shipmentID, index: y.shipmentIndex, row: y.shipment,
		kept: func(id string) { w.keepMade(ref{"shipment", id}) }}
	w.containers.made = &maker[Container]{count: containers, id: y.containerID, index: y.containerIndex, row: y.container,
		kept: func(id string) { w.keepMade(ref{"container", id}) }}
}

// containersIn returns the positions of a shipment's containers: from, to before to.
func (y *synthetic) containersIn(shipment int) (from, to int) {
	from = shipment/2*5 + shipment%2*2
	return from, min(from+2+shipment%2, y.containers)
}

func (y *synthetic) shipmentOf(container int) int { return container/5*2 + (container%5+1)/3 }

// The position is in the first 48 bits of an id, multiplied by an odd number so that ids are in no
// order.
const (
	idFactor  = 0x5deece66d
	idInverse = 0xdfe05bcb1365 // idFactor * idInverse = 1 modulo 1<<48
)

func (y *synthetic) shipmentID(i int) string { return syntheticID(y.shipmentTag, i) }

func (y *synthetic) containerID(i int) string { return syntheticID(y.containerTag, i) }

func (y *synthetic) shipmentIndex(id string) (int, bool) {
	return syntheticIndex(y.shipmentTag, id, y.shipments)
}

func (y *synthetic) containerIndex(id string) (int, bool) {
	return syntheticIndex(y.containerTag, id, y.containers)
}

func syntheticID(tag uuid.UUID, i int) string {
	var raw [8]byte
	binary.BigEndian.PutUint64(raw[:], uint64(i+1)*idFactor<<16)
	copy(tag[:6], raw[:6])
	return tag.String()
}

func syntheticIndex(tag uuid.UUID, id string, count int) (int, bool) {
	u, err := uuid.Parse(id)
	if err != nil || [10]byte(u[6:]) != [10]byte(tag[6:]) {
		return 0, false
	}
	var raw [8]byte
	copy(raw[2:], u[:6])
	i := int(binary.BigEndian.Uint64(raw[:])*idInverse&(1<<48-1)) - 1
	return i, i >= 0 && i < count && syntheticID(tag, i) == id
}

// variety is a number that seems to have nothing to do with the position.
func (y *synthetic) variety(i int) int { return int(uint32(i+1) * 2654435761 >> 7) }

// createdAt makes the first position the newest.
func (y *synthetic) createdAt(shipment int) time.Time {
	return y.start.Add(-time.Duration(shipment+1) * time.Minute)
}

func (y *synthetic) shipment(i int) *Shipment {
	v, created := y.variety(i), y.createdAt(i)
	number := fmt.Sprintf("%09d", 100_000_000+i)
	s := &Shipment{
		ID: y.shipmentID(i), ShippingLine: y.lines[v%len(y.lines)], NormalizedNumber: number, CreatedAt: created,
		ReferenceNumbers: []string{"PO-" + number}, PortOfLading: y.from[v/5%4], PortOfDischarge: y.to[v/20%4], PODTerminal: y.terminals[v/20%4],
		PODVoyageNumber: fmt.Sprint(100+v%900, "E"), POLATD: created.Add(-day24), PODOriginalETA: created.Add(14 * day24),
		PODETA: created.Add(14*day24 + time.Duration(v%72)*time.Hour), LineTrackingLastAttemptedAt: created, LineTrackingLastSucceededAt: created,
	}
	s.BillOfLadingNumber = s.ShippingLine + number
	if v%3 > 0 {
		s.PODATA = s.PODETA.Add(3 * time.Hour)
	}
	return s
}

func (y *synthetic) container(i int) *Container {
	v, shipment := y.variety(i), y.shipmentOf(i)
	created := y.createdAt(shipment)
	c := &Container{
		ID: y.containerID(i), Number: ContainerNumber("SY"+string(rune('A'+i/1_000_000%26))+"U", i), Shipment: y.shipmentID(shipment),
		CreatedAt: created, EquipmentType: "dry", EquipmentLength: 20 + v%2*20, EquipmentHeight: "standard", WeightPounds: float64(20_000 + v%20_000),
		CurrentStatus: "on_ship", POLVesselLoadedAt: created.Add(-2 * day24), POLVesselDepartedAt: created.Add(-day24), LineLastRequestedAt: created,
	}
	if y.variety(shipment)%3 == 0 {
		return c
	}
	c.PODArrivedAt = created.Add(15 * day24)
	c.PODDischargedAt, c.TerminalCheckedAt = c.PODArrivedAt.Add(12*time.Hour), c.PODArrivedAt.Add(13*time.Hour)
	c.CurrentStatus, c.AvailabilityKnown, c.AvailableForPickup = "available", true, Bool(v%4 > 0)
	c.ImportDeadlines.Terminal = c.PODArrivedAt.Truncate(day24).Add(5 * day24)
	if v%4 == 0 {
		c.CurrentStatus, c.Holds = "not_available", []Hold{{Name: "customs"}}
	}
	return c
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
	w.shipments.own(shipment)
	w.containerOf[shipment] = ids
}

// changedContainers returns the positions of the synthetic containers that can differ from the
// others by their shipment or by themselves.
func (w *world) changedContainers() []int {
	list := slices.Clone(w.containers.changed)
	for _, shipment := range w.shipments.changed {
		for i, to := w.synthetic.containersIn(shipment); i < to; i++ {
			list = append(list, i)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// sameForSynthetic reports whether the filters accept all unchanged synthetic rows or none.
func sameForSynthetic(filters []filter) bool {
	return !slices.ContainsFunc(filters, func(f filter) bool { return f.key != "tracking_stopped" && f.key != "actively_tracked" })
}

// isGenerated reports whether a resource is made when it is read, and so has not changed.
func (w *world) isGenerated(r ref) bool {
	switch r.kind {
	case "shipment":
		return w.shipments.rows[r.id] == nil && w.shipments.isMade(r.id)
	case "container":
		return w.containers.rows[r.id] == nil && w.containers.isMade(r.id)
	}
	return false
}

// keepMade records the first state of a synthetic row, before it changes. Containers have
// attributes of their shipment.
func (w *world) keepMade(r ref) {
	if w.history == nil {
		return
	}
	if res, ok := w.render(r); ok {
		w.history.add(State{At: w.synthetic.start, Resource: Resource{res.kind, res.id, appendJSON(nil, res.object())}})
	}
	if r.kind == "shipment" {
		for _, id := range w.containersOf(r.id) {
			w.containers.own(id)
		}
	}
}
