package terminal49

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
	"unique"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// RulesVersion is the version of the rules that [Assess] applies. It is raised with every change of
// a verdict, so that a program that stores a [Standing] can tell which it must compute again.
const RulesVersion = 1

// ErrRulesVersion is returned when a stored [Standing] was made by another version of the rules.
// Assess the container again.
var ErrRulesVersion = errors.New("terminal49: the standing was made by another version of the rules; assess the container again")

// Standing is the part of a [Verdict] that does not depend on the clock: it changes only when
// something is reported. Its method Verdict adds the clock, by the rule of [Assess]. Its JSON has
// every zone and can be read back without loss, by a program with the same [RulesVersion];
// otherwise the error is [ErrRulesVersion].
type Standing struct {
	ContainerID, Number string // of the container
	// Situation applies while the terminal's data is recent; see VerdictOptions.MaxAge. OldSituation
	// applies otherwise. They differ only for a container that can be picked up.
	Situation, OldSituation Situation
	CheckedAt               Time // when the terminal was last checked, UTC; zero if never or not reported

	// Place is where the container is: zero while it travels, after it left, and if that is unknown.
	Place VerdictPlace
	// BoundFor is where it goes next: the port of discharge or the inland destination; zero if it is
	// at its place of pickup or has left, and if that is unknown.
	BoundFor VerdictPlace
	// Since is the earliest recorded fact of the situation's place or leg, such as the arrival; zero
	// if none is recorded.
	Since Time
	ETA   Time // expected arrival at BoundFor while it travels there; zero if unknown

	// LastFreeDay is the earliest last free day that binds at this stage: after the port, the days of
	// the port no longer do, and none does after the container has left. Zero if none is known.
	LastFreeDay LastFreeDay
	// UrgencyReason is why the urgency is unknown at any time. It is "" if the urgency depends on the
	// clock, and after the container has left.
	UrgencyReason UrgencyReason
}

// Verdict returns the situation, the urgency with its reason, the days left and AskAgain at a time,
// as [Assess] does, with the place, the times and the last free day. What the terminal reported is
// not part of a standing: Readiness, Fees, Proof and Against are empty, and String is shorter. The
// events of the options are ignored, and TrackingStopped counts only in [Assess].
func (s Standing) Verdict(now time.Time, opts VerdictOptions) (v Verdict) {
	v.short, v.Standing = true, s
	v.setClock(now, opts)
	return v
}

// assessed is what the standing of a container depends on in addition to its location.
type assessed struct {
	readiness       Readiness
	fees            FeeSummary
	trackingStopped bool
}

// standingOf returns the standing of a container at a location.
func standingOf(c *Container, l *location, a assessed) Standing {
	s := Standing{ContainerID: c.ID, Number: c.Number, CheckedAt: a.readiness.TerminalCheckedAt, Since: l.since(), ETA: l.eta()}
	s.Place, s.BoundFor = l.places(c)
	s.Situation, s.OldSituation = l.situations(c, a)
	s.setDeadline(c, l, a.trackingStopped)
	return s
}

// situations returns the situation at a location while the terminal's data is recent, and the one
// after.
func (l *location) situations(c *Container, a assessed) (recent, old Situation) {
	if at := l.situation(a.readiness.TerminalCheckedAt); at != "" {
		return at, at
	}
	old = a.notPickable(c, l)
	_, checked := a.readiness.TerminalCheckedAt.Instant()
	switch {
	case !checked || !a.readiness.isPickable() || a.readiness.NeedsRecheck():
		return old, old
	case a.fees.Owes():
		return SituationPayFirst, old
	}
	return SituationReady, old
}

// situation returns the situation that follows from the location alone, or "" for a container at a
// terminal or at an unknown place.
func (l *location) situation(checked Time) Situation {
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
	case l.reportsPort(checked):
		return SituationNotReleasedInland
	}
	return ""
}

