package mirror

import (
	"database/sql"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
)

// A receiver that hangs, or asks to wait, or is not there, holds up neither another one nor itself
// for long: when it works again, everything arrives. There are more changes than are sent to a
// receiver at a time, which are 32.
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
		works := newSink(t, nil)
		var at []string
		for i := range 100 {
			at = append(at, m.add(fmt.Sprint("c", i))...)
		}
		var all []*pushing
		for name, s := range map[string]*sink{"hangs": hangs, "asks": asks, "works": works, "stopped": works} {
			to := s.to()
			to.Name = name
			switch name {
			case "hangs":
				to.Timeout = time.Second
			case "stopped":
				to.URL = terminal49.NewSecret("http://127.0.0.1:1") // where nobody listens
			}
			all = append(all, m.push(to))
		}
		soon(t, func() bool { return len(works.accepted()) == len(at) })
		soon(t, func() bool { return m.away() == "asks hangs stopped" })
		require.Empty(t, m.all("select push from t49.deliveries group by push having count(*) > 50"),
			"little is stored, those that were under way for a second")
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

// A receiver that asks to wait is asked nothing until it may be, except for what was under way: at
// most the 32 changes that are sent at a time.
func TestPush_WaitsAsTheReceiverAsks(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		m := &testMirror{Mirror: w.mirror(), T: w.T}
		require.NoError(w, m.Migrate(w.Context()))
		for i := range 100 {
			m.add(fmt.Sprint("c", i))
		}
		const wait = 10 * time.Second
		began := time.Now()
		var mu sync.Mutex
		var at []time.Duration // when it was asked
		p := m.push(Push{
			URL: terminal49.NewSecret("https://example.com/push"), Secret: terminal49.NewSecret(sinkSecret), From: "begin",
			Client: &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
				mu.Lock()
				defer mu.Unlock()
				at = append(at, mirrortest.Elapsed(began))
				header := http.Header{"Retry-After": {fmt.Sprint(wait.Seconds())}}
				return &http.Response{StatusCode: http.StatusTooManyRequests, Header: header, Body: http.NoBody, Request: r}, nil
			})},
		})
		mirrortest.Advance(5 * time.Minute)
		p.stop(w.T)
		early, _ := slices.BinarySearch(at, at[0]+wait)
		require.LessOrEqual(w, early, 32, "those that were under way when it asked to wait")
		require.Greater(w, len(at), early+1, "it is asked again")
		for i := early + 1; i < len(at); i++ {
			require.GreaterOrEqual(w, at[i]-at[i-1], wait)
		}
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
