package mirror

import (
	"database/sql"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMeasure_Overview measures how long the answers of an overview take, while 20 containers
// change before every other one.
//
//	MIRROR_MEASURE=1 MIRROR_CONTAINERS=100000 go test -timeout 1h -run Measure_Overview -v ./mirror
func TestMeasure_Overview(t *testing.T) { measured(t, measureOverviews) }

func measureOverviews(t *testing.T, db *sql.DB) {
	many := storeManyLives(t, db)
	n, m, l, lives, leading := many.n, many.Mirror, many.lease, many.lives, lead(many.Mirror, many.lease)
	leading.round(t)
	f := filler{m, time.Now()}
	f.prepare(t, f.pick("analyze", "vacuum analyze"))
	measureOverview(t, n, NewReader(db).Overview(), lives.cases[0].Now, func() {
		walkPage(t, m, l, lives.page(t, 0, 20))
		leading.round(t)
	})
}

// measureOverview logs how long the first answers of an overview take, and others, before each of
// which something changed.
func measureOverview(t *testing.T, n int, o *Overview, now time.Time, change func()) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for _, q := range []struct {
		what string
		ask  func() (any, error)
	}{
		{"all, for the first time", func() (any, error) { return o.List(t.Context(), now, ListOptions{}) }},
		{"all", func() (any, error) { return o.List(t.Context(), now, ListOptions{}) }},
		{"at risk", func() (any, error) {
			return o.List(t.Context(), now, ListOptions{Filter: Filter{Work: []Work{WorkAtRisk}}, Order: OrderLastFreeDay})
		}},
		{"of a customer, owing", func() (any, error) {
			return o.List(t.Context(), now, ListOptions{Filter: Filter{Customers: []string{"acme"}, Work: []Work{WorkOwing}}, Order: OrderOwed})
		}},
		{"with a reference", func() (any, error) {
			return o.List(t.Context(), now, ListOptions{Filter: Filter{References: []string{"PO-00001"}}})
		}},
		{"counts by situation", func() (any, error) { return o.Count(t.Context(), now, CountOptions{By: []CountBy{CountBySituation}}) }},
		{"counts by terminal and last free day", func() (any, error) {
			return o.Count(t.Context(), now, CountOptions{By: []CountBy{CountByTerminal, CountByLastFreeDay}})
		}},
		{"counts by customer and hold", func() (any, error) {
			return o.Count(t.Context(), now, CountOptions{By: []CountBy{CountByCustomer, CountByHold}})
		}},
	} {
		times := make([]time.Duration, 21)
		for i := range times {
			if o.all == nil {
				times = times[:1]
			} else if i%2 == 0 {
				change()
			}
			start := time.Now()
			_, err := q.ask()
			require.NoError(t, err)
			times[i] = time.Since(start)
			if len(times) == 1 {
				break
			}
		}
		slices.Sort(times)
		t.Logf("figure: %d containers, overview of %s: fastest %v, median %v, p95 %v", n, q.what, times[0].Round(100*time.Microsecond),
			times[len(times)/2].Round(100*time.Microsecond), times[len(times)*19/20].Round(100*time.Microsecond))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	t.Logf("figure: %d containers, overview: %d bytes for each", n, (int(after.HeapAlloc)-int(before.HeapAlloc))/n)
	runtime.KeepAlive(o)
}
