package mcpserver

import (
	"encoding/json"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

// readings are what a terminal reported before and after each change, by the number of the change.
type readings map[int64]struct{ before, after string }

// readingsOf returns what changes of the availability of a container mean, oldest first. What two
// attributes report together, available_for_pickup counting only while availability_known is not
// false, is in the last of the changes that the copy recorded at the same time.
func readingsOf(c *terminal49.Container, changes []mirror.Change) readings {
	all := readings{}
	state := map[string]json.RawMessage{} // before the changes that are done
	if c != nil {
		state["available_for_pickup"], _ = json.Marshal(c.AvailableForPickup)
		state["availability_known"], _ = json.Marshal(c.AvailabilityKnown)
	}
	for end := len(changes); end > 0; {
		last := changes[end-1]
		after := reading(state)
		for ; end > 0 && changes[end-1].At.Equal(last.At); end-- {
			state[changes[end-1].Attribute] = changes[end-1].Old
		}
		all[last.Seq] = struct{ before, after string }{reading(state), after}
	}
	return all
}

// reading returns "yes", "no", or "" if it is not known.
func reading(state map[string]json.RawMessage) string {
	var c terminal49.Container
	for attribute, to := range map[string]*terminal49.Opt[bool]{
		"availability_known": &c.AvailabilityKnown, "available_for_pickup": &c.AvailableForPickup,
	} {
		_ = json.Unmarshal(state[attribute], to) // what is not a boolean is not known
	}
	if answer := threeState(&c); answer != unknown {
		return answer
	}
	return ""
}

// availabilities returns the readings of the containers, by id.
func (f *feedReader) availabilities(containers map[string]*terminal49.Container) map[string]readings {
	all := map[string]readings{}
	for i := range f.kept {
		if id := f.kept[i].ID; isAvailability(&f.kept[i]) && all[id] == nil {
			all[id] = readingsOf(containers[id], f.available[id])
		}
	}
	return all
}

// isAvailability reports whether a change is one of an availability.
func isAvailability(c *mirror.Change) bool {
	return kindOf[c.Kind+" "+c.Attribute] == "availability"
}

// item returns what a change means, or none if what is reported means the same as before.
func (r readings) item(c *mirror.Change) []changeItem {
	return moved(changeItem{At: instant(c.At), Kind: "availability"}, "available", r[c.Seq].before, r[c.Seq].after)
}