// notPickable returns the situation of a container at a terminal, or at an unknown place, that
// cannot be picked up now.
func (a assessed) notPickable(c *Container, l *location) Situation {
	r := a.readiness
	switch {
	case r.State == ReadinessBlocked:
		return SituationHeld
	case l.awaitsTransfer(r):
		return SituationAwaitingTransfer
	case r.Ready() && l.mayMoveOn():
		return SituationUnknown
	case r.Ready(), r.State == ReadinessOutOfSync:
		return SituationStale
	case r.State != ReadinessNotReleased:
		return SituationUnknown
	case l.stage == stageDestination:
		return SituationNotReleasedInland
	case l.stage == stageUnknown && c.CurrentStatus == StatusNew: // nothing is known yet
		return SituationUnknown
	}
	return SituationNotReleased
}

// awaitsTransfer reports whether the container is at the port and moves inland from there. A
// destination on the bill alone counts only once the terminal has released the container.
func (l *location) awaitsTransfer(r Readiness) bool {
	return l.movesOn() && (l.move == inlandBooked || r.Ready() && !l.mayMoveOn())
}

// setDeadline sets the last free day that binds, or why its urgency can never be known.
func (s *Standing) setDeadline(c *Container, l *location, trackingStopped bool) {
	if l.stage >= stageOut {
		return
	}
	days := LastFreeDays(c)
	var found bool
	s.LastFreeDay, found = days.earliest(func(d LastFreeDay) bool { return l.binds(c, d) })
	switch {
	case c.isTrackingStopped(trackingStopped):
		s.UrgencyReason = UrgencyReasonTrackingStopped
	case l.conflict, l.stage == stageInland && !l.byRail:
		s.UrgencyReason = UrgencyReasonPlaceUnknown
	case !found && days.withheld:
		s.UrgencyReason = UrgencyReasonWithheld
	case !found:
		s.UrgencyReason = UrgencyReasonNoLastFreeDay
	}
}

// isTrackingStopped reports whether the shipment is no longer tracked, by itself or by the options.
func (c *Container) isTrackingStopped(stopped bool) bool {
	return stopped || !c.shipmentOrEmpty().LineTrackingStoppedAt.IsZero()
}

// isOpen reports whether the journey goes on, as far as is known: its shipment is tracked, and the
// container was not returned.
func (c *Container) isOpen() bool {
	events, _ := c.TransportEvents.Values()
	l := locate(c, events)
	return !c.isTrackingStopped(false) && l.situation(Time{}) != SituationReturned
}

// binds reports whether a last free day applies. After the container has left the port, a day at
// the port does not, unless it is the railroad's or, once the container has arrived, the shipping
// line's. On the way only the railroad's does, and one that is certainly of the destination.
func (l *location) binds(c *Container, d LastFreeDay) bool {
	if l.stage < stageInland {
		return true
	}
	port, inland := c.PODTimezone, c.FinalDestinationTimezone
	if l.stage == stageInland { // which of two places in one zone a line's day is of is not known
		return d.Source == LFDSourceRail || d.Source != LFDSourceTerminal && zonesDiffer(port, inland) && d.At.Zone() == inland
	}
	atPort := d.Source == LFDSourceTerminal || port != "" && d.At.Zone() == port && (inland == "" || zonesDiffer(port, inland))
	return d.Source == LFDSourceRail || d.Source == LFDSourceLine && l.stage == stageDestination || !atPort
}

// setClock adds the clock to the standing. It is the only place where a verdict depends on it.
func (v *Verdict) setClock(now time.Time, opts VerdictOptions) {
	v.maxAge, v.now, v.Situation = cmp.Or(opts.MaxAge, defaultMaxAge), now, v.OldSituation
	switch since, _ := v.Since.Instant(); {
	case isFuture(since, now):
		v.doubtFuture()
	case isRecent(v.CheckedAt, now, v.maxAge):
		v.Situation = v.Standing.Situation
	}
	if v.reported == nil {
		v.setUrgency(opts)
	}
	v.AskAgain = v.nextReading()
}

// The defaults of VerdictOptions.
const (
	defaultMaxAge         = 24 * time.Hour
	defaultImminentDays   = 3
	defaultDeadlineMaxAge = 7 * 24 * time.Hour
)

