package terminal49

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"
)

// Verdict answers where a container is and what to do about it now; see [Assess]. Its String is one
// human-readable sentence or two. [docs/rules.md] has the rules with their sources.
//
// [docs/rules.md]: https://github.com/go-freight/terminal49/blob/main/docs/rules.md
type Verdict struct {
	ContainerID, Number string // of the container
	Situation           Situation
	// Place is where the container is: zero while it travels, after it left, and if that is unknown.
	Place VerdictPlace
	// BoundFor is where it goes next: the port of discharge or the inland destination; zero if it is
	// at its place of pickup or has left, and if that is unknown.
	BoundFor VerdictPlace
	// Since is the earliest recorded fact of the situation's place or leg, such as the arrival; zero
	// if none is recorded.
	Since Time
	ETA   Time // expected arrival at BoundFor while it travels there; zero if unknown

	// Proof are the facts that the place follows from. Against are those that contradict it: a status
	// that lags behind, or, if the situation is unknown for that reason, two recorded facts that
	// contradict each other.
	Proof, Against []VerdictFact

	Readiness Readiness  // what the terminal last reported
	Fees      FeeSummary // what is owed there

	// LastFreeDay is the earliest last free day that binds at this stage: after the port, the days of
	// the port no longer do, and none does after the container has left. Zero if none is known.
	LastFreeDay   LastFreeDay
	DaysLeft      Opt[int] // calendar days to LastFreeDay at its place, negative if overdue; missing if they cannot be counted
	Urgency       UrgencyLevel
	UrgencyReason UrgencyReason // why Urgency is unknown; "" otherwise

	// AskAgain is when to read the container again if no webhook reports a change before; zero if
	// nothing more is expected.
	AskAgain time.Time

	stage      stage
	status     ContainerStatus
	unclear    bool
	offDock    bool
	future     bool // its facts lie in the future
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

// UrgencyLevel is how near the last free day of a [Verdict] is.
type UrgencyLevel string

// The values of UrgencyLevel.
const (
	UrgencyOverdue  UrgencyLevel = "overdue"  // the last free day has passed
	UrgencyImminent UrgencyLevel = "imminent" // the last free day is near; see VerdictOptions
	UrgencyNone     UrgencyLevel = "none"     // the last free day is not near, or the container has left
	UrgencyUnknown  UrgencyLevel = "unknown"  // see the reason
)

// UrgencyReason explains why an [UrgencyLevel] is unknown.
type UrgencyReason string

// The values of UrgencyReason.
const (
	ReasonPlaceUnknown    UrgencyReason = "place_unknown"    // it is not known which last free day binds
	ReasonNoDeadline      UrgencyReason = "no_deadline"      // no last free day is reported
	ReasonWithheld        UrgencyReason = "withheld"         // the service withholds the last free day; see LastFreeDay.Withheld
	ReasonTrackingStopped UrgencyReason = "tracking_stopped" // the data is no longer updated
	ReasonNeverChecked    UrgencyReason = "never_checked"    // the terminal was never checked
	ReasonDataOld         UrgencyReason = "data_old"         // the terminal was last checked too long ago
	ReasonNoZone          UrgencyReason = "no_zone"          // the deadline's zone is unknown, and the level depends on it
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
	Fallback        *time.Location // the zone of deadlines whose zone is unknown; nil leaves their urgency unknown
}

// Assess returns where a container is and what to do now. Recorded facts decide the place: the
// container's own times, its transport events and the times of its included shipment. The current
// status counts only where it goes further. If facts contradict each other, the answer is unknown.
// Include the shipment, the POD terminal and the pickup facility for the names of places, and the
// transport events for the latest facts. A nil container is unknown.
func Assess(c *Container, now time.Time, opts VerdictOptions) Verdict {
	c = c.orEmpty()
	events := opts.Events
	if events == nil {
		events, _ = c.TransportEvents.Values()
	}
	l := locate(c, events)
	v := Verdict{
		ContainerID: c.ID, Number: c.Number,
		Readiness: readinessAt(c, &l), Fees: feesAt(c, &l), Against: l.contradicting(c),
		stage: l.stage, status: c.CurrentStatus, unclear: l.unclear, offDock: l.offDock, leftPortAt: l.leftPortAt(),
		maxAge: cmp.Or(opts.MaxAge, defaultMaxAge), now: now,
	}
	if !l.conflict {
		v.Proof = l.proving(c)
	}
	if v.Since = l.since(); v.Readiness.isFuture(now) {
		v.doubtFuture()
		return v
	}
	v.Place, v.BoundFor = l.places(c)
	v.ETA = l.eta()
	v.Situation = v.situationAt(&l)
	v.setDeadline(c, &l, opts)
	v.AskAgain = v.nextReading()
	return v
}

// doubtFuture makes a verdict unknown whose facts lie more than a day in the future.
func (v *Verdict) doubtFuture() {
	v.future = true
	v.Against, v.Proof, v.Since = append(v.Against, v.Proof...), nil, Time{}
	v.Situation, v.Urgency, v.UrgencyReason = SituationUnknown, UrgencyUnknown, ReasonPlaceUnknown
	v.AskAgain = v.nextReading()
}

// The defaults of VerdictOptions.
const (
	defaultMaxAge         = 24 * time.Hour
	defaultImminentDays   = 3
	defaultDeadlineMaxAge = 7 * 24 * time.Hour
)

// situationAt returns the situation at a location.
func (v *Verdict) situationAt(l *location) Situation {
	switch {
	case l.conflict:
		return SituationUnknown
	case l.stage == stageReturned:
		return SituationReturned
	case l.stage == stageOut:
		return SituationOut
	case l.stage == stageInland && l.byRail:
		return SituationOnRail
	case l.stage == stageSea:
		return SituationAtSea
	case l.stage == stageOrigin:
		return SituationBeforeVoyage
	case l.stage == stageInland, l.unclear, l.offDock:
		return SituationUnknown
	}
	return v.situationByRelease(l)
}

// situationByRelease returns the situation of a container at a terminal, or at an unknown place.
func (v *Verdict) situationByRelease(l *location) Situation {
	r := v.Readiness
	canPickUp := r.CanPickUp(v.now, v.maxAge)
	switch {
	case l.reportsPort(r.TerminalCheckedAt):
		return SituationNotReleasedInland
	case canPickUp && v.Fees.owes():
		return SituationPayFirst
	case canPickUp:
		return SituationReady
	case r.State == ReadinessBlocked:
		return SituationHeld
	case l.awaitsTransfer(r):
		return SituationAwaitingTransfer
	case r.Ready(), r.State == ReadinessOutOfSync:
		return SituationStale
	case r.State == ReadinessNotReleased:
		return v.notReleasedAt(l)
	}
	return SituationUnknown
}

// awaitsTransfer reports whether the container is at the port and moves inland from there. A
// destination on the bill alone counts only once the terminal has released the container.
func (l *location) awaitsTransfer(r Readiness) bool {
	return l.movesOn() && (l.move == inlandBooked || r.Ready())
}

func (v *Verdict) notReleasedAt(l *location) Situation {
	switch {
	case l.stage == stageDestination:
		return SituationNotReleasedInland
	case l.stage == stageUnknown && v.status == StatusNew: // nothing is known yet
		return SituationUnknown
	}
	return SituationNotReleased
}

// setDeadline sets the last free day that binds, and how urgent it is.
func (v *Verdict) setDeadline(c *Container, l *location, opts VerdictOptions) {
	if v.Urgency = UrgencyNone; l.stage >= stageOut {
		return
	}
	days := LastFreeDays(c)
	var found bool
	v.LastFreeDay, found = days.earliest(func(d LastFreeDay) bool { return l.binds(c, d) })
	fewest, most, counted := v.LastFreeDay.At.daysLeftRange(v.now, opts.Fallback)
	if counted && fewest == most {
		v.DaysLeft = Some(fewest)
	}
	v.Urgency = UrgencyUnknown
	switch {
	case l.conflict, l.stage == stageInland && !l.byRail:
		v.UrgencyReason = ReasonPlaceUnknown
	case !found && days.withheld:
		v.UrgencyReason = ReasonWithheld
	case !found:
		v.UrgencyReason = ReasonNoDeadline
	case opts.TrackingStopped, !c.shipmentOrEmpty().LineTrackingStoppedAt.IsZero():
		v.UrgencyReason = ReasonTrackingStopped
	default:
		v.setUrgency(opts, fewest, most, counted)
	}
}

// setUrgency sets how urgent the last free day is, if the data is recent enough and its day is the
// same in all zones that it may be in.
func (v *Verdict) setUrgency(opts VerdictOptions, fewest, most int, counted bool) {
	age, checked := v.Readiness.checkedAge(v.now)
	switch urgency := opts.urgencyOf(fewest); {
	case !checked:
		v.UrgencyReason = ReasonNeverChecked
	case age > cmp.Or(opts.DeadlineMaxAge, defaultDeadlineMaxAge):
		v.UrgencyReason = ReasonDataOld
	case !counted || urgency != opts.urgencyOf(most):
		v.UrgencyReason = ReasonNoZone
	default:
		v.Urgency = urgency
	}
}

// binds reports whether a last free day applies. After the container has left the port, a day at
// the port does not, unless it is the railroad's or, once the container has arrived, the shipping
// line's.
func (l *location) binds(c *Container, d LastFreeDay) bool {
	if l.stage < stageInland {
		return true
	}
	port, inland := c.PODTimezone, c.FinalDestinationTimezone
	atPort := d.Source == LFDTerminal || port != "" && d.At.Zone() == port && (inland == "" || zonesDiffer(port, inland))
	return d.Source == LFDRail || d.Source == LFDLine && l.stage == stageDestination || !atPort
}

func (o VerdictOptions) urgencyOf(daysLeft int) UrgencyLevel {
	switch {
	case daysLeft < 0:
		return UrgencyOverdue
	case daysLeft <= o.ImminentDays.Or(defaultImminentDays):
		return UrgencyImminent
	default:
		return UrgencyNone
	}
}

// nextReading returns when to read the container again: hourly where the terminal decides, less
// often while it travels, and at its expected arrival.
func (v *Verdict) nextReading() time.Time {
	wait := time.Hour
	switch v.Situation {
	case SituationReturned:
		return time.Time{}
	case SituationAwaitingTransfer, SituationOnRail:
		wait = 6 * time.Hour
	case SituationBeforeVoyage, SituationAtSea, SituationOut:
		wait = 24 * time.Hour
	}
	next := v.now.Add(wait)
	if eta, ok := v.ETA.Instant(); ok && eta.After(v.now) && eta.Before(next) {
		return eta
	}
	return next
}

// Compare orders verdicts by urgency, the most urgent first, for example in slices.SortFunc: what
// is overdue, then what is imminent, each by the days left; then by situation, in the order of its
// constants; then by the days left. Containers that have left are last.
func (v Verdict) Compare(other Verdict) int {
	return cmp.Or(
		cmp.Compare(v.rank(), other.rank()),
		cmp.Compare(v.urgentDays(), other.urgentDays()),
		cmp.Compare(slices.Index(situations, v.Situation), slices.Index(situations, other.Situation)),
		cmp.Compare(v.DaysLeft.Or(1<<30), other.DaysLeft.Or(1<<30)),
		v.Since.Compare(other.Since),
	)
}

func (v *Verdict) rank() int {
	switch {
	case v.Situation == SituationOut || v.Situation == SituationReturned:
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
	ContainerID   string        `json:"container_id,omitempty"`
	Number        string        `json:"number,omitempty"`
	Situation     Situation     `json:"situation"`
	Sentence      string        `json:"sentence"`
	Place         *VerdictPlace `json:"place"`
	BoundFor      *VerdictPlace `json:"bound_for"`
	Since         Time          `json:"since"`
	ETA           Time          `json:"eta"`
	Proof         []VerdictFact `json:"proof"`
	Against       []VerdictFact `json:"against"`
	Urgency       UrgencyLevel  `json:"urgency"`
	UrgencyReason UrgencyReason `json:"urgency_reason,omitempty"`
	LastFreeDay   *LastFreeDay  `json:"last_free_day"`
	DaysLeft      Opt[int]      `json:"days_left"`
	Fees          FeeSummary    `json:"fees"`
	Readiness     Readiness     `json:"readiness"`
	AskAgain      *time.Time    `json:"ask_again"`
}

// MarshalJSON returns the fields under lower-case names, with null for what is unknown, and the
// sentence. It cannot be read back: store the container, and assess it again.
func (v Verdict) MarshalJSON() ([]byte, error) {
	written := verdictJSON{
		ContainerID: v.ContainerID, Number: v.Number,
		Situation: v.Situation, Sentence: v.String(), Place: v.Place.orNull(), BoundFor: v.BoundFor.orNull(),
		Since: v.Since, ETA: v.ETA, Proof: notNil(v.Proof), Against: notNil(v.Against),
		Urgency: v.Urgency, UrgencyReason: v.UrgencyReason, LastFreeDay: v.LastFreeDay.orNull(), DaysLeft: v.DaysLeft,
		Fees: v.Fees, Readiness: v.Readiness,
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
