package terminal49

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Verdict answers where a container is and what to do about it now; see [Assess]. Its String is one
// human-readable sentence or two. [docs/rules.md] has the rules with their sources.
//
// [docs/rules.md]: https://github.com/go-freight/terminal49/blob/main/docs/rules.md
type Verdict struct {
	// Standing has the place, the times and the last free day. Its own Situation and UrgencyReason are
	// those whatever the time is. It is empty if the reports lie more than a day in the future; what
	// to keep then is what Stored returns.
	Standing

	Situation Situation // at the time of the verdict

	// Proof are the facts that the place follows from. Against are those that contradict it: a status
	// that lags behind, or, if the situation is unknown for that reason, two recorded facts that
	// contradict each other.
	Proof, Against []VerdictFact

	Readiness Readiness  // what the terminal last reported
	Fees      FeeSummary // what is owed there

	DaysLeft      Opt[int] // calendar days to LastFreeDay at its place, negative if overdue; missing if they cannot be counted
	Urgency       Urgency
	UrgencyReason UrgencyReason // why Urgency is unknown; "" otherwise

	// NotIncluded are those of [AssessIncludes] that the container links to and its response did not
	// include, so that the verdict knows less than the service does. Empty if nothing is missing.
	NotIncluded []ContainerInclude

	// AskAgain is when to read the container again if no webhook reports a change before; zero if
	// nothing more is expected, as after tracking has stopped before the pickup.
	AskAgain time.Time

	reported *Standing // if the reports lie in the future
	short    bool      // made by a Standing, so what the sentence needs is missing
	stage    stage
	reached  Stage
	move     inlandMove
	status   ContainerStatus
	unclear  bool
	offDock  bool
	stopped  bool // tracking has stopped, so nothing more is reported

	beforeArrival bool // the terminal's report is of before the arrival inland
	withdrawn     bool // an event after the terminal's report says that it is not available
	releasedLater bool // the terminal's report says that it is not available, and a later event that it is
	announced     bool // an event before the arrival says that it is available

	hasWithheld bool // the service withholds the last free day
	isNamed     bool // the terminal of Place was included

	leftPortAt Time
	maxAge     time.Duration
	now        time.Time
}

// Situation is where a container is and what that means for its pickup.
type Situation string

// The values of Situation. [Readiness.CanPickUp] returns true only in SituationReady and
// SituationPayFirst.
const (
	SituationPayFirst          Situation = "pay_first"           // ready, and fees are owed
	SituationReady             Situation = "ready"               // send a truck to Place
	SituationStale             Situation = "stale"               // released, but the terminal's data is too old, incomplete or contradictory
	SituationHeld              Situation = "held"                // not released, and a hold is in force; see Readiness.ActiveHolds
	SituationUnknown           Situation = "unknown"             // where it is, or whether it is released, is not reported or contradictory
	SituationNotReleasedInland Situation = "not_released_inland" // at the inland destination, not released there
	SituationNotReleased       Situation = "not_released"        // not released, at the port or at an unknown place
	SituationAwaitingTransfer  Situation = "awaiting_transfer"   // at the port, before its move inland: not picked up here
	SituationOnRail            Situation = "on_rail"             // left the port by rail, arrival inland not reported
	SituationAtSea             Situation = "at_sea"              // on a ship or between two
	SituationBeforeVoyage      Situation = "before_voyage"       // at its origin
	SituationOut               Situation = "out"                 // picked up or delivered
	SituationReturned          Situation = "returned"            // returned empty
)

// situations are all of them, the most urgent first.
var situations = []Situation{
	SituationPayFirst, SituationReady, SituationStale, SituationHeld, SituationUnknown, SituationNotReleasedInland,
	SituationNotReleased, SituationAwaitingTransfer, SituationOnRail, SituationAtSea, SituationBeforeVoyage, SituationOut,
	SituationReturned,
}

// Known reports whether s is one of the constants of this version.
func (s Situation) Known() bool { return isKnown(s, situations) }

// HasLeft reports whether the container has left for good: picked up, delivered or returned.
func (s Situation) HasLeft() bool { return s == SituationOut || s == SituationReturned }

// Stage is how far a container has come, whether or not it can be picked up. A [Situation] does not
// distinguish the port from the inland destination.
type Stage string

// The values of Stage.
const (
	StageBeforeVoyage Stage = "before_voyage" // at its origin
	StageAtSea        Stage = "at_sea"        // on a ship or between two
	StageArrived      Stage = "arrived"       // the ship has arrived at the port of discharge, and no discharge is reported
	StageAtPort       Stage = "at_port"       // at the port of discharge or in a yard there, also before a move inland
	StageOnRail       Stage = "on_rail"       // left the port by rail
	StageAtRamp       Stage = "at_ramp"       // at the inland destination
	StageOut          Stage = "out"           // picked up or delivered
	StageReturned     Stage = "returned"      // returned empty
	StageUnknown      Stage = "unknown"       // not reported, contradictory, or one of two, such as at the port or inland
)

