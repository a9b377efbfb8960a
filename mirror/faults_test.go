package mirror

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/terminal49test"
)

// A service that answers 404 for everything deletes nothing, and the status reports it.
func TestRun_404ForEverything(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		w.srv.SeedDemo()
		m := w.mirror(WithWholeInterval(30 * time.Minute))
		stop := w.start(m)
		mirrortest.Advance(10 * time.Minute)
		w.requireEqual()
		w.srv.AddFault(terminal49test.Fault{Operation: "*", Times: -1, Status: http.StatusNotFound})
		mirrortest.Advance(3 * time.Hour)
		w.requireEqual()
		require.Empty(w, w.gone())
		require.NotZero(w, w.count("select count(*) from walks where scope = 'containers' and state = 'stopped' and problem like '%404%'"))
		status, err := m.Status(w.Context())
		require.NoError(w, err)
		require.Contains(w, strings.Join(status.Problems, "\n"), "404")
		w.srv.ClearFaults()
		mirrortest.Advance(time.Hour)
		require.NoError(w, stop())
		w.requireEqual()
		require.Equal(w, 0, w.count("select count(*) from containers where missing_since is not null"))
	}, standing)
}

// However many rows are missing, each is deleted once the service has answered 404 for it in two
// whole walks. 28 of 286 was the amount after a weekend of merges that once stopped all deletions
// for ever.
func TestDeletions_HoweverMany(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		var containers []string
		m := w.mirror(WithWholeInterval(30 * time.Minute))
		w.runFor(m, 10*time.Minute)
		w.requireEqual()
		for r := range w.srv.Snapshot("container") {
			containers = append(containers, r.ID)
		}
		for _, id := range containers[:28] {
			w.srv.RemoveContainer(id)
		}
		w.runFor(m, 30*time.Minute)
		require.Empty(w, w.gone(), "after one walk")
		require.Equal(w, 28, w.count("select count(*) from containers where missing_since is not null"))
		w.runFor(m, 30*time.Minute)
		require.Len(w, w.gone(), 28, "after another")
		require.Equal(w, 28, w.count("select count(*) from changes where kind = 'container' and attribute = 'id' and new is null"))
		require.Zero(w, w.count("select count(*) from missing")+w.count("select count(*) from walks where problem is not null"))
		w.requireEqual()
	}, standing, terminal49test.WithSyntheticContainers(286))
}

// A service that shows nothing and answers 404 for each resource has a problem, however few rows
// there are.
func TestMissing_NothingThere(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		w.srv.SeedDemo()
		m := w.mirror(WithWholeInterval(30 * time.Minute))
		stop := w.start(m)
		mirrortest.Advance(10 * time.Minute)
		was := w.rows()
		for r := range w.srv.Snapshot("shipment") {
			for _, id := range w.srv.ContainerIDs(r.ID) {
				w.srv.RemoveContainer(id)
			}
		}
		w.srv.AddFault(terminal49test.Fault{Operation: "parties.get", Times: -1, Status: http.StatusNotFound})
		w.emptied = func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/parties") }
		mirrortest.Advance(3 * time.Hour)
		require.NoError(w, stop())
		require.Equal(w, slices.Sorted(maps.Keys(names(was))), slices.Sorted(maps.Keys(names(w.rows()))))
		for _, list := range []string{"parties", "containers"} {
			require.NotZero(w, w.count("select count(*) from walks where state = 'done' and scope = '"+list+"' and problem like '%shows none of the rows%'"), list)
		}
	}, standing)
}

func names(rows map[model.Ref]string) map[string]bool {
	list := map[string]bool{}
	for r := range rows {
		list[r.Type+" "+r.ID] = true
	}
	return list
}

// emptying is a transport to a service whose lists may be empty.
type emptying struct{ *world }

func (e emptying) RoundTrip(r *http.Request) (*http.Response, error) {
	if e.emptied == nil || !e.emptied(r) {
		return e.srv.Transport().RoundTrip(r)
	}
	body := io.NopCloser(strings.NewReader(`{"data":[],"meta":{"size":0,"total":0},"links":{}}`))
	return &http.Response{StatusCode: 200, Status: "200 OK", Header: http.Header{"Content-Type": {"application/json"}}, Body: body, Request: r}, nil
}

