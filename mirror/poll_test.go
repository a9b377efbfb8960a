package mirror

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/terminal49test"
)

// notified runs a test with webhooks: the service delivers to the receiver of the world's mirror.
func notified(t *testing.T, test func(w *world), opts ...terminal49test.Option) {
	t.Helper()
	var receive http.Handler
	deliver := terminal49test.WithWebhookHandler(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if receive == nil {
			http.Error(rw, "not yet", http.StatusServiceUnavailable)
			return
		}
		receive.ServeHTTP(rw, r)
	}))
	simulated(t, func(w *world) {
		w.receive = func(m *Mirror) { receive = m.Receiver() }
		test(w)
	}, append([]terminal49test.Option{deliver}, opts...)...)
}

// hooked returns a mirror that receives what the service delivers.
func (w *world) hooked(opts ...Option) *Mirror {
	w.Helper()
	m := w.mirror(append([]Option{WithWebhook("https://mirror.example.com/webhook")}, opts...)...)
	w.receive(m)
	return m
}

// sent returns how many requests an operation got.
func (w *world) sent(op string) int { return len(mirrortest.Received(w.srv, op)) }

// From the service's change to the row, p99 10 s.
func TestPoll_AfterNotification(t *testing.T) {
	t.Parallel()
	notified(t, func(w *world) {
		w.srv.SeedDemo()
		m := w.hooked(WithActiveInterval(24 * time.Hour))
		stop := w.start(m)
		mirrortest.Advance(10 * time.Minute)
		for r := range w.srv.Snapshot("container") {
			w.srv.UpdateContainer(r.ID, func(c *terminal49test.Container) { c.Holds = []terminal49test.Hold{{Name: "customs"}} })
			mirrortest.Advance(10 * time.Second)
			w.requireRows("container", "shipment", "transport_event")
		}
		require.NoError(w, stop())
	})
}

// The service may answer from a copy of its data that lags, for longer than the
// mirror waits before it reads.
func TestPoll_ReplicaLag(t *testing.T) {
	t.Parallel()
	notified(t, func(w *world) {
		w.srv.SeedDemo()
		m := w.hooked(WithActiveInterval(24*time.Hour), WithSettle(4*time.Second))
		stop := w.start(m)
		mirrortest.Advance(10 * time.Minute)
		for range 20 {
			for r := range w.srv.Snapshot("container") {
				w.srv.UpdateContainer(r.ID, func(c *terminal49test.Container) { c.LocationAtPODTerminal = time.Now().String() })
				w.srv.UpdateContainer(r.ID, func(c *terminal49test.Container) { c.Holds = append(c.Holds, terminal49test.Hold{Name: "customs"}) })
				mirrortest.Advance(700 * time.Millisecond)
			}
		}
		mirrortest.Advance(15 * time.Second)
		w.requireRows("container")
		require.NoError(w, stop())
	}, terminal49test.WithReplicaLag(0.5, 3*time.Second))
}

// One request serves a shipment and all its containers.
func TestPoll_ByShipment(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		m, l := w.settled()
		var marks []model.Ref
		for r := range w.srv.Snapshot("shipment") {
			if all := w.srv.ContainerIDs(r.ID); len(all) == 2 && marks == nil {
				marks = []model.Ref{{Type: "shipment", ID: r.ID}, {Type: "container", ID: all[0]}, {Type: "container", ID: all[1]}}
			}
		}
		w.mark(m, l, marks...)
		w.runFor(m, time.Minute)
		require.Equal(w, 0, w.count("select count(*) from dirty"))
		require.Equal(w, 1, w.sent("shipments.get"))
		require.Equal(w, 0, w.sent("containers.get"))
	}, standing)
}

// settled returns a mirror after its first walks, and a lease for a test to write with.
func (w *world) settled() (*Mirror, *store.Lease) {
	w.srv.SeedDemo()
	m := w.mirror(WithActiveInterval(24 * time.Hour))
	w.runFor(m, 10*time.Minute)
	l := store.NewLease()
	has, err := m.db.TakeLease(w.Context(), l, time.Now())
	require.NoError(w, err)
	require.True(w, has)
	return m, l
}

// mark marks resources, and releases the lease.
func (w *world) mark(m *Mirror, l *store.Lease, marks ...model.Ref) {
	w.Helper()
	ctx := w.Context()
	require.NoError(w, m.db.Apply(ctx, l, "test", func(t *store.Tx) error { return t.MarkAll(ctx, t.Now, marks...) }))
	require.NoError(w, m.db.ReleaseLease(ctx, l))
}

// What cannot be read stalls nothing.
func TestPoll_Poison(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		m, l := w.settled()
		const unknown = "9a1c5c4e-0000-4000-8000-000000000000"
		marks := []model.Ref{{Type: "transport_event", ID: unknown}, {Type: "container", ID: unknown}, {Type: "terminal", ID: unknown}, {Type: "vessel", ID: unknown}, {Type: "no such type", ID: "x"}}
		for r := range w.srv.Snapshot("container") {
			marks = append(marks, model.Ref{Type: r.Type, ID: r.ID})
		}
		w.mark(m, l, marks...)
		w.srv.AddFault(terminal49test.Fault{Operation: "vessels.get", Times: -1, Status: 500})
		before := len(w.srv.Requests())
		w.runFor(m, 4*time.Hour)
		require.Equal(w, 0, w.count("select count(*) from dirty where kind = 'container' and id <> '"+unknown+"'"))
		require.Less(w, w.sent("vessels.get"), 4*17, "a read that fails is repeated at most once an hour in the end")
		require.Less(w, w.sent("terminals.get"), 5)
		require.Less(w, len(w.srv.Requests())-before, 4*60+150) // the cursor's, once a minute
	}, standing)
}