// stageNames are those of the stages that a location can have, if nothing is unclear there.
var stageNames = [...]Stage{
	stageUnknown: StageUnknown, stageOrigin: StageBeforeVoyage, stageSea: StageAtSea, stagePort: StageAtPort,
	stageInland: StageOnRail, stageDestination: StageAtRamp, stageOut: StageOut, stageReturned: StageReturned,
}

// Known reports whether s is one of the constants of this version.
func (s Stage) Known() bool { return s == StageArrived || slices.Contains(stageNames[:], s) }

// Stage returns how far the container has come by what is reported, whatever the time of the
// verdict was. It is "" for a verdict that [Standing.Verdict] returned.
func (v Verdict) Stage() Stage { return v.reached }

// reach returns the stage of a verdict, whose Proof has all facts that the place follows from.
func (v *Verdict) reach() Stage {
	switch {
	case v.unclear, v.stage == stagePort && v.offDock && v.move != noInlandMove,
		v.stage == stageInland && v.Standing.Situation != SituationOnRail:
		return StageUnknown
	case v.stage == stagePort && v.isAboard() && !v.status.isAshore():
		return StageArrived
	}
	return stageNames[v.stage]
}

// isAshore reports whether a status is only reported of a container that is off the ship. Others
// follow from a terminal's report, which may be of before the discharge.
func (s ContainerStatus) isAshore() bool {
	return s == StatusGrounded || s == StatusAwaitingInlandTransfer || s == StatusOffDock
}

// Urgency is how near the last free day of a [Verdict] is.
type Urgency string

// The values of Urgency.
const (
	UrgencyOverdue  Urgency = "overdue"  // the last free day has passed
	UrgencyImminent Urgency = "imminent" // the last free day is near; see VerdictOptions
	UrgencyNone     Urgency = "none"     // the last free day is not near, or the container has left
	UrgencyUnknown  Urgency = "unknown"  // see the reason
)

// UrgencyReason explains why an [Urgency] is unknown.
type UrgencyReason string

// The values of UrgencyReason.
const (
	UrgencyReasonPlaceUnknown    UrgencyReason = "place_unknown"    // it is not known which last free day binds
	UrgencyReasonNoLastFreeDay   UrgencyReason = "no_deadline"      // no last free day is reported
	UrgencyReasonWithheld        UrgencyReason = "withheld"         // the service withholds the last free day; see LastFreeDay.Withheld
	UrgencyReasonTrackingStopped UrgencyReason = "tracking_stopped" // the data is no longer updated
	UrgencyReasonNeverChecked    UrgencyReason = "never_checked"    // the terminal was never checked
	UrgencyReasonDataOld         UrgencyReason = "data_old"         // the terminal was last checked too long ago
	UrgencyReasonNoZone          UrgencyReason = "no_zone"          // the deadline's zone is unknown, and the level depends on it
)

// VerdictOptions configures [Assess]. The zero value uses the defaults.
type VerdictOptions struct {
	// Events are the container's transport events. If nil, those that the response included with the
	// container are used.
	Events []*TransportEvent
	// MaxAge is the maximum time since the terminal was checked. After it, a container that would
	// be ready is stale. The default is 24 hours.
	MaxAge time.Duration

	ImminentDays   Opt[int]      // the urgency is imminent if at most this many days are left; default 3
	DeadlineMaxAge time.Duration // the urgency is unknown if the terminal data is older; default 7 days
	// TrackingStopped must be set if the shipment is no longer tracked, unless the response included
	// the container's shipment.
	TrackingStopped bool
	FallbackZone    *time.Location // the zone of deadlines whose zone is unknown; nil leaves their urgency unknown
}