// One 404 is not a deletion, two with a whole walk between them are, and a
// reading that shows the resource again takes it back.
func TestMissing_TwiceThenBack(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		demo := w.srv.SeedDemo()
		m := w.mirror(WithWholeInterval(30 * time.Minute))
		stop := w.start(m)
		mirrortest.Advance(10 * time.Minute)
		id := w.srv.ContainerIDs(demo.Shipments[0])[0]
		was, _ := w.srv.Container(id)
		w.srv.RemoveContainer(id)
		mirrortest.Advance(30 * time.Minute)
		require.Equal(w, 1, w.count("select count(*) from containers where missing_since is not null"))
		require.Empty(w, w.gone())
		mirrortest.Advance(30 * time.Minute)
		require.Equal(w, map[model.Ref]bool{{Type: "container", ID: id}: true}, w.gone())
		require.Equal(w, 1, w.count("select count(*) from changes where kind = 'container' and attribute = 'id' and new is null"))
		w.srv.AddContainer(was)
		mirrortest.Advance(30 * time.Minute)
		require.NoError(w, stop())
		require.Empty(w, w.gone())
		w.requireRows("shipment", "container")
	}, standing)
}

func TestRun_TokenNotAccepted(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		w.srv.SeedDemo()
		m := w.mirror()
		w.srv.AddFault(terminal49test.Fault{Operation: "*", Times: -1, Status: http.StatusUnauthorized})
		require.ErrorIs(w, m.Run(w.Context()), terminal49.ErrUnauthorized)
		require.Equal(w, 0, w.count("select count(*) from walks"))
		w.srv.ClearFaults()
		stop := w.start(m)
		mirrortest.Advance(5 * time.Minute)
		w.srv.AddFault(terminal49test.Fault{Operation: "*", Times: -1, Status: http.StatusUnauthorized})
		mirrortest.Advance(time.Hour)
		w.srv.ClearFaults()
		w.srv.Advance(time.Hour)
		mirrortest.Advance(time.Hour) // a token that is refused for a while stops nothing for good
		require.NoError(w, stop())
		w.requireRows("shipment", "container")
	}, standing)
}

// A database refuses the token of another account, before anything is written.
func TestRun_AnotherAccount(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		w.srv.SeedDemo()
		w.runFor(w.mirror(), 5*time.Minute)
		before := w.rows()
		other := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSeed(2))
		defer other.Close()
		other.SeedDemo()
		require.NotEqual(w, w.srv.AccountID, other.AccountID)
		mine := w.srv
		w.srv = other
		require.ErrorIs(w, w.mirror().Run(w.Context()), ErrOtherAccount)
		w.srv = mine
		require.Equal(w, before, w.rows())
		require.Len(w, other.Requests(), 1)
	}, standing)
}

// crash is what a test kills a mirror with.
type crash struct{ point string }

// Killed at each point, a mirror goes on where it was, and nothing is doubled in
// changes. The change rows of a run without a crash are the measure.
func TestRun_CrashAtEachPoint(t *testing.T) {
	t.Parallel()
	var all []string
	simulated(t, func(w *world) { all = w.pointsPassed() }, standing)
	require.Greater(t, len(all), 12, "points: %v", all)
	for _, point := range all {
		for _, skip := range mirrortest.Scale([]int{0}, []int{0, 1, 2, 3, 7}) {
			t.Run(fmt.Sprint(point, " ", skip), func(t *testing.T) {
				t.Parallel()
				simulated(t, func(w *world) { w.survives(point, skip) }, standing)
			})
		}
	}
}

