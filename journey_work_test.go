package terminal49_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// Duplicates are those that a comparison of each with each finds.
func TestJourney_FindsEveryDuplicate(t *testing.T) {
	random := rand.New(rand.NewPCG(49, 2))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	journeys, withdrawn := testkit.Scale(600, 3_000), 0
	for range journeys {
		c := &terminal49.Container{PODTimezone: pick("", "America/Los_Angeles")}
		var events []*terminal49.TransportEvent
		for i := range random.IntN(12) {
			e := &terminal49.TransportEvent{
				Resource: terminal49.Resource{ID: fmt.Sprint(i)}, LocationLOCODE: pick("", "", "USLAX", "USLGB"),
				Event:    terminal49.EventName("container.transport." + pick("full_out", "vessel_arrived", "empty_in")),
				Timezone: pick("", "America/Los_Angeles", "America/Chicago", "Nowhere/Known"),
			}
			at := time.Date(2024, 7, 1+random.IntN(2), 6+random.IntN(2), 0, 0, random.IntN(2), time.UTC)
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
	require.Greater(t, withdrawn, journeys/3)
}

// Overtaken estimates are those that a comparison of each with each finds.
func TestJourney_FindsEveryOvertakenEstimate(t *testing.T) {
	random := rand.New(rand.NewPCG(49, 3))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	journeys, withdrawn, kept := testkit.Scale(2_000, 20_000), 0, 0
	for range journeys {
		shipment := &terminal49.Shipment{PortOfLadingLOCODE: pick("", "CNSHA"), PortOfDischargeLOCODE: pick("", "USLAX"), DestinationLOCODE: pick("", "", "USCHI")}
		c := &terminal49.Container{PODTimezone: pick("", "America/Los_Angeles"), Shipment: terminal49.Included("s", shipment)}
		var events []*terminal49.TransportEvent
		for i := range random.IntN(7) {
			at := time.Date(2024, 7, 1+random.IntN(9), 6, 0, 0, 0, time.UTC)
			e := &terminal49.TransportEvent{
				Resource: terminal49.Resource{ID: fmt.Sprint(i)}, LocationLOCODE: pick("", "", "", "CNSHA", "USLAX", "USCHI", "KRPUS"),
				Event: terminal49.EventName("container.transport." + pick("estimated.vessel_arrived", "estimated.vessel_arrived",
					"estimated.vessel_departed", "estimated.arrived_at_inland_destination", "estimated.new", "estimated.estimated.new", "new", "vessel_arrived",
					"vessel_departed", "rail_unloaded", "full_out", "transshipment_loaded", "feeder_departed", "available", "empty_in")),
				Timezone:  pick("", "America/Los_Angeles", "US/Pacific", "America/Chicago", "Asia/Seoul", "Nowhere/Known"),
				Timestamp: terminal49.NewTime(at, "UTC"),
			}
			if random.IntN(4) > 0 {
				e.CreatedAt = terminal49.NewTime(at.AddDate(-random.IntN(2)*60, 0, -random.IntN(9)), "")
			}
			events = append(events, e)
		}
		naive, got := terminal49.WithdrawnAsEstimates(c, events)
		require.Equal(t, naive, got, "%+v", events)
		for i, w := range got {
			if w {
				withdrawn++
			} else if strings.Contains(string(events[i].Event), "estimated") {
				kept++
			}
		}
	}
	require.Greater(t, withdrawn, journeys/4)
	require.Greater(t, kept, journeys/4)
}

// manyEvents are containers with many events, of which each rule compares some with others.
var manyEvents = map[string]func(i int, e *terminal49.TransportEvent){
	"estimates": func(i int, e *terminal49.TransportEvent) { // each at its own place, none is overtaken
		e.Event, e.LocationLOCODE = terminal49.EventEstimatedVesselArrived, fmt.Sprint("X", i)
		if i%2 == 1 {
			e.Event = terminal49.EventName("container.transport.other")
		}
	},
	"rail before ships": func(i int, e *terminal49.TransportEvent) { // the ships came first
		e.Event = terminal49.EventRailArrived
		if i%2 == 1 {
			e.Event, e.Timestamp = terminal49.EventTransshipmentLoaded, terminal49.NewTime(time.Unix(int64(i), 0), "UTC")
		}
	},
	"unloaded on the way": func(i int, e *terminal49.TransportEvent) {
		e.Event, e.LocationLOCODE = terminal49.EventRailUnloaded, fmt.Sprint("X", i)
		if i%2 == 1 {
			e.Event, e.Timestamp = terminal49.EventRailLoaded, terminal49.NewTime(time.Unix(int64(i), 0), "UTC")
		}
	},
	"gates": func(i int, e *terminal49.TransportEvent) {
		e.Event = terminal49.EventFullOut
		if i%2 == 1 {
			e.Event = terminal49.EventRailArrived
		}
	},
	"fractions of a second": func(i int, e *terminal49.TransportEvent) {
		e.Event, e.LocationLOCODE = terminal49.EventFullOut, "USLAX"
		e.Timestamp = terminal49.NewTime(time.Unix(0, int64(i)), "UTC")
	},
	"places and none": func(i int, e *terminal49.TransportEvent) { // at one time, in two zones
		e.Event, e.Timestamp, e.Timezone = terminal49.EventFullOut, terminal49.NewTime(time.Unix(0, 0), "UTC"), "America/Chicago"
		if i%2 == 1 {
			e.LocationLOCODE, e.Timezone = fmt.Sprint("X", i), "Asia/Seoul"
		}
	},
}

// The time of one event stays about the same, however many there are.
func BenchmarkAssess_ManyEvents(b *testing.B) {
	start := time.Date(2024, 7, 1, 6, 0, 0, 0, time.UTC)
	for name, set := range manyEvents {
		for _, n := range []int{1000, 2000, 4000, 8000} {
			var events []*terminal49.TransportEvent
			for i := range n {
				at := terminal49.NewTime(start.Add(time.Duration(i)*time.Minute), "UTC")
				e := &terminal49.TransportEvent{Resource: terminal49.Resource{ID: fmt.Sprint(i)}, Timestamp: at}
				set(i, e)
				events = append(events, e)
			}
			c := &terminal49.Container{TransportEvents: terminal49.IncludedAll(events...)}
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					terminal49.Assess(c, start, terminal49.VerdictOptions{})
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/event")
			})
		}
	}
}
