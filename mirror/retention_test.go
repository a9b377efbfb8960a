package mirror

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// prune prunes changes that are older than a day, as often as there are any.
func (m *testMirror) prune() (total int64) {
	m.Helper()
	for n := int64(1); n > 0; total += n {
		m.do(func(tx *store.Tx) (err error) {
			n, err = tx.PruneChanges(m.Context(), tx.Now.Add(-24*time.Hour))
			return err
		})
	}
	return total
}

// age sets when changes were made, in hours before now.
func (m *testMirror) age(hours ...int) {
	m.Helper()
	for i, h := range hours {
		m.exec("update t49.changes set at = $1 where seq = $2", m.db.Time(time.Now().Add(-time.Duration(h)*time.Hour)), i+1)
	}
}

// What is old is deleted, up to the first change that is not; the position of the last one stays
// valid. A wrong time neither keeps what is old for ever nor deletes what is recent.
func TestRetention_Changes(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		const years = 4 * 365 * 24
		for name, c := range map[string]struct {
			ages []int
			last int // the last change that is pruned; 0 for none
		}{
			"none is old":                            {[]int{5, 4, 3, 2, 1}, 0},
			"some are old":                           {[]int{50, 49, 48, 2, 1}, 3},
			"all are old":                            {[]int{50, 49, 48, 47, 46}, 5},
			"the clock was ahead for two":            {[]int{-years, -years, 48, 2, 1}, 3},
			"the clock was ahead within what is old": {[]int{50, -years, 48, 47, 1}, 4},
			"the clock was ahead at the end":         {[]int{50, 49, -years, 2, 1}, 2},
			"the clock was ahead for all":            {[]int{-years, -years, -years, -years, -years}, 0},
			"the clock was behind for a recent one":  {[]int{50, 3, years, 2, 1}, 1},
		} {
			m := newTestMirror(t, db)
			m.voyages(1, 5)
			m.age(c.ages...)
			positions := m.all("select position from t49.changes order by seq")
			m.prune()
			require.Equal(t, fmt.Sprint(5-max(c.last-1, 0)), m.row("select count(*) from t49.changes"), name)
			for i, p := range positions {
				seqs, err := m.read(Position(p))
				if i+1 < c.last {
					require.ErrorIs(t, err, ErrPositionPruned, "%s: %s", name, p)
					continue
				}
				require.NoError(t, err, name)
				require.Len(t, seqs, 5-(i+1), name)
			}
			_, err := m.read("")
			require.Equal(t, c.last > 0, err != nil, name)
			if c.last > 0 {
				require.Equal(t, "|||<nil>|<nil>|0|pruned", m.row("select kind, id, attribute, old, new, ticket, source from t49.changes where seq = $1", c.last))
			}
			require.Zero(t, m.prune(), name)
			m.exec("delete from t49.changes")
			m.exec("delete from t49.shipments")
			m.exec("delete from t49.leases")
			m.exec("delete from t49.cursors")
		}
	})
}

// Many are deleted in several transactions, and a reader that keeps up never notices.
func TestRetention_Batches(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		const count = 2*store.PruneRows + 300
		var all []string
		for i := range count {
			all = append(all, fmt.Sprintf(`{"type":"party","id":"%05d","attributes":{"company_name":"x"}}`, i))
		}
		m.write(between(1, 1), all...)
		m.exec("update t49.changes set at = $1 where seq <= 2200", m.db.Time(time.Now().Add(-48*time.Hour)))
		require.EqualValues(t, 2199, m.prune())
		seqs, err := m.read(m.positionAt(2200))
		require.NoError(t, err)
		require.Len(t, seqs, count-2200)
	})
}

// Nothing is pruned until the clock has run for a day without a jump, and then once an hour.
func TestRetention_WaitsForASteadyClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := offline(t, sqliteMemory(t))
		may := func() (may bool) {
			m.leaseAgain()
			m.do(func(tx *store.Tx) (err error) { may, err = tx.MayPrune(t.Context()); return err })
			return may
		}
		first := func() (hours int) { // until something may be pruned
			for ; !may(); hours++ {
				time.Sleep(time.Hour)
			}
			return hours
		}
		require.Equal(t, 24, first())
		require.False(t, may(), "within the hour")
		time.Sleep(20 * time.Hour) // the mirror was off
		require.True(t, may())
		time.Sleep(30 * 24 * time.Hour) // it was off, or the clock has jumped
		require.Equal(t, 24, first())
		m.do(func(tx *store.Tx) error { return tx.NoteTime(t.Context(), "prune", time.Now().AddDate(4, 0, 0)) }) // it was ahead
		require.Equal(t, 24, first())
	})
}

