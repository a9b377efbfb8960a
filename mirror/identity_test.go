package mirror

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/worker"
	"github.com/go-freight/terminal49/terminal49test"
)

// GET /me is new. A service that does not have it, or does not allow it, names
// the account with tracking requests.
func TestIdentity_WithoutMe(t *testing.T) {
	t.Parallel()
	for _, forbidden := range []bool{false, true} {
		simulated(t, func(w *world) {
			w.srv.SeedDemo()
			w.runFor(w.mirrorVia(roundTripper(func(r *http.Request) (*http.Response, error) {
				if forbidden && strings.HasSuffix(r.URL.Path, "/me") {
					return &http.Response{StatusCode: 403, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
				}
				return w.srv.Transport().RoundTrip(r)
			})), time.Minute)
			require.Equal(w, w.srv.AccountID, w.text("select account from identity"))
		}, standing, terminal49test.WithoutAutumn2026())
	}
}

// A database keeps to one account, also if a user's token comes to mean another one while the
// mirror runs.
func TestIdentity_ChangesWhileTheMirrorRuns(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		w.srv.SeedDemo()
		other := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSeed(2), terminal49test.WithToken(w.srv.Token))
		defer other.Close()
		var means atomic.Pointer[terminal49test.Server]
		means.Store(w.srv)
		m := w.mirrorVia(roundTripper(func(r *http.Request) (*http.Response, error) { return means.Load().Transport().RoundTrip(r) }))
		ended := make(chan error, 1)
		go func() { ended <- m.Run(w.Context()) }()
		mirrortest.Advance(50 * time.Minute)
		means.Store(other)
		require.ErrorIs(w, <-ended, ErrOtherAccount)
	}, standing)
}

// An account without tracking requests is found out when it has some.
func TestIdentity_Later(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		stop := w.start(w.mirror())
		mirrortest.Advance(time.Minute)
		require.Equal(w, 0, w.count("select count(*) from identity"))
		w.srv.SeedDemo()
		mirrortest.Advance(worker.IdentifyEvery + time.Minute)
		require.Equal(w, w.srv.AccountID, w.text("select account from identity"))
		require.NoError(w, stop())
	}, standing, terminal49test.WithoutAutumn2026())
}
