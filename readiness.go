package terminal49

import (
	"cmp"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// Readiness describes what the terminal last reported about a container, by the service's own rule:
// it is ready if the terminal has released it and no hold is in force. See [PickupReadiness]. Where
// the container is, and a sentence on what to do, are in the [Verdict]. Its JSON and log form
// includes the results of its methods.
type Readiness struct {
	State ReadinessState

	ActiveHolds  []Hold // in force; see HoldName.ClearedBy
	PendingHolds []Hold // expected, not in force yet
	UnknownHolds []Hold // with a status unknown to this version, so they may be in force

	Warnings          []ReadinessWarning // doubts about the data; they do not change State
	TerminalCheckedAt Time               // when the terminal was last checked, UTC; zero if never or not reported

	recheck bool
	absent  bool      // certainly not at a known place of pickup, or not to be picked up there
	since   time.Time // the first fact of where it is; zero if unknown
}

// ReadinessState is the readiness of a container according to the terminal's data.
type ReadinessState string

// The values of ReadinessState.
const (
	ReadinessReady       ReadinessState = "ready"        // released, no hold in force
	ReadinessNotReleased ReadinessState = "not_released" // not released, no hold in force
	ReadinessBlocked     ReadinessState = "blocked"      // not released, and a hold in force
	ReadinessOutOfSync   ReadinessState = "out_of_sync"  // released, but a hold in force: part of the data is outdated
	ReadinessUnknown     ReadinessState = "unknown"      // not known whether it is released or whether a hold is in force
)

// ReadinessWarning is a reason to doubt the data behind a [Readiness].
type ReadinessWarning string

// The values of ReadinessWarning.
const (
	WarnPendingHolds            ReadinessWarning = "pending_holds"             // released, but a hold is expected
	WarnUnknownHoldStatus       ReadinessWarning = "unknown_hold_status"       // a hold is neither active nor pending
	WarnHoldsNotReported        ReadinessWarning = "holds_not_reported"        // null or missing; counts as no holds
	WarnAvailabilityNotReported ReadinessWarning = "availability_not_reported" // availability_known is false: unknown
	WarnStatusDisagrees         ReadinessWarning = "status_disagrees"          // the status or a later event contradicts the terminal's report
	WarnInlandHolds             ReadinessWarning = "inland_holds"              // ind_facility_holds has a hold in force
	WarnHoldsNotProvided        ReadinessWarning = "holds_not_provided"        // the terminal declares that it does not report holds
	WarnFeesNotProvided         ReadinessWarning = "fees_not_provided"         // the terminal declares that it does not report fees
	WarnInlandMove              ReadinessWarning = "inland_move"               // released by the port, and moves on inland, or may; see Verdict
	WarnPlaceUnknown            ReadinessWarning = "place_unknown"             // not known where it is; see Verdict
)

// PickupReadiness returns what the terminal or inland ramp last reported about a container. It is
// ready if it is available and no hold is in force; for the other cases, see [ReadinessState]. The
// state is unknown if [Container.Availability] is, and for a nil container. Holds that were not
// reported count as no holds, with a warning and a recheck. The result is as old as the container;
// see TerminalCheckedAt.
func PickupReadiness(c *Container) Readiness {
	c = c.orEmpty()
	events, _ := c.TransportEvents.Values()
	l := locate(c, events)
	return readinessAt(c, &l)
}

// readinessAt returns the readiness of a container at a location.
func readinessAt(c *Container, l *location) Readiness {
	r := releaseOf(c)
	atPort := l.reportsPort(c.TerminalCheckedAt)
	r.absent = l.isElsewhere() || l.movesOn() || atPort
	r.since, _ = l.since().Instant()
	switch {
	case l.isVague(), r.Ready() && l.isInYard(c):
		r.doubt(WarnPlaceUnknown)
	case r.Ready() && l.movesOn(), atPort:
		r.doubt(WarnInlandMove)
	case r.Ready() && l.mayBeGone(c.CurrentStatus), r.Ready() && l.isContradicted(EventNotAvailable, c.TerminalCheckedAt),
		r.State == ReadinessNotReleased && l.isContradicted(EventAvailable, c.TerminalCheckedAt):
		r.doubt(WarnStatusDisagrees)
	}
	if slices.ContainsFunc(c.INDFacilityHolds, Hold.isActive) {
		r.doubt(WarnInlandHolds)
	}
	r.warnOfTerminal(c, l)
	return r
}

// warnOfTerminal adds what the terminal does not report: an empty list then means nothing.
func (r *Readiness) warnOfTerminal(c *Container, l *location) {
	if l.denies(c, AttributeHolds) {
		r.warn(WarnHoldsNotProvided)
	}
	if l.denies(c, AttributeFees) {
		r.warn(WarnFeesNotProvided)
	}
}

// releaseOf returns what the terminal reported, by the service's rule.
func releaseOf(c *Container) Readiness {
	r := Readiness{TerminalCheckedAt: c.TerminalCheckedAt}
	r.sortHolds(c.Holds)
	released, reported := c.Availability()
	r.State = r.stateOf(released, reported)
	r.recheck = r.State != ReadinessReady && r.State != ReadinessBlocked
	if r.State == ReadinessReady && len(r.PendingHolds) > 0 {
		r.doubt(WarnPendingHolds)
	}
	if len(r.UnknownHolds) > 0 {
		r.warn(WarnUnknownHoldStatus)
	}
	if c.Holds == nil {
		r.doubt(WarnHoldsNotReported)
	}
	if !c.AvailabilityKnown.Or(true) {
		r.warn(WarnAvailabilityNotReported)
	}
	if released && c.CurrentStatus.deniesAvailable() {
		r.doubt(WarnStatusDisagrees)
	}
	return r
}

// Availability returns whether the terminal has released the container for pickup, and whether that
// is known. It is known if AvailableForPickup is not null and AvailabilityKnown is not false: false
// and false mean "not known", not "no". If it is not known, available is false. It does not
// consider holds, where the container is, or the age of the data; [Assess] does. A nil container is
// unknown.
func (c *Container) Availability() (available, known bool) {
	c = c.orEmpty()
	available, known = c.AvailableForPickup.Get()
	known = known && c.AvailabilityKnown.Or(true)
	return available && known, known
}

func (r *Readiness) sortHolds(holds []Hold) {
	for _, hold := range holds {
		switch hold.Status {
		case HoldStatusActive:
			r.ActiveHolds = append(r.ActiveHolds, hold)
		case HoldStatusPending:
			r.PendingHolds = append(r.PendingHolds, hold)
		default:
			r.UnknownHolds = append(r.UnknownHolds, hold)
		}
	}
}

// stateOf returns the state by the holds and the release.
func (r *Readiness) stateOf(released, reported bool) ReadinessState {
	switch {
	case !reported:
		return ReadinessUnknown
	case len(r.ActiveHolds) > 0 && released:
		return ReadinessOutOfSync
	case len(r.ActiveHolds) > 0:
		return ReadinessBlocked
	case len(r.UnknownHolds) > 0:
		return ReadinessUnknown
	case released:
		return ReadinessReady
	}
	return ReadinessNotReleased
}

// CanPickUp reports whether to send a truck: the container is ready, is at its place of pickup,
// needs no recheck, and its terminal was checked at most maxAge before now. The age that counts is
// that of TerminalCheckedAt, which is always older than Resource.AsOf: a container that was just
// read may have old data. If TerminalCheckedAt is unknown, or more than maxAge after now, CanPickUp
// returns false. It does not consider fees; [Assess] does.
func (r Readiness) CanPickUp(now time.Time, maxAge time.Duration) bool {
	return isRecent(r.TerminalCheckedAt, now, maxAge) && r.isPickable() && !r.NeedsRecheck() && !isFuture(r.since, now)
}

// String returns the state, the holds and the warnings in words and when the terminal was checked,
// such as "blocked, held by a customs hold (customs broker), terminal checked 2026-03-02 16:00
// UTC". What to do is in [Verdict.String].
func (r Readiness) String() string {
	texts := []string{strings.ReplaceAll(cmp.Or(string(r.State), string(ReadinessUnknown)), "_", " ")}
	if len(r.ActiveHolds) > 0 {
		texts = append(texts, "held by "+describeHolds(r.ActiveHolds))
	}
	if len(r.PendingHolds) > 0 {
		texts = append(texts, describeHolds(r.PendingHolds)+" expected")
	}
	if len(r.UnknownHolds) > 0 {
		texts = append(texts, "status not known of "+describeHolds(r.UnknownHolds))
	}
	for _, w := range r.Warnings {
		texts = append(texts, "warning: "+strings.ReplaceAll(string(w), "_", " "))
	}
	if !r.TerminalCheckedAt.IsZero() {
		texts = append(texts, "terminal checked "+r.TerminalCheckedAt.String())
	}
	return strings.Join(texts, ", ")
}

// isPickable reports whether the container is ready and where it is picked up.
func (r Readiness) isPickable() bool { return r.Ready() && !r.absent }

// Ready reports whether the terminal has released the container and no hold is in force. It ignores
// where the container is now and the age of the data; see CanPickUp.
func (r Readiness) Ready() bool { return r.State == ReadinessReady }

// NeedsRecheck reports whether to wait for the next container.updated event, or to fetch the
// container again, before deciding. It is true in every state but ready and blocked, and in those
// if there is a warning other than [WarnUnknownHoldStatus], [WarnHoldsNotProvided] and
// [WarnFeesNotProvided].
func (r Readiness) NeedsRecheck() bool { return r.recheck || r.State == "" }

// checkedAge returns how long before now a terminal was last checked, or false if it never was or
// the time was not reported.
func checkedAge(checked Time, now time.Time) (time.Duration, bool) {
	at, ok := checked.Instant()
	if !ok {
		return 0, false
	}
	return max(0, now.Sub(at)), true // clocks differ, so at may be after now
}

func (r *Readiness) warn(w ReadinessWarning) { r.Warnings = append(r.Warnings, w) }

// doubt adds a warning that requires a recheck.
func (r *Readiness) doubt(w ReadinessWarning) {
	r.warn(w)
	r.recheck = true
}

// deniesAvailable reports whether a container of this status cannot be available for pickup.
func (s ContainerStatus) deniesAvailable() bool {
	return s == StatusNew || s == StatusOnShip || s == StatusOnRail || s == StatusNotAvailable
}

// describeHolds lists holds and who clears them, such as "a freight hold (shipping line or
// forwarder)".
func describeHolds(holds []Hold) string {
	names := make([]string, len(holds))
	for i, hold := range holds {
		names[i] = hold.String()
	}
	return strings.Join(names, " and ")
}

// readinessJSON is the JSON and log form of a Readiness.
type readinessJSON struct {
	State             ReadinessState     `json:"state"`
	Ready             bool               `json:"ready"`
	Recheck           bool               `json:"recheck"`
	Warnings          []ReadinessWarning `json:"warnings"`
	ActiveHolds       []Hold             `json:"active_holds"`
	PendingHolds      []Hold             `json:"pending_holds"`
	UnknownHolds      []Hold             `json:"unknown_holds"`
	TerminalCheckedAt Time               `json:"terminal_checked_at"`
}

// MarshalJSON returns the fields and the results of Ready and Recheck. It cannot be read back.
func (r Readiness) MarshalJSON() ([]byte, error) {
	return json.Marshal(readinessJSON{
		r.State, r.Ready(), r.NeedsRecheck(), notNil(r.Warnings),
		notNil(r.ActiveHolds), notNil(r.PendingHolds), notNil(r.UnknownHolds), r.TerminalCheckedAt,
	})
}

// UnmarshalJSON returns an error: a readiness is computed, so store what it was computed from.
func (r *Readiness) UnmarshalJSON(data []byte) error {
	return errComputed(data, "Readiness", "store the container and compute it again")
}

// LogValue returns what MarshalJSON returns, as a group.
func (r Readiness) LogValue() slog.Value { return logJSON(r) }

// isHere reports whether the container is at a place of pickup, and which that is is known.
func (l *location) isHere() bool {
	return !l.unclear && !l.offDock && (l.stage == stageDestination || l.stage == stagePort)
}

// isElsewhere reports whether what is known of the place says that the container is not at a known
// place of pickup.
func (l *location) isElsewhere() bool { return !l.isHere() && (l.stage != stageUnknown || l.conflict) }

// movesOn reports whether the container is at the port and is, or may be, bound for an inland
// destination; mayMoveOn reports whether it is not known which.
func (l *location) movesOn() bool   { return l.stage == stagePort && l.move != noInlandMove }
func (l *location) mayMoveOn() bool { return l.stage == stagePort && l.move == inlandUnclear }

// isVague reports whether the reports leave open at which of several places the container is.
func (l *location) isVague() bool {
	return l.conflict || l.unclear || l.stage == stageInland && !l.byRail
}

// mayBeGone reports whether only the status says that the container was picked up.
func (l *location) mayBeGone(status ContainerStatus) bool {
	return l.lagging && l.stage < stageOut && status == StatusPickedUp
}

// isContradicted reports whether the last report of the terminal by an event is this one, and is
// not before the terminal was checked.
func (l *location) isContradicted(by EventName, checked Time) bool {
	return l.report.Event == by && !l.report.At.Before(checked)
}

// lastReport returns the last event that says whether the container is available. Of two at the
// same time, the one that says no counts.
func lastReport(facts []fact) (last fact) {
	for _, f := range recordedIn(facts) {
		order := f.At.Compare(last.At)
		if f.Event == EventNotAvailable && order >= 0 || f.Event == EventAvailable && order > 0 {
			last = f
		}
	}
	return last
}

// denies reports whether the terminal that is responsible at this stage declares that it does not
// report an attribute, or, if it declares nothing, whether the other terminal does.
func (l *location) denies(c *Container, attribute string) bool {
	here, other := c.PODTerminal, c.PickupFacility
	if l.stage >= stageInland || other.ID() != "" && !l.atlas.hasInlandFacility() {
		here, other = other, here
	}
	for _, terminal := range []ToOne[*Terminal]{here, other} {
		if t, ok := terminal.Value(); ok {
			if reported, known := t.ProvidedData[attribute].Reported.Get(); known {
				return !reported
			}
		}
	}
	return false
}

// Hold is a restriction that keeps a container at its terminal. A cleared hold disappears from the
// list; there is no "released" status.
type Hold struct {
	Name        HoldName   `json:"name" t49:"name"`
	Status      HoldStatus `json:"status" t49:"status"`
	Description string     `json:"description,omitempty" t49:"description"` // the terminal's own text, human-readable; "" if there is none
	Detail      RawJSON    `json:"detail,omitempty" t49:"detail"`           // each source's own wording; its form is undocumented
}

// UnmarshalJSON parses a hold in the service's form.
func (h *Hold) UnmarshalJSON(data []byte) error {
	return unmarshalObject(data, "hold", holdMembers, h)
}

// String returns the hold and who clears it, such as "a customs hold (customs broker)".
func (h Hold) String() string {
	name := printable(string(h.Name))
	if name == "" {
		return "a hold without a name (" + h.Name.ClearedBy().String() + ")"
	}
	article := "a "
	if strings.ContainsRune("aeioAEIO", rune(name[0])) { // not u: "a USDA hold"
		article = "an "
	}
	return article + name + " hold (" + h.Name.ClearedBy().String() + ")"
}

func (h Hold) isActive() bool { return h.Status == HoldStatusActive }

// HoldName is the kind of a hold, in the case that the service uses.
//
//t49:enum
type HoldName string

// The values of HoldName.
const (
	HoldFreight HoldName = "freight" // unpaid freight charges of the carrier
	HoldCustoms HoldName = "customs" // customs authority: documents, exam or inspection
	HoldUSDA    HoldName = "USDA"    // agricultural inspection
	HoldVACIS   HoldName = "VACIS"   // non-intrusive scan; its fee, if any, has type exam
	HoldTMF     HoldName = "TMF"     // terminal management fee
	HoldLine    HoldName = "line"    // carrier release pending, not freight; named in drafts of the service's guides
	HoldOther   HoldName = "other"   // not classified by the service: see the description
)

// HoldClearer identifies who can clear a hold.
type HoldClearer string

// The values of HoldClearer.
const (
	ClearedByLine            HoldClearer = "line"
	ClearedByLineOrForwarder HoldClearer = "line_or_forwarder"
	ClearedByBroker          HoldClearer = "broker"
	ClearedByBrokerOrUSDA    HoldClearer = "broker_or_usda"
	ClearedByTerminal        HoldClearer = "terminal"
	ClearedBySeeDescription  HoldClearer = "see_description" // unknown; see the description of the hold
)

// String returns a human-readable form, such as "shipping line or forwarder".
func (c HoldClearer) String() string {
	switch c {
	case ClearedByLine:
		return "shipping line"
	case ClearedByLineOrForwarder:
		return "shipping line or forwarder"
	case ClearedByBroker:
		return "customs broker"
	case ClearedByBrokerOrUSDA:
		return "customs broker or USDA"
	case ClearedBySeeDescription:
		return "see its description"
	default:
		return string(c)
	}
}

// ClearedBy returns who clears holds of this name: ClearedBySeeDescription for HoldOther and for
// names unknown to this version.
func (n HoldName) ClearedBy() HoldClearer {
	switch n {
	case HoldLine:
		return ClearedByLine
	case HoldFreight:
		return ClearedByLineOrForwarder
	case HoldCustoms, HoldVACIS:
		return ClearedByBroker
	case HoldUSDA:
		return ClearedByBrokerOrUSDA
	case HoldTMF:
		return ClearedByTerminal
	default:
		return ClearedBySeeDescription
	}
}

// HoldStatus is the status of a hold.
//
//t49:enum
type HoldStatus string

// The values of HoldStatus.
const (
	HoldStatusActive  HoldStatus = "hold"    // in force
	HoldStatusPending HoldStatus = "pending" // expected, not in force yet
)

var holdMembers = jsonapi.NewTable(model{}, new(Hold))
