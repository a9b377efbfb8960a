package mirror

import (
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

// From the greatest updated_at, less 5 minutes, all that was updated is
// read. A single reading of a tracking request that was updated later is no reason to leave out
// those in between.
func TestCursor_ReadsWhatWasUpdatedInBetween(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		m, l := w.settled()
		early, late := one(w.T, w.srv, "tracking_request", 0), one(w.T, w.srv, "tracking_request", 1)
		update := func(id string) {
			w.srv.Advance(time.Hour)
			now := w.srv.Now()
			w.srv.UpdateTrackingRequest(id, func(r *terminal49test.TrackingRequest) { r.RetryCount, r.UpdatedAt = 7, now })
		}
		update(early)
		update(late)
		w.srv.AddFault(terminal49test.Fault{Operation: "tracking_requests.list", Times: -1, Status: 500})
		w.mark(m, l, model.Ref{Type: "tracking_request", ID: late})
		stop := w.start(m)
		mirrortest.Advance(5 * time.Minute)
		require.Equal(w, 0, w.count("select count(*) from dirty"))
		w.srv.ClearFaults()
		mirrortest.Advance(10 * time.Minute)
		w.requireRows("tracking_request")
		require.NoError(w, stop())
	}, standing)
}

// A look of several pages that fails begins again.
func TestCursor_LookThatFails(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		failing := false
		m := w.mirrorVia(roundTripper(func(r *http.Request) (*http.Response, error) {
			query := r.URL.Query()
			if failing && query.Has("filter[updated_at][start]") && query.Get("page[number]") == "2" {
				return &http.Response{StatusCode: 400, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
			}
			return w.srv.Transport().RoundTrip(r)
		}), WithActiveInterval(24*time.Hour))
		for range 150 {
			w.srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU1", SCAC: "MAEU", Status: "failed", UpdatedAt: w.srv.Now()})
		}
		w.runFor(m, 5*time.Minute)
		for r := range w.srv.Snapshot("tracking_request") {
			w.srv.Advance(time.Minute)
			now := w.srv.Now()
			w.srv.UpdateTrackingRequest(r.ID, func(r *terminal49test.TrackingRequest) { r.RetryCount, r.UpdatedAt = 7, now })
		}
		failing = true
		w.runFor(m, 5*time.Minute)
		failing = false
		w.runFor(m, 10*time.Minute)
		w.requireRows("tracking_request")
		value := w.text("select value from cursors where name = '" + store.CursorUpdated + "'")
		require.Equal(w, w.srv.Now().UTC().Format(time.RFC3339), value)
		require.True(w, strings.HasSuffix(value, "Z"))
	}, standing)
}

// text returns the text of a query.
func (w *world) text(query string) (text string) {
	w.Helper()
	require.NoError(w, w.db.QueryRow(query).Scan(&text))
	return text
}
