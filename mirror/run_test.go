package mirror

import (
	"context"
	"database/sql"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// world is a simulated service, and a database that mirrors it, in a synctest bubble.
type world struct {
	*testing.T
	srv *terminal49test.Server
	db  *sql.DB
}

// simulated runs a test in a synctest bubble.
func simulated(t *testing.T, test func(w *world), opts ...terminal49test.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := terminal49test.NewServer(append([]terminal49test.Option{terminal49test.WithoutSocket()}, opts...)...)
		defer srv.Close()
		w := &world{t, srv, sqliteMemory(t)}
		test(w)
		srv.CheckViolations(t)
	})
}

// mirror returns a mirror of the service into the database.
func (w *world) mirror(opts ...Option) *Mirror {
	w.Helper()
	client, err := terminal49.New(w.srv.Token, terminal49.WithBaseURL(w.srv.URL), terminal49.WithHTTPClient(w.srv.HTTPClient()))
	require.NoError(w, err)
	m, err := New(client, w.db, opts...)
	require.NoError(w, err)
	return m
}

// start runs a mirror until stop is called, which returns its error.
func (w *world) start(m *Mirror) (stop func() error) {
	ctx, cancel := context.WithCancel(w.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
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
func (w *world) rows() map[ref]string {
	w.Helper()
	list := map[ref]string{}
	for _, in := range tables {
		rows, err := w.db.Query("select type, id, raw from " + in.name + " where deleted_at is null")
		require.NoError(w, err)
		for rows.Next() {
			var r ref
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
	got := w.rows()
	n := 0
	for r := range w.srv.Snapshot(mirrored...) {
		raw, has := got[ref{r.Type, r.ID}]
		delete(got, ref{r.Type, r.ID})
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
	require.Empty(w, got, "rows that the service does not have")
}

func TestRun_BackfillEqualsTheWorld(t *testing.T) {
	simulated(t, func(w *world) {
		w.srv.SeedDemo()
		w.runFor(w.mirror(), 10*time.Minute)
		w.requireEqual()
	}, terminal49test.WithSpeed(0))
}