// Old notifications, facts and changes go; what lists show and what could not be applied stays.
func TestRetention_OfARunningMirror(t *testing.T) {
	t.Parallel()
	notified(t, func(w *world) {
		w.srv.SeedDemo()
		keep := WithRetention(Retention{Changes: 48 * time.Hour, Inbox: 15 * 24 * time.Hour, Facts: 15 * 24 * time.Hour})
		m := w.hooked(keep)
		w.runFor(m, 5*time.Minute)
		at := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(schema.SQLiteTime) }
		exec := func(statement string, args ...any) {
			_, err := w.db.Exec(w.sql(statement), args...)
			require.NoError(w, err)
		}
		for _, statement := range []string{
			"insert into inbox (id, event, received_at, source, state) values ('done', 'x', $1, 'webhook', 'done'), ('dead', 'x', $1, 'webhook', 'dead'), ('stuck', 'x', $1, 'audit', 'quarantined')",
			`insert into estimates (id, type, raw, digest, ticket, until, seen_at, changed_at) values ('e', 'estimated_event', '{"type":"estimated_event","id":"e"}', '', 0, 0, $1, $1)`,
			`insert into container_events (id, type, raw, digest, ticket, until, seen_at, changed_at) values ('c', 'container_updated_event', '{"type":"container_updated_event","id":"c"}', '', 0, 0, $1, $1)`,
			"update changes set at = $1",
			"update transport_events set seen_at = $1",
		} {
			exec(statement, at(-16*24*time.Hour))
		}
		const kept = `select (select count(*) from changes where kind <> '') || ' ' || (select group_concat(id) from (select id from inbox where id in ('done', 'dead', 'stuck') order by id))
  || ' ' || (select count(*) from estimates where id = 'e') || ' ' || (select count(*) from container_events where id = 'c')`
		before, events := w.text(kept), w.count("select count(*) from transport_events")
		require.Regexp(w, "^[1-9][0-9]+ dead,done,stuck 1 1$", before)
		w.runFor(m, 5*time.Minute)
		require.Equal(w, before, w.text(kept), "the first day")
		exec("update cursors set value = $1 where name = 'prune.since'", at(-25*time.Hour))
		exec("update cursors set value = $1 where name = 'prune'", at(-2*time.Hour))
		w.runFor(m, 5*time.Minute)
		require.Equal(w, "0 stuck 0 0", w.text(kept))
		require.Equal(w, events, w.count("select count(*) from transport_events"))
		_, err := (&testMirror{m, w.T, nil}).read("")
		require.ErrorIs(w, err, ErrPositionPruned)
	}, standing)
}

// Changes are made, aged and pruned at random. A reader anywhere gets all that follows, or an
// error.
func TestRetention_AtRandom(t *testing.T) {
	t.Parallel()
	m := newTestMirror(t, sqliteFile(t))
	random := rand.New(rand.NewPCG(29, 1))
	var all []Position // by seq
	refused, served := 0, 0
	for range mirrortest.Scale(50, 300) {
		n := 1 + random.IntN(6)
		m.voyages(len(all)+1, n)
		for range n {
			all = append(all, m.positionAt(len(all)+1))
		}
		m.exec("update changes set at = $1 where seq <= $2", m.db.Time(time.Now().Add(-48*time.Hour)), max(0, len(all)-random.IntN(12)))
		m.prune()
		for range 5 {
			i := max(0, len(all)-1-random.IntN(20))
			seqs, err := m.read(all[i])
			if err != nil {
				require.ErrorIs(t, err, ErrPositionPruned)
				refused++
				continue
			}
			served++
			require.Len(t, seqs, len(all)-i-1, "a change is missing after %s", all[i])
		}
	}
	require.Positive(t, refused)
	require.Positive(t, served)
	t.Logf("figure: pruned at random: %d readers served without a gap, %d refused, 0 changes missed without an error", served, refused)
}
