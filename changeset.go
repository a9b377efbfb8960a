package terminal49

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// Changeset holds the changed attributes of a container, each with its old and new value. The zero
// Changeset has no changes. A container.updated event carries a Changeset; [DiffContainers]
// computes one from two readings, so polling and webhooks can share code.
//
// On the wire it is an object that maps attribute names to arrays of the old and the new value.
// Attributes unknown to this version are kept; read them with [Changeset.Get] or [ChangeOf].
type Changeset struct {
	changes map[string]sentChange
}

// sentChange holds the old and the new value of one attribute as JSON.
type sentChange struct {
	Old, New json.RawMessage // nil if the service did not send a pair; a JSON null is "null"
	Raw      json.RawMessage // the whole value
}

// The attributes that a changeset is known to contain. The service may send others.
const (
	AttributeHolds              = "holds_at_pod_terminal"
	AttributeFees               = "fees_at_pod_terminal"
	AttributeAvailableForPickup = "available_for_pickup"
	AttributePickupLFD          = "pickup_lfd"
	AttributePickupLFDLine      = "pickup_lfd_line"
	AttributePickupLFDTerminal  = "pickup_lfd_terminal"
	AttributePickupLFDRail      = "pickup_lfd_rail"
	AttributePickupAppointment  = "pickup_appointment_at"
	AttributePODTerminal        = "pod_terminal"

	changedHoldsOldName   = "pod_terminal_holds"  // in older samples
	changedDeadlines      = "import_deadlines"    // an object of the last free days by source, as in a container
	changedINDFacilityLFD = "ind_facility_lfd_on" // the deprecated copy of the railroad's last free day
)

// Attributes that [DiffContainers] reports too. The service documents none of them in a changeset.
const (
	AttributeStatus          = "current_status"
	AttributeLocation        = "location_at_pod_terminal"
	AttributePickupFacility  = "pickup_facility"  // the ids of the terminals
	AttributeTransportEvents = "transport_events" // the ids of the events; see WatchedChange.NewEvents

	// The milestones; see [ContainerChanges].Times.
	AttributeEmptyOut                = "empty_out_at"
	AttributePOLFullIn               = "pol_full_in_at"
	AttributePOLVesselLoaded         = "pol_vessel_loaded_at"
	AttributePOLVesselDeparted       = "pol_vessel_departed_at"
	AttributePODArrived              = "pod_arrived_at"
	AttributePODDischarged           = "pod_discharged_at"
	AttributePODRailLoaded           = "pod_rail_loaded_at"
	AttributePODRailDeparted         = "pod_rail_departed_at"
	AttributeINDETA                  = "ind_eta_at"
	AttributeINDATA                  = "ind_ata_at"
	AttributeINDRailUnloaded         = "ind_rail_unloaded_at"
	AttributePODFullOut              = "pod_full_out_at"
	AttributeFinalDestinationFullOut = "final_destination_full_out_at"
	AttributeDelivered               = "delivered_at"
	AttributeEmptyTerminated         = "empty_terminated_at"
)

// UnmarshalJSON parses a changeset in the service's form. An attribute that is not a pair of values
// is kept without an error; see [Changeset.Warnings].
func (c *Changeset) UnmarshalJSON(data []byte) error {
	d := jsonapi.NewDecoder(bytes.Clone(data), "", nil)
	c.changes = map[string]sentChange{}
	if !d.Null() && !c.read(d) {
		return cmp.Or(d.Err(), errors.New("terminal49: a changeset must be an object"))
	}
	return d.End()
}

// MarshalJSON returns the changeset in the service's form.
func (c Changeset) MarshalJSON() ([]byte, error) {
	attributes := make(map[string]json.RawMessage, len(c.changes))
	for name, change := range c.changes {
		attributes[name] = change.Raw
	}
	return json.Marshal(attributes)
}

// Attributes returns the names of the changed attributes, sorted.
func (c Changeset) Attributes() []string { return slices.Sorted(maps.Keys(c.changes)) }

// Get returns the change of one attribute as sent, an array of the old and the new value, or false
// if the changeset does not contain it. [ChangeOf] decodes it.
func (c Changeset) Get(attribute string) (json.RawMessage, bool) {
	change, ok := c.changes[attribute]
	return change.Raw, ok
}

// Change is an attribute's value before and after.
type Change[T any] struct{ Old, New T }

