// Package verdicttest has containers with the verdicts that they must get. It tests a program that
// shows verdicts or acts on them: a board, a command, a dispatcher.
//
// The verdicts were written down from the service's samples before the rule: the four rail events
// of its webhook guide (S1 to S4), a captured response (L1), and the containers of the examples in
// its OpenAPI document. The cases on the base P are invented, and follow from the readiness rule of
// the service.
package verdicttest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/go-freight/terminal49"
)

//go:embed cases.json
var cases []byte

// ContainerID is the id of the container of each case.
const ContainerID = "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d"

// Case is a response of the service with a container, and the expected verdict.
type Case struct {
	Name     string
	Now      time.Time
	Want     Want
	Document []byte // a response with the container, and what is included with it
}

// Want is an expected verdict. A field that a case does not determine is zero.
type Want struct {
	Situation   terminal49.Situation
	Action      string // what to do now: send, pay, clear, check, wait or none
	Place       string
	BoundFor    string `json:"bound_for"`
	CanPickUp   bool   `json:"can_pick_up"`
	Urgency     terminal49.Urgency
	DaysLeft    *int     `json:"days_left"`
	Contradicts []string // names of the facts that contradict the verdict
	Sentence    string
}

// Cases returns all cases. Every situation is among them.
func Cases() []Case {
	var all file
	must(json.Unmarshal(cases, &all))
	list := make([]Case, len(all.Cases))
	for i, c := range all.Cases {
		c = c.on(all.Bases[c.Base])
		text, err := json.Marshal(all.document(c))
		must(err)
		list[i] = Case{Name: c.Name, Now: c.Now, Want: c.Want, Document: text}
	}
	return list
}

// Container returns the container of the case.
func (c Case) Container() *terminal49.Container {
	var container terminal49.Container
	must(json.Unmarshal(c.Document, &container))
	return &container
}

// must panics, because only a wrong file fails.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// file is the form of cases.json.
type file struct {
	Ports     map[string][2]string // name and zone, by UN/LOCODE
	Terminals map[string]object
	Bases     map[string]entry
	Cases     []entry
}

type object = map[string]any

// entry is a case as changes to a base.
type entry struct {
	Name, Base          string
	Now                 time.Time
	Container, Shipment object
	Events              []object
	Drop                []string
	NoShipment          bool    `json:"no_shipment"`
	PODTerminal         *string `json:"pod_terminal"`
	PickupFacility      *string `json:"pickup_facility"`
	Want                Want
}

// on returns the case with what its base has and the case does not change. An empty shipment is
// none.
func (e entry) on(base entry) entry {
	kept := maps.Clone(base.Container)
	for _, name := range e.Drop {
		delete(kept, name)
	}
	maps.Copy(kept, e.Container)
	e.Container = kept
	if e.NoShipment = e.NoShipment || e.Shipment != nil && len(e.Shipment) == 0; !e.NoShipment {
		shipment := maps.Clone(base.Shipment)
		maps.Copy(shipment, e.Shipment)
		e.Shipment = shipment
	}
	if e.Now.IsZero() {
		e.Now = base.Now
	}
	if e.Events == nil {
		e.Events = base.Events
	}
	if e.PODTerminal == nil {
		e.PODTerminal = base.PODTerminal
	}
	if e.PickupFacility == nil {
		e.PickupFacility = base.PickupFacility
	}
	return e
}

// document returns what the service responds with.
func (f file) document(e entry) object {
	d := &document{all: f}
	relationships := object{"transport_events": d.events(e.Events)}
	for name, id := range map[string]*string{"pod_terminal": e.PODTerminal, "pickup_facility": e.PickupFacility} {
		if id != nil && *id != "" {
			relationships[name] = d.terminal(*id)
		}
	}
	if len(e.Shipment) > 0 && !e.NoShipment {
		d.include("shipment", "s", e.Shipment, portsOf(e.Shipment))
		relationships["shipment"] = linkage("shipment", "s")
	}
	container := object{"id": ContainerID, "type": "container", "attributes": e.Container, "relationships": relationships}
	return object{"data": container, "included": d.included}
}

// document collects the included resources of a response.
type document struct {
	all      file
	included []object
}

// portsOf returns the linkage to the shipment's ports, as the service sends it.
func portsOf(shipment object) object {
	ports := object{}
	for _, name := range []string{"port_of_lading", "port_of_discharge"} {
		if locode, ok := shipment[name+"_locode"].(string); ok {
			ports[name] = linkage("port", locode)
		}
	}
	return ports
}

func linkage(typ, id string) object { return object{"data": object{"type": typ, "id": id}} }

func (d *document) include(typ, id string, attributes, relationships object) {
	d.included = append(d.included, object{"id": id, "type": typ, "attributes": attributes, "relationships": relationships})
}

func (d *document) port(typ, locode string) object {
	place := d.all.Ports[locode]
	d.include(typ, locode, object{"name": place[0], "code": locode, "time_zone": place[1]}, nil)
	return linkage(typ, locode)
}

// terminal returns the linkage to a terminal, and includes it if its attributes are known. Its port
// is included too, or if it is named linked_port, only linked.
func (d *document) terminal(id string) object {
	if attributes, known := d.all.Terminals[id]; known {
		attributes, relationships := maps.Clone(attributes), object{}
		if locode, ok := attributes["port"].(string); ok {
			relationships["port"] = d.port("port", locode)
		}
		if locode, ok := attributes["metro"].(string); ok {
			relationships["metro_area"] = d.port("metro_area", locode)
		}
		if locode, ok := attributes["linked_port"].(string); ok {
			relationships["port"] = linkage("port", locode)
		}
		delete(attributes, "linked_port")
		delete(attributes, "port")
		delete(attributes, "metro")
		d.include("terminal", id, attributes, relationships)
	}
	return linkage("terminal", id)
}

func (d *document) events(events []object) object {
	linked := []object{}
	for i, e := range events {
		id, relationships := fmt.Sprintf("e%d", i), object{"container": linkage("container", ContainerID)}
		locode, _ := e["location"].(string)
		if locode != "" {
			relationships["location"] = d.port("port", locode)
		}
		if terminal, ok := e["terminal"].(string); ok {
			relationships["terminal"] = d.terminal(terminal)
		}
		d.include("transport_event", id, object{
			"event": "container.transport." + e["event"].(string), "timestamp": e["timestamp"], "timezone": e["timezone"], "location_locode": e["location"],
		}, relationships)
		linked = append(linked, object{"type": "transport_event", "id": id})
	}
	return object{"data": linked}
}
