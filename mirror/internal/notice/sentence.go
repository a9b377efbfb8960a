package notice

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// printable removes what a terminal would interpret: the names of places come from outside.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, text)
}

// situationText returns a sentence on a situation that the container has entered.
func (n *step) situationText() string {
	switch n.v.Situation {
	case terminal49.SituationPayFirst:
		return "became ready" + at(n.v.Place) + ", but fees must be paid first: " + n.v.Fees.String()
	case terminal49.SituationReady:
		return "became ready" + at(n.v.Place)
	case terminal49.SituationStale:
		return "went stale: released" + at(n.v.Place) + ", but the terminal's data is too old, incomplete or contradictory"
	case terminal49.SituationHeld:
		return "held" + at(n.v.Place) + ": " + holdNames(n.facts.ActiveHolds)
	case terminal49.SituationNotReleasedInland:
		return "at its inland destination" + nameAfter(" ", n.v.Place) + ", not released there"
	case terminal49.SituationNotReleased:
		return "not released" + at(n.v.Place)
	case terminal49.SituationAwaitingTransfer:
		return "waiting" + at(n.v.Place) + " for its move inland" + nameAfter(" to ", n.v.BoundFor)
	case terminal49.SituationOnRail:
		return "on its way inland by rail" + nameAfter(" to ", n.v.BoundFor)
	case terminal49.SituationAtSea:
		return "on its way by ship" + nameAfter(" to ", n.v.BoundFor)
	case terminal49.SituationBeforeVoyage:
		return "at its origin"
	case terminal49.SituationOut:
		return "out: picked up or delivered"
	case terminal49.SituationReturned:
		return "empty back"
	case terminal49.SituationUnknown:
		return "became unknown: where it is, or whether it is released"
	}
	return "became " + strings.ReplaceAll(string(n.v.Situation), "_", " ")
}

// nameOf returns the short name of a place, such as "WBCT"; "" if it is unknown.
func nameOf(p terminal49.VerdictPlace) string { return shorten(cmp.Or(p.Nickname, p.Name, p.LOCODE)) }

// nameAfter returns the name of a place after a word, or "" if it is unknown.
func nameAfter(word string, p terminal49.VerdictPlace) string {
	if nameOf(p) == "" {
		return ""
	}
	return word + nameOf(p)
}

func at(p terminal49.VerdictPlace) string { return nameAfter(" at ", p) }

func holdNames(holds []terminal49.HoldName) string {
	names := make([]string, len(holds))
	for i, hold := range holds {
		names[i] = holdName(hold)
	}
	return strings.Join(names, " and ")
}

func holdName(hold terminal49.HoldName) string {
	if hold == "" {
		return "a hold without a name"
	}
	return shorten(string(hold)) + " hold"
}

func holdText(name string, hold terminal49.HoldName) string {
	if name == HoldCleared {
		return holdName(hold) + " cleared"
	}
	return holdName(hold) + " placed; cleared by: " + hold.ClearedBy().String()
}

func feeText(fee postedFee, before decimal.Decimal) string {
	text := "fee posted: " + shorten(strings.ReplaceAll(string(fee.Type), "_", " ")) + " " + terminal49.FormatMoney(fee.Amount, fee.Currency)
	if before.IsPositive() {
		text += ", was " + terminal49.FormatMoney(before, fee.Currency)
	}
	return text
}

func etaText(hours int, now terminal49.Time) string {
	if hours < 0 {
		return fmt.Sprintf("ETA is %d h earlier, now %s", -hours, dayText(now))
	}
	return fmt.Sprintf("ETA slipped by %d h, now %s", hours, dayText(now))
}

// dayText returns the day of a time at its place, such as "Aug 3", or the time if its day is
// unknown.
func dayText(t terminal49.Time) string {
	if day, known := t.Date(); known {
		return shortDay(day)
	}
	return t.String()
}

func shortDay(day terminal49.Date) string { return day.Format("Jan 2") }

// pickup returns the place where the last free day counts.
func (n *step) pickup() string {
	if nameOf(n.v.Place) != "" {
		return ", at " + nameOf(n.v.Place)
	}
	return nameAfter(", at ", n.v.BoundFor)
}

func (n *step) daysLeftText(atMost int) string {
	when := fmt.Sprintf("in at most %d days", atMost)
	switch days, known := n.v.DaysLeft.Get(); {
	case known && days == 0:
		when = "today"
	case known && days == 1:
		when = "tomorrow"
	case known:
		when = fmt.Sprintf("in %d days", days)
	}
	return "last free day " + when + ": " + dayText(n.v.LastFreeDay.At) + n.pickup()
}

func (n *step) overdueText() string {
	return "last free day has passed: " + dayText(n.v.LastFreeDay.At) + n.pickup()
}

func (n *step) movedText(from terminal49.Date) string {
	return "last free day moved from " + shortDay(from) + " to " + dayText(n.v.LastFreeDay.At) + n.pickup()
}
