//go:build unix

package mirror

import (
	"database/sql"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
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
	took := mirrortest.Stopwatch()
	require.NoError(t, overviewQuestions[0].ask(t, o, now))
	t.Logf("figure: %d containers, overview read for the first time: %v", n, took().Round(100*time.Microsecond))
	for _, q := range overviewQuestions {
		times, used := make([]time.Duration, 21), make([]time.Duration, 21)
		for i := range times {
			if i%2 == 0 {
				change()
			}
			took, usedBefore := mirrortest.Stopwatch(), cpuTime(t)
			require.NoError(t, q.ask(t, o, now))
			times[i], used[i] = took(), cpuTime(t)-usedBefore
		}
		slices.Sort(times)
		slices.Sort(used)
		rounded := func(of []time.Duration, percent int) time.Duration {
			return of[len(of)*percent/100].Round(100 * time.Microsecond)
		}
		t.Logf("figure: %d containers, overview, %s: fastest %v, median %v, p95 %v; CPU time of this process: median %v, p95 %v", n, q.what,
			rounded(times, 0), rounded(times, 50), rounded(times, 95), rounded(used, 50), rounded(used, 95))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	t.Logf("figure: %d containers, overview: %d bytes for each", n, (int(after.HeapAlloc)-int(before.HeapAlloc))/n)
	runtime.KeepAlive(o)
}