// ChangeOf returns the change of any attribute. It decodes both values into a T with encoding/json:
// null becomes the zero value of T; use an [Opt] to detect it. It returns false if the changeset
// does not contain the attribute or a value is not a T. Last free days within import_deadlines are
// found too.
//
//	seal, ok := terminal49.ChangeOf[string](changeset, "seal_number")
func ChangeOf[T any](c Changeset, attribute string) (Change[T], bool) {
	change, ok := c.find(attribute)
	if !ok {
		return Change[T]{}, false
	}
	changed, err := readChange[T](change)
	return changed, err == nil
}

func readChange[T any](change sentChange) (changed Change[T], err error) {
	if change.Old == nil {
		return changed, errNotPair
	}
	var both Change[T]
	if err := json.Unmarshal(change.Old, &both.Old); err != nil {
		return changed, fmt.Errorf("old value: %w", err)
	}
	if err := json.Unmarshal(change.New, &both.New); err != nil {
		return changed, fmt.Errorf("new value: %w", err)
	}
	return both, nil
}

// Holds returns the complete lists of holds before and after, nil if not reported. [DiffHolds]
// returns the changes between them. A hold with an invalid member keeps its other members, so its
// status may be empty. Holds returns false if the changeset does not contain the holds or a value
// is not a list.
func (c Changeset) Holds() (Change[[]Hold], bool) {
	holds, ok := ChangeOf[sentHolds](c, c.holdsName())
	return Change[[]Hold]{holds.Old, holds.New}, ok
}

// Fees returns the complete lists of fees before and after, nil if not reported. [DiffFees] returns
// the changes between them. A fee with an invalid member keeps its other members; an invalid amount
// is 0, which means that it is not known. Fees returns false if the changeset does not contain the
// fees or a value is not a list.
func (c Changeset) Fees() (Change[[]Fee], bool) {
	fees, ok := ChangeOf[sentFees](c, AttributeFees)
	return Change[[]Fee]{fees.Old, fees.New}, ok
}

// AvailableForPickup returns available_for_pickup before and after. What it means depends on
// availability_known too: see [Container.Availability].
func (c Changeset) AvailableForPickup() (Change[Opt[bool]], bool) {
	return ChangeOf[Opt[bool]](c, AttributeAvailableForPickup)
}

// PickupLFD returns the last free day that the service chose, before and after. The times have no
// zone, because a changeset has none; [Changeset.Changes] returns them with the container's zones.
func (c Changeset) PickupLFD() (Change[Time], bool) { return c.LastFreeDay("") }

// LastFreeDay returns the last free day of one source before and after, without a zone, like
// [Changeset.PickupLFD].
func (c Changeset) LastFreeDay(source LFDSource) (Change[Time], bool) {
	sent, ok := ChangeOf[sentDeadline](c, changedLFD(source))
	changed := Change[Time]{Time(sent.Old), Time(sent.New)}
	markZoneUnreported(&changed.Old, &changed.New)
	return changed, ok
}

// sentDeadline is a last free day that may be sent as an object, which is then its current value.
type sentDeadline Time

func (d *sentDeadline) UnmarshalJSON(data []byte) error {
	var source struct{ Current json.RawMessage }
	if json.Unmarshal(data, &source) == nil && source.Current != nil {
		data = source.Current
	}
	return json.Unmarshal(data, (*Time)(d))
}

// PickupAppointment returns the pickup appointment before and after, without a zone, like
// [Changeset.PickupLFD].
func (c Changeset) PickupAppointment() (Change[Time], bool) {
	return c.timeChange(AttributePickupAppointment)
}

// PODTerminal returns the ids of the terminal at the port of discharge before and after; "" if
// there is none.
func (c Changeset) PODTerminal() (Change[string], bool) {
	return ChangeOf[string](c, AttributePODTerminal)
}

// Status returns the status before and after; "" if there is none.
func (c Changeset) Status() (Change[ContainerStatus], bool) {
	return ChangeOf[ContainerStatus](c, AttributeStatus)
}

// Reversed returns the changeset that undoes c.
func (c Changeset) Reversed() Changeset {
	reversed := Changeset{changes: make(map[string]sentChange, len(c.changes))}
	for name, change := range c.changes {
		if change.Old != nil {
			change = pairOf(change.New, change.Old)
		}
		reversed.changes[name] = change
	}
	return reversed
}

