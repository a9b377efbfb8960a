package terminal49

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// String returns a human-readable verdict: where the container is, what to do now, and the last
// free day, such as "Ready for pickup. Send a truck to WBCT (USLAX). The terminal's last free day
// is 2026-11-27, in 4 days." It contains texts of the service, such as names of places.
func (v Verdict) String() string {
	if v.short {
		return printable(shorten(v.shortText(), 1500))
	}
	text := v.sentence()
	if age, checked := checkedAge(v.Readiness.TerminalCheckedAt, v.now); checked && age > v.maxAge && v.waits() {
		text += " The terminal was last checked " + ageText(age) + " ago."
	}
	text += v.alsoText()
	if v.reported == nil && (v.atPickup() || v.isOverdue()) {
		text += v.lastFreeDayText()
	}
	if v.isReleased() && !v.Fees.Reported {
		text += " Whether fees are owed is not reported."
	}
	if v.Situation == SituationUnknown && v.reported == nil {
		text += v.notIncludedText()
	}
	return printable(shorten(text, 1500)) // names, holds and fees come from outside
}

// shortText returns the situation, the place and the last free day.
func (v *Verdict) shortText() string {
	text := strings.ReplaceAll(string(v.Situation), "_", " ")
	if text != "" {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	if place := v.Place.String(); place != "" {
		text += " at " + place
	}
	return text + v.onward() + v.expected() + "." + v.lastFreeDayText()
}

// notIncludedText returns what was not read, and may answer what is not known.
func (v *Verdict) notIncludedText() string {
	if len(v.NotIncluded) == 0 {
		return ""
	}
	var names []string
	for _, include := range v.NotIncluded {
		names = append(names, strings.ReplaceAll(string(include), "_", " "))
	}
	return " Not read with it: " + strings.Join(names, ", ") + "."
}

// shorten cuts a text that is longer than most characters.
func shorten(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// waits reports whether the container waits for the terminal, so that the age of its word matters.
func (v *Verdict) waits() bool {
	return v.Situation == SituationHeld || v.Situation == SituationNotReleased ||
		v.Situation == SituationUnknown && v.stage == stagePort && !v.unclear && !v.offDock
}

func (v *Verdict) isReleased() bool {
	return v.Situation == SituationReady || v.Situation == SituationPayFirst || v.Situation == SituationStale || v.mayMoveOn()
}

// mayMoveOn reports whether the container is released at the port, and it is not known whether it
// moves inland from there.
func (v *Verdict) mayMoveOn() bool {
	return v.Situation == SituationUnknown && v.stage == stagePort && !v.unclear && !v.offDock && v.move == inlandUnclear && v.Readiness.Ready()
}

// atPickup reports whether the container is where a last free day concerns its consignee, or soon.
func (v *Verdict) atPickup() bool {
	switch {
	case v.Situation == SituationAwaitingTransfer, v.unclear:
		return false
	}
	return v.stage == stagePort || v.stage == stageDestination || v.stage == stageInland
}

// sentence returns where the container is and what to do now.
func (v *Verdict) sentence() string {
	switch v.Situation {
	case SituationReady:
		return v.readyText()
	case SituationPayFirst:
		return "Ready, but " + v.owedText() + " must be paid first. " + v.payText() + ", then send a truck to " + v.where() + "."
	case SituationStale:
		return "Released at " + v.where() + ", but " + v.doubtText() + ". Ask the terminal before you send a truck."
	case SituationHeld:
		return v.heldText()
	case SituationNotReleased:
		return v.located("not released by the terminal" + v.releaseText("the terminal"))
	case SituationNotReleasedInland:
		return v.inlandText()
	case SituationAwaitingTransfer:
		return v.located("waiting for its move inland" + v.onward() + "." +
			v.waitText("Wait: do not pick it up at the port.", "the shipping line; do not pick it up at the port"))
	case SituationOnRail:
		return v.byRail() + cmp.Or(v.onward(), " to its inland destination") + v.expected() + "." + v.trainText()
	case SituationAtSea:
		return "On its way by ship" + v.onward() + v.expected() + "." + v.announcedText()
	case SituationBeforeVoyage:
		return "At its origin, not on a ship yet." + v.announcedText()
	case SituationOut:
		return v.departure() + ". Nothing left to pick up."
	case SituationReturned:
		return "Returned empty" + v.onDay() + ". Nothing left to do."
	}
	return v.unknownText()
}

// readyText returns where to send a truck, and what to ask before: the terminal if only its port is
// known, and the charges once the last free day has passed.
func (v *Verdict) readyText() string {
	text := "Ready for pickup at " + v.where() + "."
	switch {
	case v.isNamed && !v.isOverdue():
		return "Ready for pickup. Send a truck to " + v.where() + "."
	case !v.isOverdue():
		return text + " " + v.terminalText() + ": ask the shipping line which it is, then send a truck."
	case !v.isNamed:
		text += " " + v.terminalText() + ": ask the shipping line which it is."
	}
	return text + " Its last free day has passed: ask " + v.charger() + " what it charges, pay that, and send a truck today."
}

// terminalText returns why the terminal has no name.
func (v *Verdict) terminalText() string {
	if v.Place.TerminalID == "" {
		return "Its terminal is not reported"
	}
	return "Its terminal was not read"
}

// keeper returns who has the container at its place of pickup.
func (v *Verdict) keeper() string {
	if v.stage == stageDestination {
		return "the railroad"
	}
	return "the terminal"
}

// charger returns whose last free day it is, and who charges after it.
func (v *Verdict) charger() string {
	if v.LastFreeDay.Source == LFDSourceLine {
		return "the shipping line"
	}
	return v.keeper()
}

// payText returns what to do about fees: an amount must be known before it can be paid.
func (v *Verdict) payText() string {
	text := "Pay"
	if len(v.Fees.NotPosted) > 0 {
		text = "Ask " + v.keeper() + " how much, pay"
	}
	if !v.isNamed {
		text += ", ask the shipping line for the terminal"
	}
	return text
}

// waitText returns that one must wait, or whom to ask instead: one waits neither for what will
// never be reported nor while the last free day is tomorrow, today or past.
func (v *Verdict) waitText(wait, whom string) string {
	switch {
	case v.stopped:
		return " Tracking has stopped, so nothing more is reported. Ask " + whom + "."
	case v.isOverdue(), v.isLongLate():
		return " Ask " + whom + "."
	case v.atPickup() && v.DaysLeft.Or(2) < 2:
		return " Ask " + whom + " today."
	}
	return " " + wait
}

func (v *Verdict) isOverdue() bool { return v.DaysLeft.Or(0) < 0 }

// releaseText ends a sentence on a container that is not released: to wait, or to ask if a later
// report contradicts that.
func (v *Verdict) releaseText(whom string) string {
	if v.releasedLater {
		return ", but a later report says that it is available. Ask " + whom + " before you send a truck."
	}
	return "." + v.waitText("Wait for the release.", whom)
}

// trainText returns what to do while the container is on a train. A railroad's last free day is
// that of the ramp, and a landed container is there, so either of them may prove the arrival.
func (v *Verdict) trainText() string {
	reason := ""
	switch {
	case v.stopped:
	case v.isOverdue():
		reason = "its last free day has passed"
	case v.isLandedAgain():
		reason = "its status is " + strings.ReplaceAll(string(v.status), "_", " ")
	case v.isLongLate():
		return " Its arrival is not reported. Ask the railroad whether it has arrived."
	}
	if reason == "" {
		return v.waitText("Wait.", "the railroad")
	}
	return " Its arrival is not reported, but " + reason + ". Ask the railroad whether it has arrived."
}

// arrivalAfter is how long after the last fact of a train a status of the port may lag behind, and
// how long after the expected arrival its report may.
const arrivalAfter = 3 * 24 * time.Hour

// isLandedAgain reports whether the status of a container on a train is one of a landed container,
// and too old to be that of the port.
func (v *Verdict) isLandedAgain() bool {
	landed := v.status == StatusGrounded || v.status == StatusAvailable || v.status == StatusNotAvailable
	return landed && !slices.ContainsFunc(v.Proof, func(f VerdictFact) bool {
		at, known := f.At.Instant()
		return !known || v.now.Sub(at) <= arrivalAfter
	})
}

// announcedText returns what to do before the arrival, where the terminal may have released the
// container in advance.
func (v *Verdict) announcedText() string {
	released := v.Readiness.Ready() || v.announced
	switch {
	case !released && !v.stopped && v.isLongLate():
		return " Its arrival is not reported. Ask the shipping line."
	case !released || v.stopped:
		return v.waitText("Wait.", "the shipping line")
	case !v.ETA.IsZero() && !v.isLate() && !v.isOverdue():
		return " The terminal " + v.releasedText() + " before its arrival. Wait: do not send a truck yet."
	}
	return " The terminal " + v.releasedText() + ", but its arrival is not reported. Ask the terminal before you send a truck."
}

// releasedText returns what the terminal did: an event alone is a report.
func (v *Verdict) releasedText() string {
	if v.Readiness.Ready() {
		return "has released it"
	}
	return "has reported it as available"
}

func (v *Verdict) heldText() string {
	them := "it"
	if len(v.Readiness.ActiveHolds) > 1 {
		them = "them"
	}
	return v.located("held by " + describeHolds(v.Readiness.ActiveHolds) + ". Have " + them + " cleared" + v.beforeText())
}

// beforeText returns what holds must be cleared before.
func (v *Verdict) beforeText() string {
	switch {
	case v.stage != stagePort || v.move == noInlandMove:
		return " before you send a truck."
	case v.move == inlandBooked:
		return ": it moves inland" + v.onward() + ". Do not pick it up at the port."
	}
	return ", and ask the shipping line whether it moves on" + v.onward() + ", before you send a truck."
}

// alsoText returns what else must be done before the pickup: fees, and holds that are expected.
func (v *Verdict) alsoText() (text string) {
	if v.reported != nil || v.beforeArrival || v.Situation == SituationReady || v.Situation == SituationPayFirst || !v.atPickup() {
		return ""
	}
	named := v.Situation == SituationStale && strings.Contains(v.doubtText(), " is expected")
	if holds := v.Readiness.PendingHolds; len(holds) > 0 && !named {
		text += " Expected too: " + describeHolds(holds) + "."
	}
	if v.Fees.Owes() {
		text += " Also to be paid before the pickup: " + v.owedText() + "."
	}
	return text
}

func (v *Verdict) byRail() string {
	if v.isOnTrain() {
		return "On a train"
	}
	return "On its way inland by rail"
}

// inlandText returns what the ramp reports. A report from before the arrival is that of the port.
func (v *Verdict) inlandText() string {
	if !v.beforeArrival {
		return v.located(v.asInland() + "not released there" + v.releaseText("the railroad"))
	}
	named := strings.TrimSuffix(", "+v.asInland(), ", ")
	return "At " + v.where() + named + ". Whether it is released there is not reported yet." + v.waitText("Wait for the report.", "the railroad")
}

// asInland adds to the name of a place that it is the inland destination.
func (v *Verdict) asInland() string {
	if v.Place.String() == "" {
		return ""
	}
	return "its inland destination, "
}

// where returns the place, or as much of it as is known.
func (v *Verdict) where() string {
	return cmp.Or(v.Place.String(), map[stage]string{
		stagePort: "the port of discharge", stageDestination: "its inland destination",
	}[v.stage], "its terminal")
}

// located returns a text with the place before it, if that is known.
func (v *Verdict) located(text string) string {
	if v.stage == stageUnknown {
		return strings.ToUpper(text[:1]) + text[1:]
	}
	return "At " + v.where() + ", " + text
}

// placed returns sentences with one on the place before them.
func (v *Verdict) placed(text string) string { return "At " + v.where() + ". " + text }

// onward returns where the container goes next, or "".
func (v *Verdict) onward() string {
	if v.BoundFor.String() == "" {
		return ""
	}
	return " to " + v.BoundFor.String()
}

// isOnTrain reports whether the railroad or the status proves it; a last free day alone does not.
func (v *Verdict) isOnTrain() bool {
	return slices.ContainsFunc(v.Proof, func(f VerdictFact) bool {
		return strings.HasPrefix(string(f.event), railPrefix) || f.Value == string(StatusOnRail)
	})
}

func (v *Verdict) expected() string {
	switch {
	case v.ETA.IsZero():
		return ""
	case v.isLate():
		return ", was expected " + dayText(v.ETA)
	}
	return ", expected " + dayText(v.ETA)
}

// isLate reports whether the expected arrival has certainly passed.
func (v *Verdict) isLate() bool {
	_, end := v.ETA.span()
	return !v.ETA.IsZero() && end.Before(v.now)
}

// isLongLate reports whether the expected arrival is so long ago that its report is missing.
func (v *Verdict) isLongLate() bool {
	_, end := v.ETA.span()
	return v.isLate() && v.now.Sub(end) > arrivalAfter
}

// onDay returns the day since which the situation holds, or that only the status proves it.
func (v *Verdict) onDay() string {
	switch {
	case !v.Since.IsZero():
		return " on " + dayText(v.Since)
	case len(v.Proof) > 0 && v.Proof[0].Value != "":
		return ", according to its status"
	}
	return ""
}

func (v *Verdict) departure() string {
	delivered := slices.ContainsFunc(v.Proof, func(f VerdictFact) bool { return f.event == EventDelivered || f.Value == string(StatusDelivered) })
	gateOut := slices.ContainsFunc(v.Proof, func(f VerdictFact) bool { return f.event == EventFullOut })
	if delivered && !gateOut {
		return "Delivered" + v.onDay()
	}
	return "Picked up" + v.onDay()
}

// owedText returns what must be paid. A credit in another currency is not.
func (v *Verdict) owedText() string {
	var owed []string
	for _, c := range v.Fees.Currencies() {
		switch {
		case c.TotalConflict:
			owed = append(owed, "a total that is reported differently")
		case c.Owed.IsPositive():
			owed = append(owed, FormatMoney(c.Owed, c.CurrencyCode))
		}
	}
	for _, t := range v.Fees.NotPosted {
		owed = append(owed, "a fee of unknown amount ("+strings.ReplaceAll(string(t), "_", " ")+")")
	}
	return strings.Join(owed, " and ")
}

// doubtText returns why a released container is not ready.
func (v *Verdict) doubtText() string {
	r := v.Readiness
	age, checked := checkedAge(r.TerminalCheckedAt, v.now)
	warns := func(w ReadinessWarning) bool { return slices.Contains(r.Warnings, w) }
	switch {
	case len(r.ActiveHolds) > 0:
		return "also held by " + describeHolds(r.ActiveHolds) + ": one of the two is outdated"
	case warns(WarnInlandHolds):
		return "also held inland: one of the two is outdated"
	case warns(WarnPendingHolds):
		return describeHolds(r.PendingHolds) + " is expected"
	case warns(WarnHoldsNotReported):
		return "its holds are not reported"
	case warns(WarnStatusDisagrees) && v.withdrawn:
		return "a later report says that it is not available"
	case warns(WarnStatusDisagrees):
		return "its status says: " + strings.ReplaceAll(string(v.status), "_", " ")
	case warns(WarnPlaceUnknown):
		return "its pickup facility is elsewhere"
	case !checked:
		return "the time of the terminal's last check is not reported"
	case age > v.maxAge:
		return "the terminal was last checked " + ageText(age) + " ago"
	}
	return "the terminal was last checked after now, so a clock is wrong"
}

// ageText returns an age in minutes, from two hours on in hours, and from two days on in days.
func ageText(age time.Duration) string {
	switch {
	case age < 2*time.Hour:
		return fmt.Sprintf("%d minutes", int(age/time.Minute))
	case age < 48*time.Hour:
		return fmt.Sprintf("%d hours", int(age/time.Hour))
	}
	return fmt.Sprintf("%d days", int(age/(24*time.Hour)))
}

// lastFreeDayText returns a sentence on the last free day, or "" if there is nothing to say.
func (v *Verdict) lastFreeDayText() string {
	if v.LastFreeDay.At.IsZero() {
		switch {
		case v.UrgencyReason == UrgencyReasonWithheld, v.hasWithheld:
			return " The tracking service withholds the last free day."
		case v.isReleased():
			return " No last free day is reported."
		}
		return ""
	}
	verb, when := "is", ""
	if days, ok := v.DaysLeft.Get(); ok {
		if when = ", " + daysText(days); days < 0 {
			verb = "was"
		}
	}
	text := " The " + v.LastFreeDay.name() + " " + verb + " " + dayText(v.LastFreeDay.At) + when + "."
	if v.UrgencyReason == UrgencyReasonTrackingStopped && (v.short || v.isReleased()) {
		text += " Tracking has stopped, so this is no longer updated."
	}
	return text
}

func daysText(days int) string {
	switch {
	case days < -1:
		return fmt.Sprintf("%d days ago", -days)
	case days == -1:
		return "yesterday"
	case days == 0:
		return "today"
	case days == 1:
		return "tomorrow"
	}
	return fmt.Sprintf("in %d days", days)
}

// isAboard reports whether the ship has arrived and nothing else is known.
func (v *Verdict) isAboard() bool {
	return len(v.Proof) > 0 && !slices.ContainsFunc(v.Proof, func(f VerdictFact) bool {
		return f.event != EventVesselArrived && f.event != EventVesselBerthed
	})
}

// unknownText explains what is not known, and whom to ask.
func (v *Verdict) unknownText() string {
	r := v.Readiness
	switch {
	case v.reported != nil:
		return "It is not known where it is: the reports lie in the future (" + listFacts(v.recorded()) +
			"). Ask the shipping line before you send a truck."
	case v.stage == stageUnknown && len(v.Against) > 1:
		return "It is not known where it is: the reports contradict each other (" + listFacts(v.Against) +
			"). Ask the shipping line before you send a truck."
	case v.offDock:
		return "In a yard outside the terminal: which is not reported. Ask the terminal before you send a truck."
	case v.stage == stageInland:
		left := ""
		if !v.leftPortAt.IsZero() {
			left = " on " + dayText(v.leftPortAt)
		}
		return "It left the port" + left + strings.Replace(v.onward(), " to ", " for ", 1) +
			", by truck or by rail: which is not reported. Ask the shipping line; do not send a truck."
	case v.unclear:
		return "At the port or at its inland destination: which is not reported. Ask the shipping line before you send a truck."
	case v.stage == stageUnknown:
		return "Nothing reports where it is." + v.waitText("Wait for a report.", "the shipping line")
	case v.mayMoveOn():
		return "Released at " + v.where() + ", but whether it moves on" + v.onward() +
			" from there is not reported. Ask the shipping line before you send a truck."
	case v.reached == StageArrived:
		return v.placed("Its discharge is not reported yet." + v.waitText("Wait for it.", "the terminal"))
	case len(r.UnknownHolds) > 0:
		return v.placed("Whether it is released is not known, because this program does not know the status of " +
			describeHolds(r.UnknownHolds) + ". Ask the terminal before you send a truck.")
	case len(r.ActiveHolds) > 0:
		return v.located("held by " + describeHolds(r.ActiveHolds) +
			". Whether it is released is not reported. Ask the terminal before you send a truck.")
	}
	return v.placed("Whether it is released is not reported. Ask the terminal before you send a truck.")
}

// recorded returns the facts of Against without the status, which has no time.
func (v *Verdict) recorded() []VerdictFact {
	return slices.DeleteFunc(slices.Clone(v.Against), func(f VerdictFact) bool { return f.Value != "" })
}

// listFacts lists facts, each once, and at most six.
func listFacts(facts []VerdictFact) string {
	const most = 6
	var texts []string
	for _, f := range facts {
		if text := f.String(); !slices.Contains(texts, text) && len(texts) <= most {
			texts = append(texts, text)
		}
	}
	if len(texts) > most {
		texts[most] = "and others"
	}
	return strings.Join(texts, ", ")
}