// Assess returns where a container is and what to do now. Recorded facts decide the place: the
// container's own times, its transport events and the times of its included shipment. The current
// status counts only where it goes further. If facts contradict each other, the answer is unknown.
// Read the container with [AssessIncludes]. A nil container is unknown.
func Assess(c *Container, now time.Time, opts VerdictOptions) Verdict {
	c = c.orEmpty()
	events := opts.Events
	if events == nil {
		events, _ = c.TransportEvents.Values()
	}
	l := locate(c, events)
	readiness, fees := readinessAt(c, &l), feesAt(c, &l)
	v := Verdict{Standing: standingOf(c, &l, assessed{readiness, fees, opts.TrackingStopped})}
	v.Readiness, v.Fees, v.Against = readiness, fees, l.contradicting(c)
	v.stage, v.move, v.status, v.unclear, v.offDock, v.leftPortAt = l.stage, l.move, c.CurrentStatus, l.unclear, l.offDock, l.leftPortAt()
	v.stopped, v.beforeArrival = c.isTrackingStopped(opts.TrackingStopped), l.reportsPort(c.TerminalCheckedAt)
	v.withdrawn, v.releasedLater = l.isContradicted(EventNotAvailable, c.TerminalCheckedAt), l.isContradicted(EventAvailable, c.TerminalCheckedAt)
	v.announced = l.report.Event == EventAvailable && (l.stage == stageOrigin || l.stage == stageSea)
	v.NotIncluded, v.isNamed = c.notIncluded(opts.Events != nil), l.isNamed(c, v.Place.TerminalID)
	v.hasWithheld = v.stopped && v.LastFreeDay.At.IsZero() && LastFreeDays(c).withheld
	v.Proof = l.proving(c)
	v.reached = v.reach()
	v.setClock(now, opts)
	switch {
	case v.reported != nil:
		v.Against, v.Proof = append(v.Against, v.Proof...), nil
	case l.conflict:
		v.Proof = nil
	}
	return v
}

// AssessIncludes returns what to include with a container that is read for [Assess]: the shipment,
// the POD terminal and the pickup facility for the places, and the transport events for the latest
// facts. The slice is the caller's own.
func AssessIncludes() []ContainerInclude {
	return []ContainerInclude{
		ContainerIncludeShipment, ContainerIncludePODTerminal, ContainerIncludePickupFacility, ContainerIncludeTransportEvents,
	}
}

// notIncluded returns the relationships that Assess reads and the response only linked.
func (c *Container) notIncluded(hasEvents bool) (missing []ContainerInclude) {
	add := func(include ContainerInclude, state RelationshipState) {
		if state == RelationshipLinked {
			missing = append(missing, include)
		}
	}
	add(ContainerIncludeShipment, c.Shipment.State())
	add(ContainerIncludePODTerminal, c.PODTerminal.State())
	add(ContainerIncludePickupFacility, c.PickupFacility.State())
	if !hasEvents {
		add(ContainerIncludeTransportEvents, c.TransportEvents.State())
	}
	return missing
}

// AssessShipmentIncludes returns what to include with a shipment whose containers are read for
// [Assess]: the containers, each with what [AssessIncludes] has. The slice is the caller's own.
func AssessShipmentIncludes() []ShipmentInclude {
	includes := []ShipmentInclude{ShipmentIncludeContainers}
	for _, include := range AssessIncludes() {
		if include != ContainerIncludeShipment { // that is the shipment itself
			includes = append(includes, ShipmentIncludeContainers+"."+ShipmentInclude(include))
		}
	}
	return includes
}

// Compare orders verdicts by urgency, the most urgent first, for example in slices.SortFunc: what
// is overdue, then what is imminent, each by the days left; then by situation, in the order of its
// constants; then by the days left. Containers that have left are last.
func (v Verdict) Compare(other Verdict) int {
	by := cmp.Or(cmp.Compare(v.rank(), other.rank()), cmp.Compare(v.urgentDays(), other.urgentDays()))
	if by == 0 && v.Situation != other.Situation {
		by = cmp.Compare(slices.Index(situations, v.Situation), slices.Index(situations, other.Situation))
	}
	if by == 0 {
		by = cmp.Or(cmp.Compare(v.DaysLeft.Or(1<<30), other.DaysLeft.Or(1<<30)), v.Since.Compare(other.Since))
	}
	return by
}

func (v *Verdict) rank() int {
	switch {
	case v.Situation.HasLeft():
		return 3
	case v.Urgency == UrgencyOverdue:
		return 0
	case v.Urgency == UrgencyImminent:
		return 1
	}
	return 2
}

// urgentDays returns the days left if they count before the situation.
func (v *Verdict) urgentDays() int {
	if v.rank() < 2 {
		return v.DaysLeft.Or(0)
	}
	return 0
}

// verdictJSON is the JSON and log form of a Verdict.
type verdictJSON struct {
	ContainerID   string             `json:"container_id,omitempty"`
	Number        string             `json:"number,omitempty"`
	Situation     Situation          `json:"situation"`
	Sentence      string             `json:"sentence"`
	Place         *VerdictPlace      `json:"place"`
	BoundFor      *VerdictPlace      `json:"bound_for"`
	Since         Time               `json:"since"`
	ETA           Time               `json:"eta"`
	Proof         []VerdictFact      `json:"proof"`
	Against       []VerdictFact      `json:"against"`
	Urgency       Urgency            `json:"urgency"`
	UrgencyReason UrgencyReason      `json:"urgency_reason,omitempty"`
	LastFreeDay   *LastFreeDay       `json:"last_free_day"`
	DaysLeft      Opt[int]           `json:"days_left"`
	Fees          FeeSummary         `json:"fees"`
	Readiness     Readiness          `json:"readiness"`
	NotIncluded   []ContainerInclude `json:"not_included"`
	AskAgain      *time.Time         `json:"ask_again"`
}

