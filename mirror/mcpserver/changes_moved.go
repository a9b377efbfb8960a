package mcpserver

import (
	"encoding/json"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

// isMove reports whether a container came to another shipment, for example when two were merged.
// The ETA at the port is then that of the other shipment.
func isMove(c *mirror.Change) bool { return c.Kind == "container" && c.Attribute == "shipment" }

// isETA reports whether a change is one of the ETA at the port.
func isETA(c *mirror.Change) bool { return c.Kind == "shipment" && c.Attribute == "pod_eta_at" }

// movedBetween returns the ids of the shipments of a container before and after a change; "" for
// none.
func movedBetween(c *mirror.Change) (from, to string) {
	var before, after struct {
		ID string `json:"id"`
	}
	_, _ = json.Unmarshal(c.Old, &before), json.Unmarshal(c.New, &after) // null is none
	return before.ID, after.ID
}

// withMoved returns changes, and one without contents for each shipment that a container left or
// came to, so that these are read, too.
func withMoved(changes []mirror.Change) []mirror.Change {
	all := changes[:len(changes):len(changes)]
	for i := range changes {
		if isMove(&changes[i]) {
			from, to := movedBetween(&changes[i])
			all = append(all, mirror.Change{Kind: "shipment", ID: from}, mirror.Change{Kind: "shipment", ID: to})
		}
	}
	return all
}

// movedItem returns the ETAs at the port before and after a container came to another shipment.
func (f *feedReader) movedItem(c *mirror.Change, shipments map[string]*terminal49.Shipment) []changeItem {
	from, to := movedBetween(c)
	return moved(changeItem{At: instant(c.At), Kind: "eta"}, "pod eta", f.etaAt(shipments[from], c.Seq), f.etaAt(shipments[to], c.Seq))
}

// etaAt returns the ETA at the port that a shipment had when a change was recorded.
func (f *feedReader) etaAt(s *terminal49.Shipment, seq int64) string {
	if s == nil {
		return ""
	}
	for _, later := range f.etas[s.ID] {
		if later.Seq > seq {
			return zoneOf(nil, s).text(later.Old)
		}
	}
	return local(s.PODETA)
}
