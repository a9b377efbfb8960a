package terminal49

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// Changeset tells which attributes of a container changed, and for each its old and its new value. It is what a
// container.updated event carries; [DiffContainers] makes one from two readings of a container, so that pollers and
// receivers of webhooks can share their code.
//
// On the wire it is an object of attribute names, each with an array of the old and the new value. Names that this
// version does not know are kept and can be read with [Changeset.Get] or [ChangeOf]. The zero Changeset has no changes.
type Changeset struct {
	changes map[string]Change
}

// Change is what a changeset says of one attribute, in JSON as sent.
type Change struct {
	Old, New json.RawMessage // nil if the attribute did not come as a pair; the JSON value null is "null"
	Raw      json.RawMessage // all that was sent
}

// The attributes that a changeset can hold for sure. The service may send others.
const (
	ChangedHolds              = "holds_at_pod_terminal"
	ChangedFees               = "fees_at_pod_terminal"
	ChangedAvailableForPickup = "available_for_pickup"
	ChangedPickupLFD          = "pickup_lfd"
	ChangedPickupLFDLine      = "pickup_lfd_line"
	ChangedPickupLFDTerminal  = "pickup_lfd_terminal"
	ChangedPickupLFDRail      = "pickup_lfd_rail"
	ChangedPickupAppointment  = "pickup_appointment_at"
	ChangedPODTerminal        = "pod_terminal"

	changedHoldsOldName = "pod_terminal_holds" // in older samples
	changedDeadlines    = "import_deadlines"   // the last free days by source in one object, as containers have them
)

// UnmarshalJSON reads a changeset as the service writes it. An attribute that is not a pair of values is no error, but
// see [Changeset.Warnings].
func (c *Changeset) UnmarshalJSON(data []byte) error {
	d := jsonapi.NewDecoder(bytes.Clone(data), "", nil)
	c.changes = map[string]Change{}
	if !d.Null() && !c.read(d) {
		return cmp.Or(d.Err(), errors.New("terminal49: a changeset must be an object"))
	}
	return d.End()
}

// MarshalJSON writes the changeset as the service does.
func (c Changeset) MarshalJSON() ([]byte, error) {
	attributes := make(map[string]json.RawMessage, len(c.changes))
	for name, change := range c.changes {
		attributes[name] = change.Raw
	}
	return json.Marshal(attributes)
}

// Attributes returns the names of what changed, sorted.
func (c Changeset) Attributes() []string { return slices.Sorted(maps.Keys(c.changes)) }

// Get returns the change of one attribute as sent; false if the changeset does not mention it.
func (c Changeset) Get(attribute string) (Change, bool) {
	change, ok := c.changes[attribute]
	return change, ok
}

// Changed is an attribute's value before and after.
type Changed[T any] struct{ Old, New T }

// ChangeOf reads the change of any attribute, both sides as T in the way of encoding/json; null is T's zero value, or
// use an [Opt] to tell. It is false if the changeset does not mention the attribute or a side is no T. A last free day
// is found within import_deadlines too.
//
//	seal, ok := terminal49.ChangeOf[string](changeset, "seal_number")
func ChangeOf[T any](c Changeset, attribute string) (Changed[T], bool) {
	change, ok := c.find(attribute)
	if !ok {
		return Changed[T]{}, false
	}
	changed, err := readChange[T](change)
	return changed, err == nil
}

func readChange[T any](change Change) (changed Changed[T], err error) {
	if change.Old == nil {
		return changed, errNotPair
	}
	var both Changed[T]
	if err := json.Unmarshal(change.Old, &both.Old); err != nil {
		return changed, fmt.Errorf("old value: %w", err)
	}
	if err := json.Unmarshal(change.New, &both.New); err != nil {
		return changed, fmt.Errorf("new value: %w", err)
	}
	return both, nil
}

// Holds returns the whole lists of holds before and after: nil for null, which is "not reported". See [DiffHolds] for
// what happened between them. Of a hold that is odd in part the rest is kept: without a readable status it is one of
// unknown status. The answer is false only if a side is no list.
func (c Changeset) Holds() (Changed[[]Hold], bool) {
	holds, ok := ChangeOf[sentHolds](c, c.holdsName())
	return Changed[[]Hold]{holds.Old, holds.New}, ok
}

