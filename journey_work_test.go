package terminal49_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

// Duplicates are those that a comparison of each with each finds.
func TestJourney_FindsEveryDuplicate(t *testing.T) {
	random := rand.New(rand.NewPCG(49, 2))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	withdrawn := 0
	for range 3000 {
		c := &terminal49.Container{PODTimezone: pick("", "America/Los_Angeles")}
		var events []*terminal49.TransportEvent
		for i := range random.IntN(12) {
			e := &terminal49.TransportEvent{
				Resource: terminal49.Resource{ID: fmt.Sprint(i)}, LocationLOCODE: pick("", "", "USLAX", "USLGB"),
				Event:    terminal49.EventName("container.transport." + pick("full_out", "vessel_arrived", "empty_in")),
				Timezone: pick("", "America/Los_Angeles", "America/Chicago", "Nowhere/Known"),
			}
			at := time.Date(2024, 7, 1+random.IntN(2), 6+random.IntN(2), 0, 0, 0, time.UTC)
			switch random.IntN(5) {
			case 0:
				e.Timestamp = terminal49.NewWallTime(at)
			case 1:
				require.NoError(t, e.Timestamp.UnmarshalText([]byte(at.Format(time.DateOnly))))
			case 2:
			default:
				e.Timestamp = terminal49.NewTime(at, e.Timezone)
			}
			events = append(events, e)
		}
		naive, got := terminal49.WithdrawnAsDuplicates(c, events)
		require.Equal(t, naive, got)
		for _, w := range got {
			if w {
				withdrawn++
			}
		}
	}
	require.Greater(t, withdrawn, 1000)
}

// Ten times the events cost about ten times as much, whatever they have in common: a ratio of one
// run, with a wide margin, because each would be compared with each otherwise (a ratio of 100).
func TestJourney_CostGrowsWithTheEvents(t *testing.T) {
	start := time.Date(2024, 7, 1, 6, 0, 0, 0, time.UTC)
	for name, event := range map[string]func(i int) *terminal49.TransportEvent{
		"one time, many places": func(i int) *terminal49.TransportEvent {
			return &terminal49.TransportEvent{LocationLOCODE: fmt.Sprintf("X%d", i), Timestamp: terminal49.NewTime(start, "UTC")}
		},
		"one place, many times": func(i int) *terminal49.TransportEvent {
			return &terminal49.TransportEvent{LocationLOCODE: "USLAX", Timestamp: terminal49.NewTime(start.Add(time.Duration(i)*time.Second), "UTC")}
		},
		"one day, many clocks": func(i int) *terminal49.TransportEvent {
			return &terminal49.TransportEvent{LocationLOCODE: "USLAX", Timestamp: terminal49.NewWallTime(start.Add(time.Duration(i) * time.Second))}
		},
		"all the same": func(int) *terminal49.TransportEvent {
			return &terminal49.TransportEvent{LocationLOCODE: "USLAX", Timestamp: terminal49.NewTime(start, "UTC")}
		},
	} {
		cost := func(n int) time.Duration {
			var events []*terminal49.TransportEvent
			for i := range n {
				e := event(i)
				e.ID, e.Event = fmt.Sprint(i), terminal49.EventFullOut
				events = append(events, e)
			}
			least := time.Hour
			for range 3 {
				began := time.Now()
				terminal49.Journey(&terminal49.Container{}, terminal49.JourneyOptions{Events: events})
				least = min(least, time.Since(began))
			}
			return least
		}
		few, many := cost(700), cost(7000)
		require.Less(t, many, 40*few, "%s: %v, %v", name, few, many)
	}
}