// isFuture reports whether the container is where it is only more than a day after now.
func isFuture(since, now time.Time) bool { return since.Sub(now) > conflictAfter }

// isRecent reports whether the terminal was checked at most maxAge before now, and not long after.
func isRecent(checked Time, now time.Time, maxAge time.Duration) bool {
	at, known := checked.Instant()
	return known && now.Sub(at).Abs() <= maxAge
}

// doubtFuture makes a verdict unknown whose facts lie more than a day in the future.
func (v *Verdict) doubtFuture() {
	reported := v.Standing
	v.reported, v.Standing = &reported, Standing{
		ContainerID: reported.ContainerID, Number: reported.Number, CheckedAt: reported.CheckedAt,
		Situation: SituationUnknown, OldSituation: SituationUnknown, UrgencyReason: UrgencyReasonPlaceUnknown,
	}
	v.Situation, v.Urgency, v.UrgencyReason = SituationUnknown, UrgencyUnknown, UrgencyReasonPlaceUnknown
}

// Stored returns the standing to store. It is the verdict's own, except for reports that lie more
// than a day in the future: the verdict has none then, and the standing is right later.
func (v Verdict) Stored() Standing {
	if v.reported != nil {
		return *v.reported
	}
	return v.Standing
}

// setUrgency sets how urgent the last free day is, if the data is recent enough and its day is the
// same in all zones that it may be in.
func (v *Verdict) setUrgency(opts VerdictOptions) {
	if v.Urgency = UrgencyNone; v.Situation.HasLeft() {
		return
	}
	fewest, most, counted := v.LastFreeDay.At.daysLeftRange(v.now, opts.FallbackZone)
	if counted && fewest == most {
		v.DaysLeft = Some(fewest)
	}
	v.Urgency, v.UrgencyReason = UrgencyUnknown, v.Standing.UrgencyReason
	age, checked := checkedAge(v.CheckedAt, v.now)
	switch urgency := opts.urgencyOf(fewest); {
	case v.UrgencyReason != "":
	case !checked:
		v.UrgencyReason = UrgencyReasonNeverChecked
	case age > cmp.Or(opts.DeadlineMaxAge, defaultDeadlineMaxAge):
		v.UrgencyReason = UrgencyReasonDataOld
	case !counted || urgency != opts.urgencyOf(most):
		v.UrgencyReason = UrgencyReasonNoZone
	default:
		v.Urgency = urgency
	}
}

