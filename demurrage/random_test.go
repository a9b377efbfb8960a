package demurrage_test

import (
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/demurrage"
	"github.com/go-freight/terminal49/internal/testkit"
)

// randomTariff returns a tariff with one charge.
func randomTariff(r *rand.Rand) *demurrage.Tariff {
	c := demurrage.Charge{
		Kind: demurrage.Demurrage, Starts: []demurrage.Event{demurrage.Discharge}, StartsNextDay: r.IntN(2) == 0,
		Stops: demurrage.FullOut, StopDayFree: r.IntN(4) == 0, FreeDays: r.IntN(8),
		FreeSkips: randomSkips(r), ChargedSkips: randomSkips(r), StoppedBy: []string{"closed"},
		TiersFrom: demurrage.FromFirstChargedDay, NumberSkipped: r.IntN(2) == 0,
	}
	next := 1
	if r.IntN(2) == 0 {
		c.TiersFrom, next = demurrage.FromFirstDay, c.FreeDays+1
	} else if r.IntN(3) == 0 {
		c.LastFreeDay = demurrage.LastFreeDay{Event: demurrage.TerminalLastFreeDay, Rule: []demurrage.LastFreeDayRule{demurrage.Replaces, demurrage.Later, demurrage.Earlier}[r.IntN(3)]}
	}
	for range r.IntN(4) {
		to := next + r.IntN(6)
		c.Tiers = append(c.Tiers, demurrage.Tier{From: next, To: to, PerDay: decimal.New(r.Int64N(50000), -2)})
		next = to + 1
	}
	c.Tiers = append(c.Tiers, demurrage.Tier{From: next, PerDay: decimal.New(r.Int64N(50000), -2)})
	if r.IntN(4) == 0 {
		most := decimal.New(r.Int64N(500000), -2)
		c.Cap = &most
	}
	return &demurrage.Tariff{
		Currency: "USD", Weekend: []string{"saturday", "sunday"}, Holidays: []terminal49.Date{{Year: 2026, Month: 3, Day: 9}, {Year: 2026, Month: 11, Day: 2}},
		Charges: []demurrage.Charge{c},
	}
}

func randomSkips(r *rand.Rand) []demurrage.Skip {
	return [][]demurrage.Skip{nil, {demurrage.SkipWeekends}, {demurrage.SkipHolidays}, {demurrage.SkipWeekends, demurrage.SkipHolidays}}[r.IntN(4)]
}

var randomZones = []string{"America/Los_Angeles", "Europe/Berlin", "Asia/Kolkata", "Pacific/Apia", "America/Santiago", "Africa/Cairo"}

// randomStay returns a container that was discharged around a change of the clock, at any time of
// the day.
func randomStay(r *rand.Rand) (s demurrage.Stay, discharged terminal49.Date) {
	zone := randomZones[r.IntN(len(randomZones))]
	near := []time.Time{time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC), time.Date(2026, 10, 22, 0, 0, 0, 0, time.UTC), time.Date(2026, 12, 24, 0, 0, 0, 0, time.UTC)}[r.IntN(3)]
	at := near.Add(time.Duration(r.IntN(14*24*60)) * time.Minute)
	s.Events = map[demurrage.Event]terminal49.Time{demurrage.Discharge: terminal49.NewTime(at, zone)}
	discharged, _ = s.Events[demurrage.Discharge].Date()
	switch r.IntN(4) {
	case 0:
		s.Events[demurrage.FullOut] = terminal49.NewTime(at.Add(time.Duration(r.IntN(30*24))*time.Hour), zone)
	case 1:
		s.Interruptions = []demurrage.Interruption{{Kind: "closed", Days: demurrage.Days{First: plus(discharged, r.IntN(5)), Last: plus(discharged, 5+r.IntN(5))}}}
	case 2:
		s.Events[demurrage.TerminalLastFreeDay] = terminal49.NewTime(at.Add(time.Duration(r.IntN(10*24))*time.Hour), zone)
	}
	return s, discharged
}

func plus(d terminal49.Date, n int) terminal49.Date {
	return terminal49.DateOf(time.Date(d.Year, d.Month, d.Day+n, 0, 0, 0, 0, time.UTC))
}

// The days of an estimate follow each other, each once, and add up to its amount; a longer stay
// never costs less; and what a stay costs until a day and after it is what it costs. A million are
// tried by T49_DEMURRAGE=long go test -v -run Random ./demurrage
func TestEstimate_RandomTariffsAndStays(t *testing.T) {
	n := testkit.Scale(5_000, 100_000)
	if os.Getenv("T49_DEMURRAGE") == "long" {
		n = 1_000_000
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		tariff := randomTariff(r)
		stay, discharged := randomStay(r)
		until := plus(discharged, r.IntN(45))
		longer := r.IntN(20)
		e, err := tariff.Estimate(stay, until)
		require.NoError(t, err)
		more, err := tariff.Estimate(stay, plus(until, longer))
		require.NoError(t, err)
		cost, err := tariff.CostOfMoreDays(stay, until, longer)
		require.NoError(t, err)
		short, long, between := exact(t, e.Total), exact(t, more.Total), exact(t, cost)
		if !sumOfDays(t, e).Equal(short) || long.LessThan(short) || !short.Add(between).Equal(long) {
			t.Fatalf("%v and %v days more: %s, then %s, between %s\n%+v\n%+v", until, longer, short, long, between, tariff.Charges[0], stay)
		}
	}
	t.Logf("figure: %d random tariffs and stays: days add up, a longer stay costs no less, a split adds up", n)
}

func exact(t *testing.T, a demurrage.Amount) decimal.Decimal {
	t.Helper()
	amount, ok := a.Exact()
	if !ok {
		t.Fatal("not exact", a)
	}
	return amount
}

// sumOfDays adds up the days. Each must follow the one before.
func sumOfDays(t *testing.T, e *demurrage.Estimate) (sum decimal.Decimal) {
	t.Helper()
	for _, c := range e.Charges {
		for i, day := range c.Days {
			if i > 0 && day.Date.Sub(c.Days[i-1].Date) != 1 {
				t.Fatalf("%s follows %s", day.Date, c.Days[i-1].Date)
			}
			sum = sum.Add(exact(t, day.Amount))
		}
	}
	return sum
}
