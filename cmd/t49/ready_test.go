package main

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test/verdicttest"
)

// The results are those of the expected verdicts. The fees of a container that is not at a terminal
// are not known, and it is past a journey only if it is out or returned.
func TestReady_IsTheVerdict(t *testing.T) {
	for _, c := range verdicttest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			container, want := c.Container(), c.Want
			j := judge(container, c.Now, 24*time.Hour)
			canPickUp, known := j.CanPickUp.Get()
			require.Equal(t, want.CanPickUp, canPickUp)
			require.Equal(t, want.Situation != terminal49.SituationUnknown && want.Situation != terminal49.SituationStale, known)
			require.Equal(t, map[bool]string{true: yesNo(canPickUp), false: "unknown"}[known], j.cells()[1])
			require.Equal(t, want.Situation, j.Verdict.Situation)
			require.Equal(t, want.Place, j.Verdict.Place.String())
			cells := j.cells()
			if want.Sentence != "" {
				require.Equal(t, want.Sentence, cells[5])
			}
			if want.DaysLeft != nil {
				require.Equal(t, strconv.Itoa(*want.DaysLeft), cells[3])
			}
			switch want.Situation {
			case terminal49.SituationOnRail, terminal49.SituationAtSea, terminal49.SituationBeforeVoyage:
				require.Empty(t, cells[4])
			}
			other := &terminal49.Container{CurrentStatus: terminal49.StatusOnShip}
			present := presentJourney([]*terminal49.Container{container, other})
			past := want.Situation == terminal49.SituationOut || want.Situation == terminal49.SituationReturned
			require.Equal(t, past, len(present) == 1)
		})
	}
}

// The line's day is July 9, and the terminal's July 6: the earlier one binds.
func TestReady_ShowsTheDayThatBinds(t *testing.T) {
	const zone = "America/Los_Angeles"
	midnight := func(day int) terminal49.Time {
		return terminal49.NewTime(time.Date(2024, time.July, day, 7, 0, 0, 0, time.UTC), zone)
	}
	j := judge(&terminal49.Container{
		PODTimezone: zone, PODArrivedAt: midnight(1), PickupLFD: midnight(9),
		ImportDeadlines: terminal49.Deadlines{Line: midnight(9), Terminal: midnight(6)},
	}, time.Date(2024, time.July, 1, 20, 0, 0, 0, time.UTC), time.Hour)
	require.Equal(t, []string{"2024-07-06", "5"}, j.cells()[2:4])
}
