package notice

import (
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// clockSkew is how far behind a clock may be: another process may have reported something at a
// time that is still ahead here. Until then nothing is reported, so that nothing is reported twice.
const clockSkew = 15 * time.Minute

// Next returns the notices of a container, what is reported of it after them, and the earliest
// instant at which the clock alone may make a notice due; zero for never. v is what
// [terminal49.Assess] returns for c at now with [Rules.VerdictOptions]; reported is nil for a
// container that was never assessed. Such a container gets notices of its situation, without facts
// before, and of what the calendar makes due; its holds and fees count as reported. Next changes
// neither reported nor c, and returns the same for the same arguments. Store after, also without
// notices.
func (r Rules) Next(reported *Reported, c *terminal49.Container, v terminal49.Verdict, now time.Time) (notices []Notice, after *Reported, due time.Time) {
	if reported != nil && now.Before(reported.At) && reported.At.Sub(now) <= clockSkew {
		return nil, reported, roundUp(reported.At)
	}
	n := &step{rules: r.orDefaults(), c: c, v: &v, now: now, reported: reported, after: reported.clone(), facts: factsOf(c, &v)}
	n.situation()
	n.holds()
	n.fees()
	n.eta()
	n.lastFreeDay()
	if len(n.notices) > 0 {
		n.after.At, n.after.Facts = now, n.facts
	}
	return n.notices, n.after, n.due()
}

// step is a call of Next.
type step struct {
	rules    Rules
	c        *terminal49.Container
	v        *terminal49.Verdict
	now      time.Time
	reported *Reported
	facts    Facts

	notices []Notice
	after   *Reported
}

// isFirst reports whether the container was never assessed before.
func (n *step) isFirst() bool { return n.reported == nil }

// report adds a notice. The facts before it are those after the last one, also of this step.
func (n *step) report(notice Notice) *Notice {
	notice.ContainerID, notice.Number, notice.After = n.v.ContainerID, printable(n.v.Number), n.facts
	if n.reported != nil {
		before := n.reported.Facts
		if len(n.notices) > 0 {
			before = n.facts
		}
		notice.Before = &before
	}
	notice.Sentence = printable(notice.Sentence)
	n.notices = append(n.notices, notice)
	return &n.notices[len(n.notices)-1]
}

func (n *step) situation() {
	if n.isFirst() || n.reported.Facts.Situation != n.v.Situation {
		n.report(Notice{Name: string(n.v.Situation), Sentence: n.situationText()})
	}
}

// holds are the holds of a container by what is known of them, each name once.
type holds struct {
	active []terminal49.HoldName // sorted
	unsure []terminal49.HoldName // with a status that this version does not know
}

// holdsOf returns the holds, and false if they are not reported: the list is missing, or it is
// empty at a terminal that does not report holds.
func holdsOf(c *terminal49.Container, v *terminal49.Verdict) (h holds, reported bool) {
	if c == nil || c.Holds == nil ||
		len(c.Holds) == 0 && slices.Contains(v.Readiness.Warnings, terminal49.WarnHoldsNotProvided) {
		return h, false
	}
	h.active = []terminal49.HoldName{}
	for _, hold := range c.Holds {
		switch hold.Status {
		case terminal49.HoldStatusActive:
			h.active = append(h.active, hold.Name)
		case terminal49.HoldStatusPending:
		default:
			h.unsure = append(h.unsure, hold.Name)
		}
	}
	slices.Sort(h.active)
	h.active = slices.Compact(h.active)
	return h, true
}

// holds reports the holds that were placed or cleared. One of an unknown status is neither.
func (n *step) holds() {
	now, reported := holdsOf(n.c, n.v)
	if !reported {
		return
	}
	for _, name := range now.active {
		if !slices.Contains(n.after.Holds, name) {
			n.reportHold(HoldPlaced, name)
		}
	}
	held := slices.Clone(now.active)
	for _, name := range n.after.Holds {
		switch {
		case slices.Contains(now.active, name):
		case slices.Contains(now.unsure, name):
			held = append(held, name)
		default:
			n.reportHold(HoldCleared, name)
		}
	}
	slices.Sort(held)
	n.after.Holds = held
}

func (n *step) reportHold(name string, hold terminal49.HoldName) {
	if n.isFirst() {
		return
	}
	notice := n.report(Notice{Name: name, Hold: hold, Sentence: holdText(name, hold)})
	notice.Before.ActiveHolds = n.reported.Holds
	if notice.Before.ActiveHolds == nil {
		notice.Before.ActiveHolds = []terminal49.HoldName{}
	}
}

// fees reports the fees that were posted or rose. A fee without an amount is unknown, and so is a
// total that does not count or is contradicted.
func (n *step) fees() {
	if !n.v.Fees.Reported {
		return
	}
	var posted []postedFee
	for _, sum := range n.v.Fees.ByType() {
		fee := postedFee{sum.Type, sum.CurrencyCode, sum.Amount}
		before := n.postedBefore(fee)
		if sum.NotPostedCount > 0 && before.GreaterThan(fee.Amount) {
			fee.Amount = before
		}
		if fee.Amount.GreaterThan(before) {
			n.reportFee(fee, before)
		}
		if fee.Amount.IsPositive() {
			posted = append(posted, fee)
		}
	}
	for _, fee := range n.after.Fees {
		same := func(p postedFee) bool { return p.Type == fee.Type && p.Currency == fee.Currency }
		if n.isUnclear(fee) && !slices.ContainsFunc(posted, same) {
			posted = append(posted, fee)
		}
	}
	n.after.Fees = posted
}

// postedBefore returns the last reported amount of a type of fee; zero for none.
func (n *step) postedBefore(fee postedFee) (amount decimal.Decimal) {
	for _, p := range n.after.Fees {
		if p.Type == fee.Type && p.Currency == fee.Currency {
			return p.Amount
		}
	}
	return amount
}

// isUnclear reports whether the amount of a fee that is not listed with one is unknown, so that it
// was not withdrawn.
func (n *step) isUnclear(fee postedFee) bool {
	all := n.v.Fees
	return slices.Contains(all.NotPosted, fee.Type) ||
		fee.Type == terminal49.FeeTotal && (all.TotalExcluded || all.In(fee.Currency).TotalConflict)
}

func (n *step) reportFee(fee postedFee, before decimal.Decimal) {
	if n.isFirst() {
		return
	}
	notice := n.report(Notice{
		Name: FeePosted, Sentence: feeText(fee, before),
		Fee: terminal49.Fee{Type: fee.Type, Amount: fee.Amount, CurrencyCode: fee.Currency},
	})
	notice.Before.Owed = n.reported.Facts.Owed
}

// eta reports by how much the ETA has moved since this was last reported. An unknown ETA has not
// moved. The ETA at the port and the one inland are two.
func (n *step) eta() {
	if n.v.ETA.IsZero() {
		return
	}
	from := n.after.eta(n.isBoundForPort())
	if from.IsZero() {
		*from = n.v.ETA
		return
	}
	moved, known := moveOf(*from, n.v.ETA)
	if !known || moved.Abs() < time.Duration(n.rules.ETASlipHours)*time.Hour {
		return
	}
	hours := int(moved / time.Hour)
	notice := n.report(Notice{Name: ETASlipped, Hours: hours, Sentence: etaText(hours, n.v.ETA)})
	notice.Before.ETA, *from = *from, n.v.ETA
}

// isBoundForPort reports whether the ETA is that at the port of discharge. Without a proven place
// the container is on its way there.
func (n *step) isBoundForPort() bool {
	return n.v.Situation == terminal49.SituationAtSea || n.v.Situation == terminal49.SituationBeforeVoyage || len(n.v.Proof) == 0
}

// moveOf returns by how much a time has moved. Two times without instants are compared by their
// days.
func moveOf(from, to terminal49.Time) (moved time.Duration, known bool) {
	_, fromKnown := from.Instant()
	_, toKnown := to.Instant()
	if fromKnown || toKnown {
		return to.Sub(from)
	}
	dayFrom, fromKnown := from.Date()
	dayTo, toKnown := to.Date()
	return time.Duration(dayTo.Sub(dayFrom)) * 24 * time.Hour, fromKnown && toKnown
}

// lastFreeDay reports that the last free day has moved, is near, or has passed.
func (n *step) lastFreeDay() {
	at := n.v.LastFreeDay
	if at.At.IsZero() || n.v.UrgencyReason == terminal49.UrgencyReasonPlaceUnknown {
		return
	}
	reported := &n.after.LastFreeDay
	now := deadline{Day: n.facts.LastFreeDay, At: at.At, Source: at.Source}
	if reported.isAbout(now) {
		now.Warned = reported.Warned
	}
	if from := reported.lastKnown(); now.Day.IsZero() {
		now.Known = from
	} else if !from.IsZero() && now.Day != from {
		n.reportMoved(*reported)
	}
	*reported = now
	if reached, ok := n.reached(); ok && (now.Warned == nil || reached < *now.Warned) {
		reported.Warned = &reached
		n.reportLastFreeDay(reached)
	}
}

func (n *step) reportMoved(from deadline) {
	notice := n.report(Notice{Name: LastFreeDayMoved, Sentence: n.movedText(from.lastKnown())})
	b := notice.Before
	b.LastFreeDay, b.LastFreeDayAt, b.LastFreeDaySource = from.lastKnown(), from.At, from.Source
}

func (n *step) reportLastFreeDay(reached int) {
	notice := Notice{Name: LastFreeDay, Days: terminal49.Some(reached)}
	if reached == overdue {
		notice = Notice{Name: Overdue, Sentence: n.overdueText()}
	} else {
		notice.Sentence = n.daysLeftText(reached)
	}
	if reported := n.report(notice); reported.Before != nil {
		reported.Before.DaysLeft = n.reported.Facts.DaysLeft
	}
}

// overdue is the number of days left from which on the last free day has passed.
const overdue = -1

// reached returns the fewest of the days of the rules that are left at most, or overdue.
func (n *step) reached() (fewest int, ok bool) {
	left, known := n.mostDaysLeft()
	if !known {
		return 0, false
	}
	for _, days := range append(slices.Clone(n.rules.LastFreeDays), overdue) {
		if left <= days && (!ok || days < fewest) {
			fewest, ok = days, true
		}
	}
	return fewest, ok
}

// mostDaysLeft returns the most days that may be left, by the calendars of the places where the
// last free day may be. It returns false if they cannot be counted, or the verdict does not count
// them: the data is too old, or is not updated any more.
func (n *step) mostDaysLeft() (most int, known bool) {
	if !n.isCounted() {
		return 0, false
	}
	for i, at := range placesOf(n.v.LastFreeDay.At, n.now) {
		left := at.day.Sub(terminal49.DateOf(n.now.In(at.zone)))
		if i == 0 || left > most {
			most, known = left, true
		}
	}
	return most, known
}

func (n *step) isCounted() bool {
	return n.v.Urgency != terminal49.UrgencyUnknown || n.v.UrgencyReason == terminal49.UrgencyReasonNoZone
}
