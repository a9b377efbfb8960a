package terminal49test

import (
	"encoding/binary"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
	"github.com/google/uuid"
)

// syntheticEvents is how many transport events each synthetic container has.
const syntheticEvents = 6

// synthetic generates rows by their position. Five containers are in two shipments: two in the
// first, three in the second.
type synthetic struct {
	containers, shipments int
	start                 time.Time
	shipmentTag           uuid.UUID
	containerTag          uuid.UUID
	eventTag, requestTag  uuid.UUID
	lines                 []string // SCACs
	from, to              []string // ids of ports
	terminals             []string // ids, of the ports in to
	touched               int
}

func (w *world) addSynthetic(containers int, start time.Time) {
	y := &synthetic{containers: containers, start: start.UTC().Truncate(time.Second)}
	for _, code := range []string{"CNSHA", "CNNGB", "VNSGN", "KRPUS"} {
		y.from = append(y.from, w.place(code).ref.ID)
	}
	for _, nickname := range []string{"WBCT", "LBCT", "Maher", "GCT"} {
		y.terminals = append(y.terminals, w.terminalRef(nickname).ID)
		y.to = append(y.to, w.terminalPlace(nickname).ref.ID)
	}
	w.useSynthetic(y)
}

// useSynthetic generates rows by the number of containers, the start, and the places.
func (w *world) useSynthetic(y *synthetic) {
	tag := func(kind string) uuid.UUID { return uuid.NewSHA1(w.ids.Space, []byte("synthetic "+kind)) }
	y.shipmentTag, y.containerTag, y.eventTag, y.requestTag = tag("shipment"), tag("container"), tag("transport event"), tag("tracking request")
	y.lines = []string{"MAEU", "MSCU", "CMDU", "HLCU", "ONEY"}
	if y.containers > 0 {
		y.shipments = y.shipmentOf(y.containers-1) + 1
	}
	w.synthetic = y
	w.shipments.Made = &state.Maker[Shipment]{Count: y.shipments, ID: y.shipmentID, Index: y.shipmentIndex, Row: y.shipment,
		Kept: func(id string) { w.keepMade(wire.Ref{Kind: "shipment", ID: id}) }}
	w.containers.Made = &state.Maker[Container]{Count: y.containers, ID: y.containerID, Index: y.containerIndex, Row: y.container,
		Kept: func(id string) { w.keepMade(wire.Ref{Kind: "container", ID: id}) }}
	w.requests.Made = &state.Maker[TrackingRequest]{Count: y.shipments, ID: y.requestID, Index: y.requestIndex, Row: y.request,
		Kept: func(id string) { w.keepMade(wire.Ref{Kind: "tracking_request", ID: id}) }}
	w.makeEvents()
}

// makeEvents generates the transport events. They name the container's current shipment.
func (w *world) makeEvents() {
	y := w.synthetic
	w.events.Made = &state.Maker[TransportEvent]{Count: y.containers * syntheticEvents, ID: y.eventID, Index: y.eventIndex, Kept: func(string) {},
		Row: func(i int) *TransportEvent { return y.event(i, w.containers.Get(y.containerID(i/syntheticEvents))) }}
}

// containersIn returns the positions of a shipment's containers: from is the first, and to follows
// the last.
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

func (y *synthetic) eventID(i int) string { return syntheticID(y.eventTag, i) }

func (y *synthetic) eventIndex(id string) (int, bool) {
	return syntheticIndex(y.eventTag, id, y.containers*syntheticEvents)
}

func (y *synthetic) requestID(i int) string { return syntheticID(y.requestTag, i) }

func (y *synthetic) requestIndex(id string) (int, bool) {
	return syntheticIndex(y.requestTag, id, y.shipments)
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