// scenario is what happens in a test of crashes, in three parts.
func (w *world) scenario(run func(m *Mirror, d time.Duration)) {
	demo := w.srv.SeedDemo()
	gone := w.srv.ContainerIDs(demo.Shipments[0])[0]
	m := w.mirror(WithActiveInterval(time.Minute), WithWholeInterval(2*time.Minute))
	run(m, 2*time.Minute)
	w.srv.RemoveContainer(gone)
	w.srv.Advance(24 * time.Hour)
	run(m, 6*time.Minute)
	w.requireEqual()
	require.Equal(w, map[model.Ref]bool{{Type: "container", ID: gone}: true}, w.gone())
	require.Equal(w, 0, w.count("select count(*) from dirty"))
	require.Equal(w, w.count("select max(seq) from changes"), w.count("select count(*) from changes"))
	require.Equal(w, 0, w.count("select count(*) from (select 1 from changes group by kind, id, attribute, old, new, attribute = 'id' having count(*) > 1)"), "doubled in changes")
}

// pointsPassed runs the scenario without a crash, and returns the points that it passes.
func (w *world) pointsPassed() (names []string) {
	seen := map[string]bool{}
	ch := make(chan string, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for name := range ch {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}()
	w.reached = func(name string) { ch <- name }
	w.scenario(w.runFor)
	w.reached = nil
	close(ch)
	<-done
	return names
}

// survives runs the scenario, kills the mirror at a point, and starts another one.
func (w *world) survives(point string, skip int) {
	killed := make(chan struct{}) // closed when it is dead: then it passes no other point
	turn := make(chan int, 1)
	turn <- skip
	w.reached = func(name string) {
		left := <-turn
		select {
		case <-killed:
			turn <- left
			panic(crash{name})
		default:
		}
		if name == point {
			left--
		}
		if left < 0 {
			close(killed)
		}
		turn <- left
		if left < 0 {
			panic(crash{name})
		}
	}
	defer func() { w.reached = nil }()
	died := false
	w.scenario(func(m *Mirror, d time.Duration) {
		w.Helper()
		var cause any
		dead := make(chan struct{})
		stop := w.startWith(m, func(p any) { cause = p; close(dead) })
		select {
		case <-dead:
		case <-time.After(d):
			require.NoError(w, stop()) // it may die at this moment
		}
		select {
		case <-dead:
			require.IsType(w, crash{}, cause)
			died, w.reached = true, nil
			w.runFor(m, d+time.Minute) // the lease of the dead one runs out first
		default:
		}
	})
	require.True(w, died || skip > 0)
}

// A response about one row proves nothing about the others. A row that the
// service refuses to show is not deleted, and keeps no other from being deleted.
func TestMissing_OneRowRefused(t *testing.T) {
	t.Parallel()
	for _, status := range []int{400, 403, 422, 500} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			simulated(t, func(w *world) {
				demo := w.srv.SeedDemo()
				refused, gone := w.srv.ContainerIDs(demo.Shipments[0])[0], w.srv.ContainerIDs(demo.Shipments[1])[0]
				m := w.mirrorVia(roundTripper(func(r *http.Request) (*http.Response, error) {
					if !strings.HasSuffix(r.URL.Path, "/containers/"+refused) {
						return w.srv.Transport().RoundTrip(r)
					}
					body := io.NopCloser(strings.NewReader(`{"errors":[{"title":"no"}]}`))
					return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: body, Request: r}, nil
				}), WithWholeInterval(30*time.Minute))
				w.runFor(m, 10*time.Minute)
				w.srv.RemoveContainer(refused)
				w.srv.RemoveContainer(gone)
				w.runFor(m, 2*time.Hour)
				require.Equal(w, map[model.Ref]bool{{Type: "container", ID: gone}: true}, w.gone())
				require.Equal(w, 0, w.count("select count(*) from containers where id = '"+refused+"' and missing_since is not null"))
				require.Equal(w, 0, w.count("select count(*) from walks where state = 'stopped'"))
				require.Equal(w, 1, w.count("select count(*) from missing where id = '"+refused+"' and reason = 'no 404'"))
				require.NoError(w, m.ConfirmList(w.Context(), "containers", 1))
				require.Len(w, w.gone(), 2)
			}, standing)
		})
	}
}
