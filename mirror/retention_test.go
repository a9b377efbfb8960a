package mirror

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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

// The whole: old notifications, facts and changes go, what lists show and what waits stays, and
// nothing goes on the first day, or after the clock has jumped.
func TestRetention_OfARunningMirror(t *testing.T) {
	notified(t, func(w *world) {
		w.srv.SeedDemo()
		keep := WithRetention(Retention{Changes: 48 * time.Hour, Inbox: 15 * 24 * time.Hour, Facts: 15 * 24 * time.Hour})
		m := w.hooked(keep, WithActiveInterval(6*time.Hour), WithWholeInterval(24*time.Hour))
		w.runFor(m, 10*time.Minute)
		changes := w.count("select count(*) from changes")
		require.Positive(w, changes)
		old := time.Now().Add(-16 * 24 * time.Hour).UTC().Format("2006-01-02T15:04:05.000000Z")
		for _, statement := range []string{
			"insert into inbox (id, event, received_at, source, state) values ('done', 'x', $1, 'webhook', 'done'), ('dead', 'x', $1, 'webhook', 'dead'), ('stuck', 'x', $1, 'audit', 'quarantined')",
			`insert into estimates (id, type, raw, digest, ticket, until, seen_at, changed_at) values ('e', 'estimated_event', '{"type":"estimated_event","id":"e"}', '', 0, 0, $1, $1)`,
			`insert into container_events (id, type, raw, digest, ticket, until, seen_at, changed_at) values ('c', 'container_updated_event', '{"type":"container_updated_event","id":"c"}', '', 0, 0, $1, $1)`,
			"update changes set at = $1",
			"update transport_events set seen_at = $1",
		} {
			_, err := w.db.Exec(w.sql(statement), old)
			require.NoError(w, err)
		}
		const kept = "select (select count(*) from changes where kind <> '') || ' ' || (select group_concat(id) from (select id from inbox where id in ('done', 'dead', 'stuck') order by id)) || ' ' || (select count(*) from estimates where id = 'e') || ' ' || (select count(*) from container_events where id = 'c')"
		before := fmt.Sprint(changes, " dead,done,stuck 1 1")
		events := w.count("select count(*) from transport_events")
		w.runFor(m, 23*time.Hour)
		require.Equal(w, before, w.text(kept), "the first day")
		time.Sleep(30 * 24 * time.Hour) // or the clock has jumped
		w.runFor(m, 23*time.Hour)
		require.Equal(w, before, w.text(kept), "after a pause")
		w.runFor(m, 3*time.Hour)
		require.Equal(w, "0 stuck 0 0", w.text(kept))
		require.Equal(w, events, w.count("select count(*) from transport_events"))
		_, err := (&testMirror{m, w.T, nil}).read("")
		require.ErrorIs(w, err, ErrPositionPruned)
	}, standing)
}
