package terminal49

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// read reads a changeset and reports whether it was an object. The changes refer to the bytes that
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

// find returns the change of an attribute, including a last free day within import_deadlines. A
// value that cannot be read is nil.
func (c Changeset) find(attribute string) (Change, bool) {
	if change, ok := c.changes[attribute]; ok {
		return change, true
	}
	all, ok := c.changes[changedDeadlines]
	if !ok || !strings.HasPrefix(attribute, ChangedPickupLFD+"_") {
		return Change{}, false
	}
	before, sentBefore := memberOf(all.Old, attribute)
	after, sentAfter := memberOf(all.New, attribute)
	return Change{Old: before, New: after, Raw: all.Raw}, sentAfter || sentBefore && before != nil
}

// memberOf returns a member of an object, or null if the object does not have it. If the value is
// not an object, it returns nil and true, because any member may have changed.
func memberOf(object json.RawMessage, name string) (value json.RawMessage, sent bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return nil, true
	}
	if value, sent = members[name]; !sent {
		value = json.RawMessage("null")
	}
	return value, sent
}

// newValue returns the new value of an attribute and whether the changeset contains the attribute.
// It returns unknown for a value that cannot be read: the attribute has changed, so its old value
// is out of date. It does not read the old value, which may be invalid.
func newValue[T any](c Changeset, attribute string, unknown T) (value T, changed bool) {
	change, changed := c.find(attribute)
	if json.Unmarshal(change.New, &value) != nil {
		value = unknown
	}
	return value, changed
}

// holdsName returns the name of the attribute with the holds.
func (c Changeset) holdsName() string {
	if _, ok := c.changes[ChangedHolds]; !ok {
		return changedHoldsOldName
	}
	return ChangedHolds
}

// sentHolds and sentFees are lists that are read like those of a container: an invalid value loses
// neither the rest of its element nor the other elements. An element that cannot be read at all is
// kept as a hold of unknown status or a fee that is not posted. Only null elements are dropped.
type (
	sentHolds []Hold
	sentFees  []Fee
)

func (s *sentHolds) UnmarshalJSON(data []byte) (err error) {
	*s, err = unmarshalList(data, holdMembers)
	return err
}

func (s *sentFees) UnmarshalJSON(data []byte) (err error) {
	*s, err = unmarshalList(data, feeMembers)
	return err
}

// unmarshalList parses a list of value objects. The result is nil for null.
func unmarshalList[T any](data []byte, members *jsonapi.Members[*T]) ([]T, error) {
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

var errNotList = errors.New("must be a list")
