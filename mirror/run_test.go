package mirror

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/terminal49test"
)

// world is a simulated service, and a database that mirrors it, in a synctest bubble.
type world struct {
	*testing.T
	srv *terminal49test.Server
	db  *sql.DB

	receive func(*Mirror)            // lets the service deliver to a mirror
	emptied func(*http.Request) bool // lists that are empty; nil for none
	reached func(point string)       // of the mirrors that run
}

// simulated runs a test in a synctest bubble.
func simulated(t *testing.T, test func(w *world), opts ...terminal49test.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := terminal49test.NewServer(append([]terminal49test.Option{terminal49test.WithoutSocket()}, opts...)...)
		defer srv.Close()
		w := &world{T: t, srv: srv, db: sqliteMemory(t)}
		test(w)
		srv.CheckViolations(t)
	})
}

// mirror returns a mirror of the service into the database.
func (w *world) mirror(opts ...Option) *Mirror {
	w.Helper()
	return w.mirrorVia(emptying{w}, opts...)
}

// start runs a mirror until stop is called, which returns its error.
func (w *world) start(m *Mirror) (stop func() error) {
	return w.startWith(m, func(p any) { panic(p) })
}

// startWith runs a mirror, and calls died if it panics; then stop returns nil.
func (w *world) startWith(m *Mirror, died func(any)) (stop func() error) {
	ctx, cancel := context.WithCancel(w.Context())
	ended := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				cancel()
				died(p)
				ended <- nil
			}
		}()
		ended <- m.Run(ctx)
	}()
	return func() error {
		cancel()
		return <-ended
	}
}

// runFor runs a mirror for a while.
func (w *world) runFor(m *Mirror, d time.Duration) {
	w.Helper()
	stop := w.start(m)
	time.Sleep(d)
	require.NoError(w, stop())
}

// mirrored are the types that lists, or reads that the engine makes by itself, show.
var mirrored = []string{"shipping_line", "port", "metro_area", "terminal", "vessel", "party", "shipment", "container", "tracking_request", "transport_event", "document", "custom_field"}

// rows returns the rows of all tables that are not deleted, by type and id.
func (w *world) rows() map[model.Ref]string {
	w.Helper()
	list := map[model.Ref]string{}
	for _, in := range schema.Tables {
		rows, err := w.db.Query(w.sql("select type, id, raw from t49." + in.Name + " where deleted_at is null"))
		require.NoError(w, err)
		for rows.Next() {
			var r model.Ref
			var raw string
			require.NoError(w, rows.Scan(&r.Type, &r.ID, &raw))
			list[r] = raw
		}
		require.NoError(w, rows.Err())
		rows.Close()
	}
	return list
}

// requireEqual compares every row with the service's world, both ways. Places, vessels and shipping
// lines that nothing refers to need not be there.
func (w *world) requireEqual() {
	w.Helper()
	got := w.requireRows(mirrored...)
	for r, raw := range got { // what happened to a container that is gone stays
		var event model.Resource
		require.NoError(w, json.Unmarshal([]byte(raw), &event))
		if c, ok := event.One("container"); ok && r.Type == "transport_event" && got[c] == "" {
			_, exists := w.srv.Container(c.ID)
			require.False(w, exists, "event %s", r.ID)
			delete(got, r)
		}
	}
	require.Empty(w, slices.Collect(maps.Keys(got)), "rows that the service does not have")
}

// requireRows compares the rows of some types, and returns all rows that it did not compare. The
// columns of all rows are those of raw.
func (w *world) requireRows(types ...string) (got map[model.Ref]string) {
	w.Helper()
	got = w.rows()
	n := 0
	for r := range w.srv.Snapshot(types...) {
		raw, has := got[model.Ref{Type: r.Type, ID: r.ID}]
		delete(got, model.Ref{Type: r.Type, ID: r.ID})
		switch r.Type {
		case "port", "metro_area", "terminal", "vessel":
			if !has {
				continue
			}
		}
		require.True(w, has, "no row of %s %s", r.Type, r.ID)
		if r.Type != "vessel" { // whose position moves with the clock
			require.JSONEq(w, string(r.JSON), raw)
		}
		n++
	}
	require.NotZero(w, n)
	w.mirror().requireColumns(w)
	return got
}

