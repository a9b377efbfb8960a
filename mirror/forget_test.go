package mirror

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/terminal49test"
)

const (
	forgetShipment  = `{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"MAEU1"},"relationships":{"containers":{"data":[{"type":"container","id":"C"}]}}}`
	forgetContainer = `{"type":"container","id":"C","attributes":{"number":"CAIU1234567","holds_at_pod_terminal":[{"name":"customs","status":"hold"}],
  "fees_at_pod_terminal":[{"type":"demurrage","amount":10}]},"relationships":{"shipment":{"data":{"type":"shipment","id":"S"}}}}`
	forgetEvent = `{"type":"transport_event","id":"E","attributes":{"event":"container.transport.full_in"},"relationships":{"container":{"data":{"type":"container","id":"C"}}}}`
	forgetOther = `{"type":"container","id":"D","attributes":{"number":"CAIU7654321"},"relationships":{"shipment":{"data":{"type":"shipment","id":"S2"}}}}`
	lateEvent   = `{"type":"transport_event","id":"F","attributes":{"event":"container.transport.full_out"},"relationships":{"container":{"data":{"type":"container","id":"C"}}}}`
)

// What is forgotten is in no table, and does not come back; the rest stays.
func TestForget(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		m.write(between(1, 1), forgetShipment, forgetContainer, forgetEvent, forgetOther)
		m.do(func(tx *store.Tx) error {
			return tx.MarkAll(t.Context(), time.Now(), model.Ref{Type: "container", ID: "C"}, model.Ref{Type: "container", ID: "D"})
		})
		for id, body := range map[string]string{"N1": forgetEvent, "N2": forgetOther} {
			_, err := db.Exec(m.db.SQL("insert into t49.inbox (id, event, received_at, source, state, body) values ($1, 'x', $2, 'webhook', 'new', $3)"),
				id, m.db.Time(time.Now()), []byte(body))
			require.NoError(t, err)
		}
		require.NoError(t, m.Forget(t.Context(), Ref{"shipment", "S"}))

		m.leaseAgain()
		m.write(between(9, 9), forgetShipment, forgetContainer, forgetEvent, lateEvent)
		m.do(func(tx *store.Tx) error { return tx.Facts(t.Context(), list(t, forgetEvent, lateEvent)) })
		assert.Equal(t, "D", m.row("select id from t49.containers"))
		for _, table := range []string{"shipments", "transport_events", "holds", "fees"} {
			assert.Equal(t, "0", m.row("select count(*) from t49."+table), table)
		}
		assert.Equal(t, []string{"container|D"}, m.marks())
		assert.Equal(t, "N2|new", m.row("select id, state from t49.inbox where body is not null"))
		assert.Equal(t, "done", m.row("select state from t49.inbox where body is null"))
		var left []string
		for c, err := range m.Changes(t.Context(), "") {
			require.NoError(t, err)
			left = append(left, fmt.Sprint(c.Kind, " ", c.Attribute, " ", compact(c.Old), " ", compact(c.New)))
		}
		assert.Equal(t, []string{`container id - "D"`, `shipment id "S" -`, `container id "C" -`, `transport_event id "E" -`}, left)
	})
}

func TestForget_Refuses(t *testing.T) {
	t.Parallel()
	m := newTestMirror(t, sqliteFile(t))
	var invalid *terminal49.ArgumentError
	require.True(t, errors.As(m.Forget(t.Context(), Ref{"boat", "X"}), &invalid))
	require.True(t, errors.As(m.Forget(t.Context(), Ref{"shipment", ""}), &invalid))
	require.NoError(t, m.Forget(t.Context(), Ref{"shipment", "unknown"}))
	require.NoError(t, m.Forget(t.Context()))
}

// The lease is taken away from a mirror that runs: what it had begun is not committed.
func TestForget_WhileAMirrorRuns(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		require.NoError(t, m.Forget(t.Context(), Ref{"shipment", "S"}))
		err := m.db.Apply(t.Context(), m.lease, "test", func(tx *store.Tx) error { return nil })
		require.ErrorIs(t, err, store.ErrLeaseLost)
		has, err := m.db.TakeLease(t.Context(), store.NewLease(), time.Now())
		require.NoError(t, err)
		require.True(t, has, "it is given back")
	})
}

// Guide, Forgetting: what was forgotten does not come back, and is not asked for, although walks,
// tracking requests, shipments, events and notifications go on naming it.
func TestForget_StaysForgotten(t *testing.T) {
	t.Parallel()
	notified(t, func(w *world) {
		demo := w.srv.SeedDemo()
		m := w.hooked(WithActiveInterval(5*time.Minute), WithWholeInterval(30*time.Minute))
		w.runFor(m, 10*time.Minute)
		container, shipment := w.srv.ContainerIDs(demo.Shipments[0])[0], demo.Shipments[1]
		require.NoError(w, m.Forget(w.Context(), Ref{"container", container}, Ref{"shipment", shipment}))
		gone := append([]string{container, shipment}, w.srv.ContainerIDs(shipment)...)
		list := "('" + strings.Join(gone, "','") + "')"
		before := len(w.srv.Requests())
		stop := w.start(m)
		for range 6 {
			for _, id := range gone {
				w.srv.UpdateContainer(id, func(c *terminal49test.Container) { c.SealNumber += "1" })
				w.srv.UpdateShipment(id, func(s *terminal49test.Shipment) { s.PODVoyageNumber += "1" })
			}
			w.srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.vessel_arrived", Container: container, Timestamp: w.srv.Now()})
			for number, of := range map[string]string{"MAEU1": shipment, "MAEU2": demo.Shipments[0]} {
				w.srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: number, SCAC: "MAEU", Status: "created", Shipment: of})
			}
			mirrortest.Advance(10 * time.Minute)
			for _, table := range []string{"containers", "shipments"} {
				require.Equal(w, 0, w.count("select count(*) from "+table+" where id in "+list))
			}
			require.Equal(w, 0, w.count("select count(*) from transport_events where container_id in "+list))
			require.Equal(w, 0, w.count("select count(*) from tracking_requests where shipment_id in "+list))
			require.Equal(w, 0, w.count("select count(*) from dirty where id in "+list))
		}
		require.NoError(w, stop())
		for _, r := range w.srv.Requests()[before:] {
			for _, id := range gone {
				require.NotContains(w, r.Path, id)
			}
		}
	}, standing)
}
