package board

import (
	"slices"
	"time"

	"github.com/go-freight/terminal49"
)

// freeDay is a last free day that was reported, as a container's page shows it.
type freeDay struct {
	Day, Left, Whose string
	Counts           bool // it is the one that the board goes by
}

// freeDays returns the last free days by source and the service's choice among them, and why one of
// them counts, or none.
func freeDays(c *terminal49.Container, v *terminal49.Verdict, now time.Time) (days []freeDay, why string) {
	all := terminal49.LastFreeDays(c)
	for _, d := range all.Reported {
		days = append(days, newFreeDay(d, v, whose(d.Source), now))
	}
	if !all.Chosen.At.IsZero() {
		chosen := newFreeDay(all.Chosen, v, chosenBy(all.Chosen), now)
		chosen.Counts = chosen.Counts && !slices.ContainsFunc(days, func(d freeDay) bool { return d.Counts })
		days = append(days, chosen)
	}
	switch {
	case len(days) == 0:
		return nil, ""
	case !v.LastFreeDay.At.IsZero():
		return days, "The earliest of those that apply where the container is counts, because charges may begin after any of them. " +
			"Terminal49's own choice may be later."
	case v.UrgencyReason == terminal49.UrgencyReasonWithheld:
		return days, "None counts: Terminal49 withholds its choice at the port, so these may be wrong. Ask the terminal."
	}
	return days, "None counts where the container is now."
}

func newFreeDay(d terminal49.LastFreeDay, v *terminal49.Verdict, whose string, now time.Time) freeDay {
	shown := freeDay{Day: when(d.At), Whose: whose, Counts: d == v.LastFreeDay}
	if date := day(d.At); date != "" {
		shown.Day = date
	}
	if left, ok := d.At.DaysLeft(now); ok {
		shown.Left = inDays(left)
	}
	return shown
}

func whose(source terminal49.LFDSource) string {
	switch source {
	case terminal49.LFDSourceLine:
		return "the shipping line's"
	case terminal49.LFDSourceTerminal:
		return "the terminal's"
	case terminal49.LFDSourceRail:
		return "the railroad's"
	}
	return "of a source that is not reported"
}

// chosenBy says what the service chose, and by which rule.
func chosenBy(d terminal49.LastFreeDay) string {
	if d.Selection != "" {
		return "Terminal49's choice, " + words(d.Selection)
	}
	return "Terminal49's choice, the first of line, terminal and railroad"
}
