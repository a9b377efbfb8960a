package compatibility_test

import (
	"fmt"
	"time"

	"github.com/go-freight/terminal49"
)

// verdictDefaults returns the defaults of VerdictOptions: the last hour or day before a container
// has another verdict.
func verdictDefaults() (lines []string) {
	now := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	assess := func(checked, left time.Duration) terminal49.Verdict {
		return terminal49.Assess(&terminal49.Container{
			AvailableForPickup: terminal49.Some(true), Holds: []terminal49.Hold{}, Fees: []terminal49.Fee{},
			PODDischargedAt:   terminal49.NewTime(now.AddDate(0, -1, 0), "UTC"),
			TerminalCheckedAt: terminal49.NewTime(now.Add(-checked), "UTC"),
			ImportDeadlines:   terminal49.ImportDeadlines{Terminal: terminal49.NewTime(now.Add(left), "UTC")},
		}, now, terminal49.VerdictOptions{})
	}
	const hour, day = time.Hour, 24 * time.Hour
	for option, holds := range map[string]func(n time.Duration) bool{
		"MaxAge: by default %d hours":         func(n time.Duration) bool { return assess(n*hour, 0).Situation == terminal49.SituationReady },
		"DeadlineMaxAge: by default %d hours": func(n time.Duration) bool { return assess(n*hour, 0).Urgency == terminal49.UrgencyImminent },
		"ImminentDays: by default %d":         func(n time.Duration) bool { return assess(0, n*day).Urgency == terminal49.UrgencyImminent },
	} {
		n := time.Duration(0)
		for n < 1000 && holds(n+1) {
			n++
		}
		lines = append(lines, "VerdictOptions."+fmt.Sprintf(option, n))
	}
	return lines
}