func (o VerdictOptions) urgencyOf(daysLeft int) Urgency {
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
	switch {
	case v.Situation == SituationReturned, v.Standing.UrgencyReason == UrgencyReasonTrackingStopped:
		return time.Time{}
	}
	switch v.Situation {
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

// storedStanding is the JSON form of a Standing. Its times keep their zones, which Time.MarshalJSON
// does not.
type storedStanding struct {
	Rules         int            `json:"rules"`
	ContainerID   string         `json:"container_id,omitempty"`
	Number        string         `json:"number,omitempty"`
	Situation     Situation      `json:"situation"`
	OldSituation  Situation      `json:"old_situation"`
	CheckedAt     storedTime     `json:"checked_at,omitzero"`
	Place         VerdictPlace   `json:"place,omitzero"`
	BoundFor      VerdictPlace   `json:"bound_for,omitzero"`
	Since         storedTime     `json:"since,omitzero"`
	ETA           storedTime     `json:"eta,omitzero"`
	LastFreeDay   storedDeadline `json:"last_free_day,omitzero"`
	UrgencyReason UrgencyReason  `json:"urgency_reason,omitempty"`
}

type storedDeadline struct {
	At        storedTime `json:"at,omitzero"`
	Source    LFDSource  `json:"source,omitempty"`
	Selection string     `json:"selection,omitempty"`
	Withheld  bool       `json:"withheld,omitempty"`
}

// MarshalJSON returns all fields with the version of the rules.
func (s Standing) MarshalJSON() ([]byte, error) {
	lfd := s.LastFreeDay
	return json.Marshal(storedStanding{
		RulesVersion, s.ContainerID, s.Number, s.Situation, s.OldSituation, s.CheckedAt.stored(), s.Place, s.BoundFor,
		s.Since.stored(), s.ETA.stored(), storedDeadline{lfd.At.stored(), lfd.Source, lfd.Selection, lfd.Withheld}, s.UrgencyReason,
	})
}

// UnmarshalJSON reads what MarshalJSON wrote, and ignores members that it does not know. The error
// is [ErrRulesVersion] if another version of the rules made it.
func (s *Standing) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	r := &standingReader{}
	r.Decoder = jsonapi.NewDecoder(data, "standing", func(w jsonapi.Warning) { r.problem = w.Field + " " + w.Problem })
	r.Object(r.member)
	switch err := r.End(); {
	case err != nil:
		return fmt.Errorf("terminal49: reading a standing: %w", err)
	case r.problem != "" && (r.rules == RulesVersion || r.rules == 0): // other rules may have other forms
		return errors.New("terminal49: reading a standing: " + r.problem)
	case r.rules != RulesVersion:
		return fmt.Errorf("%w (it has version %d, this program %d)", ErrRulesVersion, r.rules, RulesVersion)
	}
	*s = r.standing
	return nil
}

// standingReader reads the JSON form of a Standing, several times as fast as encoding/json: a
// worklist reads thousands.
type standingReader struct {
	*jsonapi.Decoder
	standing Standing
	rules    int
	problem  string // the last value in an unknown form
}

func (r *standingReader) member(key []byte) {
	s := &r.standing
	switch string(key) {
	case "rules":
		r.rules, _ = r.Int()
	case "container_id":
		s.ContainerID, _ = r.String()
	case "number":
		s.Number, _ = r.String()
	case "situation":
		readWord(r.Decoder, &s.Situation)
	case "old_situation":
		readWord(r.Decoder, &s.OldSituation)
	case "urgency_reason":
		readWord(r.Decoder, &s.UrgencyReason)
	case "checked_at":
		s.CheckedAt = r.time()
	case "since":
		s.Since = r.time()
	case "eta":
		s.ETA = r.time()
	case "place":
		r.place(&s.Place)
	case "bound_for":
		r.place(&s.BoundFor)
	case "last_free_day":
		r.lastFreeDay(&s.LastFreeDay)
	default:
		r.Skip()
	}
}

// readWord reads a word that many standings have, and returns the one copy of it.
func readWord[T ~string](d *jsonapi.Decoder, to *T) {
	text, _ := d.Bytes()
	*to = T(unique.Make(string(text)).Value())
}

func (r *standingReader) place(p *VerdictPlace) {
	r.Object(func(key []byte) {
		var to *string
		switch string(key) {
		case "terminal_id":
			to = &p.TerminalID
		case "name":
			to = &p.Name
		case "nickname":
			to = &p.Nickname
		case "locode":
			to = &p.LOCODE
		case "firms_code":
			to = &p.FIRMSCode
		case "zone":
			to = &p.Zone
		default:
			r.Skip()
			return
		}
		*to, _ = r.String()
	})
}

func (r *standingReader) lastFreeDay(d *LastFreeDay) {
	r.Object(func(key []byte) {
		switch string(key) {
		case "at":
			d.At = r.time()
		case "source":
			readWord(r.Decoder, &d.Source)
		case "selection":
			d.Selection, _ = r.String()
		case "withheld":
			d.Withheld, _ = r.Bool()
		default:
			r.Skip()
		}
	})
}

func (r *standingReader) time() Time {
	var s storedTime
	r.Object(func(key []byte) {
		switch string(key) {
		case "unix":
			s.Unix = r.number()
		case "nanos":
			s.Nanos = int32(r.number())
		case "offset":
			s.Offset = int16(r.number())
		case "kind":
			readWord(r.Decoder, &s.Kind)
		case "day":
			s.Day, _ = r.Bool()
		case "zone":
			readWord(r.Decoder, &s.Zone)
		default:
			r.Skip()
		}
	})
	return s.time()
}

// number reads a whole number.
func (r *standingReader) number() int64 {
	text, _ := r.Number()
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		r.Warn("want a whole number")
	}
	return n
}
