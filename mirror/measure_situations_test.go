package mirror

import (
	"cmp"
	"database/sql"
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// TestMeasure_Situations measures how long it takes until all containers have a situation, until
// one percent that changed has another, and until worklists and counts are read.
//
//	MIRROR_MEASURE=1 MIRROR_CONTAINERS=100000 go test -timeout 1h -run Measure_Situations -v ./mirror
func TestMeasure_Situations(t *testing.T) { measured(t, measureSituations) }

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
		t.Logf("figure: %d containers, overview of %s: median %v, p95 %v", n, q.what,
			times[len(times)/2].Round(100*time.Microsecond), times[len(times)*19/20].Round(100*time.Microsecond))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	t.Logf("figure: %d containers, overview: %d bytes for each", n, (int(after.HeapAlloc)-int(before.HeapAlloc))/n)
	runtime.KeepAlive(o)
}

func measureSituations(t *testing.T, db *sql.DB) {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("MIRROR_CONTAINERS"), "10000"))
	require.NoError(t, err)
	srv := terminal49test.NewServer()
	defer srv.Close()
	m, l := stored(t, db, srv)
	leading, lives := lead(m, l), newLives(3)
	lives.places = false
	for from := 0; from < n; from += 500 {
		walkPage(t, m, l, lives.page(t, from, 500))
	}
	f := filler{m, time.Now()}
	f.prepare(t, f.pick("analyze", "vacuum analyze"))
	timed := func(what string, f func()) {
		start := time.Now()
		f()
		t.Logf("figure: %d containers, %s: %v", n, what, time.Since(start).Round(time.Millisecond))
	}
	timed("all assessed for the first time", func() { leading.round(t) })
	f.prepare(t, f.pick("analyze", "vacuum analyze"))
	walkPage(t, m, l, lives.page(t, 0, n/100))
	timed("one percent changed, situations and notices are stored", func() { leading.round(t) })
	_, err = db.Exec(m.db.SQL("update t49.cursors set value = '0' where name = 'situations.rules'"))
	require.NoError(t, err)
	leading = lead(m, l)
	timed("all assessed again by the same rules", func() { leading.round(t) })
	_, err = db.Exec(m.db.SQL("update t49.cursors set value = '0' where name = 'situations.rules'"))
	require.NoError(t, err)
	_, err = db.Exec(m.db.SQL("update t49.situations set rules = 0, standing = '{\"rules\":0}'"))
	require.NoError(t, err)
	leading = lead(m, l)
	timed("all assessed again by other rules", func() { leading.round(t) })
	timed("a look at an empty queue", func() { leading.round(t) })
	f.prepare(t, f.pick("analyze", "vacuum analyze"))
	r, now := NewReader(db), lives.cases[0].Now
	for _, what := range allWork {
		var times []time.Duration
		var list *Worklist
		for range 5 {
			start := time.Now()
			list, err = r.Worklist(t.Context(), what, now, WorklistOptions{})
			require.NoError(t, err)
			times = append(times, time.Since(start))
		}
		slices.Sort(times)
		t.Logf("figure: %d containers, worklist %s, %d of %d: median %v", n, what, len(list.Items), list.Total, times[2].Round(100*time.Microsecond))
	}
	measureOverview(t, n, r.Overview(), now, func() {
		walkPage(t, m, l, lives.page(t, 0, 100))
		leading.round(t)
	})
	for _, by := range []CountBy{CountBySituation, CountByShippingLine} {
		timed("counts by "+string(by), func() {
			_, err := r.Counts(t.Context(), by, now, terminal49.VerdictOptions{})
			require.NoError(t, err)
		})
	}
	size := f.pick("(select sum(pgsize) from dbstat where name in (select name from sqlite_schema where tbl_name = 'situations'))", "pg_total_relation_size('t49.situations')")
	t.Logf("figure: bytes of a row of situations with its indexes: %v", m.strings(t, "select cast("+size+" / count(*) as text) from t49.situations"))
}