// sql returns a statement in the form of the world's database.
func (w *world) sql(statement string) string {
	d := store.Store{Pool: w.db}
	require.NoError(w, d.Ask(w.Context()))
	return d.SQL(statement)
}

// count returns the number of a query.
func (w *world) count(query string) (n int) {
	w.Helper()
	require.NoError(w, w.db.QueryRow(query).Scan(&n))
	return n
}

// lists returns the operations of the requests so far, without repetitions in a row.
func (w *world) lists() (ops []string) {
	for _, r := range w.srv.Requests() {
		op := r.Operation
		if strings.Contains(r.Query, "tracking_stopped") {
			op += " active"
		}
		if len(ops) == 0 || ops[len(ops)-1] != op {
			ops = append(ops, op)
		}
	}
	return ops
}

// standing is a service whose clock is stopped, unless a test advances it.
var standing = terminal49test.WithSpeed(0)

// Active shipments first, so that the tables are useful before the backfill ends.
func TestRun_BackfillEqualsTheWorld(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		w.srv.SeedDemo()
		w.runFor(w.mirror(), 10*time.Minute)
		w.requireEqual()
		ops := w.lists()
		require.Equal(w, "me.get", ops[0])
		require.Less(w, slices.Index(ops, "shipments.list active"), slices.Index(ops, "shipments.list"))
		require.Equal(w, 0, w.count("select count(*) from dirty"))
		require.Equal(w, 8, w.count("select count(*) from walks where state = 'done' and problem is null"))
	}, standing)
}

// Without webhooks, all is equal after a walk.
func TestRun_ConvergesWithoutWebhooks(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		demo := w.srv.SeedDemo()
		m := w.mirror(WithActiveInterval(5*time.Minute), WithWholeInterval(30*time.Minute))
		stop := w.start(m)
		for range 24 {
			time.Sleep(time.Minute)
			w.srv.Advance(6 * time.Hour)
		}
		time.Sleep(6 * time.Minute) // one walk over what is tracked
		w.requireRows("shipment", "container", "transport_event", "tracking_request")
		w.srv.RemoveContainer(w.srv.ContainerIDs(demo.Shipments[0])[0])
		time.Sleep(2 * time.Hour)
		require.NoError(w, stop())
		w.requireEqual()
		require.Equal(w, 1, w.count("select count(*) from containers where deleted_at is not null"))
	}, standing)
}

// A walk that is interrupted goes on one page before where it was.
func TestRun_Resumes(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		m := w.mirror()
		stop := w.start(m)
		time.Sleep(130 * time.Second) // at 60 pages a minute
		require.NoError(w, stop())
		page := w.count("select max(page) from walks where state = 'running'")
		require.Greater(w, page, 1)
		before := len(w.srv.Requests())
		w.runFor(m, time.Minute)
		requests := w.srv.Requests()[before:]
		i := slices.IndexFunc(requests, func(r terminal49test.Request) bool {
			return strings.HasSuffix(r.Operation, ".list") && r.Operation != "tracking_requests.list"
		})
		require.Contains(w, requests[i].Query, fmt.Sprintf("page%%5Bnumber%%5D=%d&", page))
		w.runFor(m, 30*time.Minute)
		w.requireEqual()
	}, standing, terminal49test.WithSyntheticContainers(3000), terminal49test.WithIgnored("", "page[size]"))
}

// A walk over everything that was interrupted long ago begins again: what it has read is old.
func TestRun_ResumesFromTheStart(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		w.srv.SeedDemo()
		m := w.mirror()
		w.runFor(m, 10*time.Minute)
		_, err := w.db.Exec("update walks set state = 'running', page = 5 where scope = 'shipments'")
		require.NoError(w, err)
		time.Sleep(30 * time.Hour)
		before := len(w.srv.Requests())
		w.runFor(m, 5*time.Minute)
		requests := w.srv.Requests()[before:]
		i := slices.IndexFunc(requests, func(r terminal49test.Request) bool {
			return r.Operation == "shipments.list" && !strings.Contains(r.Query, "tracking_stopped")
		})
		require.Contains(w, requests[i].Query, "page%5Bnumber%5D=1&")
	}, standing)
}