// Warnings returns a description of each attribute that cannot be read completely, such as
// "pickup_lfd: must be an array of the old and the new value". A list with one invalid hold or fee
// counts too. See [Changeset.Apply] for the effect of such attributes.
func (c Changeset) Warnings() []string {
	var warnings []string
	for _, name := range c.Attributes() {
		if err := checkChange(name, c.changes[name]); err != nil {
			warnings = append(warnings, name+": "+err.Error())
		}
	}
	return warnings
}

var errNotPair = errors.New("must be an array of the old and the new value")

func checkChange(name string, change sentChange) (err error) {
	switch name {
	case AttributeHolds, changedHoldsOldName:
		_, err = readChange[[]Hold](change)
	case AttributeFees:
		_, err = readChange[[]Fee](change)
	case AttributePickupLFD, AttributePickupLFDLine, AttributePickupLFDTerminal, AttributePickupLFDRail, changedINDFacilityLFD:
		_, err = readChange[sentDeadline](change)
	case changedDeadlines:
		_, err = readChange[sentDeadlines](change)
	case AttributePODTerminal, AttributePickupFacility:
		_, err = readChange[string](change)
	case AttributeTransportEvents:
		_, err = readChange[[]string](change)
	default:
		err = checkPlainChange(name, change)
	}
	return err
}

func checkPlainChange(name string, change sentChange) (err error) {
	var of Container
	switch {
	case availabilityOf(&of)[name] != nil:
		_, err = readChange[Opt[bool]](change)
	case textsOf(&of)[name] != nil:
		_, err = readChange[string](change)
	case slices.ContainsFunc(timesOf(&of), func(t placedTime) bool { return t.name == name }):
		_, err = readChange[Time](change)
	default:
		_, err = readChange[json.RawMessage](change)
	}
	return err
}

// sentDeadlines are the members of import_deadlines.
type sentDeadlines struct {
	Line     sentDeadline     `json:"pickup_lfd_line"`
	Terminal sentDeadline     `json:"pickup_lfd_terminal"`
	Rail     sentDeadline     `json:"pickup_lfd_rail"`
	POD      *PODLastFreeDays `json:"pod"`
}

// timeChange returns the change of a time at a place. The changeset does not contain its zone.
func (c Changeset) timeChange(attribute string) (Change[Time], bool) {
	changed, ok := ChangeOf[Time](c, attribute)
	markZoneUnreported(&changed.Old, &changed.New)
	return changed, ok
}

// changedLFD returns the attribute with the last free day of a source; "" is the one that the
// service chose.
func changedLFD(source LFDSource) string {
	if source == "" {
		return AttributePickupLFD
	}
	return AttributePickupLFD + "_" + string(source)
}

func pairOf(before, after json.RawMessage) sentChange {
	raw := bytes.Join([][]byte{[]byte("["), before, []byte(","), after, []byte("]")}, nil)
	return sentChange{Old: before, New: after, Raw: raw}
}

// decode reads a changeset in a document, whose buffer it outlives.
func (c *Changeset) decode(d *jsonapi.Decoder) {
	if !d.Null() {
		raw := bytes.Clone(d.Raw())
		d.Again(raw, func() { c.read(d) })
	}
}

