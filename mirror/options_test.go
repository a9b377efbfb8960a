package mirror

import (
	"math"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/worker"
)

// What is natural works, and the rest is an *ArgumentError. A settle time of a year overflowed when
// it was doubled after failures.
func TestNumericOptions_AtTheirEnds(t *testing.T) {
	const year = 365 * 24 * time.Hour
	interval := map[time.Duration]bool{0: false, 1: false, -1: false, math.MinInt64: false, time.Millisecond: true,
		time.Hour: true, year: true, math.MaxInt64: true}
	settle := map[time.Duration]bool{0: false, 1: false, -1: false, math.MinInt64: false, time.Millisecond: true,
		time.Hour: true, year: false, math.MaxInt64: false}
	for name, row := range map[string]struct {
		option func(time.Duration) Option
		works  map[time.Duration]bool
	}{
		"WithActiveInterval": {WithActiveInterval, interval}, "WithWholeInterval": {WithWholeInterval, interval},
		"WithSettle": {WithSettle, settle},
	} {
		for d, works := range row.works {
			checkOption(t, name, row.option(d), works)
		}
	}
	for part, works := range map[float64]bool{0: false, -1: false, 1: true, 0.5: true, 1.01: false, math.Inf(1): false, math.SmallestNonzeroFloat64: true} {
		checkOption(t, "WithRateLimitShare", WithRateLimitShare(part), works)
	}
	checkOption(t, "WithRateLimitShare", WithRateLimitShare(math.NaN()), false)
	const day = 24 * time.Hour
	for d, works := range map[time.Duration]bool{0: true, -1: false, 48*time.Hour - 1: false, 2 * day: true, 15 * day: true, math.MaxInt64: true} {
		checkOption(t, "Retention.Changes", WithRetention(Retention{Changes: d}), works)
		checkOption(t, "Retention.Inbox", WithRetention(Retention{Inbox: d}), works && d != 2*day)
		checkOption(t, "Retention.Facts", WithRetention(Retention{Facts: d}), works && d != 2*day)
	}
}

func checkOption(t *testing.T, name string, option Option, works bool) {
	t.Helper()
	err := option(&worker.Options{})
	argument, refused := err.(*terminal49.ArgumentError)
	switch {
	case works && err != nil:
		t.Errorf("%s was refused: %v", name, err)
	case !works && (!refused || argument.Field != name):
		t.Errorf("%s returned %v instead of an *ArgumentError that names it", name, err)
	}
}
