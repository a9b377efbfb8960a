package mirror

import (
	"database/sql"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A receiver that hangs, or asks to wait, or is not there, holds up neither another one nor itself
// for long: when it works again, everything arrives.
func TestPush_ReceiverIsAway(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		away := make(chan struct{})
		hangs := newSink(t, func(w http.ResponseWriter, _, _ string) bool {
			<-away
			w.WriteHeader(http.StatusServiceUnavailable)
			return true
		})
		asks := newSink(t, func(w http.ResponseWriter, _, _ string) bool {
			w.Header().Set("Retry-After", "2")
			w.WriteHeader(http.StatusTooManyRequests)
			return true
		})
		works, stopped := newSink(t, nil), newSink(t, nil)
		stopped.Listener.Close() //nolint:errcheck // nobody listens any more
		at := m.add("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m")
		var all []*pushing
		for name, s := range map[string]*sink{"hangs": hangs, "asks": asks, "works": works, "stopped": stopped} {
			to := s.to()
			to.Name = name
			all = append(all, m.push(to))
		}
		soon(t, func() bool { return len(works.accepted()) == len(at) })
		soon(t, func() bool { return m.away() == "asks hangs stopped" })
		require.LessOrEqual(t, m.row("select count(*) from t49.deliveries"), "13", "little is stored, those that were under way for a second")
		require.Equal(t, 1, asks.tries(at[0]))
		hangs.set(nil)
		close(away)
		asks.set(nil)
		soon(t, func() bool { return len(hangs.accepted()) == len(at) && len(asks.accepted()) == len(at) })
		soon(t, func() bool { return m.away() == "stopped" })
		for _, p := range all {
			p.stop(t)
		}
		s, err := m.Status(t.Context())
		require.NoError(t, err)
		require.Equal(t, "0", m.row("select count(*) from t49.deliveries where parked_at is not null"))
		require.ErrorContains(t, s.Pushes[2].Healthy(time.Now().Add(2*time.Minute)), "accepts nothing since")
		require.Contains(t, s.Pushes[2].Problem, "connection refused")
	})
}

// away returns the names of the pushes whose receiver accepts nothing.
func (m *testMirror) away() string {
	s, err := m.Status(m.Context())
	require.NoError(m, err)
	var names []string
	for _, p := range s.Pushes {
		if !p.AwaySince.IsZero() {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, " ")
}

// Changes that a push has not passed yet are not deleted by age.
func TestPush_PruningWaits(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m, s := newTestMirror(t, db), newSink(t, nil)
		at := m.add("a", "b", "c", "d")
		m.exec("update t49.changes set at = $1", m.db.Time(time.Now().Add(-72*time.Hour)))
		to := s.to()
		to.From = at[1]
		p := m.push(to)
		soon(t, func() bool { return len(s.accepted()) == 2 })
		p.stop(t)
		m.exec("update t49.pushes set position = $1", at[1]) // it was not saved yet
		require.EqualValues(t, 1, m.prune())
		require.Equal(t, "2 3 4", strings.Join(m.all("select seq from t49.changes order by seq"), " "))
		p = m.push(to)
		soon(t, func() bool { return m.pushStatus().Position == Position(at[3]) })
		p.stop(t)
		require.EqualValues(t, 2, m.prune())
	})
}
