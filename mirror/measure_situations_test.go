package mirror

import (
	"cmp"
	"database/sql"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/terminal49test"
)

// TestMeasure_Situations measures how long it takes until all containers have a situation, until
// one percent that changed has another, and until worklists and counts are read.
//
//	MIRROR_MEASURE=1 MIRROR_CONTAINERS=100000 go test -timeout 1h -run Measure_Situations -v ./mirror
func TestMeasure_Situations(t *testing.T) { measured(t, measureSituations) }

func measureSituations(t *testing.T, db *sql.DB) {
	many := storeManyLives(t, db)
	n, m, l, lives, leading := many.n, many.Mirror, many.lease, many.lives, lead(many.Mirror, many.lease)
	f := filler{m, time.Now()}
	f.prepare(t, f.pick("analyze", "vacuum analyze"))
	timed := func(what string, f func()) {
		took := mirrortest.Stopwatch()
		f()
		t.Logf("figure: %d containers, %s: %v", n, what, took().Round(time.Millisecond))
	}
	timed("all assessed for the first time", func() { leading.round(t) })
	f.prepare(t, f.pick("analyze", "vacuum analyze"))
	walkPage(t, m, l, lives.page(t, 0, n/100))
	timed("one percent changed, situations and notices are stored", func() { leading.round(t) })
	_, err := db.Exec(m.db.SQL("update t49.cursors set value = '0' where name = 'situations.rules'"))
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
			took := mirrortest.Stopwatch()
			list, err = r.Worklist(t.Context(), what, now, WorklistOptions{})
			require.NoError(t, err)
			times = append(times, took())
		}
		slices.Sort(times)
		t.Logf("figure: %d containers, worklist %s, %d of %d: median %v", n, what, len(list.Items), list.Total, times[2].Round(100*time.Microsecond))
	}
	for _, by := range []CountBy{CountBySituation, CountByShippingLine} {
		timed("counts by "+string(by), func() {
			_, err := r.Counts(t.Context(), by, now, terminal49.VerdictOptions{})
			require.NoError(t, err)
		})
	}
	size := f.pick("(select sum(pgsize) from dbstat where name in (select name from sqlite_schema where tbl_name = 'situations'))", "pg_total_relation_size('t49.situations')")
	t.Logf("figure: bytes of a row of situations with its indexes: %v", m.strings(t, "select cast("+size+" / count(*) as text) from t49.situations"))
}

// manyLives is a mirror of MIRROR_CONTAINERS containers that are not assessed yet.
type manyLives struct {
	*Mirror
	n     int
	lease *store.Lease
	lives *lives
}

func storeManyLives(t *testing.T, db *sql.DB) manyLives {
	t.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv("MIRROR_CONTAINERS"), "10000"))
	require.NoError(t, err)
	srv := terminal49test.NewServer()
	t.Cleanup(srv.Close)
	m, l := stored(t, db, srv)
	many := manyLives{m, n, l, newLives(3)}
	many.lives.places = false
	for from := 0; from < n; from += 500 {
		walkPage(t, m, l, many.lives.page(t, from, 500))
	}
	return many
}
