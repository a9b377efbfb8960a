package mirror

import (
	"context"
	"encoding/json"

	"github.com/go-freight/terminal49"
)

// zones are the zones that containers do not have themselves: that of the port of lading, which
// the shipment has, and those of the gates at origin, which the transport events have. The zero
// value has none.
type zones struct {
	lading map[string]json.RawMessage // pol_timezone of a shipment, by its id
	gates  map[string][]*resource     // events of the gates at origin, by the id of the container
}

// zonesOf returns the zones of the containers in a list of resources: from the list itself or, for
// what it does not have, from the database.
func (t *tx) zonesOf(ctx context.Context, list []*resource) (zones, error) {
	z := zones{map[string]json.RawMessage{}, map[string][]*resource{}}
	z.learn(list)
	return z, nil
}

// learn takes zones from resources.
func (z zones) learn(list []*resource) {
	for _, res := range list {
		switch res.Type {
		case "shipment":
			if zone, sent := res.Attributes["pol_timezone"]; sent {
				z.lading[res.ID] = zone
			}
		case "transport_event":
			if of := res.to("container"); of != nil && isOriginGate(res) {
				z.gates[of.ID] = append(z.gates[of.ID], res)
			}
		}
	}
}

// isOriginGate reports whether the zone of a transport event is that of a time of its container.
func isOriginGate(event *resource) bool {
	var name terminal49.EventName
	_ = json.Unmarshal(event.Attributes["event"], &name)
	return name == terminal49.EventEmptyOut || name == terminal49.EventFullIn
}

// document returns a resource in the form that the client decodes: a container with the resources
// that have its zones, anything else alone.
func (z zones) document(res *resource) []byte { return res.raw }