// Fees returns the whole lists of fees before and after: nil for null, which is "not reported". See [DiffFees] for
// what happened between them. Of a fee that is odd in part the rest is kept: an amount that cannot be read is 0, which
// is "not posted yet". The answer is false only if a side is no list.
func (c Changeset) Fees() (Changed[[]Fee], bool) {
	fees, ok := ChangeOf[sentFees](c, ChangedFees)
	return Changed[[]Fee]{fees.Old, fees.New}, ok
}

// AvailableForPickup returns the availability before and after; null is "not known", never "no".
func (c Changeset) AvailableForPickup() (Changed[Opt[bool]], bool) {
	return ChangeOf[Opt[bool]](c, ChangedAvailableForPickup)
}

// PickupLFD returns the service's pick among the last free days before and after. A changeset does not tell the zone of
// the place: [Changeset.Changes] does, given the container.
func (c Changeset) PickupLFD() (Changed[Time], bool) { return c.moment(ChangedPickupLFD) }

// LastFreeDay returns the last free day of one source before and after, without the zone, like [Changeset.PickupLFD].
func (c Changeset) LastFreeDay(source LFDSource) (Changed[Time], bool) {
	return c.moment(changedLFD(source))
}

// PickupAppointment returns the pickup appointment before and after, without the zone, like [Changeset.PickupLFD].
func (c Changeset) PickupAppointment() (Changed[Time], bool) {
	return c.moment(ChangedPickupAppointment)
}

// PODTerminal returns the ids of the terminal at the port of discharge before and after, "" for none.
func (c Changeset) PODTerminal() (Changed[string], bool) {
	return ChangeOf[string](c, ChangedPODTerminal)
}

// Reversed returns the changeset that undoes c.
func (c Changeset) Reversed() Changeset {
	reversed := Changeset{changes: make(map[string]Change, len(c.changes))}
	for name, change := range c.changes {
		if change.Old != nil {
			change = pairOf(change.New, change.Old)
		}
		reversed.changes[name] = change
	}
	return reversed
}

// Warnings says what of the changeset cannot be understood: an attribute that is not a pair of values, or a known one
// with a value of the wrong kind, be it a single hold or fee. See [Changeset.Apply] for what becomes of those.
func (c Changeset) Warnings() []string {
	var warnings []string
	for _, name := range c.Attributes() {
		if err := checkChange(name, c.changes[name]); err != nil {
			warnings = append(warnings, name+": "+err.Error())
		}
	}
	return warnings
}

var errNotPair = errors.New("is not an array of the old and the new value")

func checkChange(name string, change Change) (err error) {
	switch name {
	case ChangedHolds, changedHoldsOldName:
		_, err = readChange[[]Hold](change)
	case ChangedFees:
		_, err = readChange[[]Fee](change)
	case ChangedAvailableForPickup:
		_, err = readChange[Opt[bool]](change)
	case ChangedPickupLFD, ChangedPickupLFDLine, ChangedPickupLFDTerminal, ChangedPickupLFDRail, ChangedPickupAppointment:
		_, err = readChange[Time](change)
	case changedDeadlines:
		_, err = readChange[struct {
			Line     Time `json:"pickup_lfd_line"`
			Terminal Time `json:"pickup_lfd_terminal"`
			Rail     Time `json:"pickup_lfd_rail"`
		}](change)
	case ChangedPODTerminal:
		_, err = readChange[string](change)
	default:
		_, err = readChange[json.RawMessage](change)
	}
	return err
}

// timeField reads a change of a time at a place. The changeset does not tell which place.
func (c Changeset) moment(attribute string) (Changed[Time], bool) {
	changed, ok := ChangeOf[Time](c, attribute)
	untold(&changed.Old, &changed.New)
	return changed, ok
}

// changedLFD names the attribute of a source; "" is the service's pick.
func changedLFD(source LFDSource) string {
	if source == "" {
		return ChangedPickupLFD
	}
	return ChangedPickupLFD + "_" + string(source)
}

func pairOf(before, after json.RawMessage) Change {
	raw := bytes.Join([][]byte{[]byte("["), before, []byte(","), after, []byte("]")}, nil)
	return Change{Old: before, New: after, Raw: raw}
}
