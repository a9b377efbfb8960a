package mirror

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/terminal49test"
)

// Places and vessels are in no list, so what no reading has shown for a week is read again after a
// walk, a few a minute. Reconcile does not wait for them.
func TestPlaces_AreReadAgain(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		m, l := w.settled()
		require.NoError(w, m.db.ReleaseLease(w.Context(), l))
		vessels := w.count("select count(*) from vessels")
		require.NotZero(w, vessels)
		for r := range w.srv.Snapshot("vessel") {
			w.srv.UpdateVessel(r.ID, func(v *terminal49test.Vessel) { v.Name += " II" })
		}
		before := w.sent("vessels.get")
		require.NoError(w, m.Reconcile(w.Context()))
		require.Equal(w, before, w.sent("vessels.get"), "read a moment ago")

		_, err := w.db.Exec("update vessels set seen_at = ?", time.Now().Add(-store.PlaceAge-time.Hour).UTC().Format(schema.SQLiteTime))
		require.NoError(w, err)
		began := time.Now()
		require.NoError(w, m.Reconcile(w.Context()))
		require.Less(w, mirrortest.Elapsed(began), 2*time.Minute)
		w.runFor(m, time.Duration(vessels+1)*store.PlaceEvery)
		require.Equal(w, before+vessels, w.sent("vessels.get"))
		require.Equal(w, vessels, w.count("select count(*) from vessels where name like '% II'"))
		require.Equal(w, 0, w.count("select count(*) from dirty"))

		_, err = m.db.TakeLease(w.Context(), l, time.Now())
		require.NoError(w, err)
		require.NoError(w, m.db.Apply(w.Context(), l, "test", func(t *store.Tx) error {
			return t.InsertMark(w.Context(), plan.Mark{Ref: model.Ref{Type: "vessel", ID: one(w.T, w.srv, "vessel", 0)}, Ticket: 1, Attempts: 0}, t.Now.Add(time.Hour))
		}))
		require.NoError(w, m.db.ReleaseLease(w.Context(), l))
		began = time.Now()
		require.NoError(w, m.Reconcile(w.Context()))
		require.Less(w, mirrortest.Elapsed(began), 10*time.Minute)
	}, standing)
}

// A vessel that carries a tracked shipment is read every day.
func TestPlaces_VesselsUnderWay(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		m, l := w.settled()
		require.NoError(w, m.db.ReleaseLease(w.Context(), l))
		for _, statement := range []string{
			"update vessels set imo = 'IMO ' || id, seen_at = '" + time.Now().Add(-store.VesselAge-time.Hour).UTC().Format(schema.SQLiteTime) + "'",
			"update shipments set pod_ata_at = null, line_tracking_stopped_at = null, pod_vessel_imo = (select min(imo) from vessels)",
		} {
			_, err := w.db.Exec(statement)
			require.NoError(w, err)
		}
		require.NoError(w, m.db.ReleaseLease(w.Context(), l))
		tenure := m.worker(store.NewLease())
		_, err := m.db.TakeLease(w.Context(), tenure.Inbox.Turn.Lease, time.Now())
		require.NoError(w, err)
		require.NoError(w, m.db.Apply(w.Context(), tenure.Inbox.Turn.Lease, "test", func(t *store.Tx) error { return t.MarkOld(w.Context()) }))
		require.Equal(w, 1, w.count("select count(*) from dirty"))
		require.Equal(w, w.text("select min(id) from vessels where imo = (select min(imo) from vessels)"), w.text("select id from dirty"))
	}, standing)
}
