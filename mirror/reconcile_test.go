package mirror

import (
	"context"
	"database/sql"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/worker"
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

// Reconcile does all its work, and then returns which rows wait for a confirmation.
func TestReconcile_Unconfirmed(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		m := w.mirror()
		w.runFor(m, 10*time.Minute)
		for r := range w.srv.Snapshot("container") {
			w.srv.RemoveContainer(r.ID)
		}
		shipment := one(t, w.srv, "shipment", 0)
		w.srv.UpdateShipment(shipment, func(s *terminal49test.Shipment) { s.Tags = []string{"late"} })
		for range 3 {
			var waits *UnconfirmedError
			require.ErrorAs(w, m.Reconcile(w.Context()), &waits)
			require.Equal(w, map[string]int{"containers": 30}, waits.Rows)
			require.ErrorContains(w, waits, "terminal49-mirror confirm-deletions containers --expect 30")
			w.requireRows("shipment")
		}
		require.NoError(w, m.ConfirmList(w.Context(), "containers", 30))
		require.NoError(w, m.Reconcile(w.Context()))
		require.Len(w, w.gone(), 30)
	}, standing, terminal49test.WithSyntheticContainers(30))
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
		client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()), terminal49.WithoutRateLimits())
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

// What comes after the walks have ended does not keep Reconcile from returning, on an account where
// something changes all the time.
func TestReconcile_BusyAccount(t *testing.T) {
	t.Parallel()
	notified(t, func(w *world) {
		demo := w.srv.SeedDemo()
		m := w.hooked()
		w.runFor(m, 10*time.Minute)
		stop := w.start(m)
		ended := make(chan error, 1)
		ctx, cancel := context.WithTimeout(w.Context(), time.Hour)
		defer cancel()
		go func() { ended <- m.Reconcile(ctx) }()
		for began, available := time.Now(), false; ; available = !available {
			for _, shipment := range demo.Shipments {
				w.srv.UpdateContainer(w.srv.ContainerIDs(shipment)[0], func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(available) })
			}
			time.Sleep(300 * time.Millisecond)
			select {
			case err := <-ended:
				require.NoError(w, err)
				require.Less(w, time.Since(began), 10*time.Minute)
				require.NotZero(w, w.count("select count(*) from dirty"), "it is busy")
				require.NoError(w, stop())
				time.Sleep(time.Minute) // deliveries that are under way arrive
				return
			default:
			}
		}
	})
}

// Run and Reconcile may be called at once on one Mirror. The lease then passes between them, and
// for a moment both work: with -race, they share nothing.
func TestReconcile_BesideRunOnOneMirror(t *testing.T) {
	t.Parallel()
	notified(t, func(w *world) {
		w.srv.SeedDemo()
		m := w.hooked(WithActiveInterval(time.Minute), WithWholeInterval(10*time.Minute))
		stop := w.start(m)
		time.Sleep(5 * time.Minute)
		ctx, cancel := context.WithCancel(w.Context())
		ended := make(chan error, 1)
		go func() {
			for ctx.Err() == nil {
				if err := m.Reconcile(ctx); err != nil && ctx.Err() == nil {
					ended <- err
					return
				}
			}
			ended <- nil
		}()
		for range 30 {
			time.Sleep(7 * time.Second)
			_, err := w.db.Exec("update leases set holder = ''")
			require.NoError(w, err)
		}
		cancel()
		require.NoError(w, <-ended)
		time.Sleep(10 * time.Minute)
		require.NoError(w, stop())
		w.requireRows("shipment", "tracking_request", "party")
	}, standing)
}

// Two tenures on one Mirror share nothing, with -race.
func TestTenure_OwnsWhatItKnows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, _ := auditing(t, 0)
		second := first.Mirror.worker(first.work.Inbox.Turn.Lease)
		var both sync.WaitGroup
		for _, one := range []*worker.Worker{first.work, second} {
			both.Go(func() {
				assert.NoError(t, one.Audits.Audit(t.Context(), true))
				_, err := one.Inbox.ApplyInbox(t.Context())
				assert.NoError(t, err)
				assert.False(t, one.Inbox.Resolver.IsPaused())
			})
		}
		both.Wait()
	})
}
