package mirror

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/mirror/internal/worker"
	"github.com/go-freight/terminal49/terminal49test"
)

// unsent is a transport to a service that never sends an event, however often containers link it.
type unsent struct {
	next  http.RoundTripper
	event string
}

func (u unsent) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := u.next.RoundTrip(r)
	if err != nil || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	defer resp.Body.Close()
	var doc map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&doc); err != nil {
		return nil, err
	}
	for _, member := range []string{"data", "included"} {
		if list, is := doc[member].([]any); is {
			doc[member] = slices.DeleteFunc(list, func(one any) bool { return one.(map[string]any)["id"] == u.event })
		}
	}
	body := model.Encode(doc)
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
	return resp, nil
}

// Quarantine instead of stall. A container that links an event which the service
// never sends is read by itself once, not again and again.
func TestPoll_EventThatIsNeverSent(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		w.srv.SeedDemo()
		event := one(w.T, w.srv, "transport_event", 0)
		m := w.mirrorVia(unsent{w.srv.Transport(), event}, WithWholeInterval(time.Hour))
		w.runFor(m, 30*time.Minute)
		reads := func() int { return w.sent("containers.get") + w.sent("shipments.get") }
		before := reads()
		require.NotZero(w, before)
		w.runFor(m, 3*time.Hour)
		require.Equal(w, before, reads(), "twelve walks name the event")
		require.Equal(w, 0, w.count("select count(*) from dirty where kind <> 'transport_event'"))

		m = w.mirrorVia(w.srv.Transport(), WithWholeInterval(time.Hour))
		w.runFor(m, 2*time.Hour+10*time.Minute)
		w.requireEqual()
		require.Equal(w, 0, w.count("select count(*) from dirty"))
	}, standing)
}

// A mark is taken away by a reading of what it is for. The response about a
// shipment may show its container without its events. The read of the container, which follows,
// may fail: then it is repeated later and later.
func TestPoll_SecondReadFails(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		m, l := w.settled()
		id := w.text("select min(container_id) from transport_events")
		for _, unknown := range []bool{false, true} {
			if unknown {
				w.srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.vessel_arrived", Container: id, Timestamp: w.srv.Now()})
				l = store.NewLease()
				_, err := m.db.TakeLease(w.Context(), l, time.Now())
				require.NoError(w, err)
			}
			w.srv.AddFault(terminal49test.Fault{Operation: "containers.get", Times: -1, Status: 500})
			w.mark(m, l, model.Ref{Type: "container", ID: id})
			before := w.sent("containers.get")
			w.runFor(m, time.Hour)
			require.Equal(w, 1, w.count("select count(*) from dirty where kind = 'container' and id = '"+id+"'"))
			require.Less(w, w.sent("containers.get")-before, 4*14, "with the attempts of the client")
			w.srv.ClearFaults()
			w.runFor(m, 90*time.Minute)
			require.Equal(w, 0, w.count("select count(*) from dirty"))
			w.requireRows("transport_event")
		}
	}, standing, terminal49test.WithIgnored("shipments.get", "include=containers.transport_events"),
		terminal49test.WithIgnored("containers.list", "filter[updated_at]"))
}

// Readings that overlap are not ordered. That of a container lasts until its
// events have arrived, which may be a request of their own.
func TestPoll_ReadingLastsUntilTheEvents(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		w.srv.SeedDemo()
		var m *Mirror
		var meanwhile int64
		m = w.mirrorVia(roundTripper(func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/transport_events") {
				var err error
				meanwhile, err = m.db.Draw(r.Context())
				require.NoError(w, err)
			}
			return w.srv.Transport().RoundTrip(r)
		}))
		require.NoError(w, m.Migrate(w.Context()))
		_, r, err := (&worker.Service{Client: m.client, Store: m.db}).Resource(w.Context(), model.Ref{Type: "container", ID: one(w.T, w.srv, "container", 0)})
		require.NoError(w, err)
		require.NotZero(w, meanwhile)
		require.GreaterOrEqual(w, r.Until, meanwhile)
	}, terminal49test.WithIgnored("containers.get", "include=transport_events"))
}

// It fails on age. Many marks are many rounds, each of which is noted.
func TestPoll_ManyMarksAreHealthy(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		m, l := w.settled()
		var marks []model.Ref
		for i := range 900 {
			marks = append(marks, model.Ref{Type: "vessel", ID: "9a1c5c4e-0000-4000-8000-000" + strconv.Itoa(100_000_000+i)})
		}
		w.mark(m, l, marks...)
		stop := w.start(m)
		for range 8 {
			mirrortest.Advance(time.Minute)
			s, err := m.Status(w.Context())
			require.NoError(w, err)
			require.Less(w, s.At.Sub(s.Poll), 2*time.Minute)
		}
		require.NoError(w, stop())
	}, standing)
}

// Tx.Mark's documentation: a resource is read until a reading with a later ticket than the mark has
// been written. What was found for an older mark does not end one that was made again meanwhile.
func TestPoll_MarkMadeAgainStays(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		m.write(between(1, 1), onVessel("X"))
		marked := func() plan.Mark {
			m.do(func(tx *store.Tx) error { return tx.Mark(t.Context(), model.Ref{Type: "shipment", ID: "A"}, tx.Now) })
			all, err := m.db.DueMarks(t.Context(), 10)
			require.NoError(t, err)
			require.Len(t, all, 1)
			return all[0]
		}
		leave := func(mark plan.Mark) {
			m.do(func(tx *store.Tx) error { return tx.LeaveToWalks(t.Context(), mark) })
		}
		older, newer := marked(), marked()
		leave(older)
		require.Equal(t, []string{"shipment|A"}, m.marks())
		leave(newer)
		require.Empty(t, m.marks())
	})
}
