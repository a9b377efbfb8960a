package notice

import (
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// clockSkew is how far behind a clock may be: another process may have said what this one sees as
// the future. Until the clock has caught up, nothing is said, so that nothing is said again.
const clockSkew = 15 * time.Minute

// Next returns what is to be said of a container, what has been said afterwards, and the earliest
// instant at which the clock alone may make something due; zero for never. v is what
// [terminal49.Assess] returns for c at now with [Rules.VerdictOptions]; told is nil for a container
// that was never assessed. Of that, the situation is said, without facts before, and what the
// calendar makes due; everything else counts as said. Next changes neither told nor c. What it
// returns is the same for the same arguments. Store after, whatever was said.
func (r Rules) Next(told *Told, c *terminal49.Container, v terminal49.Verdict, now time.Time) (said []Notice, after *Told, due time.Time) {
	if told != nil && now.Before(told.At) && told.At.Sub(now) <= clockSkew {
		return nil, told, roundUp(told.At)
	}
	n := &step{rules: r.orDefaults(), c: c, v: &v, now: now, told: told, after: told.clone(), facts: factsOf(c, &v)}
	n.situation()
	n.holds()
	n.fees()
	n.eta()
	n.lastFreeDay()
	if len(n.said) > 0 {
		n.after.At, n.after.Facts = now, n.facts
	}
	return n.said, n.after, n.due()
}

// step is a call of Next.
type step struct {
	rules Rules
	c     *terminal49.Container
	v     *terminal49.Verdict
	now   time.Time
	told  *Told
	facts Facts

	said  []Notice
	after *Told
}

// isFirst reports whether the container was never assessed before.
func (n *step) isFirst() bool { return n.told == nil }

// say adds a notice. The facts before it are those after the last one.
func (n *step) say(notice Notice) *Notice {
	notice.ContainerID, notice.Number, notice.After = n.v.ContainerID, printable(n.v.Number), n.facts
	if n.told != nil {
		before := n.told.Facts
		notice.Before = &before
	}
	notice.Sentence = printable(notice.Sentence)
	n.said = append(n.said, notice)
	return &n.said[len(n.said)-1]
}

func (n *step) situation() {
	if n.isFirst() || n.told.Facts.Situation != n.v.Situation {
		n.say(Notice{Name: string(n.v.Situation), Sentence: n.situationText()})
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
		case terminal49.HoldActive:
			h.active = append(h.active, hold.Name)
		case terminal49.HoldPending:
		default:
			h.unsure = append(h.unsure, hold.Name)
		}
	}
	slices.Sort(h.active)
	h.active = slices.Compact(h.active)
	return h, true
}

// holds says which holds were placed and cleared. One of an unknown status is neither.
func (n *step) holds() {
	now, reported := holdsOf(n.c, n.v)
	if !reported {
		return
	}
	for _, name := range now.active {
		if !slices.Contains(n.after.Holds, name) {
			n.sayHold(HoldPlaced, name)
		}
	}
	held := slices.Clone(now.active)
	for _, name := range n.after.Holds {
		switch {
		case slices.Contains(now.active, name):
		case slices.Contains(now.unsure, name):
			held = append(held, name)
		default:
			n.sayHold(HoldCleared, name)
		}
	}
	slices.Sort(held)
	n.after.Holds = held
}

func (n *step) sayHold(name string, hold terminal49.HoldName) {
	if n.isFirst() {
		return
	}
	said := n.say(Notice{Name: name, Hold: hold, Sentence: holdText(name, hold)})
	said.Before.ActiveHolds = n.told.Holds
	if said.Before.ActiveHolds == nil {
		said.Before.ActiveHolds = []terminal49.HoldName{}
	}
}

// fees says which fees were posted or rose. A fee without an amount is unknown, and so is a total
// that does not count or is contradicted.
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
			n.sayFee(fee, before)
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

// postedBefore returns the amount that was last said of a type of fee; zero for none.
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

func (n *step) sayFee(fee postedFee, before decimal.Decimal) {
	if !n.isFirst() {
		n.say(Notice{
			Name: FeePosted, Sentence: feeText(fee, before),
			Fee: terminal49.Fee{Type: fee.Type, Amount: fee.Amount, CurrencyCode: fee.Currency},
		})
	}
}

// eta says by how much the ETA has moved since the last time that this was said. An ETA that is
// unknown has not moved. The ETA at the port and that inland are two.
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
	said := n.say(Notice{Name: ETASlipped, Hours: hours, Sentence: etaText(hours, n.v.ETA)})
	said.Before.ETA, *from = *from, n.v.ETA
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

// lastFreeDay says that the last free day has moved, is near, or has passed.
func (n *step) lastFreeDay() {
	at := n.v.LastFreeDay
	if at.At.IsZero() || n.v.UrgencyReason == terminal49.ReasonPlaceUnknown {
		return
	}
	told := &n.after.LastFreeDay
	now := deadline{Day: n.facts.LastFreeDay, At: at.At, Source: at.Source}
	if told.isAbout(now) {
		now.Warned = told.Warned
	}
	if from := told.lastKnown(); now.Day.IsZero() {
		now.Known = from
	} else if !from.IsZero() && now.Day != from {
		n.sayMoved(*told)
	}
	*told = now
	if reached, ok := n.reached(); ok && (now.Warned == nil || reached < *now.Warned) {
		told.Warned = &reached
		n.sayLastFreeDay(reached)
	}
}

func (n *step) sayMoved(from deadline) {
	said := n.say(Notice{Name: LastFreeDayMoved, Sentence: n.movedText(from.lastKnown())})
	b := said.Before
	b.LastFreeDay, b.LastFreeDayAt, b.LastFreeDaySource = from.lastKnown(), from.At, from.Source
}

func (n *step) sayLastFreeDay(reached int) {
	if reached == overdue {
		n.say(Notice{Name: Overdue, Sentence: n.overdueText()})
		return
	}
	n.say(Notice{Name: LastFreeDay, Days: terminal49.Some(reached), Sentence: n.daysLeftText(reached)})
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
// them: the data is too old, or no longer updated.
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
	return n.v.Urgency != terminal49.UrgencyUnknown || n.v.UrgencyReason == terminal49.ReasonNoZone
}