// read reads a changeset and reports whether it was an object. The changes refer to the bytes that
// d reads.
func (c *Changeset) read(d *jsonapi.Decoder) bool {
	changes := map[string]sentChange{}
	ok := d.Object(func(key []byte) {
		name, change := string(key), sentChange{Raw: slices.Clip(d.Raw())}
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
func (c Changeset) find(attribute string) (sentChange, bool) {
	if change, ok := c.changes[attribute]; ok {
		return change, true
	}
	all, ok := c.changes[changedDeadlines]
	if !ok || !strings.HasPrefix(attribute, AttributePickupLFD+"_") {
		return sentChange{}, false
	}
	before, sentBefore := memberOf(all.Old, attribute)
	after, sentAfter := memberOf(all.New, attribute)
	return sentChange{Old: before, New: after, Raw: all.Raw}, sentAfter || sentBefore && before != nil
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
	if _, ok := c.changes[AttributeHolds]; !ok {
		return changedHoldsOldName
	}
	return AttributeHolds
}

// sentHolds and sentFees are lists that are read like those of a container: an invalid value loses
// neither the rest of its element nor the other elements. An element that cannot be read at all is
// kept as a hold of unknown status or a fee that is not posted. Only null elements are dropped.
type (
	sentHolds []Hold
	sentFees  []Fee
)

func (s *sentHolds) UnmarshalJSON(data []byte) (err error) {
	*s, err = unmarshalList[Hold](data, holdMembers)
	return err
}

func (s *sentFees) UnmarshalJSON(data []byte) (err error) {
	*s, err = unmarshalList[Fee](data, feeMembers)
	return err
}

// Apply returns a copy of a container with the changeset's new values: the attributes that
// [DiffContainers] compares, including the ids of terminals and events. Others are ignored.
// Times are set to the container's zones. If the container is nil, Apply returns nil.
//
// A new value that cannot be read makes the attribute unknown, because the old value is out of
// date: availability becomes null and other attributes not reported, so [Readiness.NeedsRecheck]
// returns true. See [Changeset.Warnings].
func (c Changeset) Apply(container *Container) *Container {
	if container == nil {
		return nil
	}
	after := *container
	c.applyTexts(&after)
	if holds, ok := newValue[sentHolds](c, c.holdsName(), nil); ok {
		after.Holds = holds
	}
	if fees, ok := newValue[sentFees](c, AttributeFees, nil); ok {
		after.Fees = fees
	}
	for name, value := range availabilityOf(&after) {
		if sent, ok := newValue(c, name, Null[bool]()); ok {
			*value = sent
		}
	}
	for _, time := range timesOf(&after) {
		if sent, ok := newValue(c, time.name, Time{}); ok {
			*time.at = sent
			time.pair(&after)
		}
	}
	c.applyDeadlines(&after)
	for name, terminal := range terminalsOf(&after) {
		c.applyTerminal(name, terminal)
	}
	c.applyEvents(&after)
	return &after
}

// applyTexts comes first, because every time depends on a zone.
func (c Changeset) applyTexts(to *Container) {
	was := *to
	for name, text := range textsOf(to) {
		if sent, ok := newValue(c, name, ""); ok {
			*text = sent
		}
	}
	if to.PODTimezone != was.PODTimezone || to.FinalDestinationTimezone != was.FinalDestinationTimezone ||
		to.EmptyTerminatedTimezone != was.EmptyTerminatedTimezone {
		to.pairZones() // which forgets the zones at the origin
		to.EmptyOutAt, to.POLFullInAt = was.EmptyOutAt, was.POLFullInAt
		to.POLVesselLoadedAt, to.POLVesselDepartedAt = was.POLVesselLoadedAt, was.POLVesselDepartedAt
	}
}

func (c Changeset) applyTerminal(name string, to *ToOne[*Terminal]) {
	terminal, changed := newValue(c, name, Opt[string]{})
	id, ok := terminal.Get()
	switch {
	case !changed || id != "" && id == to.ID():
	case id != "":
		*to = Linked[*Terminal]("terminal", id)
	case ok || terminal.IsNull():
		*to = NotRelated[*Terminal]()
	default:
		*to = ToOne[*Terminal]{}
	}
}

// applyEvents sets the ids of the transport events. Events stay included if none is new.
func (c Changeset) applyEvents(to *Container) {
	ids, changed := newValue[[]string](c, AttributeTransportEvents, nil)
	if !changed {
		return
	}
	known, _ := to.TransportEvents.Values()
	left := slices.DeleteFunc(slices.Clone(known), func(e *TransportEvent) bool { return !slices.Contains(ids, e.ID) })
	switch {
	case ids == nil:
		to.TransportEvents = ToMany[*TransportEvent]{}
	case len(left) == len(ids):
		to.TransportEvents = IncludedAll(left...)
	default:
		to.TransportEvents = LinkedAll[*TransportEvent]("transport_event", ids...)
	}
}

func (c Changeset) applyDeadlines(to *Container) {
	moved := false
	set := func(attribute string, source LFDSource, deadlines ...*Time) {
		if lfd, ok := newValue(c, attribute, sentDeadline{}); ok {
			for _, at := range deadlines {
				*at = Time(lfd)
				to.pairDeadlines(source, at)
			}
			moved = true
		}
	}
	for source, at := range deadlinesOf(to) {
		set(changedLFD(source), source, at)
	}
	if rail := &to.ImportDeadlines.Rail; !to.INDFacilityLFD.IsZero() {
		set(AttributePickupLFDRail, LFDSourceRail, rail, &to.INDFacilityLFD) // the deprecated copy must not keep the old value
	}
	set(changedINDFacilityLFD, LFDSourceRail, &to.INDFacilityLFD)
	if pod, ok := c.newPOD(); ok {
		pod.pairZone(to.PODTimezone)
		to.ImportDeadlines.POD = pod
	}
	if moved {
		to.pairPickupLFD() // the zone depends on the source with the same value
	}
}

// newPOD returns the new last free days at the port with their history, and whether the changeset
// contains them.
func (c Changeset) newPOD() (pod *PODLastFreeDays, changed bool) {
	change, ok := c.changes[changedDeadlines]
	if !ok {
		return nil, false
	}
	sent, changed := memberOf(change.New, "pod")
	if json.Unmarshal(sent, &pod) != nil {
		pod = nil
	}
	return pod, changed
}

// The functions below return the attributes of a container that DiffContainers compares and Apply
// sets, by wire name. With holds, fees, deadlines and transport events, they are all that it
// reports of the container's state. It does not compare the equipment, your references, and when
// the sources were checked.

func availabilityOf(c *Container) map[string]*Opt[bool] {
	return map[string]*Opt[bool]{
		AttributeAvailableForPickup: &c.AvailableForPickup,
		"availability_known":        &c.AvailabilityKnown,
	}
}

func textsOf(c *Container) map[string]*string {
	return map[string]*string{
		AttributeStatus:               (*string)(&c.CurrentStatus),
		AttributeLocation:             &c.LocationAtPODTerminal,
		"pod_full_out_chassis_number": &c.PODFullOutChassisNumber,
		"pod_rail_carrier_scac":       &c.PODRailCarrierSCAC,
		"ind_rail_carrier_scac":       &c.INDRailCarrierSCAC,
		"pod_timezone":                &c.PODTimezone,
		"final_destination_timezone":  &c.FinalDestinationTimezone,
		"empty_terminated_timezone":   &c.EmptyTerminatedTimezone,
	}
}

func terminalsOf(c *Container) map[string]*ToOne[*Terminal] {
	return map[string]*ToOne[*Terminal]{AttributePODTerminal: &c.PODTerminal, AttributePickupFacility: &c.PickupFacility}
}

// placedTime is a time with the zone of its place, nil for a time in UTC or at the origin.
type placedTime struct {
	name   string
	at     *Time
	zone   *string
	origin bool // only included resources have the zone
}

func (t placedTime) pair(c *Container) {
	switch {
	case t.origin:
		markZoneUnreported(t.at)
		c.pairOriginZone()
		c.pairGateZones()
	case t.zone != nil:
		pairZone(*t.zone, t.at)
	}
}

// timesOf returns the times in the order of a journey.
func timesOf(c *Container) []placedTime {
	port, inland := &c.PODTimezone, &c.FinalDestinationTimezone
	return []placedTime{
		{AttributeEmptyOut, &c.EmptyOutAt, nil, true},
		{AttributePOLFullIn, &c.POLFullInAt, nil, true},
		{AttributePOLVesselLoaded, &c.POLVesselLoadedAt, nil, true},
		{AttributePOLVesselDeparted, &c.POLVesselDepartedAt, nil, true},
		{AttributePODArrived, &c.PODArrivedAt, port, false},
		{AttributePODDischarged, &c.PODDischargedAt, port, false},
		{AttributePODRailLoaded, &c.PODRailLoadedAt, port, false},
		{AttributePODRailDeparted, &c.PODRailDepartedAt, port, false},
		{AttributeINDETA, &c.INDETA, inland, false},
		{AttributeINDATA, &c.INDATA, inland, false},
		{AttributeINDRailUnloaded, &c.INDRailUnloadedAt, inland, false},
		{AttributePickupAppointment, &c.PickupAppointmentAt, port, false},
		{AttributePODFullOut, &c.PODFullOutAt, port, false},
		{AttributeFinalDestinationFullOut, &c.FinalDestinationFullOutAt, inland, false},
		{AttributeDelivered, &c.DeliveredAt, nil, false},
		{AttributeEmptyTerminated, &c.EmptyTerminatedAt, &c.EmptyTerminatedTimezone, false},
	}
}

// deadlinesOf returns the last free days of a container by source; "" is the one that the service
// chose.
func deadlinesOf(c *Container) map[LFDSource]*Time {
	return map[LFDSource]*Time{
		"":                &c.PickupLFD,
		LFDSourceLine:     &c.ImportDeadlines.Line,
		LFDSourceTerminal: &c.ImportDeadlines.Terminal,
		LFDSourceRail:     &c.ImportDeadlines.Rail,
	}
}
