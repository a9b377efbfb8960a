package mirror

import (
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// Reconcile walks over everything and returns when nothing is left to do.
func TestReconcile(t *testing.T) {
	t.Parallel()
	for name, running := range map[string]bool{"alone": false, "beside Run": true} {
		t.Run(name, func(t *testing.T) {
			simulated(t, func(w *world) {
				w.srv.SeedDemo()
				m := w.mirror()
				w.runFor(m, 10*time.Minute)
				stop := func() error { return nil }
				if running {
					stop = w.start(w.mirror())
					time.Sleep(time.Minute)
				}
				w.srv.Advance(100 * time.Hour)
				began := time.Now()
				require.NoError(w, m.Reconcile(w.Context()))
				w.requireEqual()
				require.Less(w, time.Since(began), 5*time.Minute)
				require.NoError(w, stop())
			}, standing)
		})
	}
}

// What stops a walk is an error of Reconcile.
func TestReconcile_Stopped(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		m := w.mirror()
		w.runFor(m, 10*time.Minute)
		n := 0
		for r := range w.srv.Snapshot("container") {
			if n++; n <= 21 {
				w.srv.RemoveContainer(r.ID)
			}
		}
		err := m.Reconcile(w.Context())
		require.ErrorContains(w, err, "nothing is deleted")
	}, standing, terminal49test.WithSyntheticContainers(100))
}

// On real databases and the real clock, everything is equal after the first Reconcile, and changed
// rows are after the second.
func TestReconcile_RealDatabases(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithoutRateLimits(), standing, terminal49test.WithSyntheticContainers(300))
		defer srv.Close()
		demo := srv.SeedDemo()
		w := &world{T: t, srv: srv, db: db}
		client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()), terminal49.WithoutLimits())
		require.NoError(t, err)
		m, err := New(client, db, WithSettle(time.Millisecond))
		require.NoError(t, err)
		require.NoError(t, m.Reconcile(t.Context()))
		w.requireEqual()
		srv.Advance(50 * time.Hour)
		srv.TouchContainers(40, 0)
		srv.RemoveContainer(srv.ContainerIDs(demo.Shipments[1])[0])
		require.NoError(t, m.Reconcile(t.Context()))
		require.NoError(t, m.Reconcile(t.Context()))
		w.requireEqual()
		require.Len(t, w.gone(), 1)
	})
}
