package terminal49

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// read reads a changeset and reports whether it was an object. What it keeps belongs to the bytes that
// d reads.
func (c *Changeset) read(d *jsonapi.Decoder) bool {
	changes := map[string]Change{}
	ok := d.Object(func(key []byte) {
		name, change := string(key), Change{Raw: slices.Clip(d.Raw())}
		if len(change.Raw) > 0 && change.Raw[0] == '[' {
			sides := 0
			d.Again(change.Raw, func() {
				d.Array(func() {
					change.Old, change.New = change.New, slices.Clip(d.Raw())
					sides++
				})
			})
			if sides != 2 {
				change.Old, change.New = nil, nil
			}
		}
		changes[name] = change
	})
	if ok {
		c.changes = changes
	}
	return ok
}

// find returns the change of an attribute, be it a last free day within import_deadlines. Its sides are nil where they
// cannot be made out.
func (c Changeset) find(attribute string) (Change, bool) {
	if change, ok := c.changes[attribute]; ok {
		return change, true
	}
	all, ok := c.changes[changedDeadlines]
	if !ok || !strings.HasPrefix(attribute, ChangedPickupLFD+"_") {
		return Change{}, false
	}
	before, toldBefore := memberOf(all.Old, attribute)
	after, toldAfter := memberOf(all.New, attribute)
	return Change{Old: before, New: after, Raw: all.Raw}, toldAfter || toldBefore && before != nil
}

// memberOf returns a member of an object, null if the object has none of that name. Something that is no object tells
// of every member, but nothing that can be read.
func memberOf(object json.RawMessage, name string) (value json.RawMessage, told bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return nil, true
	}
	if value, told = members[name]; !told {
		value = json.RawMessage("null")
	}
	return value, told
}

// newValue reads an attribute's new value alone: what the old one is like must not hide it. An attribute that is
// mentioned with a value that cannot be read has changed to nobody knows what, so the value before must not stand
// either: the answer is unknown then.
func newValue[T any](c Changeset, attribute string, unknown T) (value T, mentioned bool) {
	change, mentioned := c.find(attribute)
	if json.Unmarshal(change.New, &value) != nil {
		value = unknown
	}
	return value, mentioned
}

// holdsName is the name under which the changeset has holds.
func (c Changeset) holdsName() string {
	if _, ok := c.changes[ChangedHolds]; !ok {
		return changedHoldsOldName
	}
	return ChangedHolds
}

// sentHolds and sentFees are lists read as those of a container are: one odd value must cost neither
// the rest of its element nor the neighbours. An element of which nothing can be read still counts, as
// a hold of unknown status or a fee that is not posted; only null is none.
type (
	sentHolds []Hold
	sentFees  []Fee
)

func (s *sentHolds) UnmarshalJSON(data []byte) (err error) {
	*s, err = listOf(data, holdMembers)
	return err
}

func (s *sentFees) UnmarshalJSON(data []byte) (err error) {
	*s, err = listOf(data, feeMembers)
	return err
}

// listOf reads a list of value objects; the result is nil for null.
func listOf[T any](data []byte, members *jsonapi.Members[T]) ([]T, error) {
	d := jsonapi.NewDecoder(data, "", nil)
	if d.Null() {
		return nil, d.End()
	}
	if !d.IsArray() {
		return nil, errNotList
	}
	list := jsonapi.ReadList(d, members)
	return list, d.End()
}

var errNotList = errors.New("is not a list")
