package demurrage_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/demurrage"
	"github.com/go-freight/terminal49/internal/testkit"
)

// inOrder are events in the order in which they happen.
var inOrder = []demurrage.Event{demurrage.Discharge, demurrage.Availability, demurrage.PortOut, demurrage.FullOut, demurrage.EmptyReturn}

// wholeStay returns a stay whose events are all known.
func wholeStay(r *rand.Rand) demurrage.Stay {
	s := demurrage.Stay{Events: map[demurrage.Event]terminal49.Time{}}
	at := time.Date(2026, 11, 1+r.IntN(14), r.IntN(24), 0, 0, 0, time.UTC)
	for _, event := range inOrder {
		s.Events[event] = terminal49.NewTime(at, "America/Los_Angeles")
		at = at.Add(time.Duration(r.IntN(8*24)) * time.Hour)
	}
	s.Events[demurrage.TerminalLastFreeDay] = terminal49.NewTime(at.AddDate(0, 0, r.IntN(6)), "America/Los_Angeles")
	return s
}

// hide returns a stay with some events that are unknown, between two days, or in an unknown zone.
func hide(r *rand.Rand, whole demurrage.Stay) demurrage.Stay {
	s := demurrage.Stay{Events: map[demurrage.Event]terminal49.Time{}, Between: map[demurrage.Event]demurrage.Days{}}
	for event, at := range whole.Events {
		day, _ := at.Date()
		instant, _ := at.Instant()
		switch r.IntN(4) {
		case 0:
			s.Between[event] = demurrage.Days{First: plus(day, -r.IntN(4)), Last: plus(day, r.IntN(4))}
		case 1:
			s.Events[event] = terminal49.NewTime(instant, []string{"", "Nowhere/Unknown"}[r.IntN(2)])
		case 2:
			if event != demurrage.EmptyReturn && event != demurrage.TerminalLastFreeDay { // they would not have happened
				continue
			}
			fallthrough
		default:
			s.Events[event] = at
		}
	}
	return s
}

// An estimate of a stay that is known in part has the amount of the whole stay in its range, and so
// have its days and what more days cost.
func TestEstimate_RangesHaveTheAmountOfTheWholeStay(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	known := 0
	for range testkit.Scale(1_000, 30_000) {
		tariff, whole := randomTariff(r), wholeStay(r)
		from := r.IntN(4)
		tariff.Charges[0].Starts = []demurrage.Event{inOrder[from]}
		if from == 1 {
			from++ // the container may leave the port before it is available inland
		}
		tariff.Charges[0].Stops = inOrder[from+1+r.IntN(4-from)]
		part, until, n := hide(r, whole), plus(terminal49.Date{Year: 2026, Month: 11, Day: 10}, r.IntN(40)), r.IntN(12)
		want, err := tariff.Estimate(whole, until)
		require.NoError(t, err)
		got, err := tariff.Estimate(part, until)
		require.NoError(t, err)
		wantMore, err := tariff.CostOfMoreDays(whole, until, n)
		require.NoError(t, err)
		more, err := tariff.CostOfMoreDays(part, until, n)
		require.NoError(t, err)
		if !within(want.Total, got.Total) || !within(wantMore, more) {
			t.Fatalf("%v: %v in %v, %d more days: %v in %v\n%+v\n%+v\n%+v", until, want.Total, got.Total, n, wantMore, more, tariff.Charges[0], whole, part)
		}
		requireDaysWithin(t, want.Charges[0], got.Charges[0])
		if !got.Total.Least.IsZero() {
			known++
		}
	}
	require.Positive(t, known)
}

// within reports whether an exact amount is in a range, or the range is unknown.
func within(exact, in demurrage.Amount) bool {
	amount, _ := exact.Exact()
	least, known := in.Least.Get()
	most, bounded := in.Most.Get()
	return (!known || !amount.LessThan(least)) && (!bounded || !amount.GreaterThan(most))
}

func requireDaysWithin(t *testing.T, want, got demurrage.ChargeEstimate) {
	t.Helper()
	days := map[terminal49.Date]demurrage.Amount{}
	for _, day := range want.Days {
		days[day.Date] = day.Amount
	}
	for _, day := range got.Days {
		if amount, ok := days[day.Date]; ok && !within(amount, day.Amount) {
			t.Fatalf("%s: %v in %v\n%+v\n%+v", day.Date, amount, day.Amount, want, got)
		}
	}
}