// MarshalJSON returns the fields under lower-case names, with null for what is unknown, and the
// sentence. It cannot be read back: store the container, and assess it again.
func (v Verdict) MarshalJSON() ([]byte, error) {
	written := verdictJSON{
		ContainerID: v.ContainerID, Number: v.Number,
		Situation: v.Situation, Sentence: v.String(), Place: v.Place.orNull(), BoundFor: v.BoundFor.orNull(),
		Since: v.Since, ETA: v.ETA, Proof: notNil(v.Proof), Against: notNil(v.Against),
		Urgency: v.Urgency, UrgencyReason: v.UrgencyReason, LastFreeDay: v.LastFreeDay.orNull(), DaysLeft: v.DaysLeft,
		Fees: v.Fees, Readiness: v.Readiness, NotIncluded: notNil(v.NotIncluded),
	}
	if year := v.AskAgain.Year(); !v.AskAgain.IsZero() && year > 0 && year < 10_000 { // JSON has no other years
		written.AskAgain = &v.AskAgain
	}
	return json.Marshal(written)
}

// UnmarshalJSON returns an error: a verdict is computed, and depends on the time.
func (v *Verdict) UnmarshalJSON(data []byte) error {
	return errComputed(data, "Verdict", "store the container and call Assess again")
}

// VerdictSummary adds up the verdicts of several containers, such as those of one bill of lading;
// see [SumVerdicts].
type VerdictSummary struct {
	Containers int
	Situations map[Situation]int // how many are in each situation; those without a container are missing
	HaveLeft   int               // how many were picked up, delivered or returned

	// Last is the verdict of the container that is furthest from pickup, of those that are neither
	// ready nor out. It is nil if there is none: then all can be fetched, or were.
	Furthest *Verdict
	// Next is the verdict with the earliest last free day that binds, nil if none is known. Days of
	// different places are compared by the calendar.
	Next *Verdict
	Fees FeeSummary // what is owed for all, those included that are out
}

// furthestFromPickup are the situations before pickup, the one that is furthest from it first.
var furthestFromPickup = []Situation{
	SituationBeforeVoyage, SituationAtSea, SituationAwaitingTransfer, SituationOnRail, SituationNotReleased,
	SituationNotReleasedInland, SituationUnknown, SituationHeld, SituationStale,
}

// SumVerdicts adds up verdicts. Containers that were picked up do not affect Next: their verdicts
// have no last free day.
func SumVerdicts(verdicts []Verdict) VerdictSummary {
	s := VerdictSummary{Containers: len(verdicts), Situations: map[Situation]int{}}
	for i := range verdicts {
		v := &verdicts[i]
		s.Situations[v.Situation]++
		s.Fees = s.Fees.Add(v.Fees)
		if v.Situation.HasLeft() {
			s.HaveLeft++
		}
		if !v.LastFreeDay.At.IsZero() && (s.Next == nil || compareDeadlines(v.LastFreeDay.At, s.Next.LastFreeDay.At) < 0) {
			s.Next = v
		}
		if slices.Contains(furthestFromPickup, v.Situation) && (s.Furthest == nil || v.isFurtherThan(s.Furthest)) {
			s.Furthest = v
		}
	}
	return s
}

// isFurtherThan reports whether v is further from pickup than other: by the situation, or in the
// same by the later arrival.
func (v *Verdict) isFurtherThan(other *Verdict) bool {
	a, b := slices.Index(furthestFromPickup, v.Situation), slices.Index(furthestFromPickup, other.Situation)
	return a < b || a == b && v.ETA.Compare(other.ETA) > 0
}

// String returns a human-readable line, such as "3 containers: 1 ready, 1 on rail, 1 out; last free
// day 2026-11-27 (MSCU1234566); USD 555.00".
func (s VerdictSummary) String() string {
	counts := make([]string, 0, len(s.Situations))
	for _, situation := range situations {
		if n := s.Situations[situation]; n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(string(situation), "_", " ")))
		}
	}
	text := fmt.Sprintf("%d containers", s.Containers)
	if s.Containers == 1 {
		text = "1 container"
	}
	if len(counts) > 0 {
		text += ": " + strings.Join(counts, ", ")
	}
	if s.Next != nil {
		text += "; last free day " + dayText(s.Next.LastFreeDay.At) + " (" + s.Next.Number + ")"
	}
	if s.Containers > 0 {
		text += "; " + s.Fees.String()
	}
	return text
}