// A single read only if fewer resources are marked than a walk has pages.
func TestPoll_WalksInstead(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		m := w.mirror(WithActiveInterval(24 * time.Hour))
		w.runFor(m, 10*time.Minute)
		l := store.NewLease()
		_, err := m.db.TakeLease(w.Context(), l, time.Now())
		require.NoError(w, err)
		var marks []model.Ref
		for r := range w.srv.Snapshot("container") {
			marks = append(marks, model.Ref{Type: r.Type, ID: r.ID})
		}
		walks := w.count("select count(*) from walks where scope = 'shipments.active' and state = 'done'")
		w.mark(m, l, marks...)
		w.runFor(m, 10*time.Minute)
		require.Equal(w, 0, w.count("select count(*) from dirty"))
		require.Equal(w, 0, w.sent("shipments.get"))
		require.Equal(w, walks+1, w.count("select count(*) from walks where scope = 'shipments.active' and state = 'done'"))
	}, standing, terminal49test.WithSyntheticContainers(500))
}

// Marks do not wait for a walk that cannot go on.
func TestPoll_ListFails(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		m := w.mirror()
		w.runFor(m, 10*time.Minute)
		w.srv.AddFault(terminal49test.Fault{Operation: "shipments.list", Times: -1, Status: 500})
		var marks []model.Ref
		for r := range w.srv.Snapshot("container") {
			marks = append(marks, model.Ref{Type: r.Type, ID: r.ID})
		}
		l := store.NewLease()
		_, err := m.db.TakeLease(w.Context(), l, time.Now())
		require.NoError(w, err)
		w.mark(m, l, marks...)
		w.runFor(m, 30*time.Minute)
		require.Equal(w, 0, w.count("select count(*) from dirty"))
	}, standing, terminal49test.WithSyntheticContainers(100))
}

// A webhook that the service switched off for a day. All is equal after a walk.
func TestPoll_WebhookSwitchedOff(t *testing.T) {
	t.Parallel()
	notified(t, func(w *world) {
		w.srv.SeedDemo()
		m := w.hooked(WithActiveInterval(30*time.Minute), WithWholeInterval(time.Hour))
		w.runFor(m, 10*time.Minute)
		for hook := range w.srv.Snapshot("webhook") {
			w.srv.UpdateWebhook(hook.ID, func(h *terminal49test.Webhook) { h.Inactive = true })
		}
		w.srv.Advance(24 * time.Hour)
		stop := w.start(m)
		mirrortest.Advance(2*time.Hour + 10*time.Minute)
		require.NoError(w, stop())
		w.requireRows("container", "shipment", "transport_event")
		for hook := range w.srv.Snapshot("webhook") {
			require.Contains(w, string(hook.JSON), `"active":true`)
		}
	}, standing)
}

// Another process takes over within 15 seconds, and within 3 after a clean end; one that wakes up
// late cannot write.
func TestRun_TakesOver(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		w.srv.SeedDemo()
		var log strings.Builder
		first, second := w.mirror(), w.mirror(WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
		zombie := store.NewLease()
		require.NoError(w, first.Migrate(w.Context()))
		has, err := first.db.TakeLease(w.Context(), zombie, time.Now())
		require.NoError(w, err)
		require.True(w, has)
		stop := w.start(second)
		mirrortest.Advance(store.LeaseTime - time.Second)
		require.Equal(w, 0, w.count("select count(*) from shipments"))
		mirrortest.Advance(4 * time.Second)
		require.NotZero(w, w.count("select count(*) from shipments"))
		require.ErrorIs(w, first.db.Apply(w.Context(), zombie, "test", func(*store.Tx) error { t.Error("applied"); return nil }), store.ErrLeaseLost)
		stopFirst := w.start(first)
		mirrortest.Advance(time.Minute)
		require.Equal(w, 2, w.count("select epoch from leases"))
		require.NoError(w, stop())
		require.Equal(w, 1, strings.Count(log.String(), `msg="another process has the lease; waiting until it stops" at_most_if_it_crashed=12s`), log.String())
		mirrortest.Advance(3 * time.Second)
		require.Equal(w, 3, w.count("select epoch from leases"))
		require.NoError(w, stopFirst())
		w.requireRows("shipment")
	}, standing)
}

// A mirror that lost its lease stops writing, competes again and takes it back in its turn.
func TestRun_LosesTheLease(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		w.srv.SeedDemo()
		stop := w.start(w.mirror(WithActiveInterval(time.Minute)))
		mirrortest.Advance(5 * time.Minute)
		_, err := w.db.Exec("update leases set holder = 'another', epoch = epoch + 1")
		require.NoError(w, err)
		mirrortest.Advance(5 * time.Second)
		walks := w.count("select max(id) from walks")
		mirrortest.Advance(5 * time.Second)
		require.Equal(w, walks, w.count("select max(id) from walks"))
		mirrortest.Advance(5 * time.Minute)
		require.Greater(w, w.count("select max(id) from walks"), walks)
		require.Equal(w, 3, w.count("select epoch from leases"))
		require.NoError(w, stop())
	}, standing)
}
